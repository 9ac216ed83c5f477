//! Flicks: abrupt turns.

use evenstride_types::Heading;

use super::last_two;
use crate::{
    cause::{Cause, Reason, Remedy},
    moment::{Moment, MomentKind, Severity},
    track::Track,
};

/// Turn in degrees between two samples that is a flick, and its least speed in degrees per second.
/// Players turn at up to 280 degrees per second.
const FLICK_DEG: f32 = 40.0;
const FLICK_DEG_PER_SEC: f64 = 600.0;

impl Track {
    /// Looks at the newest sample.
    pub(crate) fn look_for_flick(&self, is_gliding: bool) -> Option<Moment> {
        let [before, now] = last_two(self)?;
        let heading = |degrees: f32| Heading::from_degrees(degrees).ok();
        let turn = heading(before.heading)?.turn_to(heading(now.heading)?).abs();
        if turn < FLICK_DEG || f64::from(turn) / (now.time - before.time) < FLICK_DEG_PER_SEC {
            return None;
        }
        let kind = MomentKind::Flick;
        let remedies = if is_gliding { Vec::new() } else { vec![Remedy::Glide] };
        let cause = Cause { reason: Reason::HeadingSet, remedies, ..self.cause(is_gliding) };
        Some(Moment {
            kind,
            entity: self.entity,
            from: before.time,
            to: now.time,
            severity: Severity::of(kind, 0.0, now.time - before.time, f64::from(turn)),
            cause,
            correction: None,
            also: Vec::new(),
            decisions: Vec::new(),
            seen: None,
        })
    }
}
