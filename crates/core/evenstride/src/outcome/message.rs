//! The kind of a message and its outcome, small enough to keep in the journal.
//!
//! Both types are part of a [`Happening`](crate::Happening), of which the record keeps thousands.
//! They therefore drop the values that a [`Disposition`] carries.

use crate::outcome::{CreateHow, Disposition, DropReason, Enqueued, IgnoreReason, ParkReason, PlaceReason};

/// Kind of a message that has no happening of its own. Positions, movements and vectors have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Heard {
    /// A description (F745 or F7DB).
    Create,
    /// A deletion (F747).
    Delete,
    /// The entity moves into a hand (F749).
    Hold,
    /// The entity moves into a pack (F74A).
    Pickup,
    /// New physics state bits (F74B).
    State,
    /// The local player's teleport begins (F751).
    Teleport,
}

/// Outcome of a message, without its values. The variants mirror [`Disposition`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The message took full effect.
    Applied,
    /// A part of the message is not simulated.
    AppliedInPart,
    /// The position was given to the route.
    Queued(Enqueued),
    /// The body was placed.
    Placed(PlaceReason),
    /// The surroundings refused the placement.
    NotPlaced(PlaceReason),
    /// The message created the body.
    Created,
    /// A position created the body, without a description.
    Adopted,
    /// The message described a known body again.
    Merged,
    /// The message removed the body.
    Removed,
    /// The message had no effect.
    Ignored(IgnoreReason),
    /// The message waits for an entity.
    Parked(ParkReason),
    /// The message is lost.
    Dropped(DropReason),
    /// The message contains an invalid value.
    Refused,
}

impl From<&Disposition> for Outcome {
    fn from(disposition: &Disposition) -> Self {
        match *disposition {
            Disposition::Applied => Self::Applied,
            Disposition::AppliedInPart(_) => Self::AppliedInPart,
            Disposition::Queued(enqueued) => Self::Queued(enqueued),
            Disposition::Placed { reason, done: true } => Self::Placed(reason),
            Disposition::Placed { reason, done: false } => Self::NotPlaced(reason),
            Disposition::Created { how: CreateHow::Adopted } => Self::Adopted,
            Disposition::Created { .. } => Self::Created,
            Disposition::Merged(_) => Self::Merged,
            Disposition::Removed => Self::Removed,
            Disposition::Ignored(reason) => Self::Ignored(reason),
            Disposition::Parked(reason) => Self::Parked(reason),
            Disposition::Dropped(reason) => Self::Dropped(reason),
            Disposition::Refused(_) => Self::Refused,
        }
    }
}
