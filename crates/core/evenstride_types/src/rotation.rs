//! Rotations as unit quaternions, with the client's rounding.
//!
//! Products, spins and blends compute in `f64`, scale to unit length and round to `f32` once, as
//! the client does. No matrix is kept, because a [`Basis`] can be computed from the quaternion.

use core::ops::Mul;

use glam::{DVec3, Vec3};

use crate::{EPSILON, Heading, vector::wide_unit_vector};

/// Largest valid difference between a quaternion's squared length and 1, which is five times
/// [`EPSILON`].
///
/// Retail: `Frame::IsValid` (11.4186 @ 0x00534ED0)
pub const UNIT_TOLERANCE: f64 = 5.0 * EPSILON as f64;

/// A unit quaternion, with components in the wire's order `w, x, y, z`.
///
/// `q` and `-q` are the same rotation and both occur in traffic. [`PartialEq`] compares components,
/// as the client does. The components are always finite. Their squared length differs from 1 by at
/// most [`UNIT_TOLERANCE`].
///
/// This is not a `glam` quaternion, because the layout and product of that type depend on whether
/// any crate in the build enables SIMD.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "[f32; 4]", into = "[f32; 4]"))]
#[repr(C)]
pub struct Rotation {
    w: f32,
    x: f32,
    y: f32,
    z: f32,
}

impl Rotation {
    /// No rotation, which is upright and facing north.
    pub const IDENTITY: Self = Self { w: 1.0, x: 0.0, y: 0.0, z: 0.0 };

    /// Makes a rotation from the components `[w, x, y, z]`, without scaling them.
    ///
    /// # Errors
    /// [`RotationError`] if a component is not finite, or the squared length differs from 1 by more
    /// than [`UNIT_TOLERANCE`].
    ///
    /// Retail: `Frame::IsValid` (11.4186 @ 0x00534ED0)
    #[inline]
    pub fn new(wxyz: [f32; 4]) -> Result<Self, RotationError> {
        let length_squared = norm_squared(wxyz.map(f64::from));
        // Written so that NaN fails.
        if (length_squared - 1.0).abs() <= UNIT_TOLERANCE {
            return Ok(Self::from_stored(wxyz));
        }
        check_finite(wxyz)?;
        Err(RotationError::NotUnit { wxyz, length_squared })
    }

    /// Scales the components `[w, x, y, z]` to unit length.
    ///
    /// # Errors
    /// [`RotationError`] if a component is not finite, or the length is zero.
    ///
    /// Retail: `Frame::set_rotate` (11.4186 @ 0x00535080)
    #[doc(alias = "set_rotate")]
    pub fn normalized(wxyz: [f32; 4]) -> Result<Self, RotationError> {
        check_finite(wxyz)?;
        let wide = wxyz.map(f64::from);
        let norm = libm::sqrt(norm_squared(wide));
        let scaled = wide.map(|c| (c / norm) as f32);
        // Zero length gives NaN here, which is rejected with the components as given.
        match Self::new(scaled) {
            Ok(unit) => Ok(unit),
            Err(_) => Err(RotationError::NotUnit { wxyz, length_squared: norm_squared(wide) }),
        }
    }

    /// Returns an upright rotation that faces `heading`.
    pub fn facing(heading: Heading) -> Self {
        Self::IDENTITY.with_heading(heading)
    }

    /// Returns the components `[w, x, y, z]`.
    #[inline]
    pub const fn to_wxyz(self) -> [f32; 4] {
        [self.w, self.x, self.y, self.z]
    }

