//! What the descriptions of entities name.

use std::collections::HashMap;

use evenstride_replay::{Said, Script};
use evenstride_types::{
    EntityId,
    update::{Resources, Update},
};

/// Models, motion tables and size factors by entity, from all of its descriptions.
///
/// Servers give the id of a removed entity to another one, so a description counts from its own time on.
#[derive(Clone, Debug, Default)]
pub struct Described(HashMap<EntityId, Vec<Description>>);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Description {
    /// Seconds at which it arrived.
    time: f64,
    resources: Resources,
    scale: Option<f32>,
}

impl Described {
    /// Collects what a script describes.
    pub fn of(script: &Script) -> Self {
        let mut all: HashMap<EntityId, Vec<Description>> = HashMap::new();
        for message in &script.messages {
            if let Said::Server(Update::Create(create) | Update::Recreate(create)) = &message.said {
                let (resources, scale) = (create.physics.resources, create.physics.scale);
                let known = all.entry(create.entity).or_default();
                if known.last().is_none_or(|last| (last.resources, last.scale) != (resources, scale)) {
                    known.push(Description { time: message.time, resources, scale });
                }
            }
        }
        Self(all)
    }

    /// Returns the motion table in the last description of an entity.
    pub fn motion_table(&self, entity: EntityId) -> Option<u32> {
        self.0.get(&entity)?.last()?.resources.motion_table
    }

    /// Returns the motion table of an entity at a time. Before the first description, that one counts.
    pub fn motion_table_at(&self, entity: EntityId, time: f64) -> Option<u32> {
        self.at(entity, time)?.resources.motion_table
    }

    /// Returns the size factor of an entity at a time, which its speed is multiplied by. `None` without a
    /// description.
    pub fn scale_at(&self, entity: EntityId, time: f64) -> Option<f32> {
        self.at(entity, time).map(|description| description.scale.unwrap_or(1.0))
    }

    /// Returns the model in the last description of an entity.
    pub fn setup(&self, entity: EntityId) -> Option<u32> {
        self.0.get(&entity)?.last()?.resources.setup
    }

    fn at(&self, entity: EntityId, time: f64) -> Option<&Description> {
        let known = self.0.get(&entity)?;
        let next = known.partition_point(|description| description.time <= time);
        known.get(next.saturating_sub(1))
    }
}
