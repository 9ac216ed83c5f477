//! The scorecard: smoothness and accuracy as numbers. `docs/scorecard.md` has the formulas.
//!
//! `reference.rs` prepares what drawings are compared with: the truth, or the received positions if
//! the truth is unknown. `motion.rs` scores how a drawing moves, `place.rs` where it is, and
//! `legs.rs` whether feet fit the ground. `ranking.rs` says which contestants are best.

mod legs;
mod motion;
mod place;
mod ranking;
mod reference;
mod sums;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use evenstride_types::Vec3;
use serde::Serialize;

pub use self::ranking::{Column, LATE_SECS, Rank, SPARSE_SHARE, rank};
use self::{reference::Reference, sums::Sums};
use crate::{
    contest::{Contest, Contestant, Subject},
    rival::Shown,
};

/// The scores of one contestant, over all subjects.
///
/// A field is `None` if the contest lacks what it needs, which is a truth for every frame unless
/// the field says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// Name of the contestant.
    pub name: String,
    /// Frames per second at which it is drawn and scored.
    pub fps: f32,
    /// Share of the frames, 0 to 1, in which it draws a subject that it could know. The second after a
    /// leap does not count.
    pub drawn: f32,
    /// Number of frames that leap without reason.
    pub pops: u64,
    /// Longest pop in metres.
    pub worst_pop: f32,
    /// Pops per minute in which a subject is drawn.
    pub pops_per_minute: f32,
    /// Share of frames without movement, 0 to 1, while the subject moves.
    pub frozen: f32,
    /// Share of frames without movement, 0 to 1, while the shown animation moves.
    pub on_the_spot: f32,
    /// Share of moving frames on the ground, 0 to 1, in which the shown animation stands.
    pub dragged: f32,
    /// Share of frames that move against the subject's direction, 0 to 1, while the subject moves.
    pub backwards: f32,
    /// Reversals of the direction of motion per minute.
    pub reversals_per_minute: f32,
    /// Change of velocity between two samples in metres per second: root mean square and 99th
    /// percentile.
    pub velocity_change: [f32; 2],
    /// Largest change of velocity within 0.25 s, in metres per second.
    pub velocity_change_most: f32,
    /// Root mean square of the jerk in m/s³.
    pub jerk: f32,
    /// Farthest distance in metres beyond the place where the subject stopped.
    pub overshoot: Option<f32>,
    /// Number of flicks of the heading. `None` if its headings are unknown.
    pub flicks: Option<u64>,
    /// Difference from the true heading in degrees, 95th percentile. `None` also if its headings are
    /// unknown.
    pub heading_off: Option<f32>,
    /// Root mean square of the heading's acceleration, in degrees per second squared. `None` if its
    /// headings are unknown.
    pub heading_acceleration: Option<f32>,
    /// Distance in metres from the truth: median, 95th percentile, maximum. Needs some truth.
    pub metres_off: Option<[f32; 3]>,
    /// Distance in metres from the truth while that has rested for a second, 95th percentile.
    pub rest_off: Option<f32>,
    /// Difference in height from the truth in metres while that is in the air, 95th percentile.
    /// `None` also without a flight.
    pub air_off: Option<f32>,
    /// Seconds behind the moving truth: median, 95th percentile, maximum.
    pub secs_behind: Option<[f32; 3]>,
    /// Seconds by which the contestant draws late on purpose, on average.
    pub nominal_delay: f32,
    /// Length of the drawn path, divided by that of the true path, or of the path through received
    /// positions. `None` if the subjects do not move.
    pub path: Option<f32>,
    /// Difference between the drawn speed and the speed of the shown animation, as a share of the
    /// latter.
    pub foot_slide: f32,
    /// Seconds until a body is within half a metre of the truth, after a silence in which the truth
    /// moved: median, maximum. `None` also without such a silence.
    pub secs_to_truth: Option<[f32; 2]>,
    /// Number of snaps by reason. Empty for rivals.
    pub snaps: BTreeMap<&'static str, u64>,
}

/// Returns the scores of all contestants. A contestant that draws at another rate is scored on its
/// own frames, and comes after the contestant whose name its name begins with.
pub fn score(contest: &Contest) -> Vec<Score> {
    let references = references(contest);
    let mut scores: Vec<Score> =
        contest.contestants.iter().map(|contestant| score_one(contest, contestant, &references)).collect();
    for other in contest.at_other_rates.iter().flat_map(score) {
        let of = scores.iter().position(|of| other.name.starts_with(&of.name));
        scores.insert(of.map_or(scores.len(), |index| index + 1), other);
    }
    scores
}

/// Returns the score that the truth itself would get, or `None` unless it is known for every frame.
///
/// Its jerk, reversals and heading acceleration are those of the motion itself. A drawing with less
/// of them has smoothed something away.
pub fn score_of_truth(contest: &Contest) -> Option<Score> {
    if !contest.subjects.iter().all(|subject| subject.is_dense) {
        return None;
    }
    let drawn = contest.subjects.iter().map(|subject| subject.truth.clone()).collect();
    let references = references(contest);
    // Its feet fit the ground.
    let speed = |velocity: &Option<Vec3>| velocity.map(|velocity| velocity.with_z(0.0).length());
    let legs = |reference: &Reference| reference.velocity.iter().map(speed).collect();
    let legs = references.iter().map(legs).collect();
    let truth = Contestant { legs, drawn, ..Contestant::named("truth") };
    Some(score_one(contest, &truth, &references))
}