    /// Returns the images of the three local axes.
    ///
    /// Retail: `Frame::cache` (11.4186 @ 0x00534DF0)
    #[inline]
    pub fn basis(self) -> Basis {
        // Offsets often do not turn. The formula gives the same bits.
        if self.is_same(Self::IDENTITY) {
            return Basis { x: Vec3::X, y: Vec3::Y, z: Vec3::Z };
        }
        let [w, x, y, z] = self.wide();
        Basis {
            x: DVec3::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y))
                .as_vec3(),
            y: DVec3::new(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x))
                .as_vec3(),
            z: DVec3::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y))
                .as_vec3(),
        }
    }

    /// Returns the rotation that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self { w: self.w, x: -self.x, y: -self.y, z: -self.z }
    }

    /// Returns the rotation turned about `spin`, an axis times an angle in radians, in **world**
    /// axes.
    ///
    /// The rotation is unchanged if `spin` is shorter than [`EPSILON`] or not finite.
    ///
    /// Retail: `Frame::grotate` (11.4186 @ 0x005357A0)
    /// Disputed: ACE builds yaw, pitch and roll and multiplies on the other side.
    #[doc(alias = "grotate")]
    #[must_use]
    pub fn spun_globally(self, spin: impl Into<Vec3>) -> Self {
        let spin = spin.into();
        let spin = spin.as_dvec3();
        let angle_squared = spin.dot(spin);
        let epsilon = f64::from(EPSILON);
        if angle_squared < epsilon * epsilon || !angle_squared.is_finite() {
            return self;
        }
        let angle = libm::sqrt(angle_squared);
        let (sin, cos) = libm::sincos(angle * 0.5);
        let axis = spin * (sin / angle);
        Self::from_wide(hamilton([cos, axis.x, axis.y, axis.z], self.wide()))
    }

    /// Returns the rotation turned about `spin`, an axis times an angle in radians, in its **own**
    /// axes.
    ///
    /// Retail: `Frame::rotate` (11.4186 @ 0x004525B0)
    #[must_use]
    pub fn spun_locally(self, spin: impl Into<Vec3>) -> Self {
        let spin = spin.into();
        self.spun_globally(self.basis().to_global(spin))
    }

    /// Returns the direction of local +Y, seen from above.
    ///
    /// Retail: `Frame::get_heading` (11.4186 @ 0x00535760)
    #[doc(alias = "get_heading")]
    pub fn heading(self) -> Heading {
        Heading::of_components(self.basis().y.as_dvec3())
    }

    /// Returns a rotation that faces `heading` without roll, pitched nearly as before.
    ///
    /// The rise of the old forward vector is kept while its horizontal part becomes a unit vector.
    /// A pitch of `asin(rise)` therefore becomes `atan(rise)`.
    ///
    /// Retail: `Frame::set_heading` (11.4186 @ 0x00535E40)
    /// Disputed: ACE takes the rise from other matrix elements.
    #[doc(alias = "set_heading")]
    #[must_use]
    pub fn with_heading(self, heading: Heading) -> Self {
        let rise = self.basis().y.z;
        let (sin, cos) = libm::sincos(f64::from(heading.degrees()).to_radians());
        self.looking_along(DVec3::new(sin, cos, f64::from(rise)).as_vec3())
    }

    /// Returns a rotation with local +Y along `direction`, without roll. The rotation is unchanged
    /// if `direction` is shorter than [`EPSILON`] or not finite.
    ///
    /// Retail: `Frame::set_vector_heading` (11.4186 @ 0x00535DB0)
    /// Disputed: ACE applies the pitch about Y instead of X.
    #[doc(alias = "set_vector_heading")]
    #[must_use]
    pub fn looking_along(self, direction: impl Into<Vec3>) -> Self {
        let direction = direction.into();
        if !direction.is_finite() {
            return self;
        }
        let Some(forward) = wide_unit_vector(direction.as_dvec3()) else {
            return self;
        };
        let yaw = -Heading::degrees_of(forward).to_radians();
        let pitch = libm::asin(forward.z);
        let (yaw_sin, yaw_cos) = libm::sincos(yaw * 0.5);
        let (pitch_sin, pitch_cos) = libm::sincos(pitch * 0.5);
        Self::from_wide([yaw_cos * pitch_cos, yaw_cos * pitch_sin, yaw_sin * pitch_sin, yaw_sin * pitch_cos])
    }

    /// Returns a rotation part of the way to `target` along the shortest arc, where 0 is `self` and
    /// 1 is `target`.
    ///
    /// The blend is linear for nearly equal rotations, and where a spherical weight would leave
    /// 0..=1. A `part` that is not finite leaves the rotation unchanged.
    ///
    /// Retail: `Frame::interpolate_rotation` (11.4186 @ 0x00535390)
    /// Disputed: ACE blends linearly always.
    #[must_use]
    #[inline]
    pub fn blended(self, target: Self, part: f32) -> Self {
        // Most moving bodies do not turn.
        if self == target { self } else { self.blended_on_the_arc(target, part) }
    }

    /// Computes the blend of two different rotations. This is a separate function, so that the
    /// common case stays small.
    #[inline(never)]
    fn blended_on_the_arc(self, target: Self, part: f32) -> Self {
        let from = self.wide();
        let to = target.wide();
        let dot = (0..4).map(|i| from[i] * to[i]).sum::<f64>();
        let (cos, to) = if dot < 0.0 { (-dot, to.map(|c| -c)) } else { (dot, to) };
        let part = f64::from(part);
        let (keep, take) = slerp_weights(cos, part).unwrap_or((1.0 - part, part));
        let mixed = [0, 1, 2, 3].map(|i| from[i] * keep + to[i] * take);
        // A weight that is not finite leaves the rotation as it was, because `part` may be any
        // number.
        if norm_squared(mixed).is_normal() { Self::from_wide(mixed) } else { self }
    }

    /// Returns whether both have the same bits. Unlike `==`, it takes one comparison.
    #[inline]
    pub fn is_same(self, other: Self) -> bool {
        self.to_wxyz().map(f32::to_bits) == other.to_wxyz().map(f32::to_bits)
    }

    /// Returns whether every component differs by less than [`EPSILON`]. `q` and `-q` are not
    /// nearly equal, as in the client.
    ///
    /// Retail: `Frame::is_equal` (11.4186 @ 0x00424C30)
    pub fn is_nearly(self, other: Self) -> bool {
        let (a, b) = (self.wide(), other.wide());
        (0..4).all(|i| libm::fabs(a[i] - b[i]) < f64::from(EPSILON))
    }

    /// Computes the product of two rotations.
    #[inline(never)]
    fn times(self, inner: Self) -> Self {
        Self::from_wide(hamilton(self.wide(), inner.wide()))
    }

    /// Computes the product with the identity, which has the bits of [`times`](Self::times).
    ///
    /// The sums of the product only change the sign of zeros.
    #[inline(always)]
    fn times_identity(self) -> Self {
        let Self { w, x, y, z } = self;
        let [w0, x0, y0, z0] = [w, x, y, z].map(|c| c * 0.0);
        let product =
            Self { w: w - x0 - y0 - z0, x: w0 + x + y0 - z0, y: w0 - x0 + y + z0, z: w0 + x0 - y0 + z };
        if product.is_exact() { product } else { Self::from_wide(product.wide()) }
    }

    /// Returns whether scaling to unit length would change nothing.
    ///
    /// The length then differs from 1 by less than 2⁻²⁵. Half the distance to the next `f32` is more than
    /// that part of any component, so every component is rounded to its old value.
    #[inline(always)]
    fn is_exact(self) -> bool {
        (norm_squared(self.wide()) - 1.0).abs() < 5e-8
    }

    /// Returns the components in `f64`, in which every operation computes.
    #[inline]
    fn wide(self) -> [f64; 4] {
        self.to_wxyz().map(f64::from)
    }

    /// Scales to unit length and rounds. The norm must be finite and far from zero, which holds for
    /// products of near-unit values.
    #[inline]
    fn from_wide(wxyz: [f64; 4]) -> Self {
        let norm = libm::sqrt(norm_squared(wxyz));
        Self::from_stored(wxyz.map(|c| (c / norm) as f32))
    }

    /// Makes a rotation from components that are already checked and rounded.
    #[inline]
    const fn from_stored([w, x, y, z]: [f32; 4]) -> Self {
        Self { w, x, y, z }
    }
}

