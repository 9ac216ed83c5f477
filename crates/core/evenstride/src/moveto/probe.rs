//! Several bodies under the server's control, for traces: everything through the production step, but the legs are doubles.

use alloc::{vec, vec::Vec};

use evenstride_types::{
    Cylinder, EntityId, Heading, Placement, SimTime, Vec3,
    update::{HoldKey, MotionCommand, MoveToFlags, PhysicsState},
};

use super::{
    Double, How, MoveToEnd, Order, Progress, Step,
    how::facing,
    turns::{is_past, turn_left_to_do},
};
use crate::{
    BodySetup, Config, Gait, MotionWorld, Note, Surroundings,
    legs::{
        interpreter::{Walker, adjust},
        states::{NONE, Params},
    },
    rounds::StepBy,
    store::Flags,
    target::{Status, TARGET_RADIUS, Wish},
    why::{Call, Journal},
};

/// One body of a trace.
#[derive(Clone, Copy, Debug)]
pub struct DoubleSetup {
    pub entity: EntityId,
    pub place: Placement,
    pub size: Cylinder,
    pub contact: bool,
    pub walkable: bool,
    pub holder: Option<EntityId>,
    pub run_rate: f32,
    pub reported_run_rate: Option<f32>,
    pub has_game: bool,
    pub is_creature: bool,
    pub hold_key: HoldKey,
    pub link_ticks: u32,
}

/// What a body is told to do.
#[derive(Clone, Copy, Debug)]
pub struct ProbeOrder {
    /// 6 to 9.
    pub number: u32,
    pub target: EntityId,
    pub size: Cylinder,
    pub place: Option<Placement>,
    pub flags: u32,
    pub near: f32,
    pub far: f32,
    pub heading: f32,
    pub speed: f32,
    pub fail_distance: f32,
    pub run_threshold: f32,
    pub hold_key: HoldKey,
}

/// What was asked of a body, in the traces' terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ProbeCall {
    Do { motion: MotionCommand, speed: f32, code: u32 },
    Stop { motion: MotionCommand, speed: f32, code: u32 },
    StopCompletely,
    SetHeading(f32),
    SetTarget { entity: EntityId, radius: f32, quantum: f64 },
    ClearTarget,
    SetQuantum(f64),
    Stick { entity: EntityId, radius: f32 },
    Unstick,
    Tell { from: EntityId, to: EntityId, status: u8, at: Placement, expected: Placement, quantum: f32 },
    End(MoveToEnd),
}

/// Who watches a body.
#[derive(Clone, Copy, Debug)]
pub struct ProbeWatcher {
    pub watcher: EntityId,
    pub radius: f32,
    pub quantum: f32,
    pub said: Placement,
}

/// Everything a trace looks at of one body.
#[derive(Clone, Debug)]
pub struct ProbeMoveTo {
    pub place: Placement,
    pub velocity: Vec3,
    pub watchers: Vec<ProbeWatcher>,
    pub forward: (MotionCommand, f32),
    pub turn: (MotionCommand, f32),
    pub pending: u32,
    pub number: u8,
    /// A heading for a turn, none for the way itself.
    pub steps: Vec<Option<f32>>,
    pub command: MotionCommand,
    pub steering: MotionCommand,
    pub is_away: bool,
    pub stalled: u32,
    pub follows: Option<(EntityId, bool)>,
    pub hold_key: HoldKey,
    pub is_begun: bool,
    pub top: u32,
    /// Distance and time, then the first of them.
    pub progress: [(f32, f64); 2],
    pub turned: f32,
    pub towards: Option<Placement>,
    pub expected: Option<Placement>,
    pub quantum: f64,
}

/// Writes down every call, by whom.
#[derive(Clone, Debug)]
struct Calls {
    about: EntityId,
    calls: Vec<(EntityId, ProbeCall)>,
    now: SimTime,
    /// When somebody first went anywhere, and last ended a way: the client begins to count there, though nothing looks at it.
    cleaned: Vec<(EntityId, SimTime)>,
}

impl Journal for Calls {
    fn note(&mut self, _: Note) {}

    fn about(&mut self, entity: EntityId, _: SimTime, _: bool) {
        self.about = entity;
    }

