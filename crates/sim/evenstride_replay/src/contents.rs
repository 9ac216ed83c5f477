//! What a script lets be drawn: motion tables that are missing, and what there is if nothing can be
//! drawn at all.

use std::collections::{BTreeMap, BTreeSet};

use evenstride::animation::MotionLibrary;
use evenstride_types::{EntityId, update::Update};

use crate::{recording::Said, script::Script};

impl Script {
    /// Returns the motion tables that descriptions name and a library lacks, with their entities.
    pub fn missing_tables(&self, library: &MotionLibrary) -> BTreeMap<u32, BTreeSet<EntityId>> {
        let mut missing: BTreeMap<u32, BTreeSet<EntityId>> = BTreeMap::new();
        for message in &self.messages {
            if let Said::Server(Update::Create(create) | Update::Recreate(create)) = &message.said
                && let Some(table) = create.physics.resources.motion_table
                && library.table(table).is_none()
            {
                missing.entry(table).or_default().insert(create.entity);
            }
        }
        missing
    }

    /// Returns whether any message can place an entity in the world.
    pub fn places_anything(&self) -> bool {
        self.messages.iter().any(|message| match &message.said {
            Said::Server(Update::Position(position) | Update::PositionAndMovement { position, .. }) => {
                position.pack.placement().check().is_ok()
            }
            Said::Server(Update::Create(create) | Update::Recreate(create)) => {
                create.physics.position.is_some_and(|position| position.check().is_ok())
            }
            _ => false,
        })
    }
}
