//! What the messages before a time say that still holds, in few messages.

use std::collections::BTreeMap;

use evenstride_replay::{Said, Script, TimedMessage};
use evenstride_types::{EntityId, update::Update};

/// Largest number of entities. Messages about further ones are left out.
const MAX_ENTITIES: usize = 1 << 15;

/// The last message of each kind about each entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    script: Script,
    player: Option<Said>,
    entities: BTreeMap<EntityId, BTreeMap<Kind, Said>>,
    own_report: Option<Said>,
}

/// Kinds of message, in the order in which they are repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Description,
    Holder,
    State,
    Movement,
    Position,
}

impl Standing {
    /// Adds the messages of a script, which follow those before.
    pub(crate) fn add(&mut self, script: Script) {
        let Script { messages, player, names, start, .. } = script;
        self.script.player = player.or(self.script.player);
        self.script.start = self.script.start.or(start);
        self.script.names.extend(names);
        for TimedMessage { said, .. } in messages {
            self.add_message(said);
        }
        if self.script.names.len() > MAX_ENTITIES {
            let entities = &self.entities;
            self.script.names.retain(|entity, _| entities.contains_key(entity));
        }
    }

    /// Returns everything that still holds, as messages of one time in seconds.
    pub(crate) fn script(&self, time: f64) -> Script {
        let of_entities = self.entities.values().flat_map(BTreeMap::values);
        let all = self.player.iter().chain(of_entities).chain(&self.own_report);
        let messages = all.map(|said| TimedMessage { time, said: said.clone() }).collect();
        Script { messages, ..self.script.clone() }
    }

    fn add_message(&mut self, said: Said) {
        let update = match &said {
            Said::Server(update) => update,
            Said::Client(action) => {
                if action.position().is_some() {
                    self.own_report = Some(said);
                }
                return;
            }
        };
        let kind = match update {
            Update::LocalPlayer(_) => {
                self.player = Some(said);
                return;
            }
            Update::Delete(deleted) => {
                self.entities.remove(&deleted.entity);
                return;
            }
            Update::Create(_) | Update::Recreate(_) => Kind::Description,
            Update::Parent(_) | Update::Pickup(_) => Kind::Holder,
            Update::State(_) => Kind::State,
            Update::Movement(_) => Kind::Movement,
            Update::Position(_) | Update::PositionAndMovement { .. } => Kind::Position,
            // A flight is over soon, and so is the player's teleport.
            _ => return,
        };
        let Some(entity) = update.entity() else { return };
        if self.entities.len() >= MAX_ENTITIES && !self.entities.contains_key(&entity) {
            return;
        }
        let known = self.entities.entry(entity).or_default();
        match kind {
            // A description says everything again.
            Kind::Description => known.clear(),
            // An entity that is put down is held no more.
            Kind::Position => _ = known.remove(&Kind::Holder),
            _ => {}
        }
        known.insert(kind, said);
    }
}
