//! Backward motion: pull-backs and reversals.
//!
//! A run begins when a body moves against its last direction, and ends when it stops or turns. The
//! next position tells whether the entity itself went back. Only if it did not, the run is a fault.

use evenstride::MovedBy;
use evenstride_types::Vec3;

use super::{MOVES, STANDS};
use crate::{
    moment::{Correction, CorrectionWay, MAX_MOMENT_SECS, Moment, MomentKind, Severity},
    track::{Receipt, Sample, Track},
};

/// Shortest backward motion in metres that a person notices.
const BACK_METRES: f32 = 0.15;

/// Cosine of the angle between two directions beyond which the motion is reversed, which is 120°.
const REVERSED: f32 = -0.5;

/// Cosine beyond which a run goes on.
const STILL_REVERSED: f32 = -0.3;

/// Seconds for which a standing body remembers its direction.
const REMEMBERED_SECS: f64 = 3.0;

/// Seconds after which a run is judged without another position.
const JUDGED_SECS: f64 = 3.0;

/// A body that is this many metres beyond the newest position has gone too far.
const TOO_FAR_METRES: f32 = 0.1;

/// State of the detector.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backward {
    /// Last direction of motion, and its time.
    way: Option<(Vec3, f64)>,
    run: Option<Run>,
    /// A finished run whose verdict depends on the next position.
    waiting: Option<Run>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    way: Vec3,
    from: f64,
    to: f64,
    start: Vec3,
    end: Vec3,
    top_speed: f32,
    /// Newest position at the start of the run.
    receipt: Receipt,
}

impl Track {
    /// Looks at the newest sample.
    pub(crate) fn look_backward(&mut self, is_gliding: bool) -> Option<Moment> {
        let [before, now] = last_two(self)?;
        let secs = now.time - before.time;
        let velocity = ((now.at - before.at) / secs as f32).with_z(0.0);
        let speed = velocity.length();
        let found = self.judge_after(now.time, is_gliding);
        if [before.moved_by, now.moved_by].iter().any(|by| matches!(by, MovedBy::Flight | MovedBy::Holder)) {
            self.backward = Backward::default();
            return found;
        }
        let receipt = self.receipts.back().copied();
        let state = &mut self.backward;
        if let Some(run) = &mut state.run {
            let goes_on = speed > STANDS
                && velocity.dot(run.way) < STILL_REVERSED * speed
                && now.time - run.from <= MAX_MOMENT_SECS;
            if goes_on {
                (run.to, run.end, run.top_speed) = (now.time, now.at, run.top_speed.max(speed));
                return found;
            }
            let run = *run;
            state.run = None;
            state.way = None;
            if (run.end - run.start).length() >= BACK_METRES {
                state.waiting = Some(run);
            }
        }
        let way = state.way.filter(|(_, time)| now.time - time <= REMEMBERED_SECS);
        if let (Some((way, _)), true, Some(receipt)) = (way, speed > MOVES, receipt)
            && velocity.dot(way) < REVERSED * speed
        {
            let (from, to) = (before.time, now.time);
            let (start, end) = (before.at, now.at);
            state.run = Some(Run { way, from, to, start, end, top_speed: speed, receipt });
            return found;
        }
        if speed > MOVES {
            let mixed = way.map_or(velocity / speed, |(way, _)| (way + velocity / speed).normalize_or_zero());
            state.way = Some((mixed, now.time));
        }
        found
    }

    /// Judges a finished run by a new position.
    pub(crate) fn judge_by(&mut self, receipt: &Receipt, is_gliding: bool) -> Option<Moment> {
        let run = self.backward.waiting.take()?;
        let back = (run.end - run.start).length();
        // The entity went back itself.
        if (receipt.at - run.receipt.at).dot(run.way) < -0.3 * back {
            return None;
        }
        Some(self.backward_moment(&run, is_gliding))
    }

    /// Judges a finished run for which no position came.
    fn judge_after(&mut self, time: f64, is_gliding: bool) -> Option<Moment> {
        let run = self.backward.waiting.filter(|run| time - run.to > JUDGED_SECS)?;
        self.backward.waiting = None;
        self.silent_verdict(&run, is_gliding)
    }

    /// Judges whatever is left at the end.
    pub(crate) fn judge_rest(&mut self, is_gliding: bool) -> Option<Moment> {
        let unfinished = self.backward.run.filter(|run| (run.end - run.start).length() >= BACK_METRES);
        let run = self.backward.waiting.take().or(unfinished)?;
        self.backward.run = None;
        self.silent_verdict(&run, is_gliding)
    }

    /// Without another position, the run is a fault if it led to the newest one.
    fn silent_verdict(&self, run: &Run, is_gliding: bool) -> Option<Moment> {
        let nearer = run.start.distance(run.receipt.at) - run.end.distance(run.receipt.at);
        (nearer > 0.5 * (run.end - run.start).length()).then(|| self.backward_moment(run, is_gliding))
    }

    fn backward_moment(&self, run: &Run, is_gliding: bool) -> Moment {
        let metres = f64::from((run.end - run.start).length());
        let is_too_far = (run.start - run.receipt.at).dot(run.way) > TOO_FAR_METRES;
        let kind = if is_too_far { MomentKind::PullBack } else { MomentKind::Reversal };
        Moment {
            kind,
            entity: self.entity,
            from: run.from,
            to: run.to,
            severity: Severity::of(kind, metres, run.to - run.from, 0.0),
            cause: self.cause_of(&run.receipt, is_gliding),
            correction: Some(Correction {
                from: run.from,
                to: run.to,
                metres,
                top_speed: f64::from(run.top_speed),
                way: CorrectionWay::Back,
            }),
            also: Vec::new(),
            decisions: Vec::new(),
        }
    }
}

/// Returns the two newest samples of a track, if time has passed between them.
pub(crate) fn last_two(track: &Track) -> Option<[Sample; 2]> {
    let count = track.samples.len();
    let before = track.samples.get(count.checked_sub(2)?)?;
    let now = track.samples.get(count - 1)?;
    (now.time > before.time).then_some([*before, *now])
}
