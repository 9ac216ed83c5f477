//! The queue of events, in the order in which they happened.
//!
//! Hosts empty it with `MotionWorld::poll_event`. Events are not part of a saved world.

use alloc::collections::VecDeque;

use evenstride_types::{EntityId, SimTime};

use crate::journal::Happening;

/// A happening that every host can poll.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// Time of the step or the message that caused it.
    pub at: SimTime,
    /// Entity that it happened to. The entity may be gone by the time of the poll.
    pub entity: EntityId,
    /// Happening for which [`Happening::is_event`] is `true`.
    pub kind: Happening,
}

/// A bounded queue. The oldest event makes room for the newest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    /// Events that were not polled yet, oldest first.
    pub(crate) queue: VecDeque<Event>,
    /// Largest length of the queue. With 0 every event is dropped.
    pub(crate) max: usize,
}

impl Events {
    /// Adds an event. Returns the number of events dropped for it, which is 0 or 1.
    #[must_use]
    pub(crate) fn push(&mut self, event: Event) -> u64 {
        if self.max == 0 {
            return 1;
        }
        let is_full = self.queue.len() >= self.max;
        if is_full {
            let _ = self.queue.pop_front();
        }
        self.queue.push_back(event);
        u64::from(is_full)
    }
}
