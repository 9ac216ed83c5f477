//! The interpreted motion of a body, which is its present motion in canonical form.
//!
//! It consists of a stance, one command and speed for each axis, and a run rate. The motion
//! interpreter (`interpreter/`) writes it. Speeds, animations, the route and the views of hosts
//! read it. Actions that wait are not part of it, because every body has this state but few have
//! actions.

use evenstride_types::{
    EPSILON,
    update::{CommandTable, InterpretedState, MotionCommand},
};

use crate::{
    motion::{items::Item, movement_params::MovementParams},
    outcome::{SPEED_LIMIT, SpeedError},
    storage::{list::List, pool::Pool},
};

/// The command of an axis that is not in use.
pub const NONE: MotionCommand = MotionCommand(0);

/// The present motion of a body. Every body has exactly one.
///
/// Keys, messages, move-to and the generic API change it through the motion interpreter. Directions
/// are canonical. Commands are only forward, right and turn right, and a negative speed means the
/// opposite direction.
///
/// Retail: `InterpretedMotionState::InterpretedMotionState` (11.4186 @ 0x0051E8D0)
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "InterpretedMotionState")]
pub struct InterpretedMotion {
    /// Stance (default: non-combat). It selects the set of animations in the motion table.
    pub style: MotionCommand,
    /// Forward axis (default: ready). It also holds postures such as sitting, falling or dead.
    pub forward: MotionAxis,
    /// Sideways axis (default: command 0, which is none).
    pub sidestep: MotionAxis,
    /// Turning axis (default: command 0, which is none).
    pub turn: MotionAxis,
    /// Run rate, as a multiple of the slowest runner's speed (default: 1).
    ///
    /// Running sets it to the speed factor of the run. A move-to message (type 6 or 7) sets it too.
    /// The local player's skill replaces it.
    ///
    /// Retail: `CMotionInterp::my_run_rate`, written by `CMotionInterp::apply_interpreted_movement` (11.4186 @ 0x00528600)
    pub run_rate: f32,
    /// Divisor of the running speed (default: 1). The client never writes it.
    pub speed_factor: f32,
}

/// One axis of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionAxis {
    /// The motion, in its canonical direction. Command 0 means that the axis is not in use.
    pub command: MotionCommand,
    /// Speed factor, negative for the opposite direction (default: 1). It lies within `SPEED_LIMIT`
    /// in both directions.
    pub speed: f32,
}

impl MotionAxis {
    /// Creates an axis with a motion and a speed factor, both unchecked.
    pub const fn new(command: MotionCommand, speed: f32) -> Self {
        Self { command, speed }
    }

    /// Returns the motion, or `None` if the axis is not in use.
    pub(crate) fn in_use(self) -> Option<MotionCommand> {
        (self.command != NONE).then_some(self.command)
    }
}

impl InterpretedMotion {
    /// The state of a body that stands in the peace stance, and of every new body.
    pub const STANDING: Self = Self {
        style: MotionCommand::NON_COMBAT,
        forward: MotionAxis::new(MotionCommand::READY, 1.0),
        sidestep: MotionAxis::new(NONE, 1.0),
        turn: MotionAxis::new(NONE, 1.0),
        run_rate: 1.0,
        speed_factor: 1.0,
    };

    /// Converts the state of a movement message.
    ///
    /// Missing fields have their defaults. Indices that are missing from the command table count as
    /// missing fields. Run rate and speed factor are not part of a message and have their defaults
    /// too.
    ///
    /// # Errors
    /// [`SpeedError`] when a speed is not finite or beyond [`SPEED_LIMIT`].
    ///
    /// Retail: `InterpretedMotionState::UnPack` (11.4186 @ 0x0051F400)
    pub(crate) fn from_message(state: &InterpretedState, table: CommandTable) -> Result<Self, SpeedError> {
        let command = |index| MotionCommand::from_index(index, table);
        let speed = |field, speed: Option<f32>| checked_speed(field, speed.unwrap_or(1.0));
        let Self { style, forward, sidestep, turn, .. } = Self::STANDING;
        Ok(Self {
            style: state.style.and_then(command).unwrap_or(style),
            forward: MotionAxis::new(
                state.forward.and_then(command).unwrap_or(forward.command),
                speed("forward_speed", state.forward_speed)?,
            ),
            sidestep: MotionAxis::new(
                state.sidestep.and_then(command).unwrap_or(sidestep.command),
                speed("sidestep_speed", state.sidestep_speed)?,
            ),
            turn: MotionAxis::new(
                state.turn.and_then(command).unwrap_or(turn.command),
                speed("turn_speed", state.turn_speed)?,
            ),
            ..Self::STANDING
        })
    }

    /// Copies stance and axes. Run rate and speed factor stay.
    pub(crate) const fn copy_movement_from(&mut self, other: &Self) {
        (self.style, self.forward, self.sidestep, self.turn) =
            (other.style, other.forward, other.sidestep, other.turn);
    }

