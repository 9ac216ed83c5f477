//! What kind of message was heard and what became of it, small enough to remember.

use crate::outcome::{CreateHow, Disposition, DropReason, Enqueued, IgnoreReason, ParkReason, PlaceReason};

/// What kind of message was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Heard {
    /// A description.
    Create,
    /// An order to be gone.
    Delete,
    /// Being held.
    Hold,
    /// Being picked up.
    Pickup,
    /// New state bits.
    State,
    /// The beginning of a teleport.
    Teleport,
}

/// What became of a message, small enough to remember.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It took effect.
    Applied,
    /// It took effect in part.
    AppliedInPart,
    /// It went to the route.
    Queued(Enqueued),
    /// The body was put there.
    Placed(PlaceReason),
    /// The body was to be put there, and could not.
    NotPlaced(PlaceReason),
    /// It made the entity.
    Created,
    /// It made the entity, which nobody had described.
    Adopted,
    /// It described the entity anew.
    Merged,
    /// The entity is gone because of it.
    Removed,
    /// Nothing happened.
    Ignored(IgnoreReason),
    /// It waits.
    Parked(ParkReason),
    /// It is lost.
    Dropped(DropReason),
    /// It cannot be.
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
