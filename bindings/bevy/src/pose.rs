//! Poses of the game, in its own units and axes.

use bevy_math::{DVec2, DVec3, Isometry2d, Isometry3d, Quat, Rot2, Vec2, Vec3};
use bevy_transform::components::Transform;
use evenstride::generic::PlainPose;

/// Position and rotation of an update. Most types of Bevy convert to it.
///
/// A position alone has no rotation, so the entity faces ahead along its axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RemotePose {
    /// Position in game units.
    pub position: DVec3,
    /// Rotation. It is scaled to unit length when it is received.
    pub rotation: Quat,
}

impl RemotePose {
    /// Returns the pose for the core. In flat games `z` is a layer of the picture, and not a height.
    pub(crate) fn plain(&self, is_flat: bool) -> PlainPose {
        let height = if is_flat { 0.0 } else { self.position.z };
        PlainPose { position: [self.position.x, self.position.y, height], rotation: self.rotation.to_array() }
    }
}

impl From<DVec3> for RemotePose {
    fn from(position: DVec3) -> Self {
        Self { position, rotation: Quat::IDENTITY }
    }
}

impl From<Vec3> for RemotePose {
    fn from(position: Vec3) -> Self {
        position.as_dvec3().into()
    }
}

impl From<Vec2> for RemotePose {
    fn from(position: Vec2) -> Self {
        position.extend(0.0).into()
    }
}

impl From<DVec2> for RemotePose {
    fn from(position: DVec2) -> Self {
        position.extend(0.0).into()
    }
}

impl From<(Vec3, Quat)> for RemotePose {
    fn from((position, rotation): (Vec3, Quat)) -> Self {
        Self { position: position.as_dvec3(), rotation }
    }
}

impl From<(Vec2, Rot2)> for RemotePose {
    fn from((position, turn): (Vec2, Rot2)) -> Self {
        Self { rotation: Quat::from_rotation_z(turn.as_radians()), ..position.into() }
    }
}

impl From<Isometry3d> for RemotePose {
    fn from(isometry: Isometry3d) -> Self {
        (Vec3::from(isometry.translation), isometry.rotation).into()
    }
}

impl From<Isometry2d> for RemotePose {
    fn from(isometry: Isometry2d) -> Self {
        (isometry.translation, isometry.rotation).into()
    }
}

impl From<Transform> for RemotePose {
    /// Drops the scale.
    fn from(transform: Transform) -> Self {
        (transform.translation, transform.rotation).into()
    }
}
