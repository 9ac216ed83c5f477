//! A buffer with a fixed delay.

use super::Snapshots;
use crate::{Drawn, line::Arrival, mover::FPS};

/// Returns the places some seconds in the past, by the sender's clock.
pub(crate) fn draw_late(arrivals: &[Arrival], frames: usize, late_secs: f64) -> Drawn {
    let mut snapshots = Snapshots::default();
    let mut arrivals = arrivals.iter().peekable();
    let frame = |number: usize| {
        let now = number as f64 / FPS;
        while let Some(arrival) = arrivals.next_if(|arrival| arrival.arrived <= now) {
            snapshots.insert(*arrival);
        }
        snapshots.forget_before(now - late_secs - 6.0);
        snapshots.place(now - late_secs)
    };
    (0..frames).map(frame).collect()
}
