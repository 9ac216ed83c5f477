//! Bodies whose drawing may have changed since the host last asked.
//!
//! Steps, placements and messages mark bodies. The host reads the marks with `changed` and clears them
//! with `forget_changed` (`drawing/mod.rs`). Hosts that draw everything can ignore them.

use alloc::vec::Vec;

use crate::{
    body::{flags::Flags, store::Store},
    outcome::MAX_HOLDING_DEPTH,
    storage::{keys::BodyKeys, memory::MemoryPart},
};

/// One bit for each slot, which is set if the body has changed. Not saved.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    /// Bits of 64 slots each. Bits beyond the last body are clear.
    pub words: Vec<u64>,
}

impl Changed {
    /// Makes room for `bodies` bodies, none of which has changed.
    pub fn of(bodies: usize) -> Self {
        Self { words: alloc::vec![0; bodies.div_ceil(64)] }
    }

    /// Makes room for a body in the last slot, which has not changed.
    pub fn push(&mut self, slot: usize) {
        if slot / 64 == self.words.len() {
            self.words.push(0);
        }
    }

    /// Removes a slot. The mark of the last slot takes its place.
    pub fn swap_remove(&mut self, slot: usize, last: usize) {
        self.set(slot, self.contains(last));
        self.set(last, false);
    }

    #[inline(always)]
    pub fn contains(&self, slot: usize) -> bool {
        self.words.get(slot / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    #[inline(always)]
    pub fn set(&mut self, slot: usize, has_changed: bool) {
        if let Some(word) = self.words.get_mut(slot / 64) {
            *word = *word & !(1 << (slot % 64)) | u64::from(has_changed) << (slot % 64);
        }
    }

    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Returns the slots of all changed bodies, in ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(index, word)| {
            let mut left = *word;
            core::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.checked_sub(1)?;
                Some(index * 64 + bit)
            })
        })
    }

    /// Clears the marks for which `keep` returns `false`.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        for (index, word) in self.words.iter_mut().enumerate() {
            let mut left = *word;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                if !keep(index * 64 + bit) {
                    *word &= !(1 << bit);
                }
            }
        }
    }

    pub fn memory(&self) -> MemoryPart {
        MemoryPart::column("changed", &self.words)
    }
}

/// Marks a body and everything that it holds, because the body has moved.
#[inline(always)]
pub(crate) fn mark_changed<L>(store: &mut Store<L>, keys: &BodyKeys, slot: usize) {
    store.glides.wake(slot);
    mark_drawn(store, keys, slot);
}

/// Marks a body and everything that it holds, because its pose has moved.
#[inline(always)]
pub(crate) fn mark_drawn<L>(store: &mut Store<L>, keys: &BodyKeys, slot: usize) {
    if store.hot[slot].flags.contains(Flags::HOLDS) && !store.changed.contains(slot) {
        mark_held(store, keys, slot, 0);
    }
    store.changed.set(slot, true);
}

/// Marks the bodies that a holder holds, and the bodies that those hold. `depth` is 0 for a holder that
/// nothing holds.
///
/// The depth is limited as in `inbound/hold.rs`, which bounds the recursion.
#[cold]
pub(crate) fn mark_held<L>(store: &mut Store<L>, keys: &BodyKeys, holder: usize, depth: usize) {
    let mut next = store.cold[holder].hold.first;
    while let Some(held) = keys.slot_of_index(next) {
        next = store.cold[held].hold.next;
        store.changed.set(held, true);
        if depth < MAX_HOLDING_DEPTH {
            mark_held(store, keys, held, depth + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn marks_follow_the_slots_of_their_bodies() {
        let mut changed = Changed::default();
        (0..130).for_each(|slot| changed.push(slot));
        [3, 64, 129].into_iter().for_each(|slot| changed.set(slot, true));
        assert_eq!(changed.iter().collect::<Vec<_>>(), vec![3, 64, 129]);
        changed.swap_remove(5, 129);
        changed.swap_remove(64, 128);
        assert_eq!(changed.iter().collect::<Vec<_>>(), vec![3, 5]);
        changed.retain(|slot| slot == 5);
        assert_eq!(changed.iter().collect::<Vec<_>>(), vec![5]);
        changed.clear();
        assert_eq!(changed.iter().count(), 0);
    }
}
