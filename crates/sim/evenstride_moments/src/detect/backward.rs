//! Backward motion: pull-backs and reversals.
//!
//! A run begins when a body moves against its last direction, and ends when it stops or turns. The
//! next position tells whether the entity itself went back. Only if it did not, the run is a fault.
//! Every frame counts, because a body that is stepped 30 times per second goes back in one of them.

use evenstride::MovedBy;
use evenstride_types::Vec3;

use super::{MOVES, STANDS};
use crate::{
    cause::{Cause, Reason, Remedy},
    moment::{Correction, CorrectionWay, MAX_MOMENT_SECS, Moment, MomentKind, Severity},
    track::{Receipt, Track},
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

/// Seconds for which a body may stand within a run. Steps may come at every third frame only.
const PAUSE_SECS: f64 = 0.07;

/// A body that is this many metres beyond the newest position has gone too far.
const TOO_FAR_METRES: f32 = 0.1;

/// Speed in metres per second from which on backward motion is fully visible. Slower motion ranks lower.
const VISIBLE_SPEED: f32 = 2.0;

/// Least part of the rank of slow backward motion.
const SLOW_PART: f64 = 0.25;

/// State of the detector.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backward {
    /// Body in the last frame.
    last: Option<Seen>,
    /// Time in seconds at which the body last moved.
    moved_at: f64,
    /// Last direction of motion, and its time.
    way: Option<(Vec3, f64)>,
    run: Option<Run>,
    /// A finished run whose verdict depends on the next position.
    waiting: Option<Run>,
}

/// A body in one frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) time: f64,
    pub(crate) at: Vec3,
    pub(crate) moved_by: MovedBy,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    way: Vec3,
    from: f64,
    to: f64,
    start: Vec3,
    end: Vec3,
    top_speed: f32,
    /// Source of the motion at the start.
    moved_by: MovedBy,
    /// Newest position at the start of the run.
    receipt: Receipt,
}

impl Run {
    fn metres(&self) -> f32 {
        (self.end - self.start).length()
    }
}

impl Track {
    /// Looks at a frame.
    pub(crate) fn look_backward(&mut self, now: Seen, is_gliding: bool) -> Option<Moment> {
        let found = self.judge_after(now.time, is_gliding);
        let Some(before) = self.backward.last.replace(now).filter(|before| now.time > before.time) else {
            return found;
        };
        if [before.moved_by, now.moved_by].iter().any(|by| matches!(by, MovedBy::Flight | MovedBy::Holder)) {
            let ended = self.end_run(is_gliding);
            self.backward.way = None;
            return found.or(ended);
        }
        let receipt = self.receipts.back().copied();
        let state = &mut self.backward;
        let step = (now.at - before.at).with_z(0.0);
        // A step may take several frames, of which the body moves in one.
        let secs =
            (now.time - state.moved_at).clamp(now.time - before.time, (now.time - before.time).max(0.05));
        let speed = step.length() / secs as f32;
        if speed < STANDS {
            let is_over = state.run.is_some_and(|run| now.time - run.to > PAUSE_SECS);
            return if is_over { found.or(self.end_run(is_gliding)) } else { found };
        }
        state.moved_at = now.time;
        let mut ended = None;
        if let Some(run) = &mut state.run {
            let goes_on =
                step.dot(run.way) < STILL_REVERSED * step.length() && now.time - run.from <= MAX_MOMENT_SECS;
            if goes_on {
                (run.to, run.end, run.top_speed) = (now.time, now.at, run.top_speed.max(speed));
                return found;
            }
            ended = self.end_run(is_gliding);
        }
        let state = &mut self.backward;
        let way = state.way.filter(|(_, time)| now.time - time <= REMEMBERED_SECS);
        if let (Some((way, _)), true, Some(receipt)) = (way, speed > MOVES, receipt)
            && step.dot(way) < REVERSED * step.length()
        {
            state.run = Some(Run {
                way,
                from: before.time,
                to: now.time,
                start: before.at,
                end: now.at,
                top_speed: speed,
                moved_by: now.moved_by,
                receipt,
            });
        } else if speed > MOVES {
            let ahead = step.normalize_or_zero();
            let mixed = way.map_or(ahead, |(way, _)| (2.0 * way + ahead).normalize_or_zero());
            state.way = Some((mixed, now.time));
        }
        found.or(ended)
    }

