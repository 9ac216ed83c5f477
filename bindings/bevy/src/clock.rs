//! The clock of the remotes, which the host chooses.

use bevy_ecs::{prelude::*, system::SystemParam};
use bevy_time::{Real, Time, Virtual};
use evenstride::types::SimTime;

/// Clock that moves remotes.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RemoteClock {
    /// The `Time` of the schedule in which the plugins run (default). It is virtual time in
    /// `PostUpdate` and `Update`, and fixed time in fixed schedules.
    #[default]
    Schedule,
    /// `Time<Virtual>`, which can be paused and sped up. Fixed schedules see it advance once per
    /// frame.
    Virtual,
    /// `Time<Real>`, which goes on while the game is paused.
    Real,
    /// [`RemoteTime`], which the host sets.
    Manual,
}

/// Present time in seconds for [`RemoteClock::Manual`] (default: 0).
///
/// Use it for the timeline of a networking crate, and in tests. A time that stops stops all remotes. A
/// value that is not finite, or beyond ±10¹² s, is ignored, and
/// [`RemoteStats::refused_times`](crate::RemoteStats::refused_times) counts it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct RemoteTime(pub f64);

/// Every clock of the app. A host may lack some of them.
#[derive(SystemParam)]
pub(crate) struct Clocks<'w> {
    chosen: Res<'w, RemoteClock>,
    schedule: Option<Res<'w, Time>>,
    virtual_time: Option<Res<'w, Time<Virtual>>>,
    real: Option<Res<'w, Time<Real>>>,
    manual: Res<'w, RemoteTime>,
}

impl Clocks<'_> {
    /// Returns the present time, or `None` if the chosen clock is missing or its value is invalid.
    pub(crate) fn now(&self) -> Option<SimTime> {
        let secs = match *self.chosen {
            RemoteClock::Schedule => self.schedule.as_ref()?.elapsed_secs_f64(),
            RemoteClock::Virtual => self.virtual_time.as_ref()?.elapsed_secs_f64(),
            RemoteClock::Real => self.real.as_ref()?.elapsed_secs_f64(),
            RemoteClock::Manual => self.manual.0,
        };
        SimTime::from_secs(secs).ok()
    }
}
