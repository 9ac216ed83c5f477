//! Small functions on vectors, with the client's tolerances.
//!
//! Lengths are computed in `f64` from `f32` components, as the client's FPU did.

use core::cmp::Ordering;

use glam::{DVec3, Vec3};

/// The client's tolerance for equality, which is 0.2 mm, or 0.0002 of any other unit.
///
/// Retail: `F_EPSILON`, read by `Vector3::normalize_check_small` (11.4186 @ 0x00452460)
#[doc(alias = "F_EPSILON")]
pub const EPSILON: f32 = 0.0002;

/// Returns the length of a vector.
#[inline(always)]
pub fn length(v: Vec3) -> f64 {
    libm::sqrt(length_squared(v))
}

/// Returns the squared length of a vector.
#[inline(always)]
pub fn length_squared(v: Vec3) -> f64 {
    let v = v.as_dvec3();
    v.dot(v)
}

/// Compares the length of a vector with `limit`. The result is the same as with [`length`], but
/// rarely needs a square root.
///
/// `limit` must be finite and not negative. A vector that is not finite is longer than every limit.
#[inline]
pub fn compare_length(v: Vec3, limit: f32) -> Ordering {
    let (squared, limit) = (length_squared(v), f64::from(limit));
    let limit_squared = limit * limit;
    let apart = squared - limit_squared;
    // This close to the limit, rounding of the squares could decide the result. The roots are
    // compared instead.
    let order = if apart.abs() > limit_squared * 1e-9 {
        apart.partial_cmp(&0.0)
    } else {
        libm::sqrt(squared).partial_cmp(&limit)
    };
    order.unwrap_or(Ordering::Greater)
}

/// Returns the vector scaled to length 1, or `None` if it is shorter than [`EPSILON`] or NaN.
/// Infinite components become NaN.
///
/// Retail: `Vector3::normalize_check_small` (11.4186 @ 0x00452460)
#[doc(alias = "normalize_check_small")]
pub fn unit_vector(v: Vec3) -> Option<Vec3> {
    wide_unit_vector(v.as_dvec3()).map(|unit| unit.as_vec3())
}

/// Returns whether the absolute value of every component is below [`EPSILON`].
///
/// Retail: `Vector3::is_zero` (11.4186 @ 0x0050E7B0)
#[inline]
pub fn is_nearly_zero(v: Vec3) -> bool {
    v.to_array().into_iter().all(|c| c.abs() < EPSILON)
}

/// Returns whether no component differs by more than [`EPSILON`]. Unlike in [`is_nearly_zero`], a
/// difference of exactly the tolerance is accepted.
///
/// Retail: `Vector3::operator!=` (11.4186 @ 0x0045F9F0)
#[inline(always)]
pub fn nearly_equal(a: Vec3, b: Vec3) -> bool {
    // Numbers this close subtract without rounding, so `f32` decides like `f64`.
    (a - b).to_array().into_iter().all(|c| c.abs() <= EPSILON)
}

/// Returns the result of [`unit_vector`] before it is rounded for storage.
#[inline]
pub(crate) fn wide_unit_vector(v: DVec3) -> Option<DVec3> {
    let length = libm::sqrt(v.dot(v));
    // Written so that NaN counts as short too.
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
    fn comparing_without_a_root_agrees_with_comparing_roots() {
        for limit in [0.05, 0.2, 20.0, 96.0, 100.0f32] {
            for ulps in -40..=40i32 {
                let x = f32::from_bits(limit.to_bits().wrapping_add_signed(ulps));
                for v in
                    [Vec3::new(x, 0.0, 0.0), Vec3::new(0.6 * x, 0.0, -0.8 * x), Vec3::splat(x / 1.732_050_8)]
                {
                    let expected = length(v).partial_cmp(&f64::from(limit)).unwrap();
                    assert_eq!(compare_length(v, limit), expected, "{v} against {limit}");
                }
            }
        }
        assert_eq!(compare_length(Vec3::NAN, 1.0), Ordering::Greater);
        assert_eq!(compare_length(Vec3::INFINITY, 1.0), Ordering::Greater);
    }

    #[test]
    fn zero_is_strict_and_equality_is_not() {
        assert!(!is_nearly_zero(Vec3::new(EPSILON, 0.0, 0.0)));
        assert!(nearly_equal(Vec3::new(EPSILON, 0.0, 0.0), Vec3::ZERO));
    }
}
