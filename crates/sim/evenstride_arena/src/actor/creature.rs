//! Messages that servers send about creatures. The server sends where a creature is to go, then its
//! place five times per second while it moves.

use evenstride_link::Random;
use evenstride_types::{
    EntityId, Placement, StampKind, Vec3,
    update::{InterpretedState, MotionCommand, MovementKind, ServerEntity},
};
use evenstride_wire::Message;

use super::{
    body::{Body, Goal},
    said::{creature_at, ordered, strikes, usual},
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

/// Distance in metres beyond which a creature runs.
const RUN_BEYOND: f32 = 15.0;

/// Flags of the goals: to a place, to an entity while charging, away from an entity while charging.
const TO_PLACE: u32 = 0x1_EE0F;
const TO_SOMEBODY: u32 = 0x1_EE1F;
const AWAY: u32 = 0x1_ED1F;

pub(super) struct CreatureTeller {
    random: Random,
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
    Flee(String),
    Patrol { places: Vec<[f32; 2]>, next: usize, waits_until: f64 },
    Wander { until: f64 },
}

type Found = Option<(EntityId, Placement)>;

impl CreatureTeller {
    pub(super) const fn new(seed: u64) -> Self {
        Self {
            random: Random::seeded(seed),
            next_place: 0.0,
            plan: Plan::Nothing,
            sticks_until: None,
            has_struck: false,
            is_dead: false,
        }
    }

    pub(super) fn act(
        &mut self,
        verb: &Verb,
        entity: &mut ServerEntity,
        body: &mut Body,
        time: f64,
        seek: &impl Fn(&str) -> Found,
        said: &mut Vec<Message>,
    ) {
        self.plan = Plan::Nothing;
        match verb {
            Verb::Stand => {
                body.stand();
                said.push(ordered(entity, InterpretedState::default()));
            }
            Verb::Walk(speed) => {
                body.goal = Goal::Nowhere;
                body.walk(*speed);
                let state = InterpretedState::doing(MotionCommand::WALK_FORWARD, *speed);
                said.push(ordered(entity, state));
            }
            Verb::Run(speed) => {
                body.goal = Goal::Nowhere;
                body.run(*speed);
                let state = InterpretedState::doing(MotionCommand::RUN_FORWARD, body.keys.speed);
                said.push(ordered(entity, state));
            }
            Verb::Go(place) => self.go(*place, entity, body, said),
            Verb::Chase(name) => {
                self.plan = Plan::Chase(name.clone());
                self.order_towards(name, entity, body, seek, said);
            }
            Verb::Flee(name) => {
                self.plan = Plan::Flee(name.clone());
                if let Some((target, at)) = seek(name) {
                    body.run(1.0);
                    body.goal = Goal::AwayFrom(name.clone());
                    said.push(entity.ordered(to_somebody(target, &at, AWAY, body.run_rate)).into());
                }
            }
            Verb::Patrol(places) => {
                self.plan = Plan::Patrol { places: places.clone(), next: 0, waits_until: time };
            }
            Verb::Wander => self.plan = Plan::Wander { until: time },
            Verb::Strike(name) => {
                if let Some((target, _)) = seek(name) {
                    // Servers send a new teleport stamp with the first blow.
                    if !std::mem::replace(&mut self.has_struck, true) {
                        entity.next(StampKind::Teleport);
                        said.push(creature_at(entity, body));
                    }
                    body.stand();
                    body.goal = Goal::Beside(name.clone());
                    self.sticks_until = Some(time + STICKS_SECS);
                    said.push(strikes(entity, target));
                }
            }
            Verb::Teleport(to) => {
                body.put(*to);
                entity.next(StampKind::Teleport);
                said.push(creature_at(entity, body));
            }
            Verb::Die => {
                body.stand();
                self.is_dead = true;
                let state = InterpretedState::doing(MotionCommand::DEAD, 1.0);
                said.push(ordered(entity, state));
            }
            // Only players do these.
            Verb::Back | Verb::Strafe(_) | Verb::Turn(_) | Verb::Jump(_) | Verb::Vanish => {}
        }
    }

    /// Makes the creature's own decisions, before it moves.
    pub(super) fn decide(
        &mut self,
        entity: &mut ServerEntity,
        body: &mut Body,
        time: f64,
        seek: &impl Fn(&str) -> Found,
        said: &mut Vec<Message>,
    ) {
        if self.is_dead {
            return;
        }
        if self.sticks_until.is_some_and(|until| time >= until) {
            self.sticks_until = None;
            body.stand();
        }
        if self.sticks_until.is_some() || body.goal != Goal::Nowhere {
            return;
        }
        match &mut self.plan {
            Plan::Nothing | Plan::Flee(_) => {}
            // A creature that has caught up stands. It runs again when the target is more than 2.5
            // m away.
            Plan::Chase(name) => {
                let name = name.clone();
                let is_far = seek(&name).is_some_and(|(_, at)| body.place().distance(&at) > 2.5);
                if is_far {
                    self.order_towards(&name, entity, body, seek, said);
                }
            }
            Plan::Patrol { places, next, waits_until } => {
                if time >= *waits_until {
                    let place = places[*next % places.len()];
                    *next += 1;
                    *waits_until = time + 0.5;
                    self.go(place, entity, body, said);
                }
            }
            Plan::Wander { until } => {
                if time >= *until {
                    *until = time + body.random.between(4.0, 12.0);
                    let place = body.somewhere();
                    self.go(place, entity, body, said);
                }
            }
        }
    }

    /// Sends the creature's place when one is due. No place is sent while the creature stays close
    /// to a target.
    pub(super) fn tell(
        &mut self,
        entity: &mut ServerEntity,
        body: &Body,
        time: f64,
        said: &mut Vec<Message>,
    ) {
        if self.sticks_until.is_some() || !body.has_moved || time < self.next_place {
            return;
        }
        let late = self.random.unit();
        let hole = if self.random.happens(HOLE_PART) { HOLE_SECS * self.random.unit() } else { 0.0 };
        self.next_place = time + EVERY_SECS + LATE_SECS * late * late + hole;
        said.push(creature_at(entity, body));
    }

    fn go(&self, [x, y]: [f32; 2], entity: &mut ServerEntity, body: &mut Body, said: &mut Vec<Message>) {
        if body.distance_to(x, y) - 1.1 > RUN_BEYOND {
            body.run(1.0);
        } else {
            body.walk(1.0);
        }
        let here = body.place();
        let mut there = Body::new([x, y], 0.0, 1.0, crate::scenario::Ground::Flat, 0).place();
        // The target height is the creature's own. Servers know the ground, but these goals are map
        // coordinates.
        if let Ok(pose) = there.pose.with_origin(there.pose.origin().with_z(here.pose.origin().z)) {
            there.pose = pose;
        }
        body.goal = Goal::Place(Vec3::new(x, y, 0.0));
        let (cell, origin) = (there.cell.raw(), there.pose.origin());
        let kind =
            MovementKind::MoveToPosition { cell, origin, params: usual(TO_PLACE), run_rate: body.run_rate };
        said.push(entity.ordered(kind).into());
    }

    fn order_towards(
        &self,
        name: &str,
        entity: &mut ServerEntity,
        body: &mut Body,
        seek: &impl Fn(&str) -> Found,
        said: &mut Vec<Message>,
    ) {
        if let Some((target, at)) = seek(name) {
            body.run(1.0);
            body.goal = Goal::Near(name.to_owned());
            said.push(entity.ordered(to_somebody(target, &at, TO_SOMEBODY, body.run_rate)).into());
        }
    }
}

fn to_somebody(target: EntityId, at: &Placement, flags: u32, run_rate: f32) -> MovementKind {
    let (cell, origin) = (at.cell.raw(), at.pose.origin());
    MovementKind::MoveToObject { target, cell, origin, params: usual(flags), run_rate }
}
