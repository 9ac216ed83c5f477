//! Generational keys, by which hosts name bodies.
//!
//! A row moves when another body is removed, so a row number cannot identify a body. A key is
//! looked up in a table that follows the row. Once the body is removed, its key finds nothing.

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
    /// Number of the world in the upper 8 bits. The lower 24 bits count the bodies that had this
    /// index before.
    pub(crate) generation: u32,
}

impl BodyKey {
    /// Returns the key as a number, for hosts that keep it outside of Rust.
    ///
    /// ```
    /// use evenstride::{BodyKey, BodySetup, Config, MotionWorld};
    /// use evenstride::types::{CellId, EntityId, Placement, Pose, SimTime};
    ///
    /// let place = Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY);
    /// let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
    /// let key = world.insert(SimTime::ZERO, EntityId::new(7), &BodySetup::at(place))?;
    /// let number: u64 = key.to_bits();
    /// assert_eq!(world.entity(BodyKey::from_bits(number)), Some(EntityId::new(7)));
    /// assert_eq!(world.entity(BodyKey::from_bits(u64::MAX)), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }

    /// Returns the key of a number from [`to_bits`](Self::to_bits).
    ///
    /// Any number is accepted. The key finds nothing if no body has that number.
    pub const fn from_bits(bits: u64) -> Self {
        Self { index: bits as u32, generation: (bits >> 32) as u32 }
    }
}

/// Bits of a generation that count. The others are the number of the world.
const COUNT: u32 = 0x00FF_FFFF;

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
    /// Generation of a new entry, which holds the number of the world.
    pub first: u32,
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
    /// Returns an empty table for the world with this number.
    pub fn of_world(number: u8) -> Self {
        Self { first: u32::from(number) << COUNT.count_ones(), ..Self::default() }
    }

    /// Returns whether the index of an entry is never used again.
    pub const fn is_used_up(entry: &KeyEntry) -> bool {
        entry.slot == NOWHERE && entry.generation & COUNT == COUNT
    }

    /// Returns whether a generation belongs to this world.
    pub const fn is_own(&self, generation: u32) -> bool {
        generation & !COUNT == self.first
    }

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
                let generation = self.first;
                self.entries.push(KeyEntry { slot, generation });
                self.free.reserve(self.entries.capacity() - self.free.len());
                BodyKey { index: (self.entries.len() - 1) as u32, generation }
            }
        }
    }

    /// Frees the index of `key` and raises its generation, so that copies of the key find nothing.
    ///
    /// The key must be in use. `MotionWorld` removes each key once, together with its row.
    pub fn remove(&mut self, key: BodyKey) {
        let entry = &mut self.entries[key.index as usize];
        entry.slot = NOWHERE;
        // An index whose count is used up is never used again, so that no old key finds a new body.
        if entry.generation & COUNT < COUNT {
            entry.generation += 1;
            self.free.push(key.index);
        }
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

    #[test]
    fn a_key_of_another_world_finds_nothing() {
        let [mut one, mut two] = [1, 2].map(BodyKeys::of_world);
        let (a, b) = (one.insert(0), two.insert(0));
        assert_eq!((one.slot(a), two.slot(a), one.slot(b)), (Some(0), None, None));
        one.remove(a);
        let c = one.insert(0);
        assert!(one.is_own(c.generation) && !two.is_own(c.generation));
        assert_eq!(BodyKey::from_bits(c.to_bits()), c);
    }

    /// Guards against a key that wraps. After 2²⁴ bodies with one index, the key of the first must
    /// not find the last.
    #[test]
    fn a_key_does_not_come_back_when_its_index_is_used_up() {
        let mut keys = BodyKeys::of_world(3);
        let first = keys.insert(0);
        keys.remove(first);
        keys.entries[0].generation |= COUNT;
        let last = keys.insert(0);
        keys.remove(last);
        let next = keys.insert(0);
        assert_ne!((next.index, next), (first.index, first));
        assert_eq!((keys.slot(first), keys.slot(last), keys.slot(next)), (None, None, Some(0)));
    }
}
