//! Entries of the short queues of motions.
//!
//! All queues of all animators share one pool and one type of entry. The queues are the actions of
//! raw and interpreted motion, the modifiers, and the pending motions of interpreter and player.

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
    /// Meaning by queue. It is the number of animations to wait for (player), the stamp (actions),
    /// or the caller's number (interpreter).
    pub number: u32,
    /// Client's code of the reason that forbids a jump, or 0 (interpreter). For actions it is 1 if
    /// the body's own player requested the action.
    pub code: u32,
    /// Neighbours in the list that the entry is in.
    pub neighbours: Neighbours,
}

impl Item {
    /// Creates an entry that is in no list.
    pub const fn new(motion: MotionCommand, speed: f32, number: u32, code: u32) -> Self {
        Self { motion, speed, number, code, neighbours: Neighbours::NONE }
    }
}

linked!(Item);

/// Removes and returns the first entry with this motion, or returns `None` if there is none.
pub(crate) fn take_motion(list: &mut List, items: &mut Pool<Item>, motion: MotionCommand) -> Option<Item> {
    let (index, item) = list.indexed(items).find(|(_, item)| item.motion == motion)?;
    list.remove(items, index).then_some(item)
}
