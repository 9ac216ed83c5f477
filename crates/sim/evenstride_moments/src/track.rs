//! What is known about one entity: its drawn body over the last seconds, and its last positions.

use std::collections::VecDeque;

use evenstride::MovedBy;
use evenstride_replay::{MOVED_METRES, ON_THE_WAY_SECS, PathError};
use evenstride_types::{EntityId, Placement, Stamp, Vec3};

use crate::{
    cause::{Cause, Meanwhile, Reason, Remedy},
    detect::{backward::Backward, legs::Legs, standing::Standing},
    gaps::Gaps,
    moment::Moment,
};

/// Seconds for which samples are kept.
const KEPT_SECS: f64 = 4.0;

/// Number of positions that are kept.
const KEPT_RECEIPTS: usize = 8;

/// Number of gaps from which on one is usual.
const LEAST_GAPS: usize = 3;

/// Speed in metres per second above which an entity is on its way.
const ON_THE_WAY_SPEED: f64 = 0.2;

/// An entity that is slower than this part of its speed before has stopped or slowed down.
const SLOWED: f64 = 0.75;

/// An error of which more than this part was there before is an earlier one, in metres beyond
/// [`ERROR_METRES`].
const MOST_OF: f64 = 0.6;
const ERROR_METRES: f64 = 0.1;

/// A gap is unusual if it is this many times as long as usual.
pub(crate) const UNUSUAL_GAP: f64 = 2.0;

/// One entity.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub(crate) entity: EntityId,
    /// Place from which all vectors of the track are measured.
    origin: Option<Placement>,
    /// Drawn body, oldest first.
    pub(crate) samples: VecDeque<Sample>,
    /// Drawn place in the newest sample.
    pub(crate) last_place: Option<Placement>,
    /// Accepted positions, oldest first.
    pub(crate) receipts: VecDeque<Receipt>,
    gaps: Gaps,
    /// Motion table of the entity, if it is not loaded, and the time since which it is missed.
    pub(crate) missing_table: Option<(u32, f64)>,
    /// Causes of the error that the newest positions show.
    root: Option<Cause>,
    /// Height of the last placement in metres above the drawn body.
    pub(crate) placed_height: Option<f64>,
    pub(crate) backward: Backward,
    pub(crate) standing: Standing,
    pub(crate) legs: Legs,
    /// Moments that later findings may still join.
    pub(crate) recent: VecDeque<Moment>,
    /// Time of the last position that was too far to walk to.
    pub(crate) too_far_at: Option<f64>,
    /// Time of the first update before the description, and the number of such updates.
    pub(crate) undescribed: Option<(f64, u32)>,
    /// Movement stamp of the last message.
    pub(crate) movement_stamp: Option<Stamp>,
    /// Time of the last movement message that set the entity in motion. `None` after one that stopped
    /// it.
    pub(crate) movement_at: Option<f64>,
}

/// A drawn body at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Seconds.
    pub(crate) time: f64,
    pub(crate) at: Vec3,
    /// Heading in degrees.
    pub(crate) heading: f32,
    /// Speed of the animation in metres per second. `None` while it stands.
    pub(crate) stride: Option<f32>,
    pub(crate) moved_by: MovedBy,
}

/// An accepted position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Receipt {
    pub(crate) time: f64,
    pub(crate) at: Vec3,
    /// Drawn place just before.
    pub(crate) drawn: Vec3,
    /// Seconds since the position before, or since the entity set out. `None` if neither is known.
    pub(crate) gap: Option<f64>,
    /// Motion of the entity since the position before.
    pub(crate) moved: Vec3,
    /// Motion of the drawn body since the position before.
    pub(crate) body_moved: Vec3,
    /// Source of the body's motion for most of that time.
    pub(crate) moved_by: MovedBy,
    /// Median of the gaps before this one.
    pub(crate) usual_gap: Option<f64>,
}

impl Receipt {
    /// Returns whether the entity moved since the position before.
    pub(crate) fn has_moved(&self) -> bool {
        f64::from(self.moved.length()) > MOVED_METRES
    }

    /// Returns the speed of the entity since the position before, in metres per second.
    pub(crate) fn speed(&self) -> f64 {
        self.gap.map_or(0.0, |gap| f64::from(self.moved.length()) / gap.max(1e-3))
    }

    /// Returns whether the gap before it was much longer than usual.
    pub(crate) fn has_unusual_gap(&self) -> bool {
        matches!((self.gap, self.usual_gap), (Some(gap), Some(usual)) if gap > UNUSUAL_GAP * usual)
    }

