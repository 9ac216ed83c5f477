//! Finds the clock of a track by comparing its places with those of the contest.

use anyhow::{Result, bail};
use evenstride_arena::{
    Contest,
    rival::{Shown, place_at},
};

use super::{Places, read::Track};

/// The clock of a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    /// Seconds to add to the times of the track.
    pub(super) offset: f64,
    /// Another offset, more than a second away, that fits about as well.
    pub(super) rival: Option<f64>,
}

/// Returns the clock with which the places of a track lie closest to the true ones, or to those of
/// Evenstride if the truth is unknown.
///
/// # Errors
/// If no offset brings both together.
pub(super) fn clock(track: &Track, contest: &Contest) -> Result<Clock> {
    let references = References::of(track, contest);
    let refined: Vec<Fit> =
        references.candidates().iter().map(|candidate| references.refined(candidate)).collect();
    let Some(best) = refined.iter().copied().reduce(better) else {
        bail!("--track: nothing in it can be compared with the contest");
    };
    if best.off > FAR_METRES / 2.0 {
        bail!(
            "--track: its places are not those of this contest, whatever its clock; check entities, cells and axes"
        );
    }
    let is_rival = |fit: &&Fit| {
        let fits_as_well = fit.cost <= best.cost + RIVAL_METRES + RIVAL_SHARE * best.off;
        // A shorter part that fits far better may be the true one, with the rest of it not logged.
        let part_fits_better = best.matched > RIVAL_METRES
            && fit.matched < RIVAL_SHARE * best.matched
            && fit.found as f64 >= LEAST_OVERLAP * best.found as f64;
        (fit.offset - best.offset).abs() > APART_SECS && (fits_as_well || part_fits_better)
    };
    let rival = refined.iter().filter(is_rival).copied().reduce(better);
    let rounded = |offset: f64| (offset * 1000.0).round() / 1000.0;
    Ok(Clock { offset: rounded(best.offset), rival: rival.map(|rival| rounded(rival.offset)) })
}

/// How well an offset fits.
#[derive(Clone, Copy, Debug)]
struct Fit {
    offset: f64,
    /// Mean cost of a sample in metres. A sample without a counterpart and a wrong heading cost too.
    cost: f32,
    /// Mean distance in metres of the samples that have a counterpart.
    off: f32,
    /// Mean cost of these samples in metres.
    matched: f32,
    /// Number of samples that have one.
    found: usize,
}

/// Returns the better of two offsets. Of equal ones, that is the one nearer to equal clocks.
fn better(one: Fit, other: Fit) -> Fit {
    let is_tie = (one.cost - other.cost).abs() <= TIE_METRES;
    let is_other = if is_tie { other.offset.abs() < one.offset.abs() } else { other.cost < one.cost };
    if is_other { other } else { one }
}

/// An offset that fits better than those around it.
struct Candidate {
    offset: f64,
    /// Seconds to the offsets beside it.
    step: f64,
    /// Smallest number of samples that must have a counterpart.
    least: usize,
}

/// What a track is compared with.
struct References<'a> {
    of: Vec<Reference<'a>>,
    has_headings: bool,
    /// First and last time of the samples.
    span: [f64; 2],
}

/// The track of an entity, and samples of the places that it is compared with.
struct Reference<'a> {
    track: &'a [(f64, Shown)],
    samples: Places,
}

