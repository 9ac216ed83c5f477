//! Numbers of a replay, by entity.

use std::collections::{BTreeMap, HashMap};

use evenstride::{Disposition, Event, Happening, outcome::PlaceReason};
use evenstride_types::{EntityId, Placement, update::Update};

use crate::{
    path_error::PathError,
    recording::Said,
    replay::{Frame, Heard, ReplayObserver, Still},
    script::{Script, Truth},
};

/// Summary of a replay, by entity.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    entities: Vec<EntitySummary>,
    places: HashMap<EntityId, usize>,
    player: Option<EntityId>,
    truth: Vec<Witness>,
}

/// Summary of one entity.
#[derive(Clone, Debug)]
pub struct EntitySummary {
    /// The entity.
    pub entity: EntityId,
    /// Number of server messages about the entity.
    pub updates: u64,
    /// Number of snaps by reason.
    pub snaps: BTreeMap<&'static str, u64>,
    /// Number of take-offs, including bounces and falls.
    pub jumps: u64,
    /// Largest distance in metres by which the drawn body was behind a position that arrived, along
    /// its path, and the time in seconds. `None` if it never was.
    pub worst_behind: Option<(f64, f64)>,
    /// Largest distance in metres by which it was ahead, and the time in seconds.
    pub worst_ahead: Option<(f64, f64)>,
    /// Distance in metres between the drawn body and each accepted position, just before that
    /// position.
    pub off_when_heard: Vec<f64>,
    /// Distance in metres between the drawn body and each place that its own client reported.
    pub from_truth: Vec<f64>,
    /// Last received place, and the place where the body was drawn then.
    heard: Option<(Placement, Placement)>,
}

impl EntitySummary {
    /// Measures the error of the body drawn at `drawn` when a position arrives.
    fn measure(&mut self, time: f64, place: &Placement, drawn: &Placement) {
        let off = place.offset_to(drawn).as_dvec3();
        self.off_when_heard.push(off.length());
        let Some((last, last_drawn)) = self.heard.replace((*place, *drawn)) else { return };
        let ways = [last.offset_to(place), last_drawn.offset_to(drawn)].map(|way| way.as_dvec3());
        if let Some(PathError { ahead, .. }) = PathError::on_receipt(off, ways[0], ways[1]) {
            let worst = if ahead < 0.0 { &mut self.worst_behind } else { &mut self.worst_ahead };
            if worst.map_or(SEEN_METRES, |(metres, _)| metres) < ahead.abs() {
                *worst = Some((ahead.abs(), time));
            }
        }
    }

    const fn new(entity: EntityId) -> Self {
        Self {
            entity,
            updates: 0,
            snaps: BTreeMap::new(),
            jumps: 0,
            worst_behind: None,
            worst_ahead: None,
            off_when_heard: Vec::new(),
            from_truth: Vec::new(),
            heard: None,
        }
    }
}

/// Distance in metres beyond which a body is ahead or behind.
const SEEN_METRES: f64 = 0.005;

/// The truth about one player, and the progress of the replay through it.
#[derive(Clone, Debug)]
struct Witness {
    entity: EntityId,
    poses: Vec<Truth>,
    next: usize,
    before: Option<(f64, Placement)>,
}

impl Summary {
    /// Creates an empty summary. Drawn bodies are compared with the true places in the script.
    pub fn new(script: &Script) -> Self {
        let truth = script
            .truth
            .iter()
            // The replayed client's own reports are compared just before they are repeated.
            .filter(|(entity, _)| Some(**entity) != script.player)
            .map(|(entity, poses)| Witness { entity: *entity, poses: poses.clone(), next: 0, before: None })
            .collect();
        Self { player: script.player, truth, ..Self::default() }
    }

    /// Returns all entities, by id.
    pub fn entities(&self) -> Vec<&EntitySummary> {
        let mut entities: Vec<_> = self.entities.iter().collect();
        entities.sort_by_key(|entity| entity.entity);
        entities
    }

