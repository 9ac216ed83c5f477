//! What was decided about traced entities: one ring of small records, bounded in bytes.

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

/// A decision, when it was made and about whom: 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) at: SimTime,
    pub(crate) entity: EntityId,
    pub(crate) decision: Happening,
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

    pub(crate) fn push(&mut self, at: SimTime, entity: EntityId, decision: Happening) {
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
