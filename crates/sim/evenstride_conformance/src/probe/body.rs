//! One body in a world, which takes single events and reads internal values.

use std::sync::Arc;

use evenstride::{
    BodySetup, Config, Disposition, Happening, MotionWorld, Surroundings,
    animation::{Clip, InterpretedMotion, MotionAxis, MotionLibrary},
    outcome::{Enqueued, IgnoreReason, ParkReason},
    probe,
    probe::{
        Animator, Attempt, BodyMut, ContactWord, Context, Cull, Flags, Flight, Follow, HeadingMode, Journal,
        Leeway, Life, Node, Pool, PoolIndex, Sequence, SliceTime, StepBy, Store, Waypoint, WaypointKind,
        life,
    },
};
use evenstride_types::{
    EntityId, Heading, Placement, Pose, SimTime, Stamp, StampKind, Vec3,
    update::{MotionCommand, PhysicsState, PositionPack, VectorUpdate},
};

use super::current_of;

/// A world with one body under observation.
#[derive(Clone, Debug)]
pub(crate) struct Probe {
    pub(crate) world: MotionWorld,
    entity: EntityId,
    friction: Option<f32>,
    log: Log,
}

/// Notes and time slices of the body since the last call of `take_log`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    pub(crate) notes: Vec<Happening>,
    pub(crate) slices: Vec<f32>,
}

impl Journal for Log {
    fn note(&mut self, note: Happening) {
        self.notes.push(note);
    }

    fn keeps_slices(&self) -> bool {
        true
    }

    fn slice(&mut self, entity: EntityId, secs: f32) {
        if entity == SUBJECT {
            self.slices.push(secs);
        }
    }
}

/// The scene at the start of a trace.
#[derive(Clone, Debug)]
pub(crate) struct ProbeSetup {
    pub(crate) config: Config,
    pub(crate) start: SimTime,
    pub(crate) setup: BodySetup,
    pub(crate) contact: bool,
    pub(crate) walkable: bool,
    /// `None` means no friction.
    pub(crate) friction: Option<f32>,
    /// `None` means unknown.
    pub(crate) viewpoint_distance: Option<f32>,
    pub(crate) viewpoint: Option<Placement>,
    pub(crate) has_cell: bool,
    pub(crate) velocity: Vec3,
    pub(crate) omega: Vec3,
    pub(crate) speed_factor: f32,
    /// Animations that the body can play.
    pub(crate) library: MotionLibrary,
}

/// The kinds of waypoint.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ProbeWaypoint {
    Reach,
    Jump,
    SetVelocity(Vec3),
}

/// Every value that a trace compares.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) place: Placement,
    pub(crate) velocity: Vec3,
    pub(crate) last_velocity: Vec3,
    pub(crate) contact: bool,
    pub(crate) walkable: bool,
    pub(crate) active: bool,
    pub(crate) waypoints: u16,
    pub(crate) given_up: u8,
    pub(crate) audit_steps: u8,
    pub(crate) audit_secs: f32,
    pub(crate) audit_distance: f32,
    pub(crate) keeps_heading: bool,
    pub(crate) tether_on: bool,
    pub(crate) tether_travelled: f32,
    pub(crate) follow_target: Option<EntityId>,
    pub(crate) follow_heard: bool,
    pub(crate) moves_to: bool,
    pub(crate) viewpoint_distance: f32,
    /// Instance, position, teleport, vector.
    pub(crate) stamps: [u16; 4],
}

const SUBJECT: EntityId = EntityId::new(0x5000_0001);

