//! Places in the world, checked and unchecked.
//!
//! A [`Placement`] is a valid cell with a valid pose. A [`RawPlacement`] holds received values, and
//! [`RawPlacement::check`] converts it to a [`Placement`]. This file also owns distances and
//! headings across landblocks, and the rule that finds the outdoor cell of a point.

use core::fmt;

use glam::Vec3;

use crate::{
    CellError, CellId, EPSILON, Heading, LandCoord, LandblockId, Pose, PoseError, Rotation,
    cell::{self, CELL_SIZE, CellClass, LANDBLOCK_SIZE},
    vector::length,
};

/// A place in the world, made of a cell and a pose measured from the corner of that cell's
/// landblock.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[doc(alias = "Position")]
// Cell and origin fill the first 16 bytes, the rotation the next 16. Each half is copied at once.
#[repr(C)]
pub struct Placement {
    /// Cell that contains the place. The pose is measured from the corner of its landblock.
    pub cell: CellId,
    /// Exact position and rotation.
    pub pose: Pose,
}

impl Placement {
    /// Makes a place from its parts, which are each valid on their own.
    ///
    /// The pose need not lie inside the cell. During a step the client keeps the old cell while
    /// coordinates leave it, and indoor cells have no size here. [`Placement::settled_outdoors`]
    /// finds the cell that fits.
    #[inline]
    pub const fn new(cell: CellId, pose: Pose) -> Self {
        Self { cell, pose }
    }

    /// Returns the vector from here to `to` in world axes, across landblocks.
    ///
    /// Retail: `Position::get_offset` (11.4186 @ 0x00509F60)
    #[doc(alias = "get_offset")]
    #[inline]
    pub fn offset_to(&self, to: &Self) -> Vec3 {
        self.offset_to_point(to.cell, to.pose.origin())
    }

    /// Returns the vector in world axes from here to a point given in the local axes of `to`.
    ///
    /// Retail: `Position::get_offset` (11.4186 @ 0x0050D920)
    pub fn offset_to_local(&self, to: &Self, local: impl Into<Vec3>) -> Vec3 {
        let local = local.into();
        self.offset_to_point(to.cell, to.pose.to_global(local))
    }

    /// Returns the straight distance between the two origins in metres, height included.
    ///
    /// Retail: `Position::distance` (11.4186 @ 0x005A94B0)
    #[inline]
    pub fn distance(&self, to: &Self) -> f64 {
        length(self.offset_to(to))
    }

    /// Returns the distance in metres seen from above, without height.
    ///
    /// Retail: `Position::xy_distance` (11.4186 @ 0x005A94F0)
    #[doc(alias = "xy_distance")]
    pub fn distance_on_map(&self, to: &Self) -> f64 {
        length(self.offset_to(to).with_z(0.0))
    }

    /// Returns the direction in which `to` lies, or north if the horizontal distance is below
    /// [`EPSILON`].
    ///
    /// Retail: `Position::heading` (11.4186 @ 0x005A9520)
    pub fn heading_to(&self, to: &Self) -> Heading {
        Heading::of_direction(self.offset_to(to)).unwrap_or(Heading::NORTH)
    }

    /// Returns the origin of `of`, measured in the landblock of this place.
    ///
    /// Retail: `Position::localtoglobal` (11.4186 @ 0x004528C0)
    #[inline]
    pub fn origin_of(&self, of: &Self) -> Vec3 {
        self.cell.landblock().offset_to(of.cell.landblock()) + of.pose.origin()
    }

    /// Converts a point from the local axes of `of` to coordinates in this landblock.
    ///
    /// Retail: `Position::localtoglobal` (11.4186 @ 0x00456180)
    pub fn point_of(&self, of: &Self, local: impl Into<Vec3>) -> Vec3 {
        let local = local.into();
        self.cell.landblock().offset_to(of.cell.landblock()) + of.pose.to_global(local)
    }

    /// Converts a point from the local axes of `of` to the local axes of this place.
    ///
    /// Retail: `Position::localtolocal` (11.4186 @ 0x004527F0)
    #[doc(alias = "localtolocal")]
    pub fn local_point_of(&self, of: &Self, local: impl Into<Vec3>) -> Vec3 {
        let local = local.into();
        self.pose.to_local(self.point_of(of, local))
    }