/// `a * b` turns by `b` first, then by `a`. The result is the Hamilton product, scaled to unit
/// length.
impl Mul for Rotation {
    type Output = Self;

    #[inline(always)]
    fn mul(self, inner: Self) -> Self {
        // Most offsets do not turn.
        if inner.is_same(Self::IDENTITY) { self.times_identity() } else { self.times(inner) }
    }
}

impl Default for Rotation {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Images of the three local axes under a rotation, with `x` right, `y` forward and `z` up.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "m_fl2gv")]
pub struct Basis {
    /// Image of local +X.
    pub x: Vec3,
    /// Image of local +Y.
    pub y: Vec3,
    /// Image of local +Z.
    pub z: Vec3,
}

impl Basis {
    /// Converts a direction from local to world axes.
    ///
    /// Retail: `Position::localtoglobalvec` (11.4186 @ 0x00456220)
    #[doc(alias = "localtoglobalvec")]
    pub fn to_global(self, local: impl Into<Vec3>) -> Vec3 {
        let local = local.into();
        self.to_global_wide(local).as_vec3()
    }

    /// Converts a direction from world to local axes.
    ///
    /// Retail: `Position::globaltolocalvec` (11.4186 @ 0x0050C420)
    #[doc(alias = "globaltolocalvec")]
    pub fn to_local(self, global: impl Into<Vec3>) -> Vec3 {
        let global = global.into();
        self.to_local_wide(global.as_dvec3()).as_vec3()
    }

