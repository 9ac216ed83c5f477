//! Faults that a message, an event or a decision reports: snaps, teleports, stalls, lost updates, late
//! creation, and missing motion tables.

use evenstride::{explain::Explanation, outcome::PlaceReason};

use crate::{
    cause::{Cause, Reason, Remedy},
    moment::{Correction, CorrectionWay, Moment, MomentKind, Severity},
    track::Track,
};

/// Seconds after a position that is too far to walk to, within which a snap is due to it.
const TOO_FAR_SECS: f64 = 3.0;

/// Factor on the rank of a snap far from the viewer, where it is hardly visible.
const FAR_FACTOR: f64 = 0.02;

impl Track {
    /// Returns the moment of a placement of `metres` metres.
    pub(crate) fn snap(&self, time: f64, reason: PlaceReason, metres: f64, is_gliding: bool) -> Moment {
        let kind = if reason == PlaceReason::Teleport { MomentKind::Teleport } else { MomentKind::Snap };
        let is_too_far = self.too_far_at.is_some_and(|at| time - at <= TOO_FAR_SECS);
        let (reason_code, remedies) = match reason {
            PlaceReason::GaveUp | PlaceReason::GaveUpLast if is_too_far => {
                (Reason::TooFar, vec![Remedy::WalkableWay])
            }
            PlaceReason::GaveUp | PlaceReason::GaveUpLast => {
                (Reason::Placed { rule: reason, height: None }, vec![Remedy::WalkableWay])
            }
            PlaceReason::Teleport => (Reason::Teleported, Vec::new()),
            rule => {
                // Other profiles fly and land by themselves.
                let is_landing = matches!(rule, PlaceReason::Landing | PlaceReason::LandingOverdue);
                let remedies = if is_landing && !is_gliding { vec![Remedy::Glide] } else { Vec::new() };
                (Reason::Placed { rule, height: self.placed_height }, remedies)
            }
        };
        let mut severity = Severity::of(kind, metres, 0.0, 0.0);
        if reason == PlaceReason::FarFromViewpoint {
            severity.rank *= FAR_FACTOR;
        }
        let cause = match reason {
            PlaceReason::GaveUp | PlaceReason::GaveUpLast => self.cause(is_gliding),
            // The position itself placed the body.
            _ => Cause {
                heard: self.receipts.back().map(|last| last.time),
                arrived: Some(time),
                ..Cause::default()
            },
        };
        let cause = Cause { reason: reason_code, from: time, to: time, remedies, ..cause };
        Moment {
            correction: Some(Correction {
                from: time,
                to: time,
                metres,
                top_speed: 0.0,
                way: CorrectionWay::Placed,
            }),
            ..self.reported(kind, time, severity, cause)
        }
    }

    /// Returns the moment of a waypoint that was given up.
    pub(crate) fn stall(&self, decision: &Explanation, headway: f64, is_gliding: bool) -> Moment {
        let time = decision.at.as_secs();
        let kind = MomentKind::Stall;
        let behind = self.samples.back().zip(self.receipts.back());
        let metres = behind.map_or(0.0, |(sample, receipt)| f64::from(sample.at.distance(receipt.at)));
        let cause = Cause {
            reason: Reason::NoHeadway { given_up: 1, headway },
            from: time,
            to: time,
            remedies: vec![Remedy::WalkableWay],
            ..self.cause(is_gliding)
        };
        let moment = self.reported(kind, time, Severity::of(kind, metres, 0.0, 0.0), cause);
        Moment { decisions: vec![*decision], ..moment }
    }

    /// Returns the moment of lost, dropped or refused updates.
    pub(crate) fn lost(&self, time: f64, reason: Reason, count: u32) -> Moment {
        let kind = MomentKind::LostUpdates;
        let remedy = match reason {
            Reason::InvalidValue { .. } => Remedy::ValidValues,
            Reason::TooEarly { .. } => Remedy::DescribeFirst,
            _ => Remedy::LoseNothing,
        };
        let cause = Cause { reason, from: time, to: time, remedies: vec![remedy], ..Cause::default() };
        let mut severity = Severity::of(kind, 0.0, 0.0, 0.0);
        severity.rank = kind.weights()[0] * f64::from(count);
        self.reported(kind, time, severity, cause)
    }

    /// Returns the moment of a description that came after its first update.
    pub(crate) fn late(&self, since: f64, time: f64, count: u32) -> Moment {
        let kind = MomentKind::LateCreation;
        let cause = Cause {
            reason: Reason::LateDescription { count },
            from: since,
            to: time,
            remedies: vec![Remedy::DescribeFirst],
            ..Cause::default()
        };
        let severity = Severity::of(kind, 0.0, time - since, 0.0);
        Moment { from: since, ..self.reported(kind, time, severity, cause) }
    }

    /// Returns the moment of a missing motion table, which lasts until `to`.
    pub(crate) fn missing(&self, from: f64, to: f64, table: u32) -> Moment {
        let kind = MomentKind::MissingTable;
        let cause = Cause {
            reason: Reason::TableNotLoaded { table },
            from,
            to,
            remedies: vec![Remedy::LoadTable { table }],
            ..Cause::default()
        };
        Moment { from, ..self.reported(kind, to, Severity::of(kind, 0.0, to - from, 0.0), cause) }
    }

    const fn reported(&self, kind: MomentKind, time: f64, severity: Severity, cause: Cause) -> Moment {
        Moment {
            kind,
            entity: self.entity,
            from: time,
            to: time,
            severity,
            cause,
            correction: None,
            also: Vec::new(),
            decisions: Vec::new(),
            seen: None,
        }
    }
}