    /// Returns this place as an offset from `base`, across landblocks.
    ///
    /// `base.pose.combine(&x.relative_to(&base))` is `x`, measured in `base`'s landblock, up to
    /// rounding.
    ///
    /// Retail: `Position::subtract2` (11.4186 @ 0x00555A90)
    /// Disputed: ACE forgets the landblocks and rotates the origin wrongly.
    #[doc(alias = "subtract2")]
    #[must_use]
    pub fn relative_to(&self, base: &Self) -> Pose {
        let rotation = self.pose.relative_to(&base.pose).rotation();
        Pose::from_parts(base.local_point_of(self, Vec3::ZERO), rotation)
    }

    /// Returns the same spot with the outdoor cell and landblock that fit its coordinates.
    ///
    /// # Errors
    /// [`OffMapError`] if the spot lies outside the map.
    #[inline(always)]
    pub fn settled_outdoors(&self) -> Result<Self, OffMapError> {
        if self.is_inside_its_cell() { Ok(*self) } else { self.resettled() }
    }

    /// Returns the same spot with the cell that fits its coordinates. Outdoors the result is that
    /// of [`Placement::settled_outdoors`].
    ///
    /// An indoor place keeps its cell, because indoor cells have no size here.
    ///
    /// # Errors
    /// [`OffMapError`] if the spot lies outside the map.
    #[inline(always)]
    pub fn settled(&self) -> Result<Self, OffMapError> {
        if self.cell.is_indoor() { Ok(*self) } else { self.settled_outdoors() }
    }

    /// Returns whether [`settled`](Self::settled) would change nothing. It may miss a spot that is within
    /// 0.2 mm of the edge of its cell.
    #[inline(always)]
    pub fn is_settled(&self) -> bool {
        self.cell.is_indoor() || self.is_inside_its_cell()
    }

    // Taken by value, because a reference would force the common case to keep the place in memory.
    /// Applies the full rule of [`settle_outdoors`].
    #[inline(never)]
    fn resettled(self) -> Result<Self, OffMapError> {
        let (cell, origin) = settle_outdoors(self.cell.raw(), self.pose.origin())?;
        Ok(Self { cell, pose: Pose::from_parts(origin, self.pose.rotation()) })
    }

    /// Returns whether the cell is an outdoor one and contains the origin, so that settling would
    /// change nothing. This is the common case.
    #[inline(always)]
    fn is_inside_its_cell(&self) -> bool {
        let index = self.cell.number().wrapping_sub(1);
        let (west, south) = (f32::from(index >> 3) * CELL_SIZE, f32::from(index & 7) * CELL_SIZE);
        let (x, y) = (self.pose.origin().x - west, self.pose.origin().y - south);
        // Within `EPSILON` of the western or southern edge the full rule decides, because it may
        // set the coordinate to zero.
        let inside = EPSILON..CELL_SIZE;
        index < 64 && inside.contains(&x) && inside.contains(&y)
    }

    /// Returns the vector from here to a point measured in the landblock of `cell`.
    #[inline(always)]
    fn offset_to_point(&self, cell: CellId, point: Vec3) -> Vec3 {
        let (here, origin) = (self.cell.landblock(), self.pose.origin());
        // A single operation rounded to `f32` gives the same bits as going through `f64`.
        if here == cell.landblock() { point - origin } else { across(here, origin, cell.landblock(), point) }
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.pose.origin();
        write!(f, "{} ({:.3}, {:.3}, {:.3}) facing {:.1}", self.cell, at.x, at.y, at.z, self.pose.heading())
    }
}

/// An upright cylinder, which stands for a body when distances between surfaces are measured.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Cylinder {
    /// Radius in metres.
    pub radius: f32,
    /// Height in metres from the origin up.
    pub height: f32,
}

impl Cylinder {
    /// Returns the distance between two bodies in metres, less both radii. It is negative if they
    /// overlap.
    ///
    /// The distance is the straight one between the origins, including the difference in height.
    /// The heights of the bodies are ignored.
    ///
    /// Retail: `Position::cylinder_distance_no_z` (11.4186 @ 0x005A98B0)
    #[doc(alias = "cylinder_distance_no_z")]
    #[inline]
    pub fn reach(radius: f32, at: &Placement, other_radius: f32, other_at: &Placement) -> f64 {
        at.distance(other_at) - (f64::from(radius) + f64::from(other_radius))
    }

