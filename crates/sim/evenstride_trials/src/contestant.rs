//! Everything that takes part in a trial.

use evenstride::{
    Config,
    generic::{PlainConfig, SenderClock},
};

use crate::{
    Drawn, Sends, draw_with,
    line::{Arrival, Line},
    mover::At,
    rival::{draw_late, draw_like_mirror},
};

/// A way to draw an entity from its updates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contestant {
    /// `PlainWorld` as it is, with positions and headings.
    Evenstride,
    /// `PlainWorld` with settings.
    Tuned(PlainConfig, Sends),
    /// `PlainWorld` with `Config::SMOOTH`, which waits at the last position.
    Smooth,
    /// Straight lines between positions, some seconds in the past.
    Buffer {
        /// Seconds by which the entity is drawn late.
        late_secs: f64,
    },
    /// A buffer as lightyear 0.30 has it: late by 1.2 intervals, four times the jitter and one tick of
    /// 1/64 s. The time of the server is known exactly, which is kinder than an estimate.
    ///
    /// The factor is `send_interval_ratio` of `InterpolationConfig` (`src/timeline.rs` of
    /// `lightyear_interpolation` 0.30.0). The other two are `jitter_multiple` and `jitter_margin` of
    /// `SyncConfig` (`src/timeline/sync.rs` of `lightyear_sync` 0.30.0).
    Lightyear(Line),
    /// A buffer with a time line of its own, as Mirror has it.
    Mirror(Line),
}

impl Contestant {
    /// `PlainWorld` that knows the age of each update.
    pub fn synchronized(sends: Sends) -> Self {
        let config = PlainConfig::default().with(|config| config.sender_clock = SenderClock::Shared);
        Self::Tuned(config, sends)
    }

    /// Returns the buffer that is one and a half intervals and the latency late.
    pub fn buffer(line: &Line) -> Self {
        let link = &line.link;
        Self::Buffer { late_secs: 1.5 / line.rate + link.latency_secs + link.jitter_secs }
    }

    /// Returns the places that it draws, one per frame of a course.
    pub fn draw(&self, arrivals: &[Arrival], course: &[At]) -> Drawn {
        let frames = course.len();
        let plain = |config, sends| draw_with(config, arrivals, frames, sends);
        match *self {
            Self::Evenstride => plain(PlainConfig::default(), Sends::Positions),
            Self::Tuned(config, sends) => plain(config, sends),
            Self::Smooth => {
                plain(PlainConfig::default().with(|config| config.motion = Config::SMOOTH), Sends::Positions)
            }
            Self::Buffer { late_secs } => draw_late(arrivals, frames, late_secs),
            Self::Lightyear(line) => {
                // The jitter of a ping is the mean deviation of its way.
                let jitter = 0.5 * line.link.jitter_secs;
                draw_late(arrivals, frames, 1.2 / line.rate + 4.0 * jitter + 1.0 / 64.0)
            }
            Self::Mirror(line) => draw_like_mirror(arrivals, frames, 1.0 / line.rate),
        }
    }
}
