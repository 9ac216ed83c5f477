//! Moments and durations in seconds.
//!
//! The core has no clock. The host passes the time to every call that needs it, in seconds of any
//! clock. Sums stop at a limit instead of overflowing, so arithmetic here never fails.

use core::{
    fmt,
    ops::{Add, AddAssign, Sub},
};

/// Largest absolute time or duration in seconds, which is about 31,700 years.
///
/// At this distance an `f64` still resolves 0.1 ms, and sums of two times stay finite. It is a
/// safety bound (S6 in `docs/safety-bounds.md`), and the client has none.
pub const TIME_LIMIT_SECS: f64 = 1e12;

/// A moment on the host's motion clock, in seconds.
///
/// It is an `f64` as in the client. Rounding to whole microseconds or nanoseconds would change
/// which steps are due under the client's 1/30 s rule (decision 0001 in `docs/decisions`).
///
/// Retail: `Timer::cur_time`, compared by `CPhysics::UseTime` (11.4186 @ 0x00509950)
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
pub struct SimTime(f64);

/// A span between two moments in seconds. It may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
pub struct SimDuration(f64);

impl SimTime {
    /// Zero on the host's clock.
    pub const ZERO: Self = Self(0.0);

    /// Makes the moment `secs` seconds after zero.
    ///
    /// # Errors
    /// [`TimeError`] if `secs` is not finite, or farther from zero than [`TIME_LIMIT_SECS`].
    pub fn from_secs(secs: f64) -> Result<Self, TimeError> {
        check(secs).map(Self)
    }

    /// Returns the moment in seconds after zero.
    #[inline]
    pub const fn as_secs(self) -> f64 {
        self.0
    }
}

impl SimDuration {
    /// A span of no time.
    pub const ZERO: Self = Self(0.0);

    /// Makes a span of `secs` seconds.
    ///
    /// # Errors
    /// [`TimeError`] if `secs` is not finite, or longer than [`TIME_LIMIT_SECS`] either way.
    pub fn from_secs(secs: f64) -> Result<Self, TimeError> {
        check(secs).map(Self)
    }

    /// Returns the length of the span in seconds.
    #[inline]
    pub const fn as_secs(self) -> f64 {
        self.0
    }
}

/// Returns the span since an earlier moment, clamped to the limit. It is negative if `earlier` lies
/// later.
impl Sub for SimTime {
    type Output = SimDuration;

    #[inline]
    fn sub(self, earlier: Self) -> SimDuration {
        SimDuration(bounded(self.0 - earlier.0))
    }
}

/// Returns the moment after a span, clamped to the limit.
impl Add<SimDuration> for SimTime {
    type Output = Self;

    #[inline]
    fn add(self, span: SimDuration) -> Self {
        Self(bounded(self.0 + span.0))
    }
}

impl AddAssign<SimDuration> for SimTime {
    fn add_assign(&mut self, span: SimDuration) {
        *self = *self + span;
    }
}

/// Returns the moment before a span, clamped to the limit.
impl Sub<SimDuration> for SimTime {
    type Output = Self;

    #[inline]
    fn sub(self, span: SimDuration) -> Self {
        Self(bounded(self.0 - span.0))
    }
}

/// Returns the sum of two spans, clamped to the limit.
impl Add for SimDuration {
    type Output = Self;

    #[inline]
    fn add(self, more: Self) -> Self {
        Self(bounded(self.0 + more.0))
    }
}

/// Returns the difference of two spans, clamped to the limit.
impl Sub for SimDuration {
    type Output = Self;

    #[inline]
    fn sub(self, less: Self) -> Self {
        Self(bounded(self.0 - less.0))
    }
}

/// A number of seconds that is not finite or beyond the limit.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("time: {secs} s is not a finite number within ±1e12")]
pub struct TimeError {
    /// The rejected number.
    pub secs: f64,
}

impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        seconds(self.0, f)
    }
}

impl fmt::Display for SimDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        seconds(self.0, f)
    }
}

/// Checks the limit. NaN fails the comparison.
fn check(secs: f64) -> Result<f64, TimeError> {
    if secs.abs() <= TIME_LIMIT_SECS { Ok(secs) } else { Err(TimeError { secs }) }
}

/// Clamps a sum to the limit.
#[inline]
fn bounded(secs: f64) -> f64 {
    secs.clamp(-TIME_LIMIT_SECS, TIME_LIMIT_SECS)
}

/// Writes seconds with their unit, and respects a requested precision.
fn seconds(secs: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match f.precision() {
        Some(digits) => write!(f, "{secs:.digits$} s"),
        None => write!(f, "{secs} s"),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn times_that_are_none_are_refused() {
        for secs in [f64::NAN, f64::INFINITY, -1.1e12] {
            assert!(SimTime::from_secs(secs).is_err());
            assert!(SimDuration::from_secs(secs).is_err());
        }
        assert_eq!(
            SimTime::from_secs(f64::NAN).unwrap_err().to_string(),
            "time: NaN s is not a finite number within ±1e12"
        );
    }

    #[test]
    fn a_thirtieth_survives_being_added_and_taken_away() {
        let thirtieth = SimDuration::from_secs(1.0 / 30.0).unwrap();
        let start = SimTime::from_secs(302_580_800.730_2).unwrap();
        assert_eq!((start + thirtieth) - thirtieth, start);
        assert_eq!(format_args!("{thirtieth:.3}").to_string(), "0.033 s");
    }

    #[test]
    fn sums_stop_at_the_limit() {
        let end = SimTime::from_secs(TIME_LIMIT_SECS).unwrap();
        let span = SimDuration::from_secs(TIME_LIMIT_SECS).unwrap();
        assert_eq!(end + span, end);
        assert_eq!((SimTime::ZERO - span) - end, SimDuration::from_secs(-TIME_LIMIT_SECS).unwrap());
    }
}
