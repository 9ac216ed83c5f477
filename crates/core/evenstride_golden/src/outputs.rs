//! Everything that a host gets from a world, as a fingerprint.
//!
//! A state hash covers rows and pools, so it changes with the layout of storage. This fingerprint covers
//! only what bodies do. A new layout must not change it.

use evenstride::{Config, Event, MotionWorld};
use evenstride_types::{EntityId, SimTime, StateHash};

use crate::{crowd::crowd, world::town};

/// Runs the town in each profile, and the crowd. Returns the fingerprint of everything that a host sees.
pub fn outputs_hash() -> u64 {
    let mut hash = StateHash::new();
    for config in [Config::RETAIL, Config::ACDREAM, Config::SMOOTH, Config::GLIDE] {
        hash.long(town(config).outputs);
    }
    hash.long(crowd().outputs);
    hash.finish()
}

/// Fingerprints of one run.
pub(crate) struct Hashes {
    /// Of the state of the world.
    pub(crate) state: u64,
    /// Of everything that a host sees.
    pub(crate) outputs: u64,
}

impl Hashes {
    /// The result of a run that failed.
    pub(crate) const NONE: Self = Self { state: 0, outputs: 0 };
}

/// The fingerprint of the outputs so far.
pub(crate) struct Outputs(StateHash);

impl Outputs {
    pub(crate) fn new() -> Self {
        Self(StateHash::new())
    }

    /// Adds the places of all bodies, and all events so far.
    pub(crate) fn add_frame(&mut self, world: &mut MotionWorld, now: SimTime) {
        world.drawn_each(now, |drawn| {
            self.0.word(drawn.entity.raw());
            self.0.placement(&drawn.place);
        });
        while let Some(event) = world.poll_event() {
            self.event(&event);
        }
    }

    /// Adds everything that is known of some entities. Text takes much longer than places.
    pub(crate) fn add_bodies(&mut self, world: &MotionWorld, entities: impl Iterator<Item = EntityId>) {
        entities.filter_map(|entity| world.body(entity)).for_each(|body| self.text(&format!("{body:?}")));
    }

    pub(crate) fn event(&mut self, event: &Event) {
        self.text(&format!("{event:?}"));
    }

    pub(crate) fn finish(&self) -> u64 {
        self.0.finish()
    }

    /// Adds text, in which every number has all its digits.
    fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.0.word(u32::from(byte)));
    }
}
