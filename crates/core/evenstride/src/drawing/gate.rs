//! Render interpolation for one body that a host steps itself, such as a player of its own.
//!
//! The gate needs no world. It holds the last two places and the time gathered since, and the host
//! supplies the step.

use evenstride_types::Placement;

use crate::{
    clock::{LOST_TIME_SECS, checked_max_step},
    config::MIN_STEP_SECS,
    drawing::between,
};

/// Draws a body between the places at which its last two completed steps left it.
///
/// Frames may come at any rate, and the gate gathers their time. Once it has at least 1/30 s, it
/// steps the body by that time, up to the longest step. The drawn place trails the simulation by
/// less than a step and is never fed back into it.
///
/// ```
/// use evenstride::{drawing::RenderGate, types::*};
/// let start = Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY);
/// let mut gate = RenderGate::new(start, 0.1);
/// // Two frames of 1/60 s make one step.
/// let walk = |at: Placement, secs: f32| {
///     Placement::new(at.cell, at.pose.with_origin(at.pose.origin() + Vec3::Y * 3.0 * secs).unwrap_or(at.pose))
/// };
/// gate.frame(1.0 / 60.0, walk);
/// assert_eq!(gate.drawn(), start);
/// gate.frame(1.0 / 60.0, walk);
/// gate.frame(1.0 / 60.0, walk);
/// assert!((gate.drawn().pose.origin().y - 0.05).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderGate {
    /// Seconds since the last step that no step has used yet.
    gathered: f32,
    /// Longest step in seconds, from 1/30 to 2.
    max_step: f32,
    /// Place before the last step.
    previous: Placement,
    /// Place after the last step.
    current: Placement,
}

/// Result of [`RenderGate::frame`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FrameOutcome {
    /// Too little time has gathered, and the body was not stepped.
    Gathered,
    /// The body was stepped by this many seconds.
    Stepped(f32),
    /// More than two seconds had gathered and were dropped. The body is drawn where it is.
    Dropped,
    /// The time was negative or not finite, and nothing happened.
    Refused,
}

impl RenderGate {
    /// Makes the gate of a body at `at`. `max_step_secs` is the longest step in seconds.
    ///
    /// Values outside 1/30 to 2 s are clamped, and NaN becomes 0.2 s.
    pub fn new(at: Placement, max_step_secs: f32) -> Self {
        let max_step = checked_max_step(f64::from(max_step_secs)) as f32;
        Self { gathered: 0.0, max_step, previous: at, current: at }
    }

    /// Handles a frame that comes `secs` seconds after the last one.
    ///
    /// `step` gets the present place and the seconds to step by, and returns the new place. It runs
    /// at most once. Time beyond the longest step stays gathered for the next frame.
    pub fn frame(&mut self, secs: f32, step: impl FnOnce(Placement, f32) -> Placement) -> FrameOutcome {
        if !(secs.is_finite() && secs >= 0.0) {
            return FrameOutcome::Refused;
        }
        self.gathered += secs;
        if f64::from(self.gathered) > LOST_TIME_SECS {
            self.gathered = 0.0;
            self.previous = self.current;
            return FrameOutcome::Dropped;
        }
        if f64::from(self.gathered) < MIN_STEP_SECS {
            return FrameOutcome::Gathered;
        }
        let secs = self.gathered.min(self.max_step);
        self.gathered -= secs;
        self.previous = self.current;
        self.current = step(self.current, secs);
        FrameOutcome::Stepped(secs)
    }

    /// Moves the body to `at` at once, without interpolation. Gathered time is dropped.
    pub const fn reset(&mut self, at: Placement) {
        *self = Self { gathered: 0.0, max_step: self.max_step, previous: at, current: at };
    }

    /// Returns the place to draw the body at.
    pub fn drawn(&self) -> Placement {
        between(&self.previous, &self.current, self.part())
    }

    /// Returns the place at which the last step left the body.
    pub const fn current(&self) -> Placement {
        self.current
    }

    /// Returns the seconds gathered towards the next step.
    pub const fn gathered_secs(&self) -> f32 {
        self.gathered
    }

    /// Returns the interpolation factor between the last two places, from 0 to 1.
    pub fn part(&self) -> f32 {
        ((f64::from(self.gathered) / MIN_STEP_SECS) as f32).clamp(0.0, 1.0)
    }
}
