//! Small vector questions, asked the way the client asks them.

use glam::{DVec3, Vec3};

/// What the client calls no difference: 0.2 mm, or as much of anything else.
///
/// Retail: `F_EPSILON`, read by `Vector3::normalize_check_small` (11.4186 @ 0x00452460)
#[doc(alias = "F_EPSILON")]
pub const EPSILON: f32 = 0.0002;

/// Length of a vector.
#[inline]
pub fn length(v: Vec3) -> f64 {
    libm::sqrt(length_squared(v))
}

/// Square of the length of a vector.
#[inline]
pub fn length_squared(v: Vec3) -> f64 {
    let v = v.as_dvec3();
    v.dot(v)
}

/// The vector scaled to length 1, or `None` if it is shorter than [`EPSILON`].
///
/// Retail: `Vector3::normalize_check_small` (11.4186 @ 0x00452460)
#[doc(alias = "normalize_check_small")]
pub fn unit_vector(v: Vec3) -> Option<Vec3> {
    wide_unit_vector(v.as_dvec3()).map(|unit| unit.as_vec3())
}

/// Whether every component is smaller than [`EPSILON`].
///
/// Retail: `Vector3::is_zero` (11.4186 @ 0x0050E7B0)
#[inline]
pub fn is_nearly_zero(v: Vec3) -> bool {
    v.to_array().into_iter().all(|c| c.abs() < EPSILON)
}

/// Whether no component differs by more than [`EPSILON`].
///
/// Retail: `Vector3::operator!=` (11.4186 @ 0x0045F9F0)
#[inline]
pub fn nearly_equal(a: Vec3, b: Vec3) -> bool {
    // Numbers this close subtract without rounding, so f32 decides like f64.
    (a - b).to_array().into_iter().all(|c| c.abs() <= EPSILON)
}

/// [`unit_vector`] before it is rounded for storage.
#[inline]
pub(crate) fn wide_unit_vector(v: DVec3) -> Option<DVec3> {
    let length = libm::sqrt(v.dot(v));
    // Written so that NaN is small too.
    (length >= f64::from(EPSILON)).then(|| v / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_epsilon_has_the_clients_bits() {
        assert_eq!(EPSILON.to_bits(), 0x3951_B717);
    }

    #[test]
    fn short_vectors_have_no_direction() {
        assert_eq!(unit_vector(Vec3::new(0.0001, 0.0, 0.0)), None);
        assert_eq!(unit_vector(Vec3::new(EPSILON, 0.0, 0.0)), Some(Vec3::X));
        assert_eq!(unit_vector(Vec3::NAN), None);
    }

    #[test]
    fn zero_is_strict_and_equality_is_not() {
        assert!(!is_nearly_zero(Vec3::new(EPSILON, 0.0, 0.0)));
        assert!(nearly_equal(Vec3::new(EPSILON, 0.0, 0.0), Vec3::ZERO));
    }
}
