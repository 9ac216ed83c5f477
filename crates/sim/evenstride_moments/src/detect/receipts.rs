//! Faults that a position shows when it arrives: overshoots, and gaps in updates.

use crate::{
    cause::{Cause, Reason, Remedy},
    moment::{Moment, MomentKind, Severity},
    track::{Receipt, Track},
};

/// Distance in metres beyond a position that a person notices.
const OVERSHOOT_METRES: f64 = 0.5;

/// A gap is reported if it is this many times as long as usual, and longer by [`GAP_SECS`].
const LONG_GAP: f64 = 3.0;
const GAP_SECS: f64 = 0.5;

/// Distance in metres that an entity moves at least in a gap.
const GAP_METRES: f32 = 0.3;

impl Track {
    /// Returns a finding if the body was drawn too far ahead.
    pub(crate) fn look_for_overshoot(&self, receipt: &Receipt, is_gliding: bool) -> Option<Moment> {
        let (ahead, _) = receipt.off()?;
        if ahead < OVERSHOOT_METRES {
            return None;
        }
        let kind = MomentKind::Overshoot;
        Some(Moment {
            kind,
            entity: self.entity,
            from: receipt.time,
            to: receipt.time,
            severity: Severity::of(kind, ahead, 0.0, 0.0),
            cause: self.cause_of(receipt, is_gliding),
            correction: None,
            also: Vec::new(),
            decisions: Vec::new(),
            seen: None,
        })
    }

    /// Returns a finding if the position came much later than usual.
    pub(crate) fn look_for_gap(&self, receipt: &Receipt, is_gliding: bool) -> Option<Moment> {
        let (gap, usual) = (receipt.gap?, receipt.usual_gap?);
        let is_long = gap > LONG_GAP * usual && gap > usual + GAP_SECS;
        if !is_long || receipt.moved.length() < GAP_METRES {
            return None;
        }
        let kind = MomentKind::Gap;
        let due = receipt.time - gap + usual;
        let cause = Cause {
            reason: Reason::UpdateGap,
            remedies: vec![Remedy::PositionInTime { due }],
            ..self.cause_of(receipt, is_gliding)
        };
        Some(Moment {
            kind,
            entity: self.entity,
            from: due,
            to: receipt.time,
            severity: Severity::of(kind, f64::from(receipt.drawn.distance(receipt.at)), gap - usual, 0.0),
            cause,
            correction: None,
            also: Vec::new(),
            decisions: Vec::new(),
            seen: None,
        })
    }
}
