//! Draws the last received place.

use evenstride_types::{EntityId, update::Update};

use super::{Rival, Shown, feed::Feed};

/// Hard snap, without any smoothing.
#[derive(Clone, Debug, Default)]
pub struct HardSnap(Feed);

impl Rival for HardSnap {
    fn name(&self) -> &'static str {
        "hard snap"
    }

    fn boxed_clone(&self) -> Box<dyn Rival> {
        Box::new(self.clone())
    }

    fn hear(&mut self, now: f64, update: &Update) {
        let _ = self.0.hear(now, update);
    }

    fn show(&mut self, entity: EntityId, _: f64) -> Option<Shown> {
        self.0.known.get(&entity)?.newest().map(|heard| heard.shown)
    }
}
