//! Moves to the last received place and stands there.

use std::collections::HashMap;

use evenstride_types::{EntityId, update::Update};

use super::{Rival, Shown, feed::Feed};

/// Slowest chase in metres per second.
const MIN_SPEED: f32 = 4.0;

/// Chases a single target: moves to the newest position at 1.5 times the speed of the legs. There
/// is no queue and no prediction.
#[derive(Clone, Debug, Default)]
pub struct SingleChase {
    feed: Feed,
    shown: HashMap<EntityId, (f64, Shown)>,
}

impl Rival for SingleChase {
    fn name(&self) -> &'static str {
        "single chase"
    }

    fn boxed_clone(&self) -> Box<dyn Rival> {
        Box::new(self.clone())
    }

    fn hear(&mut self, now: f64, update: &Update) {
        if let Some(entity) = self.feed.hear(now, update)
            && let Some(known) = self.feed.known.get(&entity).filter(|known| known.has_jumped)
            && let Some(newest) = known.newest()
        {
            self.shown.insert(entity, (now, newest.shown));
        }
    }

    fn show(&mut self, entity: EntityId, now: f64) -> Option<Shown> {
        let known = self.feed.known.get(&entity)?;
        let target = known.newest()?.shown;
        let (since, shown) = self.shown.entry(entity).or_insert((now, target));
        let secs = (now - *since).max(0.0) as f32;
        let speed = (known.velocity(now).length() * 1.5).max(MIN_SPEED);
        let way = target.at - shown.at;
        let step = (speed * secs).min(way.length());
        shown.at += way.normalize_or_zero() * step;
        shown.heading = target.heading;
        *since = now;
        Some(*shown)
    }
}
