//! Limits for the browser, and the selection of data within them.

use evenstride::{Happening, outcome::Outcome};

use crate::{
    data::NO_ERROR,
    report::{Sample, Told},
};

/// Largest number of samples of drawn paths, over all entities.
pub(crate) const MAX_SAMPLES: usize = 200_000;

/// Largest number of received positions that are shown as dots, over all entities.
pub(crate) const MAX_DOTS: usize = 120_000;

/// Largest number of decisions over all entities. Ordinary ones are thinned first.
pub(crate) const MAX_DECISIONS: usize = 60_000;

/// Largest number of marks over all entities.
pub(crate) const MAX_MARKS: usize = 30_000;

/// Largest number of moments. The worst are shown.
pub(crate) const MAX_MOMENTS: usize = 500;

/// Largest number of entities. Those with the most received positions are shown.
pub(crate) const MAX_ENTITIES: usize = 5_000;

/// Usual number of samples kept of a group, which are the first one and three peaks.
pub(crate) const KEPT_OF_A_BUNCH: usize = 4;

/// Largest number of decisions of one entity.
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
        let peaks = [
            peak(|of| if of.error > NO_ERROR { of.error.abs() } else { 0.0 }),
            peak(|of| of.speed),
            peak(|of| of.route as f64),
        ];
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

/// The decisions to keep, of ordinary and of unusual ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecisionStrides {
    pub(crate) ordinary: usize,
    pub(crate) unusual: usize,
}

impl DecisionStrides {
    /// Returns the strides at which at most `max` decisions are kept. Unusual ones may take up all
    /// the room.
    pub(crate) fn of<'a>(all: impl Iterator<Item = &'a Told>, max: usize) -> Self {
        let (mut count, mut unusual) = (0, 0);
        for told in all {
            count += 1;
            unusual += usize::from(!is_ordinary(&told.decision));
        }
        // A few ordinary ones stay in any case, to show that there are some.
        Self {
            ordinary: stride(count - unusual, max.saturating_sub(unusual).max(max / 10)),
            unusual: stride(unusual, max),
        }
    }

    fn or_larger(self, other: Self) -> Self {
        Self { ordinary: self.ordinary.max(other.ordinary), unusual: self.unusual.max(other.unusual) }
    }
}

/// Returns the decisions to keep of one entity, at most about [`MAX_DECISIONS_EACH`].
pub(crate) fn decisions(all: &[Told], strides: DecisionStrides) -> Vec<Told> {
    let strides = strides.or_larger(DecisionStrides::of(all.iter(), MAX_DECISIONS_EACH));
    let (mut ordinary, mut unusual) = (0usize, 0usize);
    all.iter()
        .filter(|told| {
            let (number, stride) = if is_ordinary(&told.decision) {
                (&mut ordinary, strides.ordinary)
            } else {
                (&mut unusual, strides.unusual)
            };
            *number += 1;
            (*number - 1).is_multiple_of(stride)
        })
        .copied()
        .collect()
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
    fn a_flood_of_decisions_is_thinned_even_if_none_is_ordinary() {
        let told = |decision| Told { time: 0.0, decision };
        let mut all = vec![told(Happening::Appeared); 1_000_000];
        all.extend(vec![told(Happening::RanDry); 100_000]);
        let strides = DecisionStrides::of(all.iter(), MAX_DECISIONS);
        let kept = decisions(&all, strides);
        let ordinary = kept.iter().filter(|told| is_ordinary(&told.decision)).count();
        assert!(kept.len() - ordinary <= MAX_DECISIONS_EACH, "{}", kept.len());
        assert!((1..=MAX_DECISIONS_EACH / 10).contains(&ordinary), "{ordinary}");
        assert_eq!(decisions(&all[..100], DecisionStrides { ordinary: 1, unusual: 1 }).len(), 100);
    }

    #[test]
    fn peaks_breaks_and_ends_survive_thinning() {
        let sample = |index: usize| Sample {
            time: index as f64,
            error: if index == 57 { 9.0 } else { 0.0 },
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
