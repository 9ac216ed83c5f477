//! Numbers, vectors, rotations and places.

use evenstride_types::{CellId, EntityId, Heading, Placement, Pose, RawPlacement, Rotation, Stamp, Vec3};

use crate::draw::Draw;

/// Corners of the map, its border, rooms, and cells that do not exist.
const CELLS: [u32; 10] = [
    0xA9B4_0001,
    0xA9B4_0040,
    0xA9B4_0100,
    0xA9B4_0101,
    0xAAB4_0001,
    0x0000_0001,
    0xFEFE_0040,
    0xFFFF_0001,
    0xA9B4_FFFF,
    0,
];

/// Numbers at the edges of what `f32` holds.
const EDGES: [f32; 12] = [
    0.0,
    -0.0,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    1e-42,
    1e20,
    -1e9,
    192.0,
];

impl Draw<'_> {
    /// Returns a number in a usual range, or any number at all.
    pub(crate) fn number(&mut self, low: f32, high: f32) -> f32 {
        if !self.is_wild() {
            return self.between(f64::from(low), f64::from(high)) as f32;
        }
        if self.one_in(2) { f32::from_bits(self.bits() as u32) } else { self.pick(&EDGES) }
    }

    /// Returns a number of double precision in a usual range, or any number at all.
    pub(crate) fn wide_number(&mut self, low: f64, high: f64) -> f64 {
        match self.is_wild() {
            false => self.between(low, high),
            true if self.one_in(2) => f64::from_bits(self.bits()),
            true => self.pick(&[f64::NAN, f64::INFINITY, -1e300, 1e300, 1e12, -0.0, 5e-324]),
        }
    }

    /// Returns a vector whose components are up to `most` to either side.
    pub(crate) fn vector(&mut self, most: f32) -> Vec3 {
        Vec3::new(self.number(-most, most), self.number(-most, most), self.number(-most, most))
    }

    /// Returns an upright rotation, or any four numbers.
    pub(crate) fn quaternion(&mut self) -> [f32; 4] {
        if self.is_wild() {
            return std::array::from_fn(|_| self.number(-1.0, 1.0));
        }
        let degrees = self.between(0.0, 360.0) as f32;
        Heading::from_degrees(degrees).map_or(Rotation::IDENTITY, Rotation::facing).to_wxyz()
    }

    /// Returns an id of few, so that messages meet.
    pub(crate) fn entity(&mut self) -> EntityId {
        if self.is_wild() && self.one_in(8) {
            return EntityId::new(self.bits() as u32);
        }
        let index = self.below(self.entities.len());
        self.entities[index]
    }

    /// Returns a stamp of few that are near each other, or any.
    pub(crate) fn stamp(&mut self) -> Stamp {
        Stamp::new(if self.is_wild() { self.bits() as u16 } else { self.below(6) as u16 })
    }

    /// Returns an instance stamp, of which most messages have the same.
    pub(crate) fn instance(&mut self) -> Stamp {
        Stamp::new(if self.one_in(6) { self.below(3) as u16 } else { 0 })
    }

    /// Returns a cell near home, somewhere else on the map, or one that does not exist.
    pub(crate) fn cell(&mut self) -> u32 {
        match self.is_wild() {
            false => CELLS[0],
            true if self.one_in(3) => self.bits() as u32,
            true => self.pick(&CELLS),
        }
    }

    /// Returns coordinates within home, near its ground.
    pub(crate) fn origin(&mut self) -> Vec3 {
        let z = if self.one_in(4) { self.number(5.0, 30.0) } else { 10.0 };
        Vec3::new(self.number(0.0, 192.0), self.number(0.0, 192.0), z)
    }

    /// Returns a place as a message has it.
    pub(crate) fn raw_placement(&mut self) -> RawPlacement {
        RawPlacement { cell: self.cell(), origin: self.origin(), wxyz: self.quaternion() }
    }

    /// Returns a valid place, anywhere on the map.
    pub(crate) fn placement(&mut self) -> Placement {
        let raw = self.raw_placement();
        raw.check().unwrap_or_else(|_| evenstride_testkit::at(90.0, 90.0))
    }

    /// Returns a valid place whose cell need not fit its coordinates.
    pub(crate) fn loose_placement(&mut self) -> Placement {
        let place = self.placement();
        let cell = CellId::new(self.cell()).unwrap_or(place.cell);
        let rotation = place.pose.rotation();
        let pose = Pose::new(self.vector(250.0), rotation).unwrap_or(place.pose);
        if self.one_in(4) { Placement::new(cell, pose) } else { place }
    }
}
