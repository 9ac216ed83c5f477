//! The context for reference traces: single events in, internal counters out, everything through the production step.
//!
//! Only `evenstride_conform` may use this (tidy checks). It is not part of the public interface.

use alloc::{sync::Arc, vec::Vec};

use evenstride_types::{
    EntityId, Heading, Placement, Pose, SimTime, Stamp, StampKind, Vec3,
    update::{MotionCommand, PhysicsState, PositionPack, VectorUpdate},
};

use crate::{
    BodySetup, Config, Disposition, Enqueued, Gait, IgnoreReason, MotionWorld, Note, ParkReason,
    Surroundings,
    flight::Flight,
    follow::Follow,
    intake::{Context, Life, life},
    legs::{
        Clip, MotionLibrary,
        body::LegState,
        sequence::{Node, Sequence},
    },
    pool::Pool,
    rounds::StepBy,
    route::{HeadingMode, NO_DISTANCE, WaypointKind},
    store::{Flags, IdleTime},
    tether::Leeway,
    why::Journal,
};

pub use crate::legs::probe::{
    InterpreterReading, LegsProbe, Played, ProbeBeing, ProbeGame, ProbeItem, ProbeParams, TableReading,
};
pub use crate::moveto::probe::{
    DoubleSetup, MoveToProbe, ProbeCall, ProbeMoveTo, ProbeOrder, ProbeWatcher, pure,
};

/// A world with one body under observation.
#[derive(Clone, Debug)]
pub struct Probe {
    pub world: MotionWorld,
    entity: EntityId,
    friction: Option<f32>,
    log: Log,
}

/// What the body did since it was last asked.
#[derive(Clone, Debug, Default)]
pub struct Log {
    pub notes: Vec<Note>,
    pub slices: Vec<f32>,
}

impl Journal for Log {
    fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    fn slice(&mut self, secs: f32) {
        self.slices.push(secs);
    }
}

/// The scene a trace starts with.
#[derive(Clone, Debug)]
pub struct ProbeSetup {
    pub config: Config,
    pub start: SimTime,
    pub setup: BodySetup,
    pub contact: bool,
    pub walkable: bool,
    /// Absent: there is no friction.
    pub friction: Option<f32>,
    /// Absent: not known yet.
    pub viewpoint_distance: Option<f32>,
    pub viewpoint: Option<Placement>,
    pub has_cell: bool,
    pub velocity: Vec3,
    pub omega: Vec3,
    pub speed_factor: f32,
    /// What its legs can play.
    pub library: MotionLibrary,
}

/// The kinds of waypoint.
#[derive(Clone, Copy, Debug)]
pub enum ProbeWaypoint {
    Reach,
    Jump,
    SetVelocity(Vec3),
}

/// Everything a trace looks at.
#[derive(Clone, Debug)]
pub struct Reading {
    pub place: Placement,
    pub velocity: Vec3,
    pub last_velocity: Vec3,
    pub contact: bool,
    pub walkable: bool,
    pub active: bool,
    pub waypoints: u16,
    pub given_up: u8,
    pub audit_steps: u8,
    pub audit_secs: f32,
    pub audit_distance: f32,
    pub keeps_heading: bool,
    pub tether_on: bool,
    pub tether_travelled: f32,
    pub follow_target: Option<EntityId>,
    pub follow_heard: bool,
    pub moves_to: bool,
    pub viewpoint_distance: f32,
    /// Instance, position, teleport, vector.
    pub stamps: [u16; 4],
}

const SUBJECT: EntityId = EntityId::new(0x5000_0001);

impl Probe {
    pub fn new(setup: &ProbeSetup) -> Self {
        let mut world = MotionWorld::new(setup.config, setup.start);
        world.set_library(Arc::new(setup.library.clone()));
        let inserted = world.insert(setup.start, SUBJECT, &BodySetup { grounded: false, ..setup.setup });
        debug_assert!(inserted.is_ok());
        let mut probe = Self {
            world,
            entity: SUBJECT,
            friction: setup.friction,
            log: Log { notes: Vec::new(), slices: Vec::new() },
        };
        // Without a viewpoint distances are unknown, unless the trace says one.
        probe.world.set_viewpoint(setup.viewpoint);
        let slot = probe.slot();
        let mut body = probe.world.store.at(slot);
        body.body.distance = setup.viewpoint_distance.unwrap_or(f32::MAX);
        // Traces without animations have none, whatever the gait says.
        body.set_drift(Vec3::ZERO, Vec3::ZERO);
        body.set_gait(Gait { speed_factor: setup.speed_factor, ..setup.setup.gait });
        if let Some(friction) = setup.friction {
            body.detail.build.friction = friction;
        }
        body.set_flight(Flight { velocity: setup.velocity, omega: setup.omega, took_off_z: None });
        body.body.flags.set(Flags::HAS_CELL, setup.has_cell);
        probe.set_contact(setup.contact, setup.walkable);
        probe
    }

