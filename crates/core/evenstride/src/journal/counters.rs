//! How updates fared, per entity and in total.

use crate::outcome::{Disposition, PlaceReason};

/// What became of what was heard. Each number only grows; it stops at its largest value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Updates that took effect.
    pub fresh: u32,
    /// Updates rejected because of a stamp: late, repeated, or of an earlier life.
    pub stale: u32,
    /// Times the last waypoint was reached while the gait said the body was still going: it heard too little.
    pub starved: u32,
    /// Updates that came too early and waited.
    pub parked: u32,
    /// Times the body was put somewhere instead of walking there, by reason ([`PlaceReason::index`]).
    pub snapped: [u32; PlaceReason::ALL.len()],
}

impl Counters {
    /// Nothing was heard yet.
    pub const NONE: Self =
        Self { fresh: 0, stale: 0, starved: 0, parked: 0, snapped: [0; PlaceReason::ALL.len()] };

    /// Times the body was put somewhere for this reason.
    pub const fn snapped_by(&self, reason: PlaceReason) -> u32 {
        self.snapped[reason.index()]
    }

    /// Times the body was put somewhere, whatever the reason.
    pub fn snaps(&self) -> u32 {
        self.snapped.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

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

    pub(crate) const fn count_snap(&mut self, reason: PlaceReason) {
        let count = &mut self.snapped[reason.index()];
        *count = count.saturating_add(1);
    }
}
