//! Who is given up when: a queue of deadlines that all lie equally far ahead, so that the order of asking is the order of coming due.

use alloc::collections::VecDeque;

use evenstride_types::EntityId;

use crate::storage::ids::IdMap;

/// At most one deadline for each entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timeouts {
    queue: VecDeque<Deadline>,
    /// The only entry of the queue that counts, by entity.
    valid: IdMap<u64>,
    serial: u64,
}

#[derive(Clone, Copy, Debug)]
struct Deadline {
    at: f64,
    entity: EntityId,
    serial: u64,
}

impl Timeouts {
    /// Sets the deadline of an entity, in place of any it had.
    pub(crate) fn set(&mut self, entity: EntityId, at: f64) {
        self.serial += 1;
        self.valid.insert(entity, self.serial);
        if self.queue.len() >= 2 * self.valid.len() + 64 {
            let valid = &self.valid;
            self.queue.retain(|deadline| valid.get(&deadline.entity) == Some(&deadline.serial));
        }
        self.queue.push_back(Deadline { at, entity, serial: self.serial });
    }

    /// Time went back: no deadline may lie farther ahead than a new one would.
    pub(crate) fn bring_forward(&mut self, latest: f64) {
        self.queue.iter_mut().for_each(|deadline| deadline.at = deadline.at.min(latest));
    }

    pub(crate) fn clear(&mut self, entity: EntityId) {
        if !self.valid.is_empty() {
            self.valid.remove(&entity);
        }
    }

    /// The next entity whose deadline has come.
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

    /// Every deadline that counts, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (EntityId, f64)> {
        let counts = |deadline: &&Deadline| self.valid.get(&deadline.entity) == Some(&deadline.serial);
        self.queue.iter().filter(counts).map(|deadline| (deadline.entity, deadline.at))
    }

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
