//! Terrain given by a grid of heights.
//!
//! Heights come from archives (`evenstride_dat`) or from the host. The field answers outdoors only,
//! because rooms have floors of their own.

use alloc::vec::Vec;

use evenstride_types::{CELL_SIZE, LandblockId, Placement, Vec3, unit_vector};

use crate::surroundings::{
    Ground, OpenField, Placed, Placing, Surroundings, Sweep, Swept, place_over, sweep_over,
};

/// Terrain given by heights on a square grid, with two triangles per square, like the client's.
///
/// The ground is unknown outside the grid, in its gaps and indoors. [`OpenField`] answers there
/// instead. A height lookup takes constant time.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightfield {
    /// Landblock whose south-west corner has the first height.
    corner: LandblockId,
    /// Metres between neighbouring grid points, along both axes.
    spacing: f32,
    /// Grid points in a row, at least 2.
    columns: usize,
    /// Heights in metres, row by row from the south. Infinite where the height is unknown.
    heights: Vec<f32>,
    /// Directions of the diagonals. `Cuts::Client` only if the spacing is 24 m.
    cuts: Cuts,
}

/// Directions in which the squares of a grid are cut into triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cuts {
    /// All squares are cut in the same direction.
    Alike(Cut),
    /// Each square is cut as the client cuts it, by its position on the map. The directions look
    /// random, so slopes show no pattern.
    ///
    /// This needs squares of 24 m. Other grids are cut from south-west to north-east.
    Client,
}

/// Direction in which one square is cut into two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The diagonal runs from south-west to north-east.
    SouthWestNorthEast,
    /// The diagonal runs from south-east to north-west.
    SouthEastNorthWest,
}

impl Cut {
    /// Returns how the client cuts a square. `east` and `north` count squares of 24 m from the
    /// south-west corner of the map.
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
    /// Makes a grid without gaps, cut from south-west to north-east.
    ///
    /// The first height lies on the south-west corner of `corner`. Rows run from west to east with
    /// `columns` heights each, and the first row is the southernmost. Heights and `spacing`, the
    /// distance between neighbouring heights, are in metres.
    ///
    /// # Errors
    /// [`HeightfieldError`] if the spacing, the shape or a height is invalid.
    pub fn new(
        corner: LandblockId,
        spacing: f32,
        columns: usize,
        heights: Vec<f32>,
    ) -> Result<Self, HeightfieldError> {
        let heights = heights.into_iter().map(Some).collect();
        Self::with_gaps(corner, spacing, columns, heights, Cuts::Alike(Cut::SouthWestNorthEast))
    }

    /// Makes a grid with the given cuts, in which heights may be missing.
    ///
    /// Order and units are those of [`new`](Self::new). The ground is unknown in a square with a
    /// missing corner.
    ///
    /// # Errors
    /// [`HeightfieldError`] if the spacing, the shape or a height is invalid.
    pub fn with_gaps(
        corner: LandblockId,
        spacing: f32,
        columns: usize,
        heights: Vec<Option<f32>>,
        cuts: Cuts,
    ) -> Result<Self, HeightfieldError> {
        if !(spacing.is_finite() && spacing > 0.0) {
            return Err(HeightfieldError::Spacing { spacing });
        }
        if columns < 2 || heights.len() < 2 * columns || !heights.len().is_multiple_of(columns) {
            return Err(HeightfieldError::Shape { columns, heights: heights.len() });
        }
        for (index, height) in heights.iter().enumerate() {
            if let Some(height) = height.filter(|height| !height.is_finite()) {
                return Err(HeightfieldError::Height { index, height });
            }
        }
        let heights = heights.into_iter().map(|height| height.unwrap_or(f32::INFINITY)).collect();
        let cuts = match cuts {
            Cuts::Client if spacing != CELL_SIZE => Cuts::Alike(Cut::SouthWestNorthEast),
            cuts => cuts,
        };
        Ok(Self { corner, spacing, columns, heights, cuts })
    }

    /// Returns the height of the ground under a place in metres, or `None` where it is unknown.
    pub fn height_at(&self, place: &Placement) -> Option<f32> {
        self.ground(place).map(|ground| ground.z)
    }

    /// Returns height and normal of the ground under a place.
    ///
    /// `None` means indoors, outside the grid, or a square with an unknown corner.
    fn ground(&self, place: &Placement) -> Option<Ground> {
        // Rooms have floors of their own, which are not part of the field.
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
        // Each of the two triangles is one plane.
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

    /// Returns how a square of the grid is cut.
    fn cut(&self, column: usize, row: usize) -> Cut {
        match self.cuts {
            Cuts::Alike(cut) => cut,
            Cuts::Client => Cut::of_client(
                u32::from(self.corner.x()) * SQUARES + column as u32,
                u32::from(self.corner.y()) * SQUARES + row as u32,
            ),
        }
    }

    /// Returns the square that contains a coordinate, and the position within that square from 0 to
    /// 1.
    ///
    /// The coordinate is in units of the spacing. `None` means outside the `count` grid points.
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
            Ok(Some(ground)) => sweep_over(&sweep.to, sweep.footing, |_| Some(ground)),
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

/// Why values do not form a [`Heightfield`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HeightfieldError {
    /// The distance between neighbouring heights is not positive and finite.
    #[error("heightfield spacing: {spacing} is not a positive number of metres")]
    Spacing {
        /// The rejected distance in metres.
        spacing: f32,
    },
    /// The heights do not fill at least two rows of at least two heights.
    #[error("heightfield: {heights} heights do not fill two or more rows of {columns} columns (at least 2)")]
    Shape {
        /// The number of columns given.
        columns: usize,
        /// The number of heights given.
        heights: usize,
    },
    /// A height is NaN or infinite.
    #[error("heightfield height {index}: {height} is not a finite number")]
    Height {
        /// Index of the height, from 0.
        index: usize,
        /// The rejected height in metres.
        height: f32,
    },
}

#[cfg(test)]
mod tests {
    use alloc::{string::String, vec};

    use evenstride_types::{CellId, Pose, Rotation};

    use super::*;

    /// Groups of digits run from west to east, digits in a group from south to north. A 1 is a cut
    /// from south-west to north-east.
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
        // Only the south-western corner of the first square is high.
        let heights = vec![Some(10.0), Some(0.0), Some(0.0), Some(0.0), Some(0.0), Some(0.0)];
        let along = |cut| {
            let field = field(Cuts::Alike(cut), heights.clone());
            [(12.0, 12.0), (6.0, 6.0), (18.0, 6.0), (18.0, 18.0)].map(|(x, y)| height(&field, x, y).unwrap())
        };
        assert_eq!(along(Cut::SouthWestNorthEast), [5.0, 7.5, 2.5, 2.5]);
        assert_eq!(along(Cut::SouthEastNorthWest), [0.0, 5.0, 0.0, 0.0]);
        // In A9B4, square (0, 0) is cut from south-west to north-east, and (1, 0) the other way.
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
