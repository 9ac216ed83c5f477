//! The scorecard: smoothness and accuracy as numbers. `docs/scorecard.md` has the formulas.

use evenstride_types::Vec3;
use serde::Serialize;

use crate::{
    contest::{Contest, Contestant, Subject},
    rival::Shown,
};

/// Speed of the truth in metres per second above which it counts as moving.
const MOVES: f32 = 0.2;

/// Seconds after the legs begin to move during which standing is allowed. A message takes effect
/// with the next tick.
const BEGINS_SECS: f64 = 0.1;

/// Step in metres between two frames below which a body counts as standing.
const STILL: f32 = 0.001;

/// A frame is a pop if its step is longer than three times the step at the truth's speed, plus two
/// centimetres.
const POP_FACTOR: f32 = 3.0;
const POP_METRES: f32 = 0.02;

/// Distance in metres within one frame beyond which the truth leaps, and the seconds after a leap
/// that are not scored. At long frames the limit is 60 m/s instead.
const LEAP_METRES: f32 = 2.0;
const LEAP_SECS: f64 = 1.0;

/// Turn in degrees within one frame that counts as a flick, if the truth does not turn.
const FLICK_DEG: f32 = 25.0;

/// Samples per second for velocity changes and jerk, at any frame rate.
const LOOKS: f64 = 20.0;

/// Seconds of the past in which the truth is searched for a drawn place.
const LOOK_BACK_SECS: f64 = 4.0;

/// Gap in seconds between two positions beyond which it is a silence.
const SILENCE_SECS: f64 = 1.5;

/// Distance in metres from the truth within which a body has caught up.
const THERE_METRES: f32 = 0.5;

/// The scores of one contestant, over all subjects.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// Name of the contestant.
    pub name: &'static str,
    /// Number of frames that leap without reason.
    pub pops: u64,
    /// Longest pop in metres.
    pub worst_pop: f32,
    /// Pops per minute in which a subject is drawn.
    pub pops_per_minute: f32,
    /// Share of frames without movement, 0 to 1, while the legs run and the truth moves.
    pub frozen: f32,
    /// Change of velocity between two samples in metres per second: root mean square and 99th
    /// percentile.
    pub velocity_change: [f32; 2],
    /// Root mean square of the jerk in m/s³.
    pub jerk: f32,
    /// Farthest distance in metres beyond the place where the truth stopped. `None` unless the
    /// truth is known for every frame.
    pub overshoot: Option<f32>,
    /// Number of flicks of the heading.
    pub flicks: u64,
    /// Distance in metres from the truth: median, 95th percentile, maximum.
    pub metres_off: [f32; 3],
    /// Seconds behind the moving truth: median, 95th percentile, maximum. `None` unless the truth
    /// is known for every frame.
    pub secs_behind: Option<[f32; 3]>,
    /// Mean difference between the drawn speed and the speed of the legs, as a share of the latter.
    pub foot_slide: f32,
    /// Seconds until a body is within half a metre of the truth, after a silence in which the truth
    /// moved: median, maximum. `None` without such a silence.
    pub secs_to_truth: Option<[f32; 2]>,
    /// Number of snaps by reason. Empty for rivals.
    pub snaps: std::collections::BTreeMap<&'static str, u64>,
}

/// Returns the scores of all contestants.
pub fn score(contest: &Contest) -> Vec<Score> {
    let truths: Vec<TruthFacts> =
        contest.subjects.iter().map(|subject| TruthFacts::of(subject, contest)).collect();
    contest.contestants.iter().map(|contestant| score_one(contest, contestant, &truths)).collect()
}

/// Facts about one subject that are the same for all contestants.
struct TruthFacts {
    /// Speed in metres per second, by frame.
    speed: Vec<f32>,
    /// Highest speed from 4 s before each frame to 1.5 s after it, at least 1.2 m/s.
    near_speed: Vec<f32>,
    /// Whether the truth leapt within the last second.
    leapt: Vec<bool>,
    /// Frames at which the truth came to rest, with its last direction of motion.
    stops: Vec<(usize, Vec3)>,
}

