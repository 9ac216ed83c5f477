//! Snapshot buffers: entities are drawn in the past, on straight lines between received positions.

use std::collections::HashMap;

use evenstride_types::{EntityClass, EntityId, update::Update};

use super::{
    Rival, Shown,
    feed::{Feed, Heard, between_headings},
};

/// Returns the usual time between two positions of an entity, in seconds.
pub(super) fn usual_interval(entity: EntityId) -> f64 {
    if entity.class() == EntityClass::Player { 1.0 } else { 0.2 }
}

/// Draws twice the usual interval in the past, as textbooks recommend.
#[derive(Clone, Debug, Default)]
pub struct FixedBuffer(Feed);

impl Rival for FixedBuffer {
    fn name(&self) -> &'static str {
        "buffer, 2 x interval"
    }

    fn boxed_clone(&self) -> Box<dyn Rival> {
        Box::new(self.clone())
    }

    fn hear(&mut self, now: f64, update: &Update) {
        let _ = self.0.hear(now, update);
    }

    fn show(&mut self, entity: EntityId, now: f64) -> Option<Shown> {
        let known = self.0.known.get(&entity)?;
        let interval = usual_interval(entity);
        between(&known.heard, now, 2.0 * interval)
    }

    fn delay(&self, entity: EntityId) -> f64 {
        2.0 * usual_interval(entity)
    }
}

/// Draws in the past by the mean of the last gaps plus twice their deviation.
#[derive(Clone, Debug, Default)]
pub struct AdaptiveBuffer {
    feed: Feed,
    gaps: HashMap<EntityId, Gaps>,
}

#[derive(Clone, Copy, Debug)]
struct Gaps {
    mean: f64,
    deviation: f64,
    delay: f64,
    shown: f64,
}

impl Rival for AdaptiveBuffer {
    fn name(&self) -> &'static str {
        "buffer, adaptive"
    }

    fn boxed_clone(&self) -> Box<dyn Rival> {
        Box::new(self.clone())
    }

    fn hear(&mut self, now: f64, update: &Update) {
        let Some(entity) = self.feed.hear(now, update) else { return };
        let usual = usual_interval(entity);
        let start = Gaps { mean: usual, deviation: usual / 4.0, delay: 1.5 * usual, shown: now };
        let gaps = self.gaps.entry(entity).or_insert(start);
        let Some(known) = self.feed.known.get(&entity) else { return };
        if let [.., before, newest] = known.heard.as_slice() {
            // Long gaps are clamped, because servers send nothing about a standing entity.
            let gap = (newest.time - before.time).min(2.0 * usual);
            gaps.deviation += 0.1 * ((gap - gaps.mean).abs() - gaps.deviation);
            gaps.mean += 0.1 * (gap - gaps.mean);
        }
    }

    fn show(&mut self, entity: EntityId, now: f64) -> Option<Shown> {
        let known = self.feed.known.get(&entity)?;
        let gaps = self.gaps.get_mut(&entity)?;
        // The delay changes by at most a tenth of real time.
        let wanted = gaps.mean + 2.0 * gaps.deviation;
        let most = 0.1 * (now - gaps.shown).max(0.0);
        gaps.delay += (wanted - gaps.delay).clamp(-most, most);
        gaps.shown = now;
        between(&known.heard, now, gaps.delay)
    }

    fn delay(&self, entity: EntityId) -> f64 {
        self.gaps.get(&entity).map_or(0.0, |gaps| gaps.delay)
    }
}

/// Returns the place `delay` seconds ago, on a straight line between two received places. After a
/// silence the line begins when its end is received.
pub(super) fn between(heard: &[Heard], now: f64, delay: f64) -> Option<Shown> {
    let time = now - delay;
    let next = heard.iter().position(|heard| heard.time > time);
    let (before, after) = match next {
        None => return heard.last().map(|heard| heard.shown),
        Some(0) => return heard.first().map(|heard| heard.shown),
        Some(next) => (heard[next - 1], heard[next]),
    };
    let begins = before.time.max(after.time - delay);
    let part = ((time - begins) / (after.time - begins).max(1e-6)).clamp(0.0, 1.0) as f32;
    let turn = between_headings(before.shown.heading, after.shown.heading);
    Some(Shown {
        at: before.shown.at.lerp(after.shown.at, part),
        heading: (before.shown.heading + turn * part).rem_euclid(360.0),
    })
}
