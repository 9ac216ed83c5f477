//! Entries of the short queues of motions, all in one pool.

use evenstride_types::update::MotionCommand;

use crate::storage::{
    list::{List, Neighbours, linked},
    pool::Pool,
};

/// One entry: a motion, and what its queue needs beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    pub motion: MotionCommand,
    pub speed: f32,
    /// Animations to be waited for, a stamp, or the caller's number.
    pub number: u32,
    /// Why the body cannot jump meanwhile, or who asked for it.
    pub code: u32,
    pub neighbours: Neighbours,
}

impl Item {
    pub const fn new(motion: MotionCommand, speed: f32, number: u32, code: u32) -> Self {
        Self { motion, speed, number, code, neighbours: Neighbours::NONE }
    }
}

linked!(Item);

/// Removes the first entry of a motion, and returns it.
pub(crate) fn take_motion(list: &mut List, items: &mut Pool<Item>, motion: MotionCommand) -> Option<Item> {
    let (index, item) = list.indexed(items).find(|(_, item)| item.motion == motion)?;
    list.remove(items, index).then_some(item)
}