impl<'a> References<'a> {
    /// Takes samples of the bodies that move most. One that stands says little about the clock.
    fn of(track: &'a Track, contest: &Contest) -> Self {
        let glide = contest.contestants.iter().find(|of| of.name == "glide");
        let every = (contest.times.len() / SAMPLES).max(1);
        let subjects = contest.subjects.iter().enumerate();
        let sampled = subjects.filter_map(|(number, subject)| {
            let places = track.drawn.get(&subject.entity)?;
            let has_truth = subject.truth.iter().any(Option::is_some) && subject.is_dense;
            let reference = if has_truth { &subject.truth } else { glide?.drawn.get(number)? };
            let frames = contest.times.iter().zip(reference).step_by(every);
            let samples = frames.filter_map(|(time, shown)| Some((*time, (*shown)?))).collect();
            Some(Reference { track: places, samples })
        });
        let mut of: Vec<Reference<'_>> = sampled.collect();
        of.sort_by(|one, other| other.path().total_cmp(&one.path()));
        of.truncate(MAX_REFERENCES);
        let times = || of.iter().flat_map(|of| &of.samples).map(|(time, _)| *time);
        let span = [times().fold(f64::INFINITY, f64::min), times().fold(f64::NEG_INFINITY, f64::max)];
        Self { of, has_headings: track.has_headings, span }
    }

    /// Returns the offsets at which the track fits better than around, at least a second apart, the best
    /// first.
    fn candidates(&self) -> Vec<Candidate> {
        let intervals = self.intervals();
        let length: f64 = intervals.iter().map(|[low, high]| high - low).sum();
        let step = f64::max(0.1, length / MAX_TRIES);
        let samples: usize = self.of.iter().map(|of| of.samples.len()).sum();
        let every = (samples / COARSE_SAMPLES).max(1);
        let mut tries: Vec<Vec<Fit>> = Vec::new();
        for [low, high] in intervals {
            let offsets = (0..=((high - low) / step) as usize).map(|index| low + index as f64 * step);
            // Equal clocks are tried exactly, because nothing is likelier.
            let zero = (low..=high).contains(&0.0).then_some(0.0);
            let mut offsets: Vec<f64> = offsets.chain(zero).collect();
            offsets.sort_by(f64::total_cmp);
            tries.push(offsets.into_iter().map(|offset| self.fit(offset, every)).collect());
        }
        let most = tries.iter().flatten().map(|fit| fit.found).max().unwrap_or(0);
        let least = ((LEAST_OVERLAP * most as f64) as usize).max(1);
        let mut kept: Vec<Candidate> = Vec::new();
        // Some offsets fit less of the track, but fit it better. They may show that the best is uncertain.
        for cost in [|fit: &Fit| fit.cost, |fit: &Fit| fit.matched] {
            let most = kept.len() + MAX_CANDIDATES;
            for Fit { offset, .. } in lowest(&tries, least, cost) {
                if kept.len() < most && kept.iter().all(|of| (of.offset - offset).abs() > APART_SECS) {
                    kept.push(Candidate { offset, step, least: least * every / 2 });
                }
            }
        }
        kept
    }

    /// Returns the ranges of offsets that bring a part of the track into the contest, without overlaps.
    ///
    /// A single row with another clock, or a break of days, makes no range of its own in between.
    fn intervals(&self) -> Vec<[f64; 2]> {
        let [first, last] = self.span;
        let mut parts: Vec<(usize, [f64; 2])> = Vec::new();
        for track in self.of.iter().map(|of| of.track).filter(|track| !track.is_empty()) {
            let is_break = |(one, _): &(f64, Shown), (other, _): &(f64, Shown)| {
                other - one <= f64::max(last - first, APART_SECS)
            };
            for part in track.chunk_by(is_break) {
                let (from, to) = (part[0].0, part[part.len() - 1].0);
                parts.push((part.len(), [first - to, last - from]));
            }
        }
        parts.sort_by(|(one, _), (other, _)| other.cmp(one));
        parts.truncate(MAX_PARTS);
        let mut ranges: Vec<[f64; 2]> = parts.into_iter().map(|(_, range)| range).collect();
        ranges.sort_by(|one, other| one[0].total_cmp(&other[0]));
        let mut merged: Vec<[f64; 2]> = Vec::new();
        for range in ranges {
            match merged.last_mut().filter(|before| range[0] <= before[1]) {
                Some(before) => before[1] = before[1].max(range[1]),
                None => merged.push(range),
            }
        }
        merged
    }

