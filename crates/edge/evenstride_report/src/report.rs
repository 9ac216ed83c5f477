//! Observes a replay and keeps the data for the page.

use std::{cmp::Reverse, collections::HashMap};

use evenstride::{Disposition, Drawn, Event, Happening, explain::Explanation, outcome::PlaceReason};
use evenstride_moments::{MomentKind, Moments, sentence_of};
use evenstride_replay::{
    BelievedPath, EntitySummary, Frame, Heard, ReplayObserver, Replayed, Said, Script, Still, Summary,
    quantile,
};
use evenstride_types::{DVec3, EntityId, LandblockId, Placement, Vec3, update::Update};

use crate::{
    data::{self, Entity, NO_ERROR, Page, Series, differences},
    page,
    thin::{self, DecisionStrides},
};

/// Seconds between two samples of a drawn path.
const SAMPLE_SECS: f64 = 0.05;

/// Largest number of samples kept during a replay. Later ones are left out, and the page says so.
const MAX_HELD: usize = 2_000_000;

/// Largest number of decisions kept during a replay.
const MAX_HELD_DECISIONS: usize = 1_000_000;

/// Largest number of marks kept during a replay.
const MAX_HELD_MARKS: usize = 300_000;

/// Names and frame rate for the heading of the page.
#[derive(Clone, Debug)]
pub struct About {
    /// Names of the captures.
    pub title: String,
    /// Name of the profile.
    pub profile: String,
    /// Frames per second.
    pub fps: f64,
    /// Facts that the reader should know first, such as missing motion tables.
    pub notes: Vec<String>,
}

/// Observes a replay. [`Report::finish`] makes the page.
#[derive(Debug, Default)]
pub struct Report {
    reference: Option<LandblockId>,
    bodies: Vec<Body>,
    places: HashMap<EntityId, usize>,
    drawn: Vec<Drawn>,
    frame: u64,
    span: Option<(f64, f64)>,
    held: usize,
    left_out: u64,
    held_decisions: usize,
    held_marks: usize,
    /// Number of decisions and marks that did not fit.
    untold: u64,
    /// The player whose client recorded the capture. Its body is ahead of the server's messages,
    /// not behind.
    player: Option<EntityId>,
}

#[derive(Debug)]
struct Body {
    entity: EntityId,
    samples: Vec<Sample>,
    /// The newest sample, if it equals the last one kept. It is kept once a later sample differs.
    pending: Option<Sample>,
    heard: Vec<Dot>,
    marks: Vec<(f64, &'static str, String)>,
    told: Vec<Told>,
    /// Accepted positions, on the map.
    believed: BelievedPath,
    /// Whether a position was accepted since the last sample.
    was_heard: bool,
    last: Option<Placement>,
    /// Path in metres since the last sample, kept or pending.
    path: f64,
    seen: u64,
    was_put: bool,
}

/// One sample of a drawn path, in metres from the corner of the reference landblock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) time: f64,
    pub(crate) at: [f64; 3],
    pub(crate) heading: f32,
    pub(crate) speed: f64,
    /// Error in metres along the believed path, positive if ahead. It is computed when all positions
    /// are known, and is [`NO_ERROR`] before the first.
    pub(crate) error: f64,
    pub(crate) route: usize,
    pub(crate) is_break: bool,
}

#[derive(Clone, Copy, Debug)]
struct Dot {
    time: f64,
    at: [f64; 3],
}

/// A decision and its time in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told {
    pub(crate) time: f64,
    pub(crate) decision: Happening,
}

impl Report {
    /// Creates an empty report for a replay of `script`.
    pub fn new(script: &Script) -> Self {
        Self { player: script.player, ..Self::default() }
    }