    /// Returns the distances in metres by which the drawn body was ahead along the path, and beside
    /// it. `None` if neither the entity nor its body moved.
    pub(crate) fn off(&self) -> Option<(f64, f64)> {
        let vectors = [self.drawn - self.at, self.moved, self.body_moved].map(|of| of.as_dvec3());
        let error = PathError::on_receipt(vectors[0], vectors[1], vectors[2])?;
        Some((error.ahead, error.aside))
    }
}

impl Track {
    pub(crate) fn new(entity: EntityId) -> Self {
        Self {
            entity,
            origin: None,
            samples: VecDeque::new(),
            last_place: None,
            receipts: VecDeque::new(),
            gaps: Gaps::default(),
            missing_table: None,
            root: None,
            placed_height: None,
            backward: Backward::default(),
            standing: Standing::default(),
            legs: Legs::default(),
            recent: VecDeque::new(),
            too_far_at: None,
            undescribed: None,
            movement_stamp: None,
            movement_at: None,
        }
    }

    /// Forgets where the body was, because it was placed or left the world.
    pub(crate) fn leap(&mut self) {
        self.samples = VecDeque::new();
        self.last_place = None;
        self.receipts = VecDeque::new();
        self.root = None;
        self.origin = None;
        self.backward = Backward::default();
        self.standing = Standing::default();
        self.legs = Legs::default();
    }

    /// Returns a place as a vector.
    pub(crate) fn vector(&mut self, place: &Placement) -> Vec3 {
        self.origin.get_or_insert(*place).offset_to(place)
    }

    /// Adds a sample and removes those that are too old.
    pub(crate) fn add_sample(&mut self, sample: Sample) {
        while self.samples.front().is_some_and(|first| sample.time - first.time > KEPT_SECS)
            && self.samples.len() > 2
        {
            let _ = self.samples.pop_front();
        }
        self.samples.push_back(sample);
    }

    /// Adds a position, before which the body was drawn at `drawn`.
    pub(crate) fn add_receipt(&mut self, time: f64, place: &Placement, drawn: &Placement) -> Receipt {
        let (at, drawn) = (self.vector(place), self.vector(drawn));
        let last = self.receipts.back().copied();
        let gap = last.and_then(|last| self.on_its_way_since(&last, time)).map(|since| time - since);
        let gap = gap.filter(|gap| *gap > 0.0);
        let receipt = Receipt {
            time,
            at,
            drawn,
            gap,
            moved: last.map_or(Vec3::ZERO, |last| at - last.at),
            body_moved: last.map_or(Vec3::ZERO, |last| drawn - last.drawn),
            moved_by: self.mostly_moved_by(last.map_or(time, |last| last.time)),
            usual_gap: self.gaps.usual(LEAST_GAPS),
        };
        if let Some(gap) = gap
            && gap < ON_THE_WAY_SECS
            && receipt.has_moved()
        {
            self.gaps.add(gap);
        }
        self.root = self.root_of(&receipt);
        self.receipts.push_back(receipt);
        if self.receipts.len() > KEPT_RECEIPTS {
            let _ = self.receipts.pop_front();
        }
        receipt
    }

    /// Returns the causes of the error that a position shows. An error that was there before keeps its
    /// causes.
    fn root_of(&mut self, receipt: &Receipt) -> Option<Cause> {
        let (now, _) = receipt.off()?;
        let then = self.receipts.back().and_then(Receipt::off).map_or(0.0, |(ahead, _)| ahead);
        if now.abs() < ERROR_METRES {
            return None;
        }
        let is_old = now * then > 0.0 && then.abs() > MOST_OF * now.abs();
        match self.root.take().filter(|_| is_old) {
            Some(root) => Some(root),
            None => Some(self.fresh_cause(receipt)),
        }
    }

    /// Returns the time since which the entity has been on its way when a position arrives, given its
    /// last position. `None` if nothing tells when it set out.
    ///
    /// Servers send nothing about an entity that stands. After a long time without a position, only its
    /// animation tells that it moved on.
    fn on_its_way_since(&self, last: &Receipt, now: f64) -> Option<f64> {
        let movement = self.movement_at.filter(|movement| *movement >= last.time);
        let is_long = now - last.time > ON_THE_WAY_SECS;
        let strides = self.samples.back().is_some_and(|sample| sample.stride.is_some());
        if is_long && (movement.is_some() || !strides) {
            return movement;
        }
        let has_just_set_out =
            self.movement_at.is_some_and(|movement| (0.0..ON_THE_WAY_SECS).contains(&(last.time - movement)));
        let moves = last.has_moved() && (last.gap.is_none() || last.speed() > ON_THE_WAY_SPEED);
        if has_just_set_out || moves { Some(last.time) } else { movement }
    }

