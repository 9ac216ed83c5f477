//! Position and rotation inside one landblock.
//!
//! A pose does not know its landblock. `placement.rs` adds the cell, and every function across
//! landblocks is there.

use glam::Vec3;

use crate::{Heading, Rotation, RotationError};

/// Largest coordinate of a valid pose in metres, which is 2²⁴.
///
/// Beyond it, an `f32` cannot tell neighbouring metres apart. The map is 49 km wide, so no real
/// coordinate comes near it. The bound keeps every sum of two poses finite. It is a safety bound,
/// and the client has none.
pub const COORDINATE_LIMIT: f32 = 16_777_216.0;

/// An origin and a rotation. They say where local (0, 0, 0) lies and which way the local axes
/// point.
///
/// Origins are measured from the south-west corner of a landblock, with absolute z. A [`Placement`]
/// says which landblock that is. A pose also serves as an *offset*, which is a movement in the
/// local axes of another pose, applied with [`Pose::combine`].
///
/// [`Placement`]: crate::Placement
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::convert::PoseParts", into = "crate::convert::PoseParts")
)]
#[doc(alias = "Frame")]
#[repr(C)]
pub struct Pose {
    /// Metres from the landblock's corner. Within [`COORDINATE_LIMIT`] for constructed poses.
    origin: Vec3,
    /// Directions of the local axes.
    rotation: Rotation,
}

impl Pose {
    /// The landblock's corner, upright and facing north. As an offset, it changes nothing.
    pub const IDENTITY: Self = Self { origin: Vec3::ZERO, rotation: Rotation::IDENTITY };

    /// Makes a pose from its parts.
    ///
    /// # Errors
    /// [`PoseError`] if a coordinate is not finite or beyond [`COORDINATE_LIMIT`].
    ///
    /// Retail: `Frame::IsValid` (11.4186 @ 0x00534ED0)
    #[inline(always)]
    pub fn new(origin: impl Into<Vec3>, rotation: Rotation) -> Result<Self, PoseError> {
        let origin = origin.into();
        check_origin(origin)?;
        Ok(Self { origin, rotation })
    }

    /// Returns the origin, in metres from the landblock's south-west corner.
    #[inline]
    pub const fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Returns the directions of the local axes.
    #[inline]
    pub const fn rotation(&self) -> Rotation {
        self.rotation
    }

    /// Returns this pose with another origin.
    ///
    /// # Errors
    /// As for [`Pose::new`].
    #[inline]
    pub fn with_origin(&self, origin: impl Into<Vec3>) -> Result<Self, PoseError> {
        Self::new(origin, self.rotation)
    }

    /// Returns this pose with another rotation.
    #[must_use]
    #[inline]
    pub const fn with_rotation(&self, rotation: Rotation) -> Self {
        Self { origin: self.origin, rotation }
    }

    /// Returns this pose, facing `heading`. See [`Rotation::with_heading`] for pitch and roll.
    #[must_use]
    pub fn with_heading(&self, heading: Heading) -> Self {
        self.with_rotation(self.rotation.with_heading(heading))
    }

    /// Returns the direction that the pose faces, seen from above.
    pub fn heading(&self) -> Heading {
        self.rotation.heading()
    }

    /// Returns this pose after a movement by `offset` in its own axes.
    ///
    /// The result may lie beyond [`COORDINATE_LIMIT`]. Check it with [`Pose::is_in_bounds`] before
    /// it is stored.
    ///
    /// Retail: `Frame::combine` (11.4186 @ 0x005122E0)
    /// Disputed: ACE does not renormalise.
    #[must_use]
    #[inline(always)]
    pub fn combine(&self, offset: &Self) -> Self {
        let moved = self.origin.as_dvec3() + self.rotation.basis().to_global_wide(offset.origin);
        Self { origin: moved.as_vec3(), rotation: self.rotation * offset.rotation }
    }

