//! The grid of the world.
//!
//! The map has 255 × 255 landblocks of 192 m. Each has 64 outdoor cells of 24 m, and any number of
//! indoor cells. This file owns the ids and the arithmetic on them. Coordinates inside a landblock
//! belong to `pose.rs`, and finding the cell of a point to `placement.rs`. The shapes of indoor
//! cells are unknown here.

use core::fmt;

use glam::Vec3;

/// Side of an outdoor cell in metres.
///
/// Retail: `LandDefs::get_vars` (11.4186 @ 0x005A9980)
pub const CELL_SIZE: f32 = 24.0;

/// Outdoor cells along one side of a landblock.
///
/// Retail: `LandDefs::get_vars` (11.4186 @ 0x005A9980)
pub const CELLS_PER_BLOCK: u8 = 8;

/// Side of a landblock in metres, which is 8 cells of 24 m.
///
/// Retail: `LandDefs::get_vars` (11.4186 @ 0x005A9980)
pub const LANDBLOCK_SIZE: f32 = 192.0;

/// Outdoor cells along one side of the map, which is 255 landblocks of 8.
///
/// Retail: `LandDefs::inbound_valid_cellid` (11.4186 @ 0x004979A0)
pub const LAND_CELLS: i32 = 2040;

/// First of the cell numbers that mean indoors.
const FIRST_INDOOR: u16 = 0x0100;
/// Last of the cell numbers that mean indoors.
const LAST_INDOOR: u16 = 0xFFFD;
/// Last of the 64 outdoor cell numbers, which start at 1.
const LAST_OUTDOOR: u16 = 0x0040;
/// The cell number that means the landblock as a whole.
const WHOLE_BLOCK: u16 = 0xFFFF;

/// The id of a cell, `0xXXYYCCCC`. `XX` and `YY` are the column and row of its landblock, and
/// `CCCC` is its number inside the landblock.
///
/// Positions are measured from the south-west corner of the cell's landblock, indoors too. The id
/// is always valid, which means that its number has a [`CellClass`] and its landblock is on the
/// map. Only the game's archives know whether an indoor cell exists.
///
/// Retail: `LandDefs::inbound_valid_cellid` (11.4186 @ 0x004979A0)
/// Disputed: ACE checks the column only and so accepts row 255.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u32", into = "u32"))]
#[doc(alias = "objcell_id")]
pub struct CellId(u32);

impl CellId {
    /// The outdoor cell at the south-west corner of the map.
    pub const CORNER: Self = Self(0x0000_0001);

    /// Makes a cell id from the number used on the wire and in archives.
    ///
    /// # Errors
    /// [`CellError`] if the cell number has no [`CellClass`], or the landblock is off the map.
    #[inline]
    pub const fn new(raw: u32) -> Result<Self, CellError> {
        if CellClass::of_number(cell_number(raw)).is_none() {
            return Err(CellError::NoSuchNumber { raw });
        }
        match LandblockId::new(column(raw), row(raw)) {
            Ok(_) => Ok(Self(raw)),
            Err(_) => Err(CellError::OffMap { raw }),
        }
    }

    /// Returns the number used on the wire and in archives.
    #[inline]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// Returns the number of the cell inside its landblock, which is the low 16 bits.
    #[inline]
    pub const fn number(self) -> u16 {
        cell_number(self.0)
    }

    /// Returns the landblock that contains this cell.
    #[inline]
    pub const fn landblock(self) -> LandblockId {
        LandblockId((self.0 >> 16) as u16)
    }

    /// Returns the kind of cell.
    pub const fn class(self) -> CellClass {
        match CellClass::of_number(self.number()) {
            Some(class) => class,
            // Unreachable, because `new` accepted the number.
            None => CellClass::WholeBlock,
        }
    }

    /// Returns whether the client treats the cell as indoors. This includes the whole-block number.
    #[inline]
    pub const fn is_indoor(self) -> bool {
        self.number() >= FIRST_INDOOR
    }

    /// Returns the position of an outdoor cell on the map's cell grid, or `None` for any other
    /// cell.
    ///
    /// Retail: `LandDefs::gid_to_lcoord` (11.4186 @ 0x00497A90)
    pub const fn land_coord(self) -> Option<LandCoord> {
        match self.class() {
            CellClass::Outdoor { x, y } => {
                let block = self.landblock().corner();
                Some(LandCoord { x: block.x + x as i32, y: block.y + y as i32 })
            }
            CellClass::Indoor | CellClass::WholeBlock => None,
        }
    }
}

