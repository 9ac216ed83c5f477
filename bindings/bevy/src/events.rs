//! What observers are told.

use core::fmt;

use bevy_ecs::prelude::*;
use evenstride::{Happening, generic::PlainError, outcome::PlaceReason, types::SimTime};

use crate::RemoteUpdate;

/// A remote got its first update, and is now at its place.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct RemoteAppeared {
    /// The remote.
    pub entity: Entity,
}

/// A remote was placed instead of moving there.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct RemoteSnapped {
    /// The remote.
    pub entity: Entity,
    /// Reason for the placement.
    pub reason: PlaceReason,
    /// Distance from its previous place in game units.
    pub distance: f32,
}

/// A remote left the ground.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct RemoteTookOff {
    /// The remote.
    pub entity: Entity,
    /// Upward speed in game units per second.
    pub rise: f32,
}

/// A remote reached the ground.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct RemoteLanded {
    /// The remote.
    pub entity: Entity,
    /// Speed in game units per second.
    pub speed: f32,
}

/// A remote that moved was stopped, because updates about it stopped.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct RemoteStalled {
    /// The remote.
    pub entity: Entity,
}

/// An update arrived about a remote that had stalled.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct RemoteResumed {
    /// The remote.
    pub entity: Entity,
}

/// A later remote took over the number of this one.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct RemoteReplaced {
    /// The earlier remote.
    pub entity: Entity,
    /// The later remote.
    pub by: Entity,
    /// Their number.
    pub id: u64,
}

/// An update was refused, and has changed nothing.
///
/// The entity may be gone, so this event has no target. A game that learns of new entities by their
/// updates spawns a [`Remote`](crate::Remote) here, and writes the update again. Several updates about
/// one new entity may arrive in one frame, so such a game first asks
/// [`Remotes::entity`](crate::Remotes::entity) for its number.
#[derive(Event, Clone, Copy, Debug, PartialEq)]
pub struct RemoteRefused {
    /// The refused update.
    pub update: RemoteUpdate,
    /// Reason for the refusal.
    pub reason: RefuseReason,
}

/// Why an update was refused.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum RefuseReason {
    /// No remote has this entity or this number. It may have been despawned.
    UnknownRemote,
    /// A value of the update is invalid.
    Invalid(PlainError),
    /// The time of sending is not a number within ±10¹² s.
    SendTime {
        /// The rejected time.
        secs: f64,
    },
}

impl fmt::Display for RefuseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownRemote => f.write_str("no entity has this `Remote`: spawn one, or drop the update"),
            Self::Invalid(error) => error.fmt(f),
            Self::SendTime { secs } => {
                write!(f, "time of sending: {secs} s is invalid; use seconds within ±10¹²")
            }
        }
    }
}

impl core::error::Error for RefuseReason {}

/// Any happening of a remote, as a message for systems that read many of them.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct RemoteHappened {
    /// The remote. It may be gone when the message is read.
    pub entity: Entity,
    /// Time of the step or the update that caused it.
    pub at: SimTime,
    /// The happening. Distances are in game units, and speeds in game units per second.
    pub kind: Happening,
}
