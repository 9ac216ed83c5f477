//! Observes a replay and collects its moments.

use std::collections::HashMap;

use evenstride::{
    Disposition, Event, Happening, MovedBy,
    config::DrawMode,
    explain::Explanation,
    outcome::{CreateHow, Enqueued, Outcome, PlaceReason},
};
use evenstride_replay::{Frame, Heard, ReplayObserver, Said, Still};
use evenstride_types::{EntityId, Placement, update::Update};

use crate::{
    cause::Reason,
    moment::{CorrectionWay, Moment},
    track::{Sample, Track},
};

/// Seconds between two samples, at any frame rate. The scorecard samples as often.
const SAMPLE_SECS: f64 = 0.05;

/// Largest number of moments that are kept. Beyond it, the least important ones are dropped.
const MAX_MOMENTS: usize = 20_000;

/// Largest number of missing stamps in a row that are a loss. Beyond it, the entity is another one.
const MAX_MISSING_STAMPS: u16 = 1_000;

/// The moments of a replay, worst first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moments {
    all: Vec<Moment>,
    /// Number of moments that were dropped, because there were too many.
    pub left_out: u64,
}

impl Moments {
    /// Returns all moments, worst first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Moment> + ExactSizeIterator {
        self.all.iter()
    }

    /// Returns the number of moments.
    pub const fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns whether there are no moments.
    pub const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// Observes a replay. [`MomentFinder::finish`] returns what was found.
///
/// The replay must trace the entities of interest, because stalls and motion tables are decisions.
#[derive(Debug)]
pub struct MomentFinder {
    tracks: Vec<Track>,
    /// Index of each entity's track.
    numbers: HashMap<EntityId, usize>,
    /// Index of the track of each body, in the order of the last frame.
    order: Vec<u32>,
    /// The player whose client is replayed. Its keys move its body, so only events count.
    player: Option<EntityId>,
    /// The only entity of interest. `None` for all.
    only: Option<EntityId>,
    next_sample: f64,
    now: f64,
    is_gliding: bool,
    finished: Vec<Moment>,
    left_out: u64,
    /// Entities whose motion table is missing, with the time from which on.
    without_table: Vec<(usize, f64, u32)>,
}

impl MomentFinder {
    /// Creates a finder. `player` is the player whose client is replayed.
    pub fn new(player: Option<EntityId>) -> Self {
        Self {
            tracks: Vec::new(),
            numbers: HashMap::new(),
            order: Vec::new(),
            player,
            only: None,
            next_sample: f64::NEG_INFINITY,
            now: 0.0,
            is_gliding: false,
            finished: Vec::new(),
            left_out: 0,
            without_table: Vec::new(),
        }
    }

    /// Looks only at one entity, which is faster.
    #[must_use]
    pub const fn only(mut self, entity: EntityId) -> Self {
        self.only = Some(entity);
        self
    }

    /// Returns the moments, worst first.
    pub fn finish(mut self) -> Moments {
        for number in 0..self.tracks.len() {
            self.close(number);
        }
        for (number, from, table) in std::mem::take(&mut self.without_table) {
            let moment = self.tracks[number].missing(from, self.now.max(from), table);
            self.finished.push(moment);
        }
        self.rank();
        Moments { all: self.finished, left_out: self.left_out }
    }

    /// Ends everything that is under way for an entity.
    fn close(&mut self, number: usize) {
        let is_gliding = self.is_gliding;
        let track = &mut self.tracks[number];
        let rest = [track.judge_rest(is_gliding), track.end_legs(is_gliding), track.end_stop_and_go()];
        for finding in rest.into_iter().flatten() {
            self.add(number, finding);
        }
        self.finished.extend(self.tracks[number].recent.drain(..));
    }

    fn add(&mut self, number: usize, finding: Moment) {
        if let Some(done) = self.tracks[number].add_finding(finding) {
            self.finished.push(done);
            if self.finished.len() > 2 * MAX_MOMENTS {
                self.rank();
            }
        }
    }

    /// Sorts the moments and drops the least important ones.
    fn rank(&mut self) {
        self.finished.sort_by(|one, other| {
            let by_rank = other.severity.rank.total_cmp(&one.severity.rank);
            by_rank.then(one.from.total_cmp(&other.from)).then(one.entity.cmp(&other.entity))
        });
        self.left_out += self.finished.len().saturating_sub(MAX_MOMENTS) as u64;
        self.finished.truncate(MAX_MOMENTS);
    }

