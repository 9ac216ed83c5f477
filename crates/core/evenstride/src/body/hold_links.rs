//! Links between a holder and the bodies it holds.
//!
//! The rules of holding are in `inbound/hold.rs`. A held body is outside the world, and is drawn at
//! the place of its holder.

use evenstride_types::EntityId;

use crate::storage::{keys::BodyKey, pool::PoolIndex};

/// Holder of a body, and the list of bodies that it holds itself.
///
/// The list runs through the cold rows of the held bodies. Links are indices of keys and not rows,
/// because rows move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HoldLinks {
    /// The holder, or `NONE`. It is set if and only if `Flags::HELD` is.
    pub(crate) holder: PoolIndex,
    /// Place on the holder, by the server's number.
    pub(crate) location: u32,
    /// The next body that the same holder holds.
    pub(crate) next: PoolIndex,
    /// The body before it in that list, or `NONE` for the first.
    pub(crate) before: PoolIndex,
    /// The body that this one took into its hands last, or `NONE`. It is set if and only if
    /// `Flags::HOLDS` is.
    pub(crate) first: PoolIndex,
}

impl HoldLinks {
    /// Links of a body that neither holds nor is held.
    pub(crate) const NONE: Self = Self {
        holder: PoolIndex::NONE,
        location: 0,
        next: PoolIndex::NONE,
        before: PoolIndex::NONE,
        first: PoolIndex::NONE,
    };
}

/// The holder of an entity, and the place on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeldBy {
    /// Entity of the holder.
    pub holder: EntityId,
    /// Key of the holder.
    pub key: BodyKey,
    /// Place on the holder, such as a hand or a belt, by the server's number.
    pub location: u32,
}

/// Destination of a body that is no longer held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loose {
    /// The caller places, attaches or removes the body next.
    GoesElsewhere,
    /// The body stays outside the world. It is removed after 25 s unless a message places it or
    /// attaches it to a holder.
    GoesNowhere,
}