    /// Returns the pairs of consecutive samples of a span, oldest first.
    pub(crate) fn pairs(&self, from: f64, to: f64) -> impl Iterator<Item = (&Sample, &Sample)> {
        let first = self.samples.partition_point(|sample| sample.time <= from + 1e-6).saturating_sub(1);
        let pairs = self.samples.iter().skip(first).zip(self.samples.iter().skip(first + 1));
        pairs.take_while(move |(_, now)| now.time <= to + 1e-6)
    }

    /// Returns the source of the body's motion for most of the time since `from`.
    fn mostly_moved_by(&self, from: f64) -> MovedBy {
        let candidates = [MovedBy::Legs, MovedBy::Route, MovedBy::Follow, MovedBy::Flight];
        let count = |wanted| {
            let since = self.samples.iter().rev().take_while(|sample| sample.time >= from);
            since.filter(|sample| sample.moved_by == wanted).count()
        };
        let best = candidates.into_iter().map(|moved_by| (count(moved_by), moved_by));
        match best.max_by_key(|(count, _)| *count) {
            Some((count, moved_by)) if count > 0 => moved_by,
            _ => MovedBy::Nothing,
        }
    }

    /// Returns the causes of a fault that the newest position tells of.
    pub(crate) fn cause(&self, is_gliding: bool) -> Cause {
        let Some(receipt) = self.receipts.back() else { return Cause::default() };
        self.cause_of(receipt, is_gliding)
    }

    /// Returns the causes of a fault that a position tells of.
    pub(crate) fn cause_of(&self, receipt: &Receipt, is_gliding: bool) -> Cause {
        let is_newest = self.receipts.back().is_some_and(|newest| newest.time == receipt.time);
        let root = self.root.clone().filter(|_| is_newest);
        let mut cause = root.unwrap_or_else(|| self.fresh_cause(receipt));
        if !is_gliding {
            cause.remedies.push(Remedy::Glide);
        }
        cause
    }

    /// Returns the causes of an error that was not there before a position.
    fn fresh_cause(&self, receipt: &Receipt) -> Cause {
        let off = receipt.off();
        let reason = self.reason_of(receipt);
        let heard = receipt.gap.map(|gap| receipt.time - gap);
        let due = heard.zip(receipt.usual_gap).map(|(heard, usual)| heard + usual);
        let mut remedies = Vec::new();
        match reason {
            Reason::UpdateGap => remedies.extend(due.map(|due| Remedy::PositionInTime { due })),
            Reason::UnheardStop | Reason::UnheardTurn => remedies.push(Remedy::MovementMessage),
            _ => {}
        }
        let is_ahead = off.is_some_and(|(ahead, _)| ahead > 0.0);
        if let (Some((table, _)), true) = (self.missing_table, is_ahead) {
            remedies.push(Remedy::LoadTable { table });
        }
        Cause {
            reason,
            from: heard.unwrap_or(receipt.time),
            to: receipt.time,
            heard,
            due,
            arrived: Some(receipt.time),
            gap: receipt.gap,
            usual_gap: receipt.usual_gap,
            meanwhile: receipt.gap.map(|_| Meanwhile {
                moved_by: evenstride_replay::moved_by(receipt.moved_by),
                body_metres: f64::from(receipt.body_moved.length()),
                entity_metres: f64::from(receipt.moved.length()),
            }),
            ahead: off.map(|(ahead, _)| ahead),
            aside: off.map(|(_, aside)| aside),
            remedies,
        }
    }

    fn reason_of(&self, receipt: &Receipt) -> Reason {
        let Some(gap) = receipt.gap else { return Reason::OwnMotion };
        if receipt.has_unusual_gap() {
            return Reason::UpdateGap;
        }
        let (entity, body) = (receipt.moved.length(), receipt.body_moved.length());
        let before = self.receipts.iter().rev().find(|before| before.time < receipt.time);
        let speed_before = before.filter(|before| before.gap.is_some()).map_or(0.0, Receipt::speed);
        if body > entity && receipt.speed() < SLOWED * speed_before {
            return Reason::UnheardStop;
        }
        let is_elsewhere =
            receipt.moved.normalize_or_zero().dot(receipt.body_moved.normalize_or_zero()) < 0.7;
        if f64::from(entity.min(body)) > MOVED_METRES && is_elsewhere {
            return Reason::UnheardTurn;
        }
        Reason::OtherSpeed {
            body_speed: f64::from(body) / gap,
            entity_speed: f64::from(entity) / gap,
            missing_table: self.missing_table.map(|(table, _)| table),
        }
    }
}
