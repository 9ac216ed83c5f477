//! The acceptance matrix: what SMOOTH must show of each kind of movement, measured from where bodies are drawn.
//!
//! A row that SMOOTH cannot keep because of the client's own decisions names the rule. Such a row is required to fail, so that it is
//! noticed when that changes.

use std::{
    collections::BTreeMap,
    fmt::{self, Write},
};

use evenstride::Config;
use evenstride_arena::{VIEWER, contest, scenario, score, simulate};
use evenstride_replay::{Frame, Heard, ReplayObserver, ReplayOptions, Said, Truth, replay};
use evenstride_types::{
    CellId, EntityId, Placement, Pose, Vec3,
    update::{MotionCommand, MovementKind, Update},
};

/// Slower than this, in metres per second, a body is drawn standing.
const STANDS: f32 = 0.02;

/// Faster than this, in metres per second, the truth moves.
const MOVES: f32 = 0.2;

/// A start takes effect with the next tick and is drawn over the tick after that, in seconds. A placement is a start too: nothing is drawn
/// on its way to it.
const STARTS_SECS: f64 = 2.0 / 30.0 + 1.0 / 60.0;

/// Farthest from where the truth lands that a landing may be, in metres.
const LANDING_M: f32 = 0.05;

/// How much longer a frame at a landing may be than the one before, in metres: as much as a route makes at twice a runner's speed.
const LEAP_M: f32 = 0.13;

/// What SMOOTH promises of every row.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Promise {
    /// No frame leaps.
    NoPop,
    /// Going is never drawn as standing.
    NeverStands,
    /// A jump ends within 5 cm of where the truth lands.
    LandsThere,
}

