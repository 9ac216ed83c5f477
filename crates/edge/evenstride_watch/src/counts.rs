//! What is counted while a connection is drawn.

use std::collections::{BTreeMap, HashMap, VecDeque};

use evenstride::{Disposition, Event, Happening, outcome::PlaceReason};
use evenstride_replay::{Frame, Heard, ReplayObserver, quantile};
use evenstride_types::EntityId;

/// Number of errors of which quantiles are computed, the newest ones.
const KEPT_ERRORS: usize = 4_096;

/// Seconds after which an error is no longer the present one.
const PRESENT_SECS: f64 = 5.0;

/// Largest number of entities whose present error is kept.
const MAX_PRESENT: usize = 4_096;

/// Counts of one connection. They never decrease, also if its replay begins again.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Server messages by the name of their disposition.
    pub updates: BTreeMap<&'static str, u64>,
    /// Placements by reason, without those of entities that enter the world.
    pub corrections: BTreeMap<&'static str, u64>,
    /// Waypoints that bodies gave up.
    pub given_up: u64,
    /// Frames.
    pub frames: u64,
    /// Bodies in the last frame.
    pub bodies: u64,
    /// Newest errors in metres.
    errors: VecDeque<f64>,
    error_sum: f64,
    error_count: u64,
    /// Time and error of the last position of each entity.
    present: HashMap<EntityId, (f64, f64)>,
    time: f64,
}

impl Counts {
    /// Returns the number of server messages.
    pub fn all_updates(&self) -> u64 {
        self.updates.values().sum()
    }

    /// Returns a quantile of the distances in metres between drawn bodies and the positions that arrived, of
    /// the newest 4,096. `None` without any.
    pub fn error_quantile(&self, part: f64) -> Option<f64> {
        let errors: Vec<f64> = self.errors.iter().copied().collect();
        quantile(&errors, part)
    }

    /// Returns the sum and the number of all those distances.
    pub const fn error_sum(&self) -> (f64, u64) {
        (self.error_sum, self.error_count)
    }

    /// Returns the entity with the largest error on receipt within the last 5 s, and that error in metres.
    pub fn worst_now(&self) -> Option<(EntityId, f64)> {
        let recent = self.present.iter().filter(|(_, (time, _))| self.time - time <= PRESENT_SECS);
        let worst = recent.max_by(|one, other| one.1.1.total_cmp(&other.1.1).then(other.0.cmp(one.0)));
        worst.map(|(entity, (_, metres))| (*entity, *metres))
    }

    /// Keeps every count at least as high as it was, for monitoring systems, which take a smaller one as a new
    /// beginning.
    pub(crate) fn raise_to(&mut self, before: &Self) {
        let raise = |own: &mut BTreeMap<&'static str, u64>, before: &BTreeMap<&'static str, u64>| {
            for (name, count) in before {
                let own = own.entry(name).or_default();
                *own = (*own).max(*count);
            }
        };
        raise(&mut self.updates, &before.updates);
        raise(&mut self.corrections, &before.corrections);
        self.given_up = self.given_up.max(before.given_up);
        self.frames = self.frames.max(before.frames);
        self.error_sum = self.error_sum.max(before.error_sum);
        self.error_count = self.error_count.max(before.error_count);
    }

    fn add_error(&mut self, entity: EntityId, time: f64, metres: f64) {
        if self.errors.len() == KEPT_ERRORS {
            self.errors.pop_front();
        }
        self.errors.push_back(metres);
        self.error_sum += metres;
        self.error_count += 1;
        if self.present.len() >= MAX_PRESENT && !self.present.contains_key(&entity) {
            self.present.retain(|_, (then, _)| time - *then <= PRESENT_SECS);
        }
        if self.present.len() < MAX_PRESENT || self.present.contains_key(&entity) {
            self.present.insert(entity, (time, metres));
        }
    }
}

impl ReplayObserver for Counts {
    fn heard(&mut self, heard: &Heard<'_>) {
        let Some(disposition) = heard.disposition else { return };
        let code = disposition.code();
        let known = Disposition::CODES.codes.iter().find(|(_, number)| *number == code);
        *self.updates.entry(known.map_or("Unknown", |(name, _)| *name)).or_default() += 1;
        if matches!(disposition, Disposition::Placed { .. } | Disposition::Created { .. }) {
            return;
        }
        if let (Some((entity, place)), Some(drawn)) = (heard.believed(), &heard.drawn) {
            self.add_error(entity, heard.time, drawn.distance(&place));
        }
    }

    fn event(&mut self, event: &Event) {
        match event.kind {
            Happening::Snapped { reason: PlaceReason::EntersWorld, .. } => {}
            Happening::Snapped { reason, .. } => {
                *self.corrections.entry(reason.name()).or_default() += 1;
            }
            Happening::GivenUp { .. } => self.given_up += 1,
            Happening::Removed(_) | Happening::LeftWorld => {
                self.present.remove(&event.entity);
            }
            _ => {}
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        self.frames += 1;
        self.time = frame.time;
        self.bodies = 0;
        frame.world.drawn_each(frame.now, |_| self.bodies += 1);
    }
}
