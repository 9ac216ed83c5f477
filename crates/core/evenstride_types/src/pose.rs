//! Where something is and how it is turned, inside one landblock.

use glam::Vec3;

use crate::{Heading, InvalidRotation, Rotation};

/// Largest coordinate a pose can be made with, in metres: 2²⁴.
///
/// Beyond it an `f32` cannot tell neighbouring metres apart. The map is 49 km wide, so nothing real comes near; the bound
/// keeps every sum of two poses finite. A safety bound: the client has none.
pub const COORDINATE_LIMIT: f32 = 16_777_216.0;

/// An origin and a rotation: where local (0, 0, 0) lies and which way the local axes point.
///
/// Origins are measured from the south-west corner of a landblock, z absolute; which landblock, a [`Placement`] says.
/// A pose also serves as an *offset*: a movement in the local axes of another pose, applied with [`Pose::combine`].
///
/// [`Placement`]: crate::Placement
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[doc(alias = "Frame")]
#[repr(C)]
pub struct Pose {
    origin: Vec3,
    rotation: Rotation,
}

impl Pose {
    /// At the landblock's corner, upright, facing north; as an offset: no movement.
    pub const IDENTITY: Self = Self { origin: Vec3::ZERO, rotation: Rotation::IDENTITY };

    /// A pose from its parts.
    ///
    /// # Errors
    /// [`InvalidPose`] when a coordinate is not finite or beyond [`COORDINATE_LIMIT`].
    ///
    /// Retail: `Frame::IsValid` (11.4186 @ 0x00534ED0)
    #[inline]
    pub fn new(origin: Vec3, rotation: Rotation) -> Result<Self, InvalidPose> {
        check_origin(origin)?;
        Ok(Self { origin, rotation })
    }

    /// Metres from the landblock's corner.
    #[inline]
    pub const fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Which way the local axes point.
    #[inline]
    pub const fn rotation(&self) -> Rotation {
        self.rotation
    }

    /// The same rotation elsewhere.
    ///
    /// # Errors
    /// As [`Pose::new`].
    #[inline]
    pub fn with_origin(&self, origin: Vec3) -> Result<Self, InvalidPose> {
        Self::new(origin, self.rotation)
    }

    /// The same place, turned.
    #[must_use]
    #[inline]
    pub const fn with_rotation(&self, rotation: Rotation) -> Self {
        Self { origin: self.origin, rotation }
    }

    /// The same place, facing `heading`; see [`Rotation::with_heading`] for what becomes of pitch and roll.
    #[must_use]
    pub fn with_heading(&self, heading: Heading) -> Self {
        self.with_rotation(self.rotation.with_heading(heading))
    }

    /// Which way the pose faces, seen from above.
    pub fn heading(&self) -> Heading {
        self.rotation.heading()
    }

    /// This pose after moving by `offset` in its own axes.
    ///
    /// Retail: `Frame::combine` (11.4186 @ 0x005122E0)
    /// Disputed: ACE does not renormalise.
    #[must_use]
    pub fn combine(&self, offset: &Self) -> Self {
        let moved = self.origin.as_dvec3() + self.rotation.basis().to_global_wide(offset.origin);
        Self { origin: moved.as_vec3(), rotation: self.rotation * offset.rotation }
    }

    /// This pose before it moved by `offset`: undoes [`Pose::combine`] on the right, up to rounding.
    ///
    /// Retail: `Frame::subtract1` (11.4186 @ 0x00535520)
    #[doc(alias = "subtract1")]
    #[must_use]
    pub fn before(&self, offset: &Self) -> Self {
        let rotation = self.rotation * offset.rotation.inverse();
        let origin = self.origin.as_dvec3() - rotation.basis().to_global_wide(offset.origin);
        Self { origin: origin.as_vec3(), rotation }
    }

