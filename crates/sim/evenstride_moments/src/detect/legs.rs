//! Feet that do not fit the ground: slides, and running on the spot.

use evenstride::MovedBy;

use super::{STANDS, last_two};
use crate::{
    cause::{Cause, Reason, Remedy},
    moment::{Moment, MomentKind, Severity},
    track::Track,
};

/// Shortest time in seconds that a person notices.
const NOTICED_SECS: f64 = 0.3;

/// Shortest slide in metres that a person notices.
const SLIDE_METRES: f64 = 0.2;

/// Speed in metres per second above which a standing body slides, or an animation runs on the spot.
const FAST: f32 = 0.3;

/// State of the detector.
#[derive(Clone, Debug, Default)]
pub(crate) struct Legs {
    run: Option<Run>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    kind: MomentKind,
    from: f64,
    to: f64,
    metres: f64,
}

impl Track {
    /// Looks at the newest sample.
    pub(crate) fn look_at_legs(&mut self, is_gliding: bool) -> Option<Moment> {
        let [before, now] = last_two(self)?;
        let way = (now.at - before.at).with_z(0.0).length();
        let secs = now.time - before.time;
        let speed = way / secs as f32;
        let is_on_foot =
            !matches!(now.moved_by, MovedBy::Flight | MovedBy::Holder) && before.moved_by != MovedBy::Flight;
        let kind = match now.stride {
            None if is_on_foot && speed > FAST => Some(MomentKind::Slide),
            Some(stride) if is_on_foot && stride > FAST && speed < STANDS => Some(MomentKind::RunOnTheSpot),
            _ => None,
        };
        let ended = self.legs.run.filter(|run| Some(run.kind) != kind);
        if ended.is_some() {
            self.legs.run = None;
        }
        if let Some(kind) = kind {
            let run = self.legs.run.get_or_insert(Run { kind, from: before.time, to: now.time, metres: 0.0 });
            run.to = now.time;
            run.metres += f64::from(way);
        }
        self.legs_moment(&ended?, is_gliding)
    }

    /// Ends a run that goes on at the end.
    pub(crate) fn end_legs(&mut self, is_gliding: bool) -> Option<Moment> {
        let run = self.legs.run.take()?;
        self.legs_moment(&run, is_gliding)
    }

    fn legs_moment(&self, run: &Run, is_gliding: bool) -> Option<Moment> {
        let Run { kind, from, to, metres } = *run;
        if to - from < NOTICED_SECS || (kind == MomentKind::Slide && metres < SLIDE_METRES) {
            return None;
        }
        let reason = if kind == MomentKind::Slide { Reason::NoStride } else { Reason::StrideOnly };
        let mut remedies = vec![Remedy::MovementMessage];
        if !is_gliding {
            remedies.push(Remedy::Glide);
        }
        Some(Moment {
            kind,
            entity: self.entity,
            from,
            to,
            severity: Severity::of(kind, metres, to - from, 0.0),
            // The animation stays wrong for as long as the fault is seen.
            cause: Cause { reason, from, to, remedies, ..self.cause(is_gliding) },
            correction: None,
            also: Vec::new(),
            decisions: Vec::new(),
            seen: None,
        })
    }
}
