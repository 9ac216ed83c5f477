//! A contest: every contestant draws the same session, frame by frame.

use std::{collections::BTreeMap, sync::Arc};

use evenstride::{Config, Disposition, Event, Happening, animation::MotionLibrary, outcome::PlaceReason};
use evenstride_replay::{Frame, Heard, ReplayObserver, ReplayOptions, Said, Script, Truth, replay};
use evenstride_types::{EntityId, Placement, length, update::Update};

use crate::{
    rival::{Rival, Shown, between_headings, rivals, shown},
    scenario::Scenario,
    simulate::{SimulateError, Simulated, simulate},
    stopwatch::Stopwatch,
};

/// The true places of all subjects, and the places where each contestant drew them.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Frames per second.
    pub fps: f64,
    /// Time of each frame in seconds.
    pub times: Vec<f64>,
    /// The entities to be drawn, by id.
    pub subjects: Vec<Subject>,
    /// The contestants.
    pub contestants: Vec<Contestant>,
    /// The same session at other frame rates, with contestants that draw at that rate only.
    pub at_other_rates: Vec<Self>,
}

/// An entity to be drawn. All lists but `heard` and `teleported` have one entry per frame.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The entity.
    pub entity: EntityId,
    /// Its name.
    pub name: String,
    /// Its true place, or `None` while no client could see it.
    pub truth: Vec<Option<Shown>>,
    /// Speed of the animation in metres per second as Evenstride plays it, for contestants without
    /// animations of their own. `None` while it stands or is in the air.
    pub legs: Vec<Option<f32>>,
    /// Whether Evenstride knows it.
    pub is_known: Vec<bool>,
    /// Whether Evenstride has it in the air.
    pub is_airborne: Vec<bool>,
    /// Its speed in the air in metres per second as Evenstride has it, and 0 on the ground.
    pub air_speed: Vec<f32>,
    /// Whether the truth is a continuous path rather than occasional places, or nothing.
    pub is_dense: bool,
    /// Its accepted positions.
    pub heard: Vec<HeardPlace>,
    /// Times in seconds at which a message teleported it.
    pub teleported: Vec<f64>,
}

/// A position that a message brought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeardPlace {
    /// Time in seconds.
    pub time: f64,
    /// Place.
    pub shown: Shown,
}

/// A way of drawing entities.
#[derive(Clone, Debug, Default)]
pub struct Contestant {
    /// Its name.
    pub name: String,
    /// The place where it drew each subject, by subject and frame.
    pub drawn: Vec<Vec<Option<Shown>>>,
    /// Speed of the animation it shows in metres per second, as in [`Subject::legs`]. Rivals show
    /// Evenstride's, delayed like everything else they show.
    pub legs: Vec<Vec<Option<f32>>>,
    /// Whether its headings are unknown, so that they stand for nothing.
    pub lacks_headings: bool,
    /// Seconds by which it draws late on purpose, on average over frames and subjects.
    pub delay: f64,
    /// Hash of the world's state at the end. `None` for rivals.
    pub state_hash: Option<u64>,
    /// Number of snaps by reason. Empty for rivals.
    pub snaps: BTreeMap<&'static str, u64>,
    /// Nanoseconds per entity and frame, messages included. It differs from run to run, and is 0 on
    /// wasm32, which has no clock.
    pub cost_ns: f64,
}