    /// Returns the index of an entity's track, or `None` if it is not of interest.
    fn number(&mut self, entity: EntityId) -> Option<usize> {
        if self.only.is_some_and(|only| only != entity) {
            return None;
        }
        Some(*self.numbers.entry(entity).or_insert_with(|| {
            self.tracks.push(Track::new(entity));
            self.tracks.len() - 1
        }))
    }

    fn hear_update(&mut self, number: usize, time: f64, update: &Update, disposition: &Disposition) {
        let track = &mut self.tracks[number];
        match disposition {
            Disposition::Parked(_) => {
                let (_, count) = track.undescribed.get_or_insert((time, 0));
                *count += 1;
            }
            Disposition::Created { how: CreateHow::Adopted } => {
                let (_, count) = track.undescribed.get_or_insert((time, 0));
                *count += 1;
            }
            Disposition::Created { .. } => {
                track.movement_stamp = None;
                if let Some((since, count)) = track.undescribed.take() {
                    let late = track.late(since, time, count);
                    self.add(number, late);
                }
            }
            Disposition::Dropped(_) => {
                let lost = track.lost(time, Reason::TooEarly { count: 1 }, 1);
                self.add(number, lost);
            }
            Disposition::Refused(_) => {
                let lost = track.lost(time, Reason::InvalidValue { count: 1 }, 1);
                self.add(number, lost);
            }
            _ => {}
        }
        let Update::Movement(movement) = update else { return };
        if matches!(disposition, Disposition::Parked(_) | Disposition::Dropped(_) | Disposition::Refused(_)) {
            return;
        }
        let track = &mut self.tracks[number];
        let stamp = movement.movement.stamp;
        let last = track.movement_stamp.filter(|last| !stamp.is_newer_than(*last)).unwrap_or(stamp);
        if disposition.is_accepted() {
            track.movement_at = Some(time);
        }
        let before = track.movement_stamp.replace(last);
        let missing = before.map_or(0, |before| last.raw().wrapping_sub(before.raw()).saturating_sub(1));
        if (1..=MAX_MISSING_STAMPS).contains(&missing) {
            let count = u32::from(missing);
            let lost = track.lost(time, Reason::MissingStamps { count }, count);
            self.add(number, lost);
        }
    }

    fn sample(&mut self, frame: &Frame<'_>, body: Shown, number: usize) {
        let is_gliding = self.is_gliding;
        let track = &mut self.tracks[number];
        let is_quiet = track.last_place == Some(body.drawn)
            && body.moved_by == MovedBy::Nothing
            && track.samples.back().is_some_and(|last| last.stride.is_none());
        if is_quiet
            && let Some(before) =
                track.samples.len().checked_sub(2).and_then(|index| track.samples.get(index))
            && track.samples.back().is_some_and(|last| last.at == before.at)
        {
            // A body that goes on standing needs one sample.
            if let Some(last) = track.samples.back_mut() {
                last.time = frame.time;
            }
        } else {
            let at = track.vector(&body.drawn);
            track.last_place = Some(body.drawn);
            track.add_sample(Sample {
                time: frame.time,
                at,
                heading: body.drawn.pose.heading().degrees(),
                stride: if is_quiet { None } else { frame.stride(body.entity) },
                moved_by: body.moved_by,
            });
        }
        let found = [
            track.look_backward(is_gliding),
            track.look_for_flick(is_gliding),
            track.look_at_legs(is_gliding),
        ];
        for finding in found.into_iter().flatten() {
            self.add(number, finding);
        }
    }

    fn sample_all(&mut self, frame: &Frame<'_>) {
        let mut bodies = 0;
        if let Some(entity) = self.only {
            if Some(entity) != self.player
                && let Some(number) = self.number(entity)
                && let Some(body) = frame.world.get(entity)
                && let Some(drawn) = body.drawn(frame.now)
            {
                self.sample(frame, Shown { entity, drawn, moved_by: body.view().moved_by }, number);
            }
            return;
        }
        frame.world.tracked_each(frame.now, |body| {
            if Some(body.entity) == self.player {
                return;
            }
            // Bodies mostly come in the order of the last frame.
            let known = self.order.get(bodies).map(|number| *number as usize);
            let number = match known {
                Some(number) if self.tracks[number].entity == body.entity => number,
                _ => {
                    let Some(number) = self.number(body.entity) else { return };
                    match self.order.get_mut(bodies) {
                        Some(place) => *place = number as u32,
                        None => self.order.push(number as u32),
                    }
                    number
                }
            };
            bodies += 1;
            let body = Shown { entity: body.entity, drawn: body.drawn, moved_by: body.moved_by };
            self.sample(frame, body, number);
        });
    }
}

