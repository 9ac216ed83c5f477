//! Messages that servers send about creatures. The server sends where a creature is to go, then its
//! place five times per second while it moves.

use evenstride_link::Random;
use evenstride_types::{
    EntityId, Placement, SimTime, StampKind,
    update::{InterpretedState, MotionCommand, MovementKind, ServerEntity, Update},
};
use evenstride_wire::Message;

use super::{
    ground::offset,
    said::{creature_at, ordered, strikes, usual},
    server_world::ServerWorld,
};
use crate::verb::Verb;

/// Seconds between two places of a moving creature. The server's tick adds a little.
const EVERY_SECS: f64 = 0.2;

/// Longest delay in seconds that a tick adds, probability of a longer gap, and longest such gap in
/// seconds.
const LATE_SECS: f64 = 0.046;
const HOLE_PART: f64 = 0.004;
const HOLE_SECS: f64 = 0.85;

/// Seconds for which a creature stays close after a blow.
const STICKS_SECS: f64 = 1.0;

/// Distance in metres between centres at which a creature that has caught up chases again.
const CHASE_BEYOND: f64 = 2.5;

/// Distance in metres on each axis within which a creature wanders.
const WANDERS: f64 = 14.0;

/// Flags of the goals: to a place, to an entity while charging, away from an entity while charging.
const TO_PLACE: u32 = 0x1_EE0F;
const TO_SOMEBODY: u32 = 0x1_EE1F;
const AWAY: u32 = 0x1_ED1F;

pub(super) struct CreatureTeller {
    random: Random,
    run_rate: f32,
    home: Placement,
    /// Place at the last tick.
    here: Placement,
    next_place: f64,
    plan: Plan,
    /// Time in seconds until which the creature stays close to its target.
    sticks_until: Option<f64>,
    has_struck: bool,
    is_dead: bool,
}

/// The plan that a creature keeps to.
#[derive(Clone, Debug, PartialEq)]
enum Plan {
    Nothing,
    Chase(String),
    Flee,
    Patrol { places: Vec<[f32; 2]>, next: usize, waits_until: f64 },
    Wander { until: f64 },
}

type Found = Option<(EntityId, Placement)>;

/// What a creature acts on in one tick.
pub(super) struct ServerTurn<'a> {
    pub(super) entity: &'a mut ServerEntity,
    pub(super) world: &'a mut ServerWorld,
    pub(super) now: SimTime,
    pub(super) said: &'a mut Vec<Message>,
}

impl ServerTurn<'_> {
    /// Sends an order, and carries it out.
    fn order(&mut self, update: Update) {
        self.world.carry_out(self.now, &update);
        self.said.push(update.into());
    }

    /// Sends the creature somewhere.
    fn send(&mut self, kind: MovementKind) {
        let update = self.entity.ordered(kind);
        self.order(update);
    }

    fn place(&self, otherwise: Placement) -> Placement {
        self.world.place(self.entity.id).unwrap_or(otherwise)
    }
}

impl CreatureTeller {
    pub(super) const fn new(seed: u64, home: Placement, run_rate: f32) -> Self {
        Self {
            random: Random::seeded(seed),
            run_rate,
            home,
            here: home,
            next_place: 0.0,
            plan: Plan::Nothing,
            sticks_until: None,
            has_struck: false,
            is_dead: false,
        }
    }

    pub(super) const fn place(&self) -> Placement {
        self.here
    }