    /// Returns the best offset around one, to a fraction of a millisecond.
    fn refined(&self, candidate: &Candidate) -> Fit {
        let mut step = candidate.step;
        let mut best = self.fit(candidate.offset, 1);
        while step > 0.001 {
            let around = (-5..=5).map(|index| best.offset + f64::from(index) * step / 5.0);
            let fits = around.map(|offset| self.fit(offset, 1));
            best = fits.filter(|fit| fit.found > candidate.least).fold(best, better);
            step /= 5.0;
        }
        best
    }

    fn fit(&self, offset: f64, every: usize) -> Fit {
        let (mut off, mut cost, mut found, mut all) = (0.0, 0.0, 0, 0);
        for Reference { track, samples } in &self.of {
            for (time, there) in samples.iter().step_by(every) {
                all += 1;
                let Some(here) = place_at(track, time - offset) else { continue };
                found += 1;
                let apart = here.at.distance(there.at);
                off += apart.min(FAR_METRES);
                let turn = (here.heading - there.heading + 540.0).rem_euclid(360.0) - 180.0;
                let turn = if self.has_headings { turn.abs() / 180.0 * TURN_METRES } else { 0.0 };
                // A place that is simply wrong is no worse than none.
                cost += (apart + turn).min(MISSING_METRES);
            }
        }
        let [off, matched] = [off, cost].map(|sum| sum / found.max(1) as f32);
        cost += (all - found) as f32 * MISSING_METRES;
        Fit { offset, cost: cost / all.max(1) as f32, off, matched, found }
    }
}

/// Returns the offsets that cost no more than those beside them, the cheapest first. Those of a range come
/// in order.
fn lowest(tries: &[Vec<Fit>], least: usize, cost: fn(&Fit) -> f32) -> Vec<Fit> {
    let mut lowest: Vec<Fit> = Vec::new();
    for tries in tries {
        let cost =
            |index: usize| tries.get(index).filter(|fit| fit.found >= least).map_or(f32::INFINITY, cost);
        let is_low = |index: &usize| {
            cost(*index).is_finite()
                && cost(*index) <= cost(*index + 1)
                && index.checked_sub(1).is_none_or(|before| cost(*index) <= cost(before))
        };
        lowest.extend((0..tries.len()).filter(is_low).map(|index| tries[index]));
    }
    lowest.sort_by(|one, other| {
        let by_cost = cost(one).total_cmp(&cost(other)).then(other.found.cmp(&one.found));
        by_cost.then(one.offset.abs().total_cmp(&other.offset.abs()))
    });
    lowest
}

impl Reference<'_> {
    /// Returns the length of the path through the samples.
    fn path(&self) -> f32 {
        self.samples.windows(2).map(|pair| pair[0].1.at.distance(pair[1].1.at)).sum()
    }
}

/// Distance in metres beyond which two places are simply different.
const FAR_METRES: f32 = 20.0;

/// Cost of a sample without a counterpart, and of a body that faces the wrong way, in metres.
const MISSING_METRES: f32 = 8.0;
const TURN_METRES: f32 = 2.0;

/// Difference in metres below which two offsets fit equally well.
const TIE_METRES: f32 = 1e-4;

/// Distance in seconds between offsets that are different answers, and how much worse the second one may
/// fit before it is no answer: in metres, and as a share of what the first one is off.
const APART_SECS: f64 = 1.0;
const RIVAL_METRES: f32 = 0.1;
const RIVAL_SHARE: f32 = 0.25;

/// Number of bodies, and of frames of a body, that are compared, at most. The first search takes fewer
/// samples of all bodies.
const MAX_REFERENCES: usize = 12;
const SAMPLES: usize = 400;
const COARSE_SAMPLES: usize = 200;

/// Largest number of offsets that the first search tries, and of each kind that are tried closely.
const MAX_TRIES: f64 = 100_000.0;
const MAX_CANDIDATES: usize = 12;

/// Largest number of uninterrupted parts of a track that are tried, the longest first.
const MAX_PARTS: usize = 32;

/// Smallest share of the samples with a counterpart, 0 to 1, of the most that any offset has.
const LEAST_OVERLAP: f64 = 0.3;
