//! Applies whole states, which hold a stance and all axes.
//!
//! They come from keys, from movement messages, or from the body itself after a landing, a take-off
//! or a new hold key. Every state ends up in `apply_interpreted`, which begins its motions one by
//! one.

use evenstride_types::update::{CommandTable, HoldKey, MotionCommand, MoveToFlags, RawState};

use crate::{
    journal::{Call, Journal},
    motion::{
        interpreted_motion::{InterpretedMotion, MotionAxis, NONE, valid_speed},
        interpreter::{Answer, MotionDriver, jumping::allows_jump},
        movement_params::MovementParams,
        raw_motion::RawMotionAxis,
    },
};

impl<J: Journal> MotionDriver<'_, J> {
    /// Sets the common hold key, and applies the current state if that is a change. An invalid key
    /// changes nothing.
    ///
    /// `cancels` is passed on to the motions.
    ///
    /// Retail: `CMotionInterp::SetHoldKey` (11.4186 @ 0x00528BB0)
    pub fn set_hold_key(&mut self, key: HoldKey, cancels: bool) {
        let current = self.interpreter.raw.hold_key;
        let is_change = match key {
            HoldKey::NONE => current == HoldKey::RUN,
            HoldKey::RUN => current != HoldKey::RUN,
            _ => false,
        };
        if is_change {
            self.interpreter.raw.hold_key = key;
            self.apply_current(cancels, false);
        }
    }

    /// Sets the common hold key to run or walk, and applies the current state if that is a change.
    ///
    /// Retail: `CMotionInterp::set_hold_run` (11.4186 @ 0x00528B70)
    pub fn set_hold_run(&mut self, runs: bool, cancels: bool) {
        if runs != (self.interpreter.raw.hold_key == HoldKey::RUN) {
            self.interpreter.raw.hold_key = if runs { HoldKey::RUN } else { HoldKey::NONE };
            self.apply_current(cancels, false);
        }
    }

    /// Replaces the raw motion with the state of all keys, and applies it.
    ///
    /// New stances, refused motions, replays and regained control use this.
    pub fn set_keys(&mut self, keys: &RawState) {
        self.interpreter.raw.copy_movement_from(keys);
        self.apply_current(true, false);
    }

    /// Applies the current state again, because something about the body has changed.
    ///
    /// Landing, take-off and hold keys lead here. The motion of a local player that moves itself is
    /// derived from its raw motion. Any other body uses its interpreted motion. `is_jump_forbidden`
    /// forbids jumps until the motions are done.
    ///
    /// Retail: `CMotionInterp::apply_current_movement` (11.4186 @ 0x00528870)
    pub fn apply_current(&mut self, cancels: bool, is_jump_forbidden: bool) {
        if !self.interpreter.is_ready {
            return;
        }
        let is_own = self.facts.game.is_none_or(|game| game.is_player);
        if is_own && self.facts.last_was_autonomous {
            self.apply_raw(cancels, is_jump_forbidden);
        } else {
            self.apply_interpreted(cancels, is_jump_forbidden);
        }
    }

    /// Derives the interpreted motion from the raw motion, and applies it. Run rate and speed
    /// factor stay.
    ///
    /// Retail: `CMotionInterp::apply_raw_movement` (11.4186 @ 0x005287E0)
    fn apply_raw(&mut self, cancels: bool, is_jump_forbidden: bool) {
        let raw = self.interpreter.raw;
        let canonical = |axis: RawMotionAxis| {
            let (command, speed) = self.adjust(axis.command, axis.speed, axis.hold_key);
            MotionAxis::new(command, speed)
        };
        let (forward, sidestep, turn) =
            (canonical(raw.forward), canonical(raw.sidestep), canonical(raw.turn));
        *self.motion = InterpretedMotion { style: raw.style, forward, sidestep, turn, ..*self.motion };
        self.apply_interpreted(cancels, is_jump_forbidden);
    }

    /// Applies the interpreted motion. Refused motions are skipped.
    ///
    /// The order is stance, forward, sidestep, turn. A body in the air falls instead of going
    /// forward, and its sidestep is left alone. Running also sets the run rate, which determines
    /// the speeds of later motions.
    ///
    /// Retail: `CMotionInterp::apply_interpreted_movement` (11.4186 @ 0x00528600)
    fn apply_interpreted(&mut self, cancels: bool, is_jump_forbidden: bool) {
        let params = MovementParams::OF_CURRENT_STATE
            .with(MoveToFlags::CANCEL_MOVE_TO, cancels)
            .with(MoveToFlags::DISABLE_JUMP_DURING_LINK, is_jump_forbidden);
        let InterpretedMotion { style, forward, sidestep, turn, .. } = *self.motion;
        if forward.command == MotionCommand::RUN_FORWARD {
            self.motion.run_rate = forward.speed;
        }
        let _ = self.begin(style, &params);
        if !self.contact_allows(forward.command) {
            let _ = self.begin(MotionCommand::FALLING, &params);
        } else if self.interpreter.standing_long_jump {
            let _ = self.begin(MotionCommand::READY, &params);
            let _ = self.end(MotionCommand::SIDESTEP_RIGHT, &params);
        } else {
            let _ = self.begin(forward.command, &params.at(forward.speed));
            if sidestep.command == NONE {
                let _ = self.end(MotionCommand::SIDESTEP_RIGHT, &params);
            } else {
                let _ = self.begin(sidestep.command, &params.at(sidestep.speed));
            }
        }
        if turn.command == NONE {
            let _ = self.end_playing(MotionCommand::TURN_RIGHT, params.context);
            self.skip_links_nowhere();
        } else {
            let _ = self.begin(turn.command, &params.at(turn.speed));
        }
    }

    /// Changes the stance to the one at the beginning of a movement message. Returns `None` if the
    /// body already has it.
    ///
    /// Retail: `MovementManager::unpack_movement` (11.4186 @ 0x00524440)
    pub fn on_style(&mut self, style: MotionCommand) -> Option<Answer> {
        (style != self.motion.style).then(|| self.do_motion(style, &MovementParams::DEFAULT))
    }

    /// Applies the state of a movement message, and then begins its new actions.
    ///
    /// The old forward motion decides whether jumps are forbidden until the new motions are done.
    /// The local player ignores its own actions when the server repeats them. Ignored actions leave
    /// the action stamp alone.
    ///
    /// Retail: `CMotionInterp::move_to_interpreted_state` (11.4186 @ 0x005289C0)
    pub fn on_state(&mut self, state: &InterpretedMotion, actions: impl Iterator<Item = ServerAction>) {
        self.interpreter.raw.style = state.style;
        self.journal.call(Call::CancelMoveTo);
        let is_jump_forbidden = !allows_jump(self.motion.forward.command);
        self.motion.copy_movement_from(state);
        self.apply_current(true, is_jump_forbidden);
        let is_remote = self.facts.game.is_some_and(|game| !game.is_player);
        for action in actions {
            let is_wanted = is_remote || !action.is_autonomous;
            if !is_wanted || !is_newer_action(action.stamp, self.interpreter.action_stamp) {
                continue;
            }
            self.interpreter.action_stamp = action.stamp;
            let params =
                MovementParams::DEFAULT.at(action.speed).with(MoveToFlags::AUTONOMOUS, action.is_autonomous);
            let _ = self.begin(action.motion, &params);
        }
    }
}