    /// Ends a run. A run that still waits for its verdict is judged first.
    fn end_run(&mut self, is_gliding: bool) -> Option<Moment> {
        let run = self.backward.run.take()?;
        self.backward.way = None;
        if run.metres() < BACK_METRES {
            return None;
        }
        let earlier = self.backward.waiting.replace(run)?;
        self.silent_verdict(&earlier, is_gliding)
    }

    /// Judges a finished run by a new position.
    pub(crate) fn judge_by(&mut self, receipt: &Receipt, is_gliding: bool) -> Option<Moment> {
        let run = self.backward.waiting.take()?;
        // The entity went back itself.
        if (receipt.at - run.receipt.at).dot(run.way) < -0.3 * run.metres() {
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

    /// Judges all runs that are left, because the body is placed, leaves, or the replay ends.
    pub(crate) fn judge_rest(&mut self, is_gliding: bool) -> [Option<Moment>; 2] {
        let earlier = self.end_run(is_gliding);
        let waiting = self.backward.waiting.take();
        [earlier, waiting.and_then(|run| self.silent_verdict(&run, is_gliding))]
    }

    /// Without another position, the run is a fault if it led to the newest one.
    fn silent_verdict(&self, run: &Run, is_gliding: bool) -> Option<Moment> {
        let nearer = run.start.distance(run.receipt.at) - run.end.distance(run.receipt.at);
        (nearer > 0.5 * run.metres()).then(|| self.backward_moment(run, is_gliding))
    }

    fn backward_moment(&self, run: &Run, is_gliding: bool) -> Moment {
        let metres = f64::from(run.metres());
        // The body's own direction tells whether it went too far, also in a curve.
        let too_far = (run.start - run.receipt.at).dot(run.way);
        let kind = if too_far > TOO_FAR_METRES { MomentKind::PullBack } else { MomentKind::Reversal };
        let mut severity = Severity::of(kind, metres, run.to - run.from, 0.0);
        severity.rank *= f64::from(run.top_speed / VISIBLE_SPEED).clamp(SLOW_PART, 1.0);
        Moment {
            kind,
            entity: self.entity,
            from: run.from,
            to: run.to,
            severity,
            cause: self.backward_cause(run, kind, f64::from(too_far), is_gliding),
            correction: Some(Correction {
                from: run.from,
                to: run.to,
                metres,
                top_speed: f64::from(run.top_speed),
                way: CorrectionWay::Back,
            }),
            also: Vec::new(),
            decisions: Vec::new(),
            seen: None,
        }
    }

    fn backward_cause(&self, run: &Run, kind: MomentKind, too_far: f64, is_gliding: bool) -> Cause {
        let cause = self.cause_of(&run.receipt, is_gliding);
        if run.moved_by == MovedBy::Follow {
            let remedies = if is_gliding { Vec::new() } else { vec![Remedy::Glide] };
            return Cause {
                reason: Reason::Followed,
                from: run.from,
                to: run.to,
                remedies,
                ..Cause::default()
            };
        }
        if kind != MomentKind::PullBack {
            return cause;
        }
        let reason = match cause.reason {
            // A body that is too slow does not go too far. It missed a turn.
            Reason::OtherSpeed { body_speed, entity_speed, .. } if body_speed <= entity_speed => {
                Reason::UnheardTurn
            }
            other => other,
        };
        Cause { reason, ahead: Some(too_far), aside: None, ..cause }
    }
}
