//! Actors: their true places, and the messages the server sends about them.
//!
//! `body.rs` moves them. `player.rs` and `creature.rs` decide what the server sends about players
//! and creatures. `said.rs` makes the messages.

mod body;
mod creature;
mod player;
mod said;

use evenstride_link::Random;
use evenstride_types::{EntityId, Placement, update::ServerEntity};
use evenstride_wire::Message;

use self::{body::Body, creature::CreatureTeller, player::PlayerTeller, said::created};
use crate::{
    scenario::{ActorKind, ActorSpec, Ground},
    verb::{Cue, Verb},
};

/// Server ticks per second.
pub(crate) const RATE: u32 = 60;

/// An entity on the server.
pub(crate) struct Actor {
    /// The entity with the stamps of its messages.
    server: ServerEntity,
    pub(crate) name: String,
    body: Body,
    teller: Teller,
    cues: std::vec::IntoIter<Cue>,
    next: Option<Cue>,
    presence: Presence,
}

/// Whether other clients can see the actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    NotYet,
    There,
    Gone,
}

enum Teller {
    Player(PlayerTeller),
    Creature(CreatureTeller),
    Projectile,
}

impl Actor {
    pub(crate) fn new(
        spec: &ActorSpec,
        number: u32,
        entity: EntityId,
        ground: Ground,
        random: &mut Random,
    ) -> Self {
        // All but the first are spread around the place.
        let spread = if number == 0 { 0.0 } else { 2.0 * f64::from(spec.count).sqrt() };
        let at = spec.at.map(|coordinate| coordinate + random.between(-spread, spread) as f32);
        let facing = if number == 0 { spec.facing } else { random.between(0.0, 360.0) as f32 };
        let name = if spec.count == 1 { spec.name.clone() } else { format!("{} {}", spec.name, number + 1) };
        // All but the first begin up to 2 s later.
        let delay = if number == 0 { 0.0 } else { random.between(0.0, 2.0) };
        let cues: Vec<Cue> =
            spec.cues.iter().map(|cue| Cue { at: cue.at + delay, verb: cue.verb.clone() }).collect();
        let mut cues = cues.into_iter();
        let teller = match spec.kind {
            ActorKind::Player => Teller::Player(PlayerTeller::default()),
            ActorKind::Creature => Teller::Creature(CreatureTeller::new(random.bits())),
            ActorKind::Projectile => Teller::Projectile,
        };
        Self {
            server: ServerEntity::new(entity),
            name,
            body: Body::new(at, facing, spec.run_rate, ground, random.bits()),
            teller,
            next: cues.next(),
            cues,
            presence: Presence::NotYet,
        }
    }

    pub(crate) const fn entity(&self) -> EntityId {
        self.server.id
    }

    /// Returns the true place while other clients can see the actor.
    pub(crate) fn truth(&self) -> Option<Placement> {
        (self.presence == Presence::There).then(|| self.body.place())
    }

    pub(crate) fn place(&self) -> Placement {
        self.body.place()
    }

    /// Runs one tick and returns the messages the server sends about it. `others` holds the place
    /// of every actor by name.
    pub(crate) fn tick(&mut self, time: f64, others: &[(String, EntityId, Placement)]) -> Vec<Message> {
        let mut said = Vec::new();
        if self.presence == Presence::NotYet && !matches!(self.teller, Teller::Projectile) {
            self.presence = Presence::There;
            said.push(created(&self.server, &self.name, &self.body, None));
        }
        while let Some(cue) = self.next.take_if(|cue| cue.at <= time) {
            self.next = self.cues.next();
            self.act(&cue.verb, time, others, &mut said);
        }
        if self.presence != Presence::There {
            return said;
        }
        let seek = |name: &str| others.iter().find(|(known, ..)| known == name).map(|(_, id, at)| (*id, *at));
        match &mut self.teller {
            Teller::Player(teller) => {
                self.body.tick(|name| seek(name).map(|(_, at)| at));
                teller.tell(&mut self.server, &mut self.body, time, &mut said);
            }
            Teller::Creature(teller) => {
                teller.decide(&mut self.server, &mut self.body, time, &seek, &mut said);
                self.body.tick(|name| seek(name).map(|(_, at)| at));
                teller.tell(&mut self.server, &self.body, time, &mut said);
            }
            Teller::Projectile => self.body.tick(|_| None),
        }
        said
    }

    fn act(
        &mut self,
        verb: &Verb,
        time: f64,
        others: &[(String, EntityId, Placement)],
        said: &mut Vec<Message>,
    ) {
        match (verb, &mut self.teller) {
            (Verb::Vanish, _) => {
                if self.presence == Presence::There {
                    said.push(self.server.delete().into());
                }
                self.presence = Presence::Gone;
            }
            (Verb::Run(speed), Teller::Projectile) => {
                self.body.launch(*speed);
                self.presence = Presence::There;
                let velocity = Some(self.body.velocity());
                said.push(created(&self.server, &self.name, &self.body, velocity));
            }
            (_, Teller::Projectile) => {}
            (verb, Teller::Player(teller)) => teller.act(verb, &mut self.server, &mut self.body),
            (verb, Teller::Creature(teller)) => {
                let seek = |name: &str| {
                    others.iter().find(|(known, ..)| known == name).map(|(_, id, at)| (*id, *at))
                };
                teller.act(verb, &mut self.server, &mut self.body, time, &seek, said);
            }
        }
    }
}
