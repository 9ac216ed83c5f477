//! Every speed of the interpreter, and the canonical form of motions.
//!
//! The speeds serve take-offs, the closing speeds of route and follow, and the views of hosts. On
//! the ground a body moves by root motion instead. Built-in animations have the same speeds.

use evenstride_types::{
    EPSILON, Vec3, is_nearly_zero, length,
    update::{HoldKey, MotionCommand},
};

use crate::{
    journal::Journal,
    motion::{interpreted_motion::InterpretedMotion, interpreter::MotionDriver},
    outcome::SPEED_LIMIT,
};

/// Speed of walking at factor 1, in metres per second.
///
/// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
pub const WALK_SPEED: f32 = 3.12;

/// Speed of running at factor 1, in metres per second.
///
/// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
pub const RUN_SPEED: f32 = 4.0;

/// Speed of stepping sideways at factor 1, in metres per second.
///
/// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
pub const SIDESTEP_SPEED: f32 = 1.25;

/// Speed of walking backwards, as a fraction of the speed of walking forward.
///
/// Retail: `CMotionInterp::adjust_motion` (11.4186 @ 0x00528010)
pub const BACKWARDS_FACTOR: f32 = 0.65;

/// Factor that makes stepping sideways half as fast as walking.
///
/// Retail: `CMotionInterp::adjust_motion` (11.4186 @ 0x00528010)
pub const SIDESTEP_FACTOR: f32 = WALK_SPEED / SIDESTEP_SPEED * 0.5;

/// Speed of turning at factor 1, in radians per second. The client's turning cycles have the same
/// speed.
pub const TURN_SPEED: f32 = core::f32::consts::FRAC_PI_2;

/// Factor by which a running body turns faster.
///
/// Retail: `CMotionInterp::apply_run_to_command` (11.4186 @ 0x00527BE0)
const RUN_TURN: f32 = 1.5;

/// Largest speed factor of a running sidestep, to either side.
///
/// Retail: `CMotionInterp::apply_run_to_command` (11.4186 @ 0x00527BE0)
pub const MAX_RUN_SIDESTEP: f32 = 3.0;

/// Upward speed, in metres per second, of a jump by a body without an object in the game.
///
/// Retail: `CMotionInterp::get_jump_v_z` (11.4186 @ 0x00527AA0)
const DEFAULT_JUMP_RISE: f32 = 10.0;

/// Returns the top speed of a body with this run rate, in metres per second, regardless of its
/// present motion.
///
/// Retail: `CMotionInterp::get_max_speed` (11.4186 @ 0x00527CB0)
#[inline]
pub fn max_speed(run_rate: f32) -> f64 {
    f64::from(RUN_SPEED) * f64::from(run_rate)
}

impl InterpretedMotion {
    /// Returns the present speed of a running body, or [`max_speed`] for any other body, in metres
    /// per second. The route uses twice this speed.
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

    /// Returns the velocity of walking, running and stepping sideways, in metres per second along
    /// the body's own axes.
    ///
    /// It is never faster than [`max_speed`]. Postures and other motions have zero velocity.
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
        // A negative run rate makes a negative limit. For a body at rest the client then divides 0
        // by 0. The NaN is avoided here.
        if speed <= max || speed == 0.0 {
            return velocity;
        }
        (velocity.as_dvec3() * (max / speed)).as_vec3()
    }
}

impl<J: Journal> MotionDriver<'_, J> {
    /// Returns whether the ground rules apply. They apply to creatures, and to bodies without an
    /// object in the game.
    pub(super) fn walks(&self) -> bool {
        self.facts.game.is_none_or(|game| game.is_creature)
    }

    /// Returns the run rate in force. It comes from the skill for the local player, and from the
    /// last message for other bodies.
    pub fn run_rate(&self) -> f32 {
        match self.facts.game {
            None => 1.0,
            Some(game) => game.run_rate.unwrap_or(self.motion.run_rate),
        }
    }

    /// Returns whether the contact of the body allows a motion. Creatures under gravity must stand
    /// on walkable ground.
    ///
    /// Falling, dying and turning are possible anywhere.
    ///
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

    /// Converts a motion to its canonical form for this body. If `hold_key` is invalid, the common
    /// one is used.
    pub fn adjust(&self, motion: MotionCommand, speed: f32, hold_key: HoldKey) -> (MotionCommand, f32) {
        let walker = Walker {
            walks: self.walks(),
            hold_key: self.interpreter.raw.hold_key,
            run_rate: self.run_rate(),
        };
        adjust(motion, speed, hold_key, &walker)
    }

    /// Returns the upward speed of the charged jump in metres per second, 0 without a charge.
    ///
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

    /// Returns the velocity of a body that leaves the ground, in metres per second, own axes.
    /// `None` if the body keeps its present velocity.
    ///
    /// Retail: `CMotionInterp::get_leave_ground_velocity` (11.4186 @ 0x005280C0)
    pub fn leave_ground_velocity(&self) -> Option<Vec3> {
        let local = self.motion.state_velocity(self.run_rate()).with_z(self.jump_rise());
        (!is_nearly_zero(local)).then_some(local)
    }
}

/// The properties of a body that the canonical form of a motion depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    /// Whether the ground rules apply. Without them motions stay as they are.
    pub walks: bool,
    /// The common hold key, for motions without one of their own.
    pub hold_key: HoldKey,
    /// Factor of running forward, backward and sideways.
    pub run_rate: f32,
}

/// Converts a motion to its canonical form.
///
/// Back becomes forward at a negative speed, and left becomes right at a negative speed. The run
/// key turns walking forward into running, and speeds up backward steps, sidesteps and turns. The
/// run command itself stays as it is. Speeds beyond [`SPEED_LIMIT`] are limited to it.
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
    /// Applies the run key to a motion in its canonical form. Only walking forward becomes another
    /// motion.
    ///
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
