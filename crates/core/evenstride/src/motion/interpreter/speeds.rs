//! How fast everything is, and which way.

use evenstride_types::{
    EPSILON, Vec3, is_nearly_zero, length,
    update::{HoldKey, MotionCommand},
};

use crate::{
    journal::Journal,
    motion::{interpreted_motion::InterpretedMotion, interpreter::MotionDriver},
    outcome::SPEED_LIMIT,
};

/// Metres per second of walking at speed 1.
///
/// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
pub const WALK_SPEED: f32 = 3.12;

/// Metres per second of running at speed 1.
///
/// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
pub const RUN_SPEED: f32 = 4.0;

/// Metres per second of stepping sideways at speed 1.
///
/// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
pub const SIDESTEP_SPEED: f32 = 1.25;

/// Walking backwards is slower by this factor.
///
/// Retail: `CMotionInterp::adjust_motion` (11.4186 @ 0x00528010)
pub const BACKWARDS_FACTOR: f32 = 0.65;

/// Factor that makes stepping sideways half as fast as walking.
///
/// Retail: `CMotionInterp::adjust_motion` (11.4186 @ 0x00528010)
pub const SIDESTEP_FACTOR: f32 = WALK_SPEED / SIDESTEP_SPEED * 0.5;

/// Radians per second of turning at speed 1: what the client's turning cycles come to.
pub const TURN_SPEED: f32 = core::f32::consts::FRAC_PI_2;

/// A running body turns faster by this factor.
///
/// Retail: `CMotionInterp::apply_run_to_command` (11.4186 @ 0x00527BE0)
const RUN_TURN: f32 = 1.5;

/// Largest speed factor of a running sidestep.
///
/// Retail: `CMotionInterp::apply_run_to_command` (11.4186 @ 0x00527BE0)
pub const MAX_RUN_SIDESTEP: f32 = 3.0;

/// Without a game to ask, every jump rises at this many metres per second.
///
/// Retail: `CMotionInterp::get_jump_v_z` (11.4186 @ 0x00527AA0)
const DEFAULT_JUMP_RISE: f32 = 10.0;

/// Returns the fastest a body runs, in metres per second, whatever it is doing.
///
/// Retail: `CMotionInterp::get_max_speed` (11.4186 @ 0x00527CB0)
#[inline]
pub fn max_speed(run_rate: f32) -> f64 {
    f64::from(RUN_SPEED) * f64::from(run_rate)
}

impl InterpretedMotion {
    /// Returns the present running speed of a running body, or else [`max_speed`].
    ///
    /// Retail: `CMotionInterp::get_adjusted_max_speed` (11.4186 @ 0x00527D00)
    #[inline]
    pub(crate) fn adjusted_max_speed(&self, run_rate: f32) -> f64 {
        if self.forward.command == MotionCommand::RUN_FORWARD {
            f64::from(RUN_SPEED) * (f64::from(self.forward.speed) / f64::from(self.speed_factor))
        } else {
            max_speed(run_rate)
        }
    }

    /// Returns the velocity of walking, running and stepping sideways, own axes; never faster than [`max_speed`].
    ///
    /// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
    pub(crate) fn state_velocity(&self, run_rate: f32) -> Vec3 {
        let x = if self.sidestep.command == MotionCommand::SIDESTEP_RIGHT {
            SIDESTEP_SPEED * self.sidestep.speed
        } else {
            0.0
        };
        let y = match self.forward.command {
            MotionCommand::WALK_FORWARD => WALK_SPEED * self.forward.speed,
            MotionCommand::RUN_FORWARD => RUN_SPEED * self.forward.speed,
            _ => 0.0,
        };
        let velocity = Vec3::new(x, y, 0.0);
        let (speed, max) = (length(velocity), max_speed(run_rate));
        // A negative run rate makes a negative cap. For a body at rest that is 0/0: the client's NaN, rejected here.
        if speed <= max || speed == 0.0 {
            return velocity;
        }
        (velocity.as_dvec3() * (max / speed)).as_vec3()
    }
}

