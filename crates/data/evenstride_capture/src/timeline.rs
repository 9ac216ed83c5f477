//! Converts capture times to short numbers of seconds.

/// Times from this value on are dates, in seconds since 1970. Smaller times count from the start of
/// a recording.
const DATES_FROM: f64 = 1e8;

/// Largest plausible time between two packets of one capture, in seconds. It is about a year.
const MAX_APART_SECS: f64 = 33_554_432.0;

/// Largest time in seconds between the starts of two captures that share one time zero.
const MAX_BETWEEN_CAPTURES_SECS: f64 = 1e9;

/// Largest number of clocks that a capture may have had. Packets of further ones are strays.
const MAX_CLOCKS: usize = 8;

/// Converts the times of captures to seconds from the start of the first one.
///
/// Packet captures contain dates. They are counted from the first date seen, so that several
/// captures of one machine stay in step. Times of recordings that count from their own start stay
/// unchanged.
///
/// A damaged packet may have any date. The clock of a capture is therefore the one that most of its
/// packets agree on, within a year, and not that of the first packet.
///
/// ```
/// let mut timeline = evenstride_capture::Timeline::default();
/// [4_294_967_295.0, 1_763_490_241.5, 1_763_490_243.0].map(|time| timeline.note(time));
/// assert_eq!(timeline.seconds(1_763_490_241.5), 0.0);
/// assert_eq!(timeline.seconds(1_763_490_243.0), 1.5);
/// assert!(!timeline.is_usual(4_294_967_295.0));
///
/// let mut timeline = timeline.for_next_capture();
/// timeline.note(33.555);
/// assert_eq!(timeline.seconds(33.555), 33.555);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Second 0 of earlier captures.
    shared_start: Option<f64>,
    clocks: [Clock; MAX_CLOCKS],
}

/// Packets whose times agree within a year.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Clock {
    packets: u64,
    /// Time of the first packet in the order of the capture.
    first: f64,
    earliest: f64,
    latest: f64,
}

impl Timeline {
    /// Notes the time of a packet.
    pub fn note(&mut self, time: f64) {
        let clock = self.clocks.iter_mut().find(|clock| clock.packets == 0 || clock.has(time));
        let Some(clock) = clock.filter(|_| time.is_finite()) else { return };
        if clock.packets == 0 {
            *clock = Clock { packets: 0, first: time, earliest: time, latest: time };
        }
        clock.packets += 1;
        clock.earliest = clock.earliest.min(time);
        clock.latest = clock.latest.max(time);
    }

    /// Converts a time to seconds from the start.
    pub fn seconds(&self, time: f64) -> f64 {
        match self.start() {
            Some(start) if is_date(time) => time - start,
            _ => time,
        }
    }

    /// Returns whether a time is of the clock that most packets noted so far agree on.
    pub fn is_usual(&self, time: f64) -> bool {
        self.clock().is_none_or(|clock| clock.has(time))
    }

    /// Returns the earliest and the latest time of that clock in seconds, or `None` before the first
    /// packet.
    pub fn span(&self) -> Option<(f64, f64)> {
        let clock = self.clock()?;
        Some((self.seconds(clock.earliest), self.seconds(clock.latest)))
    }

    /// Returns the date of second 0 in seconds since 1970, or `None` if no time was a date.
    ///
    /// It is that of the captures before, unless their dates are decades away.
    pub fn start(&self) -> Option<f64> {
        let own = self.clock().map(|clock| clock.first).filter(|first| is_date(*first));
        match (own, self.shared_start) {
            (Some(own), Some(shared)) if (own - shared).abs() > MAX_BETWEEN_CAPTURES_SECS => Some(own),
            (own, shared) => shared.or(own),
        }
    }

    /// Returns the timeline for the next capture. It has the same second 0, and a clock of its own.
    #[must_use]
    pub fn for_next_capture(&self) -> Self {
        Self { shared_start: self.shared_start.or(self.start()), ..Self::default() }
    }

    fn clock(&self) -> Option<&Clock> {
        // The first of several with the same number of packets.
        self.clocks.iter().rev().max_by_key(|clock| clock.packets).filter(|clock| clock.packets > 0)
    }
}

impl Clock {
    fn has(&self, time: f64) -> bool {
        (time - self.first).abs() < MAX_APART_SECS
    }
}

fn is_date(time: f64) -> bool {
    time.abs() >= DATES_FROM
}
