//! How much memory a world holds, part by part.

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
    /// What each part of the world holds, but for the table of ids and lists that are empty between steps.
    pub fn memory(&self) -> [MemoryPart; 11] {
        self.store.memory()
    }
}
