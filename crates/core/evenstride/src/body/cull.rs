//! Which bodies are near enough to be stepped.

use evenstride_types::{LANDBLOCK_SIZE, Placement, Vec3, update::PhysicsState};

use crate::{
    body::{flags::Flags, rows::HotRow},
    config::MissingViewpoint,
};

/// Radius in metres around the viewpoint within which bodies are stepped.
///
/// A body exactly this far away is still stepped, but a received position places it instead of
/// extending its route.
///
/// Retail: `CPhysicsObj::MoveOrTeleport` (11.4186 @ 0x00516330)
pub const ACTIVE_RADIUS_M: f32 = 96.0;

/// What a round knows of the viewpoint.
#[derive(Clone, Copy, Debug)]
pub struct Cull {
    viewpoint: Option<Viewpoint>,
    missing: MissingViewpoint,
}

impl Cull {
    pub fn new(viewpoint: Option<Placement>, missing: MissingViewpoint) -> Self {
        Self { viewpoint: viewpoint.as_ref().map(Viewpoint::new), missing }
    }

    /// Returns whether there is a viewpoint.
    #[inline]
    pub const fn has_viewpoint(&self) -> bool {
        self.viewpoint.is_some()
    }

    /// Returns the way of the viewpoint to that of a later round in metres. `None` if only one of them
    /// has a viewpoint.
    pub fn way_to(&self, later: &Self) -> Option<f32> {
        match (&self.viewpoint, &later.viewpoint) {
            (Some(from), Some(to)) => Some(from.way(to.column, to.row, to.origin)),
            (None, None) => Some(0.0),
            _ => None,
        }
    }

    /// Returns the distance of a body from the viewpoint in metres, and whether the next round makes or
    /// keeps the body active.
    ///
    /// - A body that is frozen, suspended or outside the world is inactive, and not measured.
    /// - A body more than 96 m from the viewpoint is inactive, except the local player.
    /// - Any other body is active. A static body does not become active, but stays so.
    /// - Without a viewpoint, [`MissingViewpoint`] decides. `AllFar` leaves activity and distances as
    ///   they are.
    #[inline(always)]
    pub fn look_at(&self, body: &HotRow) -> (f32, bool) {
        let HotRow { place, distance, state, flags, .. } = body;
        let is_active = flags.contains(Flags::ACTIVE);
        if state.contains(PhysicsState::FROZEN)
            || *flags & (Flags::HAS_CELL | Flags::SUSPENDED) != Flags::HAS_CELL
        {
            return (*distance, false);
        }
        let is_movable = is_active || !state.contains(PhysicsState::STATIC);
        match &self.viewpoint {
            Some(viewpoint) => {
                let distance = viewpoint.distance(place);
                let is_near = distance <= ACTIVE_RADIUS_M || flags.contains(Flags::LOCAL);
                (distance, is_near && is_movable)
            }
            None if self.missing == MissingViewpoint::AllNear => (0.0, is_movable),
            None => (*distance, is_active),
        }
    }
}

/// A place, prepared for measuring its distance to many others.
#[derive(Clone, Copy, Debug)]
struct Viewpoint {
    /// Landblock number from west to east, 0 to 255.
    column: f32,
    /// Landblock number from south to north, 0 to 255.
    row: f32,
    /// Coordinates within the landblock, in metres.
    origin: Vec3,
}

impl Viewpoint {
    fn new(place: &Placement) -> Self {
        let block = place.cell.landblock();
        Self { column: f32::from(block.x()), row: f32::from(block.y()), origin: place.pose.origin() }
    }

    /// Returns the distance in metres, computed in `f32` throughout.
    ///
    /// It is within 0.05 mm of the client's value at distances up to 96 m, where the distance
    /// matters.
    ///
    /// Retail: `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
    #[inline]
    fn distance(&self, place: &Placement) -> f32 {
        let block = place.cell.landblock();
        self.way(f32::from(block.x()), f32::from(block.y()), place.pose.origin())
    }

    /// Returns the distance in metres to a point of a landblock, by its column and row.
    #[inline(always)]
    fn way(&self, column: f32, row: f32, origin: Vec3) -> f32 {
        let away = origin - self.origin;
        let x = (column - self.column) * LANDBLOCK_SIZE + away.x;
        let y = (row - self.row) * LANDBLOCK_SIZE + away.y;
        libm::sqrtf(x * x + y * y + away.z * away.z)
    }
}

#[cfg(test)]
mod tests {
    use evenstride_types::{CellId, Pose};

    use super::*;

    /// The client computes this distance with higher precision. Up to 96 m, where the distance
    /// matters, the result may differ by 0.05 mm.
    #[test]
    fn distances_in_f32_are_within_their_stated_bound() {
        let at = |cell: u32, origin: Vec3| {
            Placement::new(CellId::new(cell).unwrap(), Pose::IDENTITY.with_origin(origin).unwrap())
        };
        let mut compared = 0;
        for step in 0..4_000u32 {
            let (x, y) =
                ((step * 7_919 % 192_000) as f32 / 1_000.0, (step * 104_729 % 192_000) as f32 / 1_000.0);
            let z = (step % 211) as f32 * 0.37 - 40.0;
            let here = at(0xA9B4_0001, Vec3::new(192.0 - x, y, 10.0));
            for cell in [0xA9B4_0001, 0xAAB4_0001, 0xA9B3_0001, 0xA8B5_0001] {
                let there = at(cell, Vec3::new(y, x, z));
                let exact = here.distance(&there);
                if exact <= 100.0 {
                    let apart = (f64::from(Viewpoint::new(&here).distance(&there)) - exact).abs();
                    assert!(apart < 5e-5, "{here} {there}: {apart}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 1_000, "{compared}");
    }
}
