//! The answer to a message, and the reason for it.
//!
//! `inbound/dispatch.rs` returns one [`Disposition`] for each message and counts it once. Hosts
//! read it at once. The journal keeps the shorter [`Outcome`](crate::outcome::Outcome) instead.

use bitflags::bitflags;
use evenstride_types::PlacementError;

use crate::outcome::{Enqueued, InsertError, MoveToError, SpeedError};

/// Tells a host how a message was handled.
///
/// The stamps of a message are stored unless the answer is `Parked`, `Dropped`, `Refused` or a
/// stale `Ignored`. There are three exceptions.
///
/// - A movement answered with [`IgnoreReason::StaleServerControl`] has stored its movement stamp.
/// - A stale position of the local player has stored its force stamp.
/// - The start of a teleport stores no stamp, because the position that follows brings it again.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "snaps, delays and refusals are worth knowing about"]
#[non_exhaustive]
pub enum Disposition {
    /// The message took full effect.
    Applied,
    /// The stamps were stored and the body's previous movement has ended, but the rest is not
    /// simulated.
    AppliedInPart(PartReason),
    /// The position went to the body's route. [`Enqueued`] tells the effect.
    Queued(Enqueued),
    /// The position called for a placement instead of a walk.
    Placed {
        /// Why the body did not walk.
        reason: PlaceReason,
        /// Whether the surroundings allowed the placement. If `false`, the body stays where it was.
        done: bool,
    },
    /// The entity has a new body. The body may still be outside the world, in a pack or in a hand.
    Created {
        /// Whether the body is new, replaces another one, or comes from a position alone.
        how: CreateHow,
    },
    /// The entity was already known, and these parts of its description were newer. The set may be
    /// empty.
    Merged(MergedParts),
    /// The body was removed because the server deleted the entity.
    Removed,
    /// The message moved nothing.
    ///
    /// Unless a stamp was the reason, the stamps were stored. A position of the local player has
    /// then also moved the anchor of its tether.
    Ignored(IgnoreReason),
    /// The message waits for a missing entity, and is handled when that entity is created.
    Parked(ParkReason),
    /// The message came too early and is lost.
    Dropped(DropReason),
    /// The message contains an invalid value, or exceeds a limit. Nothing was stored. The client
    /// would have accepted it.
    Refused(RefuseReason),
}

/// Tells where a new body comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CreateHow {
    /// The entity was unknown before.
    New,
    /// The body replaces one of an earlier life, an adopted one, or one that the server recreated.
    Replaced,
    /// A position of an unknown entity created it. See
    /// [`UnknownEntityPolicy::Adopt`](crate::config::UnknownEntityPolicy::Adopt).
    Adopted,
}

bitflags! {
    /// Parts of a description that were newer than the known state. Each part has a stamp of its
    /// own.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct MergedParts: u8 {
        /// Position, or holder.
        const PLACE = 1;
        /// Motion commands or a goal.
        const MOVEMENT = 2;
        /// Physics state bits.
        const STATE = 4;
        /// Velocity and spin.
        const VECTOR = 8;
    }
}

impl Disposition {
    /// Returns whether the message was accepted.
    ///
    /// An accepted message changes the place, route, motion, state or existence of a body. A
    /// placement counts even if the surroundings refused it, and so does an empty merge.
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

/// Why a body was placed instead of walking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlaceReason {
    /// The teleport stamp of the position is newer than the stored one.
    Teleport,
    /// The body was outside the world before.
    EntersWorld,
    /// The body was 96 m or more from the viewpoint, where walking would not be visible.
    FarFromViewpoint,
    /// The distance to the viewpoint is unknown. Either no round has run since the body appeared,
    /// or there is no viewpoint.
    DistanceUnknown,
    /// The body was in the air, and the update says that it touches the ground.
    Landing,
    /// The force stamp of the position is newer. The server insists on the local player's place.
    Corrected,
    /// The route failed. The body was placed at its newest waypoint.
    GaveUp,
    /// The route failed and was empty. The body was placed at the last waypoint that it had given
    /// up.
    GaveUpLast,
    /// The body fell past the expected ground without landing. It was placed where it passed that
    /// height.
    ///
    /// A height from the server takes effect at once. The take-off height takes effect after a
    /// second without a message about the flight. The client has no such rule, because it knows the
    /// ground.
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

