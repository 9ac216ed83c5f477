//! Conversions between checked types and the plain numbers they are made of.
//!
//! Conversions from numbers check like the constructors. `serde` uses them, so a deserialized value
//! is as valid as a constructed one.

use crate::{
    CellError, CellId, Heading, HeadingError, LandblockError, LandblockId, Rotation, RotationError,
    SimDuration, SimTime, TimeError,
};

macro_rules! conversions {
    ($($of:ty: $number:ty, $error:ty, $from:expr, $into:expr;)*) => {$(
        impl TryFrom<$number> for $of {
            type Error = $error;

            fn try_from(number: $number) -> Result<Self, Self::Error> {
                $from(number)
            }
        }

        impl From<$of> for $number {
            fn from(value: $of) -> Self {
                $into(value)
            }
        }
    )*};
}

conversions! {
    CellId: u32, CellError, Self::new, CellId::raw;
    LandblockId: u16, LandblockError, |raw: u16| Self::new((raw >> 8) as u8, raw as u8), LandblockId::raw;
    Heading: f32, HeadingError, Self::from_degrees, Heading::degrees;
    Rotation: [f32; 4], RotationError, Self::new, Rotation::to_wxyz;
    SimTime: f64, TimeError, Self::from_secs, SimTime::as_secs;
    SimDuration: f64, TimeError, Self::from_secs, SimDuration::as_secs;
}

/// The fields of a [`Pose`](crate::Pose) as they are serialized.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct PoseParts {
    origin: glam::Vec3,
    rotation: Rotation,
}

#[cfg(feature = "serde")]
impl TryFrom<PoseParts> for crate::Pose {
    type Error = crate::PoseError;

    fn try_from(parts: PoseParts) -> Result<Self, Self::Error> {
        Self::new(parts.origin, parts.rotation)
    }
}

#[cfg(feature = "serde")]
impl From<crate::Pose> for PoseParts {
    fn from(pose: crate::Pose) -> Self {
        Self { origin: pose.origin(), rotation: pose.rotation() }
    }
}