impl<J: Journal> MotionDriver<'_, J> {
    /// Returns whether the ground rules apply: to creatures, and to bodies the game does not know.
    pub(super) fn walks(&self) -> bool {
        self.facts.game.is_none_or(|game| game.is_creature)
    }

    pub fn run_rate(&self) -> f32 {
        match self.facts.game {
            None => 1.0,
            Some(game) => game.run_rate.unwrap_or(self.motion.run_rate),
        }
    }

    /// Retail: `CMotionInterp::contact_allows_move` (11.4186 @ 0x00528240)
    pub fn contact_allows(&self, motion: MotionCommand) -> bool {
        let is_free = matches!(
            motion,
            MotionCommand::FALLING
                | MotionCommand::DEAD
                | MotionCommand::TURN_RIGHT
                | MotionCommand::TURN_LEFT
        );
        is_free || !self.walks() || !self.facts.has_gravity || (self.facts.contact && self.facts.walkable)
    }

    pub fn adjust(&self, motion: MotionCommand, speed: f32, hold_key: HoldKey) -> (MotionCommand, f32) {
        let walker = Walker {
            walks: self.walks(),
            hold_key: self.interpreter.raw.hold_key,
            run_rate: self.run_rate(),
        };
        adjust(motion, speed, hold_key, &walker)
    }

    /// Retail: `CMotionInterp::get_jump_v_z` (11.4186 @ 0x00527AA0)
    pub fn jump_rise(&self) -> f32 {
        if self.interpreter.jump_extent < EPSILON {
            return 0.0;
        }
        match self.facts.game {
            None => DEFAULT_JUMP_RISE,
            Some(game) => game.jump_rise.unwrap_or(0.0),
        }
    }

    /// Returns the velocity of a body that leaves the ground, own axes; `None` if the body keeps the one it has.
    ///
    /// Retail: `CMotionInterp::get_leave_ground_velocity` (11.4186 @ 0x005280C0)
    pub fn leave_ground_velocity(&self) -> Option<Vec3> {
        let local = self.motion.state_velocity(self.run_rate()).with_z(self.jump_rise());
        (!is_nearly_zero(local)).then_some(local)
    }
}

/// What the canonical form of a motion depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    pub walks: bool,
    /// The key that is held if nothing else is said.
    pub hold_key: HoldKey,
    pub run_rate: f32,
}

/// Converts a motion to its canonical form. Back is forward at a negative speed, left is right at a negative speed, and running is faster.
///
/// Products beyond [`SPEED_LIMIT`] are cut off.
///
/// Retail: `CMotionInterp::adjust_motion` (11.4186 @ 0x00528010)
pub fn adjust(motion: MotionCommand, speed: f32, hold_key: HoldKey, walker: &Walker) -> (MotionCommand, f32) {
    if !walker.walks {
        return (motion, speed);
    }
    let (motion, speed) = match motion {
        MotionCommand::RUN_FORWARD => return (motion, speed),
        MotionCommand::WALK_BACKWARDS => (MotionCommand::WALK_FORWARD, speed * -BACKWARDS_FACTOR),
        MotionCommand::TURN_LEFT => (MotionCommand::TURN_RIGHT, -speed),
        MotionCommand::SIDESTEP_LEFT => (MotionCommand::SIDESTEP_RIGHT, -speed * SIDESTEP_FACTOR),
        MotionCommand::SIDESTEP_RIGHT => (motion, speed * SIDESTEP_FACTOR),
        other => (other, speed),
    };
    let key = if hold_key == HoldKey::INVALID { walker.hold_key } else { hold_key };
    let (motion, speed) = if key == HoldKey::RUN { walker.run(motion, speed) } else { (motion, speed) };
    (motion, speed.clamp(-SPEED_LIMIT, SPEED_LIMIT))
}

impl Walker {
    /// Retail: `CMotionInterp::apply_run_to_command` (11.4186 @ 0x00527BE0)
    fn run(&self, motion: MotionCommand, speed: f32) -> (MotionCommand, f32) {
        match motion {
            MotionCommand::WALK_FORWARD if speed > 0.0 => (MotionCommand::RUN_FORWARD, speed * self.run_rate),
            MotionCommand::WALK_FORWARD => (motion, speed * self.run_rate),
            MotionCommand::TURN_RIGHT => (motion, speed * RUN_TURN),
            MotionCommand::SIDESTEP_RIGHT => {
                let speed = speed * self.run_rate;
                let is_too_fast = speed.abs() > MAX_RUN_SIDESTEP;
                (motion, if is_too_fast { MAX_RUN_SIDESTEP.copysign(speed) } else { speed })
            }
            _ => (motion, speed),
        }
    }
}
