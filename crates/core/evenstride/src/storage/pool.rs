//! Rare state lives in pools: a body that has none of it pays four bytes for the link.

use alloc::vec::Vec;

use crate::storage::memory::MemoryPart;

/// Where in a [`Pool`] something lies, or nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolIndex(u32);

impl PoolIndex {
    pub const NONE: Self = Self(u32::MAX);

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

    /// Whether all three lead nowhere.
    #[inline]
    pub const fn none_of(links: [Self; 3]) -> bool {
        let [a, b, c] = links;
        a.0 & b.0 & c.0 == Self::NONE.0
    }

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Equal-sized things with a free list. Nothing is allocated once it has grown to its working size.
#[derive(Clone, Debug)]
pub struct Pool<T> {
    items: Vec<T>,
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

    /// Everything, in use or free, and the free list: for saving.
    pub fn parts(&self) -> (&[T], &[u32]) {
        (&self.items, &self.free)
    }

    /// What was saved. The free list must name items, none twice.
    pub fn from_parts(items: Vec<T>, free: Vec<u32>) -> Self {
        Self { items, free }
    }

    pub fn insert(&mut self, item: T) -> PoolIndex {
        match self.free.pop() {
            Some(index) => {
                self.items[index as usize] = item;
                PoolIndex(index)
            }
            None => {
                let index = self.items.len() as u32;
                self.items.push(item);
                // Room to give everything back without growing: freeing must not allocate either.
                self.free.reserve(self.items.capacity() - self.free.len());
                PoolIndex(index)
            }
        }
    }

    /// Frees what lies at `link` and forgets the link.
    pub fn remove(&mut self, link: &mut PoolIndex) {
        if link.is_some() {
            self.free.push(link.0);
            *link = PoolIndex::NONE;
        }
    }

    #[inline]
    pub fn get(&self, link: PoolIndex) -> Option<&T> {
        self.items.get(link.index())
    }

    #[inline]
    pub fn get_mut(&mut self, link: PoolIndex) -> Option<&mut T> {
        self.items.get_mut(link.index())
    }

    /// Everything, in use or free.
    pub fn for_each_mut(&mut self, change: impl FnMut(&mut T)) {
        self.items.iter_mut().for_each(change);
    }

    /// How many things are in use.
    pub fn len(&self) -> usize {
        self.items.len() - self.free.len()
    }

    /// How much it holds.
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