    /// This pose as an offset from `base`: `base.combine(&x.relative_to(&base))` is `x`, up to rounding.
    ///
    /// Both are taken to be in the same landblock; across landblocks ask [`Placement::relative_to`].
    ///
    /// Retail: `Frame::subtract2` (11.4186 @ 0x00535650)
    ///
    /// [`Placement::relative_to`]: crate::Placement::relative_to
    #[doc(alias = "subtract2")]
    #[must_use]
    pub fn relative_to(&self, base: &Self) -> Self {
        Self { origin: base.to_local(self.origin), rotation: base.rotation.inverse() * self.rotation }
    }

    /// A point given in local axes, in the landblock's.
    pub fn to_global(&self, local: Vec3) -> Vec3 {
        (self.origin.as_dvec3() + self.rotation.basis().to_global_wide(local)).as_vec3()
    }

    /// A point given in the landblock's axes, in local ones.
    pub fn to_local(&self, global: Vec3) -> Vec3 {
        self.rotation.basis().to_local_wide(global.as_dvec3() - self.origin.as_dvec3()).as_vec3()
    }

    /// Turned in place about its own axes; `spin` is an axis times an angle in radians.
    #[must_use]
    pub fn spun_locally(&self, spin: Vec3) -> Self {
        self.with_rotation(self.rotation.spun_locally(spin))
    }

    /// Turned in place about the world's axes; `spin` is an axis times an angle in radians.
    #[must_use]
    pub fn spun_globally(&self, spin: Vec3) -> Self {
        self.with_rotation(self.rotation.spun_globally(spin))
    }

    /// Part of the way to `target`: the origin in a straight line, the rotation along the shortest arc.
    ///
    /// Both are taken to be in the same landblock. A `part` outside 0..=1 overshoots in a straight line; one that is not
    /// finite leaves the pose as it was.
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

    /// Whether origin and rotation agree within [`EPSILON`](crate::EPSILON); `q` and `-q` do not, as in the client.
    ///
    /// Retail: `Frame::is_equal` (11.4186 @ 0x00424C30)
    pub fn is_nearly(&self, other: &Self) -> bool {
        crate::nearly_equal(self.origin, other.origin) && self.rotation.is_nearly(other.rotation)
    }

    /// Whether the origin could be given to [`Pose::new`]. Chains of [`Pose::combine`] can walk out of bounds.
    #[inline]
    pub fn is_in_bounds(&self) -> bool {
        check_origin(self.origin).is_ok()
    }

    /// For results whose bounds the caller has proved.
    #[inline]
    pub(crate) const fn from_parts(origin: Vec3, rotation: Rotation) -> Self {
        Self { origin, rotation }
    }
}

/// Why a pose cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InvalidPose {
    /// A coordinate is NaN or infinite.
    #[error("origin.{field}: {value} is not a finite number")]
    NotFinite {
        /// `x`, `y` or `z`.
        field: &'static str,
        /// As given.
        value: f32,
    },
    /// A coordinate is beyond [`COORDINATE_LIMIT`].
    #[error("origin.{field}: {value} m is farther than {COORDINATE_LIMIT} m from the landblock's corner")]
    TooFar {
        /// `x`, `y` or `z`.
        field: &'static str,
        /// As given.
        value: f32,
    },
    /// The rotation is not one.
    #[error(transparent)]
    Rotation(#[from] InvalidRotation),
}

#[inline]
fn check_origin(origin: Vec3) -> Result<(), InvalidPose> {
    // Without their sign, the bits of floats are ordered as the numbers are, with infinity and NaN on top: one comparison for all.
    let [x, y, z] = origin.to_array().map(|coordinate| coordinate.abs().to_bits());
    if x.max(y).max(z) <= COORDINATE_LIMIT.to_bits() { Ok(()) } else { Err(broken(origin)) }
}

/// Names the first coordinate that cannot be.
#[cold]
fn broken(origin: Vec3) -> InvalidPose {
    let fields = ["x", "y", "z"].into_iter().zip(origin.to_array());
    for (field, value) in fields {
        if !value.is_finite() {
            return InvalidPose::NotFinite { field, value };
        }
        if value.abs() > COORDINATE_LIMIT {
            return InvalidPose::TooFar { field, value };
        }
    }
    InvalidPose::NotFinite { field: "origin", value: f32::NAN }
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