    /// Computes [`Basis::to_global`] without rounding the result, for sums that are rounded later.
    #[inline]
    pub(crate) fn to_global_wide(self, local: Vec3) -> DVec3 {
        self.x.as_dvec3() * f64::from(local.x)
            + self.y.as_dvec3() * f64::from(local.y)
            + self.z.as_dvec3() * f64::from(local.z)
    }

    /// Computes [`Basis::to_local`] without rounding the result, for sums that are rounded later.
    #[inline]
    pub(crate) fn to_local_wide(self, global: DVec3) -> DVec3 {
        DVec3::new(
            self.x.as_dvec3().dot(global),
            self.y.as_dvec3().dot(global),
            self.z.as_dvec3().dot(global),
        )
    }
}

/// The reason why four numbers are not a [`Rotation`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RotationError {
    /// A component is NaN or infinite.
    #[error("rotation.{field}: {value} is not a finite number")]
    NotFinite {
        /// `w`, `x`, `y` or `z`.
        field: &'static str,
        /// The rejected component.
        value: f32,
    },
    /// The components do not form a unit quaternion.
    #[error("rotation: [{}, {}, {}, {}] has squared length {length_squared}, not 1", .wxyz[0], .wxyz[1], .wxyz[2], .wxyz[3])]
    NotUnit {
        /// The components as given.
        wxyz: [f32; 4],
        /// Squared length of the components as given.
        length_squared: f64,
    },
}

/// Checks that every component is finite, and names the first one that is not.
#[cold]
fn check_finite(wxyz: [f32; 4]) -> Result<(), RotationError> {
    for (field, value) in ["w", "x", "y", "z"].into_iter().zip(wxyz) {
        if !value.is_finite() {
            return Err(RotationError::NotFinite { field, value });
        }
    }
    Ok(())
}

/// Returns the Hamilton product of two quaternions, without scaling.
fn hamilton([aw, ax, ay, az]: [f64; 4], [bw, bx, by, bz]: [f64; 4]) -> [f64; 4] {
    [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]
}

#[inline]
fn norm_squared([w, x, y, z]: [f64; 4]) -> f64 {
    w * w + x * x + y * y + z * z
}