impl Contestant {
    /// Returns a contestant that has drawn nothing.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

/// Simulates a scenario and has every contestant draw it.
///
/// # Errors
/// [`SimulateError`] if the link is invalid or the capture cannot be written.
pub fn contest(scenario: &Scenario, seed: u64) -> Result<(Contest, Simulated), SimulateError> {
    let simulated = simulate(scenario, seed)?;
    let contest = compete_in(scenario, &simulated, &simulated.script(), None);
    Ok((contest, simulated))
}

/// Has every contestant draw a simulated scenario. Evenstride's profiles play the animations of
/// `library`.
pub fn compete_in(
    scenario: &Scenario,
    simulated: &Simulated,
    script: &Script,
    library: Option<Arc<MotionLibrary>>,
) -> Contest {
    compete(script, &simulated.truth, &simulated.names, scenario.fps, scenario.seconds, library)
}

/// Has every contestant draw a script, and records the truth beside it.
pub fn compete(
    script: &Script,
    truth: &BTreeMap<EntityId, Vec<Truth>>,
    names: &BTreeMap<EntityId, String>,
    fps: f64,
    seconds: f64,
    library: Option<Arc<MotionLibrary>>,
) -> Contest {
    compete_telling(script, truth, names, [fps, seconds], library, &mut |_| {})
}

/// Does what [`compete`] does, and tells the done part of the work from 0 to 1.
pub fn compete_telling(
    script: &Script,
    truth: &BTreeMap<EntityId, Vec<Truth>>,
    names: &BTreeMap<EntityId, String>,
    [fps, seconds]: [f64; 2],
    library: Option<Arc<MotionLibrary>>,
    tell: &mut dyn FnMut(f64),
) -> Contest {
    let replays = PROFILES.len() as f64 + 1.0;
    let own_rate = fps.min(CLIENT_FPS);
    let session = Session { script, truth, names, fps, seconds, library };
    let mut contest =
        session.contest(&PROFILES, rivals(), &mut |done| tell(done * (replays - 1.0) / replays));
    let session = Session { fps: own_rate, ..session };
    let client = [(CLIENT_NAME, Config::RETAIL)];
    let slow = session.contest(&client, Vec::new(), &mut |done| tell((replays - 1.0 + done) / replays));
    contest.at_other_rates.push(slow);
    contest
}

/// The profiles that compete, by name. The first one lends its animations to the rivals.
pub const PROFILES: [(&str, Config); 4] = [
    ("smooth", Config::SMOOTH),
    ("retail", Config::RETAIL),
    ("acdream", Config::ACDREAM),
    ("glide", Config::GLIDE),
];

/// Name and frames per second of the client with one step in each frame. It steps at most 30 times per
/// second. A frame lasts a millionth longer than 1/30 s, because rounding would skip steps otherwise.
/// In a contest with fewer frames, it draws those.
const CLIENT_NAME: &str = "retail, 30 fps";
const CLIENT_FPS: f64 = 30.0 * (1.0 - 1e-6);

/// Has the rivals and any configurations draw a script. The first configuration lends its animations
/// to the rivals.
pub fn compete_with(
    configs: &[(&'static str, Config)],
    script: &Script,
    truth: &BTreeMap<EntityId, Vec<Truth>>,
    names: &BTreeMap<EntityId, String>,
    fps: f64,
    seconds: f64,
    library: Option<Arc<MotionLibrary>>,
) -> Contest {
    Session { script, truth, names, fps, seconds, library }.contest(configs, rivals(), &mut |_| {})
}

/// A session to be drawn, at one frame rate.
struct Session<'a> {
    script: &'a Script,
    truth: &'a BTreeMap<EntityId, Vec<Truth>>,
    names: &'a BTreeMap<EntityId, String>,
    fps: f64,
    /// End of the session in seconds.
    seconds: f64,
    library: Option<Arc<MotionLibrary>>,
}

impl Session<'_> {
    /// Has configurations draw the session one after the other, and the rivals beside the first.
    fn contest(
        &self,
        configs: &[(&'static str, Config)],
        rivals: Vec<Box<dyn Rival>>,
        tell: &mut dyn FnMut(f64),
    ) -> Contest {
        let Self { script, truth, fps, seconds, .. } = *self;
        let mut contest = Contest {
            fps,
            times: Vec::new(),
            subjects: self.subjects(),
            contestants: Vec::new(),
            at_other_rates: Vec::new(),
        };
        // The first replay may have no frame, if nothing arrived.
        let mut rivals = Some(rivals);
        for (index, &(name, config)) in configs.iter().enumerate() {
            let part = |time: f64| (index as f64 + (time / seconds).clamp(0.0, 1.0)) / configs.len() as f64;
            let mut told = |time: f64| tell(part(time));
            let mut judge =
                Judge::new(&mut contest, truth, name, rivals.take().unwrap_or_default(), &mut told);
            let library = self.library.clone();
            let options = ReplayOptions { config, fps, to: seconds, library, ..ReplayOptions::default() };
            let before = Stopwatch::start();
            let replayed = replay(script, &options, &mut judge);
            judge.ours.state_hash = Some(replayed.state_hash);
            let spent = before.secs() - judge.rivals_secs;
            judge.finish(spent);
        }
        // The profiles come last, and `glide` at the very end.
        contest.contestants.sort_by_key(|one| match one.name.as_str() {
            "retail" => 1,
            "acdream" => 2,
            "smooth" => 3,
            "glide" => 4,
            _ => 0,
        });
        contest
    }

    fn subjects(&self) -> Vec<Subject> {
        let subject = |(entity, truth): (&EntityId, &Vec<Truth>)| Subject {
            is_dense: is_path(truth),
            entity: *entity,
            name: self.names.get(entity).cloned().unwrap_or_default(),
            truth: Vec::new(),
            legs: Vec::new(),
            is_known: Vec::new(),
            is_airborne: Vec::new(),
            air_speed: Vec::new(),
            heard: Vec::new(),
            teleported: Vec::new(),
        };
        self.truth.iter().map(subject).collect()
    }
}

/// Observes one replay. It records the places that the profile draws and, the first time, those
/// that the rivals draw.
struct Judge<'a> {
    contest: &'a mut Contest,
    truth: &'a BTreeMap<EntityId, Vec<Truth>>,
    /// Index of each subject.
    numbers: BTreeMap<EntityId, usize>,
    ours: Contestant,
    rivals: Vec<(Box<dyn Rival>, Contestant, f64)>,
    is_first: bool,
    frame: usize,
    rivals_secs: f64,
    /// Hears the time of some frames.
    told: &'a mut dyn FnMut(f64),
}

/// Frames between two reports of progress.
const TOLD_EVERY: usize = 64;

impl<'a> Judge<'a> {
    fn new(
        contest: &'a mut Contest,
        truth: &'a BTreeMap<EntityId, Vec<Truth>>,
        name: &'static str,
        rivals: Vec<Box<dyn Rival>>,
        told: &'a mut dyn FnMut(f64),
    ) -> Self {
        let subjects = contest.subjects.len();
        let blank = |name: &str| Contestant {
            drawn: vec![Vec::new(); subjects],
            legs: vec![Vec::new(); subjects],
            ..Contestant::named(name)
        };
        let is_first = contest.times.is_empty();
        let rivals = rivals.into_iter().map(|rival| {
            let name = rival.name();
            (rival, blank(name), 0.0)
        });
        let rivals = rivals.collect();
        let ours = blank(name);
        let numbers = contest.subjects.iter().enumerate().map(|(number, of)| (of.entity, number)).collect();
        Self { contest, truth, numbers, ours, rivals, is_first, frame: 0, rivals_secs: 0.0, told }
    }

    fn finish(self, spent: f64) {
        let shows = (self.frame * self.contest.subjects.len()).max(1) as f64;
        for (_, mut contestant, secs) in self.rivals {
            contestant.cost_ns = secs * 1e9 / shows;
            contestant.delay /= shows;
            self.contest.contestants.push(contestant);
        }
        let mut ours = self.ours;
        ours.cost_ns = spent * 1e9 / shows;
        self.contest.contestants.push(ours);
    }
}

impl ReplayObserver for Judge<'_> {
    fn heard(&mut self, heard: &Heard<'_>) {
        let Said::Server(update) = heard.said else { return };
        for (rival, _, secs) in &mut self.rivals {
            let before = Stopwatch::start();
            rival.hear(heard.time, update);
            *secs += before.secs();
        }
        if self.is_first
            && let Some((entity, place)) = heard.believed()
            && let Some(number) = self.numbers.get(&entity)
            && let Some(subject) = self.contest.subjects.get_mut(*number)
        {
            subject.heard.push(HeardPlace { time: heard.time, shown: shown(&place) });
            if matches!(heard.disposition, Some(Disposition::Placed { reason: PlaceReason::Teleport, .. })) {
                subject.teleported.push(heard.time);
            }
        }
    }

    fn event(&mut self, event: &Event) {
        if let Happening::Snapped { reason, .. } = event.kind
            && reason != PlaceReason::EntersWorld
        {
            *self.ours.snaps.entry(reason.name()).or_default() += 1;
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        let began = Stopwatch::start();
        let Contest { times, subjects, fps, .. } = &mut *self.contest;
        let frame_secs = 1.0 / *fps;
        if self.is_first {
            times.push(frame.time);
        }
        for (number, subject) in subjects.iter_mut().enumerate() {
            if self.is_first {
                let truth = self.truth.get(&subject.entity).map_or(&[][..], Vec::as_slice);
                subject.truth.push(truth_at(truth, frame.time, frame_secs));
                let body = frame.world.get(subject.entity);
                subject.legs.push(frame.stride(subject.entity));
                subject.is_known.push(body.is_some());
                let is_airborne = body.is_some_and(|body| body.animation(frame.now).is_airborne);
                let speed = body.filter(|_| is_airborne).map_or(0.0, |body| length(body.view().velocity));
                subject.is_airborne.push(is_airborne);
                subject.air_speed.push(speed as f32);
            }
            for (rival, contestant, secs) in &mut self.rivals {
                let before = Stopwatch::start();
                let shown = rival.show(subject.entity, frame.time);
                *secs += before.secs();
                contestant.drawn[number].push(shown);
                contestant.delay += rival.delay(subject.entity);
                let late = (rival.delay(subject.entity) / frame_secs).round() as usize;
                let legs = subject.legs.len().checked_sub(late + 1).and_then(|then| subject.legs[then]);
                contestant.legs[number].push(legs);
            }
        }
        self.rivals_secs += began.secs();
        for (number, subject) in subjects.iter().enumerate() {
            let drawn = frame.world.drawn(subject.entity, frame.now).map(|place| shown(&place));
            self.ours.drawn[number].push(drawn);
            self.ours.legs[number].push(frame.stride(subject.entity));
        }
        self.frame += 1;
        if self.frame.is_multiple_of(TOLD_EVERY) {
            (self.told)(frame.time);
        }
    }
}

/// Longest time in seconds between two entries of a continuous path.
const DENSE_SECS: f64 = 0.1 + 1e-6;

/// Returns whether most entries follow each other within [`DENSE_SECS`].
fn is_path(truth: &[Truth]) -> bool {
    let close = truth.windows(2).filter(|pair| pair[1].time - pair[0].time <= DENSE_SECS).count();
    2 * close > truth.len()
}

/// Returns the true place at a time, on a straight line between two server ticks unless the entity
/// leapt. An entry of an occasional truth counts only in the frame after it.
fn truth_at(truth: &[Truth], time: f64, frame_secs: f64) -> Option<Shown> {
    let next = truth.partition_point(|of| of.time <= time);
    let before = truth.get(next.checked_sub(1)?)?;
    let here = shown(&before.place);
    let Some(after) = truth.get(next) else {
        // The last entry counts for one frame.
        return (time - before.time < frame_secs).then_some(here);
    };
    let there = shown(&after.place);
    if after.time - before.time > DENSE_SECS {
        return (time - before.time < frame_secs).then_some(here);
    }
    let secs = (after.time - before.time) as f32;
    if here.at.distance(there.at) > f32::max(2.0, 60.0 * secs) {
        return Some(here);
    }
    let part = ((time - before.time) / (after.time - before.time)) as f32;
    let turn = between_headings(here.heading, there.heading);
    let heading = (here.heading + turn * part).rem_euclid(360.0);
    Some(Shown { at: here.at.lerp(there.at, part), heading })
}

/// Shortest path in metres through the received positions of an entity that moves.
const PATH_METRES: f64 = 1.0;

/// Distance in metres between two positions beyond which an entity leaps.
const LEAP_METRES: f64 = 20.0;

/// Returns the entities that move by their received positions, and the lengths of their paths in
/// metres. The longest path comes first. The player of the script is left out.
pub fn received_paths(script: &Script) -> Vec<(EntityId, f64)> {
    let mut paths: BTreeMap<EntityId, (Placement, f64)> = BTreeMap::new();
    for message in &script.messages {
        let Said::Server(Update::Position(position) | Update::PositionAndMovement { position, .. }) =
            &message.said
        else {
            continue;
        };
        let Ok(place) = position.pack.placement().check() else { continue };
        let (last, metres) = paths.entry(position.entity).or_insert((place, 0.0));
        let way = last.distance(&place);
        *metres += if way < LEAP_METRES { way } else { 0.0 };
        *last = place;
    }
    let mut paths: Vec<(EntityId, f64)> = paths
        .into_iter()
        .map(|(entity, (_, metres))| (entity, metres))
        .filter(|(entity, metres)| *metres >= PATH_METRES && Some(*entity) != script.player)
        .collect();
    paths.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    paths
}
