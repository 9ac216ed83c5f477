//! Doubly linked lists through the entries of a pool.
//!
//! Each entry stores its neighbours, so adding and removing take constant time at any position. A
//! list itself is twelve bytes and never allocates. Many lists share one pool, for example the
//! waypoints of all routes.
//!
//! A list does not own its pool. Every call gets the pool as an argument, and it must always be the
//! same one. An entry must be in at most one list of each family. Entries that are in two lists at
//! once, such as parked updates, implement [`Linked`] for two families.
//!
//! Held bodies form a list of another kind. They are rows, which move, so they are linked by their
//! keys (`body/hold_links.rs`).

use core::marker::PhantomData;

use crate::storage::pool::{Pool, PoolIndex};

/// The neighbours of an entry in its list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbours {
    /// The entry before, or `NONE` at the head.
    pub before: PoolIndex,
    /// The entry after, or `NONE` at the tail.
    pub after: PoolIndex,
}

impl Neighbours {
    /// Neighbours of an entry that is in no list.
    pub const NONE: Self = Self { before: PoolIndex::NONE, after: PoolIndex::NONE };
}

/// The family of lists whose entries are in one list only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneList;

/// An entry that can be in a list of a family. The macro `linked!` implements it.
pub trait Linked<Family = OneList>: Copy {
    fn neighbours(&self) -> Neighbours;
    fn neighbours_mut(&mut self) -> &mut Neighbours;
}

/// Implements [`Linked`] from the entry's type, the family, and the field with the neighbours.
macro_rules! linked {
    ($entry:ty) => {
        $crate::storage::list::linked!($entry, $crate::storage::list::OneList, neighbours);
    };
    ($entry:ty, $family:ty, $($field:ident).+) => {
        impl $crate::storage::list::Linked<$family> for $entry {
            #[inline]
            fn neighbours(&self) -> $crate::storage::list::Neighbours {
                self.$($field).+
            }

            #[inline]
            fn neighbours_mut(&mut self) -> &mut $crate::storage::list::Neighbours {
                &mut self.$($field).+
            }
        }
    };
}
pub(crate) use linked;

/// Ends and length of a list. The default is an empty list.
///
/// Copying the value does not copy entries. Only one copy may be changed afterwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct List<Family = OneList> {
    /// The first entry, or `NONE` if the list is empty.
    pub head: PoolIndex,
    /// The last entry, or `NONE` if the list is empty.
    pub tail: PoolIndex,
    /// Number of entries. `save/check.rs` compares it with the links of a restored list.
    pub len: u32,
    family: PhantomData<Family>,
}

impl<Family> Default for List<Family> {
    fn default() -> Self {
        Self::with_ends(PoolIndex::NONE, PoolIndex::NONE, 0)
    }
}

impl<Family> List<Family> {
    /// Returns a list whose entries are linked already.
    pub const fn with_ends(head: PoolIndex, tail: PoolIndex, len: u32) -> Self {
        Self { head, tail, len, family: PhantomData }
    }

    #[inline]
    pub const fn len(&self) -> u32 {
        self.len
    }

    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds an entry at the end and returns its index. The entry's own neighbours are overwritten.
    #[inline]
    pub fn push_back<T: Linked<Family>>(&mut self, pool: &mut Pool<T>, entry: T) -> PoolIndex {
        let index = pool.insert(entry);
        self.link_back(pool, index);
        index
    }

    /// Adds an entry at the beginning and returns its index. The entry's own neighbours are
    /// overwritten.
    pub fn push_front<T: Linked<Family>>(&mut self, pool: &mut Pool<T>, entry: T) -> PoolIndex {
        let index = pool.insert(entry);
        self.link_front(pool, index);
        index
    }

    /// Adds an entry of the pool at the end. Does nothing if the pool has no such index.
    #[inline]
    pub fn link_back<T: Linked<Family>>(&mut self, pool: &mut Pool<T>, index: PoolIndex) {
        let Some(entry) = pool.get_mut(index) else { return };
        *entry.neighbours_mut() = Neighbours { before: self.tail, after: PoolIndex::NONE };
        match pool.get_mut(self.tail) {
            Some(last) => last.neighbours_mut().after = index,
            None => self.head = index,
        }
        self.tail = index;
        self.len += 1;
    }

    /// Adds an entry of the pool at the beginning. Does nothing if the pool has no such index.
    pub fn link_front<T: Linked<Family>>(&mut self, pool: &mut Pool<T>, index: PoolIndex) {
        let Some(entry) = pool.get_mut(index) else { return };
        *entry.neighbours_mut() = Neighbours { before: PoolIndex::NONE, after: self.head };
        match pool.get_mut(self.head) {
            Some(first) => first.neighbours_mut().before = index,
            None => self.tail = index,
        }
        self.head = index;
        self.len += 1;
    }

