//! Which command a move-to comes to, by distance.

use evenstride_types::{
    EPSILON,
    update::{HoldKey, MotionCommand, MoveToFlags},
};

use crate::motion::movement_params::MovementParams;

/// A command, chosen by distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// What to do, and whether that leads away; nothing, if the body is where it should be.
    pub command: Option<(MotionCommand, bool)>,
    /// Whether to run.
    pub hold_key: HoldKey,
}

impl MovementParams {
    /// What to do at this distance. The answer is always to walk: running is holding a key down.
    ///
    /// Retail: `MovementParameters::get_command` (11.4186 @ 0x0052AA00)
    /// Disputed: ACE ignores that a mover can charge, and runs from 1 m on.
    pub fn choose(&self, distance: f32) -> Choice {
        let towards = self.has(MoveToFlags::MOVE_TOWARDS);
        let away = self.has(MoveToFlags::MOVE_AWAY);
        let command = if towards && away {
            self.choose_both_ways(distance)
        } else if away {
            (distance < self.far).then_some((MotionCommand::WALK_FORWARD, true))
        } else {
            (distance > self.near).then_some((MotionCommand::WALK_FORWARD, false))
        };
        let may_run = self.has(MoveToFlags::CAN_RUN)
            && (!self.has(MoveToFlags::CAN_WALK) || distance - self.near > self.run_threshold);
        let runs = self.has(MoveToFlags::CAN_CHARGE) || may_run;
        Choice { command, hold_key: if runs { HoldKey::RUN } else { HoldKey::NONE } }
    }

    /// Retail: `MovementParameters::towards_and_away` (11.4186 @ 0x0052A9A0)
    fn choose_both_ways(&self, distance: f32) -> Option<(MotionCommand, bool)> {
        if distance > self.near {
            Some((MotionCommand::WALK_FORWARD, false))
        } else if distance - self.far < EPSILON {
            Some((MotionCommand::WALK_BACKWARDS, true))
        } else {
            None
        }
    }
}

/// Which way to face while doing so, in degrees from where the target lies.
///
/// Retail: `MovementParameters::get_desired_heading` (11.4186 @ 0x0052AAD0)
pub const fn facing(command: MotionCommand, is_away: bool) -> f32 {
    let turned = match command {
        MotionCommand::WALK_FORWARD | MotionCommand::RUN_FORWARD => is_away,
        MotionCommand::WALK_BACKWARDS => !is_away,
        _ => false,
    };
    if turned { 180.0 } else { 0.0 }
}