    /// Returns a short name for tables, in lower case and without spaces.
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

    /// Returns the position of this reason in [`PlaceReason::ALL`], which is also its index in
    /// [`Counters::snapped`](crate::explain::Counters::snapped).
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Why only a part of a message took effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartReason {
    /// The movement has an unknown type. The client rejects it too, but has already ended the
    /// previous movement by then.
    UnknownMovement,
}

/// Why a message had no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IgnoreReason {
    /// The message is about an earlier life of the entity, by its instance stamp.
    OlderInstance,
    /// The position stamp is not newer than the stored one. Being held and being picked up use the
    /// same stamp.
    StalePosition,
    /// The position stamp is stale although the teleport stamp is newer. Servers do not normally
    /// send this.
    StalePositionNewerTeleport,
    /// The message was sent before the last teleport.
    StaleTeleport,
    /// The position says that the body is in the air, where its own flight decides its place.
    Airborne,
    /// The vector stamp is not newer than the stored one.
    StaleVector,
    /// The movement stamp is not newer than the stored one.
    StaleMovement,
    /// The message was sent before the server last took control.
    StaleServerControl,
    /// The state stamp is not newer than the stored one.
    StaleState,
    /// The movement echoes a command of the local player.
    Echo,
    /// The local player decides its own place and flight. A position only moves its tether.
    PlayerDecides,
    /// The local player is outside the world, and an ordinary position does not bring it in.
    PlayerNowhere,
    /// The message would remove the local player.
    LocalPlayerStays,
    /// The world already has a local player.
    PlayerKnown,
    /// The message is about the local player, and the world has none.
    NoLocalPlayer,
    /// The message is of a kind that this version does not handle.
    NotUnderstood,
    /// The host moves the body itself. See [`MotionWorld::suspend`](crate::MotionWorld::suspend).
    Suspended,
}

impl IgnoreReason {
    /// Returns whether a stamp was the reason, because the message came late or twice.
    ///
    /// Only stale messages count in [`Counters::stale`](crate::explain::Counters::stale).
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

/// The entity or life that a parked message waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParkReason {
    /// The entity is unknown.
    UnknownEntity,
    /// The message is about a later life of the entity.
    NewerInstance,
    /// The future holder of the entity is unknown.
    UnknownHolder,
}

/// Why an early message is lost instead of parked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DropReason {
    /// The message is about a later life while the earlier one is still present. See
    /// [`EarlyUpdatePolicy::Lost`](crate::config::EarlyUpdatePolicy::Lost).
    OldBodyStillThere,
    /// The message is larger than the parking limits, or a limit is zero. See
    /// [`Limits`](crate::config::Limits).
    NoRoom,
}

/// Why a message was refused.
///
/// Values are checked before stamps, so a refused message changes nothing but counters.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RefuseReason {
    /// The cell, the coordinates or the rotation is invalid.
    #[error(transparent)]
    Position(#[from] PlacementError),
    /// A component of the velocity or spin is not finite.
    #[error("vector.{field}: {value} is not a finite number")]
    Vector {
        /// Name of the component, `velocity.x` to `omega.z`.
        field: &'static str,
        /// The rejected value.
        value: f32,
    },
    /// A speed factor is invalid.
    #[error(transparent)]
    Speed(#[from] SpeedError),
    /// A parameter of a move-to is invalid.
    #[error(transparent)]
    MoveTo(#[from] MoveToError),
    /// The description is invalid, or the world is full.
    #[error(transparent)]
    Setup(#[from] InsertError),
    /// The entity would hold itself, directly or through others.
    #[error("an entity cannot hold itself, directly or through others")]
    HoldsItself,
    /// The chain of holders would be deeper than [`MAX_HOLDING_DEPTH`].
    #[error("held items may be nested at most {} levels deep", MAX_HOLDING_DEPTH)]
    HeldTooDeep,
}

/// Deepest nesting of held entities.
///
/// This is a safety bound (S11). The game itself nests one deep, and the client follows any chain.
/// An entity nested this deep cannot hold another. Held entities may still get deeper when their
/// holder is put into a hand. They are then not drawn.
pub const MAX_HOLDING_DEPTH: usize = 8;
