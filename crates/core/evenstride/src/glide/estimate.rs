//! The velocity of an entity of which nothing but positions is known.
//!
//! A game that sends no velocities, through the generic API, tells where an entity was and how it
//! faced. Two positions give a mean velocity, which is half a gap old. Four rules bring it up to
//! date.
//!
//! - An entity that goes where it faces goes where it faces *now*.
//! - A turn goes on only if two gaps in a row show it. A corner is not a bend.
//! - A speed that has dropped goes on dropping, because an entity that stops has no gap of its own.
//! - The window of a measurement grows with the jitter of the positions.
//!
//! An entity that stops or turns is overshot by at most its way between two positions that arrive.

use evenstride_types::Vec3A;

use crate::glide::{Said, Stream, length, turn, turned};

/// Shortest and longest least time of a measurement in seconds, and its part that grows with the
/// deviation of gaps.
const MIN_WINDOW_SECS: f32 = 0.1;
const MAX_WINDOW_SECS: f32 = 0.35;
const WINDOW_DEVIATIONS: f32 = 6.0;

/// Angle in degrees between course and heading up to which an entity goes where it faces, and the
/// weight of a new observation.
const ALONG_DEG: f32 = 30.0;
const ALONG_TRUST: f32 = 0.4;

/// Part of the observations from which an entity goes where it faces.
const GOES_ALONG: f32 = 0.5;

/// Slowest speed in metres per second that has a course.
const MIN_SPEED: f32 = 0.3;

/// Turn within a gap in degrees from which it is a corner, which hides a part of the way.
const CORNER_DEG: f32 = 30.0;

/// Largest factor of the way around a corner.
const CORNER_FACTOR: f32 = 1.42;

/// Weight of a new velocity.
const TRUST: f32 = 0.85;

/// Part of its speed below which an entity is braking.
const BRAKING_PART: f32 = 0.6;

/// Seconds between positions at which half of an error is corrected. More frequent positions are
/// corrected less each, because their errors are mostly jitter.
const HALF_TRUST_SECS: f32 = 0.05;

/// Returns the velocity at the end of a gap in which an entity has braked, from the velocity `before`
/// and the mean velocity of the gap. `None` if it has not braked.
pub(super) fn braked(before: Vec3A, mean: Vec3A) -> Option<Vec3A> {
    if mean.dot(before) >= BRAKING_PART * before.dot(before) {
        return None;
    }
    // The mean velocity of a gap lies half-way between those of its ends.
    let after = mean * 2.0 - before;
    Some(if after.dot(before) > 0.0 { after } else { Vec3A::ZERO })
}

impl Stream {
    /// Returns the shortest time in seconds of which a velocity is believed.
    pub(crate) fn window(&self) -> f64 {
        f64::from((MIN_WINDOW_SECS + WINDOW_DEVIATIONS * self.deviation).min(MAX_WINDOW_SECS))
    }

    /// Returns the part of an error that a position corrects.
    pub(crate) fn position_trust(&self, now: f64) -> f32 {
        let gap = ((now - self.was_there_at()) as f32).max(0.0);
        gap / (gap + HALF_TRUST_SECS)
    }

    /// Notes the turn of a gap in degrees per second. Only a turn that two gaps show is believed.
    pub(crate) fn note_turn(&mut self, rate: f32) {
        let before = core::mem::replace(&mut self.last_turn, rate);
        self.turn = if before * rate <= 0.0 {
            0.0
        } else if libm::fabsf(before) < libm::fabsf(rate) {
            before
        } else {
            rate
        };
    }

    /// Returns the velocity after a position, from the velocity `before` and the way `seen` since the
    /// mark. Measurements begin with the mark, so `gap` is its age.
    pub(crate) fn estimated(&mut self, said: &Said, before: Vec3A, seen: Vec3A, gap: f32) -> Vec3A {
        let mean = seen * (1.0 / gap);
        let speed = length(mean.with_z(0.0));
        let swing = turn(self.mark_heading, said.heading);
        if speed > MIN_SPEED {
            let middle = self.mark_heading + 0.5 * swing;
            let course = libm::atan2f(mean.x, mean.y).to_degrees();
            let is_along = libm::fabsf(turn(middle, course)) < ALONG_DEG + 0.5 * libm::fabsf(swing);
            self.along += ALONG_TRUST * (if is_along { 1.0 } else { 0.0 } - self.along);
        }
        if let Some(after) = braked(before, mean).filter(|_| libm::fabsf(swing) < CORNER_DEG) {
            return after;
        }
        if self.along < GOES_ALONG {
            let now = turned(mean, 0.5 * self.turn * gap);
            return if before == Vec3A::ZERO { now } else { before + (now - before) * TRUST };
        }
        let mut fast = speed;
        if libm::fabsf(swing) > CORNER_DEG {
            // The way around the corner is longer than the straight line.
            fast = fast.max(length(before.with_z(0.0)).min(CORNER_FACTOR * speed));
        }
        let was = length(before.with_z(0.0));
        let fast = was + (fast - was) * TRUST;
        turned(Vec3A::Y * fast, said.heading) + Vec3A::Z * mean.z
    }
}
