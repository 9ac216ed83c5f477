//! The true motion of an arrow: a flight under gravity.

use evenstride::limits::{GRAVITY, RUN_SPEED};
use evenstride_types::{Placement, Vec3};

use super::ground::offset;
use crate::scenario::Ground;

/// Height in metres from which an arrow is shot, and its speed upwards in metres per second.
const SHOT_FROM: f32 = 1.5;
const SHOT_UP: f32 = 8.0;

pub(super) struct Projectile {
    pub(super) place: Placement,
    pub(super) velocity: Vec3,
    ground: Ground,
}

impl Projectile {
    pub(super) const fn new(place: Placement, ground: Ground) -> Self {
        Self { place, velocity: Vec3::ZERO, ground }
    }

    /// Shoots the arrow ahead, at `speed` times the slowest running speed.
    pub(super) fn shoot(&mut self, speed: f32) {
        self.velocity = self.place.pose.heading().direction() * (RUN_SPEED * speed) + Vec3::Z * SHOT_UP;
        self.shift(Vec3::Z * SHOT_FROM);
    }

    /// Flies on for `secs` seconds, to the ground at most.
    pub(super) fn fly(&mut self, secs: f32) {
        if self.velocity == Vec3::ZERO {
            return;
        }
        self.shift(self.velocity * secs);
        self.velocity.z += GRAVITY * secs;
        let at = offset(&self.place);
        let floor = self.ground.height(at.x);
        if at.z <= floor && self.velocity.z < 0.0 {
            self.shift(Vec3::Z * (floor - at.z));
            self.velocity = Vec3::ZERO;
        }
    }

    fn shift(&mut self, by: Vec3) {
        if let Ok(pose) = self.place.pose.with_origin(self.place.pose.origin() + by) {
            let place = Placement::new(self.place.cell, pose);
            self.place = place.settled().unwrap_or(place);
        }
    }
}
