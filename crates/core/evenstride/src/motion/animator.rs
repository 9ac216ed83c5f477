//! Bodies with animations: what they keep, and how a step plays it.

use evenstride_types::Vec3;

use crate::{
    motion::{MotionLibrary, interpreter::Interpreter, items::Item, playing::MotionPlayer, sequence::Node},
    storage::{memory::MemoryPart, pool::Pool},
};

/// Everything that the animations of a world take up.
#[derive(Clone, Debug, Default)]
pub struct AnimationPools {
    pub animators: Pool<Animator>,
    pub nodes: Pool<Node>,
    pub items: Pool<Item>,
}

/// One body's animations, and what its interpreter keeps. A body that has only ever stood has none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Animator {
    pub playing: MotionPlayer,
    pub interpreter: Interpreter,
    /// The motion table; 0 for a body without one, which only drifts.
    pub table: u32,
}

impl Animator {
    /// Gives back every entry of its lists.
    pub fn release(&mut self, nodes: &mut Pool<Node>, items: &mut Pool<Item>) {
        self.playing.release(nodes, items);
        let Interpreter { pending, raw, actions, .. } = &mut self.interpreter;
        for list in [pending, &mut raw.actions, actions] {
            list.clear(items);
        }
    }

    /// Returns whether playing on would do anything.
    pub fn is_restless(&self, nodes: &Pool<Node>, library: &MotionLibrary) -> bool {
        let sequence = &self.playing.sequence;
        let drifts = sequence.velocity != Vec3::ZERO || sequence.omega != Vec3::ZERO;
        let does_something =
            |node: Node| library.animation(node.animation).is_some_and(|of| of.does_something());
        drifts
            // What no table chose is played whatever it is.
            || (self.table == 0 && !sequence.is_empty())
            || !self.playing.pending.is_empty()
            || sequence.len() > 1
            || sequence.current(nodes).is_some_and(does_something)
    }
}

impl AnimationPools {
    pub fn memory(&self) -> [MemoryPart; 3] {
        [
            self.animators.memory("animators"),
            self.nodes.memory("animations played"),
            self.items.memory("motions pending"),
        ]
    }
}