impl ReplayObserver for MomentFinder {
    fn begin(&mut self) {
        self.finished.clear();
        self.left_out = 0;
        for track in &mut self.tracks {
            track.leap();
            track.recent.clear();
        }
    }

    fn heard(&mut self, heard: &Heard<'_>) {
        let (Said::Server(update), Some(disposition)) = (heard.said, heard.disposition) else { return };
        let Some(number) = update.entity().and_then(|entity| self.number(entity)) else { return };
        self.hear_update(number, heard.time, update, disposition);
        let is_gliding = self.is_gliding;
        // The player's own body is ahead of the server's messages.
        if let (Some((entity, place)), Some(drawn)) = (heard.believed(), &heard.drawn)
            && Some(entity) != self.player
            && !matches!(disposition, Disposition::Placed { .. } | Disposition::Created { .. })
        {
            let track = &mut self.tracks[number];
            let receipt = track.add_receipt(heard.time, &place, drawn);
            let mut found = track.look_at_standing(&receipt, is_gliding);
            found.extend(track.look_for_gap(&receipt, is_gliding));
            found.extend(track.look_for_overshoot(&receipt, is_gliding));
            found.extend(track.judge_by(&receipt, is_gliding));
            for finding in found {
                self.add(number, finding);
            }
        }
    }

    fn event(&mut self, event: &Event) {
        let Some(number) = self.number(event.entity) else { return };
        let time = event.at.as_secs();
        match event.kind {
            Happening::Snapped { reason: PlaceReason::EntersWorld, .. } => self.tracks[number].leap(),
            Happening::Snapped { reason, metres } => {
                let snap = self.tracks[number].snap(time, reason, f64::from(metres), self.is_gliding);
                self.add(number, snap);
                let unfinished = self.tracks[number].judge_rest(self.is_gliding);
                unfinished.into_iter().for_each(|finding| self.add(number, finding));
                self.tracks[number].leap();
            }
            Happening::Removed(_) | Happening::LeftWorld => {
                self.close(number);
                self.tracks[number].leap();
            }
            Happening::ParkedExpired { count } => {
                let lost = self.tracks[number].lost(time, Reason::TooEarly { count }, count);
                self.add(number, lost);
                self.tracks[number].undescribed = None;
            }
            _ => {}
        }
    }

    fn decision(&mut self, entity: EntityId, decision: &Explanation) {
        let Some(number) = self.number(entity) else { return };
        let time = decision.at.as_secs();
        match decision.decision {
            Happening::GivenUp { headway, .. } => {
                let stall = self.tracks[number].stall(decision, f64::from(headway), self.is_gliding);
                self.add(number, stall);
            }
            Happening::Position { outcome: Outcome::Queued(Enqueued::Far), .. } => {
                self.tracks[number].too_far_at = Some(time);
            }
            Happening::Legs { table, own, .. } if own != 0 && table != own => {
                self.tracks[number].missing_table = Some(own);
                if self.without_table.iter().all(|(of, _, known)| (*of, *known) != (number, own)) {
                    self.without_table.push((number, time, own));
                }
            }
            _ if is_placement(decision) => {
                // The event about the same placement came just before.
                let same = self.tracks[number].recent.iter_mut().rev().find(|moment| {
                    moment.correction.is_some_and(|correction| {
                        correction.way == CorrectionWay::Placed && correction.to == time
                    })
                });
                if let Some(moment) = same {
                    moment.decisions.push(*decision);
                }
            }
            _ => {}
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        self.now = frame.time;
        if frame.time < self.next_sample {
            return;
        }
        self.next_sample = frame.time + SAMPLE_SECS - 1e-6;
        self.is_gliding = matches!(frame.world.config().drawing, DrawMode::Gliding(_));
        self.sample_all(frame);
    }

    fn still(&mut self, still: &Still<'_>) {
        // Nothing moves, so two samples show everything.
        let mut frames = still.frames();
        for frame in frames.next().iter().chain(frames.next_back().iter()) {
            self.now = frame.time;
            self.next_sample = frame.time + SAMPLE_SECS - 1e-6;
            self.sample_all(frame);
        }
    }
}

/// A body as it is drawn in a frame.
struct Shown {
    entity: EntityId,
    drawn: Placement,
    moved_by: MovedBy,
}

/// Returns whether a decision tells of a placement of a body that was in the world.
pub(crate) fn is_placement(decision: &Explanation) -> bool {
    match decision.decision {
        Happening::Snapped { reason, .. } => reason != PlaceReason::EntersWorld,
        Happening::Position { outcome: Outcome::Placed(reason), .. } => reason != PlaceReason::EntersWorld,
        _ => false,
    }
}
