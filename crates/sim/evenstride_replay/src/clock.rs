//! The times of messages on a recording's clock. Times never decrease, and no message is lost to a
//! wrong time.

use evenstride_capture::{Place, Timeline};

/// Step back in seconds beyond which the clock was set back. Smaller steps back mean swapped
/// packets.
const SET_BACK_SECS: f64 = 1.0;

/// Step forward in seconds beyond which the clock has leapt. The next message may show that the
/// leap was a mistake.
const LEAP_SECS: f64 = 3_600.0;

/// Largest time in seconds between two messages with the same wrong date.
const MAX_STRAY_SECS: f64 = 1e6;

/// State of the conversion from captured times to seconds on the recording's clock, between two messages.
/// Messages keep their order, regardless of their times.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    last: Option<f64>,
    shift: f64,
    /// The time before the last message, if the last message was far ahead of it.
    leap: Option<f64>,
    /// The last captured time, if it was of another clock than those of most packets.
    stray: Option<f64>,
}

/// Times in seconds on the recording's clock.
pub(crate) struct SetTime {
    /// Time of the message.
    pub(crate) time: f64,
    /// Time of the message before, if its own was wrong.
    pub(crate) before: Option<f64>,
}

impl Clock {
    /// Returns the time of the next message.
    pub(crate) fn set(
        &mut self,
        captured: f64,
        place: Place,
        timeline: &Timeline,
        note: &mut impl FnMut(Place, String),
    ) -> SetTime {
        let time = match self.stray_time(captured, timeline) {
            None => timeline.seconds(captured),
            Some((time, odd)) => {
                odd.into_iter().for_each(|odd| note(place, odd));
                time - self.shift
            }
        };
        let mut time = time + self.shift;
        let mut corrected = None;
        let leap = self.leap.take();
        if let Some(last) = self.last {
            if time < last - SET_BACK_SECS {
                match leap {
                    // The message before was ahead of both its neighbours, so its time is wrong and
                    // the clock is right.
                    Some(before) if time >= before - SET_BACK_SECS => {
                        let late = last - before;
                        note(place, format!("the time of the packet before it is {late:.0} s too late"));
                        self.last = Some(before);
                        corrected = Some(before);
                    }
                    _ => {
                        note(place, format!("the clock went back by {:.3} s", last - time));
                        self.shift += last - time;
                        time = last;
                    }
                }
            } else if time > last + LEAP_SECS {
                self.leap = Some(last);
            }
        }
        let time = time.max(self.last.unwrap_or(f64::NEG_INFINITY));
        self.last = Some(time);
        SetTime { time, before: corrected }
    }

    /// Returns whether the last message is far ahead of the one before. The next message tells whether its
    /// time is wrong.
    pub(crate) const fn has_leapt(&self) -> bool {
        self.leap.is_some()
    }

    /// Returns the time that a message would have if it were captured at this time and came now. A time far
    /// ahead may be wrong, so it moves nothing on. `None` before the first message.
    pub(crate) fn peek(&self, captured: f64, timeline: &Timeline) -> Option<f64> {
        let last = self.last?;
        let mut ahead = self.clone();
        let time = ahead.set(captured, Place::Line(0), timeline, &mut |_, _| {}).time;
        Some(if ahead.has_leapt() { last } else { time })
    }

    /// Returns the time of a message whose date is far from those of most packets, and a description
    /// of the problem. It follows the message before. Returns `None` for any other message.
    fn stray_time(&mut self, captured: f64, timeline: &Timeline) -> Option<(f64, Option<String>)> {
        if timeline.is_usual(captured) {
            self.stray = None;
            return None;
        }
        let start = || timeline.span().map_or(0.0, |(first, _)| first);
        let last = self.last.unwrap_or_else(start);
        let before = self.stray.replace(captured);
        let odd = (before != Some(captured))
            .then(|| format!("its time {captured:.0} s is far from that of most packets and is not used"));
        // Messages of one wrong clock keep their distance.
        let since = before.map_or(0.0, |before| captured - before);
        Some((last + if (0.0..MAX_STRAY_SECS).contains(&since) { since } else { 0.0 }, odd))
    }
}