    fn slot(&self) -> usize {
        self.world.slot(self.entity).unwrap_or(0)
    }

    pub fn take_log(&mut self) -> Log {
        core::mem::take(&mut self.log)
    }

    pub fn position(
        &mut self,
        now: SimTime,
        pack: &PositionPack,
        surroundings: &impl Surroundings,
    ) -> Disposition {
        let slot = self.slot();
        match life(&self.world.store.ledgers[slot].stamps, pack.instance) {
            Life::This => {}
            Life::Later => return Disposition::Parked(ParkReason::NewerInstance),
            Life::Earlier => return Disposition::Ignored(IgnoreReason::OlderInstance),
        }
        let config = *self.world.config();
        let context = Context { now, config: &config, surroundings };
        self.world.store.at(slot).receive_position(pack, context, &mut self.log)
    }

    pub fn vector(&mut self, now: SimTime, velocity: Vec3, omega: Vec3, stamp: Stamp) -> Disposition {
        let slot = self.slot();
        let instance = self.world.store.ledgers[slot].stamps.seen(StampKind::Instance);
        let update = VectorUpdate { entity: self.entity, velocity, omega, instance, stamp };
        self.world.store.at(slot).receive_vector(&update, true, now)
    }

    pub fn set_gait(&mut self, forward: MotionCommand, forward_speed: f32, run_rate: f32) {
        let slot = self.slot();
        let mut body = self.world.store.at(slot);
        body.set_gait(Gait { forward, forward_speed, run_rate, ..*body.gait });
    }

    pub fn run_rate(&self) -> f32 {
        self.world.store.gaits[self.slot()].run_rate
    }

    pub fn set_contact(&mut self, contact: bool, walkable: bool) {
        let slot = self.slot();
        let flags = &mut self.world.store.bodies[slot].flags;
        flags.set(Flags::CONTACT, contact);
        flags.set(Flags::WALKABLE, walkable);
        flags.set(Flags::HAS_NORMAL, contact && self.friction.is_some());
        self.world.store.at(slot).settle_acceleration();
    }

    pub fn set_moves_to(&mut self, value: bool) {
        let slot = self.slot();
        self.world.store.bodies[slot].flags.set(Flags::MOVES_TO, value);
    }

    pub fn stick(&mut self, now: SimTime, target: EntityId, radius: f32) {
        let slot = self.slot();
        self.unstick();
        let mut body = self.world.store.at(slot);
        body.wake(now.as_secs());
        body.body.links.follow = body.follows.insert(Follow::begin(target, radius, now));
        // Traces send notices themselves: whoever is followed is only looked up.
        let watched = self.world.slot(target);
        let _ = self.world.store.set_target(slot, target, watched, 0.5, now, &mut ());
    }

    pub fn unstick(&mut self) {
        let slot = self.slot();
        self.world.store.at(slot).end_follow(&mut ());
    }

    pub fn target_heard(&mut self, target: EntityId, place: Option<Placement>) {
        let slot = self.slot();
        let mut body = self.world.store.at(slot);
        let Some(follow) = body.follows.get_mut(body.body.links.follow) else { return };
        if follow.target != target {
            return;
        }
        match place {
            Some(place) => follow.heard = Some(place),
            None => body.end_follow(&mut ()),
        }
    }

    /// Puts another entity somewhere, or takes it away, telling nobody: the traces send notices themselves.
    pub fn other(&mut self, entity: EntityId, place: Option<Placement>) {
        if let Some(slot) = self.world.slot(entity) {
            self.world.drop_row(slot);
        }
        if let Some(place) = place {
            let setup = BodySetup { state: PhysicsState::STATIC, ..BodySetup::at(place) };
            let inserted = self.world.insert(self.world.clock.now, entity, &setup);
            debug_assert!(inserted.is_ok());
        }
    }

    pub fn set_viewpoint(&mut self, place: Option<Placement>) {
        self.world.set_viewpoint(place);
    }

    pub fn set_viewpoint_distance(&mut self, distance: f32) {
        let slot = self.slot();
        self.world.store.bodies[slot].distance = distance;
    }