    /// Returns the number of snaps of all entities, by reason.
    pub fn snaps(&self) -> BTreeMap<&'static str, u64> {
        let mut all = BTreeMap::new();
        for (reason, count) in self.entities.iter().flat_map(|entity| &entity.snaps) {
            *all.entry(*reason).or_default() += count;
        }
        all
    }

    /// Returns the largest distance in metres by which a drawn body was behind, with the time in
    /// seconds and the entity.
    pub fn worst_behind(&self) -> Option<(f64, f64, EntityId)> {
        self.worst(|entity| entity.worst_behind)
    }

    /// Returns the largest distance in metres by which a drawn body was ahead, with the time in
    /// seconds and the entity.
    pub fn worst_ahead(&self) -> Option<(f64, f64, EntityId)> {
        self.worst(|entity| entity.worst_ahead)
    }

    fn worst(&self, of: impl Fn(&EntitySummary) -> Option<(f64, f64)>) -> Option<(f64, f64, EntityId)> {
        let candidates = self
            .entities
            .iter()
            .filter_map(|entity| of(entity).map(|(metres, time)| (metres, time, entity.entity)));
        candidates.max_by(|one, other| one.0.total_cmp(&other.0))
    }

    fn of(&mut self, entity: EntityId) -> &mut EntitySummary {
        let place = self.place_of(entity);
        &mut self.entities[place]
    }

    fn place_of(&mut self, entity: EntityId) -> usize {
        *self.places.entry(entity).or_insert_with(|| {
            self.entities.push(EntitySummary::new(entity));
            self.entities.len() - 1
        })
    }
}

impl ReplayObserver for Summary {
    fn begin(&mut self) {
        for summary in &mut self.entities {
            *summary = EntitySummary { heard: summary.heard, ..EntitySummary::new(summary.entity) };
        }
    }

    fn heard(&mut self, heard: &Heard<'_>) {
        if let Said::Server(Update::LocalPlayer(player)) = heard.said {
            self.player = Some(*player);
        }
        if let Said::Server(update) = heard.said
            && let Some(entity) = update.entity()
        {
            let number = self.place_of(entity);
            let summary = &mut self.entities[number];
            summary.updates += 1;
            // The player's own body is ahead of the server's messages, not behind.
            if let Some((_, place)) = heard.believed()
                && Some(entity) != self.player
            {
                match &heard.drawn {
                    // A teleport is no error along the path.
                    Some(drawn) if matches!(heard.disposition, Some(Disposition::Placed { .. })) => {
                        summary.off_when_heard.push(drawn.distance(&place));
                        summary.heard = None;
                    }
                    Some(drawn) => summary.measure(heard.time, &place, drawn),
                    None => summary.heard = None,
                }
            }
        }
        if let (Some(player), Some(off)) = (self.player, heard.off) {
            self.of(player).from_truth.push(off);
        }
    }

    fn event(&mut self, event: &Event) {
        match event.kind {
            // The first placement is not a snap.
            Happening::Snapped { reason: PlaceReason::EntersWorld, .. } => {}
            Happening::Snapped { reason, .. } => {
                *self.of(event.entity).snaps.entry(reason.name()).or_default() += 1;
            }
            Happening::TookOff { .. } => self.of(event.entity).jumps += 1,
            Happening::Removed(_) | Happening::LeftWorld => self.of(event.entity).heard = None,
            _ => {}
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        let mut truth = std::mem::take(&mut self.truth);
        for witness in &mut truth {
            let now = frame.world.drawn(witness.entity, frame.now);
            for off in witness.compare(frame.time, now) {
                self.of(witness.entity).from_truth.push(off);
            }
        }
        self.truth = truth;
    }

    fn still(&mut self, still: &Still<'_>) {
        // A body is as far from every place in the first frame as in all others.
        let mut frames = still.frames();
        frames.next().iter().chain(frames.next_back().iter()).for_each(|frame| self.frame(frame));
    }
}

impl Witness {
    /// Returns the distance in metres from each truth since the last frame. The drawn body moves on
    /// a straight line between the two frames.
    fn compare(&mut self, time: f64, now: Option<Placement>) -> Vec<f64> {
        let mut offs = Vec::new();
        while let Some(truth) = self.poses.get(self.next).filter(|truth| truth.time <= time) {
            self.next += 1;
            if let (Some((then, before)), Some(now)) = (&self.before, &now) {
                let part = ((truth.time - then) / (time - then)).clamp(0.0, 1.0) as f32;
                let drawn = before.offset_to(now) * part;
                let apart = before.offset_to(&truth.place) - drawn;
                offs.push(f64::from(apart.length()));
            }
        }
        self.before = now.map(|place| (time, place));
        offs
    }
}

/// Returns the quantile `part` (0 to 1) of the numbers, or `None` if there are none.
pub fn quantile(numbers: &[f64], part: f64) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    sorted.get((last as f64 * part).round() as usize).copied()
}
