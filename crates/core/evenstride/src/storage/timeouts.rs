//! Deadlines of entities.
//!
//! Every deadline of a queue is set equally far ahead, so deadlines fall due in the order in which
//! they were set. A queue is enough for that, and no heap is needed.
//!
//! A deadline that is replaced or cleared stays in the queue and is skipped later. Each entry has a
//! serial number, and only the newest one of an entity is valid.
//!
//! There are four such queues. Two belong to the parking, one removes entities that are outside the
//! world, and one ends the coasting of bodies in the generic API.

use alloc::collections::VecDeque;

use evenstride_types::EntityId;

use crate::storage::ids::IdMap;

/// A queue of deadlines, at most one valid deadline for each entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timeouts {
    /// Deadlines in the order in which they were set, including invalid ones.
    queue: VecDeque<Deadline>,
    /// Serial number of the only valid deadline, by entity.
    valid: IdMap<u64>,
    /// Serial number of the deadline that was set last. It is not saved.
    serial: u64,
}

/// One entry of the queue.
#[derive(Clone, Copy, Debug)]
struct Deadline {
    /// Time at which it falls due, in seconds of the world's clock.
    at: f64,
    entity: EntityId,
    /// Number by which the entry is compared with the valid one of its entity.
    serial: u64,
}

impl Timeouts {
    /// Sets the deadline of an entity, in place of an earlier one.
    ///
    /// `at` must not lie before a deadline that was set earlier. Invalid entries are removed once
    /// they are the majority, so memory stays proportional to the number of valid deadlines.
    pub(crate) fn set(&mut self, entity: EntityId, at: f64) {
        self.serial += 1;
        self.valid.insert(entity, self.serial);
        if self.queue.len() >= 2 * self.valid.len() + 64 {
            let valid = &self.valid;
            self.queue.retain(|deadline| valid.get(&deadline.entity) == Some(&deadline.serial));
        }
        self.queue.push_back(Deadline { at, entity, serial: self.serial });
    }

    /// Moves every deadline after `latest` back to it.
    ///
    /// The caller does this after time went back, so that no deadline lies farther ahead than a new
    /// one. The order of the queue stays valid.
    pub(crate) fn bring_forward(&mut self, latest: f64) {
        self.queue.iter_mut().for_each(|deadline| deadline.at = deadline.at.min(latest));
    }

    /// Removes the deadline of an entity, if it has one. Its entry in the queue becomes invalid.
    pub(crate) fn clear(&mut self, entity: EntityId) {
        if !self.valid.is_empty() {
            self.valid.remove(&entity);
        }
    }

    /// Removes the next deadline that is due at `now`, and returns its entity.
    ///
    /// A deadline at exactly `now` is due. The caller repeats the call until it returns `None`.
    pub(crate) fn next_due(&mut self, now: f64) -> Option<EntityId> {
        while let Some(deadline) = self.queue.front().copied() {
            let counts = self.valid.get(&deadline.entity) == Some(&deadline.serial);
            if counts && deadline.at > now {
                return None;
            }
            let _ = self.queue.pop_front();
            if counts {
                self.valid.remove(&deadline.entity);
                return Some(deadline.entity);
            }
        }
        None
    }

    /// Returns the time of the next deadline, or `None` if there is none.
    pub(crate) fn first(&self) -> Option<f64> {
        self.iter().next().map(|(_, at)| at)
    }

    /// Returns every valid deadline, in the order in which they were set. Saving needs that order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (EntityId, f64)> {
        let counts = |deadline: &&Deadline| self.valid.get(&deadline.entity) == Some(&deadline.serial);
        self.queue.iter().filter(counts).map(|deadline| (deadline.entity, deadline.at))
    }

    /// Returns the number of entities that have a deadline.
    pub(crate) fn len(&self) -> usize {
        self.valid.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_deadline_replaces_the_old_one_and_memory_stays_bounded() {
        let mut timeouts = Timeouts::default();
        let [a, b] = [1, 2].map(EntityId::new);
        timeouts.set(b, 5.0);
        for round in 0..10_000 {
            timeouts.set(a, f64::from(round));
        }
        assert!(timeouts.queue.len() < 100, "{}", timeouts.queue.len());
        assert_eq!(timeouts.next_due(4.9), None);
        assert_eq!(timeouts.next_due(5.0), Some(b));
        assert_eq!(timeouts.next_due(9_998.0), None);
        timeouts.clear(a);
        assert_eq!((timeouts.next_due(1e9), timeouts.len()), (None, 0));
    }
}