/// Returns spherical weights for both ends, or `None` where the client blends linearly.
fn slerp_weights(cos: f64, part: f64) -> Option<(f64, f64)> {
    if 1.0 - cos <= f64::from(EPSILON) {
        return None;
    }
    let angle = libm::acos(cos);
    let sin = libm::sin(angle);
    let keep = libm::sin((1.0 - part) * angle) / sin;
    let take = libm::sin(part * angle) / sin;
    let fits = |weight| (0.0..=1.0).contains(&weight);
    (fits(keep) && fits(take)).then_some((keep, take))
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    /// The quick product with the identity has the bits of the whole formula.
    #[test]
    fn the_product_with_the_identity_is_the_same_as_the_formula() {
        let (mut quick, mut seed) = (0, 1u32);
        let mut draw = || {
            seed = seed.wrapping_mul(0x0019_660D).wrapping_add(0x3C6E_F35F);
            (seed >> 8) as f32 / 8_388_608.0 - 1.0
        };
        for round in 0..if cfg!(miri) { 200 } else { 200_000 } {
            let mut wxyz = [draw(), draw(), draw(), draw()];
            // Bodies mostly stand upright, and zeros have two signs.
            for (part, component) in wxyz.iter_mut().enumerate() {
                if round >> part & 1 == 1 {
                    *component = if round >> (part + 4) & 1 == 1 { 0.0 } else { -0.0 };
                }
            }
            let Ok(rotation) = Rotation::normalized(wxyz) else { continue };
            let product = rotation * Rotation::IDENTITY;
            assert!(product.is_same(rotation.times(Rotation::IDENTITY)), "{rotation:?}");
            quick += usize::from(rotation.is_exact());
        }
        assert!(quick > if cfg!(miri) { 20 } else { 20_000 }, "{quick}");
    }

    #[test]
    fn off_unit_and_non_finite_quaternions_are_refused_by_name() {
        assert_eq!(
            Rotation::new([0.5, 0.0, 0.0, 0.0]).unwrap_err().to_string(),
            "rotation: [0.5, 0, 0, 0] has squared length 0.25, not 1"
        );
        assert_eq!(
            Rotation::new([1.0, 0.0, f32::NAN, 0.0]).unwrap_err().to_string(),
            "rotation.y: NaN is not a finite number"
        );
        assert!(Rotation::normalized([0.0; 4]).is_err());
        assert!(Rotation::normalized([f32::MIN_POSITIVE, 0.0, 0.0, 0.0]).is_ok());
        assert_eq!(Rotation::normalized([f32::MAX, 0.0, 0.0, 0.0]), Ok(Rotation::IDENTITY));
    }

    #[test]
    fn the_unit_tolerance_is_on_the_square_and_generous() {
        assert!(Rotation::new([1.000_49, 0.0, 0.0, 0.0]).is_ok());
        assert!(Rotation::new([1.000_51, 0.0, 0.0, 0.0]).is_err());
    }

    #[test]
    fn headings_turn_forward_and_keep_the_rise_not_the_angle() {
        let up_45 = Rotation::IDENTITY.looking_along(Vec3::new(0.0, 1.0, 1.0));
        let turned = up_45.with_heading(Heading::EAST);
        assert!((turned.heading().degrees() - 90.0).abs() < 1e-4);
        // The sine of 45° is kept as the rise over a horizontal unit vector, and atan(0.7071) is
        // 35.26°.
        let rise = turned.basis().y.z;
        assert!((rise - 0.577_35).abs() < 1e-5, "{rise}");
    }

    #[test]
    fn local_and_global_spins_differ_on_a_tilted_body() {
        let tilted = Rotation::IDENTITY.spun_globally(Vec3::X * core::f32::consts::FRAC_PI_2);
        assert!(crate::nearly_equal(tilted.basis().y, Vec3::Z));
        let about_own_up = tilted.spun_locally(Vec3::Z * core::f32::consts::FRAC_PI_2);
        assert!(crate::nearly_equal(about_own_up.basis().y, Vec3::NEG_X));
        let about_world_up = tilted.spun_globally(Vec3::Z * core::f32::consts::FRAC_PI_2);
        assert!(crate::nearly_equal(about_world_up.basis().y, Vec3::Z));
    }

    #[test]
    fn small_or_broken_spins_change_nothing() {
        let r = Rotation::facing(Heading::WEST);
        for spin in [Vec3::ZERO, Vec3::splat(0.0001), Vec3::NAN, Vec3::INFINITY] {
            assert_eq!(r.spun_globally(spin), r);
            assert_eq!(r.looking_along(Vec3::NAN), r);
        }
    }

    #[test]
    fn blends_take_the_short_way_round_whatever_the_sign() {
        let north = Rotation::facing(Heading::NORTH);
        let east = Rotation::facing(Heading::EAST);
        let minus_east = Rotation::new(east.to_wxyz().map(|c| -c)).unwrap();
        for target in [east, minus_east] {
            assert!((north.blended(target, 0.5).heading().degrees() - 45.0).abs() < 1e-3);
            assert!((north.blended(target, 1.0).heading().degrees() - 90.0).abs() < 1e-3);
        }
        for part in [f32::NAN, f32::INFINITY, -1e38, 1e38] {
            assert!(Rotation::new(north.blended(east, part).to_wxyz()).is_ok());
        }
    }
}