    fn call(&mut self, call: Call) {
        let call = match call {
            Call::Do { motion, speed, code } => ProbeCall::Do { motion, speed, code },
            Call::Stop { motion, speed, code } => ProbeCall::Stop { motion, speed, code },
            Call::StopCompletely => ProbeCall::StopCompletely,
            Call::SetHeading(degrees) => ProbeCall::SetHeading(degrees),
            Call::SetTarget { entity, quantum } => {
                ProbeCall::SetTarget { entity, radius: TARGET_RADIUS, quantum }
            }
            Call::ClearTarget => ProbeCall::ClearTarget,
            Call::SetQuantum(quantum) => ProbeCall::SetQuantum(quantum),
            Call::Stick { entity, radius } => ProbeCall::Stick { entity, radius },
            Call::Unstick => ProbeCall::Unstick,
            Call::Tell { to, news, quantum } => ProbeCall::Tell {
                from: news.about,
                to,
                status: news.status as u8,
                at: news.at,
                expected: news.expected,
                quantum,
            },
            Call::End(end) => {
                self.cleaned.push((self.about, self.now));
                ProbeCall::End(end)
            }
        };
        self.calls.push((self.about, call));
    }
}

/// A world of doubles.
#[derive(Clone, Debug)]
pub struct MoveToProbe {
    world: MotionWorld,
    now: SimTime,
    log: Calls,
}

impl MoveToProbe {
    pub fn new(start: SimTime) -> Self {
        let world = MotionWorld::new(Config::RETAIL, start);
        let log = Calls { about: EntityId::new(0), calls: Vec::new(), now: start, cleaned: Vec::new() };
        Self { world, now: start, log }
    }

    pub fn insert(&mut self, setup: &DoubleSetup) {
        let body = BodySetup {
            state: PhysicsState::empty(),
            grounded: false,
            radius: setup.size.radius,
            height: setup.size.height,
            ..BodySetup::at(setup.place)
        };
        let inserted = self.world.insert(self.now, setup.entity, &body);
        debug_assert!(inserted.is_ok());
        let run_rate = match setup.has_game {
            true => setup.reported_run_rate.unwrap_or(setup.run_rate),
            false => 1.0,
        };
        let slot = self.slot(setup.entity);
        self.world.store.doubles.resize(slot + 1, None);
        self.world.store.doubles[slot] = Some(Double {
            forward: (MotionCommand::READY, 1.0),
            turn: (NONE, 1.0),
            side: (NONE, 1.0),
            pending: 0,
            link_ticks: setup.link_ticks,
            is_on_route: false,
            errors: Vec::new(),
            walker: Walker {
                walks: !setup.has_game || setup.is_creature,
                hold_key: setup.hold_key,
                run_rate,
            },
        });
        let mut body = self.world.store.at(slot);
        body.set_gait(Gait { run_rate, ..*body.gait });
        body.body.flags.insert(Flags::STRIDES);
        self.set_contact(setup.entity, setup.contact, setup.walkable);
        if let Some(holder) = setup.holder {
            let holder = self.slot(holder);
            self.world.attach(self.now, slot, holder, 0);
        }
    }

    fn slot(&self, entity: EntityId) -> usize {
        self.world.slot(entity).unwrap_or(usize::MAX)
    }

    fn double(&mut self, entity: EntityId) -> &mut Double {
        let slot = self.slot(entity);
        let double = self.world.store.doubles[slot].as_mut();
        #[expect(clippy::unwrap_used, reason = "every body of a trace has one")]
        double.unwrap()
    }

    pub fn is_known(&self, entity: EntityId) -> bool {
        self.world.slot(entity).is_some()
    }

    /// What was asked of bodies since the last time, by whom.
    pub fn take_calls(&mut self) -> Vec<(EntityId, ProbeCall)> {
        core::mem::take(&mut self.log.calls)
    }

    /// Everybody who is stepped, in order.
    pub fn entities(&self) -> Vec<EntityId> {
        let free = self.world.store.bodies.iter().filter(|body| !body.flags.contains(Flags::HELD));
        let mut entities: Vec<EntityId> = free.map(|body| body.id).collect();
        entities.sort_unstable();
        entities
    }

