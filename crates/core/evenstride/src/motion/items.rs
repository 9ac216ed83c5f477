//! Entries of the short queues of motions.
//!
//! All queues of all animators share one pool and one type of entry. These are the actions of both
//! states, the modifiers, and the pending motions of interpreter and player.

use evenstride_types::update::MotionCommand;

use crate::storage::{
    list::{List, Neighbours, linked},
    pool::Pool,
};

/// One entry of a queue of motions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    /// The motion, in its canonical form.
    pub motion: MotionCommand,
    /// Speed factor of an action or a modifier. It is 0 for pending motions, which do not need it.
    pub speed: f32,
    /// Number of animations to wait for (player), stamp (actions), or the caller's number
    /// (interpreter).
    pub number: u32,
    /// Reason that forbids a jump, or 0 (interpreter). For actions it is 1 if the body's own player
    /// asked.
    pub code: u32,
    /// Links of the list that the entry is in.
    pub neighbours: Neighbours,
}

impl Item {
    /// Creates an entry that is in no list.
    pub const fn new(motion: MotionCommand, speed: f32, number: u32, code: u32) -> Self {
        Self { motion, speed, number, code, neighbours: Neighbours::NONE }
    }
}

linked!(Item);

/// Removes the first entry with a motion, and returns it. `None` if there is none.
pub(crate) fn take_motion(list: &mut List, items: &mut Pool<Item>, motion: MotionCommand) -> Option<Item> {
    let (index, item) = list.indexed(items).find(|(_, item)| item.motion == motion)?;
    list.remove(items, index).then_some(item)
}
