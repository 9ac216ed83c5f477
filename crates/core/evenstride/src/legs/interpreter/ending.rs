//! Animations that end, and the motions that are done with them.

use evenstride_types::update::MotionCommand;

use super::{Being, Interpreter, Legs, Parts};
use crate::{legs::list::Item, pool::Pool};

impl Legs<'_> {
    /// An animation has ended.
    pub(crate) fn animation_ended(&mut self, success: bool) {
        let (interpreter, being) = (&mut *self.interpreter, &mut *self.being);
        self.playing.animation_ended(self.items, &mut |items, motion| {
            interpreter.motion_done(items, being, motion, success);
        });
    }

    /// Retail: `MotionTableManager::CheckForCompletedMotions` (11.4186 @ 0x0051BE00)
    pub(crate) fn check_done(&mut self) {
        let (interpreter, being) = (&mut *self.interpreter, &mut *self.being);
        self.playing.check_done(self.items, &mut |items, motion| {
            interpreter.motion_done(items, being, motion, true);
        });
    }

    /// Skips everything that only leads to the motion that goes round.
    pub(crate) fn skip_links(&mut self) {
        if self.being.parts != Parts::Moved {
            return;
        }
        let (interpreter, being) = (&mut *self.interpreter, &mut *self.being);
        self.playing.skip_to_cycle(self.nodes, self.items, &mut |items, motion| {
            interpreter.motion_done(items, being, motion, false);
        });
    }

    /// The body leaves the world: nobody waits any longer.
    pub(crate) fn exit_world(&mut self) {
        if self.being.parts == Parts::Moved {
            let (interpreter, being) = (&mut *self.interpreter, &mut *self.being);
            self.playing.abandon(self.items, &mut |items, motion| {
                interpreter.motion_done(items, being, motion, false);
            });
        }
        while !self.interpreter.waiting.is_empty() {
            self.interpreter.pop_waiting(self.items, self.being);
        }
    }

    /// What nobody sees needs no transitions.
    pub(super) fn skip_links_nowhere(&mut self) {
        if !self.being.has_cell {
            self.skip_links();
        }
    }
}

impl Interpreter {
    /// A motion is done, whichever it was: the oldest one that waits.
    ///
    /// Retail: `CMotionInterp::MotionDone` (11.4186 @ 0x00527EC0)
    fn motion_done(
        &mut self,
        items: &mut Pool<Item>,
        being: &mut Being,
        motion: MotionCommand,
        success: bool,
    ) {
        if let Some(done) = &mut being.done {
            done.push((motion, success));
        }
        self.pop_waiting(items, being);
    }

    fn pop_waiting(&mut self, items: &mut Pool<Item>, being: &mut Being) {
        let Some(head) = self.waiting.pop_front(items) else { return };
        if head.motion.is_action() {
            being.unsticks += 1;
            let _ = self.asked.actions.pop_front(items);
            let _ = self.meant.actions.pop_front(items);
        }
    }
}
