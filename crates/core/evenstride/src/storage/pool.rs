//! Pools for state that few bodies have.
//!
//! A body without such state pays four bytes for the index. Entries never move, so an index stays
//! valid until its entry is freed. Free entries are reused, the last freed one first. This order is
//! part of the saved state, because it decides where the next entry goes.
//!
//! A pool does not know the owner of an entry. Each index must be stored in one place only, and
//! `save/check.rs` verifies that for restored worlds.

use alloc::vec::Vec;

use crate::storage::memory::MemoryPart;

/// Position of an entry in a [`Pool`], or [`NONE`](Self::NONE).
///
/// The type does not name its pool and has no generation. The field that holds an index decides
/// which pool it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolIndex(u32);

impl PoolIndex {
    /// The index of no entry. Every pool answers it with `None`.
    pub const NONE: Self = Self(u32::MAX);

    /// Makes an index from its number. `u32::MAX` gives [`NONE`](Self::NONE).
    pub const fn to(index: u32) -> Self {
        Self(index)
    }

    pub const fn raw(self) -> u32 {
        self.0
    }

    #[inline]
    pub const fn is_some(self) -> bool {
        self.0 != Self::NONE.0
    }

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Entries of one size with a free list. Nothing is allocated once it has grown to its working
/// size.
#[derive(Clone, Debug)]
pub struct Pool<T> {
    /// All entries. Free ones keep their last value.
    items: Vec<T>,
    /// Positions of free entries. The last one is used next.
    free: Vec<u32>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { items: Vec::new(), free: Vec::new() }
    }
}

impl<T: Copy> Pool<T> {
    pub const fn new() -> Self {
        Self { items: Vec::new(), free: Vec::new() }
    }

    /// Returns all entries, in use or free, and the free list, for saving.
    pub fn parts(&self) -> (&[T], &[u32]) {
        (&self.items, &self.free)
    }

    /// Makes a pool from saved parts. Each number in the free list must be a position, and none may
    /// repeat.
    ///
    /// The caller checks that afterwards (`Owners` in `save/check.rs`). An invalid free list would
    /// panic in [`insert`](Self::insert).
    pub fn from_parts(items: Vec<T>, free: Vec<u32>) -> Self {
        Self { items, free }
    }

    /// Stores an entry and returns its index, which stays valid until [`remove`](Self::remove).
    pub fn insert(&mut self, item: T) -> PoolIndex {
        match self.free.pop() {
            Some(index) => {
                self.items[index as usize] = item;
                PoolIndex(index)
            }
            None => {
                let index = self.items.len() as u32;
                self.items.push(item);
                // Reserves room for every index in the free list, so that freeing never allocates.
                self.free.reserve(self.items.capacity() - self.free.len());
                PoolIndex(index)
            }
        }
    }

    /// Frees the entry at `link` and sets `link` to `NONE`. Does nothing if it is `NONE` already.
    ///
    /// Other copies of the index must not be used afterwards, because the entry may be reused.
    pub fn remove(&mut self, link: &mut PoolIndex) {
        if link.is_some() {
            self.free.push(link.0);
            *link = PoolIndex::NONE;
        }
    }

    /// Returns an entry, or `None` for `PoolIndex::NONE`. A freed entry is not recognised as such.
    #[inline]
    pub fn get(&self, link: PoolIndex) -> Option<&T> {
        self.items.get(link.index())
    }

    /// Returns an entry to be changed, with the same limits as [`get`](Self::get).
    #[inline]
    pub fn get_mut(&mut self, link: PoolIndex) -> Option<&mut T> {
        self.items.get_mut(link.index())
    }

    /// Calls `change` for every entry, in use or free. Changing free entries is harmless.
    pub fn for_each_mut(&mut self, change: impl FnMut(&mut T)) {
        self.items.iter_mut().for_each(change);
    }

    /// Returns the number of entries in use.
    pub fn len(&self) -> usize {
        self.items.len() - self.free.len()
    }

    /// Measures entries and free list, by their capacities.
    pub fn memory(&self, name: &'static str) -> MemoryPart {
        let entry_bytes = size_of::<T>();
        let held_bytes = self.items.capacity() * entry_bytes + self.free.capacity() * size_of::<u32>();
        MemoryPart { name, entry_bytes, in_use: self.len(), held_bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_places_are_used_again() {
        let mut pool = Pool::new();
        let (mut a, b) = (pool.insert('a'), pool.insert('b'));
        pool.remove(&mut a);
        assert_eq!((a, pool.len()), (PoolIndex::NONE, 1));
        let c = pool.insert('c');
        assert_eq!((pool.get(b), pool.get(c), pool.len()), (Some(&'b'), Some(&'c'), 2));
        assert_eq!(pool.get(PoolIndex::NONE), None);
    }
}
