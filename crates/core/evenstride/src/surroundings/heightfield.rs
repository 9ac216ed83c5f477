//! Hills.

use alloc::vec::Vec;

use evenstride_types::{CELL_SIZE, LandblockId, Placement, Vec3, unit_vector};

use crate::surroundings::{
    Ground, OpenField, Placed, Placing, Surroundings, Sweep, Swept, place_over, sweep_over,
};

/// Ground given by heights on a square grid, two triangles to a square, as the client's land is. Outside the grid, in its gaps and indoors
/// nothing is known: it is an [`OpenField`] there.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightfield {
    corner: LandblockId,
    spacing: f32,
    columns: usize,
    /// Infinite where nothing is known.
    heights: Vec<f32>,
    cuts: Cuts,
}

/// How the squares of a grid are cut into triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cuts {
    /// All the same way.
    Alike(Cut),
    /// Each as the client cuts it: by where it is on the map, so that hills have no grain. Squares of 24 m only; others are cut alike,
    /// south-west to north-east.
    Client,
}

/// How a square is cut into two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// From south-west to north-east.
    SouthWestNorthEast,
    /// From south-east to north-west.
    SouthEastNorthWest,
}

impl Cut {
    /// How the client cuts a square, counted from the south-west corner of the map.
    ///
    /// Disputed: ACE multiplies by a rounded 2⁻³² and compares with a half, which differs for 34 of the 2³² products.
    #[doc(alias = "CLandBlockStruct::ConstructPolygons")]
    pub const fn of_client(east: u32, north: u32) -> Self {
        let slope = 214_614_067_u32.wrapping_mul(east).wrapping_add(1_813_693_831);
        let hash = north
            .wrapping_mul(slope)
            .wrapping_sub(1_109_124_029_u32.wrapping_mul(east))
            .wrapping_sub(1_369_149_221);
        if hash >> 31 == 1 { Self::SouthWestNorthEast } else { Self::SouthEastNorthWest }
    }
}

