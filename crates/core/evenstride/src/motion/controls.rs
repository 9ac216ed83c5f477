//! The keys of the local player, and how they reach the motion interpreter.
//!
//! A host sets an [`Input`]. It becomes a raw state, which is also sent to the server. The
//! interpreter derives the interpreted motion from the raw state.

use evenstride_types::update::{HoldKey, MotionCommand, MoveToFlags, RawAxis, RawState};

use crate::{
    journal::Journal,
    motion::{interpreter::MotionDriver, movement_params::MovementParams},
};

/// The keys that are down.
///
/// ```
/// use evenstride::player::{Ahead, Input};
/// let running = Input { ahead: Some(Ahead::Forward), run: true, ..Input::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "RawMotionState")]
pub struct Input {
    /// Forward or back (default: neither).
    pub ahead: Option<Ahead>,
    /// Direction of a sidestep (default: none).
    pub aside: Option<Side>,
    /// Direction of a turn, on the spot or while moving (default: none).
    pub turn: Option<Side>,
    /// Whether the run key is down (default: `false`, which walks). It affects all three axes.
    pub run: bool,
    /// Stance (default: non-combat). A new stance applies all keys again.
    pub style: MotionCommand,
}

/// Forward or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// Along the player's heading.
    Forward,
    /// Against the player's heading, slower by [`BACKWARDS_FACTOR`](crate::limits::BACKWARDS_FACTOR).
    Back,
}

/// Left or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// To the player's left, or counter-clockwise from above.
    Left,
    /// To the player's right, or clockwise from above.
    Right,
}

impl Default for Input {
    fn default() -> Self {
        Self { ahead: None, aside: None, turn: None, run: false, style: MotionCommand::NON_COMBAT }
    }
}

impl Input {
    /// Returns whether a movement key is down that was not down in `had`.
    ///
    /// Run key and stance do not count. Such a press takes control of the player back from the
    /// server.
    pub(crate) fn presses_more_than(&self, had: &Self) -> bool {
        (self.ahead.is_some() && self.ahead != had.ahead)
            || (self.aside.is_some() && self.aside != had.aside)
            || (self.turn.is_some() && self.turn != had.turn)
    }

    /// Converts the keys to the state that is sent to the server. Fields with their default value
    /// are left out, as the client does.
    ///
    /// Running is not a command of its own. It is walking with the hold key set.
    pub fn raw(&self) -> RawState {
        let axis = |command| RawAxis { command, ..RawAxis::default() };
        RawState {
            hold_key: self.run.then_some(HoldKey::RUN),
            style: (self.style != MotionCommand::NON_COMBAT).then_some(self.style),
            forward: axis(self.ahead.map(|ahead| match ahead {
                Ahead::Forward => MotionCommand::WALK_FORWARD,
                Ahead::Back => MotionCommand::WALK_BACKWARDS,
            })),
            sidestep: axis(self.aside.map(|side| match side {
                Side::Left => MotionCommand::SIDESTEP_LEFT,
                Side::Right => MotionCommand::SIDESTEP_RIGHT,
            })),
            turn: axis(self.turn.map(|side| match side {
                Side::Left => MotionCommand::TURN_LEFT,
                Side::Right => MotionCommand::TURN_RIGHT,
            })),
            ..RawState::default()
        }
    }
}

impl<J: Journal> MotionDriver<'_, J> {
    /// Applies a change of keys. Each key that goes down begins a motion, and each key that goes up
    /// ends one.
    ///
    /// The run key comes first, then forward, sidestep and turn. Motions that take no time are
    /// completed after each key. A new stance starts from standing, so all keys are applied again
    /// from scratch.
    pub(crate) fn change_keys(&mut self, had: &Input, keys: &Input) {
        let raw = keys.raw();
        if keys.style != had.style {
            return self.set_keys(&raw);
        }
        self.set_hold_run(keys.run, true);
        let params = MovementParams::DEFAULT.with(MoveToFlags::AUTONOMOUS, true);
        let had = had.raw();
        let mut is_refused = false;
        for (had, key) in [(had.forward, raw.forward), (had.sidestep, raw.sidestep), (had.turn, raw.turn)] {
            let answer = match (had.command, key.command) {
                (had, key) if had == key => continue,
                (_, Some(key)) => self.do_motion(key, &params),
                (Some(had), None) => self.stop_motion(had, &params),
                (None, None) => continue,
            };
            self.check_done();
            is_refused |= answer.is_err();
        }
        // The table has no such motion. The raw state is sent to the server, so it must still match
        // the keys.
        if is_refused {
            self.set_keys(&raw);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNNING: Input = Input {
        ahead: Some(Ahead::Forward),
        aside: None,
        turn: None,
        run: true,
        style: MotionCommand::NON_COMBAT,
    };

    #[test]
    fn keys_are_sent_as_the_recorded_client_sent_them() {
        // With the run key down, hold key 2 and forward 0x45000005 are sent, and nothing else.
        let raw = RUNNING.raw();
        assert_eq!((raw.hold_key, raw.forward.command), (Some(HoldKey(2)), Some(MotionCommand(0x4500_0005))));
        assert_eq!((raw.style, raw.sidestep, raw.turn), (None, RawAxis::default(), RawAxis::default()));
        let turning = Input { turn: Some(Side::Left), ahead: None, ..RUNNING }.raw();
        assert_eq!(turning.turn.command, Some(MotionCommand(0x6500_000E)));
        assert_eq!(turning.forward, RawAxis::default());
    }
}
