//! What keys ask for: every direction as it was named, with the walk-or-run key beside it.

use evenstride_types::update::{HoldKey, MotionCommand, RawAxis, RawState};

use crate::{
    motion::{
        interpreted_motion::{NONE, push_action, valid_speed},
        items::Item,
        movement_params::MovementParams,
    },
    storage::{list::List, pool::Pool},
};

/// What was asked for, by keys or by the server.
///
/// Retail: `RawMotionState::RawMotionState` (11.4186 @ 0x0051E7F0)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawMotion {
    pub hold_key: HoldKey,
    pub style: MotionCommand,
    pub forward: RawMotionAxis,
    pub sidestep: RawMotionAxis,
    pub turn: RawMotionAxis,
    pub actions: List,
}

/// One axis, as asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawMotionAxis {
    pub command: MotionCommand,
    /// Walk or run on this axis alone; invalid means that [`RawMotion::hold_key`] decides.
    pub hold_key: HoldKey,
    pub speed: f32,
}

impl RawMotionAxis {
    const fn new(command: MotionCommand) -> Self {
        Self { command, hold_key: HoldKey::INVALID, speed: 1.0 }
    }

    /// Converts an axis of a message. An invalid speed becomes 1.
    fn from_message(axis: &RawAxis, default: MotionCommand) -> Self {
        Self {
            command: axis.command.unwrap_or(default),
            hold_key: axis.hold_key.unwrap_or(HoldKey::INVALID),
            speed: axis.speed.map_or(1.0, valid_speed),
        }
    }
}

impl Default for RawMotion {
    fn default() -> Self {
        Self {
            hold_key: HoldKey::NONE,
            style: MotionCommand::NON_COMBAT,
            forward: RawMotionAxis::new(MotionCommand::READY),
            sidestep: RawMotionAxis::new(NONE),
            turn: RawMotionAxis::new(NONE),
            actions: List::default(),
        }
    }
}

impl RawMotion {
    /// Takes over keys, stance and axes as a client sends them; waiting actions stay.
    ///
    /// Retail: `RawMotionState::UnPack` (11.4186 @ 0x0051EFC0)
    pub fn copy_movement_from(&mut self, state: &RawState) {
        let default = Self::default();
        *self = Self {
            hold_key: state.hold_key.unwrap_or(default.hold_key),
            style: state.style.unwrap_or(default.style),
            forward: RawMotionAxis::from_message(&state.forward, default.forward.command),
            sidestep: RawMotionAxis::from_message(&state.sidestep, NONE),
            turn: RawMotionAxis::from_message(&state.turn, NONE),
            actions: self.actions,
        };
    }

    /// Adds a motion.
    ///
    /// Retail: `RawMotionState::ApplyMotion` (11.4186 @ 0x0051EB60)
    pub fn apply(&mut self, items: &mut Pool<Item>, motion: MotionCommand, params: &MovementParams) {
        let hold_key = if params.sets_hold_key() { HoldKey::INVALID } else { params.hold_key };
        let axis = RawMotionAxis { command: motion, hold_key, speed: params.speed };
        match motion {
            MotionCommand::SIDESTEP_RIGHT | MotionCommand::SIDESTEP_LEFT => self.sidestep = axis,
            MotionCommand::TURN_RIGHT | MotionCommand::TURN_LEFT => self.turn = axis,
            // Running is walking with a key held down.
            MotionCommand::RUN_FORWARD => {}
            _ if motion.is_cycle() => self.forward = axis,
            _ if motion == self.style => {}
            _ if motion.is_style() => {
                self.forward.command = MotionCommand::READY;
                self.style = motion;
            }
            _ if motion.is_action() => push_action(&mut self.actions, items, params.action(motion)),
            _ => {}
        }
    }

    /// Removes a motion, if it is the one on its axis.
    ///
    /// Retail: `RawMotionState::RemoveMotion` (11.4186 @ 0x0051E6E0)
    pub fn remove(&mut self, motion: MotionCommand) {
        match motion {
            MotionCommand::SIDESTEP_RIGHT | MotionCommand::SIDESTEP_LEFT => self.sidestep.command = NONE,
            MotionCommand::TURN_RIGHT | MotionCommand::TURN_LEFT => self.turn.command = NONE,
            _ if motion.is_cycle() && motion == self.forward.command => {
                (self.forward.command, self.forward.speed) = (MotionCommand::READY, 1.0);
            }
            _ if motion.is_style() && motion == self.style => self.style = MotionCommand::NON_COMBAT,
            _ => {}
        }
    }

    /// Ends every axis. Stance, speeds of other axes and actions stay.
    pub const fn stand(&mut self) {
        (self.forward.command, self.forward.speed) = (MotionCommand::READY, 1.0);
        self.sidestep.command = NONE;
        self.turn.command = NONE;
    }
}
