//! What was decided about entities under watch: one ring of small records, bounded in bytes.

use alloc::collections::VecDeque;

use evenstride_types::{
    EntityId, SimTime, Stamp,
    update::{PositionUpdate, Update},
};

use crate::{
    explain::RemoveReason,
    motion::TableOrigin,
    outcome::{
        CreateHow, Disposition, DropReason, Enqueued, IgnoreReason, MoveToEnd, ParkReason, PlaceReason,
        Steering,
    },
    storage::memory::MemoryPart,
};

/// Something that was decided about a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Decision {
    /// A position was heard.
    Position {
        /// Its stamp.
        stamp: Stamp,
        /// What became of it.
        outcome: Outcome,
        /// Waypoints on the route after it.
        waiting: u8,
        /// Metres: from the viewpoint, or moved if the body was placed.
        metres: f32,
    },
    /// A movement was heard.
    Movement {
        /// Its stamp.
        stamp: Stamp,
        /// What became of it.
        outcome: Outcome,
        /// What the legs do from then on, by command index; 0 if that is still to be decided.
        forward: u16,
        /// Speed of the forward axis.
        speed: f32,
    },
    /// Velocity and spin were heard.
    Vector {
        /// Their stamp.
        stamp: Stamp,
        /// What became of them.
        outcome: Outcome,
        /// Metres a second, upwards.
        rise: f32,
    },
    /// It has legs from now on.
    Legs {
        /// The motion table they follow.
        table: u32,
        /// The one it was described with, or its model has; 0 for none.
        own: u32,
        /// Where that which they follow comes from.
        origin: TableOrigin,
    },
    /// Its legs do something else than they are meant to, because of their motion table.
    OtherLegs {
        /// What they are meant to do, by command index.
        meant: u16,
        /// What they do, by command index.
        does: u16,
    },
    /// Something else was heard.
    Heard {
        /// What.
        what: Heard,
        /// What became of it.
        outcome: Outcome,
    },
    /// It is held from now on.
    Attached {
        /// By whom.
        holder: EntityId,
    },
    /// It follows another from now on.
    Follows {
        /// Whom.
        target: EntityId,
    },
    /// Nobody holds it any more.
    Detached,
    /// It is gone.
    Removed(RemoveReason),
    /// Updates that came too early are handled now.
    Replayed {
        /// How many.
        count: u32,
    },
    /// A waypoint was reached.
    Reached {
        /// How many are left.
        left: u16,
    },
    /// A waypoint was given up.
    GivenUp {
        /// Part of the possible headway that was made.
        headway: f32,
        /// How many were given up on this route.
        given_up: u8,
    },
    /// The route failed, and the body was put somewhere.
    Snapped {
        /// Where to.
        reason: PlaceReason,
        /// How far.
        metres: f32,
    },
    /// The surroundings refused a placement.
    PlacementRefused,
    /// A new waypoint replaced a nearly equal one.
    NewestReplaced,
    /// The route was full.
    OldestDropped,
    /// The last waypoint was reached, but the legs go on.
    RanDry,
    /// A follow ran out of time.
    FollowTimedOut,
    /// The server has sent it somewhere, or told it to turn.
    SetsOut {
        /// To whom, if it is somebody.
        target: Option<EntityId>,
    },
    /// It is on its way there.
    OnItsWay {
        /// To whom; 0 if it is a place.
        target: EntityId,
        /// Metres to go.
        metres: f32,
        /// Which way it turns.
        steering: Steering,
        /// Whether it runs.
        is_running: bool,
        /// Whether it flees.
        is_away: bool,
    },
    /// It turns on the spot.
    Turns {
        /// Which way.
        steering: Steering,
        /// To which heading, in degrees.
        heading: f32,
    },
    /// It makes no headway on its way.
    NoHeadway,
    /// It goes nowhere any more.
    MoveToEnded {
        /// Why.
        end: MoveToEnd,
        /// How far from its target it is.
        metres: f32,
    },
    /// It left the ground.
    TookOff {
        /// With so many metres a second upwards.
        rise: f32,
    },
    /// It came down.
    Landed {
        /// At so many metres a second.
        speed: f32,
    },
}

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

impl Decision {
    /// What is remembered of a message that did not reach a body.
    pub(crate) fn of(update: &Update, disposition: &Disposition) -> Self {
        let outcome = Outcome::from(disposition);
        match update {
            Update::Position(PositionUpdate { pack, .. })
            | Update::PositionAndMovement { position: PositionUpdate { pack, .. }, .. } => {
                Self::Position { stamp: pack.position, outcome, waiting: 0, metres: 0.0 }
            }
            Update::Movement(update) => {
                Self::Movement { stamp: update.movement.stamp, outcome, forward: 0, speed: 0.0 }
            }
            Update::Vector(update) => Self::Vector { stamp: update.stamp, outcome, rise: update.velocity.z },
            Update::Delete(_) => Self::Heard { what: Heard::Delete, outcome },
            Update::Parent(_) => Self::Heard { what: Heard::Hold, outcome },
            Update::Pickup(_) => Self::Heard { what: Heard::Pickup, outcome },
            Update::State(_) => Self::Heard { what: Heard::State, outcome },
            Update::Teleport(_) => Self::Heard { what: Heard::Teleport, outcome },
            _ => Self::Heard { what: Heard::Create, outcome },
        }
    }

    pub(crate) fn heard(what: Heard, disposition: &Disposition) -> Self {
        Self::Heard { what, outcome: Outcome::from(disposition) }
    }
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

/// A decision, when it was made and about whom: 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) at: SimTime,
    pub(crate) entity: EntityId,
    pub(crate) decision: Decision,
}

const _: () = assert!(size_of::<Entry>() <= 24);

/// The newest decisions, as many as fit. Memory is taken as they come.
#[derive(Clone, Debug)]
pub(crate) struct Decisions {
    ring: VecDeque<Entry>,
    max: usize,
}

impl Decisions {
    pub(crate) const fn bounded(bytes: usize) -> Self {
        Self { ring: VecDeque::new(), max: bytes / size_of::<Entry>() }
    }

    pub(crate) fn push(&mut self, at: SimTime, entity: EntityId, decision: Decision) {
        if self.max == 0 {
            return;
        }
        if self.ring.len() == self.max {
            let _ = self.ring.pop_front();
        }
        self.ring.push_back(Entry { at, entity, decision });
    }

    pub(crate) fn pop(&mut self) -> Option<Entry> {
        self.ring.pop_front()
    }

    pub(crate) fn memory(&self) -> MemoryPart {
        MemoryPart::queue("decisions", &self.ring)
    }

    /// Those about one entity, oldest first.
    pub(crate) fn about(&self, entity: EntityId) -> impl DoubleEndedIterator<Item = &Entry> {
        self.ring.iter().filter(move |entry| entry.entity == entity)
    }
}