    pub fn tick(&mut self, now: SimTime, surroundings: &impl Surroundings) {
        (self.now, self.world.clock.now, self.log.now) = (now, now, now);
        let (mut stepper, _) = self.world.stepper();
        stepper.step_all(now, surroundings, StepBy::Elapsed, &mut self.log);
    }

    fn about(&mut self, entity: EntityId) -> usize {
        self.log.about = entity;
        self.slot(entity)
    }

    /// A movement as the manager takes it.
    pub fn perform(&mut self, entity: EntityId, order: &ProbeOrder) {
        let slot = self.about(entity);
        if self.log.cleaned.iter().all(|(by, _)| *by != entity) {
            self.log.cleaned.push((entity, self.now));
        }
        self.world.store.perform(slot, &order.order(), &self.world.slots, self.now, &mut self.log);
    }

    /// A movement from the wire.
    pub fn net(&mut self, entity: EntityId, order: &ProbeOrder, run_rate: Option<f32>, heading: f32) {
        let slot = self.about(entity);
        let mut body = self.world.store.at(slot);
        body.cancel_move_to(MoveToEnd::Interrupted, &mut self.log);
        body.end_follow(&mut self.log);
        if let Some(run_rate) = run_rate {
            self.set_run_rate(entity, run_rate);
        }
        let mut order = *order;
        order.hold_key = HoldKey::INVALID;
        match (order.number, self.world.slot(order.target)) {
            (6 | 8, Some(named)) => {
                let build = self.world.store.details[named].build;
                order.size = Cylinder { radius: build.radius, height: build.height };
                let top = self.world.bearer(named).unwrap_or(named);
                order.target = self.world.store.bodies[top].id;
            }
            (6, None) => order.number = 7,
            (8, None) => (order.number, order.heading) = (9, heading),
            _ => {}
        }
        self.perform(entity, &order);
    }

    pub fn set_run_rate(&mut self, entity: EntityId, run_rate: f32) {
        let slot = self.slot(entity);
        self.double(entity).walker.run_rate = run_rate;
        let mut body = self.world.store.at(slot);
        body.set_gait(Gait { run_rate, ..*body.gait });
    }

    pub fn set_motion(
        &mut self,
        entity: EntityId,
        forward: (MotionCommand, f32),
        turn: (MotionCommand, f32),
    ) {
        let double = self.double(entity);
        double.set_forward(forward);
        double.turn = turn;
    }

    pub fn set_motion_quietly(
        &mut self,
        entity: EntityId,
        forward: (MotionCommand, f32),
        turn: (MotionCommand, f32),
    ) {
        let double = self.double(entity);
        (double.forward, double.turn) = (forward, turn);
    }

    pub fn stick(&mut self, entity: EntityId, target: EntityId) {
        let Some(named) = self.world.slot(target) else { return };
        self.about(entity);
        let top = self.world.bearer(named).unwrap_or(named);
        let wish = Wish {
            follower: entity,
            target: self.world.store.bodies[top].id,
            target_radius: self.world.store.details[top].build.radius,
        };
        self.world.store.stick(&wish, &self.world.slots, self.now, &mut self.log);
    }

    pub fn do_motion(&mut self, entity: EntityId, motion: MotionCommand, speed: f32, cancels: bool) {
        let slot = self.about(entity);
        if cancels {
            self.world.store.at(slot).cancel_move_to(MoveToEnd::Interrupted, &mut self.log);
        }
        let double = self.double(entity);
        let (motion, speed) = double.adjust(motion, speed, HoldKey::INVALID);
        let code = double.begin(motion, speed);
        self.log.call(Call::Do { motion, speed, code });
    }

    pub fn stop(&mut self, entity: EntityId) {
        let slot = self.about(entity);
        let mut body = self.world.store.at(slot);
        body.cancel_move_to(MoveToEnd::Interrupted, &mut self.log);
        body.stop_completely(&mut self.log);
    }

    pub fn cancel(&mut self, entity: EntityId, end: MoveToEnd) {
        let slot = self.about(entity);
        self.world.store.at(slot).cancel_move_to(end, &mut self.log);
    }