/// Returns the mean of scores of one contestant in several contests.
///
/// Numbers are averaged, except for the worst pop, of which the largest counts. A number that some
/// contests lack is averaged over the others. Returns `None` for no scores.
pub fn mean(scores: &[&Score]) -> Option<Score> {
    let first = scores.first()?;
    let count = scores.len() as f32;
    let of = |number: fn(&Score) -> f32| scores.iter().map(|score| number(score)).sum::<f32>() / count;
    let known = |number: &dyn Fn(&Score) -> Option<f32>| {
        let numbers: Vec<f32> = scores.iter().filter_map(|score| number(score)).collect();
        (!numbers.is_empty()).then(|| numbers.iter().sum::<f32>() / numbers.len() as f32)
    };
    let three = |numbers: fn(&Score) -> Option<[f32; 3]>| {
        let one = |index: usize| known(&|score| numbers(score).map(|numbers| numbers[index]));
        Some([one(0)?, one(1)?, one(2)?])
    };
    let two = |numbers: fn(&Score) -> Option<[f32; 2]>| {
        let one = |index: usize| known(&|score| numbers(score).map(|numbers| numbers[index]));
        Some([one(0)?, one(1)?])
    };
    let mut snaps = BTreeMap::new();
    for (reason, count) in scores.iter().flat_map(|score| &score.snaps) {
        *snaps.entry(*reason).or_default() += count;
    }
    Some(Score {
        name: first.name.clone(),
        fps: of(|score| score.fps),
        drawn: of(|score| score.drawn),
        // Rounded up, so that a single one is seen.
        pops: (scores.iter().map(|score| score.pops).sum::<u64>() as f64 / f64::from(count)).ceil() as u64,
        worst_pop: scores.iter().map(|score| score.worst_pop).fold(0.0, f32::max),
        pops_per_minute: of(|score| score.pops_per_minute),
        frozen: of(|score| score.frozen),
        on_the_spot: of(|score| score.on_the_spot),
        dragged: of(|score| score.dragged),
        backwards: of(|score| score.backwards),
        reversals_per_minute: of(|score| score.reversals_per_minute),
        velocity_change: [of(|score| score.velocity_change[0]), of(|score| score.velocity_change[1])],
        velocity_change_most: of(|score| score.velocity_change_most),
        jerk: of(|score| score.jerk),
        overshoot: known(&|score| score.overshoot),
        flicks: known(&|score| score.flicks.map(|flicks| flicks as f32)).map(|flicks| flicks.ceil() as u64),
        heading_off: known(&|score| score.heading_off),
        heading_acceleration: known(&|score| score.heading_acceleration),
        metres_off: three(|score| score.metres_off),
        rest_off: known(&|score| score.rest_off),
        air_off: known(&|score| score.air_off),
        secs_behind: three(|score| score.secs_behind),
        nominal_delay: of(|score| score.nominal_delay),
        path: known(&|score| score.path),
        foot_slide: of(|score| score.foot_slide),
        secs_to_truth: two(|score| score.secs_to_truth),
        snaps,
    })
}

fn references(contest: &Contest) -> Vec<Reference> {
    contest.subjects.iter().map(|subject| Reference::of(subject, contest)).collect()
}

/// One subject as one contestant draws it, beside what it is compared with.
#[derive(Clone, Copy)]
struct Drawing<'a> {
    contest: &'a Contest,
    subject: &'a Subject,
    reference: &'a Reference,
    drawn: &'a [Option<Shown>],
    /// Speed of the shown animation in metres per second, by frame. `None` while it stands.
    legs: &'a [Option<f32>],
}

impl Drawing<'_> {
    /// Returns two successive frames in which the subject is drawn, and the seconds between them.
    /// `None` if one is missing or does not count.
    fn pair(&self, frame: usize) -> Option<(Shown, Shown, f32)> {
        if self.reference.leapt[frame] {
            return None;
        }
        let before = frame.checked_sub(1)?;
        let secs = (self.contest.times[frame] - self.contest.times[before]).max(1e-6) as f32;
        Some((self.drawn[before]?, self.drawn[frame]?, secs))
    }

    /// Returns the number of frames between two samples at a rate per second.
    fn stride(&self, rate: f64) -> usize {
        // A rate slightly below one that lies in the middle is rounded up as well.
        (self.contest.fps / rate + 1e-3).round().max(1.0) as usize
    }
}

fn score_one(contest: &Contest, contestant: &Contestant, references: &[Reference]) -> Score {
    let mut sums = Sums::default();
    for (number, ((subject, drawn), reference)) in
        contest.subjects.iter().zip(&contestant.drawn).zip(references).enumerate()
    {
        let legs = contestant.legs.get(number).unwrap_or(&subject.legs);
        let drawing = Drawing { contest, subject, reference, drawn, legs };
        sums.add_motion(drawing);
        sums.add_turns(drawing);
        sums.add_legs(drawing);
        sums.add_places(drawing);
    }
    let is_dense = contest.subjects.iter().any(|subject| subject.is_dense);
    sums.into_score(contestant, is_dense, contest.fps)
}
