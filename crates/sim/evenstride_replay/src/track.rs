//! Tracks: a row an entity and frame, as CSV or JSON lines.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

use evenstride::MovedBy;
use evenstride_types::{EntityId, Placement};
use serde::Serialize;

use crate::recording::Said;
use crate::replay::{Frame, Heard, ReplayObserver};

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackFormat {
    /// Comma-separated, with a line of names first.
    Csv,
    /// A JSON object a line.
    JsonLines,
}

/// One entity in one frame. Positions are metres in their landblock, rotations are w, x, y, z, velocities are metres a second.
#[derive(Clone, Debug, Serialize)]
pub struct Row<'a> {
    /// Seconds on the recording's clock.
    pub time: f64,
    /// Who, in hexadecimal.
    pub entity: String,
    /// The cell it is in, in hexadecimal.
    pub cell: String,
    /// Where its last step left it.
    pub position: [f32; 3],
    /// How it was turned then.
    pub rotation: [f32; 4],
    /// The cell it is drawn in.
    pub drawn_cell: String,
    /// Where it is drawn.
    pub drawn_position: [f32; 3],
    /// How it is turned.
    pub drawn_rotation: [f32; 4],
    /// How fast its last step moved it.
    pub velocity: [f32; 3],
    /// What moves it: `nothing`, `route`, `follow`, `legs`, `flight` or `holder`.
    pub moved_by: &'static str,
    /// Waypoints it has not reached yet.
    pub route: usize,
    /// What became of the last update about it.
    pub last_update: &'a str,
}

/// Writes rows as a replay goes.
#[derive(Debug)]
pub struct TrackWriter<W> {
    out: W,
    format: TrackFormat,
    /// Whose rows; everybody's if empty.
    only: BTreeSet<EntityId>,
    last_update: BTreeMap<EntityId, String>,
    rows: u64,
    error: Option<io::Error>,
}

const NAMES: &str = "time,entity,cell,x,y,z,qw,qx,qy,qz,drawn_cell,drawn_x,drawn_y,drawn_z,drawn_qw,drawn_qx,drawn_qy,drawn_qz,vx,vy,vz,moved_by,route,last_update";

impl<W: Write> TrackWriter<W> {
    /// Writes to `out`, about these entities, or everybody if there are none.
    pub fn new(mut out: W, format: TrackFormat, only: impl IntoIterator<Item = EntityId>) -> Self {
        let error = match format {
            TrackFormat::Csv => writeln!(out, "{NAMES}").err(),
            TrackFormat::JsonLines => None,
        };
        let only = only.into_iter().collect();
        Self { out, format, only, last_update: BTreeMap::new(), rows: 0, error }
    }

    /// Ends the file, and says how many rows it has.
    ///
    /// # Errors
    /// The first one that came up while writing.
    pub fn finish(mut self) -> io::Result<(u64, W)> {
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| (self.rows, self.out)),
        }
    }

    fn write(&mut self, frame: &Frame<'_>, entity: EntityId) -> io::Result<()> {
        let (Some(body), Some(drawn)) = (frame.world.body(entity), frame.world.drawn(entity, frame.now))
        else {
            return Ok(());
        };
        let place = body.place.unwrap_or(drawn);
        // Between two steps it may be in the cell of either.
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

fn write_csv(out: &mut impl Write, row: &Row<'_>) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &row.time)?;
    write!(out, ",{},{}", row.entity, row.cell)?;
    numbers(out, &row.position)?;
    numbers(out, &row.rotation)?;
    write!(out, ",{}", row.drawn_cell)?;
    numbers(out, &row.drawn_position)?;
    numbers(out, &row.drawn_rotation)?;
    numbers(out, &row.velocity)?;
    // The sentence has commas, but never a quotation mark.
    writeln!(out, ",{},{},\"{}\"", row.moved_by, row.route, row.last_update)
}

fn numbers(out: &mut impl Write, numbers: &[f32]) -> io::Result<()> {
    // The shortest digits that read back the same, and several times faster than the standard library's.
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
