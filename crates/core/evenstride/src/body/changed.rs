//! List of bodies whose drawing may have changed since the host last read the list.
//!
//! Steps, placements and messages add to the list. The host reads it with `changed` and empties it
//! with `forget_changed` (`drawing/mod.rs`). Hosts that draw everything can ignore it.

use alloc::vec::Vec;

use crate::{
    body::{flags::Flags, store::Store},
    outcome::MAX_HOLDING_DEPTH,
    storage::keys::{BodyKey, BodyKeys},
};

/// Keys of changed bodies. `Flags::CHANGED` on the body keeps each key on the list at most once.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    /// Keys in the order of marking. Keys of removed bodies may be among them.
    pub list: Vec<BodyKey>,
}

impl Changed {
    /// Adds a key. Keys of removed bodies are dropped first if there are too many of them.
    ///
    /// A host that never empties the list therefore cannot make it grow without limit.
    pub fn push(&mut self, key: BodyKey, keys: &BodyKeys, bodies: usize) {
        if self.list.len() >= 2 * bodies + 64 {
            self.list.retain(|key| keys.slot(*key).is_some());
        }
        self.list.push(key);
    }
}

/// Adds a body and everything that it holds to the list, because the body has moved.
///
/// A body that is on the list already costs one comparison.
#[inline]
pub(crate) fn mark_changed<L>(store: &mut Store<L>, keys: &BodyKeys, changed: &mut Changed, slot: usize) {
    store.glides.wake(slot);
    mark_drawn(store, keys, changed, slot);
}

/// Adds a body and everything that it holds to the list, because its pose has moved.
#[inline]
pub(crate) fn mark_drawn<L>(store: &mut Store<L>, keys: &BodyKeys, changed: &mut Changed, slot: usize) {
    let flags = &mut store.hot[slot].flags;
    if flags.contains(Flags::CHANGED) {
        return;
    }
    let holds = flags.contains(Flags::HOLDS);
    flags.insert(Flags::CHANGED);
    changed.push(store.cold[slot].key, keys, store.hot.len());
    if holds {
        mark_held(store, keys, changed, slot, 0);
    }
}

/// Adds the bodies that a holder holds, and the bodies that those hold.
///
/// The depth is limited as in `inbound/hold.rs`, which bounds the recursion.
#[cold]
fn mark_held<L>(store: &mut Store<L>, keys: &BodyKeys, changed: &mut Changed, holder: usize, depth: usize) {
    let mut next = store.cold[holder].hold.first;
    while let Some(held) = keys.slot_of_index(next) {
        next = store.cold[held].hold.next;
        if !store.hot[held].flags.contains(Flags::CHANGED) {
            store.hot[held].flags.insert(Flags::CHANGED);
            changed.push(store.cold[held].key, keys, store.hot.len());
        }
        if depth < MAX_HOLDING_DEPTH {
            mark_held(store, keys, changed, held, depth + 1);
        }
    }
}
