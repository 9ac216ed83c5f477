//! The gate, which decides when bodies are stepped and by how many seconds.
//!
//! `Clock` decides whether a call of `advance` starts a round of steps. `slices` cuts the time of
//! one body into steps. `step/rounds.rs` does the stepping.
//!
//! | gate | a round is due | step of a body |
//! |---|---|---|
//! | `Shared` | 1/30 s or more after the last one | time since its own last step, in slices |
//! | `PerBody` | in every call | the same, once it is 1/30 s or more |
//! | `Fixed` | at each multiple of 1/30 s since the start | 1/30 s |
//!
//! Time comes from the host as an argument and may take any value. If it goes back, the gate starts
//! again and the call reports that. A gap of more than 2 s is dropped.

use evenstride_types::{EPSILON, SimTime, TIME_LIMIT_SECS};

use crate::config::{Gate, MAX_STEP_SECS, MIN_STEP_SECS};

/// Longest gap, in seconds, that steps make up for. A longer gap is dropped, and the body continues
/// from the present without a step.
///
/// Retail: `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
pub const LOST_TIME_SECS: f64 = 2.0;

/// Result of [`MotionWorld::advance`](crate::MotionWorld::advance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advanced {
    /// At least one round of steps was done.
    ///
    /// With [`Gate::PerBody`] every call is a round, even if no body is due yet.
    Stepped {
        /// Number of rounds. It is 1, or the number of due ticks with [`Gate::Fixed`].
        rounds: u32,
    },
    /// Less than 1/30 s has passed since the last round. Nothing was stepped.
    NotYet,
    /// Time went back, and nothing was stepped. The gate starts again from the given time.
    ///
    /// [`Gate::Shared`] compares with its last round, [`Gate::Fixed`] with its last tick, and
    /// [`Gate::PerBody`] with the last time given.
    WentBack,
    /// More than [`LOST_TIME_SECS`] was due. That time is dropped and the gate starts again.
    ///
    /// Only [`Gate::Fixed`] returns this. With the other gates each body drops its own time.
    Dropped,
}

/// The gate that all bodies share. It is saved with the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clock {
    /// Time in seconds of the last round (shared gate), or of the start of the ticks (fixed gate).
    pub(crate) base: f64,
    /// Ticks done since `base`, with the fixed gate only.
    pub(crate) ticks: u64,
    /// Time of the last call, even if that call stepped nothing.
    pub(crate) now: SimTime,
}

/// Decision of the gate about one call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Opening {
    /// Every body is stepped by the time since its own last step.
    Elapsed,
    /// Every body is stepped by 1/30 s, this many times (at least 1).
    Ticks(u32),
    /// No body is stepped, for the reason given.
    Closed(Advanced),
}

impl Clock {
    /// Starts the gate at `now`. The first round is due 1/30 s later.
    pub(crate) const fn starting_at(now: SimTime) -> Self {
        Self { base: now.as_secs(), ticks: 0, now }
    }

    /// Moves to `now` and returns the steps that are due. The time is stored even if no step is
    /// due.
    pub(crate) fn advance(&mut self, now: SimTime, gate: Gate) -> Opening {
        let went_back = now < self.now;
        self.now = now;
        match gate {
            Gate::Shared => self.advance_shared(now.as_secs()),
            Gate::PerBody if went_back => Opening::Closed(Advanced::WentBack),
            Gate::PerBody => Opening::Elapsed,
            Gate::Fixed => self.advance_fixed(now.as_secs(), went_back),
        }
    }

    /// Opens the gate once 1/30 s or more has passed since the last round, as in the client.
    ///
    /// A time before the last round restarts the gate there, and the next round is due 1/30 s
    /// later.
    fn advance_shared(&mut self, now: f64) -> Opening {
        let passed = now - self.base;
        if passed < 0.0 {
            self.base = now;
            return Opening::Closed(Advanced::WentBack);
        }
        if passed < MIN_STEP_SECS {
            return Opening::Closed(Advanced::NotYet);
        }
        self.base = now;
        Opening::Elapsed
    }

