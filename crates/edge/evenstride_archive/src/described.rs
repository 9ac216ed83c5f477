//! What the descriptions of entities name.

use std::collections::HashMap;

use evenstride_replay::{Said, Script};
use evenstride_types::{
    EntityId,
    update::{Resources, Update},
};

/// Models, motion tables and size factors by entity, from the newest description of each.
#[derive(Clone, Debug, Default)]
pub struct Described(HashMap<EntityId, (Resources, Option<f32>)>);

impl Described {
    /// Collects what a script describes.
    pub fn of(script: &Script) -> Self {
        let mut all = HashMap::new();
        for message in &script.messages {
            if let Said::Server(Update::Create(create) | Update::Recreate(create)) = &message.said {
                all.insert(create.entity, (create.physics.resources, create.physics.scale));
            }
        }
        Self(all)
    }

    /// Returns the motion table of an entity.
    pub fn motion_table(&self, entity: EntityId) -> Option<u32> {
        self.0.get(&entity)?.0.motion_table
    }

    /// Returns the size factor of an entity, which its speed is multiplied by. `None` without a description.
    pub fn scale(&self, entity: EntityId) -> Option<f32> {
        self.0.get(&entity).map(|(_, scale)| scale.unwrap_or(1.0))
    }

    /// Returns the model of an entity.
    pub fn setup(&self, entity: EntityId) -> Option<u32> {
        self.0.get(&entity)?.0.setup
    }
}
