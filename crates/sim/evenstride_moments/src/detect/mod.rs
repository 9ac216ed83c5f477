//! The detectors, one file for each family of faults.
//!
//! A detector looks at samples or positions of one track and returns findings. A finding is a
//! [`Moment`](crate::Moment) that may still be joined with others.

pub(crate) mod backward;
pub(crate) mod flick;
pub(crate) mod legs;
pub(crate) mod messages;
pub(crate) mod receipts;
pub(crate) mod standing;

use crate::track::{Sample, Track};

/// Speed in metres per second above which a body moves, as in the scorecard.
pub(crate) const MOVES: f32 = 0.2;

/// Speed in metres per second below which a body stands, as in the scorecard.
pub(crate) const STANDS: f32 = 0.06;

/// Returns the two newest samples of a track, if time has passed between them.
pub(crate) fn last_two(track: &Track) -> Option<[Sample; 2]> {
    let count = track.samples.len();
    let before = track.samples.get(count.checked_sub(2)?)?;
    let now = track.samples.get(count - 1)?;
    (now.time > before.time).then_some([*before, *now])
}
