//! The entities whose messages can affect another entity.
//!
//! Bodies depend on each other only through goals, follows and hands, and on the local player through
//! its place. All other messages can be left out of a replay that looks at one entity.

use std::collections::{BTreeMap, BTreeSet};

use evenstride_types::{
    EntityId, Stamp,
    update::{DescribedMovement, MovementKind, Update},
};

use crate::{
    recording::{Said, TimedMessage},
    script::Script,
};

/// Leaves out the messages that cannot affect one entity.
#[derive(Clone, Debug)]
pub(crate) struct Related {
    entities: BTreeSet<EntityId>,
    /// Which entity depends on which other one.
    links: BTreeSet<(EntityId, EntityId)>,
    /// Instance and position stamp of each other entity.
    others: BTreeMap<EntityId, (Stamp, Stamp)>,
}

impl Related {
    pub(crate) fn new(script: &Script, entity: EntityId) -> Self {
        let entities = BTreeSet::from_iter(script.player.into_iter().chain([entity]));
        let mut related = Self { entities, links: BTreeSet::new(), others: BTreeMap::new() };
        let _ = related.learn(&script.messages);
        related
    }

    /// Looks through messages. Returns whether they relate further entities.
    pub(crate) fn learn(&mut self, messages: &[TimedMessage]) -> bool {
        let before = self.entities.len();
        for message in messages {
            let Said::Server(update) = &message.said else { continue };
            if let Update::LocalPlayer(player) = update {
                self.entities.insert(*player);
            }
            let Some(subject) = update.entity() else { continue };
            mentions(update, |other| _ = self.links.insert((subject, other)));
        }
        self.relate();
        self.entities.len() > before
    }

    /// Takes over what another state of the same replay has learned.
    pub(crate) fn know(&mut self, other: Self) {
        (self.entities, self.links) = (other.entities, other.links);
    }

    /// Adds everything that the entities are sent to, follow or are held by, directly or not.
    fn relate(&mut self) {
        let mut unseen: Vec<EntityId> = self.entities.iter().copied().collect();
        while let Some(subject) = unseen.pop() {
            let first = (subject, EntityId::new(0));
            for (_, other) in self.links.range(first..).take_while(|(of, _)| *of == subject) {
                if self.entities.insert(*other) {
                    unseen.push(*other);
                }
            }
        }
    }

    /// Returns the memory it takes in bytes, roughly.
    pub(crate) fn bytes(&self) -> usize {
        8 * self.entities.len() + 8 * self.links.len() + 16 * self.others.len()
    }

    /// Returns whether a message can affect the entity.
    pub(crate) fn contains(&self, said: &Said) -> bool {
        match said {
            Said::Server(update) => update.entity().is_none_or(|entity| self.entities.contains(&entity)),
            Said::Client(_) => true,
        }
    }

    /// Returns whether a message that is left out is a new position.
    pub(crate) fn is_position(&mut self, said: &Said) -> bool {
        let (Said::Server(update), Some(entity)) = (said, entity_of(said)) else { return false };
        match update {
            Update::Position(position) | Update::PositionAndMovement { position, .. } => {
                let stamps = (position.pack.instance, position.pack.position);
                let last = self.others.insert(entity, stamps);
                let Some(last) = last else { return true };
                let is_new =
                    stamps.0.is_newer_than(last.0) || (stamps.0 == last.0 && stamps.1.is_newer_than(last.1));
                if !is_new {
                    self.others.insert(entity, last);
                }
                is_new && position.pack.placement().check().is_ok()
            }
            _ => false,
        }
    }
}

const fn entity_of(said: &Said) -> Option<EntityId> {
    match said {
        Said::Server(update) => update.entity(),
        Said::Client(_) => None,
    }
}

/// Calls `mention` for each entity on which the subject of a message may depend.
fn mentions(update: &Update, mut mention: impl FnMut(EntityId)) {
    match update {
        Update::Create(create) | Update::Recreate(create) => {
            let physics = &create.physics;
            physics.parent.iter().for_each(|parent| mention(parent.entity));
            physics.children.iter().flatten().for_each(|child| mention(child.entity));
            if let Some(DescribedMovement::Doing { body, .. }) = &physics.movement {
                of_movement(&body.kind, mention);
            }
        }
        Update::Parent(parent) => mention(parent.holder),
        Update::Movement(update) => of_movement(&update.movement.body.kind, mention),
        Update::PositionAndMovement { movement, .. } => of_movement(&movement.body.kind, mention),
        _ => {}
    }
}

fn of_movement(kind: &MovementKind, mut mention: impl FnMut(EntityId)) {
    match kind {
        MovementKind::Interpreted { stick_to, .. } => stick_to.iter().for_each(|target| mention(*target)),
        MovementKind::MoveToObject { target, .. } | MovementKind::TurnToObject { target, .. } => {
            mention(*target);
        }
        _ => {}
    }
}
