//! The ground of a scenario, as surroundings of the bodies that move on it.

use evenstride::{
    Surroundings,
    surroundings::{Contact, Footing, Placed, Placing, Sweep, Swept},
};
use evenstride_types::{CellId, Heading, Placement, Pose, Rotation, Vec3};

use crate::scenario::Ground;

/// Cell at the corner of the landblock from which coordinates are measured.
const BLOCK: u32 = 0xA9B4_0001;

/// An indoor cell of that landblock.
const ROOM: u32 = 0xA9B4_0105;

/// Height of level ground in metres.
const LEVEL: f32 = 12.0;

/// Largest drop in metres that a body follows downwards in one step.
const STEP_DOWN: f32 = 1.5;

impl Ground {
    /// Returns the place on the ground at map coordinates, facing a heading in degrees.
    pub(super) fn at(self, [x, y]: [f32; 2], heading: f32) -> Placement {
        let rotation = Rotation::facing(Heading::from_degrees(heading).unwrap_or(Heading::NORTH));
        let pose = Pose::new([x, y, self.height(x)], rotation).unwrap_or(Pose::IDENTITY);
        let cell = if self == Self::Room { ROOM } else { BLOCK };
        let place = Placement::new(CellId::new(cell).unwrap_or(CellId::CORNER), pose);
        place.settled().unwrap_or(place)
    }

    /// Returns the height in metres, `x` metres east of the landblock's corner.
    pub(super) fn height(self, x: f32) -> f32 {
        match self {
            Self::Flat | Self::Room => LEVEL,
            Self::Slope(rise) => LEVEL + rise * (x - 96.0),
            Self::Stairs => LEVEL + 0.2 * ((x - 96.0) / 0.5).floor().clamp(-40.0, 40.0),
        }
    }

    fn normal(self) -> Vec3 {
        match self {
            Self::Slope(rise) => Vec3::new(-rise, 0.0, 1.0).normalize_or(Vec3::Z),
            Self::Flat | Self::Room | Self::Stairs => Vec3::Z,
        }
    }

    /// Returns the place with its height on the ground, and how far it was above.
    fn grounded(self, mut at: Placement) -> Option<(Placement, f32)> {
        let z = self.height(offset(&at).x);
        let above = at.pose.origin().z - z;
        at.pose = at.pose.with_origin(at.pose.origin().with_z(z)).ok()?;
        Some((at, above))
    }
}

impl Surroundings for Ground {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        let Ok(at) = sweep.to.settled() else { return Swept::Blocked };
        let Some((on_ground, above)) = self.grounded(at) else { return Swept::Blocked };
        let stays_down = sweep.footing == Footing::Grounded && above <= STEP_DOWN;
        if above > 0.0 && !stays_down {
            return Swept::Moved { at, contact: Contact::Lost, ran_into: None };
        }
        Swept::Moved { at: on_ground, contact: Contact::On(self.normal()), ran_into: None }
    }

    fn place(&self, placing: &Placing) -> Placed {
        let Ok(at) = placing.at.settled() else { return Placed::Refused };
        let Some((on_ground, above)) = self.grounded(at) else { return Placed::Refused };
        if above > STEP_DOWN || (above > 0.0 && !placing.grounded) {
            return Placed::At { at, contact: Contact::Lost };
        }
        Placed::At { at: on_ground, contact: Contact::On(self.normal()) }
    }
}

/// Returns metres from the corner of the landblock.
pub(super) fn offset(place: &Placement) -> Vec3 {
    let corner = Placement::new(CellId::new(BLOCK).unwrap_or(CellId::CORNER), Pose::IDENTITY);
    corner.offset_to(place)
}
