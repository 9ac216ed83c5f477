//! Dead reckoning, in which the error that each message reveals fades away.

use std::collections::HashMap;

use evenstride::limits::GRAVITY;
use evenstride_types::{EntityId, Vec3, update::Update};

use super::{Rival, Shown, feed::Feed};

/// Seconds after which half of the error is gone.
const HALF_LIFE_SECS: f64 = 0.1;

/// Longest extrapolation without a message, in seconds.
const MAX_RECKONED_SECS: f64 = 2.0;

/// Snaps to each received place, continues with the velocity of the legs, and lets the residual
/// fade. The acdream client did so before it followed the 2013 client.
#[derive(Clone, Debug, Default)]
pub struct SoftReckoning {
    feed: Feed,
    bases: HashMap<EntityId, Base>,
}

/// Starting point of the extrapolation.
#[derive(Clone, Copy, Debug)]
struct Base {
    since: f64,
    shown: Shown,
    velocity: Vec3,
    turn: f32,
    is_thrown: bool,
    /// Drawn place minus extrapolated place, at the time `since`.
    residual: Vec3,
}

impl Base {
    fn reckoned(&self, now: f64) -> Shown {
        let secs = (now - self.since).clamp(0.0, MAX_RECKONED_SECS) as f32;
        let heading = (self.shown.heading + self.turn * secs).rem_euclid(360.0);
        Shown { at: self.shown.at + self.way(secs), heading }
    }

    /// Returns the offset after `secs` seconds, straight or along an arc while turning.
    fn way(&self, secs: f32) -> Vec3 {
        if self.is_thrown {
            // The ground is unknown, so the body never falls below its starting height.
            let rise = self.velocity.z * secs + 0.5 * GRAVITY * secs * secs;
            return Vec3::new(self.velocity.x * secs, self.velocity.y * secs, rise.max(0.0));
        }
        let turn = self.turn.to_radians();
        if turn.abs() < 1e-3 {
            return self.velocity * secs;
        }
        let right = Vec3::new(self.velocity.y, -self.velocity.x, 0.0);
        self.velocity * ((turn * secs).sin() / turn) + right * ((1.0 - (turn * secs).cos()) / turn)
    }

    fn shown(&self, now: f64) -> Shown {
        let faded = 0.5f64.powf((now - self.since).max(0.0) / HALF_LIFE_SECS) as f32;
        let reckoned = self.reckoned(now);
        Shown { at: reckoned.at + self.residual * faded, ..reckoned }
    }
}

impl Rival for SoftReckoning {
    fn name(&self) -> &'static str {
        "dead reckoning"
    }

    fn boxed_clone(&self) -> Box<dyn Rival> {
        Box::new(self.clone())
    }

    fn hear(&mut self, now: f64, update: &Update) {
        let is_place = self.feed.hear(now, update).is_some();
        let Some(entity) = update.entity() else { return };
        let Some(known) = self.feed.known.get(&entity) else {
            self.bases.remove(&entity);
            return;
        };
        let Some(newest) = known.newest() else { return };
        let before = self.bases.get(&entity).copied();
        // A position sets the place. Other messages change the motion from the extrapolated place.
        let shown = match before {
            Some(before) if !is_place => before.reckoned(now),
            _ => newest.shown,
        };
        let has_jumped = is_place && known.has_jumped;
        let residual =
            before.filter(|_| !has_jumped).map_or(Vec3::ZERO, |before| before.shown(now).at - shown.at);
        let base = Base {
            since: now,
            shown,
            velocity: known.velocity(now),
            turn: known.turn,
            is_thrown: known.thrown.is_some(),
            residual,
        };
        self.bases.insert(entity, base);
    }

    fn show(&mut self, entity: EntityId, now: f64) -> Option<Shown> {
        self.bases.get(&entity).map(|base| base.shown(now))
    }
}
