//! Snapshot buffers, which draw entities in the past.

mod fixed;
mod mirror;

pub(crate) use self::{fixed::draw_late, mirror::draw_like_mirror};
use crate::line::Arrival;

/// The snapshots that have arrived, in order of sending.
#[derive(Debug, Default)]
struct Snapshots(Vec<Arrival>);

impl Snapshots {
    /// Adds a snapshot. A repeated one is dropped.
    fn insert(&mut self, arrival: Arrival) {
        let index = self.0.partition_point(|one| one.sent < arrival.sent);
        if self.0.get(index).is_none_or(|one| one.sent > arrival.sent) {
            self.0.insert(index, arrival);
        }
    }

    /// Returns the place at a time of sending, on the line between two snapshots. Beyond the newest
    /// one, the entity stays there.
    fn place(&self, then: f64) -> Option<[f64; 3]> {
        let after = self.0.partition_point(|one| one.sent <= then);
        let (Some(from), Some(to)) =
            (after.checked_sub(1).and_then(|index| self.0.get(index)), self.0.get(after))
        else {
            return if after == 0 { self.0.first() } else { self.0.last() }.map(|one| one.at.place);
        };
        let part = (then - from.sent) / (to.sent - from.sent);
        Some([0, 1, 2].map(|axis| from.at.place[axis] + (to.at.place[axis] - from.at.place[axis]) * part))
    }

    /// Drops snapshots that no later time needs.
    fn forget_before(&mut self, then: f64) {
        let after = self.0.partition_point(|one| one.sent <= then);
        self.0.drain(..after.saturating_sub(1));
    }
}
