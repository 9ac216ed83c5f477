//! The end of animations, and of the motions that waited for them.
//!
//! Two queues run in parallel. The player counts animations for its own pending motions. Each
//! completed motion then removes the oldest entry of the interpreter's queue, whichever motion that
//! is.

use evenstride_types::update::MotionCommand;

use crate::{
    journal::{Call, Happening, Journal},
    motion::{
        interpreter::{Effects, Interpreter, MotionDriver, PartSupport},
        items::Item,
    },
    storage::pool::Pool,
};

impl<J: Journal> MotionDriver<'_, J> {
    /// Counts an animation that has ended. `success` is only passed on to the journal.
    pub fn animation_ended(&mut self, success: bool) {
        let Self { interpreter, playing, effects, items, journal, .. } = self;
        playing.animation_ended(items, &mut |items, motion| {
            interpreter.motion_done(items, effects, motion, success, *journal);
        });
    }

    /// Completes motions that wait for no animation.
    ///
    /// Retail: `MotionTableManager::CheckForCompletedMotions` (11.4186 @ 0x0051BE00)
    pub fn check_done(&mut self) {
        let Self { interpreter, playing, effects, items, journal, .. } = self;
        playing.check_done(items, &mut |items, motion| {
            interpreter.motion_done(items, effects, motion, true, *journal);
        });
    }

    /// Skips the links that lead to the current cycle, and completes all pending motions of the
    /// player.
    ///
    /// A body without animations has nothing to skip.
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
    /// Entries that have no counterpart in the player's queue are removed as well.
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

    /// Skips links if the body is outside the world, where no transition is seen.
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
        if motion.is_action() {
            journal.note(Happening::ActionDone { action: motion, is_complete: success });
        }
        self.pop_pending(items, effects);
    }

    /// Removes the oldest pending motion. A completed action ends a follow, and leaves both lists
    /// of actions.
    fn pop_pending(&mut self, items: &mut Pool<Item>, effects: &mut Effects) {
        let Some(head) = self.pending.pop_front(items) else { return };
        if head.motion.is_action() {
            effects.unsticks += 1;
            let _ = self.raw.actions.pop_front(items);
            let _ = self.actions.pop_front(items);
        }
    }
}
