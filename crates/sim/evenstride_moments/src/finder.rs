//! Observes a replay and collects its moments.

use std::collections::{HashMap, VecDeque};

use evenstride::{
    Disposition, Event, Happening, MovedBy,
    config::DrawMode,
    explain::Explanation,
    outcome::{CreateHow, Enqueued, IgnoreReason, Outcome, ParkReason, PlaceReason},
};
use evenstride_replay::{Frame, Heard, ReplayObserver, Said, Still};
use evenstride_types::{
    EntityId, Placement,
    update::{MotionCommand, MovementKind, Update},
};

use crate::{
    cause::Reason,
    detect::{backward::Seen, legs::Legs, standing::Standing},
    moment::{CorrectionWay, Moment},
    track::{Sample, Track},
};

/// Seconds between two samples. The scorecard samples as often. Only backward motion is looked for in
/// every frame.
const SAMPLE_SECS: f64 = 0.05;

/// Seconds after which a moment of a replay that goes on is known whole.
pub const SETTLED_AFTER_SECS: f64 = 4.0;

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
#[derive(Clone, Debug)]
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
    is_sample_due: bool,
    now: f64,
    is_gliding: bool,
    finished: Vec<Moment>,
    left_out: u64,
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
            is_sample_due: true,
            now: 0.0,
            is_gliding: false,
            finished: Vec::new(),
            left_out: 0,
        }
    }

    /// Looks only at one entity, which is faster.
    #[must_use]
    pub const fn only(mut self, entity: EntityId) -> Self {
        self.only = Some(entity);
        self
    }

    /// Takes out the moments that ended before a time in seconds and that no later finding can join, oldest
    /// first. They are no longer part of what [`Self::finish`] returns.
    ///
    /// Findings come at most [`SETTLED_AFTER_SECS`] after they end, so a live host passes a time that is that
    /// much earlier.
    pub fn take_settled(&mut self, before: f64) -> Vec<Moment> {
        let mut settled = std::mem::take(&mut self.finished);
        for track in &mut self.tracks {
            let (done, recent) = std::mem::take(&mut track.recent).into_iter().partition(|of| of.to < before);
            track.recent = recent;
            settled.extend::<VecDeque<Moment>>(done);
        }
        settled.sort_by(|one, other| one.from.total_cmp(&other.from).then(one.entity.cmp(&other.entity)));
        settled
    }

    /// Returns the moments, worst first.
    pub fn finish(mut self) -> Moments {
        for number in 0..self.tracks.len() {
            self.close(number);
        }
        self.rank();
        Moments { all: self.finished, left_out: self.left_out }
    }

    /// Ends everything that is under way for an entity.
    fn close(&mut self, number: usize) {
        self.close_motion(number);
        let track = &mut self.tracks[number];
        if let Some((table, from)) = track.missing_table.take() {
            let missing = track.missing(from, self.now.max(from), table);
            self.add(number, missing);
        }
        let recent = std::mem::take(&mut self.tracks[number].recent);
        recent.into_iter().for_each(|moment| self.keep(moment));
    }

    /// Ends all motion that is under way for an entity.
    fn close_motion(&mut self, number: usize) {
        let is_gliding = self.is_gliding;
        let track = &mut self.tracks[number];
        let mut rest: Vec<Moment> = track.judge_rest(is_gliding).into_iter().flatten().collect();
        rest.extend(track.end_legs(is_gliding));
        rest.extend(track.end_standing());
        rest.into_iter().for_each(|finding| self.add(number, finding));
    }

    fn add(&mut self, number: usize, finding: Moment) {
        if let Some(done) = self.tracks[number].add_finding(finding) {
            self.keep(done);
        }
    }

    fn keep(&mut self, moment: Moment) {
        self.finished.push(moment);
        if self.finished.len() > 2 * MAX_MOMENTS {
            self.rank();
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
            Disposition::Parked(ParkReason::UnknownEntity | ParkReason::NewerInstance)
            | Disposition::Created { how: CreateHow::Adopted } => {
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
            other => {
                // An adopted entity goes on without a description.
                if let (Some((_, count)), true) = (&mut track.undescribed, other.is_accepted()) {
                    *count += 1;
                }
            }
        }
        let movement = match update {
            Update::Movement(update) => &update.movement,
            Update::PositionAndMovement { movement, .. } => movement,
            _ => return,
        };
        let has_no_stamp = matches!(
            disposition,
            Disposition::Parked(_)
                | Disposition::Dropped(_)
                | Disposition::Refused(_)
                | Disposition::Ignored(IgnoreReason::OlderInstance)
        );
        if has_no_stamp {
            return;
        }
        let track = &mut self.tracks[number];
        let stamp = movement.stamp;
        let last = track.movement_stamp.filter(|last| !stamp.is_newer_than(*last)).unwrap_or(stamp);
        if disposition.is_accepted() {
            track.movement_at = sets_in_motion(&movement.body.kind).then_some(time);
        }
        let before = track.movement_stamp.replace(last);
        let missing = before.map_or(0, |before| last.raw().wrapping_sub(before.raw()).saturating_sub(1));
        if (1..=MAX_MISSING_STAMPS).contains(&missing) {
            let count = u32::from(missing);
            let lost = track.lost(time, Reason::MissingStamps { count }, count);
            self.add(number, lost);
        }
    }

    /// Adds the moment of a placement that no event reported.
    fn add_placement(&mut self, number: usize, decision: &Explanation) {
        let (reason, metres) = match decision.decision {
            Happening::Snapped { reason, metres } => (reason, metres),
            Happening::Position { outcome: Outcome::Placed(reason), metres, .. } => (reason, metres),
            _ => return,
        };
        let time = decision.at.as_secs();
        let mut snap = self.tracks[number].snap(time, reason, f64::from(metres), self.is_gliding);
        snap.decisions.push(*decision);
        self.add(number, snap);
    }

    fn sample(&mut self, frame: &Frame<'_>, body: Shown, number: usize) {
        let is_gliding = self.is_gliding;
        let is_due = self.is_sample_due;
        let track = &mut self.tracks[number];
        let is_quiet = track.last_place == Some(body.drawn)
            && body.moved_by == MovedBy::Nothing
            && track.samples.back().is_some_and(|last| last.stride.is_none());
        let at = track.vector(&body.drawn);
        let seen = Seen { time: frame.time, at, moved_by: body.moved_by };
        let backward = track.look_backward(seen, is_gliding);
        if !is_due {
            backward.into_iter().for_each(|finding| self.add(number, finding));
            return;
        }
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
            track.last_place = Some(body.drawn);
            track.add_sample(Sample {
                time: frame.time,
                at,
                heading: body.drawn.pose.heading().degrees(),
                stride: if is_quiet { None } else { frame.stride(body.entity) },
                moved_by: body.moved_by,
            });
        }
        let found = [backward, track.look_for_flick(is_gliding), track.look_at_legs(is_gliding)];
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
        // Positions from before are still causes.
        self.finished.clear();
        self.left_out = 0;
        for track in &mut self.tracks {
            track.recent.clear();
            track.undescribed = None;
            track.standing = Standing::default();
            track.legs = Legs::default();
        }
    }

    fn heard(&mut self, heard: &Heard<'_>) {
        let (Said::Server(update), Some(disposition)) = (heard.said, heard.disposition) else { return };
        if let Update::LocalPlayer(player) = update {
            self.player = Some(*player);
        }
        let Some(number) = update.entity().and_then(|entity| self.number(entity)) else { return };
        self.hear_update(number, heard.arrived, update, disposition);
        let is_gliding = self.is_gliding;
        if let (Some((_, place)), Some(drawn)) = (heard.believed(), &heard.drawn) {
            self.tracks[number].placed_height = Some(f64::from(drawn.offset_to(&place).z));
        }
        // The player's own body is ahead of the server's messages.
        if let (Some((entity, place)), Some(drawn)) = (heard.believed(), &heard.drawn)
            && Some(entity) != self.player
            && !matches!(disposition, Disposition::Placed { .. } | Disposition::Created { .. })
        {
            let track = &mut self.tracks[number];
            let receipt = track.add_receipt(heard.arrived, &place, drawn);
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
            Happening::Snapped { reason: PlaceReason::EntersWorld, .. } => {
                self.close_motion(number);
                self.tracks[number].leap();
            }
            Happening::Snapped { reason, metres } => {
                let snap = self.tracks[number].snap(time, reason, f64::from(metres), self.is_gliding);
                self.close_motion(number);
                self.add(number, snap);
                self.tracks[number].leap();
            }
            Happening::Removed(_) | Happening::LeftWorld => {
                self.close(number);
                self.tracks[number].leap();
                self.tracks[number].undescribed = None;
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
            Happening::Legs { table, own, .. } => {
                let is_missing = own != 0 && table != own;
                let before = self.tracks[number].missing_table;
                if before.map(|(table, _)| table) != is_missing.then_some(own) {
                    if let Some((table, from)) = before {
                        let missing = self.tracks[number].missing(from, time, table);
                        self.add(number, missing);
                    }
                    self.tracks[number].missing_table = is_missing.then_some((own, time));
                }
            }
            _ if is_placement(decision) => {
                // The event about the same placement came just before.
                let same = self.tracks[number].recent.iter_mut().rev().find(|moment| {
                    moment.correction.is_some_and(|correction| {
                        correction.way == CorrectionWay::Placed && correction.to == time
                    })
                });
                match same {
                    Some(moment) => moment.decisions.push(*decision),
                    // The event was lost, because the world keeps a limited number of them.
                    None => self.add_placement(number, decision),
                }
            }
            _ => {}
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        self.now = frame.time;
        self.is_sample_due = frame.time >= self.next_sample;
        if self.is_sample_due {
            self.next_sample = frame.time + SAMPLE_SECS - 1e-6;
        }
        self.is_gliding = matches!(frame.world.config().drawing, DrawMode::Gliding(_));
        self.sample_all(frame);
    }

    fn still(&mut self, still: &Still<'_>) {
        // Nothing moves, so two samples show everything.
        let mut frames = still.frames();
        for frame in frames.next().iter().chain(frames.next_back().iter()) {
            self.now = frame.time;
            self.is_sample_due = true;
            self.next_sample = frame.time + SAMPLE_SECS - 1e-6;
            self.sample_all(frame);
        }
    }
}

/// Returns whether a movement sets its entity in motion.
fn sets_in_motion(kind: &MovementKind) -> bool {
    match kind {
        MovementKind::Interpreted { state, stick_to } => {
            let ready = MotionCommand::READY.index();
            stick_to.is_some()
                || state.sidestep.is_some()
                || state.forward.is_some_and(|forward| forward != ready)
        }
        _ => true,
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