impl TruthFacts {
    fn of(subject: &Subject, contest: &Contest) -> Self {
        let frames = subject.truth.len();
        let mut speed = vec![0.0; frames];
        let mut leaps = vec![false; frames];
        for frame in 1..frames {
            let (Some(before), Some(now)) = (subject.truth[frame - 1], subject.truth[frame]) else {
                continue;
            };
            let secs = (contest.times[frame] - contest.times[frame - 1]).max(1e-6) as f32;
            let way = before.at.distance(now.at);
            leaps[frame] = way > LEAP_METRES.max(60.0 * secs);
            speed[frame] = if leaps[frame] { 0.0 } else { way / secs };
        }
        for time in &subject.teleported {
            if let Some(leap) = leaps.get_mut(contest.times.partition_point(|frame| frame < time)) {
                *leap = true;
            }
        }
        // The first frame of a subject counts as a leap too.
        if let Some(first) = subject
            .gait
            .iter()
            .zip(&subject.truth)
            .position(|(gait, truth)| gait.is_some() || truth.is_some())
        {
            leaps[first] = true;
        }
        // A contestant that draws late still moves after the truth has stopped.
        let back = (LOOK_BACK_SECS * contest.fps).ceil() as usize;
        let reach = (1.5 * contest.fps).ceil() as usize;
        // Where the truth is not known for every frame, the legs give the highest plausible speed.
        let fastest: Vec<f32> =
            speed.iter().zip(&subject.gait).map(|(speed, gait)| speed.max(gait.unwrap_or(0.0))).collect();
        let near_speed = (0..frames)
            .map(|frame| {
                let around = &fastest[frame.saturating_sub(back)..(frame + reach + 1).min(frames)];
                around.iter().copied().fold(1.2, f32::max)
            })
            .collect();
        let after = (LEAP_SECS * contest.fps).ceil() as usize;
        let leapt =
            (0..frames).map(|frame| leaps[frame.saturating_sub(after)..=frame].contains(&true)).collect();
        Self { stops: stops(subject, &speed, contest), speed, near_speed, leapt }
    }
}

/// Returns the frames at which the truth comes to rest for a second.
fn stops(subject: &Subject, speed: &[f32], contest: &Contest) -> Vec<(usize, Vec3)> {
    let rest = contest.fps.ceil() as usize;
    (2..speed.len().saturating_sub(rest))
        .filter(|frame| {
            speed[frame - 1] > 0.5 && speed[*frame..frame + rest].iter().all(|speed| *speed < 0.05)
        })
        .filter_map(|frame| {
            let (before, after) = (subject.truth[frame - 2]?, subject.truth[frame - 1]?);
            let way = (after.at - before.at).normalize_or_zero();
            (way != Vec3::ZERO).then_some((frame, way))
        })
        .collect()
}

#[derive(Default)]
struct Pile {
    pops: u64,
    worst_pop: f32,
    frames: u64,
    frozen: u64,
    walking: u64,
    slide: f64,
    slides: u64,
    changes: Vec<f32>,
    jerk_squares: f64,
    jerks: u64,
    overshoot: f32,
    flicks: u64,
    off: Vec<f32>,
    behind: Vec<f32>,
    to_truth: Vec<f32>,
}

fn score_one(contest: &Contest, contestant: &Contestant, truths: &[TruthFacts]) -> Score {
    let mut pile = Pile::default();
    for (number, ((subject, drawn), facts)) in
        contest.subjects.iter().zip(&contestant.drawn).zip(truths).enumerate()
    {
        let gait = contestant.gait.get(number).unwrap_or(&subject.gait);
        pile.frames(contest, subject, drawn, gait, facts);
        pile.looks(contest, drawn, facts);
        pile.overshoots(contest, subject, drawn, facts);
        pile.behind(contest, subject, drawn, facts);
        pile.silences(contest, subject, drawn);
    }
    let is_dense = contest.subjects.iter().any(|subject| subject.is_dense);
    let minutes = (pile.frames as f64 / contest.fps / 60.0).max(1e-9);
    let to_truth = parts(&mut pile.to_truth);
    let [_, change_p99, _] = parts_at(&mut pile.changes, [0.5, 0.99, 1.0]);
    let squares: f64 = pile.changes.iter().map(|change| f64::from(*change).powi(2)).sum();
    Score {
        name: contestant.name,
        pops: pile.pops,
        worst_pop: pile.worst_pop,
        pops_per_minute: (pile.pops as f64 / minutes) as f32,
        frozen: part(pile.frozen, pile.walking),
        velocity_change: [(squares.max(0.0) / (pile.changes.len().max(1) as f64)).sqrt() as f32, change_p99],
        jerk: (pile.jerk_squares / pile.jerks.max(1) as f64).sqrt() as f32,
        overshoot: is_dense.then_some(pile.overshoot),
        flicks: pile.flicks,
        metres_off: parts(&mut pile.off),
        secs_behind: is_dense.then(|| parts(&mut pile.behind)),
        foot_slide: (pile.slide / pile.slides.max(1) as f64) as f32,
        secs_to_truth: (!pile.to_truth.is_empty()).then_some([to_truth[0], to_truth[2]]),
        snaps: contestant.snaps.clone(),
    }
}

