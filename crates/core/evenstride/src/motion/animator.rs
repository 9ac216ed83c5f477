//! The animations of one body, and the pools that all animators share.
//!
//! This file only holds the state. `interpreter/` decides what is played, and `body/animated.rs`
//! plays it in a step.

use core::mem::offset_of;

use evenstride_types::Vec3;

use crate::{
    motion::{
        MotionLibrary, borrowed_legs::BorrowedLegs, interpreter::Interpreter, items::Item,
        playing::MotionPlayer, sequence::Node,
    },
    storage::{memory::MemoryPart, pool::Pool},
};

/// All animators of a world, with the pools of their lists.
#[derive(Clone, Debug, Default)]
pub struct AnimationPools {
    /// One entry for each body that has an animator. The row of the body holds its index.
    pub animators: Pool<Animator>,
    /// Animations of all sequences, which are played now or later.
    pub nodes: Pool<Node>,
    /// Entries of all queues of motions.
    pub items: Pool<Item>,
}

/// The animations of one body, and the state of its interpreter. A body that has only ever stood
/// has no animator.
///
/// An ordinary step needs only the first two lines of the cache, which its fields are ordered for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct Animator {
    /// The animations in progress, and the motions that wait for them.
    pub playing: MotionPlayer,
    /// Number of the motion table in the library. It is 0 for a body without a table, which moves
    /// only by constant velocity and spin.
    pub table: u32,
    /// What positions tell about the speed of a built-in table that stands in for a missing one.
    pub borrowed: BorrowedLegs,
    /// The interpreter's own state, beside the interpreted motion of the row.
    pub interpreter: Interpreter,
}

const _: () = assert!(offset_of!(Animator, borrowed) + offset_of!(BorrowedLegs, seen) <= 128);

impl Animator {
    /// Frees every entry of the animator's lists. The caller must do this before it removes the
    /// animator, or entries leak.
    pub fn release(&mut self, nodes: &mut Pool<Node>, items: &mut Pool<Item>) {
        self.playing.release(nodes, items);
        let Interpreter { pending, raw, actions, .. } = &mut self.interpreter;
        for list in [pending, &mut raw.actions, actions] {
            list.clear(items);
        }
    }

    /// Returns whether playing on would move the body, fire a hook or complete a motion.
    ///
    /// The animations of other bodies are not played each step. Their keyframe is computed when
    /// something depends on it.
    pub fn is_restless(&self, nodes: &Pool<Node>, library: &MotionLibrary) -> bool {
        let sequence = &self.playing.sequence;
        let drifts = sequence.velocity != Vec3::ZERO || sequence.omega != Vec3::ZERO;
        let does_something =
            |node: Node| library.animation(node.animation).is_some_and(|of| of.does_something());
        drifts
            // An animation that no table chose is always played.
            || (self.table == 0 && !sequence.is_empty())
            || !self.playing.pending.is_empty()
            || sequence.len() > 1
            || sequence.current(nodes).is_some_and(does_something)
    }
}

impl AnimationPools {
    /// Returns the memory of each pool, for the report of a world.
    pub fn memory(&self) -> [MemoryPart; 3] {
        [
            self.animators.memory("animators"),
            self.nodes.memory("animations played"),
            self.items.memory("motions pending"),
        ]
    }
}
