//! What a body is doing, as hosts see it.

use evenstride_types::{Vec3, update::MotionCommand};

use crate::motion::{InterpretedMotion, interpreter::max_speed};

/// What a body is doing: a read-only view of its [`InterpretedMotion`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[doc(alias = "CMotionInterp")]
pub struct Gait {
    /// Stance.
    pub style: MotionCommand,
    /// Forward axis.
    pub forward: MotionCommand,
    /// Its speed factor, negative for the opposite direction.
    pub forward_speed: f32,
    /// Sideways axis, if it is in use.
    pub sidestep: Option<MotionCommand>,
    /// Its speed factor.
    pub sidestep_speed: f32,
    /// Turning axis, if it is in use.
    pub turn: Option<MotionCommand>,
    /// Its speed factor.
    pub turn_speed: f32,
    /// How many times faster than the slowest runner the body runs: by skill for the local player, or else as last heard.
    pub run_rate: f32,
    velocity: Vec3,
    present_top_speed: f64,
}

impl Gait {
    /// Creates the view of a motion. `run_rate` is the one in force.
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

    /// Returns the velocity of walking, running and stepping sideways in metres per second, own axes; never faster than the body can run.
    #[doc(alias = "get_state_velocity")]
    pub const fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// Returns the fastest the body runs, in metres per second, whatever it is doing.
    #[doc(alias = "get_max_speed")]
    pub fn top_speed(&self) -> f64 {
        max_speed(self.run_rate)
    }

    /// Returns the present running speed of a running body, or else [`top_speed`](Self::top_speed).
    #[doc(alias = "get_adjusted_max_speed")]
    pub const fn present_top_speed(&self) -> f64 {
        self.present_top_speed
    }
}
