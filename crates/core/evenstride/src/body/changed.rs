//! Which bodies may be drawn differently than when the host last looked.

use alloc::vec::Vec;

use crate::{
    MAX_HOLDING_DEPTH,
    body::{flags::Flags, store::Store},
    storage::keys::{BodyKey, BodyKeys},
};

/// Keys of bodies marked as changed; a flag on the body keeps each in here only once.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    pub list: Vec<BodyKey>,
}

impl Changed {
    /// Bodies that are gone stay on the list until there are too many of them: a host that never looks must not make it grow.
    pub fn push(&mut self, key: BodyKey, keys: &BodyKeys, bodies: usize) {
        if self.list.len() >= 2 * bodies + 64 {
            self.list.retain(|key| keys.slot(*key).is_some());
        }
        self.list.push(key);
    }
}

/// Puts a body, and what it holds, on the list.
#[inline]
pub(crate) fn mark_changed<L>(store: &mut Store<L>, keys: &BodyKeys, changed: &mut Changed, slot: usize) {
    let flags = &mut store.bodies[slot].flags;
    if flags.contains(Flags::CHANGED) {
        return;
    }
    let holds = flags.contains(Flags::HOLDS);
    flags.insert(Flags::CHANGED);
    changed.push(store.extras[slot].key, keys, store.bodies.len());
    if holds {
        mark_held(store, keys, changed, slot, 0);
    }
}

#[cold]
fn mark_held<L>(store: &mut Store<L>, keys: &BodyKeys, changed: &mut Changed, holder: usize, depth: usize) {
    let mut next = store.extras[holder].hold.first;
    while let Some(held) = keys.slot_of_index(next) {
        next = store.extras[held].hold.next;
        if !store.bodies[held].flags.contains(Flags::CHANGED) {
            store.bodies[held].flags.insert(Flags::CHANGED);
            changed.push(store.extras[held].key, keys, store.bodies.len());
        }
        if depth < MAX_HOLDING_DEPTH {
            mark_held(store, keys, changed, held, depth + 1);
        }
    }
}
