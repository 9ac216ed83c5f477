//! The usual time between two positions.

use std::collections::VecDeque;

/// Number of gaps whose median is the usual one.
const KEPT: usize = 15;

/// The last gaps between positions, in seconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gaps(VecDeque<f64>);

impl Gaps {
    /// Adds a gap. The oldest one makes room.
    pub(crate) fn add(&mut self, secs: f64) {
        if self.0.len() == KEPT {
            let _ = self.0.pop_front();
        }
        self.0.push_back(secs);
    }

    /// Returns the median, or `None` for fewer gaps than `least`.
    pub(crate) fn usual(&self, least: usize) -> Option<f64> {
        let mut sorted: Vec<f64> = self.0.iter().copied().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        (sorted.len() >= least.max(1)).then(|| sorted[sorted.len() / 2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_gap_is_the_median_of_the_last_ones() {
        let mut gaps = Gaps::default();
        assert_eq!(gaps.usual(0), None);
        [0.2, 5.0, 0.2].into_iter().for_each(|secs| gaps.add(secs));
        assert_eq!((gaps.usual(3), gaps.usual(4)), (Some(0.2), None));
        (0..KEPT).for_each(|_| gaps.add(1.0));
        assert_eq!(gaps.usual(1), Some(1.0));
    }
}