    /// Returns the gap between two bodies in metres, sideways and in height. It is negative if they
    /// overlap in both.
    ///
    /// Retail: `Position::cylinder_distance` (11.4186 @ 0x005A97F0)
    /// Disputed: ACE answers with the sideways gap when one body is above the other.
    #[doc(alias = "cylinder_distance")]
    pub fn gap(self, at: &Placement, other: Self, other_at: &Placement) -> f64 {
        let reach = Self::reach(self.radius, at, other.radius, other_at);
        let (z, other_z) = (f64::from(at.pose.origin().z), f64::from(other_at.pose.origin().z));
        // At equal height the first counts as the lower one.
        let rise = if z <= other_z {
            other_z - (z + f64::from(self.height))
        } else {
            z - (other_z + f64::from(other.height))
        };
        let diagonal = libm::sqrt(rise * rise + reach * reach);
        match (rise > 0.0, reach > 0.0) {
            (true, true) => diagonal,
            (true, false) => rise,
            (false, true) => reach,
            (false, false) => -diagonal,
        }
    }
}

/// Finds the outdoor cell that contains a point, and measures the point from that cell's landblock.
///
/// The landblock of `cell` says where the point is measured from. Its cell number only has to be
/// valid, so indoor ids become outdoor ones. An x or y within [`EPSILON`] of zero becomes zero.
///
/// # Errors
/// [`OffMapError`] if the cell number is invalid, a coordinate is not finite, or the point lies
/// outside the map.
///
/// Retail: `LandDefs::adjust_to_outside` (11.4186 @ 0x005A9BC0)
#[doc(alias = "adjust_to_outside")]
pub fn settle_outdoors(cell: u32, origin: impl Into<Vec3>) -> Result<(CellId, Vec3), OffMapError> {
    let origin = origin.into();
    let off_map = OffMapError { cell, origin };
    if CellClass::of_number(cell::cell_number(cell)).is_none() || !origin.is_finite() {
        return Err(off_map);
    }
    let x = if origin.x.abs() < EPSILON { 0.0 } else { origin.x };
    let y = if origin.y.abs() < EPSILON { 0.0 } else { origin.y };
    let block = LandCoord::of_block(cell::column(cell), cell::row(cell));
    let land = LandCoord {
        x: block.x.saturating_add(units(x, CELL_SIZE) as i32),
        y: block.y.saturating_add(units(y, CELL_SIZE) as i32),
    };
    let settled = land.cell().ok_or(off_map)?;
    let within = |c: f32| (f64::from(c) - units(c, LANDBLOCK_SIZE) * f64::from(LANDBLOCK_SIZE)) as f32;
    Ok((settled, Vec3::new(within(x), within(y), origin.z)))
}

/// Returns the vector from a point of one landblock to a point of another.
#[inline(never)]
fn across(from: LandblockId, origin: Vec3, to: LandblockId, point: Vec3) -> Vec3 {
    (from.offset_to(to).as_dvec3() + point.as_dvec3() - origin.as_dvec3()).as_vec3()
}

/// Returns how many whole squares of this size lie before the coordinate. It is negative to the
/// west and south.
fn units(coordinate: f32, size: f32) -> f64 {
    libm::floor(f64::from(coordinate) / f64::from(size))
}

/// A point that lies in no outdoor cell of the map.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("cell 0x{cell:08X} ({}, {}, {}): not on the outdoor map", .origin.x, .origin.y, .origin.z)]
pub struct OffMapError {
    /// The cell id given.
    pub cell: u32,
    /// The coordinates given, in metres.
    pub origin: Vec3,
}

/// A place exactly as it arrived, not yet checked. Any field may be invalid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct RawPlacement {
    /// Cell id. 0 means outside the world.
    pub cell: u32,
    /// Coordinates in metres.
    pub origin: Vec3,
    /// Quaternion components in the wire's order.
    pub wxyz: [f32; 4],
}

/// Converts a place to the form in which it is sent.
impl From<&Placement> for RawPlacement {
    fn from(place: &Placement) -> Self {
        Self { cell: place.cell.raw(), origin: place.pose.origin(), wxyz: place.pose.rotation().to_wxyz() }
    }
}

