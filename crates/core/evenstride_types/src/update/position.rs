//! Messages about the place of an entity.
//!
//! A position is the most frequent message by far. Its fields are as sent, and
//! [`PositionPack::placement`] collects the ones that a check needs.

use glam::Vec3;

use crate::{EntityId, Placement, RawPlacement, Stamp};

/// The place of an entity as the server last knew it (opcode F748).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct PositionUpdate {
    /// The entity at this place.
    pub entity: EntityId,
    /// Place and stamps.
    pub pack: PositionPack,
}

/// A place with its flags and stamps, as a message carries it.
///
/// Retail: `PositionPack::UnPack` (11.4186 @ 0x00516740)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct PositionPack {
    /// Cell id as sent.
    pub cell: u32,
    /// Coordinates in metres as sent.
    pub origin: Vec3,
    /// Rotation as sent, with gaps where components were left out.
    pub rotation: SparseQuaternion,
    /// Velocity in metres per second, world axes, if sent. The client does not read it.
    pub velocity: Option<Vec3>,
    /// Index of the pose for an object without animations, if sent.
    pub placement_frame: Option<u32>,
    /// Whether the entity touches the ground. Otherwise the client ignores the position, unless it
    /// is a teleport or brings the entity into the world.
    pub has_contact: bool,
    /// Flag bits above the seven that have a meaning.
    pub other_flags: u32,
    /// Instance stamp, which names the life of the entity.
    pub instance: Stamp,
    /// Position stamp.
    pub position: Stamp,
    /// Teleport stamp. A newer one makes the position a teleport.
    pub teleport: Stamp,
    /// Force-position stamp. A newer one forces the local player to this place.
    pub force_position: Stamp,
}

impl PositionPack {
    /// Bits of the flag word that have a field in [`PositionPack`].
    pub const NAMED_FLAGS: u32 = 0x7F;

    /// Makes the position of an entity that stands at `at`, packed as the client packs it. Teleport
    /// and force stamps are zero.
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

    /// Returns cell, coordinates and rotation, not yet checked. Absent components are zero.
    #[inline]
    pub fn placement(&self) -> RawPlacement {
        RawPlacement { cell: self.cell, origin: self.origin, wxyz: self.rotation.to_wxyz() }
    }

    /// Returns the flag word that belongs to these fields on the wire. Bits 3 to 6 are set for
    /// absent components of the rotation.
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

/// Quaternion components `w, x, y, z`, each of which may be left out. An absent component means
/// zero.
///
/// Absent and zero are kept apart because senders differ. The client omits components with an
/// absolute value below 0.0002, and ACE omits those that are exactly zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct SparseQuaternion(pub [Option<f32>; 4]);

impl SparseQuaternion {
    /// Makes a quaternion with all four components sent.
    pub const fn full([w, x, y, z]: [f32; 4]) -> Self {
        Self([Some(w), Some(x), Some(y), Some(z)])
    }

    /// Packs components as the client does, which omits those with an absolute value below 0.0002.
    ///
    /// Retail: `PositionPack::Pack` (11.4186 @ 0x00516440)
    pub fn packed(wxyz: [f32; 4]) -> Self {
        // Negated so that NaN is sent, not hidden.
        #[expect(clippy::neg_cmp_op_on_partial_ord, reason = "NaN must count as large")]
        Self(wxyz.map(|c| (!(c.abs() < crate::EPSILON)).then_some(c)))
    }

    /// Returns the components, with zero for absent ones.
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
