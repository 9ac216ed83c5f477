//! Rows of the five tables, made while a capture is replayed.

mod decisions;
mod entities;
mod moments;
mod tracks;
mod updates;

pub use self::{
    decisions::DecisionRows,
    entities::entity_rows,
    moments::moment_rows,
    tracks::{FrameScope, TrackRows},
    updates::UpdateRows,
};
