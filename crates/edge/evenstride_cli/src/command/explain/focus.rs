//! The moment that an explanation is about.

use evenstride_moments::{Moment, MomentKind};

use super::overlaps;
use crate::args::TimeRange;

/// Seconds around a requested time within which a moment is meant.
const MEANT_SECS: f64 = 0.5;

/// Moments that one answer tells of at most.
const TOLD: usize = 3;

/// The moments of an explanation, worst first.
pub(super) enum Focus<'a> {
    /// Moments at the requested time, worst first.
    In(Vec<&'a Moment>),
    /// No moment is at that time, and this one is nearest.
    Near(&'a Moment),
    /// No time was requested, and this moment is the worst.
    Worst(&'a Moment),
    /// There are no moments.
    Nothing,
}

impl<'a> Focus<'a> {
    /// Chooses among moments, which come worst first.
    pub(super) fn of(at: Option<TimeRange>, moments: impl Iterator<Item = &'a Moment>) -> Self {
        // What lasts as long as an entity, or is not seen, answers only if nothing else does.
        let (lasting, mut seen): (Vec<_>, Vec<_>) = moments
            .partition(|moment| matches!(moment.kind, MomentKind::MissingTable | MomentKind::LateCreation));
        let Some(TimeRange { from, to }) = at else {
            return seen.first().or(lasting.first()).map_or(Self::Nothing, |worst| Self::Worst(worst));
        };
        let mut meant: Vec<&Moment> = seen
            .iter()
            .filter(|moment| overlaps(moment, from - MEANT_SECS, to + MEANT_SECS))
            .copied()
            .collect();
        if !meant.is_empty() {
            // An instant means one thing, a range may mean several.
            meant.truncate(if from == to { 1 } else { TOLD });
            return Self::In(meant);
        }
        let apart = |moment: &Moment| (moment.from - to).max(from - moment.to);
        seen.sort_by(|one, other| apart(one).total_cmp(&apart(other)));
        seen.first().map_or(Self::Nothing, |nearest| Self::Near(nearest))
    }

    /// Returns the moment that matters most.
    pub(super) fn moment(&self) -> Option<&'a Moment> {
        match self {
            Self::In(moments) => moments.first().copied(),
            Self::Near(moment) | Self::Worst(moment) => Some(moment),
            Self::Nothing => None,
        }
    }

    /// Returns the number of moments that the answer tells of.
    pub(super) const fn count(&self) -> usize {
        match self {
            Self::In(moments) => moments.len(),
            Self::Near(_) | Self::Worst(_) => 1,
            Self::Nothing => 0,
        }
    }

    /// Returns the span of the decisions that the answer is about.
    pub(super) fn span(&self, at: Option<TimeRange>) -> Option<(f64, f64)> {
        let span = |moment: &Moment| (moment.from.min(moment.cause.from) - 1e-3, moment.to + 1e-3);
        match self {
            Self::In(moments) => {
                let spans = moments.iter().map(|moment| span(moment));
                spans.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
            }
            Self::Worst(moment) => Some(span(moment)),
            Self::Near(_) | Self::Nothing => at.map(|TimeRange { from, to }| (from, to)),
        }
    }
}