impl RawPlacement {
    /// Checks the fields, and returns the place.
    ///
    /// # Errors
    /// [`PlacementError`] with the first invalid field.
    ///
    /// Retail: `Position::IsValid` (11.4186 @ 0x005A9480)
    #[inline(always)]
    pub fn check(&self) -> Result<Placement, PlacementError> {
        let cell = CellId::new(self.cell)?;
        let rotation = Rotation::new(self.wxyz).map_err(PoseError::from)?;
        Ok(Placement::new(cell, Pose::new(self.origin, rotation)?))
    }

    /// Returns the client's verdict on the numbers of the pose. The cell is ignored and infinite
    /// coordinates are valid, so [`RawPlacement::check`] is stricter.
    pub fn validity(&self) -> RawValidity {
        if self.origin.is_nan() {
            return RawValidity::Invalid;
        }
        if self.wxyz.iter().any(|c| c.is_nan()) {
            return RawValidity::ValidExceptForHeading;
        }
        match Rotation::new(self.wxyz) {
            Ok(_) => RawValidity::Valid,
            Err(_) => RawValidity::Invalid,
        }
    }
}

impl From<Placement> for RawPlacement {
    fn from(placement: Placement) -> Self {
        Self {
            cell: placement.cell.raw(),
            origin: placement.pose.origin(),
            wxyz: placement.pose.rotation().to_wxyz(),
        }
    }
}

/// The client's verdicts on the numbers of a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawValidity {
    /// There is no NaN, and the quaternion has unit length.
    ///
    /// Retail: `Frame::IsValid` (11.4186 @ 0x00534ED0)
    Valid,
    /// The quaternion has a NaN, and the origin has none. The client then stores a quaternion of
    /// zeros.
    ///
    /// Retail: `Frame::IsValidExceptForHeading` (11.4186 @ 0x00534FE0)
    /// Disputed: ACE asks for a valid origin only.
    ValidExceptForHeading,
    /// Everything else.
    Invalid,
}