    pub fn unstick(&mut self, entity: EntityId) {
        let slot = self.about(entity);
        self.world.store.at(slot).end_follow(&mut self.log);
    }

    pub fn set_contact(&mut self, entity: EntityId, contact: bool, walkable: bool) {
        let slot = self.about(entity);
        let flags = &mut self.world.store.bodies[slot].flags;
        let stood = flags.contains(Flags::WALKABLE);
        flags.set(Flags::CONTACT, contact);
        flags.set(Flags::WALKABLE, walkable);
        if walkable && !stood {
            self.world.store.at(slot).move_to_hits_ground(self.now, &mut self.log);
            self.world.store.deliver(&self.world.slots, self.now, &mut self.log);
        }
    }

    pub fn place(&mut self, entity: EntityId, place: Placement) {
        let slot = self.slot(entity);
        self.world.store.bodies[slot].place = place;
    }

    pub fn teleport(&mut self, entity: EntityId, place: Placement) {
        let slot = self.about(entity);
        self.world.store.at(slot).abandon_course(&mut self.log);
        self.world.store.notify_watchers(slot, Status::Teleported, &mut self.log);
        self.world.store.deliver(&self.world.slots, self.now, &mut self.log);
        self.place(entity, place);
    }

    pub fn delete(&mut self, entity: EntityId) {
        let slot = self.about(entity);
        let mut body = self.world.store.at(slot);
        body.end_follow(&mut self.log);
        body.clear_target(&mut self.log);
        self.world.store.notify_watchers(slot, Status::Left, &mut self.log);
        self.world.store.deliver(&self.world.slots, self.now, &mut self.log);
        self.world.drop_row(slot);
        self.world.store.doubles.swap_remove(slot);
    }

    pub fn suspend(&mut self, entity: EntityId, suspend: bool) {
        let slot = self.slot(entity);
        let body = &mut self.world.store.bodies[slot];
        body.flags.set(Flags::ACTIVE, !suspend);
        if !suspend {
            body.updated = self.now.as_secs();
        }
    }

    pub fn set_pending(&mut self, entity: EntityId, pending: u32) {
        self.double(entity).pending = pending;
    }

    pub fn set_on_route(&mut self, entity: EntityId, is_on_route: bool) {
        self.double(entity).is_on_route = is_on_route;
    }

    pub fn set_hold_key(&mut self, entity: EntityId, key: HoldKey) {
        self.double(entity).walker.hold_key = key;
    }

    pub fn set_motion_error(&mut self, entity: EntityId, motion: MotionCommand, code: u32) {
        let errors = &mut self.double(entity).errors;
        errors.retain(|(fails, _)| *fails != motion);
        if code != 0 {
            errors.push((motion, code));
        }
    }

    pub fn read(&mut self, entity: EntityId) -> ProbeMoveTo {
        let slot = self.slot(entity);
        let Double { forward, turn, pending, .. } = *self.double(entity);
        let store = &self.world.store;
        let (body, detail) = (&store.bodies[slot], &store.details[slot]);
        let way = store.moves.get(detail.move_to);
        let watchers = store.targets.watchers(detail.lookout).map(|target| ProbeWatcher {
            watcher: target.listed.watcher,
            radius: TARGET_RADIUS,
            quantum: target.quantum as f32,
            said: target.said,
        });
        let mut watchers: Vec<ProbeWatcher> = watchers.collect();
        watchers.sort_unstable_by_key(|watcher| watcher.watcher);
        let follow = store.follows.get(body.links.follow);
        let cleaned = self.log.cleaned.iter().rev().find(|(by, _)| *by == entity);
        let cleaned = cleaned.map_or(self.now, |(_, at)| *at).as_secs();
        let progress = way.and_then(|way| way.progress).unwrap_or(Progress::unknown(cleaned));
        ProbeMoveTo {
            place: body.place,
            velocity: detail.last_velocity,
            watchers,
            forward,
            turn,
            pending,
            number: way.map_or(0, |way| way.goal.number()),
            steps: way.map_or(vec![], |way| way.steps.iter().map(Step::heading).collect()),
            command: way.map_or(NONE, |way| way.command),
            steering: way.map_or(NONE, |way| way.steering),
            is_away: way.is_some_and(|way| way.is_away),
            stalled: way.map_or(0, |way| way.stalled),
            follows: follow.map(|follow| (follow.target, follow.heard.is_some())),
            hold_key: way.map_or(HoldKey::INVALID, |way| way.how.hold_key),
            is_begun: way.is_some_and(|way| way.is_begun),
            top: way.and_then(|way| way.goal.entity()).map_or(0, EntityId::raw),
            progress: [(progress.distance, progress.at), (progress.first_distance, progress.first_at)],
            turned: way.map_or(0.0, |way| way.turned),
            towards: way.and_then(|way| way.towards),
            expected: way.and_then(|way| way.expected),
            quantum: self.world.store.at(slot).target().map_or(0.0, |target| target.quantum),
        }
    }
}

