//! The animation that fits the drawn motion.

use evenstride_types::{Vec3A, update::MotionCommand};

use crate::{
    glide::{Carried, Glide, length},
    motion::interpreter::{RUN_SPEED, WALK_SPEED},
};

/// Speed of an animation in metres per second up to which it stands, and of the pose up to which a
/// moving animation is shown standing.
const STANDS: f32 = 0.1;

/// Speeds in metres per second at which a pose on standing legs begins and ceases to be shown
/// walking.
const GOES: f32 = 0.3;
const STOPS: f32 = 0.15;

/// Largest change of the playback.
const PLAYBACK: f32 = 0.15;

/// The animation to show for a drawn body, so that its feet fit the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum DrawnMotion {
    /// The animation that the body plays.
    AsPlayed {
        /// Factor on its speed (0.85 to 1.15, or 1 if the body is drawn where it is).
        playback: f32,
    },
    /// Standing, although the body plays a walk or a run. The drawn body does not move.
    Standing,
    /// A walk or a run, although the body stands. The drawn body moves.
    Going {
        /// Walking or running forward.
        command: MotionCommand,
        /// Speed factor, negative for backwards.
        speed: f32,
    },
}

impl DrawnMotion {
    /// The animation that the body plays, unchanged.
    pub const PLAIN: Self = Self::AsPlayed { playback: 1.0 };
}

impl Glide {
    /// Notes whether the pose moves on standing legs. It has to go faster to begin than to go on.
    pub(super) fn note_going(&mut self) {
        let speed = length(self.drawn_velocity().with_z(0.0));
        let stands = self.carried != Carried::New && length(self.legs.with_z(0.0)) <= STANDS;
        self.is_going = stands && speed > if self.is_going { STOPS } else { GOES };
    }

    /// Returns the animation that fits the pose.
    pub(crate) fn shown(&self, is_airborne: bool) -> DrawnMotion {
        if is_airborne {
            return DrawnMotion::PLAIN;
        }
        let drawn = self.drawn_velocity().with_z(0.0);
        let speed = length(drawn);
        if self.is_going {
            let (sin, cos) = libm::sincosf(self.facing.to_radians());
            let sign = if drawn.dot(Vec3A::new(sin, cos, 0.0)) < 0.0 { -1.0 } else { 1.0 };
            let runs = sign > 0.0 && speed > 0.5 * (WALK_SPEED + RUN_SPEED);
            return if runs {
                DrawnMotion::Going { command: MotionCommand::RUN_FORWARD, speed: speed / RUN_SPEED }
            } else {
                DrawnMotion::Going { command: MotionCommand::WALK_FORWARD, speed: sign * speed / WALK_SPEED }
            };
        }
        let stride = length(self.legs.with_z(0.0));
        if stride <= STANDS {
            return DrawnMotion::PLAIN;
        }
        if length(self.cruise.value) < STANDS {
            return DrawnMotion::Standing;
        }
        DrawnMotion::AsPlayed { playback: (speed / stride).clamp(1.0 - PLAYBACK, 1.0 + PLAYBACK) }
    }
}
