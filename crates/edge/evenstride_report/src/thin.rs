//! Limits for the browser, and the selection of data within them.

use evenstride::{Happening, outcome::Outcome};

use crate::report::{Sample, Told};

/// Largest number of samples of drawn paths, over all entities.
pub(crate) const MAX_SAMPLES: usize = 200_000;

/// Largest number of received positions that are shown as dots, over all entities.
pub(crate) const MAX_DOTS: usize = 120_000;

/// Number of decisions over all entities above which ordinary ones are thinned.
pub(crate) const MAX_DECISIONS: usize = 60_000;

/// Usual number of samples kept of a group, which are the first one and three peaks.
pub(crate) const KEPT_OF_A_BUNCH: usize = 4;

/// Number of decisions of one entity above which ordinary ones are thinned.
pub(crate) const MAX_DECISIONS_EACH: usize = 4_000;

/// Returns the stride at which at most `max` of `count` items are kept.
pub(crate) const fn stride(count: usize, max: usize) -> usize {
    let stride = count.div_ceil(max);
    if stride == 0 { 1 } else { stride }
}

/// Returns the samples to keep. From each group of `stride` samples these are the first, ends,
/// breaks, and the largest speed, distance and number of waypoints. No peak is lost. A stride of up
/// to [`KEPT_OF_A_BUNCH`] keeps all samples.
pub(crate) fn samples(all: &[Sample], stride: usize) -> Vec<Sample> {
    if stride <= KEPT_OF_A_BUNCH {
        return all.to_vec();
    }
    let mut kept = Vec::with_capacity(all.len() / stride * 2);
    for (number, bunch) in all.chunks(stride).enumerate() {
        let peak = |of: fn(&Sample) -> f64| {
            let largest =
                bunch.iter().enumerate().max_by(|(_, one), (_, other)| of(one).total_cmp(&of(other)));
            largest.map(|(index, _)| index)
        };
        let peaks = [peak(|of| of.behind), peak(|of| of.speed), peak(|of| of.route as f64)];
        for (index, sample) in bunch.iter().enumerate() {
            let place = number * stride + index;
            let is_end = place + 1 == all.len() || all[place + 1].is_break;
            if index == 0 || is_end || sample.is_break || peaks.contains(&Some(index)) {
                kept.push(*sample);
            }
        }
    }
    kept
}

/// Returns all unusual decisions, and every `stride`th decision. The stride is larger if there are
/// more than [`MAX_DECISIONS_EACH`] decisions.
pub(crate) fn decisions(all: &[Told], stride: usize) -> impl Iterator<Item = &Told> {
    let stride = stride.max(self::stride(all.len(), MAX_DECISIONS_EACH));
    all.iter()
        .enumerate()
        .filter(move |(index, told)| index.is_multiple_of(stride) || !is_ordinary(&told.decision))
        .map(|(_, told)| told)
}

const fn is_ordinary(decision: &Happening) -> bool {
    match decision {
        Happening::Reached { .. } | Happening::RanDry => true,
        Happening::Position { outcome, .. } | Happening::Movement { outcome, .. } => {
            matches!(outcome, Outcome::Applied | Outcome::AppliedInPart | Outcome::Queued(_))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_breaks_and_ends_survive_thinning() {
        let sample = |index: usize| Sample {
            time: index as f64,
            behind: if index == 57 { 9.0 } else { 0.0 },
            speed: if index == 64 { 9.0 } else { 0.0 },
            route: usize::from(index == 75),
            is_break: index == 33,
            ..Sample::default()
        };
        let all: Vec<Sample> = (0..100).map(sample).collect();
        let kept: Vec<f64> = samples(&all, 10).iter().map(|sample| sample.time).collect();
        assert!(kept.len() < 40, "{kept:?}");
        for time in [0.0, 32.0, 33.0, 57.0, 64.0, 75.0, 99.0] {
            assert!(kept.contains(&time), "{time}: {kept:?}");
        }
        assert!(kept.is_sorted());
        assert_eq!(samples(&all, 1).len(), 100);
    }
}
