//! When bodies are stepped, and by how much.

use evenstride_types::{EPSILON, SimTime};

use crate::config::{Gate, MAX_STEP_SECS, MIN_STEP_SECS};

/// Gaps longer than this are not caught up with: the body stays where it is and goes on from now.
///
/// Retail: `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
pub const LOST_TIME_SECS: f64 = 2.0;

/// What [`MotionWorld::advance`](crate::MotionWorld::advance) did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advanced {
    /// Bodies were stepped, this many times.
    Stepped {
        /// Rounds over all bodies: one, or with [`Gate::Fixed`] as many as fitted.
        rounds: u32,
    },
    /// Less than a step has passed.
    NotYet,
    /// The time given lies before the last one: the gate starts again from there.
    WentBack,
    /// More time passed than is caught up with; it is dropped and the gate starts again.
    Dropped,
}

/// The gate that all bodies share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clock {
    /// Shared gate: when it last opened. Fixed gate: the start of its ticks.
    pub(crate) base: f64,
    /// Fixed gate: ticks done since `base`.
    pub(crate) ticks: u64,
    /// The latest time heard of.
    pub(crate) now: SimTime,
}

/// What the gate lets through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Opening {
    /// Step every body by the time since its own last step.
    Elapsed,
    /// Step every body by 1/30 s, so many times.
    Ticks(u32),
    Closed(Advanced),
}

impl Clock {
    pub(crate) const fn starting_at(now: SimTime) -> Self {
        Self { base: now.as_secs(), ticks: 0, now }
    }

    /// Moves to `now` and says what is to be stepped.
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

    fn advance_fixed(&mut self, now: f64, went_back: bool) -> Opening {
        let due = self.ticks_due(now);
        // Back within the present tick is of no account: nothing was stepped since.
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

    /// How far `now` lies between the last tick and the next: 0 at the tick, 1 at the next. Fixed gate only.
    pub(crate) fn part_of_tick(&self, now: SimTime) -> f32 {
        let ticks = (now.as_secs() - self.base) * 30.0 - self.ticks as f64;
        ticks.clamp(0.0, 1.0) as f32
    }

    /// When the tick was that came so many before the last one.
    pub(crate) fn tick_time(&self, before_last: u32) -> SimTime {
        let tick = self.ticks - u64::from(before_last);
        SimTime::from_secs(self.base + tick as f64 / 30.0).unwrap_or(self.now)
    }

    /// Ticks that fit between the start and `now`. Counted from the start, never added up: any sequence of calls agrees.
    fn ticks_due(&self, now: f64) -> u64 {
        // Saturates at zero below; the time limit keeps it far from the top.
        libm::floor((now - self.base) * 30.0) as u64
    }
}

/// Steps one body from its own last step to now, in slices; `step` is given each slice's length and the body's time after it.
///
/// What remains below 1/30 s after slicing is left for the next time.
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
        clock += secs;
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

/// The longest step, brought into the range in which slicing comes to an end in good time.
pub(crate) fn checked_max_step(secs: f64) -> f64 {
    if secs.is_nan() { MAX_STEP_SECS } else { secs.clamp(MIN_STEP_SECS, LOST_TIME_SECS) }
}

/// What became of a body's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sliced {
    Stepped,
    Nothing,
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
        // Just started, so no tick was done yet: still back.
        let mut clock = Clock::starting_at(at(10.0));
        assert_eq!(clock.advance(at(9.0), Gate::Fixed), Opening::Closed(Advanced::WentBack));
    }
}