/// The kinds of cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum CellClass {
    /// One of the 64 squares of open land, `0x0001..=0x0040`, numbered from south to north, then
    /// from west to east.
    Outdoor {
        /// Column inside the landblock, from 0 in the west to 7.
        x: u8,
        /// Row inside the landblock, from 0 in the south to 7.
        y: u8,
    },
    /// A room, corridor or dungeon cell, `0x0100..=0xFFFD`.
    #[doc(alias = "EnvCell")]
    Indoor,
    /// The landblock itself, `0xFFFF`.
    WholeBlock,
}

impl CellClass {
    /// Returns the class of a cell number, or `None` if no cell can have it.
    #[inline]
    pub(crate) const fn of_number(number: u16) -> Option<Self> {
        match number {
            1..=LAST_OUTDOOR => {
                let index = (number - 1) as u8;
                Some(Self::Outdoor { x: index / CELLS_PER_BLOCK, y: index % CELLS_PER_BLOCK })
            }
            FIRST_INDOOR..=LAST_INDOOR => Some(Self::Indoor),
            WHOLE_BLOCK => Some(Self::WholeBlock),
            _ => None,
        }
    }
}

/// The id of one of the 255 × 255 landblocks of the map. It is always valid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u16", into = "u16"))]
pub struct LandblockId(u16);

impl LandblockId {
    /// Makes the landblock in column `x` (west to east) and row `y` (south to north).
    ///
    /// # Errors
    /// [`LandblockError`] if either is 255, which is off the map.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Result<Self, LandblockError> {
        if x == u8::MAX || y == u8::MAX {
            return Err(LandblockError { x, y });
        }
        Ok(Self(u16::from_be_bytes([x, y])))
    }

    /// Returns the column, counted from the west.
    #[inline]
    pub const fn x(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// Returns the row, counted from the south.
    #[inline]
    pub const fn y(self) -> u8 {
        self.0 as u8
    }

    /// Returns `0xXXYY`, the upper half of every cell id in this landblock.
    #[inline]
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// Returns the cell with this number in this landblock.
    ///
    /// # Errors
    /// [`CellError::NoSuchNumber`] if no cell can have the number.
    #[inline]
    pub const fn cell(self, number: u16) -> Result<CellId, CellError> {
        CellId::new(((self.raw() as u32) << 16) | number as u32)
    }

    /// Returns the vector from the corner of this landblock to the corner of `to`, in metres. Add
    /// it to a point measured in `to` to measure that point from here.
    ///
    /// The vector is a multiple of 192 m in x and y, and zero in z. It is zero for the same
    /// landblock.
    ///
    /// Retail: `LandDefs::get_block_offset` (11.4186 @ 0x0043E630)
    #[doc(alias = "get_block_offset")]
    #[inline]
    pub fn offset_to(self, to: Self) -> Vec3 {
        if self == to {
            return Vec3::ZERO;
        }
        Vec3::new(
            (f32::from(to.x()) - f32::from(self.x())) * LANDBLOCK_SIZE,
            (f32::from(to.y()) - f32::from(self.y())) * LANDBLOCK_SIZE,
            0.0,
        )
    }

    /// Returns the south-western outdoor cell of the landblock, on the map's cell grid.
    #[inline]
    pub(crate) const fn corner(self) -> LandCoord {
        LandCoord::of_block(self.x(), self.y())
    }
}

/// A position on the map's grid of outdoor cells. Each axis runs from 0 to 2039 on the map, but
/// values outside can be represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[doc(alias = "lcoord")]
pub struct LandCoord {
    /// Cells from the western edge.
    pub x: i32,
    /// Cells from the southern edge.
    pub y: i32,
}

impl LandCoord {
    /// Returns the south-western cell of a landblock by column and row. Column or row 255 is
    /// allowed.
    #[inline]
    pub(crate) const fn of_block(x: u8, y: u8) -> Self {
        Self { x: x as i32 * CELLS_PER_BLOCK as i32, y: y as i32 * CELLS_PER_BLOCK as i32 }
    }

    /// Returns the outdoor cell here, or `None` off the map.
    ///
    /// Retail: `LandDefs::lcoord_to_gid` (11.4186 @ 0x004A19A0)
    #[doc(alias = "lcoord_to_gid")]
    #[inline]
    pub const fn cell(self) -> Option<CellId> {
        if self.x < 0 || self.x >= LAND_CELLS || self.y < 0 || self.y >= LAND_CELLS {
            return None;
        }
        let (x, y) = (self.x as u32, self.y as u32);
        Some(CellId(((x >> 3) << 24) | ((y >> 3) << 16) | (1 + 8 * (x & 7) + (y & 7))))
    }
}