    /// Returns the page as HTML.
    pub fn finish(
        mut self,
        about: &About,
        script: &Script,
        summary: &Summary,
        replayed: &Replayed,
        moments: &Moments,
    ) -> String {
        for body in &mut self.bodies {
            body.samples.extend(body.pending.take());
            for sample in &mut body.samples {
                let error = body.believed.error(sample.time, DVec3::from_array(sample.at));
                sample.error = error.map_or(NO_ERROR, |error| error.ahead);
            }
        }
        let entities = self.bodies.len();
        if entities > thin::MAX_ENTITIES {
            let player = self.player;
            self.bodies
                .sort_by_key(|body| (Some(body.entity) != player, Reverse(body.heard.len()), body.entity));
            self.bodies.truncate(thin::MAX_ENTITIES);
        }
        self.bodies.sort_by_key(|body| body.entity);
        let mut thinned = vec![format!(
            "Drawn paths show {:.0} of {:.0} frames per second, and fewer while nothing changes.",
            (1.0 / SAMPLE_SECS).min(about.fps),
            about.fps
        )];
        let count = |of: fn(&Body) -> usize| self.bodies.iter().map(of).sum::<usize>();
        let strides = [
            thin::stride(count(|body| body.samples.len()) * thin::KEPT_OF_A_BUNCH, thin::MAX_SAMPLES),
            thin::stride(count(|body| body.heard.len()), thin::MAX_DOTS),
            thin::stride(count(|body| body.marks.len()), thin::MAX_MARKS),
        ];
        let decisions =
            DecisionStrides::of(self.bodies.iter().flat_map(|body| &body.told), thin::MAX_DECISIONS);
        if entities > thin::MAX_ENTITIES {
            thinned.push(format!(
                "The {} of {entities} entities with the most received positions are shown.",
                thin::MAX_ENTITIES
            ));
        }
        if strides[0] > thin::KEPT_OF_A_BUNCH {
            thinned.push(format!(
                "Of every {} of those frames, the first and those with the largest speed, distance or route are shown. All jumps are shown.",
                strides[0]
            ));
        }
        if strides[1] > 1 {
            thinned.push(format!("One in {} received positions is shown.", strides[1]));
        }
        if strides[2] > 1 {
            thinned.push(format!("One in {} marks is shown.", strides[2]));
        }
        if decisions.unusual > 1 {
            thinned.push(format!(
                "One in {} unusual decisions is shown. `evenstride explain` prints everything.",
                decisions.unusual
            ));
        }
        if decisions.ordinary > 1 || self.bodies.iter().any(|body| body.told.len() > thin::MAX_DECISIONS_EACH)
        {
            thinned.push(format!(
                "Only some ordinary decisions are shown, and at most {} decisions per entity. `evenstride explain` prints everything.",
                thin::MAX_DECISIONS_EACH
            ));
        }
        if self.untold > 0 {
            thinned.push(format!(
                "{} later decisions and marks did not fit. Use --from and --to to select a shorter time.",
                self.untold
            ));
        }
        if self.left_out > 0 {
            thinned.push(format!(
                "{} samples did not fit. Use --from and --to to select a shorter time.",
                self.left_out
            ));
        }
        if replayed.skipped > 0.0 {
            thinned.push(format!("{:.0} s of silence were skipped.", replayed.skipped));
        }
        let (first, last) = self.span.unwrap_or_default();
        let summaries: HashMap<EntityId, &EntitySummary> =
            summary.entities().into_iter().map(|of| (of.entity, of)).collect();
        let page = Page {
            title: about.title.clone(),
            profile: about.profile.clone(),
            fps: about.fps,
            span: [round(first, 1e3), round(last, 1e3)],
            player: script.player.map(|player| player.to_string()),
            summary: summary_lines(script, summary, replayed),
            notes: about.notes.clone(),
            moments: self.moments(script, moments),
            thinned,
            origin: self.reference.map_or(String::new(), |block| block.to_string()),
            entities: self
                .bodies
                .iter()
                .map(|body| {
                    let of = summaries.get(&body.entity).copied();
                    self.entity(body, script, of, strides, decisions)
                })
                .collect(),
        };
        page::html(&page)
    }