/// An action in a movement message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServerAction {
    /// The action, by its full command.
    pub motion: MotionCommand,
    /// Speed factor. An invalid one was replaced by 1.
    pub speed: f32,
    /// Stamp that orders actions, of which 15 bits count.
    pub stamp: u16,
    /// Whether the body's own player requested the action.
    pub is_autonomous: bool,
}

impl ServerAction {
    /// Converts an action of a message. Returns `None` for an index that is missing from the table.
    /// An invalid speed becomes 1.
    pub fn from_message(action: &evenstride_types::update::ActionItem, table: CommandTable) -> Option<Self> {
        Some(Self {
            motion: MotionCommand::from_index(action.command, table)?,
            speed: valid_speed(action.speed),
            stamp: action.stamp,
            is_autonomous: action.autonomous,
        })
    }
}

/// Returns whether an action is newer than the last one done. Stamps have fifteen bits and wrap.
fn is_newer_action(stamp: u16, seen: u16) -> bool {
    let (stamp, seen) = (stamp & 0x7FFF, seen & 0x7FFF);
    if stamp.abs_diff(seen) <= 0x3FFF { seen < stamp } else { stamp < seen }
}

#[cfg(test)]
mod tests {
    use super::is_newer_action;

    #[test]
    fn action_stamps_have_fifteen_bits_and_wrap() {
        assert!(is_newer_action(1, 0x7FFE));
        assert!(!is_newer_action(5, 5));
        assert!(!is_newer_action(0x4000, 0));
        assert!(is_newer_action(0x3FFF, 0));
    }
}