    /// Counts the ticks that are due.
    ///
    /// Restarts the gate instead if `now` lies before the last tick, or if more than 2 s are due.
    fn advance_fixed(&mut self, now: f64, went_back: bool) -> Opening {
        let due = self.ticks_due(now);
        // Going back within the present tick has no effect, because nothing was stepped since.
        if went_back && (now - self.base) * 30.0 < self.ticks as f64 {
            *self = Self { base: now, ticks: 0, now: self.now };
            return Opening::Closed(Advanced::WentBack);
        }
        let new = due.saturating_sub(self.ticks);
        if new as f64 * MIN_STEP_SECS > LOST_TIME_SECS {
            *self = Self { base: now, ticks: 0, now: self.now };
            return Opening::Closed(Advanced::Dropped);
        }
        self.ticks = self.ticks.max(due);
        if new == 0 { Opening::Closed(Advanced::NotYet) } else { Opening::Ticks(new as u32) }
    }

    /// Returns the time in seconds of the next tick at or after `secs`. Only meaningful with the
    /// fixed gate.
    pub(crate) fn next_tick(&self, secs: f64) -> f64 {
        let mut tick = (self.ticks + 1).max(self.ticks_due(secs));
        let time_of = |tick: u64| self.base + tick as f64 / 30.0;
        if time_of(tick) < secs {
            tick += 1;
        }
        let mut time = time_of(tick);
        // The sum may be rounded down to a time at which the tick is not due yet.
        while time.is_finite() && self.ticks_due(time) < tick {
            time = time.next_up();
        }
        time
    }

    /// Returns whether so much time is due at `now` that the fixed gate drops it.
    pub(crate) fn is_lost(&self, now: SimTime) -> bool {
        let new = self.ticks_due(now.as_secs()).saturating_sub(self.ticks);
        new as f64 * MIN_STEP_SECS > LOST_TIME_SECS
    }

    /// Skips ticks up to `now` in which nothing happens. `due` is the next time at which something
    /// does.
    ///
    /// The number of skipped ticks is even, because an inert item dozes in every other tick. The
    /// last tick is never skipped.
    pub(crate) fn skip_quiet(&mut self, now: SimTime, due: Option<SimTime>) {
        let last = self.ticks_due(now.as_secs());
        let busy = due.map_or(last, |due| self.ticks_due(due.as_secs()).min(last));
        self.ticks += busy.saturating_sub(self.ticks + 1) & !1;
    }

    /// Returns the position of `now` between the last tick and the next, from 0 to 1.
    ///
    /// Drawing uses it to blend the last two places of a body. Only meaningful with the fixed gate.
    pub(crate) fn part_of_tick(&self, now: SimTime) -> f32 {
        let ticks = (now.as_secs() - self.base) * 30.0 - self.ticks as f64;
        ticks.clamp(0.0, 1.0) as f32
    }

    /// Returns the time of the tick that came `before_last` ticks before the last one.
    ///
    /// A frame that catches up with several ticks handles each at its own time.
    pub(crate) fn tick_time(&self, before_last: u32) -> SimTime {
        let tick = self.ticks - u64::from(before_last);
        SimTime::from_secs(self.base + tick as f64 / 30.0).unwrap_or(self.now)
    }

    /// Returns the number of ticks that fit between the start and `now`.
    ///
    /// It is computed from the start and not accumulated, so every sequence of calls gives the same
    /// number.
    fn ticks_due(&self, now: f64) -> u64 {
        // A negative number becomes zero. The limit of `SimTime` keeps the product far below the
        // maximum.
        libm::floor((now - self.base) * 30.0) as u64
    }
}

/// Cuts the time of one body from its last step to `now` into steps of at most `max_step` seconds.
///
/// `step` gets the length of each slice and the body's time after it. If one slice is enough, it
/// may have any length above `EPSILON`. Otherwise a remainder of 1/30 s or less waits for the next
/// call. `updated` becomes the time up to which the body has been stepped.
///
/// Retail: `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
#[inline(always)]
pub(crate) fn slices(now: f64, updated: &mut f64, max_step: f64, mut step: impl FnMut(f32, f64)) -> Sliced {
    let mut left = now - *updated;
    if left <= f64::from(EPSILON) {
        *updated = now;
        return Sliced::Nothing;
    }
    if left > LOST_TIME_SECS {
        *updated = now;
        return Sliced::Dropped;
    }
    let mut clock = *updated;
    let mut is_first = true;
    loop {
        let is_last = left <= max_step;
        if is_last && !is_first && left <= MIN_STEP_SECS {
            break;
        }
        let secs = if is_last { left } else { max_step };
        // Far from zero the sum is rounded, and must not leave the range of a time.
        clock = (clock + secs).min(TIME_LIMIT_SECS);
        step(secs as f32, clock);
        if is_last {
            break;
        }
        left -= max_step;
        is_first = false;
    }
    *updated = clock;
    Sliced::Stepped
}