    /// Returns the worst moments of the entities that are shown.
    fn moments(&self, script: &Script, moments: &Moments) -> Vec<data::Moment> {
        let shown = moments.iter().filter(|moment| moment.kind != MomentKind::MissingTable);
        let with_body = shown.filter_map(|moment| {
            let entity = self.bodies.iter().position(|body| body.entity == moment.entity)?;
            let name = script.names.get(&moment.entity).filter(|name| !name.is_empty());
            let name = name.cloned().unwrap_or_else(|| moment.entity.to_string());
            Some(data::Moment {
                kind: moment.kind.name(),
                entity,
                span: [round(moment.from, 1e3), round(moment.to, 1e3)],
                words: sentence_of(moment, &name),
            })
        });
        with_body.take(thin::MAX_MOMENTS).collect()
    }

    fn entity(
        &self,
        body: &Body,
        script: &Script,
        of: Option<&EntitySummary>,
        strides: [usize; 3],
        decisions: DecisionStrides,
    ) -> Entity {
        let samples = thin::samples(&body.samples, strides[0]);
        let whole = |scale: f64, of: fn(&Sample) -> f64| {
            differences(samples.iter().map(|sample| (of(sample) * scale).round() as i64))
        };
        let truth = script.truth.get(&body.entity).map_or(&[][..], Vec::as_slice);
        let (first, last) = self.span.unwrap_or_default();
        let known = truth.iter().filter(|truth| (first..=last).contains(&truth.time));
        let off = of.and_then(|of| {
            let part = |part| quantile(&of.from_truth, part).map(|metres| round(metres, 1e3));
            Some([part(0.5)?, part(0.95)?, part(1.0)?])
        });
        Entity {
            id: body.entity.to_string(),
            name: script.names.get(&body.entity).cloned().unwrap_or_default(),
            updates: of.map_or(0, |of| of.updates),
            snaps: of.map_or_else(Default::default, |of| of.snaps.clone()),
            jumps: of.map_or(0, |of| of.jumps),
            worst: of
                .and_then(|of| of.worst_behind)
                .map(|(metres, time)| [round(metres, 1e3), round(time, 1e3)]),
            ahead: of
                .and_then(|of| of.worst_ahead)
                .map(|(metres, time)| [round(metres, 1e3), round(time, 1e3)]),
            off,
            drawn: Series {
                t: whole(1e3, |sample| sample.time),
                x: whole(1e2, |sample| sample.at[0]),
                y: whole(1e2, |sample| sample.at[1]),
                z: whole(1e2, |sample| sample.at[2]),
                h: whole(1.0, |sample| f64::from(sample.heading)),
                s: whole(1e2, |sample| sample.speed),
                b: whole(1e2, |sample| sample.error),
                r: whole(1.0, |sample| sample.route as f64),
            },
            breaks: samples
                .iter()
                .enumerate()
                .filter(|(_, sample)| sample.is_break)
                .map(|(index, _)| index)
                .collect(),
            heard: dots(body.heard.iter().step_by(strides[1]).copied()),
            truth: dots(known.map(|truth| Dot { time: truth.time, at: self.map(&truth.place) })),
            marks: body
                .marks
                .iter()
                .step_by(strides[2])
                .map(|(time, kind, words)| (millis(*time), *kind, words.clone()))
                .collect(),
            decisions: thin::decisions(&body.told, decisions)
                .into_iter()
                .map(|told| (millis(told.time), told.decision.to_string()))
                .collect(),
        }
    }

    /// Returns a place on the map, in metres from the corner of the reference landblock.
    fn map(&self, place: &Placement) -> [f64; 3] {
        let block = place.cell.landblock();
        let corner = self.reference.map_or(Vec3::ZERO, |reference| reference.offset_to(block));
        (corner.as_dvec3() + place.pose.origin().as_dvec3()).to_array()
    }

    fn body(&mut self, entity: EntityId) -> &mut Body {
        let place = *self.places.entry(entity).or_insert_with(|| {
            self.bodies.push(Body::new(entity));
            self.bodies.len() - 1
        });
        &mut self.bodies[place]
    }

    fn mark(&mut self, time: f64, entity: EntityId, kind: &'static str, words: String) {
        if self.held_marks >= MAX_HELD_MARKS {
            self.untold += 1;
            return;
        }
        self.held_marks += 1;
        self.body(entity).marks.push((time, kind, words));
    }
}

