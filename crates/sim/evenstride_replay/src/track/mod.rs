//! Tracks, which have one row per entity and frame, as CSV or JSON lines.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

use evenstride::MovedBy;
use evenstride_types::{EntityId, Placement};
use serde::Serialize;

use crate::recording::Said;
use crate::replay::{Frame, Heard, ReplayObserver};

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
#[derive(Clone, Debug, Serialize)]
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

/// Rows that were written.
#[derive(Debug)]
pub struct WrittenTrack<W> {
    /// Number of rows.
    pub rows: u64,
    /// Number of rows that exceeded the size limit.
    pub left_out: u64,
    /// The output.
    pub out: W,
}

/// Writes rows during a replay.
#[derive(Debug)]
pub struct TrackWriter<W> {
    out: Counted<W>,
    format: TrackFormat,
    /// Entities to write, or empty for all.
    only: BTreeSet<EntityId>,
    last_update: BTreeMap<EntityId, String>,
    rows: u64,
    /// Size in bytes from which on rows are left out.
    limit: u64,
    left_out: u64,
    error: Option<io::Error>,
}

const NAMES: &str = "time,entity,cell,x,y,z,qw,qx,qy,qz,drawn_cell,drawn_x,drawn_y,drawn_z,drawn_qw,drawn_qx,drawn_qy,drawn_qz,vx,vy,vz,moved_by,route,last_update";

impl<W: Write> TrackWriter<W> {
    /// Creates a writer to `out`. It writes the given entities, or all if there are none.
    pub fn new(out: W, format: TrackFormat, only: impl IntoIterator<Item = EntityId>) -> Self {
        let mut out = Counted { out, bytes: 0 };
        let error = match format {
            TrackFormat::Csv => writeln!(out, "{NAMES}").err(),
            TrackFormat::JsonLines => None,
        };
        let only = only.into_iter().collect();
        Self { out, format, only, last_update: BTreeMap::new(), rows: 0, limit: u64::MAX, left_out: 0, error }
    }

    /// Leaves out all rows after `bytes` bytes. The last row is always complete.
    #[must_use]
    pub const fn with_limit(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// The first error that occurred while writing.
    pub fn finish(mut self) -> io::Result<WrittenTrack<W>> {
        if let Some(error) = self.error {
            return Err(error);
        }
        self.out.flush()?;
        Ok(WrittenTrack { rows: self.rows, left_out: self.left_out, out: self.out.out })
    }

    fn write(&mut self, frame: &Frame<'_>, entity: EntityId) -> io::Result<()> {
        let (Some(body), Some(drawn)) = (frame.world.body(entity), frame.world.drawn(entity, frame.now))
        else {
            return Ok(());
        };
        if self.out.bytes >= self.limit {
            self.left_out += 1;
            return Ok(());
        }
        let place = body.place.unwrap_or(drawn);
        // Between two steps the body may be in the cell of either.
        let drawn = drawn.settled().unwrap_or(drawn);
        let [drawn_cell, cell] = [drawn.cell, place.cell].map(|cell| cell.to_string());
        let row = Row {
            time: (frame.time * 1e6).round() / 1e6,
            entity: entity.to_string(),
            cell,
            position: place.pose.origin().to_array(),
            rotation: wxyz(&place),
            drawn_cell,
            drawn_position: drawn.pose.origin().to_array(),
            drawn_rotation: wxyz(&drawn),
            velocity: body.velocity.to_array(),
            moved_by: moved_by(body.moved_by),
            route: body.waypoints,
            last_update: self.last_update.get(&entity).map_or("", String::as_str),
        };
        self.rows += 1;
        match self.format {
            TrackFormat::JsonLines => {
                serde_json::to_writer(&mut self.out, &row)?;
                self.out.write_all(b"\n")
            }
            TrackFormat::Csv => write_csv(&mut self.out, &row),
        }
    }
}

impl<W: Write> ReplayObserver for TrackWriter<W> {
    fn heard(&mut self, heard: &Heard<'_>) {
        if let (Said::Server(update), Some(disposition)) = (heard.said, heard.disposition)
            && let Some(entity) = update.entity()
            && (self.only.is_empty() || self.only.contains(&entity))
        {
            self.last_update.insert(entity, disposition.to_string());
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        if self.error.is_some() {
            return;
        }
        let mut entities: Vec<EntityId> = if self.only.is_empty() {
            frame.world.entities().collect()
        } else {
            self.only.iter().copied().collect()
        };
        entities.sort_unstable();
        for entity in entities {
            if let Err(error) = self.write(frame, entity) {
                self.error = Some(error);
                return;
            }
        }
    }
}

/// An output that counts its bytes.
#[derive(Debug)]
struct Counted<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn write_csv(out: &mut impl Write, row: &Row<'_>) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &row.time)?;
    write!(out, ",{},{}", row.entity, row.cell)?;
    numbers(out, &row.position)?;
    numbers(out, &row.rotation)?;
    write!(out, ",{}", row.drawn_cell)?;
    numbers(out, &row.drawn_position)?;
    numbers(out, &row.drawn_rotation)?;
    numbers(out, &row.velocity)?;
    // The sentence may have commas, but never a quotation mark.
    writeln!(out, ",{},{},\"{}\"", row.moved_by, row.route, row.last_update)
}

fn numbers(out: &mut impl Write, numbers: &[f32]) -> io::Result<()> {
    // This gives the shortest digits that read back unchanged, several times faster than the
    // standard library.
    numbers.iter().try_for_each(|number| {
        out.write_all(b",")?;
        Ok(serde_json::to_writer(&mut *out, number)?)
    })
}

fn wxyz(place: &Placement) -> [f32; 4] {
    place.pose.rotation().to_wxyz()
}

const fn moved_by(what: MovedBy) -> &'static str {
    match what {
        MovedBy::Route => "route",
        MovedBy::Follow => "follow",
        MovedBy::Legs => "legs",
        MovedBy::Flight => "flight",
        MovedBy::Holder => "holder",
        _ => "nothing",
    }
}
