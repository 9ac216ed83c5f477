//! The pose: what is drawn.

use evenstride_types::{Rotation, Vec3A};

use crate::glide::{
    Beat, Carried, Glide,
    damping::Decay,
    ghost::{STANDS, Source},
    larger, length, shortened, smaller, turn, wrapped,
};

/// Part of its distance from the ghost that a pose corrects per second, which takes 0.25 s.
const PER_CORRECTION: f32 = 4.0;
const SECS_PER_CORRECTION: f32 = 1.0 / PER_CORRECTION;

/// Distances in metres up to which corrections are gentle, of a moving and of a standing ghost.
const NEAR_METRES: f32 = 0.25;
const NEAR_STANDING_METRES: f32 = 0.4;

/// Speed of gentle corrections, as a part of the ghost's speed, and their least and greatest speed
/// in metres per second. The last one is for a standing ghost.
const GENTLE_PART: f32 = 0.15;
const GENTLE_LEAST: f32 = 0.25;
const GENTLE_STANDING: f32 = 0.17;

/// Part of its height above the ghost that a pose corrects per second, and the highest speed of that, as a part of the
/// ghost's speed and in metres per second.
const PER_RISE: f32 = 5.0;
const RISE_PART: f32 = 0.6;
const RISE_LEAST: f32 = 0.5;

/// Highest speed of corrections and of the pose, as multiples of the recent speed.
const FAST_PART: f32 = 1.6;
const MAX_PART: f32 = 2.4;

/// Distance in metres beyond which a correction takes at most this many seconds or so.
const FAR_METRES: f32 = 5.0;
const FAR_SECS: f32 = 1.5;

/// Seconds for which a pose that has overshot its ghost hardly goes back. To turn on the spot at once
/// catches the eye, and a short rest does not.
const TURN_BACK_SECS: f32 = 0.55;

/// Least part of its ghost's speed at which a pose goes on, if it is ahead of the ghost.
const CREEP_PART: f32 = 0.1;

/// Least recent speed in metres per second.
const RECENT_LEAST: f32 = 1.2;

/// Seconds by which a pose is drawn ahead of a walking ghost. A message takes effect with the next
/// tick, which is half a tick later on average.
const AHEAD_SECS: f32 = 1.0 / 60.0;

/// Distance in metres from the ghost at which a standing pose is right.
const THERE_METRES: f32 = 0.02;

/// Speed in metres per second, and turn in degrees, below which a pose is at rest.
const REST_SPEED: f32 = 0.005;
const REST_TURN: f32 = 0.05;

impl Glide {
    /// Moves and turns the pose towards the ghost. `before` is the velocity of the ghost in the last
    /// frame.
    #[inline]
    pub(super) fn follow(&mut self, source: &Source, beat: &Beat, before: Vec3A) {
        let stands = self.velocity.dot(self.velocity) <= STANDS * STANDS;
        self.pursue(stands, source.is_airborne, before, beat);
        if source.is_airborne {
            self.pose.z += (self.ghost.z - self.pose.z) * beat.soon;
        }
        self.face(source, &beat.facing, beat);
        self.note_going();
    }

    /// Moves the pose towards the ghost. `stands` tells whether the ghost does.
    #[inline(always)]
    pub(super) fn pursue(&mut self, stands: bool, is_airborne: bool, before: Vec3A, beat: &Beat) {
        let speed = length(self.velocity);
        self.recent = larger(larger(self.recent * beat.fades, speed), RECENT_LEAST);
        if stands {
            self.still += beat.secs;
        } else {
            (self.still, self.course) = (0.0, self.velocity);
        }
        let change = self.velocity - before;
        let is_trend = change.dot(change) <= beat.trend;
        let target = if is_trend { self.velocity + change * beat.lead } else { self.velocity };
        // A ghost that stops does not go back.
        let target = if target.dot(before) < 0.0 { Vec3A::ZERO } else { target };
        self.cruise.follow(target, &beat.cruise);
        // Where the ghost is now, against where the pose would be without a correction.
        let ghost = match self.carried {
            Carried::ByLegs => self.ghost + self.velocity * AHEAD_SECS,
            _ => self.ghost,
        };
        let error = ghost - (self.pose + self.cruise.value * beat.lanes);
        let flat = error.x * error.x + error.y * error.y;
        let wish = self.wish(error, flat, speed, stands).with_z(self.rise(error.z, speed, is_airborne));
        self.correction.follow(wish, &beat.correction);
        let squared = flat + error.z * error.z;
        let far = if squared > FAR_METRES * FAR_METRES { far_speed(libm::sqrtf(squared)) } else { 0.0 };
        let velocity = shortened(self.drawn_velocity(), larger(MAX_PART * self.recent, speed + far));
        let velocity = self.onward(velocity, squared, speed, stands);
        self.pose += velocity * beat.lanes;
    }