impl ReplayObserver for Report {
    fn begin(&mut self) {
        for body in &mut self.bodies {
            *body = Body { believed: std::mem::take(&mut body.believed), ..Body::new(body.entity) };
        }
        (self.held, self.held_decisions, self.held_marks) = (0, 0, 0);
        (self.left_out, self.untold) = (0, 0);
    }

    fn heard(&mut self, heard: &Heard<'_>) {
        let Said::Server(Update::Position(position) | Update::PositionAndMovement { position, .. }) =
            heard.said
        else {
            return;
        };
        let Ok(place) = position.pack.placement().check() else { return };
        self.reference.get_or_insert(place.cell.landblock());
        let at = self.map(&place);
        let time = heard.time;
        self.body(position.entity).heard.push(Dot { time, at });
        if let Some((entity, place)) = heard.believed()
            && Some(entity) != self.player
        {
            let (time, at) = (heard.time, DVec3::from_array(self.map(&place)));
            let is_placed = matches!(heard.disposition, Some(Disposition::Placed { .. }));
            let body = self.body(entity);
            if is_placed {
                body.believed.end();
            }
            body.believed.add(time, at);
            body.was_heard = true;
        }
    }

    fn event(&mut self, event: &Event) {
        let (time, entity) = (event.at.as_secs(), event.entity);
        match event.kind {
            Happening::Appeared => self.mark(time, entity, "appears", "appears".to_owned()),
            Happening::Removed(_) | Happening::LeftWorld => {
                self.body(entity).believed.end();
                self.mark(time, entity, "gone", "is gone".to_owned());
            }
            Happening::Snapped { reason: PlaceReason::EntersWorld, .. } => self.body(entity).was_put = true,
            Happening::Snapped { reason, metres } => {
                self.body(entity).was_put = true;
                let kind = if reason == PlaceReason::Teleport { "teleport" } else { "snap" };
                self.mark(time, entity, kind, format!("placed {metres:.2} m away: {reason}"));
            }
            Happening::TookOff { rise } => {
                self.mark(time, entity, "jump", format!("leaves the ground, {rise:.1} m/s upwards"));
            }
            Happening::Landed { speed } => {
                self.mark(time, entity, "landing", format!("lands at {speed:.1} m/s"));
            }
            Happening::FollowBegan { target } => {
                self.mark(time, entity, "follow", format!("follows {target}"));
            }
            _ => {}
        }
    }

    fn decision(&mut self, entity: EntityId, decision: &Explanation) {
        let time = decision.at.as_secs();
        if matches!(decision.decision, Happening::GivenUp { .. }) {
            self.mark(time, entity, "stall", decision.decision.to_string());
        }
        if self.held_decisions >= MAX_HELD_DECISIONS {
            self.untold += 1;
            return;
        }
        self.held_decisions += 1;
        self.body(entity).told.push(Told { time, decision: decision.decision });
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        self.frame += 1;
        let first = self.span.map_or(frame.time, |(first, _)| first);
        self.span = Some((first, frame.time));
        let mut drawn = std::mem::take(&mut self.drawn);
        drawn.resize(frame.world.len(), Drawn::EMPTY);
        let count = frame.world.drawn_into(frame.now, &mut drawn);
        for body in &drawn[..count] {
            self.reference.get_or_insert(body.place.cell.landblock());
            let at = self.map(&body.place);
            let (number, held) = (self.frame, self.held);
            let kept = self.body(body.entity).follow(frame, number, &body.place, at, held < MAX_HELD);
            self.held += kept;
            self.left_out += u64::from(held >= MAX_HELD);
        }
        self.drawn = drawn;
    }

    fn still(&mut self, still: &Still<'_>) {
        let mut frames = still.frames();
        frames.next().iter().for_each(|frame| self.frame(frame));
        if let Some(last) = frames.next_back() {
            // No body was absent in the frames between.
            let before = self.frame;
            self.frame += still.count() - 2;
            let present = self.bodies.iter_mut().filter(|body| body.seen == before);
            present.for_each(|body| body.seen = self.frame);
            self.frame(&last);
        }
    }
}

