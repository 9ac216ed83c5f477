//! Compass directions on the map.
//!
//! A heading ignores pitch and roll. `rotation.rs` converts between headings and full rotations.

use core::fmt;

use glam::{DVec3, Vec3};

use crate::vector::unit_vector;

/// A direction on the map in degrees, with 0 = north (+Y), 90 = east (+X), clockwise seen from
/// above.
///
/// The value is always at least 0 and below 360, and never −0.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f32", into = "f32"))]
pub struct Heading(f32);

impl Heading {
    /// Along +Y, which is where the identity rotation faces.
    pub const NORTH: Self = Self(0.0);
    /// Along +X.
    pub const EAST: Self = Self(90.0);
    /// Along −Y.
    pub const SOUTH: Self = Self(180.0);
    /// Along −X.
    pub const WEST: Self = Self(270.0);

    /// Makes a heading from degrees clockwise from north. Whole turns are removed.
    ///
    /// # Errors
    /// [`HeadingError`] if `degrees` is not finite.
    pub fn from_degrees(degrees: f32) -> Result<Self, HeadingError> {
        if !degrees.is_finite() {
            return Err(HeadingError { degrees });
        }
        Ok(Self::wrapped(f64::from(degrees)))
    }

    /// Returns the heading of the horizontal part of a vector, or `None` if that part is shorter
    /// than [`EPSILON`](crate::EPSILON) or not finite.
    pub fn of_direction(direction: impl Into<Vec3>) -> Option<Self> {
        let flat = direction.into().with_z(0.0);
        unit_vector(flat).filter(|_| flat.is_finite()).map(|unit| Self::of_components(unit.as_dvec3()))
    }

    /// Returns the heading in degrees clockwise from north, at least 0 and below 360.
    pub const fn degrees(self) -> f32 {
        self.0
    }

    /// Returns the horizontal unit vector in this direction.
    pub fn direction(self) -> Vec3 {
        let (sin, cos) = libm::sincos(f64::from(self.0).to_radians());
        DVec3::new(sin, cos, 0.0).as_vec3()
    }

    /// Returns the signed turn from here to `other` in degrees. Clockwise is positive, and the
    /// result is above −180 and at most 180.
    pub fn turn_to(self, other: Self) -> f32 {
        let turn = other.0 - self.0;
        if turn > 180.0 {
            turn - 360.0
        } else if turn <= -180.0 {
            turn + 360.0
        } else {
            turn
        }
    }

    /// Returns the heading of a vector of any length, from its x and y alone. A vector without x
    /// and y gives east, as `atan2` decides.
    pub(crate) fn of_components(v: DVec3) -> Self {
        Self::wrapped(Self::degrees_of(v))
    }

    /// Returns the degrees of [`Self::of_components`] before they are rounded for storage.
    ///
    /// Retail: `Frame::get_heading` (11.4186 @ 0x00535760)
    pub(crate) fn degrees_of(v: DVec3) -> f64 {
        libm::fmod(450.0 - libm::atan2(v.y, v.x).to_degrees(), 360.0)
    }

    /// Brings degrees into range. The argument must be finite.
    fn wrapped(degrees: f64) -> Self {
        let within = libm::fmod(degrees, 360.0);
        let positive = if within < 0.0 { within + 360.0 } else { within };
        // Rounding to `f32` can reach a full turn, and −0.0 would be a second north.
        let rounded = positive as f32;
        Self(if rounded >= 360.0 || rounded == 0.0 { 0.0 } else { rounded })
    }
}

/// The number given for a heading is not finite.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("heading: {degrees} degrees is not a finite number")]
pub struct HeadingError {
    /// The rejected number.
    pub degrees: f32,
}

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.precision() {
            Some(digits) => write!(f, "{:.digits$}°", self.0),
            None => write!(f, "{}°", self.0),
        }
    }
}

impl fmt::Debug for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Heading({}°)", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compass_is_clockwise_from_north() {
        for (direction, heading) in [
            (Vec3::Y, Heading::NORTH),
            (Vec3::X, Heading::EAST),
            (Vec3::NEG_Y, Heading::SOUTH),
            (Vec3::NEG_X, Heading::WEST),
        ] {
            assert_eq!(Heading::of_direction(direction), Some(heading));
            assert!(crate::nearly_equal(heading.direction(), direction));
        }
        assert_eq!(Heading::of_direction(Vec3::Z), None);
    }

    #[test]
    fn an_infinite_vector_has_no_heading_instead_of_nan_degrees() {
        for endless in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            for direction in
                [Vec3::new(endless, 1.0, 0.0), Vec3::new(1.0, endless, 0.0), Vec3::splat(endless)]
            {
                assert_eq!(Heading::of_direction(direction), None, "{direction}");
            }
            // The height does not matter.
            assert_eq!(Heading::of_direction(Vec3::Y.with_z(endless)), Some(Heading::NORTH));
        }
        assert_eq!(Heading::of_direction(Vec3::X * f32::MAX), Some(Heading::EAST));
    }

    #[test]
    fn any_number_of_turns_is_taken_off() {
        let degrees = |d| Heading::from_degrees(d).unwrap().degrees();
        assert_eq!(degrees(640.5), 280.5);
        assert_eq!(degrees(-90.0), 270.0);
        assert_eq!(degrees(-1e-20), 0.0);
        assert_eq!(degrees(360.0), 0.0);
        assert!(Heading::from_degrees(f32::NAN).is_err());
        assert!(Heading::from_degrees(f32::INFINITY).is_err());
    }

    #[test]
    fn turns_take_the_short_way() {
        let at = |d| Heading::from_degrees(d).unwrap();
        assert_eq!(at(350.0).turn_to(at(10.0)), 20.0);
        assert_eq!(at(10.0).turn_to(at(350.0)), -20.0);
        assert_eq!(at(0.0).turn_to(at(180.0)), 180.0);
        assert_eq!(at(180.0).turn_to(at(0.0)), 180.0);
    }
}
