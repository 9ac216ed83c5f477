//! Movers, and the courses that they run.

use std::f64::consts::TAU;

use evenstride_link::Random;

/// Frames per second.
pub const FPS: f64 = 60.0;

/// Something that moves about at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// 1.5 m/s. Turns by up to 120° every two to five seconds, and rests now and then.
    Walker,
    /// 5 m/s. The same every one and a half to four seconds.
    Runner,
    /// Up to 15 m/s. Follows bends at up to 40°/s, brakes and accelerates at 4 m/s².
    Vehicle,
    /// Up to 12 m/s. Flies like a vehicle that turns at up to 60°/s, climbs and sinks at up to 3 m/s.
    Drone,
}

/// A moment of a course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
    /// Place in metres, with z up.
    pub place: [f64; 3],
    /// Heading in radians, clockwise from +y.
    pub heading: f64,
    /// Speed on the map in metres per second.
    pub speed: f64,
    /// Speed upwards in metres per second.
    pub rise: f64,
}

impl At {
    /// Returns the velocity in metres per second.
    pub fn velocity(&self) -> [f64; 3] {
        [self.heading.sin() * self.speed, self.heading.cos() * self.speed, self.rise]
    }
}

/// Where a mover truly is, in every frame.
pub type Course = Vec<At>;

impl Mover {
    /// Every mover.
    pub const ALL: [Self; 4] = [Self::Walker, Self::Runner, Self::Vehicle, Self::Drone];

    /// Highest speed in metres per second.
    pub const fn top_speed(self) -> f64 {
        match self {
            Self::Walker => 1.5,
            Self::Runner => 5.0,
            Self::Vehicle => 15.0,
            Self::Drone => 12.0,
        }
    }

    /// Returns the course of some seconds.
    pub fn course(self, seed: u64, secs: f64) -> Course {
        let mut random = Random::seeded(seed.wrapping_mul(0x9E37_79B9) ^ self as u64);
        let mut at = At { place: [0.0; 3], heading: 0.0, speed: 0.0, rise: 0.0 };
        let (mut goal, mut wish, mut turn, mut climb, mut next) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let top = self.top_speed();
        let (gain, rate) = match self {
            Self::Walker => (6.0, 4.0),
            Self::Runner => (15.0, 6.0),
            Self::Vehicle => (4.0, 0.7),
            Self::Drone => (4.0, 1.05),
        };
        let steers = matches!(self, Self::Vehicle | Self::Drone);
        let frame = |number: usize| {
            let now = number as f64 / FPS;
            if now >= next {
                let span = if matches!(self, Self::Runner) { 1.5..4.0 } else { 2.0..5.0 };
                next = now + span.start + random.unit() * (span.end - span.start);
                let rests = random.unit() < 0.15;
                let part = if steers && !rests { 0.4 + 0.6 * random.unit() } else { 1.0 };
                wish = if rests { 0.0 } else { top * part };
                turn = (random.unit() - 0.5) * 2.0 * rate;
                goal = at.heading + (random.unit() - 0.5) * TAU * 2.0 / 3.0;
                if matches!(self, Self::Drone) {
                    climb = (random.unit() - 0.5) * 6.0;
                }
            }
            at.speed += (wish - at.speed).clamp(-gain / FPS, gain / FPS);
            at.rise += (climb - at.rise).clamp(-2.0 / FPS, 2.0 / FPS);
            at.heading += if steers {
                turn * (at.speed / top) / FPS
            } else {
                (goal - at.heading).clamp(-rate / FPS, rate / FPS)
            };
            at.place[0] += at.heading.sin() * at.speed / FPS;
            at.place[1] += at.heading.cos() * at.speed / FPS;
            at.place[2] += at.rise / FPS;
            at
        };
        (0..(secs * FPS) as usize).map(frame).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courses_repeat_from_their_seed_and_keep_to_the_top_speed() {
        for mover in Mover::ALL {
            let course = mover.course(7, 60.0);
            assert_eq!(course, mover.course(7, 60.0));
            assert_ne!(course, mover.course(8, 60.0));
            let fastest = course.iter().map(|at| at.speed).fold(0.0, f64::max);
            assert!(fastest <= mover.top_speed() + 1e-9 && fastest > 0.5 * mover.top_speed());
        }
    }
}
