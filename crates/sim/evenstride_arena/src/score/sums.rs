//! Sums over all frames and subjects of one contestant, and the score made of them.

use super::Score;
use crate::contest::Contestant;

#[derive(Default)]
pub(super) struct Sums {
    pub(super) frames: u64,
    /// Frames in which the subject could be drawn, and those of them in which it is.
    pub(super) due: u64,
    pub(super) shown: u64,
    pub(super) pops: u64,
    pub(super) worst_pop: f32,
    /// Frames in which the subject moves, and those of them without movement and against it.
    pub(super) moving: u64,
    pub(super) frozen: u64,
    pub(super) backwards: u64,
    pub(super) path: f64,
    pub(super) true_path: f64,
    pub(super) reversals: u64,
    pub(super) changes: Vec<f32>,
    pub(super) change_most: f32,
    pub(super) jerk_squares: f64,
    pub(super) jerks: u64,
    pub(super) flicks: u64,
    pub(super) heading_off: Vec<f32>,
    pub(super) heading_squares: f64,
    pub(super) headings: u64,
    /// Frames on the ground in which the drawing moves, and those of them with standing legs.
    pub(super) on_foot: u64,
    pub(super) dragged: u64,
    /// Frames in which the legs move, and those of them on the spot.
    pub(super) striding: u64,
    pub(super) on_the_spot: u64,
    pub(super) slide: f64,
    pub(super) strides: f64,
    pub(super) off: Vec<f32>,
    pub(super) rest_off: Vec<f32>,
    pub(super) air_off: Vec<f32>,
    pub(super) overshoot: f32,
    pub(super) behind: Vec<f32>,
    pub(super) to_truth: Vec<f32>,
}

impl Sums {
    pub(super) fn into_score(mut self, contestant: &Contestant, is_dense: bool, fps: f64) -> Score {
        let minutes = (self.frames as f64 / fps / 60.0).max(1e-9);
        let squares: f64 = self.changes.iter().map(|change| f64::from(*change).powi(2)).sum();
        let changes = self.changes.len().max(1) as f64;
        let has_headings = !contestant.lacks_headings;
        Score {
            name: contestant.name.clone(),
            // Differences that no viewer sees are rounded off.
            fps: ((fps * 1e3).round() / 1e3) as f32,
            drawn: if self.due == 0 { 1.0 } else { share(self.shown, self.due) },
            pops: self.pops,
            worst_pop: self.worst_pop,
            pops_per_minute: (self.pops as f64 / minutes) as f32,
            frozen: share(self.frozen, self.moving),
            on_the_spot: share(self.on_the_spot, self.striding),
            dragged: share(self.dragged, self.on_foot),
            backwards: share(self.backwards, self.moving),
            reversals_per_minute: (self.reversals as f64 / minutes) as f32,
            velocity_change: [
                (squares.max(0.0) / changes).sqrt() as f32,
                percentile(&mut self.changes, 0.99),
            ],
            velocity_change_most: self.change_most,
            jerk: (self.jerk_squares / self.jerks.max(1) as f64).sqrt() as f32,
            overshoot: is_dense.then_some(self.overshoot),
            flicks: has_headings.then_some(self.flicks),
            heading_off: (is_dense && has_headings).then(|| percentile(&mut self.heading_off, 0.95)),
            heading_acceleration: has_headings
                .then(|| (self.heading_squares / self.headings.max(1) as f64).sqrt() as f32),
            metres_off: three(&mut self.off),
            rest_off: (!self.rest_off.is_empty()).then(|| percentile(&mut self.rest_off, 0.95)),
            air_off: (is_dense && !self.air_off.is_empty()).then(|| percentile(&mut self.air_off, 0.95)),
            secs_behind: three(&mut self.behind),
            nominal_delay: contestant.delay as f32,
            path: (self.true_path > 0.01).then(|| (self.path / self.true_path) as f32),
            foot_slide: (self.slide / self.strides.max(1e-9)) as f32,
            secs_to_truth: three(&mut self.to_truth).map(|[median, _, most]| [median, most]),
            snaps: contestant.snaps.clone(),
        }
    }
}

fn share(of: u64, all: u64) -> f32 {
    if all == 0 { 0.0 } else { (of as f64 / all as f64) as f32 }
}

/// Returns median, 95th percentile and maximum, or `None` for no numbers.
fn three(numbers: &mut [f32]) -> Option<[f32; 3]> {
    (!numbers.is_empty()).then(|| [0.5, 0.95, 1.0].map(|part| percentile(numbers, part)))
}

fn percentile(numbers: &mut [f32], part: f64) -> f32 {
    numbers.sort_unstable_by(f32::total_cmp);
    let last = numbers.len().saturating_sub(1) as f64;
    numbers.get((last * part).round() as usize).copied().unwrap_or(0.0)
}