/// The reason why a [`RawPlacement`] is not a [`Placement`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PlacementError {
    /// The cell is invalid.
    #[error(transparent)]
    Cell(#[from] CellError),
    /// The pose is invalid.
    #[error(transparent)]
    Pose(#[from] PoseError),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(cell: u32, x: f32, y: f32, z: f32) -> Placement {
        RawPlacement { cell, origin: Vec3::new(x, y, z), wxyz: [1.0, 0.0, 0.0, 0.0] }.check().unwrap()
    }

    #[test]
    fn distances_cross_landblocks() {
        let a = at(0xA9B4_0001, 1.0, 1.0, 0.0);
        let b = at(0xA8B3_0040, 190.0, 189.0, 0.0);
        assert_eq!(a.offset_to(&b), Vec3::new(-3.0, -4.0, 0.0));
        assert_eq!(a.distance(&b), 5.0);
        assert_eq!(a.distance_on_map(&at(0xA9B4_0001, 1.0, 4.0, 100.0)), 3.0);
    }

    #[test]
    fn headings_point_at_the_other_and_north_when_there_is_none() {
        let a = at(0xA9B4_0001, 10.0, 10.0, 0.0);
        assert_eq!(a.heading_to(&at(0xA9B4_0001, 5.0, 10.0, 50.0)), Heading::WEST);
        assert_eq!(a.heading_to(&at(0xA9B4_0001, 10.0, 10.0, 50.0)), Heading::NORTH);
    }

    #[test]
    fn the_four_ways_two_cylinders_can_stand() {
        let body = Cylinder { radius: 1.0, height: 2.0 };
        let gap =
            |x: f32, z: f32| body.gap(&at(0xA9B4_0001, 0.0, 0.0, 0.0), body, &at(0xA9B4_0001, x, 0.0, z));
        // Apart sideways, level with each other.
        assert_eq!(gap(5.0, 0.0), 3.0);
        // Right above and nearer than the radii, the answer is the gap in height, not the overlap
        // of the discs.
        let flat = Cylinder { radius: 1.0, height: 0.5 };
        let above = flat.gap(&at(0xA9B4_0001, 0.0, 0.0, 0.0), flat, &at(0xA9B4_0001, 0.0, 0.0, 1.0));
        assert_eq!(above, 0.5);
        // Above and apart, the answer is the diagonal. The sideways part is the straight distance
        // less the radii.
        let straight = libm::sqrt(6.0 * 6.0 + 5.0 * 5.0) - 2.0;
        assert!((gap(6.0, 5.0) - libm::sqrt(straight * straight + 9.0)).abs() < 1e-6);
        // Inside each other, the answer is minus the diagonal of both overlaps.
        assert_eq!(gap(0.0, 0.0), -libm::sqrt(4.0 + 4.0));
        assert_eq!(
            Cylinder::reach(1.0, &at(0xA9B4_0001, 0.0, 0.0, 0.0), 1.0, &at(0xA9B4_0001, 0.0, 0.0, 5.0)),
            3.0
        );
    }

    #[test]
    fn leaving_a_landblock_changes_cell_and_coordinates() {
        let out = at(0xA9B4_0040, 193.0, 191.0, 7.0).settled_outdoors().unwrap();
        assert_eq!((out.cell.raw(), out.pose.origin()), (0xAAB4_0008, Vec3::new(1.0, 191.0, 7.0)));
        let indoor_becomes_outdoor = at(0xA9B4_0123, 30.0, 50.0, 0.0).settled_outdoors().unwrap();
        assert_eq!(indoor_becomes_outdoor.cell.raw(), 0xA9B4_000B);
    }

    #[test]
    fn the_edge_of_the_map_is_an_error_with_the_place_in_it() {
        let edge = at(0x0000_0001, -0.001, 0.0, 0.0).settled_outdoors().unwrap_err();
        assert_eq!(edge, OffMapError { cell: 1, origin: Vec3::new(-0.001, 0.0, 0.0) });
        assert!(at(0x0000_0001, -0.0001, 0.0, 0.0).settled_outdoors().is_ok());
        assert!(at(0xFEFE_0040, 192.0, 0.0, 0.0).settled_outdoors().is_err());
        // Column 255 is not a valid cell, but a point west of it is on the map. Only the raw form
        // can ask.
        assert_eq!(settle_outdoors(0xFF00_0001, Vec3::new(-1.0, 0.0, 0.0)).unwrap().0.raw(), 0xFE00_0039);
        for broken in [Vec3::NAN, Vec3::INFINITY, Vec3::splat(-3e38)] {
            assert!(settle_outdoors(0xA9B4_0001, broken).is_err());
        }
    }

    #[test]
    fn the_quick_way_agrees_with_the_whole_rule() {
        // Miri takes a thousand times as long.
        let stride = if cfg!(miri) { 21 } else { 1 };
        for cell in (1..=0x40u32).step_by(stride) {
            for cells in 0..=8u8 {
                for shift in [-0.001, -0.0002, -0.0001, -1e-6, 0.0, 1e-6, 0.0001, 0.0002, 0.001, 12.0] {
                    let edge = f32::from(cells) * CELL_SIZE + shift;
                    for (x, y) in [(edge, 77.0), (50.0, edge), (edge, edge)] {
                        let place = at(0xA9B4_0000 | cell, x, y, 3.0);
                        let whole = settle_outdoors(place.cell.raw(), place.pose.origin());
                        let quick = place.settled_outdoors().map(|place| (place.cell, place.pose.origin()));
                        assert_eq!(quick, whole, "{place}");
                    }
                }
            }
        }
    }

    #[test]
    fn raw_places_say_what_the_client_would_say() {
        let good = RawPlacement { cell: 0xA9B4_0001, origin: Vec3::ONE, wxyz: [1.0, 0.0, 0.0, 0.0] };
        assert_eq!(good.validity(), RawValidity::Valid);
        let no_heading = RawPlacement { wxyz: [f32::NAN; 4], ..good };
        assert_eq!(no_heading.validity(), RawValidity::ValidExceptForHeading);
        assert_eq!(RawPlacement { wxyz: [0.0; 4], ..good }.validity(), RawValidity::Invalid);
        let infinite = RawPlacement { origin: Vec3::INFINITY, ..good };
        assert_eq!(infinite.validity(), RawValidity::Valid);
        assert!(infinite.check().is_err());
        assert_eq!(RawPlacement::from(good.check().unwrap()), good);
    }
}