    /// Returns this pose before a movement by `offset`, so that
    /// `base.combine(&offset).before(&offset)` is `base`, up to rounding.
    ///
    /// Retail: `Frame::subtract1` (11.4186 @ 0x00535520)
    #[doc(alias = "subtract1")]
    #[must_use]
    pub fn before(&self, offset: &Self) -> Self {
        let rotation = self.rotation * offset.rotation.inverse();
        let origin = self.origin.as_dvec3() - rotation.basis().to_global_wide(offset.origin);
        Self { origin: origin.as_vec3(), rotation }
    }

    /// Returns this pose as an offset from `base`, so that `base.combine(&x.relative_to(&base))` is
    /// `x`, up to rounding.
    ///
    /// Both must be in the same landblock. Across landblocks, use [`Placement::relative_to`].
    ///
    /// Retail: `Frame::subtract2` (11.4186 @ 0x00535650)
    ///
    /// [`Placement::relative_to`]: crate::Placement::relative_to
    #[doc(alias = "subtract2")]
    #[must_use]
    #[inline]
    pub fn relative_to(&self, base: &Self) -> Self {
        Self { origin: base.to_local(self.origin), rotation: base.rotation.inverse() * self.rotation }
    }

    /// Converts a point from local axes to the landblock's.
    pub fn to_global(&self, local: impl Into<Vec3>) -> Vec3 {
        let local = local.into();
        (self.origin.as_dvec3() + self.rotation.basis().to_global_wide(local)).as_vec3()
    }

    /// Converts a point from the landblock's axes to local ones.
    pub fn to_local(&self, global: impl Into<Vec3>) -> Vec3 {
        let global = global.into();
        self.rotation.basis().to_local_wide(global.as_dvec3() - self.origin.as_dvec3()).as_vec3()
    }

    /// Returns the pose turned in place about its own axes. `spin` is an axis times an angle in
    /// radians.
    #[must_use]
    pub fn spun_locally(&self, spin: impl Into<Vec3>) -> Self {
        let spin = spin.into();
        self.with_rotation(self.rotation.spun_locally(spin))
    }

    /// Returns the pose turned in place about the world's axes. `spin` is an axis times an angle in
    /// radians.
    #[must_use]
    pub fn spun_globally(&self, spin: impl Into<Vec3>) -> Self {
        let spin = spin.into();
        self.with_rotation(self.rotation.spun_globally(spin))
    }

    /// Returns a pose part of the way to `target`. The origin moves in a straight line, the
    /// rotation along the shortest arc.
    ///
    /// Both must be in the same landblock. A `part` outside 0..=1 overshoots in a straight line. A
    /// `part` that is not finite leaves the pose unchanged.
    ///
    /// Retail: `Frame::interpolate_rotation` (11.4186 @ 0x00535390)
    #[must_use]
    #[inline]
    pub fn blended(&self, target: &Self, part: f32) -> Self {
        if !part.is_finite() {
            return *self;
        }
        let (from, to) = (self.origin.as_dvec3(), target.origin.as_dvec3());
        let origin = (from + (to - from) * f64::from(part)).as_vec3();
        let origin = if origin.is_finite() { origin } else { self.origin };
        Self { origin, rotation: self.rotation.blended(target.rotation, part) }
    }

    /// Returns whether origin and rotation agree within [`EPSILON`](crate::EPSILON). `q` and `-q`
    /// do not agree, as in the client.
    ///
    /// Retail: `Frame::is_equal` (11.4186 @ 0x00424C30)
    pub fn is_nearly(&self, other: &Self) -> bool {
        crate::nearly_equal(self.origin, other.origin) && self.rotation.is_nearly(other.rotation)
    }

    /// Returns whether [`Pose::new`] would accept the origin. Chains of [`Pose::combine`] can leave
    /// the bounds.
    #[inline(always)]
    pub fn is_in_bounds(&self) -> bool {
        check_origin(self.origin).is_ok()
    }

    /// Makes a pose without a check, for results whose bounds the caller has proved.
    #[inline]
    pub(crate) const fn from_parts(origin: Vec3, rotation: Rotation) -> Self {
        Self { origin, rotation }
    }
}

