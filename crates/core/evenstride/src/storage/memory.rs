//! How much memory a world holds, part by part.

use alloc::{collections::VecDeque, vec::Vec};

use crate::MotionWorld;

/// Bytes held by one part of a world, allocated whether in use or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPart {
    /// Which part.
    pub name: &'static str,
    /// Bytes of one entry.
    pub entry_bytes: usize,
    /// Entries in use.
    pub in_use: usize,
    /// Bytes held in all.
    pub held_bytes: usize,
}

impl MotionWorld {
    /// What each part of the world holds, but for tables of ids and lists that are empty between steps.
    pub fn memory(&self) -> Vec<MemoryPart> {
        let mut parts = Vec::from(self.store.memory());
        parts.push(MemoryPart::column("keys", &self.keys.entries));
        parts.push(MemoryPart::column("changed", &self.changed.list));
        parts.push(self.parking.memory());
        parts.push(MemoryPart::queue("events", &self.record.events.queue));
        parts.push(self.record.decisions.memory());
        parts.push(MemoryPart::queue("messages to be sent", &self.outbox));
        parts
    }
}

impl MemoryPart {
    pub(crate) fn column<T>(name: &'static str, column: &Vec<T>) -> Self {
        let entry_bytes = size_of::<T>();
        Self { name, entry_bytes, in_use: column.len(), held_bytes: column.capacity() * entry_bytes }
    }

    pub(crate) fn queue<T>(name: &'static str, queue: &VecDeque<T>) -> Self {
        let entry_bytes = size_of::<T>();
        Self { name, entry_bytes, in_use: queue.len(), held_bytes: queue.capacity() * entry_bytes }
    }
}
