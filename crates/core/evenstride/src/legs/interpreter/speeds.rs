//! How fast everything is, and which way.

use evenstride_types::{
    EPSILON, Vec3,
    update::{HoldKey, MotionCommand},
};

use super::Legs;
use crate::{
    gait::{RUN_SPEED, SIDESTEP_SPEED, WALK_SPEED},
    player::{BACKWARDS_FACTOR, MAX_RUN_SIDESTEP, RUN_TURN, SIDESTEP_FACTOR},
};

impl Legs<'_> {
    /// Whether it walks at all: what the game does not know, and creatures.
    pub(super) fn walks(&self) -> bool {
        self.being.game.is_none_or(|game| game.is_creature)
    }

    pub(super) fn run_rate(&self) -> f32 {
        match self.being.game {
            None => 1.0,
            Some(game) => game.run_rate.unwrap_or(self.interpreter.run_rate),
        }
    }

    /// Retail: `CMotionInterp::contact_allows_move` (11.4186 @ 0x00528240)
    pub(crate) fn contact_allows(&self, motion: MotionCommand) -> bool {
        let is_free = matches!(
            motion,
            MotionCommand::FALLING
                | MotionCommand::DEAD
                | MotionCommand::TURN_RIGHT
                | MotionCommand::TURN_LEFT
        );
        is_free || !self.walks() || !self.being.has_gravity || (self.being.contact && self.being.walkable)
    }

    pub(crate) fn adjust(
        &self,
        motion: MotionCommand,
        speed: f32,
        hold_key: HoldKey,
    ) -> (MotionCommand, f32) {
        adjust(motion, speed, hold_key, &self.walker())
    }

    fn walker(&self) -> Walker {
        Walker { walks: self.walks(), hold_key: self.interpreter.asked.hold_key, run_rate: self.run_rate() }
    }

    /// Retail: `CMotionInterp::get_max_speed` (11.4186 @ 0x00527CB0)
    pub(crate) fn max_speed(&self) -> f32 {
        RUN_SPEED * self.run_rate()
    }

    /// Retail: `CMotionInterp::get_adjusted_max_speed` (11.4186 @ 0x00527D00)
    pub(crate) fn adjusted_max_speed(&self) -> f32 {
        match self.interpreter.meant.forward {
            (MotionCommand::RUN_FORWARD, speed) => RUN_SPEED * (speed / self.interpreter.speed_factor),
            _ => self.max_speed(),
        }
    }

    /// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
    pub(crate) fn state_velocity(&self) -> Vec3 {
        let meant = &self.interpreter.meant;
        let x = if meant.sidestep.0 == MotionCommand::SIDESTEP_RIGHT {
            SIDESTEP_SPEED * meant.sidestep.1
        } else {
            0.0
        };
        let y = match meant.forward {
            (MotionCommand::WALK_FORWARD, speed) => WALK_SPEED * speed,
            (MotionCommand::RUN_FORWARD, speed) => RUN_SPEED * speed,
            _ => 0.0,
        };
        let velocity = Vec3::new(x, y, 0.0);
        let (length, max) = (evenstride_types::length(velocity), f64::from(self.max_speed()));
        if length <= max {
            return velocity;
        }
        let capped = (velocity.as_dvec3() * (max / length)).as_vec3();
        // A negative speed makes a negative cap; what is no number then is no velocity.
        if capped.is_finite() { capped } else { Vec3::ZERO }
    }

    /// Retail: `CMotionInterp::get_jump_v_z` (11.4186 @ 0x00527AA0)
    pub(crate) fn jump_speed(&self) -> f32 {
        let extent = self.interpreter.jump_extent;
        if extent < EPSILON {
            return 0.0;
        }
        match self.being.game {
            None => 10.0,
            Some(game) => game.jump_velocity.map_or(0.0, |velocity| velocity * extent.min(1.0)),
        }
    }

    /// Retail: `CMotionInterp::get_leave_ground_velocity` (11.4186 @ 0x005280C0)
    pub(crate) fn leave_ground_velocity(&self) -> Vec3 {
        let local = self.state_velocity().with_z(self.jump_speed());
        if local.to_array().iter().all(|part| part.abs() < EPSILON) {
            self.being.rotation.basis().to_local(self.being.velocity)
        } else {
            local
        }
    }
}

/// What a body's motions depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Walker {
    pub(crate) walks: bool,
    /// The key that is held if nothing else is said.
    pub(crate) hold_key: HoldKey,
    pub(crate) run_rate: f32,
}

/// Back is forward at a negative speed, left is right at one, and running makes all of it faster.
///
/// Retail: `CMotionInterp::adjust_motion` (11.4186 @ 0x00528010)
pub(crate) fn adjust(
    motion: MotionCommand,
    speed: f32,
    hold_key: HoldKey,
    walker: &Walker,
) -> (MotionCommand, f32) {
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
    if key == HoldKey::RUN { walker.run(motion, speed) } else { (motion, speed) }
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
