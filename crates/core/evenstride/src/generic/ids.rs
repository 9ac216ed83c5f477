//! Translation between the game's 64-bit entity ids and the core's own ids.
//!
//! The core's ids have 32 bits, like those in the messages of Asheron's Call. Each entity of the
//! game gets one when it appears, and frees it when it is removed.

use alloc::vec::Vec;
use core::hash::BuildHasherDefault;

use evenstride_types::EntityId;
use hashbrown::HashMap;

use crate::storage::ids::IdHasher;

/// Translates entity ids in both directions.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlainIds {
    /// The core's id by the game's. It is never iterated.
    inner: HashMap<u64, EntityId, BuildHasherDefault<IdHasher>>,
    /// The game's id by the core's, which count from 1. Entries on the free list mean nothing.
    outer: Vec<u64>,
    /// Entries of `outer` that are free. The last one is used next.
    free: Vec<u32>,
}

impl PlainIds {
    /// Returns the core's id of an entity, or `None` if the entity is unknown.
    #[inline]
    pub(crate) fn find(&self, entity: u64) -> Option<EntityId> {
        self.inner.get(&entity).copied()
    }

    /// Returns the game's id of an entity, or `None` if no entity has this id in the core.
    #[inline]
    pub(crate) fn outer(&self, entity: EntityId) -> Option<u64> {
        let outer = *self.outer.get(entity.raw().wrapping_sub(1) as usize)?;
        (self.inner.get(&outer) == Some(&entity)).then_some(outer)
    }

    /// Returns the game's id of an entity that is known to have one.
    ///
    /// Only views such as drawing use it, where a hash lookup per body would dominate the cost.
    #[inline]
    pub(crate) fn outer_of_known(&self, entity: EntityId) -> u64 {
        self.outer.get(entity.raw().wrapping_sub(1) as usize).copied().unwrap_or_default()
    }

    /// Returns the core's id that the next new entity gets.
    pub(crate) fn next(&self) -> EntityId {
        EntityId::new(1 + self.free.last().copied().unwrap_or(self.outer.len() as u32))
    }

    /// Gives a new entity the id from [`next`](Self::next).
    pub(crate) fn insert(&mut self, entity: u64) {
        let inner = self.next();
        match self.free.pop() {
            Some(index) => self.outer[index as usize] = entity,
            None => self.outer.push(entity),
        }
        self.inner.insert(entity, inner);
    }

    /// Forgets an entity, and returns the core's id that it had.
    pub(crate) fn remove(&mut self, entity: u64) -> Option<EntityId> {
        let inner = self.inner.remove(&entity)?;
        self.free.push(inner.raw() - 1);
        Some(inner)
    }

    /// Returns the game's ids in the order of the core's, and the free entries, for saving.
    pub(crate) fn parts(&self) -> (&[u64], &[u32]) {
        (&self.outer, &self.free)
    }

    /// Makes the tables again from [`parts`](Self::parts). `None` if they contradict each other.
    pub(crate) fn from_parts(outer: Vec<u64>, free: Vec<u32>) -> Option<Self> {
        let mut is_free = alloc::vec![false; outer.len()];
        for &index in &free {
            let entry = is_free.get_mut(index as usize)?;
            if core::mem::replace(entry, true) {
                return None;
            }
        }
        let mut inner = HashMap::default();
        for (index, &entity) in outer.iter().enumerate().filter(|(index, _)| !is_free[*index]) {
            if inner.insert(entity, EntityId::new(index as u32 + 1)).is_some() {
                return None;
            }
        }
        Some(Self { inner, outer, free })
    }
}
