//! Actors: their true places, and the messages the server sends about them.
//!
//! A player has a client of its own (`local_player.rs`). Creatures move in the server's world
//! (`server_world.rs`). Both are the real motion core, so starts and stops take time. `player.rs`
//! and `creature.rs` decide what the server sends, and `said.rs` makes the messages.

mod creature;
mod ground;
mod local_player;
mod player;
mod projectile;
mod said;
mod server_world;

use std::sync::Arc;

use evenstride::animation::MotionLibrary;
use evenstride_link::Random;
use evenstride_types::{EntityId, Placement, SimTime, update::ServerEntity};
use evenstride_wire::Message;

pub(crate) use self::server_world::ServerWorld;
use self::{
    creature::{CreatureTeller, ServerTurn},
    local_player::LocalPlayer,
    player::PlayerTeller,
    projectile::Projectile,
    said::created,
};
use crate::{
    scenario::{ActorKind, ActorSpec, Ground},
    verb::{Cue, Verb},
};

/// Server ticks per second.
pub(crate) const RATE: u32 = 30;

/// An entity on the server.
pub(crate) struct Actor {
    /// The entity with the stamps of its messages.
    server: ServerEntity,
    pub(crate) name: String,
    mover: Mover,
    ground: Ground,
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

enum Mover {
    Player(Box<LocalPlayer>, PlayerTeller),
    Creature(Box<CreatureTeller>),
    Projectile(Projectile),
}

impl Actor {
    pub(crate) fn new(
        spec: &ActorSpec,
        number: u32,
        entity: EntityId,
        ground: Ground,
        library: &Arc<MotionLibrary>,
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
        let server = ServerEntity::new(entity);
        let start = ground.at(at, facing);
        let mover = match spec.kind {
            ActorKind::Player => {
                let player = LocalPlayer::new(start, spec.run_rate, ground, library, server);
                Mover::Player(Box::new(player), PlayerTeller::default())
            }
            ActorKind::Creature => {
                Mover::Creature(Box::new(CreatureTeller::new(random.bits(), start, spec.run_rate)))
            }
            ActorKind::Projectile => Mover::Projectile(Projectile::new(start, ground)),
        };
        Self { server, name, mover, ground, next: cues.next(), cues, presence: Presence::NotYet }
    }

    pub(crate) const fn entity(&self) -> EntityId {
        self.server.id
    }

    /// Returns the true place while other clients can see the actor.
    pub(crate) fn truth(&self) -> Option<Placement> {
        (self.presence == Presence::There).then(|| self.place())
    }

    pub(crate) const fn place(&self) -> Placement {
        match &self.mover {
            Mover::Player(player, _) => player.place(),
            Mover::Creature(teller) => teller.place(),
            Mover::Projectile(projectile) => projectile.place,
        }
    }

    /// Moves the actor on to a tick, and shows its place to the server's world.
    pub(crate) fn advance(&mut self, now: SimTime, world: &mut ServerWorld) {
        match &mut self.mover {
            Mover::Player(player, _) => {
                player.advance(now);
                world.put(now, self.server.id, player.place());
            }
            // The server's world has moved it.
            Mover::Creature(_) => {}
            Mover::Projectile(projectile) => projectile.fly(1.0 / RATE as f32),
        }
    }

    /// Runs one tick and returns the messages the server sends about it. `others` holds the place
    /// of every actor by name.
    pub(crate) fn tick(
        &mut self,
        now: SimTime,
        others: &[(String, EntityId, Placement)],
        world: &mut ServerWorld,
    ) -> Vec<Message> {
        let mut said = Vec::new();
        if self.presence == Presence::NotYet && !matches!(self.mover, Mover::Projectile(_)) {
            self.presence = Presence::There;
            let create = created(&self.server, &self.name, &self.place(), None);
            world.carry_out(now, &evenstride_types::update::Update::Create(create.update.clone()));
            if let Mover::Player(..) = self.mover {
                world.copy_from_outside(now, self.server.id);
            }
            said.push(Message::Create(Box::new(create)));
        }
        while let Some(cue) = self.next.take_if(|cue| cue.at <= now.as_secs()) {
            self.next = self.cues.next();
            self.act(&cue.verb, now, others, world, &mut said);
        }
        if self.presence != Presence::There {
            return said;
        }
        let seek = |name: &str| others.iter().find(|(known, ..)| known == name).map(|(_, id, at)| (*id, *at));
        match &mut self.mover {
            Mover::Player(player, teller) => {
                teller.tell(&mut self.server, player, now, &mut said);
            }
            Mover::Creature(teller) => {
                let mut turn = ServerTurn { entity: &mut self.server, world, now, said: &mut said };
                teller.decide(&mut turn, &seek);
                teller.tell(&mut turn);
            }
            Mover::Projectile(_) => {}
        }
        said
    }

    fn act(
        &mut self,
        verb: &Verb,
        now: SimTime,
        others: &[(String, EntityId, Placement)],
        world: &mut ServerWorld,
        said: &mut Vec<Message>,
    ) {
        match (verb, &mut self.mover) {
            (Verb::Vanish, _) => {
                if self.presence == Presence::There {
                    let update = self.server.delete();
                    world.carry_out(now, &update);
                    said.push(update.into());
                }
                self.presence = Presence::Gone;
            }
            (Verb::Run(speed), Mover::Projectile(projectile)) => {
                projectile.shoot(*speed);
                self.presence = Presence::There;
                let (place, velocity) = (projectile.place, Some(projectile.velocity));
                said.push(Message::Create(Box::new(created(&self.server, &self.name, &place, velocity))));
            }
            (_, Mover::Projectile(_)) => {}
            (verb, Mover::Player(player, teller)) => {
                teller.act(verb, &mut self.server, player, self.ground, now);
            }
            (verb, Mover::Creature(teller)) => {
                let seek = |name: &str| {
                    others.iter().find(|(known, ..)| known == name).map(|(_, id, at)| (*id, *at))
                };
                teller.act(verb, &mut ServerTurn { entity: &mut self.server, world, now, said }, &seek);
            }
        }
    }
}
