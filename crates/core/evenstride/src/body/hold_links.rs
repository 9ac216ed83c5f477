//! Which body holds which.

use evenstride_types::EntityId;

use crate::storage::{keys::BodyKey, pool::Link};

/// Who holds a body, and whom it holds: a list through the bodies themselves, by index of their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HoldLinks {
    pub(crate) holder: Link,
    pub(crate) location: u32,
    /// The next and the one before that the same holder holds.
    pub(crate) next: Link,
    pub(crate) before: Link,
    /// The first one this body holds.
    pub(crate) first: Link,
}

impl HoldLinks {
    pub(crate) const NONE: Self =
        Self { holder: Link::NONE, location: 0, next: Link::NONE, before: Link::NONE, first: Link::NONE };
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
