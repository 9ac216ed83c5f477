//! Bytes that each part of a world holds.
//!
//! The numbers come from capacities. They show the memory that a world needed at its peak, and not
//! what it needs at present.

use alloc::{collections::VecDeque, vec::Vec};

/// Memory that one part of a world has allocated, in use or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryPart {
    /// Name of the part, in English and in lower case, for tables.
    pub name: &'static str,
    /// Bytes of one entry, without anything that it points to.
    pub entry_bytes: usize,
    /// Number of entries in use.
    pub in_use: usize,
    /// Bytes allocated for all entries, in use or free.
    pub held_bytes: usize,
}

impl MemoryPart {
    /// Measures a vector, by its capacity.
    pub(crate) fn column<T>(name: &'static str, column: &Vec<T>) -> Self {
        let entry_bytes = size_of::<T>();
        Self { name, entry_bytes, in_use: column.len(), held_bytes: column.capacity() * entry_bytes }
    }

    /// Measures a queue, by its capacity.
    pub(crate) fn queue<T>(name: &'static str, queue: &VecDeque<T>) -> Self {
        let entry_bytes = size_of::<T>();
        Self { name, entry_bytes, in_use: queue.len(), held_bytes: queue.capacity() * entry_bytes }
    }
}
