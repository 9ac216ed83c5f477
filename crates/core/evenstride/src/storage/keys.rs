//! Keys: names of bodies that are quick to look up and never mean another body.

use alloc::vec::Vec;

use crate::storage::pool::PoolIndex;

/// A body by its place in the world's tables. Unlike an [`EntityId`](evenstride_types::EntityId) it needs no lookup by hash, and once its
/// body is gone it leads nowhere, even if the entity comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "handle")]
pub struct BodyKey {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

/// Where the body of each key is.
#[derive(Clone, Debug, Default)]
pub struct BodyKeys {
    pub entries: Vec<KeyEntry>,
    pub free: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyEntry {
    /// [`NOWHERE`] while the entry is free.
    pub slot: u32,
    pub generation: u32,
}

pub(crate) const NOWHERE: u32 = u32::MAX;

impl BodyKeys {
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

    pub fn remove(&mut self, key: BodyKey) {
        let entry = &mut self.entries[key.index as usize];
        *entry = KeyEntry { slot: NOWHERE, generation: entry.generation.wrapping_add(1) };
        self.free.push(key.index);
    }

    /// The body of a key lies in another slot from now on.
    pub fn moved(&mut self, key: BodyKey, slot: u32) {
        self.entries[key.index as usize].slot = slot;
    }

    /// The body at an index, whichever it is now.
    pub fn slot_of_index(&self, index: PoolIndex) -> Option<usize> {
        let entry = self.entries.get(index.index())?;
        (entry.slot != NOWHERE).then_some(entry.slot as usize)
    }

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
