//! An honest server, whose messages cross a bad network.
//!
//! Its actors walk, are sent somewhere, chase and follow each other, jump, teleport, die and are born
//! again, and pick each other up. Positions may be lost on the way. All other messages arrive, as in
//! the game, whose server repeats them.

use std::f32::consts::TAU;

use evenstride_link::{Link, LinkConfig};
use evenstride_types::{
    EntityId, Heading, Placement, Rotation, Vec3,
    update::{
        InterpretedState, MoveToParams, MovementKind, PhysicsState, PositionUpdate, ServerEntity, Update,
    },
};

use crate::draw::Draw;

/// Metres that an actor stays away from the border of its landblock.
const MARGIN: f32 = 40.0;

/// Messages with their arrival times, and where every actor stands at the end.
pub(crate) struct Traffic {
    /// Time of arrival in seconds since the start, in order, and the message.
    pub(crate) messages: Vec<(f64, Update)>,
    /// Messages that have all actors stand where they are, sent three times after all others have arrived.
    pub(crate) ends: [Vec<Update>; 3],
    /// Place of every actor that is in the world at the end.
    pub(crate) standing: Vec<(EntityId, Placement)>,
}

/// Draws the messages of some seconds.
pub(crate) fn traffic(draw: &mut Draw<'_>, actors: u32, secs: f64) -> Traffic {
    let presets = [
        LinkConfig::PERFECT,
        LinkConfig::BROADBAND,
        LinkConfig::WIFI_BUSY,
        LinkConfig::CELLULAR,
        LinkConfig::SATELLITE,
    ];
    let config = draw.pick(&presets).seed(draw.bits());
    let reliable = LinkConfig { loss: 0.0, burst: None, ..config };
    let [Ok(lossy), Ok(reliable)] = [Link::new(config), Link::new(reliable)] else {
        unreachable!("presets are links")
    };
    let mut server = Server { actors: Vec::new(), sent: Vec::new(), lossy, reliable };
    for number in 1..=actors {
        let actor = Actor::new(draw, number);
        server.send(0.0, actor.entity.create(actor.entity.description(&actor.place())));
        server.actors.push(actor);
    }
    let mut now = 0.1;
    while now < secs && !draw.is_over() {
        let who = draw.below(server.actors.len());
        server.act(draw, now, who);
        now += draw.between(0.02, 1.2) / f64::from(actors).sqrt();
    }
    server.finish()
}

struct Server {
    actors: Vec<Actor>,
    sent: Vec<Update>,
    lossy: Link,
    reliable: Link,
}

struct Actor {
    entity: ServerEntity,
    at: Vec3,
    heading: f32,
    /// Metres per second.
    speed: f32,
    /// Time of the last position in seconds.
    moved: f64,
    is_present: bool,
}

impl Actor {
    fn new(draw: &mut Draw<'_>, number: u32) -> Self {
        let mut spot = || draw.between(f64::from(MARGIN), f64::from(192.0 - MARGIN)) as f32;
        Self {
            entity: ServerEntity::new(EntityId::new(number)),
            at: Vec3::new(spot(), spot(), 10.0),
            heading: 0.0,
            speed: 0.0,
            moved: 0.0,
            is_present: true,
        }
    }

    fn place(&self) -> Placement {
        let heading = Heading::from_degrees(self.heading.to_degrees().rem_euclid(360.0));
        let place = evenstride_testkit::place(evenstride_testkit::HOME, self.at);
        heading.map_or(place, |heading| Placement {
            pose: place.pose.with_rotation(Rotation::facing(heading)),
            ..place
        })
    }

    /// Walks up to `now`, and turns back at the border.
    fn walk(&mut self, now: f64) {
        let metres = self.speed * (now - self.moved) as f32;
        let ahead = self.at + Vec3::new(self.heading.sin(), self.heading.cos(), 0.0) * metres;
        let inside = |along: f32| (MARGIN..192.0 - MARGIN).contains(&along);
        if inside(ahead.x) && inside(ahead.y) {
            self.at = ahead;
        } else {
            self.heading = (self.heading + TAU / 2.0) % TAU;
        }
        self.moved = now;
    }
}