/// The reason why a number is not a [`CellId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CellError {
    /// The low 16 bits are 0, between 0x41 and 0xFF, or 0xFFFE.
    #[error("cell 0x{raw:08X}: no cell has the number 0x{:04X} (outdoor 0001-0040, indoor 0100-FFFD, block FFFF)", cell_number(*.raw))]
    NoSuchNumber {
        /// The rejected id.
        raw: u32,
    },
    /// The column or the row is 255.
    #[error("cell 0x{raw:08X}: landblock column {} row {} is off the map (0 to 254)", column(*.raw), row(*.raw))]
    OffMap {
        /// The rejected id.
        raw: u32,
    },
}

/// The error for a landblock off the map. Its column or row is 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("landblock column {x} row {y} is off the map (0 to 254)")]
pub struct LandblockError {
    /// The column given.
    pub x: u8,
    /// The row given.
    pub y: u8,
}

impl fmt::Display for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}

impl fmt::Debug for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CellId(0x{:08X})", self.0)
    }
}

impl fmt::Display for LandblockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:04X}", self.raw())
    }
}

impl fmt::Debug for LandblockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LandblockId(0x{:04X})", self.raw())
    }
}

/// Returns the cell number of any id, valid or not.
#[inline]
pub(crate) const fn cell_number(raw: u32) -> u16 {
    (raw & 0xFFFF) as u16
}

/// Returns the landblock column of any id, valid or not.
#[inline]
pub(crate) const fn column(raw: u32) -> u8 {
    (raw >> 24) as u8
}

/// Returns the landblock row of any id, valid or not.
#[inline]
pub(crate) const fn row(raw: u32) -> u8 {
    (raw >> 16) as u8
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn only_the_clients_classes_are_cells() {
        // Miri takes a thousand times as long: there, 509 numbers and those at both ends of each class.
        let stride = if cfg!(miri) { 129 } else { 1 };
        let ends = [0, 1, 0x40, 0x41, 0xFF, 0x100, 0xFFFD, 0xFFFE, 0xFFFF];
        for number in (0..=u16::MAX).step_by(stride).chain(ends) {
            let valid = matches!(number, 1..=0x40 | 0x100..=0xFFFD | 0xFFFF);
            assert_eq!(CellId::new(0xA9B4_0000 | u32::from(number)).is_ok(), valid, "0x{number:04X}");
        }
    }

    #[test]
    fn block_255_is_off_the_map_on_either_axis() {
        assert_eq!(CellId::new(0xFF00_0001), Err(CellError::OffMap { raw: 0xFF00_0001 }));
        assert_eq!(CellId::new(0x00FF_0001), Err(CellError::OffMap { raw: 0x00FF_0001 }));
        assert!(CellId::new(0xFEFE_0001).is_ok());
    }

    #[test]
    fn outdoor_numbers_run_south_to_north_first() {
        let class = |number: u32| CellId::new(0xA9B4_0000 | number).unwrap().class();
        assert_eq!(class(0x01), CellClass::Outdoor { x: 0, y: 0 });
        assert_eq!(class(0x02), CellClass::Outdoor { x: 0, y: 1 });
        assert_eq!(class(0x09), CellClass::Outdoor { x: 1, y: 0 });
        assert_eq!(class(0x40), CellClass::Outdoor { x: 7, y: 7 });
        assert_eq!(class(0x100), CellClass::Indoor);
        assert_eq!(class(0xFFFF), CellClass::WholeBlock);
    }

    #[test]
    fn grid_and_cell_ids_are_inverse_on_the_whole_map() {
        // Miri takes a thousand times as long.
        let [stride_x, stride_y] = if cfg!(miri) { [97, 101] } else { [7, 11] };
        for x in (0..LAND_CELLS).step_by(stride_x) {
            for y in (0..LAND_CELLS).step_by(stride_y) {
                let here = LandCoord { x, y };
                assert_eq!(here.cell().and_then(CellId::land_coord), Some(here));
            }
        }
        for off in [(-1, 0), (0, -1), (LAND_CELLS, 0), (0, LAND_CELLS)] {
            assert_eq!(LandCoord { x: off.0, y: off.1 }.cell(), None);
        }
        assert_eq!(CellId::new(0xA9B4_0100).unwrap().land_coord(), None);
    }

    #[test]
    fn errors_name_the_value() {
        assert_eq!(
            CellId::new(0xA9B4_0041).unwrap_err().to_string(),
            "cell 0xA9B40041: no cell has the number 0x0041 (outdoor 0001-0040, indoor 0100-FFFD, block FFFF)"
        );
        assert_eq!(
            CellId::new(0x10FF_0001).unwrap_err().to_string(),
            "cell 0x10FF0001: landblock column 16 row 255 is off the map (0 to 254)"
        );
    }
}
