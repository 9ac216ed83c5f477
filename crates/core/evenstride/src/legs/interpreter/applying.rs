//! Everything that is asked for or meant, done at once.

use evenstride_types::update::{HoldKey, MotionCommand};

use super::{Legs, jumping::allows_jump};
use crate::legs::states::{AskedAxis, Meant, NONE, Params};

impl Legs<'_> {
    /// Retail: `CMotionInterp::SetHoldKey` (11.4186 @ 0x00528BB0)
    pub(crate) fn set_hold_key(&mut self, key: HoldKey, cancels: bool) {
        let current = self.interpreter.asked.hold_key;
        let is_change = match key {
            HoldKey::NONE => current == HoldKey::RUN,
            HoldKey::RUN => current != HoldKey::RUN,
            _ => false,
        };
        if is_change {
            self.interpreter.asked.hold_key = key;
            self.reapply(cancels, false);
        }
    }

    /// Retail: `CMotionInterp::set_hold_run` (11.4186 @ 0x00528B70)
    pub(crate) fn set_hold_run(&mut self, runs: bool, cancels: bool) {
        if runs != (self.interpreter.asked.hold_key == HoldKey::RUN) {
            self.interpreter.asked.hold_key = if runs { HoldKey::RUN } else { HoldKey::NONE };
            self.reapply(cancels, false);
        }
    }

    /// Does again what is asked for or meant: something about the body has changed.
    ///
    /// Retail: `CMotionInterp::apply_current_movement` (11.4186 @ 0x00528870)
    pub(crate) fn reapply(&mut self, cancels: bool, is_jump_forbidden: bool) {
        if !self.interpreter.is_ready {
            return;
        }
        let is_own = self.being.game.is_none_or(|game| game.is_player);
        if is_own && self.being.last_was_autonomous {
            self.interpret();
        }
        self.apply(cancels, is_jump_forbidden);
    }

    /// Retail: `CMotionInterp::apply_raw_movement` (11.4186 @ 0x005287E0)
    fn interpret(&mut self) {
        let asked = self.interpreter.asked;
        let meant = |axis: AskedAxis| self.adjust(axis.command, axis.speed, axis.hold_key);
        let (forward, sidestep, turn) = (meant(asked.forward), meant(asked.sidestep), meant(asked.turn));
        let actions = self.interpreter.meant.actions;
        self.interpreter.meant = Meant { style: asked.style, forward, sidestep, turn, actions };
    }

    /// Retail: `CMotionInterp::apply_interpreted_movement` (11.4186 @ 0x00528600)
    fn apply(&mut self, cancels: bool, is_jump_forbidden: bool) {
        let bits = 0x1_260F
            | if cancels { Params::CANCEL_MOVE_TO } else { 0 }
            | if is_jump_forbidden { Params::NO_JUMP_DURING_LINK } else { 0 };
        let params = Params { bits, ..Params::default() };
        let meant = self.interpreter.meant;
        if meant.forward.0 == MotionCommand::RUN_FORWARD {
            self.interpreter.run_rate = meant.forward.1;
        }
        // Whatever cannot be done is left undone.
        let _ = self.begin(meant.style, &params);
        if self.contact_allows(self.interpreter.meant.forward.0) {
            if self.interpreter.standing_long_jump {
                let _ = self.begin(MotionCommand::READY, &params);
                let _ = self.end(MotionCommand::SIDESTEP_RIGHT, &params);
            } else {
                let (forward, speed) = self.interpreter.meant.forward;
                let _ = self.begin(forward, &params.at(speed));
                match self.interpreter.meant.sidestep {
                    (NONE, _) => {
                        let _ = self.end(MotionCommand::SIDESTEP_RIGHT, &params);
                    }
                    (sidestep, speed) => {
                        let _ = self.begin(sidestep, &params.at(speed));
                    }
                }
            }
        } else {
            let _ = self.begin(MotionCommand::FALLING, &params);
        }
        match self.interpreter.meant.turn {
            (NONE, _) => {
                let _ = self.end_playing(MotionCommand::TURN_RIGHT, params.context);
                self.skip_links_nowhere();
            }
            (turn, speed) => {
                let _ = self.begin(turn, &params.at(speed));
            }
        }
    }

    /// What the server says that it does.
    ///
    /// Retail: `CMotionInterp::move_to_interpreted_state` (11.4186 @ 0x005289C0)
    pub(crate) fn obey(&mut self, meant: &Meant, actions: impl Iterator<Item = ServerAction>) {
        self.interpreter.asked.style = meant.style;
        self.being.cancels += 1;
        let is_jump_forbidden = !allows_jump(self.interpreter.meant.forward.0);
        self.interpreter.meant = Meant { actions: self.interpreter.meant.actions, ..*meant };
        self.reapply(true, is_jump_forbidden);
        let is_remote = self.being.game.is_some_and(|game| !game.is_player);
        for action in actions {
            let is_wanted = is_remote || !action.is_autonomous;
            if !is_wanted || !is_newer_action(action.stamp, self.interpreter.action_stamp) {
                continue;
            }
            self.interpreter.action_stamp = action.stamp;
            let autonomous = if action.is_autonomous { Params::AUTONOMOUS } else { 0 };
            let params = Params { speed: action.speed, ..Params::default() };
            let params = Params { bits: params.bits & !Params::AUTONOMOUS | autonomous, ..params };
            let _ = self.begin(action.motion, &params);
        }
    }
}

/// An action that the server tells of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ServerAction {
    pub(crate) motion: MotionCommand,
    pub(crate) speed: f32,
    pub(crate) stamp: u16,
    pub(crate) is_autonomous: bool,
}

/// Whether an action was not done before: stamps have fifteen bits, and wrap.
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
