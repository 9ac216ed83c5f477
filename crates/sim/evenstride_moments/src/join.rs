//! Joins findings about one entity that are parts of the same moment.
//!
//! A gap leads to an overshoot, and that to a pull-back. A person sees one thing, so there is one
//! moment. The worst finding names it.

use crate::{
    cause::Reason,
    moment::{MAX_MOMENT_SECS, Moment, MomentKind},
    track::Track,
};

/// Seconds between two findings of the same moment.
const NEAR_SECS: f64 = 0.3;

/// Number of moments that later findings may still join.
const KEPT: usize = 8;

impl Track {
    /// Adds a finding. Returns a moment that no later finding can join.
    pub(crate) fn add_finding(&mut self, finding: Moment) -> Option<Moment> {
        let partner = self.recent.iter_mut().rev().find(|moment| may_join(moment, &finding));
        match partner {
            Some(moment) => {
                let other = std::mem::replace(moment, finding);
                absorb(moment, other);
                None
            }
            // A teleport waits for the decision about it.
            None if joins(finding.kind) || finding.kind == MomentKind::Teleport => {
                self.recent.push_back(finding);
                if self.recent.len() > KEPT { self.recent.pop_front() } else { None }
            }
            None => Some(finding),
        }
    }
}

/// Returns whether two findings may be one moment.
fn may_join(one: &Moment, other: &Moment) -> bool {
    let is_near = one.from <= other.to + NEAR_SECS && other.from <= one.to + NEAR_SECS;
    // Each correction keeps a moment of its own.
    let has_two_corrections = one.correction.is_some() && other.correction.is_some();
    if !is_near || has_two_corrections || !joins(one.kind) || !joins(other.kind) {
        return false;
    }
    let (from, to) = joint_span(one, other);
    let worst = if outranks(one, other) { one } else { other };
    let length = to - from;
    length <= MAX_MOMENT_SECS || length <= worst.cause.to - worst.cause.from
}

/// Returns whether a finding names a moment rather than another one. A gap is a cause, and never names
/// a visible fault.
fn outranks(one: &Moment, other: &Moment) -> bool {
    match (one.kind == MomentKind::Gap, other.kind == MomentKind::Gap) {
        (true, false) => false,
        (false, true) => true,
        _ => one.severity.rank > other.severity.rank,
    }
}

/// Returns whether a kind is a short fault of motion. Others are reported on their own.
const fn joins(kind: MomentKind) -> bool {
    !matches!(
        kind,
        MomentKind::Teleport
            | MomentKind::StopAndGo
            | MomentKind::LostUpdates
            | MomentKind::LateCreation
            | MomentKind::MissingTable
    )
}

/// Returns the start and end of both. A gap is a cause, and does not lengthen a visible fault.
fn joint_span(one: &Moment, other: &Moment) -> (f64, f64) {
    match (one.kind, other.kind) {
        (MomentKind::Gap, kind) if kind != MomentKind::Gap => (other.from, other.to),
        (kind, MomentKind::Gap) if kind != MomentKind::Gap => (one.from, one.to),
        _ => (one.from.min(other.from), one.to.max(other.to)),
    }
}

/// Adds another finding to a moment.
fn absorb(moment: &mut Moment, mut other: Moment) {
    let (from, to) = joint_span(moment, &other);
    if outranks(&other, moment) {
        std::mem::swap(moment, &mut other);
    }
    moment.seen.get_or_insert((moment.from, moment.to));
    (moment.from, moment.to) = (from, to);
    if other.kind != moment.kind && !moment.also.contains(&other.kind) {
        moment.also.push(other.kind);
    }
    let also = other.also.into_iter().filter(|kind| *kind != moment.kind);
    let fresh: Vec<MomentKind> = also.filter(|kind| !moment.also.contains(kind)).collect();
    moment.also.extend(fresh);
    moment.also.sort_unstable();
    moment.correction = moment.correction.or(other.correction);
    moment.decisions.append(&mut other.decisions);
    moment.decisions.sort_by(|one, other| one.at.as_secs().total_cmp(&other.at.as_secs()));
    join_stalls(moment, other.cause.reason);
    if other.kind == MomentKind::Gap && is_due_to_gaps(moment.kind) && moment.cause.gap < other.cause.gap {
        // The gap explains more than the position that showed the fault.
        let span = (moment.cause.from.min(other.cause.from), moment.cause.to.max(other.cause.to));
        let remedies = std::mem::replace(&mut moment.cause, other.cause).remedies;
        let more = remedies.into_iter().filter(|remedy| !moment.cause.remedies.contains(remedy));
        let more: Vec<_> = more.collect();
        moment.cause.remedies.extend(more);
        (moment.cause.from, moment.cause.to) = span;
    }
    moment.cause.from = moment.cause.from.min(from);
    moment.cause.to = moment.cause.to.max(moment.cause.from);
}

/// Returns whether a gap in updates leads to faults of a kind.
const fn is_due_to_gaps(kind: MomentKind) -> bool {
    matches!(kind, MomentKind::PullBack | MomentKind::Reversal | MomentKind::Overshoot | MomentKind::Frozen)
}

/// Counts the waypoints given up in a moment.
const fn join_stalls(moment: &mut Moment, other: Reason) {
    if let (Reason::NoHeadway { given_up, .. }, Reason::NoHeadway { given_up: more, .. }) =
        (&mut moment.cause.reason, other)
    {
        *given_up += more;
    }
}
