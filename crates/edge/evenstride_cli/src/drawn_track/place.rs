//! Time and place of a row.

use anyhow::{Context, Result, bail};
use evenstride_arena::rival::Shown;
use evenstride_types::{CellId, LandblockId, Rotation, Vec3};

use super::{
    columns::{Chosen, Part, Row},
    entities::readings,
};
use crate::output::one_line;

/// What a row says of its entity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Time in seconds on the clock of the track.
    pub(super) time: f64,
    /// Place and heading in the axes of contests.
    pub(super) shown: Shown,
    /// Whether the row says where it faces.
    pub(super) has_heading: bool,
}

/// Reads a row.
pub(super) fn spot(row: Row<'_>, chosen: &Chosen) -> Result<Spot> {
    let time = match (row.number(Part::Time)?, row.number(Part::Millis)?) {
        (Some(secs), _) => secs,
        (None, Some(millis)) => millis / 1000.0,
        (None, None) if chosen.title(Part::Millis).is_some() => {
            return Err(row.layout.missing(Part::Millis, chosen));
        }
        (None, None) => return Err(row.layout.missing(Part::Time, chosen)),
    };
    if time.abs() > MAX_SECS {
        bail!("time: {time:e} s is not a time; use --track-columns ms=COLUMN for milliseconds");
    }
    let heading = heading(row)?;
    let shown = Shown { at: at(row, chosen)?, heading: heading.unwrap_or(0.0) };
    Ok(Spot { time, shown, has_heading: heading.is_some() })
}

/// Largest time in seconds, which is 30,000 years.
pub(super) const MAX_SECS: f64 = 1e12;

/// Returns the place in metres from the corner of the landblock in which contests measure.
///
/// A place of the whole map has more digits than an `f32`, so the corner is subtracted before.
fn at(row: Row<'_>, chosen: &Chosen) -> Result<Vec3> {
    let part = |part: Part| row.number(part)?.ok_or_else(|| row.layout.missing(part, chosen));
    let [x, y, z] = [part(Part::X)?, part(Part::Y)?, part(Part::Z)?];
    let corner = |block: LandblockId| [block.x(), block.y()].map(|number| f64::from(number) * BLOCK_METRES);
    let [east, north] = corner(CellId::new(BLOCK)?.landblock());
    let [block_east, block_north] = cell(row)?.map_or([0.0, 0.0], |cell| corner(cell.landblock()));
    let at = [x + (block_east - east), y + (block_north - north), z];
    if let Some(far) = at.iter().find(|metres| metres.abs() > MAX_METRES) {
        bail!("x, y, z: {far:e} m is outside the map");
    }
    Ok(Vec3::from_array(at.map(|metres| metres as f32)))
}

/// A cell of the landblock from whose corner contests measure, and the width of a landblock.
const BLOCK: u32 = 0xA9B4_0001;
const BLOCK_METRES: f64 = 192.0;

/// Largest distance in metres from that corner, twenty times the width of the map.
const MAX_METRES: f64 = 1e6;

/// Returns the cell. Without one, coordinates are metres of the whole map.
fn cell(row: Row<'_>) -> Result<Option<CellId>> {
    let Some(text) = row.text(Part::Cell) else { return Ok(None) };
    let number = readings(text).into_iter().flatten().next();
    let number = number.with_context(|| format!("cell: \"{}\" is not like 0xA9B40001", one_line(text)))?;
    Ok(Some(CellId::new(number)?))
}

/// Returns the heading in degrees, clockwise from north, if the row has one or a rotation.
fn heading(row: Row<'_>) -> Result<Option<f32>> {
    if let Some(degrees) = row.number(Part::Heading)? {
        if degrees.abs() > MAX_DEGREES {
            bail!("heading: {degrees:e} is not an angle in degrees");
        }
        // Rounded to `f32`, the largest angle below a whole turn is a whole turn.
        return Ok(Some(degrees.rem_euclid(360.0) as f32 % 360.0));
    }
    let mut wxyz = [0.0; 4];
    for (slot, part) in wxyz.iter_mut().zip([Part::Qw, Part::Qx, Part::Qy, Part::Qz]) {
        match row.number(part)? {
            Some(number) => *slot = number as f32,
            None => return Ok(None),
        }
    }
    Ok(Some(Rotation::normalized(wxyz)?.heading().degrees()))
}

/// Largest heading in degrees. A program may count turns.
const MAX_DEGREES: f64 = 1e9;
