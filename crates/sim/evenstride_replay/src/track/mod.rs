//! Tracks, which have one row per entity and frame, as CSV, as JSON lines or as columns in memory.
//!
//! ```text
//! frame ─► roster.rs ─┬─► kept.rs ─────────► writer.rs
//!          all bodies │   text of each row   blocks of text
//!          at once    └─► columns.rs
//! ```

mod columns;
mod kept;
mod roster;
mod writer;

use evenstride::MovedBy;
use serde::Serialize;

pub use self::{
    columns::{ColumnRecorder, TrackColumns},
    writer::{TrackWriter, WrittenTrack},
};

/// Format of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackFormat {
    /// Comma-separated, with a header line.
    Csv,
    /// One JSON object per line.
    JsonLines,
}

/// One entity in one frame. Positions are metres in their landblock, rotations are w, x, y, z, and
/// velocities are metres per second.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row<'a> {
    /// Seconds on the recording's clock.
    pub time: f64,
    /// The entity, in hexadecimal.
    pub entity: String,
    /// The cell of the entity, in hexadecimal.
    pub cell: String,
    /// Position after its last step.
    pub position: [f32; 3],
    /// Rotation after its last step.
    pub rotation: [f32; 4],
    /// The cell in which it is drawn, in hexadecimal.
    pub drawn_cell: String,
    /// Position at which it is drawn.
    pub drawn_position: [f32; 3],
    /// Rotation with which it is drawn.
    pub drawn_rotation: [f32; 4],
    /// Velocity of its last step.
    pub velocity: [f32; 3],
    /// The source of its motion, which is `nothing`, `route`, `follow`, `legs`, `flight` or
    /// `holder`.
    pub moved_by: &'static str,
    /// Number of waypoints on its route.
    pub route: usize,
    /// Outcome of the last update about it, or empty before the first.
    pub last_update: &'a str,
}

/// Returns a time in seconds, rounded to microseconds.
fn micros(time: f64) -> f64 {
    (time * 1e6).round() / 1e6
}

/// Returns the name of a source of motion, as in [`Row::moved_by`].
pub const fn moved_by(what: MovedBy) -> &'static str {
    match what {
        MovedBy::Route => "route",
        MovedBy::Follow => "follow",
        MovedBy::Legs => "legs",
        MovedBy::Flight => "flight",
        MovedBy::Holder => "holder",
        _ => "nothing",
    }
}
