//! The command of a move-to, chosen by distance.
//!
//! Everything here is a function of [`MovementParams`] and a distance. `moveto/` chooses when a
//! body sets out and after a landing, but never on the way.

use evenstride_types::{
    EPSILON,
    update::{HoldKey, MotionCommand, MoveToFlags},
};

use crate::motion::movement_params::MovementParams;

/// A command, and walking or running, chosen by distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The motion, and whether it leads away from the target. `None` if the distance is already
    /// right.
    pub command: Option<(MotionCommand, bool)>,
    /// Walk or run. It is valid even without a command.
    pub hold_key: HoldKey,
}

impl MovementParams {
    /// Returns the command for a distance in metres. The command is always a walk, because the hold
    /// key decides about running.
    ///
    /// - To come near, the body walks forward while farther than `near`. This is also the rule
    ///   without either flag.
    /// - To get away, the body turns round and walks forward while nearer than `far`.
    /// - With both flags, the body walks forward beyond `near`, and backwards within `far`.
    ///
    /// A body that can charge always runs. A body that can run does so if it cannot walk, or if the
    /// remaining distance to `near` exceeds `run_threshold`. The flags for backward and sideways
    /// motion are not consulted, as in the client.
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

    /// Returns the command of a body that stays between `far` and `near`.
    ///
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

/// Returns the heading to face while moving, in degrees from the direction of the target, 0 or 180.
///
/// A body that flees forward turns its back to the target. A body that backs away keeps facing it.
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