/// The reason why a pose is invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PoseError {
    /// A coordinate is NaN or infinite.
    #[error("origin.{field}: {value} is not a finite number")]
    NotFinite {
        /// `x`, `y` or `z`.
        field: &'static str,
        /// The rejected coordinate.
        value: f32,
    },
    /// A coordinate is beyond [`COORDINATE_LIMIT`].
    #[error("origin.{field}: {value} m is farther than {COORDINATE_LIMIT} m from the landblock's corner")]
    TooFar {
        /// `x`, `y` or `z`.
        field: &'static str,
        /// The rejected coordinate in metres.
        value: f32,
    },
    /// The rotation is invalid.
    #[error(transparent)]
    Rotation(#[from] RotationError),
}

/// Checks that all coordinates are finite and within [`COORDINATE_LIMIT`], with one comparison.
#[inline(always)]
fn check_origin(origin: Vec3) -> Result<(), PoseError> {
    // Without their sign, the bits of floats are ordered as the numbers are, with infinity and NaN
    // on top.
    let [x, y, z] = origin.to_array().map(|coordinate| coordinate.abs().to_bits());
    if x.max(y).max(z) <= COORDINATE_LIMIT.to_bits() { Ok(()) } else { Err(broken(origin)) }
}

/// Returns the error for the first invalid coordinate.
#[cold]
fn broken(origin: Vec3) -> PoseError {
    let fields = ["x", "y", "z"].into_iter().zip(origin.to_array());
    for (field, value) in fields {
        if !value.is_finite() {
            return PoseError::NotFinite { field, value };
        }
        if value.abs() > COORDINATE_LIMIT {
            return PoseError::TooFar { field, value };
        }
    }
    PoseError::NotFinite { field: "origin", value: f32::NAN }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn broken_coordinates_are_refused_by_name() {
        let at = |x, y, z| Pose::new(Vec3::new(x, y, z), Rotation::IDENTITY).map_err(|e| e.to_string());
        assert_eq!(at(0.0, f32::NAN, 0.0).unwrap_err(), "origin.y: NaN is not a finite number");
        assert_eq!(at(f32::NEG_INFINITY, 0.0, 0.0).unwrap_err(), "origin.x: -inf is not a finite number");
        assert_eq!(
            at(0.0, 0.0, 2e7).unwrap_err(),
            "origin.z: 20000000 m is farther than 16777216 m from the landblock's corner"
        );
        assert!(at(COORDINATE_LIMIT, -COORDINATE_LIMIT, 0.0).is_ok());
    }

    #[test]
    fn an_offset_is_applied_in_the_poses_own_axes() {
        let facing_east = Pose::new(Vec3::new(10.0, 20.0, 1.0), Rotation::facing(Heading::EAST)).unwrap();
        let step_forward = Pose::new(Vec3::new(0.0, 2.0, 0.0), Rotation::facing(Heading::SOUTH)).unwrap();
        let moved = facing_east.combine(&step_forward);
        assert!(crate::nearly_equal(moved.origin(), Vec3::new(12.0, 20.0, 1.0)));
        assert!((moved.heading().degrees() - 270.0).abs() < 1e-3);
    }

    #[test]
    fn blending_with_a_broken_part_stays_put() {
        let a = Pose::IDENTITY;
        let b = Pose::new(Vec3::splat(1e7), Rotation::facing(Heading::WEST)).unwrap();
        assert_eq!(a.blended(&b, f32::NAN), a);
        assert!(a.blended(&b, f32::MAX).origin().is_finite());
    }

    #[test]
    fn nearly_is_a_fifth_of_a_millimetre_and_epsilon_is_in() {
        let a = Pose::new(Vec3::ZERO, Rotation::IDENTITY).unwrap();
        let b = a.with_origin(Vec3::new(crate::EPSILON, 0.0, 0.0)).unwrap();
        assert!(a.is_nearly(&b));
        let c = a.with_origin(Vec3::new(0.00021, 0.0, 0.0)).unwrap();
        assert!(!a.is_nearly(&c));
    }
}