impl Pile {
    /// Scores each frame against the one before.
    fn frames(
        &mut self,
        contest: &Contest,
        subject: &Subject,
        drawn: &[Option<Shown>],
        gait: &[Option<f32>],
        facts: &TruthFacts,
    ) {
        let mut stood = f64::NEG_INFINITY;
        for frame in 0..drawn.len() {
            if gait[frame].is_none() {
                stood = contest.times[frame];
            }
            let Some(now) = drawn[frame].filter(|_| !subject.is_dense || subject.truth[frame].is_some())
            else {
                continue;
            };
            self.frames += 1;
            if facts.leapt[frame] {
                continue;
            }
            if let Some(truth) = subject.truth[frame] {
                self.off.push(now.at.distance(truth.at));
            }
            let Some(before) = frame.checked_sub(1).and_then(|before| drawn[before]) else { continue };
            let truths = subject.truth[frame - 1].zip(subject.truth[frame]);
            let secs = (contest.times[frame] - contest.times[frame - 1]).max(1e-6) as f32;
            let step = before.at.distance(now.at);
            if step > POP_FACTOR * facts.near_speed[frame] * secs + POP_METRES {
                self.pops += 1;
                self.worst_pop = self.worst_pop.max(step);
            }
            let truth_turned = truths.map_or(0.0, |(before, now)| turn(before.heading, now.heading));
            if turn(before.heading, now.heading) > FLICK_DEG && truth_turned < FLICK_DEG / 5.0 {
                self.flicks += 1;
            }
            if let Some(gait) = gait[frame] {
                let flat = Vec3::new(now.at.x - before.at.x, now.at.y - before.at.y, 0.0);
                self.slide += f64::from((flat.length() / secs - gait).abs() / gait).min(10.0);
                self.slides += 1;
                let moves = facts.speed[frame] > MOVES || !subject.is_dense;
                if moves && contest.times[frame] - stood > BEGINS_SECS {
                    self.walking += 1;
                    self.frozen += u64::from(step < STILL);
                }
            }
        }
    }

    /// Scores velocity changes and jerk, at their own sample rate.
    fn looks(&mut self, contest: &Contest, drawn: &[Option<Shown>], facts: &TruthFacts) {
        let every = (contest.fps / LOOKS).round().max(1.0) as usize;
        let secs = every as f32 / contest.fps as f32;
        let looks: Vec<Option<Vec3>> = (0..drawn.len())
            .step_by(every)
            .map(|frame| drawn[frame].filter(|_| !facts.leapt[frame]).map(|shown| shown.at))
            .collect();
        for look in looks.windows(4) {
            let [Some(a), Some(b), Some(c), Some(d)] = look else { continue };
            let (v1, v2, v3) = ((b - a) / secs, (c - b) / secs, (d - c) / secs);
            self.changes.push((v3 - v2).length());
            let jerk = ((v3 - v2) - (v2 - v1)) / (secs * secs);
            self.jerk_squares += f64::from(jerk.length_squared());
            self.jerks += 1;
        }
    }

    fn overshoots(
        &mut self,
        contest: &Contest,
        subject: &Subject,
        drawn: &[Option<Shown>],
        facts: &TruthFacts,
    ) {
        for (frame, way) in &facts.stops {
            let Some(rest) = subject.truth[*frame] else { continue };
            let until = (frame + (2.5 * contest.fps) as usize).min(drawn.len());
            for (later, shown) in drawn.iter().enumerate().take(until).skip(*frame) {
                // Only while the truth rests.
                if facts.speed[later] > MOVES || facts.leapt[later] {
                    break;
                }
                if let Some(shown) = shown {
                    self.overshoot = self.overshoot.max((shown.at - rest.at).dot(*way));
                }
            }
        }
    }

    /// Scores the delay: the time since the truth was at the drawn place. Ten samples per second
    /// are enough.
    fn behind(&mut self, contest: &Contest, subject: &Subject, drawn: &[Option<Shown>], facts: &TruthFacts) {
        let every = (contest.fps / 10.0).round().max(1.0) as usize;
        let back = (LOOK_BACK_SECS * contest.fps) as usize;
        let stride = (contest.fps / 30.0).round().max(1.0) as usize;
        for frame in (0..drawn.len()).step_by(every) {
            let Some(now) = drawn[frame].filter(|_| facts.speed[frame] > 0.5 && !facts.leapt[frame]) else {
                continue;
            };
            let mut nearest = (f32::MAX, frame);
            for then in (frame.saturating_sub(back)..=frame).rev().step_by(stride) {
                let Some(truth) = subject.truth[then].filter(|_| !facts.leapt[then]) else { break };
                let apart = truth.at.distance(now.at);
                if apart < nearest.0 - 1e-4 {
                    nearest = (apart, then);
                }
            }
            self.behind.push((contest.times[frame] - contest.times[nearest.1]) as f32);
        }
    }