impl Body {
    fn new(entity: EntityId) -> Self {
        Self {
            entity,
            samples: Vec::new(),
            pending: None,
            heard: Vec::new(),
            marks: Vec::new(),
            told: Vec::new(),
            believed: BelievedPath::default(),
            was_heard: false,
            last: None,
            path: 0.0,
            seen: 0,
            was_put: false,
        }
    }

    /// Records the place where the body is drawn. Returns the number of samples kept for good.
    fn follow(
        &mut self,
        frame: &Frame<'_>,
        number: u64,
        place: &Placement,
        at: [f64; 3],
        has_room: bool,
    ) -> usize {
        let is_break = self.was_put || self.seen + 1 != number;
        self.seen = number;
        self.path += self.last.map_or(0.0, |last| if is_break { 0.0 } else { last.distance(place) });
        self.last = Some(*place);
        let last = self.pending.or(self.samples.last().copied());
        let since = last.map_or(f64::INFINITY, |last| frame.time - last.time);
        if !has_room || (!is_break && since < SAMPLE_SECS - 1e-6) {
            return 0;
        }
        let route = frame.world.body(self.entity).map_or(0, |body| body.waypoints);
        let sample = Sample {
            time: frame.time,
            at,
            heading: place.pose.heading().degrees(),
            speed: if is_break { 0.0 } else { self.path / since },
            error: NO_ERROR,
            route,
            is_break,
        };
        self.path = 0.0;
        self.was_put = false;
        let was_heard = std::mem::take(&mut self.was_heard);
        match self.samples.last() {
            // The error of a standing body changes when a position arrives.
            Some(kept) if !is_break && !was_heard && kept.is_like(&sample) => {
                self.pending = Some(sample);
                0
            }
            _ => {
                let pending = self.pending.take();
                let count = 1 + usize::from(pending.is_some());
                self.samples.extend(pending);
                self.samples.push(sample);
                count
            }
        }
    }
}

impl Sample {
    /// Returns whether two samples look the same, apart from their time.
    fn is_like(&self, other: &Self) -> bool {
        let is_near = |one: f64, other: f64| (one - other).abs() < 0.005;
        self.at.iter().zip(other.at).all(|(one, other)| is_near(*one, other))
            && (self.heading - other.heading).abs() < 0.5
            && is_near(self.speed, other.speed)
            && self.route == other.route
    }
}

fn dots(dots: impl Iterator<Item = Dot> + Clone) -> Series {
    let whole = |scale: f64, of: fn(&Dot) -> f64| {
        differences(dots.clone().map(|dot| (of(&dot) * scale).round() as i64))
    };
    Series {
        t: whole(1e3, |dot| dot.time),
        x: whole(1e2, |dot| dot.at[0]),
        y: whole(1e2, |dot| dot.at[1]),
        z: whole(1e2, |dot| dot.at[2]),
        ..Series::default()
    }
}

fn summary_lines(script: &Script, summary: &Summary, replayed: &Replayed) -> Vec<[String; 2]> {
    let entities = summary.entities();
    let mut lines = vec![
        ["entities".to_owned(), entities.len().to_string()],
        ["updates".to_owned(), replayed.updates.to_string()],
        ["seconds".to_owned(), format!("{:.1}", replayed.seconds)],
    ];
    let snaps: Vec<String> =
        summary.snaps().into_iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    lines.push(["snaps".to_owned(), if snaps.is_empty() { "none".to_owned() } else { snaps.join(", ") }]);
    if let Some((metres, time, entity)) = summary.worst_behind() {
        let name = script.names.get(&entity).map_or_else(|| entity.to_string(), Clone::clone);
        lines.push(["farthest behind".to_owned(), format!("{metres:.2} m, {name} at {time:.1} s")]);
    }
    if let Some((metres, time, entity)) = summary.worst_ahead() {
        let name = script.names.get(&entity).map_or_else(|| entity.to_string(), Clone::clone);
        lines.push(["farthest ahead".to_owned(), format!("{metres:.2} m, {name} at {time:.1} s")]);
    }
    lines
}

fn millis(time: f64) -> i64 {
    (time * 1e3).round() as i64
}

fn round(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}
