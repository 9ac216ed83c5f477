//! One list for all: entries of a pool that know their neighbours. A list is twelve bytes, and never allocates.

use crate::storage::pool::{Pool, PoolIndex};

/// The neighbours of an entry in its list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbours {
    pub before: PoolIndex,
    pub after: PoolIndex,
}

impl Neighbours {
    /// Of an entry that is in no list.
    pub const NONE: Self = Self { before: PoolIndex::NONE, after: PoolIndex::NONE };
}

/// An entry that can be in a list.
pub trait Linked: Copy {
    fn neighbours(&self) -> Neighbours;
    fn neighbours_mut(&mut self) -> &mut Neighbours;
}

/// Makes entries of types that have a field `neighbours`.
macro_rules! linked {
    ($($entry:ty),*) => {$(
        impl $crate::storage::list::Linked for $entry {
            #[inline]
            fn neighbours(&self) -> $crate::storage::list::Neighbours {
                self.neighbours
            }

            #[inline]
            fn neighbours_mut(&mut self) -> &mut $crate::storage::list::Neighbours {
                &mut self.neighbours
            }
        }
    )*};
}
pub(crate) use linked;

/// Entries of a pool, one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct List {
    pub head: PoolIndex,
    pub tail: PoolIndex,
    pub len: u32,
}

impl Default for List {
    fn default() -> Self {
        Self { head: PoolIndex::NONE, tail: PoolIndex::NONE, len: 0 }
    }
}

impl List {
    #[inline]
    pub const fn len(&self) -> u32 {
        self.len
    }

    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds an entry at the end.
    #[inline]
    pub fn push_back<T: Linked>(&mut self, pool: &mut Pool<T>, mut entry: T) -> PoolIndex {
        *entry.neighbours_mut() = Neighbours { before: self.tail, after: PoolIndex::NONE };
        let index = pool.insert(entry);
        match pool.get_mut(self.tail) {
            Some(last) => last.neighbours_mut().after = index,
            None => self.head = index,
        }
        self.tail = index;
        self.len += 1;
        index
    }

    /// Adds an entry at the beginning.
    pub fn push_front<T: Linked>(&mut self, pool: &mut Pool<T>, mut entry: T) -> PoolIndex {
        *entry.neighbours_mut() = Neighbours { before: PoolIndex::NONE, after: self.head };
        let index = pool.insert(entry);
        match pool.get_mut(self.head) {
            Some(first) => first.neighbours_mut().before = index,
            None => self.tail = index,
        }
        self.head = index;
        self.len += 1;
        index
    }

    /// Takes an entry out of the list and leaves it in the pool. Returns whether there is such an entry.
    #[inline]
    pub fn unlink<T: Linked>(&mut self, pool: &mut Pool<T>, index: PoolIndex) -> bool {
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

    /// Takes an entry out of the list and frees it. Returns whether there was such an entry.
    #[inline]
    pub fn remove<T: Linked>(&mut self, pool: &mut Pool<T>, mut index: PoolIndex) -> bool {
        let is_there = self.unlink(pool, index);
        if is_there {
            pool.remove(&mut index);
        }
        is_there
    }

    pub fn pop_front<T: Linked>(&mut self, pool: &mut Pool<T>) -> Option<T> {
        let front = self.front(pool)?;
        self.remove(pool, self.head);
        Some(front)
    }

    pub fn front<T: Linked>(&self, pool: &Pool<T>) -> Option<T> {
        pool.get(self.head).copied()
    }

    /// Frees every entry, front to back.
    pub fn clear<T: Linked>(&mut self, pool: &mut Pool<T>) {
        while self.remove(pool, self.head) {}
    }

    /// Returns every entry with its index, front to back.
    pub fn indexed<'a, T: Linked>(
        &self,
        pool: &'a Pool<T>,
    ) -> impl Iterator<Item = (PoolIndex, T)> + use<'a, T> {
        let mut next = self.head;
        core::iter::from_fn(move || {
            let (index, entry) = (next, *pool.get(next)?);
            next = entry.neighbours().after;
            Some((index, entry))
        })
    }

    /// Returns every entry, front to back.
    pub fn iter<'a, T: Linked>(&self, pool: &'a Pool<T>) -> impl Iterator<Item = T> + use<'a, T> {
        self.indexed(pool).map(|(_, entry)| entry)
    }

    /// Changes entries, front to back.
    pub fn for_each_mut<T: Linked>(&self, pool: &mut Pool<T>, mut change: impl FnMut(usize, &mut T)) {
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
