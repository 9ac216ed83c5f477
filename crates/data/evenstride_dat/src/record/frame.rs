//! An origin and a rotation, as archives store them.

use evenstride_types::{Pose, PoseError, Rotation, Vec3};

use super::Put;

/// An origin and a rotation as stored. The rotation need not have unit length, and numbers need not
/// be finite.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[repr(C)]
pub struct Frame {
    /// Origin in metres.
    pub origin: [f32; 3],
    /// Quaternion as `w, x, y, z`.
    pub rotation: [f32; 4],
}

impl Frame {
    /// Zero origin, no rotation.
    pub const IDENTITY: Self = Self { origin: [0.0; 3], rotation: [1.0, 0.0, 0.0, 0.0] };

    /// Length in bytes.
    pub const BYTES: usize = 28;

    #[inline]
    pub(crate) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let (words, _) = bytes.as_chunks::<4>();
        let float = |index: usize| f32::from_le_bytes(words[index]);
        Self { origin: [float(0), float(1), float(2)], rotation: [float(3), float(4), float(5), float(6)] }
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.floats(&self.origin);
        out.floats(&self.rotation);
    }

    /// Converts the frame to a pose. The rotation is normalised, as in the client when it combines
    /// rotations. A rotation without length, or with numbers that are not finite, becomes the
    /// identity.
    ///
    /// # Errors
    /// [`PoseError`] if the origin is invalid.
    pub fn to_pose(&self) -> Result<Pose, PoseError> {
        let rotation = Rotation::new(self.rotation)
            .or_else(|_| Rotation::normalized(self.rotation))
            .unwrap_or(Rotation::IDENTITY);
        Pose::new(Vec3::from_array(self.origin), rotation)
    }
}

impl Default for Frame {
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_that_are_none_are_mended() {
        let with = |rotation| Frame { rotation, ..Frame::IDENTITY }.to_pose().map(|pose| pose.rotation());
        assert_eq!(with([2.0, 0.0, 0.0, 0.0]), Ok(Rotation::IDENTITY));
        assert_eq!(with([0.0; 4]), Ok(Rotation::IDENTITY));
        assert_eq!(with([f32::NAN, 0.0, 0.0, 1.0]), Ok(Rotation::IDENTITY));
        assert!(Frame { origin: [f32::INFINITY, 0.0, 0.0], ..Frame::IDENTITY }.to_pose().is_err());
    }
}