    pub(super) fn act(&mut self, verb: &Verb, turn: &mut ServerTurn<'_>, seek: &impl Fn(&str) -> Found) {
        self.plan = Plan::Nothing;
        let time = turn.now.as_secs();
        let state = |command, speed| InterpretedState::doing(command, speed);
        match verb {
            Verb::Stand => {
                let update = ordered(turn.entity, InterpretedState::default());
                turn.order(update);
            }
            Verb::Walk(speed) => {
                let update = ordered(turn.entity, state(MotionCommand::WALK_FORWARD, *speed));
                turn.order(update);
            }
            Verb::Run(speed) => {
                let speed = *speed * self.run_rate;
                let update = ordered(turn.entity, state(MotionCommand::RUN_FORWARD, speed));
                turn.order(update);
            }
            Verb::Go(place) => self.go(*place, turn),
            Verb::Chase(name) => {
                self.plan = Plan::Chase(name.clone());
                self.send_towards(name, TO_SOMEBODY, turn, seek);
            }
            Verb::Flee(name) => {
                self.plan = Plan::Flee;
                self.send_towards(name, AWAY, turn, seek);
            }
            Verb::Patrol(places) => {
                self.plan = Plan::Patrol { places: places.clone(), next: 0, waits_until: time };
            }
            Verb::Wander => self.plan = Plan::Wander { until: time },
            Verb::Strike(name) => {
                if let Some((target, _)) = seek(name) {
                    // Servers send a new teleport stamp with the first blow.
                    if !std::mem::replace(&mut self.has_struck, true) {
                        turn.entity.next(StampKind::Teleport);
                        turn.said.push(creature_at(turn.entity, &self.here));
                    }
                    self.sticks_until = Some(time + STICKS_SECS);
                    let update = strikes(turn.entity, target);
                    turn.order(update);
                }
            }
            Verb::Teleport(to) => {
                let there = turn.world.ground.at(*to, self.here.pose.heading().degrees());
                turn.world.put(turn.now, turn.entity.id, there);
                self.here = turn.place(there);
                turn.entity.next(StampKind::Teleport);
                turn.said.push(creature_at(turn.entity, &self.here));
            }
            Verb::Die => {
                self.is_dead = true;
                let update = ordered(turn.entity, state(MotionCommand::DEAD, 1.0));
                turn.order(update);
            }
            // Only players do these.
            Verb::Back | Verb::Strafe(_) | Verb::Turn(_) | Verb::Jump(_) | Verb::Vanish => {}
        }
    }

    /// Decides where to go next, if the creature has arrived.
    pub(super) fn decide(&mut self, turn: &mut ServerTurn<'_>, seek: &impl Fn(&str) -> Found) {
        let time = turn.now.as_secs();
        if self.is_dead {
            return;
        }
        if self.sticks_until.is_some_and(|until| time >= until) {
            self.sticks_until = None;
        }
        if self.sticks_until.is_some() || turn.world.is_sent(turn.entity.id) {
            return;
        }
        match &mut self.plan {
            Plan::Nothing | Plan::Flee => {}
            Plan::Chase(name) => {
                let name = name.clone();
                if seek(&name).is_some_and(|(_, at)| self.here.distance(&at) > CHASE_BEYOND) {
                    self.send_towards(&name, TO_SOMEBODY, turn, seek);
                }
            }
            Plan::Patrol { places, next, waits_until } => {
                if time >= *waits_until {
                    let place = places[*next % places.len()];
                    *next += 1;
                    *waits_until = time + 0.5;
                    self.go(place, turn);
                }
            }
            Plan::Wander { until } => {
                if time >= *until {
                    *until = time + self.random.between(4.0, 12.0);
                    let home = offset(&self.home);
                    let mut aside = || self.random.between(-WANDERS, WANDERS) as f32;
                    let place = [home.x + aside(), home.y + aside()];
                    self.go(place, turn);
                }
            }
        }
    }

    /// Sends the creature's place when one is due. No place is sent while the creature stays close
    /// to a target.
    pub(super) fn tell(&mut self, turn: &mut ServerTurn<'_>) {
        let time = turn.now.as_secs();
        let before = self.here;
        self.here = turn.place(before);
        if self.sticks_until.is_some() || self.here == before || time < self.next_place {
            return;
        }
        let late = self.random.unit();
        let hole = if self.random.happens(HOLE_PART) { HOLE_SECS * self.random.unit() } else { 0.0 };
        self.next_place = time + EVERY_SECS + LATE_SECS * late * late + hole;
        turn.said.push(creature_at(turn.entity, &self.here));
    }

    fn go(&self, to: [f32; 2], turn: &mut ServerTurn<'_>) {
        // The target height is the creature's own. Servers know the ground, but these goals are map
        // coordinates.
        let there = turn.world.ground.at(to, 0.0);
        let origin = there.pose.origin().with_z(self.here.pose.origin().z);
        let (cell, params) = (there.cell.raw(), usual(TO_PLACE));
        turn.send(MovementKind::MoveToPosition { cell, origin, params, run_rate: self.run_rate });
    }

    fn send_towards(&self, name: &str, flags: u32, turn: &mut ServerTurn<'_>, seek: &impl Fn(&str) -> Found) {
        if let Some((target, at)) = seek(name) {
            let (cell, origin) = (at.cell.raw(), at.pose.origin());
            let (params, run_rate) = (usual(flags), self.run_rate);
            turn.send(MovementKind::MoveToObject { target, cell, origin, params, run_rate });
        }
    }
}
