//! Keys, and what they ask of the motion interpreter.

use evenstride_types::update::{HoldKey, MotionCommand, MoveToFlags, RawAxis, RawState};

use crate::{
    journal::Journal,
    motion::{interpreter::MotionDriver, movement_params::MovementParams},
};

/// The keys that are down.
///
/// ```
/// use evenstride::{Ahead, Input};
/// let running = Input { ahead: Some(Ahead::Forward), run: true, ..Input::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "RawMotionState")]
pub struct Input {
    /// Forward or back.
    pub ahead: Option<Ahead>,
    /// A step aside.
    pub aside: Option<Side>,
    /// A turn.
    pub turn: Option<Side>,
    /// Running instead of walking.
    pub run: bool,
    /// Stance.
    pub style: MotionCommand,
}

/// Forward or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// Where the player faces.
    Forward,
    /// The other way.
    Back,
}

/// Left or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
}

impl Default for Input {
    fn default() -> Self {
        Self { ahead: None, aside: None, turn: None, run: false, style: MotionCommand::NON_COMBAT }
    }
}

impl Input {
    /// Whether a key that moves is down that was not.
    pub(crate) fn presses_more_than(&self, had: &Self) -> bool {
        (self.ahead.is_some() && self.ahead != had.ahead)
            || (self.aside.is_some() && self.aside != had.aside)
            || (self.turn.is_some() && self.turn != had.turn)
    }

    /// The keys as they are sent: what has its default is left out.
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
    /// Does what changed keys ask for: each key that goes down begins a motion, each key that goes up ends one.
    ///
    /// Another stance begins with standing, so the keys that are still down are asked for again.
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
        // The table has no such motion. The raw state is what is sent, so it must be that of the keys all the same.
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
        // Run key down: hold key 2, forward 0x45000005, nothing else.
        let raw = RUNNING.raw();
        assert_eq!((raw.hold_key, raw.forward.command), (Some(HoldKey(2)), Some(MotionCommand(0x4500_0005))));
        assert_eq!((raw.style, raw.sidestep, raw.turn), (None, RawAxis::default(), RawAxis::default()));
        let turning = Input { turn: Some(Side::Left), ahead: None, ..RUNNING }.raw();
        assert_eq!(turning.turn.command, Some(MotionCommand(0x6500_000E)));
        assert_eq!(turning.forward, RawAxis::default());
    }
}