    /// Returns the velocity of the pose, without a part that goes back while the ghost goes on.
    ///
    /// A pose that is ahead of its ghost waits for it. If the ghost has just stopped, the pose goes
    /// back slowly at first.
    #[inline(always)]
    fn onward(&mut self, velocity: Vec3A, squared_error: f32, speed: f32, stands: bool) -> Vec3A {
        let along = velocity.dot(self.course);
        let least = CREEP_PART * speed * speed;
        if along >= least || self.still > TURN_BACK_SECS || squared_error > FAR_METRES * FAR_METRES {
            return velocity;
        }
        let velocity = if stands {
            shortened(velocity, GENTLE_STANDING)
        } else {
            velocity + self.velocity * ((least - along) / (speed * speed))
        };
        self.correction.value = velocity - self.cruise.value;
        velocity
    }

    /// Returns the upward speed that would correct the height.
    #[inline(always)]
    fn rise(&self, error: f32, speed: f32, is_airborne: bool) -> f32 {
        let most = RISE_PART * speed + RISE_LEAST;
        // Unlike `clamp`, this does not panic if a speed is not a number. `keep_near` resets such a pose.
        if is_airborne { 0.0 } else { smaller(larger(error * PER_RISE, -most), most) }
    }

    /// Returns the velocity on the map that would correct the distance from the ghost, whose square
    /// is `flat`.
    #[inline(always)]
    fn wish(&self, error: Vec3A, flat: f32, speed: f32, stands: bool) -> Vec3A {
        let (gentle, near) = if stands {
            (GENTLE_STANDING, NEAR_STANDING_METRES)
        } else {
            (larger(GENTLE_PART * speed, GENTLE_LEAST), NEAR_METRES)
        };
        // Most errors are so small that their correction is below every limit.
        let small = smaller(near, gentle * SECS_PER_CORRECTION);
        if flat <= small * small {
            let is_right = stands && flat < THERE_METRES * THERE_METRES;
            return if is_right { Vec3A::ZERO } else { error * PER_CORRECTION };
        }
        self.large_wish(error, libm::sqrtf(flat), gentle, near, stands)
    }

    /// Returns the same for an error of more than some centimetres.
    #[inline(never)]
    fn large_wish(&self, error: Vec3A, off: f32, gentle: f32, near: f32, stands: bool) -> Vec3A {
        let turns_back = stands && self.still < TURN_BACK_SECS && error.with_z(0.0).dot(self.course) < 0.0;
        let fast = if off <= near || (turns_back && off < FAR_METRES) {
            smaller(off * PER_CORRECTION, gentle)
        } else {
            let fast = smaller(gentle, near * PER_CORRECTION) + (off - near) * PER_CORRECTION;
            smaller(fast, larger(FAST_PART * self.recent, far_speed(off)))
        };
        error * (fast / off)
    }

    /// Turns the pose.
    fn face(&mut self, source: &Source, decay: &Decay, beat: &Beat) {
        if !is_upright(source.rotation) {
            // Arrows and sleds point along their way.
            self.rotation = self.rotation.blended(source.rotation, beat.soon);
            (self.facing, self.spin) = (source.heading, 0.0);
            return;
        }
        let rate = self.turn_rate;
        // The heading has turned already in this frame.
        let off = turn(self.heading, self.facing) + rate * beat.secs;
        if off.abs() < 1e-4 && self.spin == 0.0 && rate == 0.0 && is_upright(self.rotation) {
            return;
        }
        let (off, spin) = decay.follow_angle(off, self.spin, rate);
        let is_done = off.abs() < REST_TURN && spin.abs() < REST_TURN && rate == 0.0;
        (self.facing, self.spin) =
            if is_done { (self.heading, 0.0) } else { (wrapped(self.heading + off), spin) };
        self.rotation = facing(self.facing);
    }

    /// Turns the pose to the ghost's heading at once.
    pub(super) fn face_at_once(&mut self, source: &Source) {
        self.rotation = if is_upright(source.rotation) { facing(self.facing) } else { source.rotation };
    }

    /// Returns whether nothing changes any more until the body moves or is heard of.
    pub(crate) fn is_at_rest(&self) -> bool {
        let drawn = self.drawn_velocity();
        let off = self.ghost - self.pose;
        self.spin == 0.0
            && self.velocity == Vec3A::ZERO
            && drawn.dot(drawn) < REST_SPEED * REST_SPEED
            && off.dot(off) <= THERE_METRES * THERE_METRES
            && (self.carried == Carried::ByBody || self.stood > 1.0)
            && turn(self.heading, self.facing).abs() < REST_TURN
    }

    /// Ends all motion of the pose.
    pub(crate) fn rest(&mut self) {
        (self.cruise, self.correction) = (super::Damped::ZERO, super::Damped::ZERO);
    }
}

/// Returns the least speed in metres per second at which a distance in metres is made up for.
fn far_speed(off: f32) -> f32 {
    if off > FAR_METRES { off / FAR_SECS } else { 0.0 }
}

/// Returns the rotation of an upright body.
fn facing(heading: f32) -> Rotation {
    let (sin, cos) = libm::sincosf((0.5 * heading).to_radians());
    // Headings are clockwise from above, which is a negative angle.
    Rotation::new([cos, 0.0, 0.0, -sin]).unwrap_or(Rotation::IDENTITY)
}

pub(super) fn is_upright(rotation: Rotation) -> bool {
    let [_, x, y, _] = rotation.to_wxyz();
    x.abs() < 1e-3 && y.abs() < 1e-3
}
