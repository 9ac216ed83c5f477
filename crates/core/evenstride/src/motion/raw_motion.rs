//! The raw motion, which is the motion that keys ask for.
//!
//! Directions are kept as they were requested, together with the walk-or-run key. `controls.rs` and
//! the interpreter write it. `interpreter/applying.rs` derives the interpreted motion from it, and
//! outgoing messages have the same form.

use evenstride_types::update::{HoldKey, MotionCommand, RawAxis, RawState};

use crate::{
    motion::{
        interpreted_motion::{NONE, push_action, valid_speed},
        items::Item,
        movement_params::MovementParams,
    },
    storage::{list::List, pool::Pool},
};

/// The motion that keys or the server asked for.
///
/// Retail: `RawMotionState::RawMotionState` (11.4186 @ 0x0051E7F0)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawMotion {
    /// Walk or run, for axes without a hold key of their own (default: walk).
    pub hold_key: HoldKey,
    /// Stance (default: non-combat).
    pub style: MotionCommand,
    /// Forward, backward or a posture (default: ready). Running is walking with a hold key.
    pub forward: RawMotionAxis,
    /// Left or right (default: none).
    pub sidestep: RawMotionAxis,
    /// Left or right (default: none).
    pub turn: RawMotionAxis,
    /// Actions that are not done, oldest first.
    pub actions: List,
}

/// One axis, as requested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawMotionAxis {
    /// The motion, not converted to its canonical form.
    pub command: MotionCommand,
    /// Walk or run on this axis alone. Invalid (the default) means that [`RawMotion::hold_key`]
    /// decides.
    pub hold_key: HoldKey,
    /// Speed factor before the hold key applies (default: 1). Left and backward need no negative
    /// speed.
    pub speed: f32,
}

impl RawMotionAxis {
    /// Creates an axis with a motion, at speed 1 and without a hold key.
    const fn new(command: MotionCommand) -> Self {
        Self { command, hold_key: HoldKey::INVALID, speed: 1.0 }
    }

    /// Converts an axis of a message. A missing command becomes `default`, and an invalid speed
    /// becomes 1.
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
    /// Copies hold keys, stance and axes from a state that a client sends. Missing fields get their
    /// defaults. Actions stay.
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

    /// Adds a motion to its axis. An action is appended to the actions.
    ///
    /// The axis keeps a hold key of its own only if `params` does not set the common one. A new
    /// stance ends the forward motion. A stance that is already set changes nothing.
    ///
    /// Retail: `RawMotionState::ApplyMotion` (11.4186 @ 0x0051EB60)
    pub fn apply(&mut self, items: &mut Pool<Item>, motion: MotionCommand, params: &MovementParams) {
        let hold_key = if params.sets_hold_key() { HoldKey::INVALID } else { params.hold_key };
        let axis = RawMotionAxis { command: motion, hold_key, speed: params.speed };
        match motion {
            MotionCommand::SIDESTEP_RIGHT | MotionCommand::SIDESTEP_LEFT => self.sidestep = axis,
            MotionCommand::TURN_RIGHT | MotionCommand::TURN_LEFT => self.turn = axis,
            // Running is walking with the hold key down.
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

    /// Removes a motion.
    ///
    /// Either sidestep ends the sideways axis, and either turn ends the turning axis. A forward
    /// motion or a stance ends only if it is the present one.
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

    /// Ends every axis. Stance, actions, hold keys, and the speeds of sidestep and turn stay.
    pub const fn stand(&mut self) {
        (self.forward.command, self.forward.speed) = (MotionCommand::READY, 1.0);
        self.sidestep.command = NONE;
        self.turn.command = NONE;
    }
}
