//! The two small states of an interpreter: what was asked for, and what that comes to.

use evenstride_types::update::{HoldKey, MotionCommand};

use super::list::{Item, List};
use crate::pool::Pool;

/// What was asked for, by keys or by the server: every direction as it was named.
///
/// Retail: `RawMotionState::RawMotionState` (11.4186 @ 0x0051E7F0)
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "RawMotionState")]
pub(crate) struct Asked {
    pub(crate) hold_key: HoldKey,
    pub(crate) style: MotionCommand,
    pub(crate) forward: AskedAxis,
    pub(crate) sidestep: AskedAxis,
    pub(crate) turn: AskedAxis,
    pub(crate) actions: List,
}

/// One direction, as asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AskedAxis {
    pub(crate) command: MotionCommand,
    pub(crate) hold_key: HoldKey,
    pub(crate) speed: f32,
}

/// What it comes to: only forward, to the right and turning right, with signed speeds.
///
/// Retail: `InterpretedMotionState::InterpretedMotionState` (11.4186 @ 0x0051E8D0)
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "InterpretedMotionState")]
pub(crate) struct Meant {
    pub(crate) style: MotionCommand,
    pub(crate) forward: (MotionCommand, f32),
    pub(crate) sidestep: (MotionCommand, f32),
    pub(crate) turn: (MotionCommand, f32),
    pub(crate) actions: List,
}

/// No command at all.
pub(crate) const NONE: MotionCommand = MotionCommand(0);

/// Walk or run, not said.
const UNSAID: HoldKey = HoldKey::INVALID;

impl Default for Asked {
    fn default() -> Self {
        let axis = |command| AskedAxis { command, hold_key: UNSAID, speed: 1.0 };
        Self {
            hold_key: HoldKey::NONE,
            style: MotionCommand::NON_COMBAT,
            forward: axis(MotionCommand::READY),
            sidestep: axis(NONE),
            turn: axis(NONE),
            actions: List::default(),
        }
    }
}

impl Default for Meant {
    fn default() -> Self {
        Self {
            style: MotionCommand::NON_COMBAT,
            forward: (MotionCommand::READY, 1.0),
            sidestep: (NONE, 1.0),
            turn: (NONE, 1.0),
            actions: List::default(),
        }
    }
}

impl Asked {
    /// Retail: `RawMotionState::ApplyMotion` (11.4186 @ 0x0051EB60)
    pub(crate) fn apply(&mut self, items: &mut Pool<Item>, motion: MotionCommand, params: &Params) {
        let hold_key = if params.sets_hold_key() { UNSAID } else { params.hold_key };
        let axis = AskedAxis { command: motion, hold_key, speed: params.speed };
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
            _ if motion.is_action() => {
                let item = Item::new(motion, params.speed, params.stamp, u32::from(params.is_autonomous()));
                push_action(&mut self.actions, items, item);
            }
            _ => {}
        }
    }

    /// Retail: `RawMotionState::RemoveMotion` (11.4186 @ 0x0051E6E0)
    pub(crate) fn remove(&mut self, motion: MotionCommand) {
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

    /// Stands; stance, other speeds and actions stay.
    pub(crate) fn stand(&mut self) {
        (self.forward.command, self.forward.speed) = (MotionCommand::READY, 1.0);
        self.sidestep.command = NONE;
        self.turn.command = NONE;
    }
}

impl Meant {
    /// Retail: `InterpretedMotionState::ApplyMotion` (11.4186 @ 0x0051EA40)
    pub(crate) fn apply(&mut self, items: &mut Pool<Item>, motion: MotionCommand, params: &Params) {
        match motion {
            MotionCommand::TURN_RIGHT => self.turn = (motion, params.speed),
            MotionCommand::SIDESTEP_RIGHT => self.sidestep = (motion, params.speed),
            _ if motion.is_cycle() => self.forward = (motion, params.speed),
            _ if motion.is_style() => {
                self.forward.0 = MotionCommand::READY;
                self.style = motion;
            }
            _ if motion.is_action() => {
                let item = Item::new(motion, params.speed, params.stamp, u32::from(params.is_autonomous()));
                push_action(&mut self.actions, items, item);
            }
            _ => {}
        }
    }

    /// Retail: `InterpretedMotionState::RemoveMotion` (11.4186 @ 0x0051E790)
    pub(crate) fn remove(&mut self, motion: MotionCommand) {
        match motion {
            MotionCommand::TURN_RIGHT => self.turn.0 = NONE,
            MotionCommand::SIDESTEP_RIGHT => self.sidestep.0 = NONE,
            _ if motion.is_cycle() && motion == self.forward.0 => self.forward = (MotionCommand::READY, 1.0),
            _ if motion.is_style() && motion == self.style => self.style = MotionCommand::NON_COMBAT,
            _ => {}
        }
    }

    pub(crate) fn stand(&mut self) {
        self.forward = (MotionCommand::READY, 1.0);
        self.sidestep.0 = NONE;
        self.turn.0 = NONE;
    }
}

/// Most actions that wait in a state. A safety bound.
const MAX_ACTIONS: u32 = 64;

fn push_action(actions: &mut List, items: &mut Pool<Item>, item: Item) {
    if actions.len() >= MAX_ACTIONS {
        let _ = actions.pop_front(items);
    }
    actions.push_back(items, item);
}

/// How a motion is to be done.
///
/// Retail: `MovementParameters::MovementParameters` (11.4186 @ 0x00524380)
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "MovementParameters")]
pub(crate) struct Params {
    pub(crate) bits: u32,
    pub(crate) speed: f32,
    pub(crate) hold_key: HoldKey,
    pub(crate) context: u32,
    pub(crate) stamp: u32,
}

impl Params {
    pub(crate) const SET_HOLD_KEY: u32 = 0x800;
    pub(crate) const AUTONOMOUS: u32 = 0x1000;
    pub(crate) const MODIFY_ASKED: u32 = 0x2000;
    pub(crate) const MODIFY_MEANT: u32 = 0x4000;
    pub(crate) const CANCEL_MOVE_TO: u32 = 0x8000;
    pub(crate) const NO_JUMP_DURING_LINK: u32 = 0x2_0000;

    pub(crate) const fn sets_hold_key(&self) -> bool {
        self.bits & Self::SET_HOLD_KEY != 0
    }

    pub(crate) const fn is_autonomous(&self) -> bool {
        self.bits & Self::AUTONOMOUS != 0
    }

    pub(crate) const fn has(&self, bit: u32) -> bool {
        self.bits & bit != 0
    }

    pub(crate) const fn at(self, speed: f32) -> Self {
        Self { speed, ..self }
    }
}

impl Default for Params {
    fn default() -> Self {
        Self { bits: 0x1_EE0F, speed: 1.0, hold_key: UNSAID, context: 0, stamp: 0 }
    }
}