    pub fn constrain(&mut self, now: SimTime, anchor: &Placement, start: f32, max: f32) {
        let slot = self.slot();
        let mut body = self.world.store.at(slot);
        body.wake(now.as_secs());
        let from_anchor = anchor.distance(&body.body.place);
        body.detail.tether.arm(from_anchor, Leeway { start, max });
    }

    pub fn unconstrain(&mut self) {
        let slot = self.slot();
        self.world.store.details[slot].tether.release();
    }

    pub fn interpolate(&mut self, now: SimTime, place: Placement, keep_heading: bool) -> Enqueued {
        let slot = self.slot();
        let keep = if keep_heading { HeadingMode::Keep } else { HeadingMode::Adopt };
        self.world.store.at(slot).enqueue(place, keep, now, &mut self.log)
    }

    pub fn push_waypoint(&mut self, now: SimTime, place: Placement, kind: ProbeWaypoint) {
        let slot = self.slot();
        self.world.store.at(slot).wake(now.as_secs());
        let body = self.world.store.at(slot);
        let route = &mut body.body.links.route;
        match kind {
            ProbeWaypoint::Reach => body.routes.push(route, place, WaypointKind::Reach),
            ProbeWaypoint::Jump => body.routes.push(route, place, WaypointKind::Jump),
            ProbeWaypoint::SetVelocity(velocity) => body.routes.push_velocity(route, place, velocity),
        }
    }

    pub fn stop_route(&mut self) {
        let slot = self.slot();
        let body = self.world.store.at(slot);
        body.routes.stop(&mut body.body.links.route);
    }

    pub fn set_velocity(&mut self, now: SimTime, velocity: Vec3) {
        let slot = self.slot();
        self.world.store.at(slot).set_velocity(velocity, now.as_secs());
    }

    pub fn set_omega(&mut self, omega: Vec3) {
        let slot = self.slot();
        self.world.store.at(slot).set_omega(omega);
    }

    pub fn set_heading(&mut self, heading: Heading) {
        let slot = self.slot();
        let pose = &mut self.world.store.bodies[slot].place.pose;
        *pose = pose.with_heading(heading);
    }

    pub fn set_has_cell(&mut self, has_cell: bool) {
        let slot = self.slot();
        self.world.store.bodies[slot].flags.set(Flags::HAS_CELL, has_cell);
    }

    pub fn put(&mut self, now: SimTime, place: Placement, surroundings: &impl Surroundings) -> bool {
        let slot = self.slot();
        let config = *self.world.config();
        let context = Context { now, config: &config, surroundings };
        self.world.store.at(slot).put(place, false, context, &mut self.log)
    }

    pub fn set_drift(&mut self, velocity: Option<Vec3>, omega: Option<Vec3>) {
        self.sequence(|sequence, _, _| {
            sequence.velocity = velocity.unwrap_or(sequence.velocity);
            sequence.omega = omega.unwrap_or(sequence.omega);
        });
    }

    pub fn append(&mut self, animation: u32, low: i32, high: i32, rate: f32) {
        let clip = Clip { animation, low, high, rate };
        self.sequence(|sequence, nodes, library| sequence.append(nodes, library, &clip, 1.0));
    }

    pub fn clear_animations(&mut self) {
        self.sequence(|sequence, nodes, _| sequence.clear_animations(nodes));
    }

    pub fn remove_cyclic(&mut self) {
        self.sequence(|sequence, nodes, _| sequence.remove_cyclic(nodes));
    }

    pub fn remove_links(&mut self, count: u32) {
        self.sequence(|sequence, nodes, _| sequence.remove_links(nodes, count));
    }

    pub fn multiply(&mut self, by: f32) {
        self.sequence(|sequence, nodes, _| sequence.multiply_cyclic(nodes, by));
    }

    /// Frame number, and which animation of the list is played.
    pub fn frame(&self) -> (f64, Option<usize>) {
        let store = &self.world.store;
        let state = store.limbs.states.get(store.bodies[self.slot()].links.legs);
        let sequence = state.map(|state| state.playing.sequence).unwrap_or_default();
        (sequence.frame, sequence.current_place(&store.limbs.nodes))
    }

    /// Changes what the legs play, as no table would.
    fn sequence(&mut self, change: impl FnOnce(&mut Sequence, &mut Pool<Node>, &MotionLibrary)) {
        let slot = self.slot();
        let body = self.world.store.at(slot);
        if !body.body.links.legs.is_some() {
            body.body.links.legs = body.limbs.states.insert(LegState::default());
        }
        let limbs = body.limbs;
        if let Some(state) = limbs.states.get_mut(body.body.links.legs) {
            change(&mut state.playing.sequence, &mut limbs.nodes, body.library);
            let is_restless = state.is_restless(&limbs.nodes, body.library);
            body.body.flags.set(Flags::STRIDES, is_restless);
        }
    }