    /// Adds a motion to its axis. An action is appended to `actions`.
    ///
    /// A new stance ends the forward motion but leaves the other axes alone. The speed is limited
    /// to [`SPEED_LIMIT`]. Left and backward motions must be converted before, or they end up on
    /// the forward axis, as in the client.
    ///
    /// Retail: `InterpretedMotionState::ApplyMotion` (11.4186 @ 0x0051EA40)
    pub(crate) fn apply(
        &mut self,
        actions: &mut List,
        items: &mut Pool<Item>,
        motion: MotionCommand,
        params: &MovementParams,
    ) {
        let axis = MotionAxis::new(motion, params.speed.clamp(-SPEED_LIMIT, SPEED_LIMIT));
        match motion {
            MotionCommand::TURN_RIGHT => self.turn = axis,
            MotionCommand::SIDESTEP_RIGHT => self.sidestep = axis,
            _ if motion.is_cycle() => self.forward = axis,
            _ if motion.is_style() => {
                self.forward.command = MotionCommand::READY;
                self.style = motion;
            }
            _ if motion.is_action() => push_action(actions, items, params.action(motion)),
            _ => {}
        }
    }

    /// Removes a motion.
    ///
    /// A sidestep or a turn ends regardless of its speed. A forward motion or a stance ends only if
    /// it is the present one.
    ///
    /// Retail: `InterpretedMotionState::RemoveMotion` (11.4186 @ 0x0051E790)
    pub(crate) fn remove(&mut self, motion: MotionCommand) {
        match motion {
            MotionCommand::TURN_RIGHT => self.turn.command = NONE,
            MotionCommand::SIDESTEP_RIGHT => self.sidestep.command = NONE,
            _ if motion.is_cycle() && motion == self.forward.command => self.forward = Self::STANDING.forward,
            _ if motion.is_style() && motion == self.style => self.style = MotionCommand::NON_COMBAT,
            _ => {}
        }
    }

    /// Ends every axis. Stance, run rate, and the speeds of sidestep and turn stay.
    pub(crate) const fn stand(&mut self) {
        self.forward = Self::STANDING.forward;
        self.sidestep.command = NONE;
        self.turn.command = NONE;
    }

    /// Returns whether the body stands in the ready posture, without a step or a turn.
    pub(crate) fn is_still(&self) -> bool {
        self.forward.command == MotionCommand::READY
            && self.sidestep.command == NONE
            && self.turn.command == NONE
    }

    /// Returns whether stance and axes are the defaults, speeds included. Such a body needs no
    /// animator.
    pub(crate) fn is_default(&self) -> bool {
        let Self { run_rate, speed_factor, .. } = *self;
        *self == Self { run_rate, speed_factor, ..Self::STANDING }
    }

    /// Checks every speed. New bodies and restored worlds must pass it.
    ///
    /// # Errors
    /// [`SpeedError`] naming the first invalid field.
    pub fn check(&self) -> Result<(), SpeedError> {
        checked_speed("forward_speed", self.forward.speed)?;
        checked_speed("sidestep_speed", self.sidestep.speed)?;
        checked_speed("turn_speed", self.turn.speed)?;
        checked_speed("run_rate", self.run_rate)?;
        // The running speed is divided by it, so values near zero are invalid.
        if self.speed_factor.abs() < EPSILON {
            return Err(SpeedError { field: "speed_factor", value: self.speed_factor });
        }
        checked_speed("speed_factor", self.speed_factor).map(|_| ())
    }
}

impl Default for InterpretedMotion {
    fn default() -> Self {
        Self::STANDING
    }
}

/// Returns a speed factor if it is finite and within [`SPEED_LIMIT`] in both directions.
///
/// `field` names the value in the error. NaN fails the comparison and is rejected with the rest.
pub(crate) fn checked_speed(field: &'static str, value: f32) -> Result<f32, SpeedError> {
    if value.abs() <= SPEED_LIMIT { Ok(value) } else { Err(SpeedError { field, value }) }
}

/// Returns a speed factor, or 1 in place of an invalid one. It is for values that are not worth
/// rejecting a whole message.
pub(super) fn valid_speed(speed: f32) -> f32 {
    checked_speed("speed", speed).unwrap_or(1.0)
}

/// Largest number of actions that wait in a state. A safety bound, because the client's list has no
/// limit.
const MAX_ACTIONS: u32 = 64;

/// Appends an action. A full list drops its oldest action first.
pub(super) fn push_action(actions: &mut List, items: &mut Pool<Item>, item: Item) {
    if actions.len() >= MAX_ACTIONS {
        let _ = actions.pop_front(items);
    }
    actions.push_back(items, item);
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use evenstride_types::update::CommandIndex;

    use super::*;

    #[test]
    fn invalid_speeds_are_rejected_by_name() {
        for invalid in [f32::NAN, f32::INFINITY, 1e30] {
            let state = InterpretedState {
                forward: Some(CommandIndex(7)),
                forward_speed: Some(invalid),
                ..InterpretedState::default()
            };
            let error = InterpretedMotion::from_message(&state, CommandTable::Final).unwrap_err();
            assert!(error.to_string().starts_with("forward_speed: "), "{error}");
        }
    }
}
