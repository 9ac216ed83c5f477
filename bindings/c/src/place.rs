//! Plain structs for places and vectors, and checks of single values.

use std::fmt::Display;

use evenstride::{Config, Disposition};
use evenstride_types::{
    CellId, EntityId, LandblockId, Placement, Pose, RawPlacement, Rotation, SimTime, Vec3,
};

use crate::status::Fault;

/// Three components along x, y and z.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvVec3 {
    /// East, in the world's axes.
    pub x: f32,
    /// North.
    pub y: f32,
    /// Up.
    pub z: f32,
}

/// A place on the map, as messages carry it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvPlace {
    /// Cell id, such as 0xA9B40001.
    pub cell: u32,
    /// Coordinates in metres, from the south-west corner of the cell's landblock.
    pub origin: EvVec3,
    /// Quaternion, real part first.
    pub qw: f32,
    /// First imaginary part.
    pub qx: f32,
    /// Second imaginary part.
    pub qy: f32,
    /// Third imaginary part.
    pub qz: f32,
}

/// Outcome of a message. `docs/codes.md` has the numbers, and `evenstride_codes.h` their names.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvDisposition {
    /// Number of the disposition. 0 means that the message is not about motion.
    pub code: u16,
    /// Number of the reason, 0 if there is none. The code names its type.
    pub reason: u16,
    /// Entity that the message is about, 0 if it names none.
    pub entity: u32,
    /// 1 if the message had an effect.
    pub is_accepted: u8,
    /// 1 if a placement was done, 0 if it was refused or there was none.
    pub is_placed: u8,
    /// Not used, 0.
    pub reserved: u16,
}

impl EvDisposition {
    pub(crate) fn of(entity: Option<EntityId>, disposition: &Disposition) -> Self {
        Self {
            code: disposition.code(),
            reason: disposition.reason_code(),
            entity: entity.map_or(0, EntityId::raw),
            is_accepted: disposition.is_accepted().into(),
            is_placed: matches!(disposition, Disposition::Placed { done: true, .. }).into(),
            reserved: 0,
        }
    }
}

impl From<Vec3> for EvVec3 {
    fn from(vector: Vec3) -> Self {
        Self { x: vector.x, y: vector.y, z: vector.z }
    }
}

impl From<EvVec3> for Vec3 {
    fn from(EvVec3 { x, y, z }: EvVec3) -> Self {
        Self::new(x, y, z)
    }
}

impl From<Placement> for EvPlace {
    fn from(place: Placement) -> Self {
        let [qw, qx, qy, qz] = place.pose.rotation().to_wxyz();
        Self { cell: place.cell.raw(), origin: place.pose.origin().into(), qw, qx, qy, qz }
    }
}

impl EvPlace {
    pub(crate) fn raw(&self) -> RawPlacement {
        let Self { cell, origin, qw, qx, qy, qz } = *self;
        RawPlacement { cell, origin: origin.into(), wxyz: [qw, qx, qy, qz] }
    }

    /// Checks all fields. The rotation is scaled to unit length.
    pub(crate) fn check(&self, what: &str) -> Result<Placement, Fault> {
        let RawPlacement { cell, origin, wxyz } = self.raw();
        let wrong = |error: &dyn Display| Fault::invalid(what, error);
        let cell = CellId::new(cell).map_err(|error| wrong(&error))?;
        let rotation = Rotation::normalized(wxyz).map_err(|error| wrong(&error))?;
        let pose = Pose::new(origin, rotation).map_err(|error| wrong(&error))?;
        Ok(Placement::new(cell, pose))
    }
}

pub(crate) fn time(seconds: f64) -> Result<SimTime, Fault> {
    SimTime::from_secs(seconds).map_err(|error| Fault::invalid("time", error))
}

/// Returns a landblock by its number, such as 0xA9B4.
pub(crate) fn landblock(raw: u32) -> Result<LandblockId, Fault> {
    let block = u16::try_from(raw)
        .map_err(|_| Fault::invalid("landblock", format!("0x{raw:X} is more than 0xFFFF")))?;
    let [x, y] = block.to_be_bytes();
    LandblockId::new(x, y).map_err(|error| Fault::invalid("landblock", error))
}

/// Returns the profile with a name, in any case.
pub(crate) fn profile(name: &str) -> Result<Config, Fault> {
    let known = || Config::PROFILES.into_iter().chain([("SPECTATOR", Config::SPECTATOR)]);
    known().find(|(of, _)| of.eq_ignore_ascii_case(name)).map(|(_, config)| config).ok_or_else(|| {
        let names: Vec<&str> = known().map(|(name, _)| name).collect();
        let name: String = name.chars().take(40).collect();
        Fault::invalid("profile", format!("{name:?} is unknown; use one of {}", names.join(", ")))
    })
}
