//! Animations that end, and the motions that are done with them.

use evenstride_types::update::MotionCommand;

use crate::{
    journal::{Call, Journal},
    motion::{
        interpreter::{Effects, Interpreter, MotionDriver, PartSupport},
        items::Item,
    },
    storage::pool::Pool,
};

impl<J: Journal> MotionDriver<'_, J> {
    /// Counts an animation that has ended.
    pub fn animation_ended(&mut self, success: bool) {
        let Self { interpreter, playing, effects, items, journal, .. } = self;
        playing.animation_ended(items, &mut |items, motion| {
            interpreter.motion_done(items, effects, motion, success, *journal);
        });
    }

    /// Retail: `MotionTableManager::CheckForCompletedMotions` (11.4186 @ 0x0051BE00)
    pub fn check_done(&mut self) {
        let Self { interpreter, playing, effects, items, journal, .. } = self;
        playing.check_done(items, &mut |items, motion| {
            interpreter.motion_done(items, effects, motion, true, *journal);
        });
    }

    /// Skips everything that only leads to the current cycle.
    pub fn skip_links(&mut self) {
        if self.facts.parts != PartSupport::Moved {
            return;
        }
        let Self { interpreter, playing, effects, nodes, items, journal, .. } = self;
        playing.skip_to_cycle(nodes, items, &mut |items, motion| {
            interpreter.motion_done(items, effects, motion, false, *journal);
        });
    }

    /// Completes every pending motion, because the body leaves the world.
    ///
    /// Retail: `CMotionInterp::HandleExitWorld` (11.4186 @ 0x00527F30)
    pub fn exit_world(&mut self) {
        if self.facts.parts == PartSupport::Moved {
            let Self { interpreter, playing, effects, items, journal, .. } = self;
            playing.abandon(items, &mut |items, motion| {
                interpreter.motion_done(items, effects, motion, false, *journal);
            });
        }
        while !self.interpreter.pending.is_empty() {
            self.interpreter.pop_pending(self.items, &mut self.effects);
        }
    }

    /// A body that is nowhere needs no transitions.
    pub(super) fn skip_links_nowhere(&mut self) {
        if !self.facts.has_cell {
            self.skip_links();
        }
    }
}

impl Interpreter {
    /// Completes the oldest pending motion, whichever motion was done.
    ///
    /// Retail: `CMotionInterp::MotionDone` (11.4186 @ 0x00527EC0)
    fn motion_done(
        &mut self,
        items: &mut Pool<Item>,
        effects: &mut Effects,
        motion: MotionCommand,
        success: bool,
        journal: &mut impl Journal,
    ) {
        journal.call(Call::MotionDone { motion, success });
        self.pop_pending(items, effects);
    }

    fn pop_pending(&mut self, items: &mut Pool<Item>, effects: &mut Effects) {
        let Some(head) = self.pending.pop_front(items) else { return };
        if head.motion.is_action() {
            effects.unsticks += 1;
            let _ = self.raw.actions.pop_front(items);
            let _ = self.actions.pop_front(items);
        }
    }
}
