//! When. The core has no clock: every call that needs the time is given it.

use core::{
    fmt,
    ops::{Add, AddAssign, Sub},
};

/// Largest time or duration, in seconds either way: about 31,700 years.
///
/// At this distance an `f64` still tells 0.1 ms apart, and sums of two times stay finite. A safety bound: the client has none.
pub const TIME_LIMIT_SECS: f64 = 1e12;

/// A moment on the host's motion clock, in seconds.
///
/// `f64` as in the client: whole microseconds or nanoseconds would move the client's 1/30 s gate (decision 0001).
///
/// Retail: `Timer::cur_time`, compared by `CPhysics::UseTime` (11.4186 @ 0x00509950)
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct SimTime(f64);

/// A span between two moments, in seconds; may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct SimDuration(f64);

impl SimTime {
    /// Zero on the host's clock.
    pub const ZERO: Self = Self(0.0);

    /// A moment so many seconds after zero.
    ///
    /// # Errors
    /// [`InvalidTime`] when not finite, or farther from zero than [`TIME_LIMIT_SECS`].
    pub fn from_secs(secs: f64) -> Result<Self, InvalidTime> {
        check(secs).map(Self)
    }

    /// Seconds after zero.
    #[inline]
    pub const fn as_secs(self) -> f64 {
        self.0
    }
}

impl SimDuration {
    /// No time at all.
    pub const ZERO: Self = Self(0.0);

    /// A span of so many seconds.
    ///
    /// # Errors
    /// [`InvalidTime`] when not finite, or longer than [`TIME_LIMIT_SECS`] either way.
    pub fn from_secs(secs: f64) -> Result<Self, InvalidTime> {
        check(secs).map(Self)
    }

    /// Seconds.
    #[inline]
    pub const fn as_secs(self) -> f64 {
        self.0
    }
}

impl Sub for SimTime {
    type Output = SimDuration;

    #[inline]
    fn sub(self, earlier: Self) -> SimDuration {
        SimDuration(bounded(self.0 - earlier.0))
    }
}

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

impl Sub<SimDuration> for SimTime {
    type Output = Self;

    #[inline]
    fn sub(self, span: SimDuration) -> Self {
        Self(bounded(self.0 - span.0))
    }
}

impl Add for SimDuration {
    type Output = Self;

    #[inline]
    fn add(self, more: Self) -> Self {
        Self(bounded(self.0 + more.0))
    }
}

impl Sub for SimDuration {
    type Output = Self;

    #[inline]
    fn sub(self, less: Self) -> Self {
        Self(bounded(self.0 - less.0))
    }
}

/// A number of seconds that is no time.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("time: {secs} s is not a finite number within ±1e12")]
pub struct InvalidTime {
    /// As given.
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

fn check(secs: f64) -> Result<f64, InvalidTime> {
    if secs.abs() <= TIME_LIMIT_SECS { Ok(secs) } else { Err(InvalidTime { secs }) }
}

/// Sums stop at the limit, as clocks at the end of their range do.
#[inline]
fn bounded(secs: f64) -> f64 {
    secs.clamp(-TIME_LIMIT_SECS, TIME_LIMIT_SECS)
}

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