    /// Removes an entry from the list and leaves it in the pool. Returns `false` if the pool has no
    /// such index.
    ///
    /// The entry must be in this list, which is not checked. Its own neighbours keep their old
    /// values.
    #[inline]
    pub fn unlink<T: Linked<Family>>(&mut self, pool: &mut Pool<T>, index: PoolIndex) -> bool {
        let Some(Neighbours { before, after }) = pool.get(index).map(T::neighbours) else { return false };
        match pool.get_mut(before) {
            Some(before) => before.neighbours_mut().after = after,
            None => self.head = after,
        }
        match pool.get_mut(after) {
            Some(after) => after.neighbours_mut().before = before,
            None => self.tail = before,
        }
        self.len -= 1;
        true
    }

    /// Removes an entry from the list and frees it. Returns `false` if the pool has no such index.
    #[inline]
    pub fn remove<T: Linked<Family>>(&mut self, pool: &mut Pool<T>, mut index: PoolIndex) -> bool {
        let is_there = self.unlink(pool, index);
        if is_there {
            pool.remove(&mut index);
        }
        is_there
    }

    /// Removes the first entry, frees it and returns a copy. `None` means that the list is empty.
    pub fn pop_front<T: Linked<Family>>(&mut self, pool: &mut Pool<T>) -> Option<T> {
        let front = self.front(pool)?;
        self.remove(pool, self.head);
        Some(front)
    }

    /// Returns a copy of the first entry, or `None` if the list is empty.
    pub fn front<T: Linked<Family>>(&self, pool: &Pool<T>) -> Option<T> {
        pool.get(self.head).copied()
    }

    /// Frees every entry, front to back. The list is empty afterwards.
    pub fn clear<T: Linked<Family>>(&mut self, pool: &mut Pool<T>) {
        while self.remove(pool, self.head) {}
    }

    /// Returns every entry with its index, front to back.
    ///
    /// The iterator borrows the pool and not the list, so it does not see later changes of the
    /// list.
    pub fn indexed<'a, T: Linked<Family>>(
        &self,
        pool: &'a Pool<T>,
    ) -> impl Iterator<Item = (PoolIndex, T)> + use<'a, T, Family> {
        let mut next = self.head;
        core::iter::from_fn(move || {
            let (index, entry) = (next, *pool.get(next)?);
            next = entry.neighbours().after;
            Some((index, entry))
        })
    }

    /// Returns a copy of every entry, front to back.
    pub fn iter<'a, T: Linked<Family>>(
        &self,
        pool: &'a Pool<T>,
    ) -> impl Iterator<Item = T> + use<'a, T, Family> {
        self.indexed(pool).map(|(_, entry)| entry)
    }

    /// Calls `change` with the position and the entry, front to back.
    ///
    /// `change` must leave the neighbours alone, because the next entry is found through them.
    pub fn for_each_mut<T: Linked<Family>>(&self, pool: &mut Pool<T>, mut change: impl FnMut(usize, &mut T)) {
        let (mut next, mut place) = (self.head, 0);
        while let Some(entry) = pool.get_mut(next) {
            change(place, entry);
            (next, place) = (entry.neighbours().after, place + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};

    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Numbered {
        number: u32,
        neighbours: Neighbours,
    }

    linked!(Numbered);

    #[test]
    fn entries_come_out_as_they_went_in_and_from_the_middle() {
        let (mut pool, mut list) = (Pool::new(), List::default());
        let entry = |number| Numbered { number, neighbours: Neighbours::NONE };
        let indices: Vec<PoolIndex> =
            (1..=4).map(|number| list.push_back(&mut pool, entry(number))).collect();
        list.push_front(&mut pool, entry(9));
        let numbers =
            |list: &List, pool: &Pool<Numbered>| list.iter(pool).map(|of| of.number).collect::<Vec<_>>();
        assert_eq!(numbers(&list, &pool), [9, 1, 2, 3, 4]);
        assert!(list.remove(&mut pool, indices[3]) && list.remove(&mut pool, indices[1]));
        assert!(!list.remove(&mut pool, PoolIndex::NONE));
        list.push_back(&mut pool, entry(5));
        assert_eq!((numbers(&list, &pool), list.len()), (vec![9, 1, 3, 5], 4));
        list.clear(&mut pool);
        assert_eq!((list, pool.len()), (List::default(), 0));
    }
}
