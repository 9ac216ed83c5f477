//! Where an entity is.

use glam::Vec3;

use crate::{EntityId, Placement, RawPlacement, Stamp};

/// Where an entity is, as the server last knew it. Opcode F748.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionUpdate {
    /// Whose position.
    pub entity: EntityId,
    /// The position.
    pub pack: PositionPack,
}

/// A position with everything that travels with it.
///
/// Retail: `PositionPack::UnPack` (11.4186 @ 0x00516740)
#[derive(Clone, Debug, PartialEq)]
pub struct PositionPack {
    /// Cell id as sent.
    pub cell: u32,
    /// Coordinates as sent.
    pub origin: Vec3,
    /// Rotation as sent, with gaps where components were left out.
    pub rotation: SparseQuaternion,
    /// Velocity in world axes, when sent. The client skips it unread.
    pub velocity: Option<Vec3>,
    /// Pose of a thing that has no animation, when sent.
    pub placement_frame: Option<u32>,
    /// Whether the entity touches the ground. Without it the client ignores the position, unless it is a teleport.
    pub has_contact: bool,
    /// Flag bits above the seven that have a meaning.
    pub other_flags: u32,
    /// Which life of the entity.
    pub instance: Stamp,
    /// Order among positions.
    pub position: Stamp,
    /// Order among teleports.
    pub teleport: Stamp,
    /// Order among corrections.
    pub force_position: Stamp,
}

impl PositionPack {
    /// Bits of the flag word that [`PositionPack`] breaks out into fields.
    pub const NAMED_FLAGS: u32 = 0x7F;

    /// The position of an entity that stands here, packed as the client packs it; everything else at its default.
    pub fn standing(at: &Placement, instance: Stamp, position: Stamp) -> Self {
        Self {
            cell: at.cell.raw(),
            origin: at.pose.origin(),
            rotation: SparseQuaternion::packed(at.pose.rotation().to_wxyz()),
            velocity: None,
            placement_frame: None,
            has_contact: true,
            other_flags: 0,
            instance,
            position,
            teleport: Stamp::default(),
            force_position: Stamp::default(),
        }
    }

    /// Cell, coordinates and rotation, absent components as zero, not yet checked.
    #[inline]
    pub fn placement(&self) -> RawPlacement {
        RawPlacement { cell: self.cell, origin: self.origin, wxyz: self.rotation.to_wxyz() }
    }

    /// The flag word this was, or would be, sent with.
    pub fn flags(&self) -> u32 {
        let bit = |set: bool, mask: u32| if set { mask } else { 0 };
        let absent = self.rotation.0.map(|component| component.is_none());
        (self.other_flags & !Self::NAMED_FLAGS)
            | bit(self.velocity.is_some(), 0x01)
            | bit(self.placement_frame.is_some(), 0x02)
            | bit(self.has_contact, 0x04)
            | bit(absent[0], 0x08)
            | bit(absent[1], 0x10)
            | bit(absent[2], 0x20)
            | bit(absent[3], 0x40)
    }
}

/// Quaternion components `w, x, y, z`, each sent or left out; left out means zero.
///
/// Kept apart from zero because servers differ in what they leave out: the client drops what is below 0.0002, ACE what is
/// exactly zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SparseQuaternion(pub [Option<f32>; 4]);

impl SparseQuaternion {
    /// All four components sent.
    pub const fn full([w, x, y, z]: [f32; 4]) -> Self {
        Self([Some(w), Some(x), Some(y), Some(z)])
    }

    /// As the client packs it: components smaller than 0.0002 are left out.
    ///
    /// Retail: `PositionPack::Pack` (11.4186 @ 0x00516440)
    pub fn packed(wxyz: [f32; 4]) -> Self {
        // Negated so that NaN is sent, not hidden.
        #[expect(clippy::neg_cmp_op_on_partial_ord, reason = "NaN must count as large")]
        Self(wxyz.map(|c| (!(c.abs() < crate::EPSILON)).then_some(c)))
    }

    /// The components, zero where left out.
    #[inline]
    pub fn to_wxyz(self) -> [f32; 4] {
        self.0.map(Option::unwrap_or_default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_a_recorded_player_position() {
        let pack = PositionPack {
            cell: 0xA9B4_002A,
            origin: Vec3::new(126.643_67, 37.098_45, 94.005),
            rotation: SparseQuaternion::packed([0.275_03, 0.0, -0.0, -0.961_44]),
            velocity: None,
            placement_frame: None,
            has_contact: true,
            other_flags: 0,
            instance: Stamp::new(90),
            position: Stamp::new(1),
            teleport: Stamp::new(0),
            force_position: Stamp::new(0),
        };
        assert_eq!(pack.flags(), 0x34);
        assert_eq!(pack.placement().wxyz, [0.275_03, 0.0, 0.0, -0.961_44]);
        assert!(pack.placement().check().is_ok());
        let creature = PositionPack { placement_frame: Some(0x65), other_flags: 0x100, ..pack };
        assert_eq!(creature.flags(), 0x136);
    }

    #[test]
    fn packing_hides_small_components_but_not_broken_ones() {
        let packed = SparseQuaternion::packed([1.0, 0.0001, f32::NAN, -0.5]);
        assert_eq!(packed.0[1], None);
        assert!(packed.0[2].is_some_and(f32::is_nan));
    }
}