    /// Driver `internal`: one step.
    pub fn step(&mut self, now: SimTime, secs: f32, surroundings: &impl Surroundings) {
        let slot = self.slot();
        self.world.clock.now = now;
        let target_now = self.target_slot(slot).map(|target| self.world.store.bodies[target].place);
        let config = *self.world.config();
        let context = Context { now, config: &config, surroundings };
        self.log.slice(secs);
        self.world.store.at(slot).step(secs, target_now, context, &mut self.log);
    }

    /// Driver `update_object`: the body's own time slicing.
    pub fn update(&mut self, now: SimTime, surroundings: &impl Surroundings) {
        let slot = self.slot();
        self.world.clock.now = now;
        let target = self.target_slot(slot);
        // Nobody counts as idle here: the log is to see every slice.
        let never = IdleTime { min: f64::INFINITY, max: f64::NEG_INFINITY };
        let viewpoint = self.world.viewpoint();
        let no_viewpoint = self.world.config.no_viewpoint;
        let awake = &mut Vec::new();
        self.world.store.wake_and_cull(
            viewpoint.as_ref(),
            no_viewpoint,
            now.as_secs(),
            never,
            awake,
            &mut (),
        );
        let (mut stepper, _) = self.world.stepper();
        stepper.step_one(slot, target, now, surroundings, StepBy::Elapsed, &mut self.log);
    }

    /// Driver `use_time`: the shared gate.
    pub fn advance(&mut self, now: SimTime, surroundings: &impl Surroundings) {
        let log = &mut self.log;
        self.world.advance_by(now, |world, now, by| {
            let (mut stepper, _) = world.stepper();
            stepper.step_all(now, surroundings, by, log);
        });
    }

    fn target_slot(&self, slot: usize) -> Option<usize> {
        let follow = self.world.store.follows.get(self.world.store.bodies[slot].links.follow)?;
        self.world.slot(follow.target)
    }

    pub fn read(&self) -> Reading {
        let slot = self.slot();
        let store = &self.world.store;
        let (body, detail) = (&store.bodies[slot], &store.details[slot]);
        let route = store.routes.get(body.links.route);
        let follow = store.follows.get(body.links.follow);
        let flags = body.flags;
        let stamp = |kind| store.ledgers[slot].stamps.seen(kind).raw();
        Reading {
            place: body.place,
            velocity: store.flight(slot).velocity,
            last_velocity: detail.last_velocity,
            contact: flags.contains(Flags::CONTACT),
            walkable: flags.contains(Flags::WALKABLE),
            active: flags.contains(Flags::ACTIVE),
            waypoints: route.map_or(0, |route| route.count),
            given_up: route.map_or(0, |route| route.given_up),
            audit_steps: route.map_or(0, |route| route.audit_steps),
            audit_secs: route.map_or(0.0, |route| route.audit_secs),
            audit_distance: route.map_or(NO_DISTANCE, |route| route.audit_distance),
            keeps_heading: flags.contains(Flags::KEEPS_HEADING),
            tether_on: detail.tether.is_on,
            tether_travelled: detail.tether.travelled,
            follow_target: follow.map(|follow| follow.target),
            follow_heard: follow.is_some_and(|follow| follow.heard.is_some()),
            moves_to: flags.contains(Flags::MOVES_TO),
            viewpoint_distance: body.distance,
            stamps: [
                stamp(StampKind::Instance),
                stamp(StampKind::Position),
                stamp(StampKind::Teleport),
                stamp(StampKind::Vector),
            ],
        }
    }
}

/// A body that nothing but its velocity moves, for driver `render38`.
#[derive(Clone, Copy, Debug)]
pub struct Projectile {
    flight: Flight,
    is_falling: bool,
    state: PhysicsState,
}

impl Projectile {
    pub const fn new(velocity: Vec3, omega: Vec3, is_falling: bool, state: PhysicsState) -> Self {
        Self { flight: Flight { velocity, omega, took_off_z: None }, is_falling, state }
    }

    pub const fn velocity(&self) -> Vec3 {
        self.flight.velocity
    }

    pub fn set_velocity(&mut self, velocity: Vec3) {
        self.flight.set_velocity(velocity);
    }

    pub fn carry(&mut self, pose: Pose, secs: f32) -> Pose {
        let (origin, spun) = self.flight.carry(pose, secs, self.is_falling, None, self.state);
        spun.with_origin(origin).unwrap_or(spun)
    }
}
