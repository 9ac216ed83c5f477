//! A contest: everybody draws the same session, frame by frame.

use std::{collections::BTreeMap, sync::Arc, time::Instant};

use evenstride::{Config, Disposition, Event, Happening, animation::MotionLibrary, outcome::PlaceReason};
use evenstride_replay::{Frame, Heard, ReplayObserver, ReplayOptions, Said, Script, Truth, replay};
use evenstride_types::{EntityId, length};

use crate::{
    rival::{Rival, Shown, rivals, shown},
    scenario::Scenario,
    simulate::{SimulateError, Simulated, simulate},
};

/// Where everybody truly was, and where each contestant drew them.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Frames a second.
    pub fps: f64,
    /// Time of each frame, in seconds.
    pub times: Vec<f64>,
    /// Who was to be drawn, by id.
    pub subjects: Vec<Subject>,
    /// Who drew.
    pub contestants: Vec<Contestant>,
}

/// Somebody to be drawn. Every list is as long as there are frames.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Who.
    pub entity: EntityId,
    /// What it is called.
    pub name: String,
    /// Where it truly is; none while nobody could see it.
    pub truth: Vec<Option<Shown>>,
    /// Metres a second its legs make, for those who have no legs of their own to show: what ours do. None while they stand.
    pub gait: Vec<Option<f32>>,
    /// Whether the truth is a path, and not places now and then.
    pub is_dense: bool,
    /// Times at which a position of it arrived.
    pub heard: Vec<f64>,
    /// Times at which it was put elsewhere, as far as anybody was told.
    pub teleported: Vec<f64>,
}

/// Somebody who draws.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// What it is called.
    pub name: &'static str,
    /// Where it drew each subject, frame by frame.
    pub drawn: Vec<Vec<Option<Shown>>>,
    /// Metres a second that the legs it shows make, as in [`Subject::gait`]: rivals show ours, as late as they show everything.
    pub gait: Vec<Vec<Option<f32>>>,
    /// The state of its world at the end; ours only.
    pub state_hash: Option<u64>,
    /// Times somebody was put somewhere instead of walking there, by reason. Only we tell.
    pub snaps: BTreeMap<&'static str, u64>,
    /// Nanoseconds for each entity and frame, messages included. Not the same twice.
    pub cost_ns: f64,
}

/// Simulates a scenario and lets everybody draw it.
///
/// # Errors
/// [`SimulateError`].
pub fn contest(scenario: &Scenario, seed: u64) -> Result<(Contest, Simulated), SimulateError> {
    let simulated = simulate(scenario, seed)?;
    let contest = compete_in(scenario, &simulated, &simulated.script(), None);
    Ok((contest, simulated))
}

/// Lets everybody draw a scenario that was simulated, ours with what their legs can play.
pub fn compete_in(
    scenario: &Scenario,
    simulated: &Simulated,
    script: &Script,
    library: Option<Arc<MotionLibrary>>,
) -> Contest {
    compete(script, &simulated.truth, &simulated.names, scenario.fps, scenario.seconds, library)
}

/// Lets everybody draw a script, and notes where the truth is beside it.
pub fn compete(
    script: &Script,
    truth: &BTreeMap<EntityId, Vec<Truth>>,
    names: &BTreeMap<EntityId, String>,
    fps: f64,
    seconds: f64,
    library: Option<Arc<MotionLibrary>>,
) -> Contest {
    let subjects: Vec<Subject> = truth
        .iter()
        .map(|(entity, truth)| Subject {
            is_dense: is_path(truth),
            entity: *entity,
            name: names.get(entity).cloned().unwrap_or_default(),
            truth: Vec::new(),
            gait: Vec::new(),
            heard: Vec::new(),
            teleported: Vec::new(),
        })
        .collect();
    let mut contest = Contest { fps, times: Vec::new(), subjects, contestants: Vec::new() };
    for (name, config) in
        [("smooth", Config::SMOOTH), ("retail", Config::RETAIL), ("acdream", Config::ACDREAM)]
    {
        let is_first = contest.times.is_empty();
        let everybody = if is_first { rivals() } else { Vec::new() };
        let mut judge = Judge::new(&mut contest, truth, name, everybody);
        let library = library.clone();
        let options = ReplayOptions { config, fps, to: seconds, library, ..ReplayOptions::default() };
        let before = Instant::now();
        let replayed = replay(script, &options, &mut judge);
        judge.ours.state_hash = Some(replayed.state_hash);
        let spent = before.elapsed().as_secs_f64() - judge.rivals_secs;
        judge.finish(spent);
    }
    // Ours last, the one for every frame rate at the very end.
    contest.contestants.sort_by_key(|one| match one.name {
        "retail" => 1,
        "acdream" => 2,
        "smooth" => 3,
        _ => 0,
    });
    contest
}

