//! Things worth knowing that happened, in order, for a host to take.

use alloc::collections::VecDeque;

use evenstride_types::{EntityId, SimTime};

use crate::journal::Happening;

/// Something happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// When.
    pub at: SimTime,
    /// To whom.
    pub entity: EntityId,
    /// What.
    pub kind: Happening,
}

/// A queue that never holds more than it may: the oldest event makes room, and is counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    pub(crate) queue: VecDeque<Event>,
    pub(crate) max: usize,
}

impl Events {
    /// Says how many were dropped: one or none.
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
