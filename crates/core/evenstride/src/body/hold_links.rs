//! Which body holds which.

use evenstride_types::EntityId;

use crate::storage::{keys::BodyKey, pool::PoolIndex};

/// Who holds a body, and whom it holds: a list through the bodies themselves, by index of their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HoldLinks {
    pub(crate) holder: PoolIndex,
    pub(crate) location: u32,
    /// The next and the one before that the same holder holds.
    pub(crate) next: PoolIndex,
    pub(crate) before: PoolIndex,
    /// The first one this body holds.
    pub(crate) first: PoolIndex,
}

impl HoldLinks {
    pub(crate) const NONE: Self = Self {
        holder: PoolIndex::NONE,
        location: 0,
        next: PoolIndex::NONE,
        before: PoolIndex::NONE,
        first: PoolIndex::NONE,
    };
}

/// Who holds an entity, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldBy {
    /// Who.
    pub holder: EntityId,
    /// Its key.
    pub key: BodyKey,
    /// Place on the holder: a hand, a belt.
    pub location: u32,
}

/// What becomes of a body that is no longer held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loose {
    GoesElsewhere,
    GoesNowhere,
}