/// Watches one replay: takes down what we draw and, the first time, what the rivals draw.
struct Judge<'a> {
    contest: &'a mut Contest,
    truth: &'a BTreeMap<EntityId, Vec<Truth>>,
    ours: Contestant,
    rivals: Vec<(Box<dyn Rival>, Contestant, f64)>,
    is_first: bool,
    frame: usize,
    rivals_secs: f64,
}

impl<'a> Judge<'a> {
    fn new(
        contest: &'a mut Contest,
        truth: &'a BTreeMap<EntityId, Vec<Truth>>,
        name: &'static str,
        rivals: Vec<Box<dyn Rival>>,
    ) -> Self {
        let subjects = contest.subjects.len();
        let blank = |name| Contestant {
            name,
            drawn: vec![Vec::new(); subjects],
            gait: vec![Vec::new(); subjects],
            state_hash: None,
            snaps: BTreeMap::new(),
            cost_ns: 0.0,
        };
        let is_first = contest.times.is_empty();
        let rivals = rivals.into_iter().map(|rival| {
            let name = rival.name();
            (rival, blank(name), 0.0)
        });
        let rivals = rivals.collect();
        Self { contest, truth, ours: blank(name), rivals, is_first, frame: 0, rivals_secs: 0.0 }
    }

    fn finish(self, spent: f64) {
        let shows = (self.frame * self.contest.subjects.len()).max(1) as f64;
        for (_, mut contestant, secs) in self.rivals {
            contestant.cost_ns = secs * 1e9 / shows;
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
            let before = Instant::now();
            rival.hear(heard.time, update);
            *secs += before.elapsed().as_secs_f64();
        }
        if self.is_first
            && let Some((entity, _)) = heard.believed()
            && let Some(subject) = self.contest.subjects.iter_mut().find(|of| of.entity == entity)
        {
            subject.heard.push(heard.time);
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
        let began = Instant::now();
        let Contest { times, subjects, fps, .. } = &mut *self.contest;
        let frame_secs = 1.0 / *fps;
        if self.is_first {
            times.push(frame.time);
        }
        for (number, subject) in subjects.iter_mut().enumerate() {
            if self.is_first {
                let truth = self.truth.get(&subject.entity).map_or(&[][..], Vec::as_slice);
                subject.truth.push(truth_at(truth, frame.time, frame_secs));
                subject.gait.push(gait(frame, subject.entity));
            }
            for (rival, contestant, secs) in &mut self.rivals {
                let before = Instant::now();
                let shown = rival.show(subject.entity, frame.time);
                *secs += before.elapsed().as_secs_f64();
                contestant.drawn[number].push(shown);
                let late = (rival.delay(subject.entity) / frame_secs).round() as usize;
                let legs = subject.gait.len().checked_sub(late + 1).and_then(|then| subject.gait[then]);
                contestant.gait[number].push(legs);
            }
        }
        self.rivals_secs += began.elapsed().as_secs_f64();
        for (number, subject) in subjects.iter().enumerate() {
            let drawn = frame.world.drawn(subject.entity, frame.now).map(|place| shown(&place));
            self.ours.drawn[number].push(drawn);
            self.ours.gait[number].push(gait(frame, subject.entity));
        }
        self.frame += 1;
    }
}

/// Metres a second that legs make on the ground; none while they stand.
fn gait(frame: &Frame<'_>, entity: EntityId) -> Option<f32> {
    let walks = frame.world.body(entity).is_some_and(|body| body.in_contact);
    let speed = length(frame.world.animation(entity)?.gait.velocity()) as f32;
    (walks && speed > 0.1).then_some(speed)
}

/// Truths that follow each other as closely as this are a path, and not places now and then.
const DENSE_SECS: f64 = 0.1;

/// Whether truths are a path: most of them follow each other closely.
fn is_path(truth: &[Truth]) -> bool {
    let close = truth.windows(2).filter(|pair| pair[1].time - pair[0].time <= DENSE_SECS).count();
    2 * close > truth.len()
}

/// Where somebody truly was: on a straight line between two ticks of the server, unless it leapt. Of a recording that says it now and then
/// only, in the frame after it was said.
fn truth_at(truth: &[Truth], time: f64, frame_secs: f64) -> Option<Shown> {
    let next = truth.partition_point(|of| of.time <= time);
    let before = truth.get(next.checked_sub(1)?)?;
    let here = shown(&before.place);
    let Some(after) = truth.get(next) else {
        // The last word, if it is not long ago.
        return (time - before.time < frame_secs).then_some(here);
    };
    let there = shown(&after.place);
    if after.time - before.time > DENSE_SECS {
        return (time - before.time < frame_secs).then_some(here);
    }
    if here.at.distance(there.at) > 2.0 {
        return Some(here);
    }
    let part = ((time - before.time) / (after.time - before.time)) as f32;
    Some(Shown { at: here.at.lerp(there.at, part), heading: here.heading })
}
