//! Decisions about traced entities.
//!
//! All traced entities share one ring of small records, bounded in bytes. Hosts read it by entity
//! with `MotionWorld::explain`, or empty it with `MotionWorld::poll_decision`.

use alloc::collections::VecDeque;

use evenstride_types::{
    EntityId, SimTime,
    update::{PositionUpdate, Update},
};

use crate::{
    journal::Happening,
    outcome::{Disposition, Heard, Outcome},
    storage::memory::MemoryPart,
};

impl Happening {
    /// Returns the note of a message that did not reach a body.
    ///
    /// The message was parked, dropped, or about another life. Fields that only a body could fill
    /// are 0.
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

    /// Returns the note of a message that has neither position, movement nor velocity.
    pub(crate) fn heard(what: Heard, disposition: &Disposition) -> Self {
        Self::Heard { what, outcome: Outcome::from(disposition) }
    }
}

/// A decision with its time and its entity, in at most 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Time of the step or the message that decided.
    pub(crate) at: SimTime,
    /// Traced entity, which may be outside the world or unknown.
    pub(crate) entity: EntityId,
    /// Happening for which [`Happening::is_traced`] is `true`.
    pub(crate) decision: Happening,
}

const _: () = assert!(size_of::<Entry>() <= 24);

/// The newest decisions, as many as fit. Memory grows as they arrive.
#[derive(Clone, Debug)]
pub(crate) struct Decisions {
    /// Decisions about all traced entities, oldest first.
    ring: VecDeque<Entry>,
    /// Largest number of entries. With 0 nothing is kept.
    max: usize,
}

impl Decisions {
    /// Returns an empty ring for as many entries as fit into `bytes`.
    pub(crate) const fn bounded(bytes: usize) -> Self {
        Self { ring: VecDeque::new(), max: bytes / size_of::<Entry>() }
    }

    /// Adds a decision. If the ring is full, the oldest one makes room, whichever entity it is
    /// about.
    pub(crate) fn push(&mut self, at: SimTime, entity: EntityId, decision: Happening) {
        if self.max == 0 {
            return;
        }
        if self.ring.len() == self.max {
            let _ = self.ring.pop_front();
        }
        self.ring.push_back(Entry { at, entity, decision });
    }

    /// Removes and returns the oldest decision. It is then missing from explanations.
    pub(crate) fn pop(&mut self) -> Option<Entry> {
        self.ring.pop_front()
    }

    /// Removes the decisions about one entity. Scans the whole ring.
    pub(crate) fn forget(&mut self, entity: EntityId) {
        self.ring.retain(|entry| entry.entity != entity);
    }

    /// Returns how much memory the ring takes.
    pub(crate) fn memory(&self) -> MemoryPart {
        MemoryPart::queue("decisions", &self.ring)
    }

    /// Returns the decisions about one entity, oldest first. Scans the whole ring.
    pub(crate) fn about(&self, entity: EntityId) -> impl DoubleEndedIterator<Item = &Entry> {
        self.ring.iter().filter(move |entry| entry.entity == entity)
    }
}