/// Limits the longest step, in seconds, to the range from 1/30 s to 2 s.
///
/// Within that range a body needs at most 60 slices to catch up. NaN becomes the client's 0.2 s.
pub(crate) fn checked_max_step(secs: f64) -> f64 {
    if secs.is_nan() { MAX_STEP_SECS } else { secs.clamp(MIN_STEP_SECS, LOST_TIME_SECS) }
}

/// Result of slicing the time of one body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sliced {
    /// At least one slice was stepped.
    Stepped,
    /// At most `EPSILON` seconds passed, or time went back. The body continues from the present.
    Nothing,
    /// More than [`LOST_TIME_SECS`] passed. The body continues from the present.
    Dropped,
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};

    use super::*;

    fn at(secs: f64) -> SimTime {
        SimTime::from_secs(secs).unwrap()
    }

    fn slice(from: f64, to: f64) -> (Vec<f32>, f64) {
        let (mut lengths, mut updated) = (Vec::new(), from);
        slices(to, &mut updated, MAX_STEP_SECS, |q, _| lengths.push(q));
        (lengths, updated)
    }

    #[test]
    fn long_gaps_are_cut_and_small_remainders_wait() {
        assert_eq!(slice(0.0, 0.1), (vec![0.1], 0.1));
        assert_eq!(slice(0.0, 0.2), (vec![0.2], 0.2));
        let (lengths, updated) = slice(0.0, 0.41);
        assert_eq!(lengths, [0.2, 0.2]);
        assert_eq!(updated, 0.4);
        assert_eq!(slice(0.0, 0.45).0.len(), 3);
        assert_eq!(slice(0.0, 2.5), (vec![], 2.5));
        assert_eq!(slice(0.0, 0.0001), (vec![], 0.0001));
        assert_eq!(slice(5.0, 4.0), (vec![], 4.0));
    }

    #[test]
    fn the_fixed_gate_counts_the_same_ticks_at_any_frame_rate() {
        for fps in [24.0_f64, 30.0, 59.94, 144.0, 1000.0] {
            let mut clock = Clock::starting_at(at(100.0));
            let mut rounds = 0;
            let mut frame = 0.0;
            while frame / fps < 7.0 {
                frame += 1.0;
                if let Opening::Ticks(new) = clock.advance(at(100.0 + (frame / fps).min(7.0)), Gate::Fixed) {
                    rounds += new;
                }
            }
            assert_eq!(rounds, 210, "{fps}");
        }
    }

    #[test]
    fn time_that_goes_back_or_leaps_is_an_answer() {
        let mut clock = Clock::starting_at(at(10.0));
        assert_eq!(clock.advance(at(9.0), Gate::Shared), Opening::Closed(Advanced::WentBack));
        assert_eq!(clock.advance(at(9.01), Gate::Shared), Opening::Closed(Advanced::NotYet));
        assert_eq!(clock.advance(at(9.04), Gate::Shared), Opening::Elapsed);
        let mut clock = Clock::starting_at(at(10.0));
        assert_eq!(clock.advance(at(13.0), Gate::Fixed), Opening::Closed(Advanced::Dropped));
        assert_eq!(clock.advance(at(13.11), Gate::Fixed), Opening::Ticks(3));
        assert_eq!(clock.advance(at(13.105), Gate::Fixed), Opening::Closed(Advanced::NotYet));
        assert_eq!(clock.advance(at(12.0), Gate::Fixed), Opening::Closed(Advanced::WentBack));
        assert_eq!(clock.advance(at(12.04), Gate::Fixed), Opening::Ticks(1));
        // No tick was done since the start, and the time still lies before it.
        let mut clock = Clock::starting_at(at(10.0));
        assert_eq!(clock.advance(at(9.0), Gate::Fixed), Opening::Closed(Advanced::WentBack));
    }
}
