//! Generational keys, by which hosts name bodies.
//!
//! A row moves when another body is removed, so a row number is no name. A key is looked up in a
//! table that follows the row. Once the body is removed, its key finds nothing.

use alloc::vec::Vec;

use crate::storage::pool::PoolIndex;

/// Names a body by its place in the world's tables.
///
/// Unlike an [`EntityId`](evenstride_types::EntityId), a key needs no lookup by hash. Once its body
/// is removed a key finds nothing, even if the entity is created again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "handle")]
pub struct BodyKey {
    /// Position in `BodyKeys::entries`. A later body may have the same index.
    pub(crate) index: u32,
    /// Number of bodies that had this index before. It wraps after 2³² of them.
    pub(crate) generation: u32,
}

/// Table of the row of each key.
///
/// `MotionWorld` owns it, changes it whenever a row is added, moved or removed, and saves it. Keys
/// that a host has stored therefore stay valid in a restored world.
#[derive(Clone, Debug, Default)]
pub struct BodyKeys {
    /// One entry for each index that was ever in use.
    pub entries: Vec<KeyEntry>,
    /// Indices of free entries. The last one is used next.
    pub free: Vec<u32>,
}

/// Row of the body that has an index, and the generation of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyEntry {
    /// Row of the body ([`NOWHERE`] while the entry is free).
    pub slot: u32,
    /// Generation of the present body, or of the next one while the entry is free.
    pub generation: u32,
}

/// The row of a free entry. No world can have this many bodies.
pub(crate) const NOWHERE: u32 = u32::MAX;

impl BodyKeys {
    /// Makes a key for the body in `slot`. Free indices are reused before the table grows.
    ///
    /// Room in the free list is reserved together with the entry, so that removing never allocates.
    pub fn insert(&mut self, slot: u32) -> BodyKey {
        match self.free.pop() {
            Some(index) => {
                let entry = &mut self.entries[index as usize];
                entry.slot = slot;
                BodyKey { index, generation: entry.generation }
            }
            None => {
                self.entries.push(KeyEntry { slot, generation: 0 });
                self.free.reserve(self.entries.capacity() - self.free.len());
                BodyKey { index: (self.entries.len() - 1) as u32, generation: 0 }
            }
        }
    }

    /// Frees the index of `key` and raises its generation, so that copies of the key find nothing.
    ///
    /// The key must be in use. `MotionWorld` removes each key once, together with its row.
    pub fn remove(&mut self, key: BodyKey) {
        let entry = &mut self.entries[key.index as usize];
        *entry = KeyEntry { slot: NOWHERE, generation: entry.generation.wrapping_add(1) };
        self.free.push(key.index);
    }

    /// Records that the body of `key` has moved to `slot`, after another row was removed.
    pub fn moved(&mut self, key: BodyKey, slot: u32) {
        self.entries[key.index as usize].slot = slot;
    }

    /// Returns the row of the body that has an index, regardless of its generation.
    ///
    /// Links between a holder and its held bodies use this. They are undone before either body is
    /// removed, so they need no generation. `PoolIndex::NONE` gives `None`.
    pub fn slot_of_index(&self, index: PoolIndex) -> Option<usize> {
        let entry = self.entries.get(index.index())?;
        (entry.slot != NOWHERE).then_some(entry.slot as usize)
    }

    /// Returns the row of a body, or `None` if that body was removed. Any key may be given.
    #[inline]
    pub fn slot(&self, key: BodyKey) -> Option<usize> {
        let entry = self.entries.get(key.index as usize)?;
        (entry.generation == key.generation && entry.slot != NOWHERE).then_some(entry.slot as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_never_means_another_body() {
        let mut keys = BodyKeys::default();
        let (a, b) = (keys.insert(0), keys.insert(1));
        keys.remove(a);
        keys.moved(b, 0);
        let c = keys.insert(1);
        assert_eq!(a.index, c.index);
        assert_eq!((keys.slot(a), keys.slot(b), keys.slot(c)), (None, Some(0), Some(1)));
        assert_eq!(keys.slot(BodyKey { index: 99, generation: 0 }), None);
    }
}
