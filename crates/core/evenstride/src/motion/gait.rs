//! The gait of a body, which is the view of its motion that hosts get.
//!
//! It is computed on request from the interpreted motion and is never stored. Nothing can be
//! changed through it.

use evenstride_types::{Vec3, update::MotionCommand};

use crate::motion::{InterpretedMotion, interpreter::max_speed};

/// A read-only view of a body's [`InterpretedMotion`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[doc(alias = "CMotionInterp")]
pub struct Gait {
    /// Stance, which selects the set of animations.
    pub style: MotionCommand,
    /// Motion of the forward axis. It is `READY` for a body that stands.
    pub forward: MotionCommand,
    /// Speed factor of that motion, negative for backwards.
    pub forward_speed: f32,
    /// Motion of the sideways axis. `None` if it is not in use.
    pub sidestep: Option<MotionCommand>,
    /// Speed factor of that motion, negative for left.
    pub sidestep_speed: f32,
    /// Motion of the turning axis. `None` if it is not in use.
    pub turn: Option<MotionCommand>,
    /// Speed factor of that motion, negative for left.
    pub turn_speed: f32,
    /// Run rate, as a multiple of the slowest runner's speed. The local player's run rate follows
    /// from its skill. Other bodies get theirs from messages.
    pub run_rate: f32,
    /// Result of [`velocity`](Self::velocity), computed at creation.
    velocity: Vec3,
    /// Result of [`present_top_speed`](Self::present_top_speed), computed at creation.
    present_top_speed: f64,
}

impl Gait {
    /// The gait of a body that stands, with a run rate of 1.
    pub(crate) const STANDING: Self = Self {
        style: MotionCommand::NON_COMBAT,
        forward: MotionCommand::READY,
        forward_speed: 1.0,
        sidestep: None,
        sidestep_speed: 1.0,
        turn: None,
        turn_speed: 1.0,
        run_rate: 1.0,
        velocity: Vec3::ZERO,
        present_top_speed: 4.0,
    };

    /// Creates the view of a motion. `run_rate` is the body's present run rate.
    pub(crate) fn of(motion: &InterpretedMotion, run_rate: f32) -> Self {
        Self {
            style: motion.style,
            forward: motion.forward.command,
            forward_speed: motion.forward.speed,
            sidestep: motion.sidestep.in_use(),
            sidestep_speed: motion.sidestep.speed,
            turn: motion.turn.in_use(),
            turn_speed: motion.turn.speed,
            run_rate,
            velocity: motion.state_velocity(run_rate),
            present_top_speed: motion.adjusted_max_speed(run_rate),
        }
    }

    /// Returns the velocity of walking, running and stepping sideways, in metres per second along
    /// the body's own axes.
    ///
    /// It is never faster than the body can run. The drawn motion comes from animations and
    /// updates, and may differ.
    #[doc(alias = "get_state_velocity")]
    pub const fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// Returns the top speed of the body in metres per second, regardless of its present motion.
    #[doc(alias = "get_max_speed")]
    pub fn top_speed(&self) -> f64 {
        max_speed(self.run_rate)
    }

    /// Returns the present speed of a running body in metres per second. Any other body gets
    /// [`top_speed`](Self::top_speed).
    #[doc(alias = "get_adjusted_max_speed")]
    pub const fn present_top_speed(&self) -> f64 {
        self.present_top_speed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standing_gait_is_that_of_a_standing_motion() {
        assert_eq!(Gait::STANDING, Gait::of(&InterpretedMotion::STANDING, 1.0));
    }
}