    fn silences(&mut self, contest: &Contest, subject: &Subject, drawn: &[Option<Shown>]) {
        for pair in subject.heard.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            if to - from <= SILENCE_SECS {
                continue;
            }
            let [before, frame] = [from, to].map(|time| contest.times.partition_point(|frame| *frame < time));
            let truth = |frame: usize| subject.truth.get(frame).copied().flatten();
            // A standing body needs no catching up.
            let moved =
                truth(before).zip(truth(frame)).map_or(0.0, |(before, now)| before.at.distance(now.at));
            if moved < THERE_METRES {
                continue;
            }
            let off = |frame: usize| Some(truth(frame)?.at.distance(drawn[frame]?.at));
            let until = (frame + (5.0 * contest.fps) as usize).min(drawn.len());
            let there = (frame..until).find(|frame| off(*frame).is_some_and(|off| off < THERE_METRES));
            let secs = there.map_or(5.0, |there| (contest.times[there] - to).max(0.0));
            self.to_truth.push(secs as f32);
        }
    }
}

fn turn(from: f32, to: f32) -> f32 {
    ((to - from + 540.0).rem_euclid(360.0) - 180.0).abs()
}

fn part(of: u64, all: u64) -> f32 {
    if all == 0 { 0.0 } else { (of as f64 / all as f64) as f32 }
}

fn parts(numbers: &mut [f32]) -> [f32; 3] {
    parts_at(numbers, [0.5, 0.95, 1.0])
}

fn parts_at(numbers: &mut [f32], at: [f64; 3]) -> [f32; 3] {
    numbers.sort_unstable_by(f32::total_cmp);
    let last = numbers.len().saturating_sub(1) as f64;
    at.map(|part| numbers.get((last * part).round() as usize).copied().unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use evenstride_types::EntityId;

    use super::*;

    /// Returns the score for a subject that walks east at 4 m/s for ten seconds and then stands,
    /// drawn by `draw`.
    fn drawn_as(draw: impl Fn(f64) -> Shown) -> Score {
        let times: Vec<f64> = (0..=900).map(|frame| f64::from(frame) / 60.0).collect();
        let at = |time: f64| Shown { at: Vec3::new(4.0 * time.min(10.0) as f32, 0.0, 0.0), heading: 90.0 };
        let subject = Subject {
            entity: EntityId::new(1),
            name: String::new(),
            truth: times.iter().map(|time| Some(at(*time))).collect(),
            gait: times.iter().map(|time| (*time < 10.0).then_some(4.0)).collect(),
            heard: (0..15).map(f64::from).collect(),
            teleported: Vec::new(),
            is_dense: true,
        };
        let drawn = vec![times.iter().map(|time| Some(draw(*time))).collect()];
        let contestant = Contestant {
            name: "one",
            drawn,
            gait: Vec::new(),
            state_hash: None,
            snaps: BTreeMap::new(),
            cost_ns: 0.0,
        };
        let contest = Contest { fps: 60.0, times, subjects: vec![subject], contestants: vec![contestant] };
        score(&contest).remove(0)
    }

    fn on(x: f64) -> Shown {
        Shown { at: Vec3::new(x as f32, 0.0, 0.0), heading: 90.0 }
    }

    #[test]
    fn who_draws_the_truth_is_perfect() {
        let score = drawn_as(|time| on(4.0 * time.min(10.0)));
        assert_eq!((score.pops, score.flicks, score.frozen), (0, 0, 0.0));
        assert!(
            score.overshoot < Some(1e-3)
                && score.metres_off[2] < 1e-3
                && score.secs_behind.unwrap()[2] < 0.02,
            "{score:?}"
        );
        assert!(score.foot_slide < 0.01, "{score:?}");
    }

    #[test]
    fn who_draws_half_a_second_late_is_half_a_second_behind() {
        let score = drawn_as(|time| on(4.0 * (time - 0.5).clamp(0.0, 10.0)));
        assert!((score.secs_behind.unwrap()[0] - 0.5).abs() < 0.04, "{score:?}");
        assert!((score.metres_off[0] - 2.0).abs() < 0.1 && score.pops == 0, "{score:?}");
    }

    #[test]
    fn who_draws_what_was_heard_pops_and_stands_while_the_legs_run() {
        let score = drawn_as(|time| on(4.0 * time.floor().min(10.0)));
        // The first second does not count.
        assert_eq!(score.pops, 9);
        assert!((score.worst_pop - 4.0).abs() < 1e-3 && score.frozen > 0.95, "{score:?}");
        assert!(score.jerk > 100.0, "{score:?}");
    }

    #[test]
    fn who_runs_past_the_end_overshoots() {
        let score = drawn_as(|time| on(4.0 * time.min(10.4)));
        assert!((score.overshoot.unwrap() - 1.6).abs() < 0.01, "{score:?}");
    }

    #[test]
    fn who_turns_about_flicks() {
        let score = drawn_as(|time| Shown {
            heading: if time > 5.0 { 270.0 } else { 90.0 },
            ..on(4.0 * time.min(10.0))
        });
        assert_eq!(score.flicks, 1);
    }
}