impl ProbeOrder {
    fn how(&self) -> How {
        How {
            flags: MoveToFlags::from_bits_retain(self.flags),
            near: self.near,
            far: self.far,
            heading: self.heading,
            speed: self.speed,
            fail_distance: self.fail_distance,
            run_threshold: self.run_threshold,
            hold_key: self.hold_key,
        }
    }

    fn order(&self) -> Order {
        let (how, target) = (self.how(), self.target);
        match (self.number, self.place) {
            (6, _) => Order::Entity { target, size: self.size, how },
            (7, Some(place)) => Order::Place { place, how },
            (8, _) => Order::FaceEntity { target, how },
            _ => Order::Face { how },
        }
    }

    /// What it comes to at a distance: the command (0 for none), the key held, and whether it leads away.
    pub fn choose(&self, distance: f32) -> (u32, u32, Option<bool>) {
        let choice = self.how().choose(distance);
        let command = choice.command.map_or(0, |(command, _)| command.0);
        (command, choice.hold_key.0, choice.command.map(|(_, is_away)| is_away))
    }

    /// What is not said.
    pub const fn default_order() -> Self {
        let how = How::DEFAULT;
        Self {
            number: 0,
            target: EntityId::new(0),
            size: Cylinder { radius: 0.0, height: 0.0 },
            place: None,
            flags: how.flags.bits(),
            near: how.near,
            far: how.far,
            heading: how.heading,
            speed: how.speed,
            fail_distance: how.fail_distance,
            run_threshold: how.run_threshold,
            hold_key: how.hold_key,
        }
    }
}

/// Functions without a body.
pub mod pure {
    use super::{
        Cylinder, Heading, HoldKey, MotionCommand, Params, Placement, Progress, Walker, adjust, facing,
        is_past, turn_left_to_do,
    };

    pub const fn desired_heading(command: MotionCommand, is_away: bool) -> f32 {
        facing(command, is_away)
    }

    pub fn heading_diff(to: f32, from: f32, motion: MotionCommand) -> f32 {
        turn_left_to_do(to, from, motion)
    }

    pub fn heading_greater(heading: f32, goal: f32, motion: MotionCommand) -> bool {
        is_past(heading, goal, motion)
    }

    pub fn cylinder_distance(a: (Cylinder, Placement), b: (Cylinder, Placement)) -> f64 {
        a.0.gap(&a.1, b.0, &b.1)
    }

    pub fn heading(place: &Placement) -> Heading {
        place.pose.heading()
    }

    pub fn adjust_motion(
        motion: MotionCommand,
        speed: f32,
        hold_key: HoldKey,
        run_rate: f32,
        current: HoldKey,
        walks: bool,
    ) -> (MotionCommand, f32) {
        adjust(motion, speed, hold_key, &Walker { walks, hold_key: current, run_rate })
    }

    /// The flags that motions of a way are done with.
    pub fn internal_flags() -> u32 {
        Params::default().bits & !Params::CANCEL_MOVE_TO
    }

    /// Whether there is headway, and the distance and time stored afterwards.
    pub fn check_progress(
        stored: [(f32, f64); 2],
        is_away: bool,
        now: f64,
        distance: f32,
    ) -> (bool, f32, f64) {
        let [(last, at), (first_distance, first_at)] = stored;
        let mut progress = Progress { distance: last, at, first_distance, first_at };
        let ok = progress.check(distance, is_away, now);
        (ok, progress.distance, progress.at)
    }
}
