//! Short queues of motions, all in one pool.

use evenstride_types::update::MotionCommand;

use crate::storage::pool::{Pool, PoolIndex};

/// One entry: a motion, and what its queue needs beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    pub motion: MotionCommand,
    pub speed: f32,
    /// Animations to be waited for, a stamp, or whom to tell.
    pub number: u32,
    /// Why one cannot jump meanwhile, or who asked for it.
    pub code: u32,
    pub next: PoolIndex,
}

impl Item {
    pub const fn new(motion: MotionCommand, speed: f32, number: u32, code: u32) -> Self {
        Self { motion, speed, number, code, next: PoolIndex::NONE }
    }
}

/// A queue of items.
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
    pub const fn len(&self) -> u32 {
        self.len
    }

    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn push_back(&mut self, items: &mut Pool<Item>, item: Item) {
        let link = items.insert(Item { next: PoolIndex::NONE, ..item });
        match items.get_mut(self.tail) {
            Some(last) => last.next = link,
            None => self.head = link,
        }
        self.tail = link;
        self.len += 1;
    }

    pub fn push_front(&mut self, items: &mut Pool<Item>, item: Item) {
        let link = items.insert(Item { next: self.head, ..item });
        self.head = link;
        if !self.tail.is_some() {
            self.tail = link;
        }
        self.len += 1;
    }

    pub fn front(&self, items: &Pool<Item>) -> Option<Item> {
        items.get(self.head).copied()
    }

    pub fn pop_front(&mut self, items: &mut Pool<Item>) -> Option<Item> {
        let item = *items.get(self.head)?;
        items.remove(&mut self.head);
        self.head = item.next;
        if !self.head.is_some() {
            self.tail = PoolIndex::NONE;
        }
        self.len -= 1;
        Some(item)
    }

    /// Takes out the first item of a motion.
    pub fn take(&mut self, items: &mut Pool<Item>, motion: MotionCommand) -> Option<Item> {
        let mut before = PoolIndex::NONE;
        let mut link = self.head;
        loop {
            let item = *items.get(link)?;
            if item.motion != motion {
                (before, link) = (link, item.next);
                continue;
            }
            match items.get_mut(before) {
                Some(before) => before.next = item.next,
                None => self.head = item.next,
            }
            if self.tail == link {
                self.tail = before;
            }
            items.remove(&mut link);
            self.len -= 1;
            return Some(item);
        }
    }

    pub fn clear(&mut self, items: &mut Pool<Item>) {
        while self.pop_front(items).is_some() {}
    }

    pub fn iter<'a>(&self, items: &'a Pool<Item>) -> impl Iterator<Item = Item> + use<'a> {
        let mut link = self.head;
        core::iter::from_fn(move || {
            let item = items.get(link).copied()?;
            link = item.next;
            Some(item)
        })
    }

    /// Changes items, front to back.
    pub fn for_each_mut(&self, items: &mut Pool<Item>, mut change: impl FnMut(usize, &mut Item)) {
        let (mut link, mut place) = (self.head, 0);
        while let Some(item) = items.get_mut(link) {
            change(place, item);
            (link, place) = (item.next, place + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_out_as_they_went_in_and_from_the_middle() {
        let (mut items, mut list) = (Pool::new(), List::default());
        for number in 1..=4 {
            list.push_back(&mut items, Item::new(MotionCommand(number), 1.0, number, 0));
        }
        list.push_front(&mut items, Item::new(MotionCommand(9), 1.0, 9, 0));
        let numbers = |list: &List, items: &Pool<Item>| {
            list.iter(items).map(|item| item.number).collect::<alloc::vec::Vec<_>>()
        };
        assert_eq!(numbers(&list, &items), [9, 1, 2, 3, 4]);
        assert_eq!(list.take(&mut items, MotionCommand(4)).map(|item| item.number), Some(4));
        assert_eq!(list.take(&mut items, MotionCommand(2)).map(|item| item.number), Some(2));
        assert_eq!(list.take(&mut items, MotionCommand(7)), None);
        list.push_back(&mut items, Item::new(MotionCommand(5), 1.0, 5, 0));
        assert_eq!((numbers(&list, &items), list.len()), (alloc::vec![9, 1, 3, 5], 4));
        list.clear(&mut items);
        assert_eq!((list, items.len()), (List::default(), 0));
    }
}
