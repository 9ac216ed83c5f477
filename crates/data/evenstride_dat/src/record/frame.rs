//! A place and a turn, as archives have them.

use evenstride_types::{Pose, PoseError, Rotation, Vec3};

use super::Put;

/// A place and a turn, kept as they are: nothing says that the rotation has unit length, or that any of it is a number.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[repr(C)]
pub struct Frame {
    /// Metres.
    pub origin: [f32; 3],
    /// `w, x, y, z`.
    pub rotation: [f32; 4],
}

impl Frame {
    /// Nowhere else, not turned.
    pub const IDENTITY: Self = Self { origin: [0.0; 3], rotation: [1.0, 0.0, 0.0, 0.0] };

    /// How many bytes one takes.
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

    /// The same for the core. A rotation is brought to unit length, as the client does when it combines it with another; one without any
    /// length or with numbers that are none is no rotation at all.
    ///
    /// # Errors
    /// [`PoseError`] when the place is none.
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
