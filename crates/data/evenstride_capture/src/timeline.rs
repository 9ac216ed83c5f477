//! Converts capture times to short numbers of seconds.

/// Times from this value on are dates, in seconds since 1970. Smaller times count from the start of
/// a recording.
const DATES_FROM: f64 = 1e8;

/// Converts the times of captures to seconds from the start of the first one.
///
/// Packet captures contain dates. They are counted from the first date seen, so that several
/// captures of one machine stay in step. Times of recordings that count from their own start stay
/// unchanged.
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
    /// Converts a time to seconds from the start.
    pub fn seconds(&mut self, time: f64) -> f64 {
        if time < DATES_FROM { time } else { time - *self.start.get_or_insert(time) }
    }

    /// Returns the date of second 0 in seconds since 1970, or `None` if no time was a date.
    pub const fn start(&self) -> Option<f64> {
        self.start
    }
}
