//! Render interpolation of one body that a host steps itself: the local player.

use evenstride_types::Placement;

use crate::{
    clock::{LOST_TIME_SECS, checked_max_step},
    config::MIN_STEP_SECS,
    drawing::between,
};

/// Draws a body between where its last two completed steps left it.
///
/// Frames come at any rate; the body is stepped once at least 1/30 s has gathered, by what has gathered, at most by the longest step.
/// What is drawn trails the simulation by less than a step and is never fed back into it.
///
/// ```
/// use evenstride::{RenderGate, types::*};
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
    gathered: f32,
    max_step: f32,
    previous: Placement,
    current: Placement,
}

/// What a frame did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrameOutcome {
    /// Nothing was stepped.
    Gathered,
    /// The body was stepped by so many seconds.
    Stepped(f32),
    /// More than two seconds had gathered and were dropped; the body is drawn where it is.
    Dropped,
    /// The time given was not a number of seconds of 0 or more; nothing happened.
    Refused,
}

impl RenderGate {
    /// A body standing here. `max_step_secs` is the longest step it takes.
    ///
    /// A longest step that is none (below 1/30 s, above 2 s, not a number) is brought into that range.
    pub fn new(at: Placement, max_step_secs: f32) -> Self {
        let max_step = checked_max_step(f64::from(max_step_secs)) as f32;
        Self { gathered: 0.0, max_step, previous: at, current: at }
    }

    /// A frame `secs` after the last. `step` moves the body from where it is by so many seconds.
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

    /// The body was put somewhere: nothing is drawn on the way there, and gathered time is dropped.
    pub const fn reset(&mut self, at: Placement) {
        *self = Self { gathered: 0.0, max_step: self.max_step, previous: at, current: at };
    }

    /// Where to draw the body.
    pub fn drawn(&self) -> Placement {
        between(&self.previous, &self.current, self.part())
    }

    /// Where the body is.
    pub const fn current(&self) -> Placement {
        self.current
    }

    /// Seconds gathered towards the next step.
    pub const fn gathered_secs(&self) -> f32 {
        self.gathered
    }

    /// How far the drawn place lies from the last step but one to the last, 0 to 1.
    pub fn part(&self) -> f32 {
        ((f64::from(self.gathered) / MIN_STEP_SECS) as f32).clamp(0.0, 1.0)
    }
}
