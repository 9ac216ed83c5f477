//! Finds the clock of a track by comparing its places with those of the contest.

use anyhow::{Result, bail};
use evenstride_arena::{
    Contest,
    rival::{Shown, place_at},
};

use super::{Drawn, Places};

/// Distance in metres beyond which two places are simply different.
const FAR_METRES: f32 = 20.0;

/// Number of frames that are compared, at most.
const SAMPLES: usize = 400;

/// Largest number of offsets that the first search tries.
const MAX_TRIES: f64 = 20_000.0;

/// Smallest share of the samples that must overlap, 0 to 1.
const LEAST_OVERLAP: f64 = 0.3;

/// Returns the seconds to add to the times of a track, so that its places lie closest to the true
/// ones, or to those of Evenstride if the truth is unknown.
///
/// # Errors
/// If no offset brings both together.
pub(super) fn offset(drawn: &Drawn, contest: &Contest) -> Result<f64> {
    let references = references(drawn, contest);
    let times = references.iter().flat_map(|of| of.samples.iter().map(|(time, _)| *time));
    let range = |times: &mut dyn Iterator<Item = f64>| {
        times.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), time| (low.min(time), high.max(time)))
    };
    let (first, last) = range(&mut times.into_iter());
    let (from, to) = range(&mut drawn.values().flatten().map(|(time, _)| *time));
    let apart = |offset: f64| apart(&references, offset);
    let (low, high) = (first - to, last - from);
    let mut step = f64::max(0.1, (high - low) / MAX_TRIES);
    if !(high - low).is_finite() {
        bail!("--track: nothing in it can be compared with the contest");
    }
    let tries = (0..=((high - low) / step) as usize).map(|index| low + index as f64 * step);
    let mut best = tries.map(|offset| (apart(offset), offset)).fold((f32::INFINITY, 0.0), better);
    while step > 0.001 {
        let around = (-5..=5).map(|index| best.1 + f64::from(index) * step / 5.0);
        best = around.map(|offset| (apart(offset), offset)).fold(best, better);
        step /= 5.0;
    }
    if best.0 > FAR_METRES / 2.0 {
        bail!(
            "--track: its places are not those of this contest, whatever its clock; check entities, cells and axes"
        );
    }
    Ok((best.1 * 1000.0).round() / 1000.0)
}

fn better(best: (f32, f64), one: (f32, f64)) -> (f32, f64) {
    if one.0 < best.0 { one } else { best }
}

/// The track of an entity, and samples of the places that it is compared with.
struct Reference<'a> {
    track: &'a [(f64, Shown)],
    samples: Places,
}

/// Returns samples of the places that a track is compared with, by entity.
fn references<'a>(drawn: &'a Drawn, contest: &Contest) -> Vec<Reference<'a>> {
    let glide = contest.contestants.iter().find(|of| of.name == "glide");
    let every = (contest.times.len() / SAMPLES).max(1);
    let subjects = contest.subjects.iter().enumerate();
    let sampled = subjects.filter_map(|(number, subject)| {
        let places = drawn.get(&subject.entity)?;
        let has_truth = subject.truth.iter().any(Option::is_some) && subject.is_dense;
        let reference = if has_truth { &subject.truth } else { glide?.drawn.get(number)? };
        let frames = contest.times.iter().zip(reference).step_by(every);
        let samples = frames.filter_map(|(time, shown)| Some((*time, (*shown)?))).collect();
        Some(Reference { track: places, samples })
    });
    sampled.collect()
}

/// Returns the mean distance at an offset, in metres. Few places in common count as far apart.
fn apart(references: &[Reference<'_>], offset: f64) -> f32 {
    let (mut sum, mut found, mut all) = (0.0, 0, 0);
    for Reference { track, samples } in references {
        for (time, there) in samples {
            all += 1;
            if let Some(here) = place_at(track, time - offset) {
                sum += here.at.distance(there.at).min(FAR_METRES);
                found += 1;
            }
        }
    }
    if f64::from(found) < LEAST_OVERLAP * f64::from(all.max(1)) { FAR_METRES } else { sum / found as f32 }
}
