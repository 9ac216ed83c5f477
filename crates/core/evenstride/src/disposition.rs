//! What became of an update, and why.

use evenstride_types::InvalidPlacement;

use crate::{gait::InvalidSpeed, route::Enqueued};

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
    /// Nothing happened, as in the client.
    Ignored(IgnoreReason),
    /// It is for later: the entity it is about does not exist yet.
    Early(EarlyReason),
    /// It cannot be: the client would have taken it and broken.
    Refused(RefuseReason),
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
}

/// What part of an update is not simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartReason {
    /// Going somewhere or turning under the server's control. The run rate that came with it is in force.
    ServerMovement,
}

/// Why an update had no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoreReason {
    /// It is about an earlier life of the entity.
    OlderInstance,
    /// A newer position, or this one, was heard already.
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
}

/// What an update waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyReason {
    /// Nobody has heard of the entity.
    UnknownEntity,
    /// It is about a later life of the entity.
    NewerInstance,
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
}
