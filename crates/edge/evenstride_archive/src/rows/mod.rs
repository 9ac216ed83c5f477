//! Rows of the five tables, made while a capture is replayed.

mod decisions;
mod entities;
mod moments;
mod tracks;
mod updates;

/// Returns a time in seconds rounded to microseconds, so that equal frames have equal times in all tables.
pub(crate) fn to_microseconds(time: f64) -> f64 {
    (time * 1e6).round() / 1e6
}

pub use self::{
    decisions::DecisionRows,
    entities::entity_rows,
    moments::moment_rows,
    tracks::{FrameScope, TrackRows},
    updates::UpdateRows,
};
