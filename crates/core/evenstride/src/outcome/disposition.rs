//! What became of an update, and why.

use bitflags::bitflags;
use evenstride_types::InvalidPlacement;

use crate::outcome::{Enqueued, InsertError, InvalidMoveTo, InvalidSpeed};

/// What became of an update.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "snaps, delays and refusals are worth knowing about"]
pub enum Disposition {
    /// It took effect as it is.
    Applied,
    /// Its stamps were taken and what the body did before has ended, but the rest of it is not simulated.
    AppliedInPart(PartReason),
    /// The position was appended to the body's route.
    Queued(Enqueued),
    /// The body was put there at once, or would have been if the surroundings had let it.
    Placed {
        /// Why it did not walk.
        reason: PlaceReason,
        /// Whether the surroundings allowed it.
        done: bool,
    },
    /// The entity is in the world from now on.
    Created {
        /// What it took the place of.
        how: CreateHow,
    },
    /// The entity was there already; these parts of its description were newer.
    Merged(MergedParts),
    /// The entity is gone.
    Removed,
    /// Nothing moved, as in the client. If a stamp was not the reason, the stamps were taken, and the local player's tether was tied anew.
    Ignored(IgnoreReason),
    /// It waits for an entity that does not exist yet, and is handled when that is created.
    Parked(ParkReason),
    /// It came too early and is lost.
    Dropped(DropReason),
    /// It cannot be: the client would have taken it and broken.
    Refused(RefuseReason),
}

/// How an entity came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateHow {
    /// Nobody knew it.
    New,
    /// It replaces an earlier life, or an earlier body.
    Replaced,
    /// A position of an unknown entity made it: see [`UnknownEntityPolicy::Adopt`](crate::UnknownEntityPolicy::Adopt).
    Adopted,
}

bitflags! {
    /// Parts of a description that were newer than what is known.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct MergedParts: u8 {
        /// Where it is, or who holds it.
        const PLACE = 1;
        /// What it is doing.
        const MOVEMENT = 2;
        /// State bits.
        const STATE = 4;
        /// Velocity and spin.
        const VECTOR = 8;
    }
}

impl Disposition {
    /// Whether it changed where a body is or goes, or what it does.
    pub const fn is_accepted(&self) -> bool {
        match self {
            Self::Applied
            | Self::AppliedInPart(_)
            | Self::Queued(_)
            | Self::Placed { .. }
            | Self::Created { .. }
            | Self::Merged(_)
            | Self::Removed => true,
            Self::Ignored(_) | Self::Parked(_) | Self::Dropped(_) | Self::Refused(_) => false,
        }
    }
}

/// Why a body was put somewhere instead of walking there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceReason {
    /// The update is a teleport.
    Teleport,
    /// The body was nowhere before.
    EntersWorld,
    /// 96 m or more from the viewpoint, nobody sees it walk.
    FarFromViewpoint,
    /// Nobody has measured yet how far away it is: it was not stepped since it appeared, or there is no viewpoint.
    DistanceUnknown,
    /// It was in the air, and the update says it touches the ground.
    Landing,
    /// The server insists on where the local player is.
    Corrected,
    /// Its route failed: put at the newest place heard of.
    GaveUp,
    /// Its route failed and had nothing left: put at the last place it had given up.
    GaveUpLast,
    /// Nothing was heard of it for a second after its flight should have ended.
    LandingOverdue,
}

impl PlaceReason {
    /// Every reason, in the order of [`PlaceReason::index`].
    pub const ALL: [Self; 9] = [
        Self::Teleport,
        Self::EntersWorld,
        Self::FarFromViewpoint,
        Self::DistanceUnknown,
        Self::Landing,
        Self::Corrected,
        Self::GaveUp,
        Self::GaveUpLast,
        Self::LandingOverdue,
    ];

    /// A word for it, for tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Teleport => "teleport",
            Self::EntersWorld => "enters-world",
            Self::FarFromViewpoint => "far",
            Self::DistanceUnknown => "distance-unknown",
            Self::Landing => "landing",
            Self::Corrected => "corrected",
            Self::GaveUp => "gave-up",
            Self::GaveUpLast => "gave-up-last",
            Self::LandingOverdue => "landing-overdue",
        }
    }

    /// A number for it, from 0.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// What part of an update is not simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartReason {
    /// A movement of a type that nobody knows; the client refuses it after having stopped what it interrupts.
    UnknownMovement,
}

/// Why an update had no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoreReason {
    /// It is about an earlier life of the entity.
    OlderInstance,
    /// A newer position, or this one, was heard already. Being held and being picked up count as positions.
    StalePosition,
    /// The same, though the update's teleport stamp is newer: servers do not send that.
    StalePositionNewerTeleport,
    /// It was sent before the last teleport.
    StaleTeleport,
    /// The update says the body is in the air: where it is, its own flight tells.
    Airborne,
    /// A newer vector was heard already.
    StaleVector,
    /// A newer movement was heard already.
    StaleMovement,
    /// It was sent before the server last took control.
    StaleServerControl,
    /// A newer state was heard already.
    StaleState,
    /// The local player did it in the first place.
    Echo,
    /// The local player decides where it is and how it flies; a position only moves its tether.
    PlayerDecides,
    /// The local player is nowhere, and an ordinary position does not bring it into the world.
    PlayerNowhere,
    /// It would remove the local player.
    LocalPlayerStays,
    /// There is a local player already.
    PlayerKnown,
    /// It is about the local player, and there is none.
    NoLocalPlayer,
    /// It is of a kind nobody knows.
    NotUnderstood,
}

impl IgnoreReason {
    /// Whether a stamp was the reason: the message came late, or twice.
    pub const fn is_stale(self) -> bool {
        matches!(
            self,
            Self::OlderInstance
                | Self::StalePosition
                | Self::StalePositionNewerTeleport
                | Self::StaleTeleport
                | Self::StaleVector
                | Self::StaleMovement
                | Self::StaleServerControl
                | Self::StaleState
        )
    }
}

/// What an update waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParkReason {
    /// Nobody has heard of the entity.
    UnknownEntity,
    /// It is about a later life of the entity.
    NewerInstance,
    /// Nobody has heard of the one that is to hold it.
    UnknownHolder,
}

/// Why an update that came too early is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// It is about a later life of the entity while the earlier one is still there: see [`EarlyUpdatePolicy::Lost`](crate::EarlyUpdatePolicy::Lost).
    OldBodyStillThere,
    /// It is larger than what may wait, or nothing may.
    NoRoom,
}

/// Why an update cannot be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RefuseReason {
    /// Its cell, coordinates or rotation cannot be.
    #[error(transparent)]
    Position(#[from] InvalidPlacement),
    /// A component of its velocity or spin is not finite.
    #[error("vector.{field}: {value} is not a finite number")]
    Vector {
        /// Which.
        field: &'static str,
        /// As given.
        value: f32,
    },
    /// A speed is not one.
    #[error(transparent)]
    Speed(#[from] InvalidSpeed),
    /// It says to go somewhere by numbers that cannot be.
    #[error(transparent)]
    MoveTo(#[from] InvalidMoveTo),
    /// The entity cannot be as described.
    #[error(transparent)]
    Setup(#[from] InsertError),
    /// It would hold itself, directly or through others.
    #[error("an entity cannot be held by itself, or by what it holds")]
    HoldsItself,
    /// Things held by things held by things, beyond what any message needs.
    #[error("held things may be nested {} deep", crate::MAX_HOLDING_DEPTH)]
    HeldTooDeep,
}
