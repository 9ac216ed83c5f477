//! Counts of dispositions, for each entity and for the world.
//!
//! Each body has one set of counts, and [`Stats::heard`](crate::explain::Stats::heard) is the set
//! of the whole world. Removing a body drops its set.

use crate::outcome::{Disposition, PlaceReason};

/// Counts of received updates by their fate. Each count only grows, and saturates at the largest
/// `u32`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Updates that took effect.
    pub fresh: u32,
    /// Updates whose stamp shows that they were late, repeated, or from an earlier life of the
    /// entity.
    pub stale: u32,
    /// Number of times that the body reached its last waypoint while its motion went on. It means
    /// that updates arrive too rarely.
    pub starved: u32,
    /// Updates that arrived before their entity was created, and were parked. They are counted once
    /// the entity exists.
    pub parked: u32,
    /// Number of snaps, in which the body was placed instead of walking, by reason
    /// ([`PlaceReason::index`]).
    pub snapped: [u32; PlaceReason::ALL.len()],
}

impl Counters {
    /// Counts of a new entity, all 0.
    pub const NONE: Self =
        Self { fresh: 0, stale: 0, starved: 0, parked: 0, snapped: [0; PlaceReason::ALL.len()] };

    /// Returns how often the body was placed for this reason.
    pub const fn snapped_by(&self, reason: PlaceReason) -> u32 {
        self.snapped[reason.index()]
    }

    /// Returns how often the body was placed, for all reasons together.
    pub fn snaps(&self) -> u32 {
        self.snapped.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Counts one disposition.
    ///
    /// A placement is fresh even if the surroundings refused it, but only a completed one is a
    /// snap. A description that changed nothing is stale. Ignored updates without a stale stamp
    /// count as neither, and so do refused, parked and dropped ones.
    #[inline]
    pub(crate) const fn count(&mut self, disposition: &Disposition) {
        match disposition {
            Disposition::Placed { reason, done } => {
                self.fresh = self.fresh.saturating_add(1);
                if *done {
                    self.count_snap(*reason);
                }
            }
            Disposition::Ignored(reason) if reason.is_stale() => self.stale = self.stale.saturating_add(1),
            Disposition::Merged(parts) if parts.is_empty() => self.stale = self.stale.saturating_add(1),
            Disposition::Ignored(_)
            | Disposition::Refused(_)
            | Disposition::Parked(_)
            | Disposition::Dropped(_) => {}
            _ => self.fresh = self.fresh.saturating_add(1),
        }
    }

    /// Counts a placement. A step calls this too, for snaps that no update asked for.
    pub(crate) const fn count_snap(&mut self, reason: PlaceReason) {
        let count = &mut self.snapped[reason.index()];
        *count = count.saturating_add(1);
    }
}