impl Probe {
    pub(crate) fn new(setup: &ProbeSetup) -> Self {
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
        // Without a viewpoint the distance is unknown, unless the trace gives one.
        probe.world.set_viewpoint(setup.viewpoint);
        let mut body = probe.body();
        body.hot.distance = setup.viewpoint_distance.unwrap_or(f32::MAX);
        // Bodies in traces without animations have no root motion, regardless of their motion.
        body.set_drift(Vec3::ZERO, Vec3::ZERO);
        *body.motion = InterpretedMotion { speed_factor: setup.speed_factor, ..setup.setup.motion };
        body.update_chase_speed();
        if let Some(friction) = setup.friction {
            body.moving.dimensions.friction = friction;
        }
        body.set_flight(Flight { velocity: setup.velocity, omega: setup.omega, ..Flight::REST });
        body.hot.flags.set(Flags::HAS_CELL, setup.has_cell);
        probe.set_contact(setup.contact, setup.walkable);
        probe
    }

    fn slot(&self) -> usize {
        probe::slot(&self.world, self.entity).unwrap_or(0)
    }

    fn store(&mut self) -> &mut Store {
        probe::store(&mut self.world)
    }

    /// Returns the body with all its columns.
    fn body(&mut self) -> BodyMut<'_> {
        let slot = self.slot();
        self.store().body_mut(slot)
    }

    /// Returns the body and its journal.
    fn body_and_log(&mut self) -> (BodyMut<'_>, &mut Log) {
        let slot = self.slot();
        (probe::store(&mut self.world).body_mut(slot), &mut self.log)
    }

    pub(crate) fn take_log(&mut self) -> Log {
        core::mem::take(&mut self.log)
    }

    pub(crate) fn position(
        &mut self,
        now: SimTime,
        pack: &PositionPack,
        surroundings: &impl Surroundings,
    ) -> Disposition {
        let slot = self.slot();
        match life(&self.store().messages[slot].stamps, pack.instance) {
            Life::This => {}
            Life::Later => return Disposition::Parked(ParkReason::NewerInstance),
            Life::Earlier => return Disposition::Ignored(IgnoreReason::OlderInstance),
        }
        let config = *self.world.config();
        let context = Context { now, config: &config, surroundings };
        let (mut body, log) = self.body_and_log();
        body.receive_position(pack, ContactWord::Said, context, log)
    }

    pub(crate) fn vector(&mut self, now: SimTime, velocity: Vec3, omega: Vec3, stamp: Stamp) -> Disposition {
        let slot = self.slot();
        let instance = self.store().messages[slot].stamps.seen(StampKind::Instance);
        let update = VectorUpdate { entity: self.entity, velocity, omega, instance, stamp };
        self.body().receive_vector(&update, true, now)
    }

    pub(crate) fn set_motion(&mut self, forward: MotionCommand, forward_speed: f32, run_rate: f32) {
        let mut body = self.body();
        let forward = MotionAxis::new(forward, forward_speed);
        *body.motion = InterpretedMotion { forward, run_rate, ..*body.motion };
        body.update_chase_speed();
    }

    pub(crate) fn run_rate(&mut self) -> f32 {
        self.body().motion.run_rate
    }

    pub(crate) fn set_contact(&mut self, contact: bool, walkable: bool) {
        let rubs = contact && self.friction.is_some();
        let mut body = self.body();
        body.hot.flags.set(Flags::CONTACT, contact);
        body.hot.flags.set(Flags::WALKABLE, walkable);
        body.hot.flags.set(Flags::HAS_NORMAL, rubs);
        body.settle_acceleration();
    }

    pub(crate) fn set_moves_to(&mut self, value: bool) {
        self.body().hot.flags.set(Flags::MOVES_TO, value);
    }

    pub(crate) fn stick(&mut self, now: SimTime, target: EntityId, radius: f32) {
        self.unstick();
        let mut body = self.body();
        body.wake(now.as_secs());
        body.cold.follow = body.follows.insert(Follow::begin(target, radius, now));
        body.hot.flags.insert(Flags::FOLLOWS);
        // Traces send notices themselves, so the target is only looked up.
        let (slot, watched) = (self.slot(), probe::slot(&self.world, target));
        let _ = self.store().set_target(slot, target, watched, 0.5, now, &mut ());
    }

    pub(crate) fn unstick(&mut self) {
        self.body().end_follow(&mut ());
    }

    pub(crate) fn target_heard(&mut self, target: EntityId, place: Option<Placement>) {
        let mut body = self.body();
        let Some(follow) = body.follows.get_mut(body.cold.follow) else { return };
        if follow.target != target {
            return;
        }
        match place {
            Some(place) => follow.heard = Some(place),
            None => body.end_follow(&mut ()),
        }
    }

    /// Places another entity or removes it, without a notice. The traces send notices themselves.
    pub(crate) fn other(&mut self, entity: EntityId, place: Option<Placement>) {
        if let Some(slot) = probe::slot(&self.world, entity) {
            probe::drop_row(&mut self.world, slot);
        }
        if let Some(place) = place {
            let setup = BodySetup { state: PhysicsState::STATIC, ..BodySetup::at(place) };
            let inserted = self.world.insert(self.world.now(), entity, &setup);
            debug_assert!(inserted.is_ok());
        }
    }

    pub(crate) fn set_viewpoint(&mut self, place: Option<Placement>) {
        self.world.set_viewpoint(place);
    }

    pub(crate) fn set_viewpoint_distance(&mut self, distance: f32) {
        self.body().hot.distance = distance;
    }

    pub(crate) fn constrain(&mut self, now: SimTime, anchor: &Placement, start: f32, max: f32) {
        let mut body = self.body();
        body.wake(now.as_secs());
        let from_anchor = anchor.distance(&body.hot.place);
        body.moving.tether.arm(from_anchor, Leeway { start, max });
    }

    pub(crate) fn unconstrain(&mut self) {
        self.body().moving.tether.release();
    }

    pub(crate) fn interpolate(&mut self, now: SimTime, place: Placement, keep_heading: bool) -> Enqueued {
        let keep = if keep_heading { HeadingMode::Keep } else { HeadingMode::Adopt };
        let (mut body, log) = self.body_and_log();
        body.enqueue(place, keep, now, log)
    }

    pub(crate) fn push_waypoint(&mut self, now: SimTime, place: Placement, kind: ProbeWaypoint) {
        self.body().wake(now.as_secs());
        let mut body = self.body();
        match kind {
            ProbeWaypoint::Reach => body.route.push(body.waypoints, place, WaypointKind::Reach),
            ProbeWaypoint::Jump => body.route.push(body.waypoints, place, WaypointKind::Jump),
            ProbeWaypoint::SetVelocity(velocity) => {
                let velocity: PoolIndex = body.waypoints.velocities.insert(velocity);
                let waypoint = Waypoint { place, kind: WaypointKind::SetVelocity, velocity };
                body.route.append(body.waypoints, waypoint);
            }
        }
        body.mirror_route();
    }

    pub(crate) fn stop_route(&mut self) {
        self.body().stop_route();
    }

    pub(crate) fn set_velocity(&mut self, now: SimTime, velocity: Vec3) {
        self.body().set_velocity(velocity, now.as_secs());
    }

    pub(crate) fn set_omega(&mut self, omega: Vec3) {
        self.body().set_omega(omega);
    }

    pub(crate) fn set_heading(&mut self, heading: Heading) {
        let body = self.body();
        body.hot.place.pose = body.hot.place.pose.with_heading(heading);
    }

    pub(crate) fn set_has_cell(&mut self, has_cell: bool) {
        self.body().hot.flags.set(Flags::HAS_CELL, has_cell);
    }

    pub(crate) fn put(&mut self, now: SimTime, place: Placement, surroundings: &impl Surroundings) -> bool {
        let config = *self.world.config();
        let context = Context { now, config: &config, surroundings };
        let (mut body, log) = self.body_and_log();
        body.put(place, false, context, log)
    }

    pub(crate) fn set_drift(&mut self, velocity: Option<Vec3>, omega: Option<Vec3>) {
        self.sequence(|sequence, _, _| {
            sequence.velocity = velocity.unwrap_or(sequence.velocity);
            sequence.omega = omega.unwrap_or(sequence.omega);
        });
    }

    pub(crate) fn append(&mut self, animation: u32, low: i32, high: i32, rate: f32) {
        let clip = Clip { animation, low, high, rate };
        self.sequence(|sequence, nodes, library| sequence.append(nodes, library, &clip, 1.0));
    }

    pub(crate) fn clear_animations(&mut self) {
        self.sequence(|sequence, nodes, _| sequence.clear_animations(nodes));
    }

    pub(crate) fn remove_cyclic(&mut self) {
        self.sequence(|sequence, nodes, _| sequence.remove_cyclic(nodes));
    }

    pub(crate) fn remove_links(&mut self, count: u32) {
        self.sequence(|sequence, nodes, _| sequence.remove_links(nodes, count));
    }

    pub(crate) fn multiply(&mut self, by: f32) {
        self.sequence(|sequence, nodes, _| sequence.multiply_cyclic(nodes, by));
    }

    /// Returns the frame number, and the index of the animation being played.
    pub(crate) fn frame(&mut self) -> (f64, Option<usize>) {
        let body = self.body();
        let animator = body.locomotion.animators.get(body.hot.animator);
        let sequence = animator.map(|animator| animator.playing.sequence).unwrap_or_default();
        (sequence.frame, current_of(&sequence, &body.locomotion.nodes))
    }

    /// Changes the sequence directly, without a motion table.
    fn sequence(&mut self, change: impl FnOnce(&mut Sequence, &mut Pool<Node>, &MotionLibrary)) {
        let body = self.body();
        if !body.hot.animator.is_some() {
            body.hot.animator = body.locomotion.animators.insert(Animator::default());
        }
        let pools = body.locomotion;
        if let Some(animator) = pools.animators.get_mut(body.hot.animator) {
            change(&mut animator.playing.sequence, &mut pools.nodes, body.library);
            let is_restless = animator.is_restless(&pools.nodes, body.library);
            body.hot.flags.set(Flags::STRIDES, is_restless);
        }
    }

    /// Runs one step, for driver `internal`.
    pub(crate) fn step(&mut self, now: SimTime, secs: f32, surroundings: &impl Surroundings) {
        let slot = self.slot();
        probe::set_now(&mut self.world, now);
        let target = self.target_slot(slot);
        let target_now = target.map(|target| self.store().hot[target].place);
        let config = *self.world.config();
        let context = Context { now, config: &config, surroundings };
        if self.body().hot.flags.contains(Flags::ACTIVE | Flags::HAS_CELL) {
            self.log.slice(SUBJECT, secs);
        }
        let (mut body, log) = self.body_and_log();
        body.step(secs, target_now, context, log);
    }

    /// Runs the body's own time slicing, for driver `update_object`.
    pub(crate) fn update(&mut self, now: SimTime, surroundings: &impl Surroundings) {
        let slot = self.slot();
        probe::set_now(&mut self.world, now);
        let target = self.target_slot(slot);
        // No body counts as idle here, so that the log has every slice.
        let never = SliceTime { min: f64::INFINITY, max: f64::NEG_INFINITY };
        let cull = Cull::new(self.world.viewpoint(), self.world.config().no_viewpoint);
        for slot in 0..self.store().len() {
            let _ = self.store().wake_or_cull(slot, &cull, now.as_secs(), never, &mut ());
        }
        let mut stepper = probe::stepper(&mut self.world);
        let context = Context { now, config: stepper.config, surroundings };
        stepper.step_one(slot, target, Attempt::Untried, context, StepBy::Elapsed, &mut self.log);
    }

    /// Runs the shared gate, for driver `use_time`.
    pub(crate) fn advance(&mut self, now: SimTime, surroundings: &impl Surroundings) {
        probe::advance(&mut self.world, now, surroundings, &mut self.log);
    }

    fn target_slot(&mut self, slot: usize) -> Option<usize> {
        let body = self.store().body_mut(slot);
        let target = body.follows.get(body.cold.follow)?.target;
        probe::slot(&self.world, target)
    }

    pub(crate) fn read(&mut self) -> Reading {
        let slot = self.slot();
        let store = &*self.store();
        let (body, detail) = (&store.hot[slot], &store.moving[slot]);
        let route = &store.routes[slot];
        let follow = store.follows.get(store.cold[slot].follow);
        let flags = body.flags;
        let stamp = |kind| store.messages[slot].stamps.seen(kind).raw();
        Reading {
            place: body.place,
            velocity: store.flights.get(body.flight).map_or(Vec3::ZERO, |flight| flight.velocity),
            last_velocity: detail.last_velocity,
            contact: flags.contains(Flags::CONTACT),
            walkable: flags.contains(Flags::WALKABLE),
            active: flags.contains(Flags::ACTIVE),
            waypoints: route.len() as u16,
            given_up: route.given_up,
            audit_steps: route.audit_steps,
            audit_secs: route.audit_secs,
            audit_distance: route.audit_distance,
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

/// A body that only its velocity moves, for driver `render38`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projectile {
    flight: Flight,
    is_falling: bool,
    state: PhysicsState,
}

impl Projectile {
    pub(crate) const fn new(velocity: Vec3, omega: Vec3, is_falling: bool, state: PhysicsState) -> Self {
        Self { flight: Flight { velocity, omega, ..Flight::REST }, is_falling, state }
    }

    pub(crate) const fn velocity(&self) -> Vec3 {
        self.flight.velocity
    }

    pub(crate) fn set_velocity(&mut self, velocity: Vec3) {
        self.flight.set_velocity(velocity);
    }

    pub(crate) fn carry(&mut self, pose: Pose, secs: f32) -> Pose {
        let (origin, spun) = self.flight.carry(pose, secs, self.is_falling, None, self.state);
        spun.with_origin(origin).unwrap_or(spun)
    }
}

#[cfg(test)]
mod tests {
    use evenstride::OpenField;
    use evenstride_types::{CellId, Rotation};

    use super::*;

    fn at(x: f32) -> Placement {
        let pose = Pose::new(Vec3::new(x, 90.0, 10.0), Rotation::IDENTITY).unwrap();
        Placement::new(CellId::new(0xA9B4_0001).unwrap(), pose)
    }

    fn probe(viewpoint: Placement) -> Probe {
        Probe::new(&ProbeSetup {
            config: Config::RETAIL,
            start: SimTime::ZERO,
            setup: BodySetup::at(at(90.0)),
            contact: true,
            walkable: true,
            friction: None,
            viewpoint_distance: None,
            viewpoint: Some(viewpoint),
            has_cell: true,
            velocity: Vec3::ZERO,
            omega: Vec3::ZERO,
            speed_factor: 1.0,
            library: MotionLibrary::default(),
        })
    }

    /// Runs ten steps and returns the number of slices in the log.
    fn slices(probe: &mut Probe, from: f64) -> usize {
        for step in 1..=10 {
            let now = SimTime::from_secs(from + f64::from(step) * 0.05).unwrap();
            probe.advance(now, &OpenField);
        }
        probe.take_log().slices.len()
    }

    #[test]
    fn a_body_that_is_nowhere_or_asleep_is_seen_to_take_no_step() {
        let mut probe = probe(at(96.0));
        assert_eq!(slices(&mut probe, 0.0), 10);
        probe.set_has_cell(false);
        assert_eq!(slices(&mut probe, 1.0), 0, "nowhere");
        probe.set_has_cell(true);
        // The first tick wakes the body.
        assert_eq!(slices(&mut probe, 2.0), 9);
        probe.set_viewpoint(Some(at(190.0)));
        assert_eq!(slices(&mut probe, 3.0), 0, "asleep beyond 96 m");
    }

    #[test]
    fn the_steps_of_other_bodies_are_not_taken_for_its_own() {
        let mut probe = probe(at(96.0));
        let other = EntityId::new(0x5000_0009);
        probe.world.insert(SimTime::ZERO, other, &BodySetup::at(at(80.0))).unwrap();
        assert_eq!(slices(&mut probe, 0.0), 10);
    }
}
