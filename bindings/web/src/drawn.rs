//! Drawn bodies as arrays that JavaScript reads without a copy.

use evenstride::Drawn;
use evenstride_types::{LandblockId, Placement, Vec3};
use js_sys::{Float32Array, Uint8Array, Uint32Array};

/// Number of values of a pose, which are x, y, z, qw, qx, qy and qz.
pub(crate) const POSE: usize = 7;

/// Bodies in the order in which the world stores them.
#[derive(Debug, Default)]
pub(crate) struct DrawnArrays {
    ids: Vec<u32>,
    poses: Vec<f32>,
    hidden: Vec<u8>,
}

impl DrawnArrays {
    /// Removes all bodies and makes room for others.
    pub(crate) fn clear(&mut self, room: usize) {
        self.ids.clear();
        self.poses.clear();
        self.hidden.clear();
        self.ids.reserve(room);
        self.poses.reserve(room * POSE);
        self.hidden.reserve(room);
    }

    /// Adds a body, measured from the south-west corner of a landblock.
    #[inline(always)]
    pub(crate) fn push(&mut self, drawn: &Drawn, origin: LandblockId) {
        self.ids.push(drawn.entity.raw());
        self.poses.extend_from_slice(&pose(&drawn.place, origin));
        self.hidden.push(u8::from(drawn.is_hidden));
    }

    pub(crate) fn len(&self) -> u32 {
        self.ids.len() as u32
    }

    pub(crate) fn ids(&self) -> Uint32Array {
        // SAFETY: JavaScript reads the view before the next call, as the documentation says. A later read
        // sees other bytes of the module's memory or a detached array, and never memory outside of it.
        unsafe { Uint32Array::view(&self.ids) }
    }

    pub(crate) fn poses(&self) -> Float32Array {
        // SAFETY: as in `ids`.
        unsafe { Float32Array::view(&self.poses) }
    }

    pub(crate) fn hidden(&self) -> Uint8Array {
        // SAFETY: as in `ids`.
        unsafe { Uint8Array::view(&self.hidden) }
    }
}

/// Returns a place as the seven values of a pose, in metres from the south-west corner of a landblock.
#[inline(always)]
pub(crate) fn pose(place: &Placement, origin: LandblockId) -> [f32; POSE] {
    let block = place.cell.landblock();
    let offset = if block == origin { Vec3::ZERO } else { origin.offset_to(block) };
    let [x, y, z] = (place.pose.origin() + offset).to_array();
    let [qw, qx, qy, qz] = place.pose.rotation().to_wxyz();
    [x, y, z, qw, qx, qy, qz]
}
