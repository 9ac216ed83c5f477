//! A buffer with a time line of its own, as Mirror has one.
//!
//! Written from the settings that Mirror documents, with their defaults. The time line runs a little
//! faster or slower while it drifts away from its place in the buffer. The buffer grows with the jitter
//! of arrivals.

use super::Snapshots;
use crate::{Drawn, line::Arrival, mover::FPS};

/// Part by which the time line speeds up and slows down.
const CATCH_UP: f64 = 0.02;
const SLOW_DOWN: f64 = 0.04;

/// Drift from which it does, in intervals.
const THRESHOLD: f64 = 1.0;

/// Intervals by which the buffer is longer than the jitter asks for, and its longest length.
const TOLERANCE: f64 = 1.0;
const MOST_INTERVALS: f64 = 5.0;

/// Seconds over which drift and jitter are averaged.
const DRIFT_SECS: f64 = 1.0;
const JITTER_SECS: f64 = 2.0;

/// An exponential moving average with its variance.
#[derive(Clone, Copy, Debug, Default)]
struct Average {
    weight: f64,
    mean: f64,
    variance: f64,
    has_begun: bool,
}

impl Average {
    /// Makes an average over a number of values.
    fn over(values: f64) -> Self {
        Self { weight: 2.0 / (values + 1.0), ..Self::default() }
    }

    fn add(&mut self, value: f64) {
        if !self.has_begun {
            (self.mean, self.has_begun) = (value, true);
            return;
        }
        let delta = value - self.mean;
        self.mean += self.weight * delta;
        self.variance = (1.0 - self.weight) * (self.variance + self.weight * delta * delta);
    }
}

/// Returns the places that the time line passes. `interval` is the time between updates in seconds.
pub(crate) fn draw_like_mirror(arrivals: &[Arrival], frames: usize, interval: f64) -> Drawn {
    let mut snapshots = Snapshots::default();
    let mut arrivals = arrivals.iter().peekable();
    let (mut line, mut speed, mut buffer) = (None, 1.0, 2.0 * interval);
    let mut drift = Average::over((DRIFT_SECS / interval).max(1.0));
    let mut gaps = Average::over((JITTER_SECS / interval).max(1.0));
    let mut last = None;
    let frame = |number: usize| {
        let now = number as f64 / FPS;
        while let Some(arrival) = arrivals.next_if(|arrival| arrival.arrived <= now) {
            snapshots.insert(*arrival);
            if let Some(before) = last.replace(arrival.arrived) {
                gaps.add(arrival.arrived - before);
                let intervals = (interval + gaps.variance.sqrt()) / interval + TOLERANCE;
                buffer = intervals.min(MOST_INTERVALS) * interval;
            }
            let newest = snapshots.0.last().map_or(0.0, |one| one.sent);
            let at = line.get_or_insert(newest - buffer);
            // It never leaves the buffer by more than the buffer's own length.
            *at = at.clamp(newest - 2.0 * buffer, newest);
            drift.add(newest - *at);
            let off = drift.mean - buffer;
            speed = if off > THRESHOLD * interval {
                1.0 + CATCH_UP
            } else if off < -THRESHOLD * interval {
                1.0 - SLOW_DOWN
            } else {
                1.0
            };
        }
        let at = line.as_mut()?;
        let place = snapshots.place(*at);
        snapshots.forget_before(*at - 1.0);
        *at += speed / FPS;
        place
    };
    (0..frames).map(frame).collect()
}