/// Squares along a side of a landblock.
const SQUARES: u32 = 8;

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
        let heights = heights.into_iter().map(Some).collect();
        Self::with_gaps(corner, spacing, columns, heights, Cuts::Alike(Cut::SouthWestNorthEast))
    }

    /// The same, cut as you like, with posts of which nothing is known: a square with such a corner is no ground.
    ///
    /// # Errors
    /// [`InvalidHeightfield`] when the numbers do not make a grid.
    pub fn with_gaps(
        corner: LandblockId,
        spacing: f32,
        columns: usize,
        heights: Vec<Option<f32>>,
        cuts: Cuts,
    ) -> Result<Self, InvalidHeightfield> {
        if !(spacing.is_finite() && spacing > 0.0) {
            return Err(InvalidHeightfield::Spacing { spacing });
        }
        if columns < 2 || heights.len() < 2 * columns || !heights.len().is_multiple_of(columns) {
            return Err(InvalidHeightfield::Shape { columns, heights: heights.len() });
        }
        for (index, height) in heights.iter().enumerate() {
            if let Some(height) = height.filter(|height| !height.is_finite()) {
                return Err(InvalidHeightfield::Height { index, height });
            }
        }
        let heights = heights.into_iter().map(|height| height.unwrap_or(f32::INFINITY)).collect();
        let cuts = match cuts {
            Cuts::Client if spacing != CELL_SIZE => Cuts::Alike(Cut::SouthWestNorthEast),
            cuts => cuts,
        };
        Ok(Self { corner, spacing, columns, heights, cuts })
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
        if !(sw + se + nw + ne).is_finite() {
            return None;
        }
        // Two triangles: on each the ground is one plane.
        let (z, rise_east, rise_north) = match self.cut(column, row) {
            Cut::SouthWestNorthEast => {
                let (east, north) = if part_x >= part_y { (se - sw, ne - se) } else { (ne - nw, nw - sw) };
                (sw + east * part_x + north * part_y, east, north)
            }
            Cut::SouthEastNorthWest if part_x + part_y <= 1.0 => {
                let (east, north) = (se - sw, nw - sw);
                (sw + east * part_x + north * part_y, east, north)
            }
            Cut::SouthEastNorthWest => {
                let (east, north) = (ne - nw, ne - se);
                (ne - east * (1.0 - part_x) - north * (1.0 - part_y), east, north)
            }
        };
        let normal = unit_vector(Vec3::new(-rise_east, -rise_north, self.spacing)).unwrap_or(Vec3::Z);
        Some(Ground { z, normal })
    }

    /// How a square of the grid is cut.
    fn cut(&self, column: usize, row: usize) -> Cut {
        match self.cuts {
            Cuts::Alike(cut) => cut,
            Cuts::Client => Cut::of_client(
                u32::from(self.corner.x()) * SQUARES + column as u32,
                u32::from(self.corner.y()) * SQUARES + row as u32,
            ),
        }
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
        match sweep.to.settled().map(|to| self.ground(&to)) {
            Ok(Some(ground)) => sweep_over(sweep, |_| Some(ground)),
            _ => OpenField.sweep(sweep),
        }
    }

    fn place(&self, placing: &Placing) -> Placed {
        match placing.at.settled().map(|at| self.ground(&at)) {
            Ok(Some(ground)) => place_over(placing, |_| Some(ground)),
            _ => OpenField.place(placing),
        }
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

#[cfg(test)]
mod tests {
    use alloc::{string::String, vec};

    use evenstride_types::{CellId, Pose, Rotation};

    use super::*;

    /// Rows are squares from west to east, letters those from south to north; 1 is south-west to north-east.
    #[test]
    fn squares_are_cut_as_the_client_cuts_them() {
        let expected = [
            (0xA9, 0xB4, "11111111 00111111 00000111 11000011 11100011 00110011 10010011 11011011"),
            (0x00, 0x00, "10110101 01010101 01010101 10010101 10110100 00100100 01100100 11001110"),
            (0xC6, 0xA9, "11010100 01101001 10110110 11001101 01110011 00011100 11100001 00111111"),
        ];
        for (x, y, cuts) in expected {
            let mut got = String::new();
            for east in 0..8 {
                for north in 0..8 {
                    let cut = Cut::of_client(x * 8 + east, y * 8 + north);
                    got.push(if cut == Cut::SouthWestNorthEast { '1' } else { '0' });
                }
                got.push(' ');
            }
            assert_eq!(got.trim_end(), cuts, "{x:02X}{y:02X}");
        }
    }

    fn field(cuts: Cuts, heights: Vec<Option<f32>>) -> Heightfield {
        let corner = LandblockId::new(0xA9, 0xB4).unwrap();
        Heightfield::with_gaps(corner, 24.0, 3, heights, cuts).unwrap()
    }

    fn height(field: &Heightfield, x: f32, y: f32) -> Option<f32> {
        let pose = Pose::new(Vec3::new(x, y, 0.0), Rotation::IDENTITY).unwrap();
        field.height_at(&Placement::new(CellId::new(0xA9B4_0001).unwrap(), pose))
    }

    #[test]
    fn a_square_is_two_planes_whichever_way_it_is_cut() {
        // One corner is high: the south-western of the first square.
        let heights = vec![Some(10.0), Some(0.0), Some(0.0), Some(0.0), Some(0.0), Some(0.0)];
        let along = |cut| {
            let field = field(Cuts::Alike(cut), heights.clone());
            [(12.0, 12.0), (6.0, 6.0), (18.0, 6.0), (18.0, 18.0)].map(|(x, y)| height(&field, x, y).unwrap())
        };
        assert_eq!(along(Cut::SouthWestNorthEast), [5.0, 7.5, 2.5, 2.5]);
        assert_eq!(along(Cut::SouthEastNorthWest), [0.0, 5.0, 0.0, 0.0]);
        // A9B4: (0, 0) is cut south-west to north-east, (1, 0) the other way.
        let field = field(Cuts::Client, vec![Some(0.0), Some(8.0), None, Some(0.0), Some(0.0), Some(0.0)]);
        assert_eq!(height(&field, 18.0, 18.0), Some(0.0));
        assert_eq!(height(&field, 18.0, 12.0), Some(2.0));
    }

    #[test]
    fn a_square_with_an_unknown_corner_is_no_ground() {
        let field = field(Cuts::Client, vec![Some(0.0), Some(8.0), None, Some(0.0), Some(0.0), Some(0.0)]);
        assert_eq!(height(&field, 30.0, 12.0), None);
        assert!(height(&field, 12.0, 12.0).is_some());
    }

    #[test]
    fn the_last_two_planes_meet_at_the_cut() {
        let heights = vec![Some(1.0), Some(2.0), Some(5.0), Some(3.0), Some(9.0), Some(4.0)];
        let field = field(Cuts::Alike(Cut::SouthEastNorthWest), heights);
        // South-east and north-west corners are 2 and 3, north-east is 9.
        assert_eq!(height(&field, 12.0, 12.0), Some(2.5));
        assert_eq!(height(&field, 23.99, 23.99).map(|z| (z * 10.0) as i32), Some(89));
    }
}