/// Which promise SMOOTH cannot keep, and the client's rule that forbids it.
type Broken = (Promise, &'static str);

/// `SmartBox::DoVectorUpdate` brings a velocity and no place.
const JUMPS_FROM_WHERE_IT_IS: Broken = (Promise::LandsThere, "a jump begins where the body is");

const MATRIX: [(&str, Option<Broken>); 13] = [
    ("stand", None),
    ("walk", None),
    ("run-1hz", None),
    ("back", None),
    ("strafe", None),
    ("strafe-run", None),
    ("turn", None),
    ("circle", None),
    ("jump-standing", None),
    ("jump-running", Some(JUMPS_FROM_WHERE_IT_IS)),
    ("jump-backward", Some(JUMPS_FROM_WHERE_IT_IS)),
    ("landblock-crossing", None),
    ("teleport", None),
];

/// One row, as measured.
#[derive(Debug)]
struct Row {
    pops: u64,
    worst_pop: f32,
    /// Frames drawn slower than [`STANDS`], of those in which the truth moves and the observer has heard of it.
    standing: usize,
    going: usize,
    slowest: f32,
    landings: usize,
    /// Farthest of a landing from the truth's: height, and place.
    landing: [f32; 2],
    /// How much longer a frame at a landing is than the one before, in metres, at most.
    leap: f32,
}

#[test]
fn what_smooth_shows_of_each_kind_of_movement() {
    let mut table = String::from(HEADER);
    let mut wrong = Vec::new();
    for (name, broken) in MATRIX {
        let row = measured(name);
        let line = format!("{name:<20}{row}  {}", broken.map_or("", |(_, rule)| rule));
        let _ = writeln!(table, "{}", line.trim_end());
        for promise in [Promise::NoPop, Promise::NeverStands, Promise::LandsThere] {
            let is_left = broken.is_some_and(|(broken, _)| broken == promise);
            if row.keeps(promise) == is_left {
                wrong.push((name, promise));
            }
        }
        assert!(
            row.leap <= LEAP_M,
            "{name}: a frame at a landing is {} m longer than the one before",
            row.leap
        );
        assert!(row.landing[0] <= LANDING_M, "{name}: lands {} m too high or low", row.landing[0]);
    }
    assert!(wrong.is_empty(), "kept, but said to be broken, or the other way round: {wrong:?}\n{table}");
    insta::assert_snapshot!(table);
}

const HEADER: &str = "\
scenario             pops  worst  stands     of  slowest  jumps  height  place  left to GLIDE
                               m  frames frames      m/s             m      m
";

impl Row {
    fn keeps(&self, promise: Promise) -> bool {
        match promise {
            Promise::NoPop => self.pops == 0,
            Promise::NeverStands => self.standing == 0,
            Promise::LandsThere => self.landing[1] <= LANDING_M,
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pops, worst_pop, standing, going, landings, landing: [height, place], .. } = self;
        let slowest = if self.going > 0 { format!("{:.2}", self.slowest) } else { "-".to_owned() };
        write!(
            f,
            "{pops:>5} {worst_pop:>6.2} {standing:>7} {going:>6} {slowest:>8} {landings:>6} {height:>7.2} {place:>6.2}"
        )
    }
}

fn measured(name: &str) -> Row {
    let scenario = scenario(name).unwrap().unwrap();
    let (contest, _) = contest(&scenario, 1).unwrap();
    let score = score(&contest).into_iter().find(|score| score.name == "smooth").unwrap();
    let simulated = simulate(&scenario, 1).unwrap();
    let mut tracks = Tracks::default();
    let options = ReplayOptions {
        config: Config::SMOOTH,
        fps: scenario.fps,
        to: scenario.seconds,
        ..ReplayOptions::default()
    };
    replay(&simulated.script(), &options, &mut tracks);
    let mut row = Row {
        pops: score.pops,
        worst_pop: score.worst_pop,
        standing: 0,
        going: 0,
        slowest: f32::MAX,
        landings: 0,
        landing: [0.0; 2],
        leap: 0.0,
    };
    for (entity, track) in &tracks.of {
        // Players tell by their keys when they go; where creatures are sent is another matter.
        if *entity != VIEWER && entity.raw() < 0x8000_0000 {
            row.add(track, &simulated.truth[entity]);
        }
    }
    row
}

impl Row {
    fn add(&mut self, track: &Track, truth: &[Truth]) {
        for pair in track.frames.windows(2) {
            let [before, now] = [&pair[0], &pair[1]];
            let Some(since) = now.goes_since else { continue };
            let true_speed = speed_at(truth, now.time).min(speed_at(truth, before.time));
            if now.time - since.max(now.put_at) <= STARTS_SECS || true_speed <= MOVES {
                continue;
            }
            let speed = before.at.distance(now.at) / (now.time - before.time) as f32;
            self.going += 1;
            self.standing += usize::from(speed < STANDS);
            self.slowest = self.slowest.min(speed);
        }
        let true_landings = landings(truth.iter().map(|of| (of.time, home(&of.place))));
        let drawn_landings = landings(track.frames.iter().map(|frame| (frame.time, frame.at)));
        assert_eq!(drawn_landings.len(), true_landings.len(), "{drawn_landings:?} {true_landings:?}");
        for ((_, drawn), (_, real)) in drawn_landings.iter().zip(&true_landings) {
            self.landings += 1;
            self.landing[0] = self.landing[0].max((drawn.z - real.z).abs());
            self.landing[1] = self.landing[1].max(drawn.distance(*real));
        }
        for (landing, _) in &drawn_landings {
            for three in track.frames.windows(3).filter(|three| (three[1].time - landing).abs() < 0.1) {
                let [before, after] = [three[0].at.distance(three[1].at), three[1].at.distance(three[2].at)];
                self.leap = self.leap.max(after - before);
            }
        }
    }
}

/// Where something comes down from the air. The moment lies between two frames: it fell on as before until it was down.
fn landings(track: impl Iterator<Item = (f64, Vec3)>) -> Vec<(f64, Vec3)> {
    let track: Vec<_> = track.collect();
    let velocity = |index: usize| {
        let [(then, from), (now, to)] = [track[index - 1], track[index]];
        (to - from) / (now - then) as f32
    };
    let falls = |index: usize| velocity(index).z < -1.0;
    (3..track.len())
        .filter(|index| falls(index - 2) && falls(index - 1) && !falls(*index))
        .map(|index| {
            let ((time, before), fall) = (track[index - 2], velocity(index - 2));
            let secs = (before.z - track[index].1.z) / -fall.z;
            (time + f64::from(secs), (before + fall * secs).with_z(track[index].1.z))
        })
        .collect()
}

/// Metres per second of the truth.
fn speed_at(truth: &[Truth], time: f64) -> f32 {
    let next = truth.partition_point(|of| of.time <= time);
    let Some([before, after]) = next.checked_sub(1).and_then(|at| truth.get(at..at + 2)) else { return 0.0 };
    let way = before.place.distance(&after.place) as f32;
    // A leap is no speed.
    if way > 2.0 { 0.0 } else { way / (after.time - before.time) as f32 }
}

/// Where each entity was drawn.
#[derive(Default)]
struct Tracks {
    of: BTreeMap<EntityId, Track>,
}

#[derive(Default)]
struct Track {
    frames: Vec<Drawn>,
    goes_since: Option<f64>,
    put_at: f64,
}

struct Drawn {
    time: f64,
    at: Vec3,
    /// Since when its keys are known to have it go.
    goes_since: Option<f64>,
    /// When it was last put somewhere instead of walking there.
    put_at: f64,
}

impl ReplayObserver for Tracks {
    fn heard(&mut self, heard: &Heard<'_>) {
        match heard.said {
            Said::Server(Update::Movement(update)) => {
                let MovementKind::Interpreted { state, .. } = &update.movement.body.kind else { return };
                let forward = state.forward.filter(|forward| *forward != MotionCommand::READY.index());
                let goes = forward.is_some() || state.sidestep.is_some();
                let track = self.of.entry(update.entity).or_default();
                track.goes_since = goes.then(|| track.goes_since.unwrap_or(heard.time));
            }
            Said::Server(Update::Position(update)) => {
                if let Some(evenstride::Disposition::Placed { .. }) = heard.disposition {
                    self.of.entry(update.entity).or_default().put_at = heard.time;
                }
            }
            _ => {}
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        let mut drawn = vec![evenstride::Drawn::EMPTY; 64];
        let count = frame.world.drawn_into(frame.now, &mut drawn);
        for drawn in &drawn[..count] {
            let track = self.of.entry(drawn.entity).or_default();
            let (time, at) = (frame.time, home(&drawn.place));
            track.frames.push(Drawn { time, at, goes_since: track.goes_since, put_at: track.put_at });
        }
    }
}

fn home(place: &Placement) -> Vec3 {
    Placement::new(CellId::new(0xA9B4_0001).unwrap(), Pose::IDENTITY).offset_to(place)
}
