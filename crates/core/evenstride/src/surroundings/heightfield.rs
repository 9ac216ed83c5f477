//! Hills.

use alloc::vec::Vec;

use evenstride_types::{LandblockId, Placement, Vec3, unit_vector};

use super::{Ground, Placed, Placing, Surroundings, Sweep, Swept, place_over, sweep_over};

/// Ground given by heights on a square grid, two triangles to a square, as the client's land is. Outside the grid and indoors nothing is known:
/// bodies keep what they stand on, and land with the first grounded update.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightfield {
    corner: LandblockId,
    spacing: f32,
    columns: usize,
    heights: Vec<f32>,
}

impl Heightfield {
    /// A grid whose first height lies on the south-west corner of `corner`; rows run west to east, the first one southernmost.
    ///
    /// # Errors
    /// [`InvalidHeightfield`] when the numbers do not make a grid.
    pub fn new(
        corner: LandblockId,
        spacing: f32,
        columns: usize,
        heights: Vec<f32>,
    ) -> Result<Self, InvalidHeightfield> {
        if !(spacing.is_finite() && spacing > 0.0) {
            return Err(InvalidHeightfield::Spacing { spacing });
        }
        if columns < 2 || heights.len() < 2 * columns || !heights.len().is_multiple_of(columns) {
            return Err(InvalidHeightfield::Shape { columns, heights: heights.len() });
        }
        if let Some((index, &height)) = heights.iter().enumerate().find(|(_, height)| !height.is_finite()) {
            return Err(InvalidHeightfield::Height { index, height });
        }
        Ok(Self { corner, spacing, columns, heights })
    }

    /// Height of the ground under a place, if the grid covers it.
    pub fn height_at(&self, place: &Placement) -> Option<f32> {
        self.ground(place).map(|ground| ground.z)
    }

    fn ground(&self, place: &Placement) -> Option<Ground> {
        // Rooms have floors of their own, which a field of hills knows nothing about.
        if place.cell.is_indoor() {
            return None;
        }
        let blocks = self.corner.offset_to(place.cell.landblock());
        let (column, part_x) = Self::square((blocks.x + place.pose.origin().x) / self.spacing, self.columns)?;
        let rows = self.heights.len() / self.columns;
        let (row, part_y) = Self::square((blocks.y + place.pose.origin().y) / self.spacing, rows)?;
        let height = |x: usize, y: usize| self.heights[(row + y) * self.columns + column + x];
        let (sw, se, nw, ne) = (height(0, 0), height(1, 0), height(0, 1), height(1, 1));
        // Two triangles, split from south-west to north-east: on each the ground is one plane.
        let (rise_east, rise_north) = if part_x >= part_y { (se - sw, ne - se) } else { (ne - nw, nw - sw) };
        let normal = unit_vector(Vec3::new(-rise_east, -rise_north, self.spacing)).unwrap_or(Vec3::Z);
        Some(Ground { z: sw + rise_east * part_x + rise_north * part_y, normal })
    }

    /// Which square of `count` posts a coordinate lies in, and how far into it.
    fn square(coordinate: f32, count: usize) -> Option<(usize, f32)> {
        let first = libm::floorf(coordinate);
        if !(first >= 0.0 && first < (count - 1) as f32) {
            return None;
        }
        Some((first as usize, coordinate - first))
    }
}

impl Surroundings for Heightfield {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        sweep_over(sweep, |place| self.ground(place))
    }

    fn place(&self, placing: &Placing) -> Placed {
        place_over(placing, |place| self.ground(place))
    }

    fn lands_by_update(&self, at: &Placement) -> bool {
        self.ground(at).is_none()
    }
}

/// Why numbers do not make a [`Heightfield`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InvalidHeightfield {
    /// Distance between posts.
    #[error("heightfield spacing: {spacing} is not a positive number of metres")]
    Spacing {
        /// As given.
        spacing: f32,
    },
    /// Not at least two full rows of at least two posts.
    #[error("heightfield: {heights} heights do not fill two or more rows of {columns} columns (at least 2)")]
    Shape {
        /// As given.
        columns: usize,
        /// How many were given.
        heights: usize,
    },
    /// A height.
    #[error("heightfield height {index}: {height} is not a finite number")]
    Height {
        /// Which, counted from 0.
        index: usize,
        /// As given.
        height: f32,
    },
}
