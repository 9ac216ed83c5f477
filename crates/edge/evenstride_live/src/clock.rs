//! Time that never goes back, and its date.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Seconds since the start of a run. Its dates do not leap when the clock of the machine is set.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    unix_start: f64,
}

impl Clock {
    /// Starts at 0.
    pub fn start() -> Self {
        let unix_start =
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
        Self { start: Instant::now(), unix_start }
    }

    /// Returns the seconds since the start.
    pub fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Returns the date of a time, in seconds since 1970.
    pub fn unix(&self, time: f64) -> f64 {
        self.unix_start + time
    }
}
