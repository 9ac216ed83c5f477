//! Seconds that people can type.

/// Times at or above this are dates: seconds since 1970. Below, they count from the start of a recording already.
const DATES_FROM: f64 = 1e8;

/// Turns the times of captures into seconds since the first of them began.
///
/// Packet captures have dates; those count from the first one seen, so that several captures of one machine stay in step. Recordings that
/// count from their own start are left as they are.
///
/// ```
/// let mut timeline = evenstride_capture::Timeline::default();
/// assert_eq!(timeline.seconds(1_763_490_241.5), 0.0);
/// assert_eq!(timeline.seconds(1_763_490_243.0), 1.5);
/// assert_eq!(timeline.seconds(33.555), 33.555);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timeline {
    start: Option<f64>,
}

impl Timeline {
    /// Seconds since the start.
    pub fn seconds(&mut self, time: f64) -> f64 {
        if time < DATES_FROM { time } else { time - *self.start.get_or_insert(time) }
    }

    /// The date of second 0, if there are dates.
    pub const fn start(&self) -> Option<f64> {
        self.start
    }
}