impl Server {
    /// One actor does something, and says so.
    fn act(&mut self, draw: &mut Draw<'_>, now: f64, who: usize) {
        let other = self.actors[draw.below(self.actors.len())].entity;
        let actor = &mut self.actors[who];
        actor.walk(now);
        let mut messages = Vec::new();
        if !actor.is_present {
            actor.is_present = true;
            actor.entity = actor.entity.next_life();
            messages.push(actor.entity.create(actor.entity.description(&actor.place())));
        }
        match draw.below(16) {
            0..=4 => {}
            5..=7 => {
                actor.heading = draw.between(0.0, f64::from(TAU)) as f32;
                let rate = draw.between(0.5, 2.5) as f32;
                actor.speed = 4.0 * rate;
                messages.push(actor.entity.runs(rate));
            }
            8 => {
                actor.speed = 0.0;
                messages.push(actor.entity.stands());
            }
            kind @ 9..=11 => {
                actor.speed = 0.0;
                let (cell, origin, run_rate) = (evenstride_testkit::HOME, actor.at, 1.0);
                messages.push(actor.entity.ordered(match kind {
                    9 => {
                        let (origin, params) = (Actor::new(draw, 0).at, MoveToParams::default());
                        MovementKind::MoveToPosition { cell, origin, params, run_rate }
                    }
                    10 => {
                        let (target, params) = (other.id, draw.move_to_params());
                        MovementKind::MoveToObject { target, cell, origin, params, run_rate }
                    }
                    _ => {
                        let (state, stick_to) = (InterpretedState::default(), Some(other.id));
                        MovementKind::Interpreted { state, stick_to }
                    }
                }));
            }
            12 => messages.push(actor.entity.velocity(Vec3::new(0.0, 2.0, draw.between(1.0, 8.0) as f32))),
            13 => {
                actor.at = Actor::new(draw, 0).at;
                messages.push(actor.entity.teleport(&actor.place()));
            }
            14 => {
                let hidden = if draw.one_in(2) { PhysicsState::HIDDEN } else { PhysicsState::empty() };
                messages.push(actor.entity.state(PhysicsState::default() | hidden));
            }
            _ if draw.one_in(2) => {
                actor.is_present = false;
                messages.push(actor.entity.delete());
            }
            _ if other.id != actor.entity.id => messages.push(actor.entity.held_by(&other, 1)),
            _ => messages.push(actor.entity.pickup()),
        }
        if actor.is_present {
            let mut pack = actor.entity.position_pack(&actor.place());
            pack.has_contact = !draw.one_in(12);
            messages.push(Update::Position(PositionUpdate { entity: actor.entity.id, pack }));
        }
        messages.into_iter().for_each(|message| self.send(now, message));
    }

    fn send(&mut self, now: f64, message: Update) {
        let number = (self.sent.len() as u32).to_le_bytes().to_vec();
        let link = if matches!(message, Update::Position(_)) { &mut self.lossy } else { &mut self.reliable };
        link.send(now, number);
        self.sent.push(message);
    }

    /// Delivers what is under way, and then has all actors stand where they are.
    fn finish(mut self) -> Traffic {
        let mut messages = Vec::new();
        for link in [&mut self.lossy, &mut self.reliable] {
            while let Some(arrived) = link.receive(f64::MAX) {
                let number = arrived.bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
                messages.push((arrived.at, self.sent[number as usize].clone()));
            }
        }
        messages.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut ends = [Vec::new(), Vec::new(), Vec::new()];
        let mut standing = Vec::new();
        for actor in self.actors.iter_mut().filter(|actor| actor.is_present) {
            let place = actor.place();
            for end in &mut ends {
                end.extend([actor.entity.stands(), actor.entity.position(&place)]);
            }
            standing.push((actor.entity.id, place));
        }
        Traffic { messages, ends, standing }
    }
}
