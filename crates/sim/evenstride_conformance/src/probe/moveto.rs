//! Several bodies under the server's control. All run through the production step, with doubles in
//! place of animations.

use std::{collections::BTreeMap, sync::Arc};

use evenstride::{
    BodySetup, Config, Happening, Surroundings,
    animation::{InterpretedMotion, MotionLibrary},
    limits::TARGET_RADIUS,
    outcome::MoveToEnd,
    probe::{
        BodyKeys, BodyMut, Call, Dimensions, Flags, FollowRequest, IdMap, Journal, MoveToGoal,
        MovementParams, NONE, NewBody, Progress, ResourceIds, Step, StepBy, Stepper, Store, TargetStatus,
        Walker, adjust, facing, is_past, turn_left_to_do,
    },
};
use evenstride_types::{
    Cylinder, EntityId, Heading, Placement, SimTime, StampTable, Vec3,
    update::{HoldKey, MotionCommand, MoveToFlags, PhysicsState},
};

use super::double::{Double, DoubleSetup, Doubles};

/// A goal of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbeGoal {
    /// Movement type, 6 to 9.
    pub(crate) number: u32,
    pub(crate) target: EntityId,
    pub(crate) size: Cylinder,
    pub(crate) place: Option<Placement>,
    pub(crate) flags: u32,
    pub(crate) near: f32,
    pub(crate) far: f32,
    pub(crate) heading: f32,
    pub(crate) speed: f32,
    pub(crate) fail_distance: f32,
    pub(crate) run_threshold: f32,
    pub(crate) hold_key: HoldKey,
}

/// A call to a body, in the traces' terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ProbeCall {
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

/// An observer of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbeWatcher {
    pub(crate) observer: EntityId,
    pub(crate) radius: f32,
    pub(crate) quantum: f32,
    pub(crate) said: Placement,
}

/// Every value of one body that a trace compares.
#[derive(Clone, Debug)]
pub(crate) struct ProbeMoveTo {
    pub(crate) place: Placement,
    pub(crate) velocity: Vec3,
    pub(crate) observers: Vec<ProbeWatcher>,
    pub(crate) forward: (MotionCommand, f32),
    pub(crate) turn: (MotionCommand, f32),
    pub(crate) pending: u32,
    pub(crate) number: u8,
    /// The heading of each turn in degrees, or `None` for a walk or run to the goal.
    pub(crate) steps: Vec<Option<f32>>,
    pub(crate) command: MotionCommand,
    pub(crate) steering: MotionCommand,
    pub(crate) is_away: bool,
    pub(crate) stalled: u32,
    pub(crate) follows: Option<(EntityId, bool)>,
    pub(crate) hold_key: HoldKey,
    pub(crate) is_begun: bool,
    pub(crate) top: u32,
    /// The latest distance and time, then the first ones.
    pub(crate) progress: [(f32, f64); 2],
    pub(crate) turned: f32,
    pub(crate) towards: Option<Placement>,
    pub(crate) expected: Option<Placement>,
    pub(crate) quantum: f64,
}

/// Records every call and its body.
#[derive(Clone, Debug)]
struct Calls {
    about: EntityId,
    calls: Vec<(EntityId, ProbeCall)>,
    now: SimTime,
    /// Times at which each body began its first move-to, and at which it ended each move-to. The
    /// client starts its progress times then, though nothing else reads them.
    cleaned: Vec<(EntityId, SimTime)>,
}

impl Journal for Calls {
    fn note(&mut self, _: Happening) {}

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
            Call::CancelMoveTo | Call::MotionDone { .. } => return,
            Call::End(end) => {
                self.cleaned.push((self.about, self.now));
                ProbeCall::End(end)
            }
        };
        self.calls.push((self.about, call));
    }
}

/// Bodies that move by doubles, stepped as a world steps its bodies.
pub(crate) struct MoveToProbe {
    store: Store<Doubles>,
    slots: IdMap<u32>,
    keys: BodyKeys,
    config: Config,
    /// The holder of each held body.
    holders: BTreeMap<EntityId, EntityId>,
    /// Bodies that observe or are observed, in order of id.
    linked: Vec<(EntityId, u32)>,
    now: SimTime,
    log: Calls,
}

impl MoveToProbe {
    pub(crate) fn new(start: SimTime) -> Self {
        let library = Arc::new(MotionLibrary::default());
        Self {
            store: Store::new(evenstride::config::DrawMode::AsSimulated, library, Doubles::default()),
            slots: IdMap::default(),
            keys: BodyKeys::default(),
            config: Config::RETAIL,
            holders: BTreeMap::new(),
            linked: Vec::new(),
            now: start,
            log: Calls { about: EntityId::new(0), calls: Vec::new(), now: start, cleaned: Vec::new() },
        }
    }

    pub(crate) fn insert(&mut self, setup: &DoubleSetup) {
        let run_rate = match setup.has_game {
            true => setup.reported_run_rate.unwrap_or(setup.run_rate),
            false => 1.0,
        };
        let usual = BodySetup::at(setup.place);
        let slot = self.store.len();
        let mut flags = Flags::ACTIVE | Flags::HAS_CELL | Flags::STRIDES;
        if let Some(holder) = setup.holder {
            // A held body has no place of its own.
            flags.remove(Flags::ACTIVE | Flags::HAS_CELL);
            flags.insert(Flags::HELD);
            self.holders.insert(setup.entity, holder);
        }
        self.store.locomotion.0.insert(setup.entity, Double::new(setup, run_rate));
        self.store.push(NewBody {
            id: setup.entity,
            place: setup.place,
            flags,
            state: PhysicsState::empty(),
            dimensions: Dimensions {
                scale: usual.scale,
                radius: setup.size.radius,
                height: setup.size.height,
                friction: usual.friction,
                elasticity: usual.elasticity,
            },
            motion: InterpretedMotion { run_rate, ..InterpretedMotion::STANDING },
            stamps: StampTable::default(),
            resources: ResourceIds::default(),
            key: self.keys.insert(slot as u32),
            updated: self.now.as_secs(),
        });
        self.slots.insert(setup.entity, slot as u32);
        self.set_contact(setup.entity, setup.contact, setup.walkable);
    }

    fn slot(&self, entity: EntityId) -> usize {
        self.slots.get(&entity).map_or(usize::MAX, |slot| *slot as usize)
    }

    /// Returns a body, and the journal of its calls.
    fn body(&mut self, entity: EntityId) -> (BodyMut<'_, Doubles>, &mut Calls) {
        let slot = self.slot(entity);
        self.log.about = entity;
        (self.store.body_mut(slot), &mut self.log)
    }

    fn double(&mut self, entity: EntityId) -> &mut Double {
        self.store.locomotion.0.get_mut(&entity).expect("every body of a trace has one")
    }

    /// Returns the row of the outermost holder, or the body's own row if it is not held.
    fn top_of(&self, entity: EntityId) -> usize {
        let mut top = entity;
        while let Some(holder) = self.holders.get(&top) {
            top = *holder;
        }
        self.slot(top)
    }

    fn deliver(&mut self) {
        self.store.deliver(&self.slots, self.now, &mut self.log);
    }

    pub(crate) fn is_known(&self, entity: EntityId) -> bool {
        self.slots.contains_key(&entity)
    }

    /// Returns all calls since the last call of this function, each with its body.
    pub(crate) fn take_calls(&mut self) -> Vec<(EntityId, ProbeCall)> {
        core::mem::take(&mut self.log.calls)
    }

    /// Returns all bodies that are stepped, in order of id.
    pub(crate) fn entities(&self) -> Vec<EntityId> {
        let free = self.store.hot.iter().filter(|body| !body.flags.contains(Flags::HELD));
        let mut entities: Vec<EntityId> = free.map(|body| body.id).collect();
        entities.sort_unstable();
        entities
    }

    pub(crate) fn tick(&mut self, now: SimTime, surroundings: &impl Surroundings) {
        (self.now, self.log.now) = (now, now);
        let mut stepper = Stepper {
            config: &self.config,
            viewpoint: None,
            store: &mut self.store,
            player: &mut None,
            slots: &self.slots,
            keys: &self.keys,
            linked: &mut self.linked,
            relinked: &mut Vec::new(),
        };
        stepper.step_all(now, surroundings, StepBy::Elapsed, &mut self.log);
    }

    /// Starts a move-to, as the client's `MoveToManager` does.
    pub(crate) fn perform(&mut self, entity: EntityId, goal: &ProbeGoal) {
        self.log.about = entity;
        if self.log.cleaned.iter().all(|(by, _)| *by != entity) {
            self.log.cleaned.push((entity, self.now));
        }
        let (slot, params) = (self.slot(entity), goal.params());
        self.store.perform(slot, &goal.goal(), &params, &self.slots, self.now, &mut self.log);
    }

    /// Starts a move-to from a message.
    pub(crate) fn net(&mut self, entity: EntityId, goal: &ProbeGoal, run_rate: Option<f32>, heading: f32) {
        let (mut body, log) = self.body(entity);
        body.cancel_move_to(MoveToEnd::Interrupted, log);
        body.end_follow(log);
        if let Some(run_rate) = run_rate {
            self.set_run_rate(entity, run_rate);
        }
        let mut goal = *goal;
        goal.hold_key = HoldKey::INVALID;
        match (goal.number, self.slots.get(&goal.target).map(|slot| *slot as usize)) {
            (6 | 8, Some(named)) => {
                let dimensions = self.store.moving[named].dimensions;
                goal.size = Cylinder { radius: dimensions.radius, height: dimensions.height };
                goal.target = self.store.hot[self.top_of(goal.target)].id;
            }
            (6, None) => goal.number = 7,
            (8, None) => (goal.number, goal.heading) = (9, heading),
            _ => {}
        }
        self.perform(entity, &goal);
    }

    pub(crate) fn set_run_rate(&mut self, entity: EntityId, run_rate: f32) {
        self.double(entity).walker.run_rate = run_rate;
        let (mut body, _) = self.body(entity);
        body.motion.run_rate = run_rate;
        body.update_chase_speed();
    }

    pub(crate) fn set_motion(
        &mut self,
        entity: EntityId,
        forward: (MotionCommand, f32),
        turn: (MotionCommand, f32),
    ) {
        let double = self.double(entity);
        double.set_forward(forward);
        double.turn = turn;
    }

    pub(crate) fn set_motion_quietly(
        &mut self,
        entity: EntityId,
        forward: (MotionCommand, f32),
        turn: (MotionCommand, f32),
    ) {
        let double = self.double(entity);
        (double.forward, double.turn) = (forward, turn);
    }

    pub(crate) fn stick(&mut self, entity: EntityId, target: EntityId) {
        if !self.is_known(target) {
            return;
        }
        self.log.about = entity;
        let top = self.top_of(target);
        let request = FollowRequest {
            follower: entity,
            target: self.store.hot[top].id,
            target_radius: self.store.moving[top].dimensions.radius,
        };
        if let Some(&slot) = self.slots.get(&request.follower) {
            self.store.begin_follow(slot as usize, &request, &self.slots, self.now, &mut self.log);
        }
    }

    pub(crate) fn do_motion(&mut self, entity: EntityId, motion: MotionCommand, speed: f32, cancels: bool) {
        let (mut body, log) = self.body(entity);
        if cancels {
            body.cancel_move_to(MoveToEnd::Interrupted, log);
        }
        let double = self.double(entity);
        let (motion, speed) = double.adjust(motion, speed, HoldKey::INVALID);
        let code =
            double.begin(motion, speed).map_or_else(evenstride::outcome::MotionError::client_code, |()| 0);
        self.log.call(Call::Do { motion, speed, code });
    }

    pub(crate) fn stop(&mut self, entity: EntityId) {
        let (mut body, log) = self.body(entity);
        body.cancel_move_to(MoveToEnd::Interrupted, log);
        body.stop_completely(log);
    }

    pub(crate) fn cancel(&mut self, entity: EntityId, end: MoveToEnd) {
        let (mut body, log) = self.body(entity);
        body.cancel_move_to(end, log);
    }

    pub(crate) fn unstick(&mut self, entity: EntityId) {
        let (mut body, log) = self.body(entity);
        body.end_follow(log);
    }

    pub(crate) fn set_contact(&mut self, entity: EntityId, contact: bool, walkable: bool) {
        let now = self.now;
        let (mut body, log) = self.body(entity);
        let stood = body.hot.flags.contains(Flags::WALKABLE);
        body.hot.flags.set(Flags::CONTACT, contact);
        body.hot.flags.set(Flags::WALKABLE, walkable);
        if walkable && !stood {
            body.move_to_hits_ground(now, log);
            self.deliver();
        }
    }

    pub(crate) fn place(&mut self, entity: EntityId, place: Placement) {
        self.body(entity).0.hot.place = place;
    }

    pub(crate) fn teleport(&mut self, entity: EntityId, place: Placement) {
        let (mut body, log) = self.body(entity);
        body.abandon_course(log);
        let slot = self.slot(entity);
        self.store.notify_all_observers(slot, TargetStatus::Teleported, &mut self.log);
        self.deliver();
        self.place(entity, place);
    }

    pub(crate) fn delete(&mut self, entity: EntityId) {
        let (mut body, log) = self.body(entity);
        body.end_follow(log);
        body.clear_target(log);
        let slot = self.slot(entity);
        self.store.notify_all_observers(slot, TargetStatus::Left, &mut self.log);
        self.deliver();
        self.store.targets.mark_changed(entity);
        self.slots.remove(&entity);
        self.keys.remove(self.store.cold[slot].key);
        self.store.swap_remove(slot);
        self.store.locomotion.0.remove(&entity);
        self.holders.remove(&entity);
        if let Some(moved) = self.store.hot.get(slot).map(|body| body.id) {
            self.store.targets.mark_changed(moved);
            self.slots.insert(moved, slot as u32);
            self.keys.moved(self.store.cold[slot].key, slot as u32);
        }
    }

    pub(crate) fn suspend(&mut self, entity: EntityId, suspend: bool) {
        let now = self.now.as_secs();
        let body = self.body(entity).0.hot;
        body.flags.set(Flags::ACTIVE, !suspend);
        if !suspend {
            body.updated = now;
        }
    }

    pub(crate) fn set_pending(&mut self, entity: EntityId, pending: u32) {
        self.double(entity).pending = pending;
    }

    pub(crate) fn set_on_route(&mut self, entity: EntityId, is_on_route: bool) {
        self.double(entity).is_on_route = is_on_route;
    }

    pub(crate) fn set_hold_key(&mut self, entity: EntityId, key: HoldKey) {
        self.double(entity).walker.hold_key = key;
    }

    pub(crate) fn set_motion_error(&mut self, entity: EntityId, motion: MotionCommand, code: u32) {
        let errors = &mut self.double(entity).errors;
        errors.retain(|(fails, _)| *fails != motion);
        if code != 0 {
            errors.push((motion, code));
        }
    }

    pub(crate) fn read(&mut self, entity: EntityId) -> ProbeMoveTo {
        let slot = self.slot(entity);
        let Double { forward, turn, pending, .. } = *self.double(entity);
        let quantum = self.store.body_mut(slot).target().map_or(0.0, |target| target.quantum);
        let store = &self.store;
        let (body, row, links) = (&store.hot[slot], &store.moving[slot], &store.cold[slot]);
        let way = store.moves.get(links.move_to);
        let observation = store.targets.observations.get(links.observation);
        let list = observation.map(|observation| observation.observers).unwrap_or_default();
        let mut observers: Vec<ProbeWatcher> = list
            .iter(&store.targets.pool)
            .map(|target| ProbeWatcher {
                observer: target.listed.observer,
                radius: TARGET_RADIUS,
                quantum: target.quantum as f32,
                said: target.said,
            })
            .collect();
        observers.sort_unstable_by_key(|observer| observer.observer);
        let follow = store.follows.get(links.follow);
        let cleaned = self.log.cleaned.iter().rev().find(|(by, _)| *by == entity);
        let cleaned = cleaned.map_or(self.now, |(_, at)| *at).as_secs();
        let progress = way.and_then(|way| way.progress).unwrap_or(Progress::unknown(cleaned));
        ProbeMoveTo {
            place: body.place,
            velocity: row.last_velocity,
            observers,
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
            hold_key: way.map_or(HoldKey::INVALID, |way| way.params.hold_key),
            is_begun: way.is_some_and(|way| way.is_begun),
            top: way.and_then(|way| way.goal.entity()).map_or(0, EntityId::raw),
            progress: [(progress.distance, progress.at), (progress.first_distance, progress.first_at)],
            turned: way.map_or(0.0, |way| way.turned),
            towards: way.and_then(|way| way.towards().copied()),
            expected: way.and_then(|way| match way.goal {
                MoveToGoal::Place(place) => Some(place),
                _ => way.expected,
            }),
            quantum,
        }
    }
}

impl ProbeGoal {
    fn params(&self) -> MovementParams {
        MovementParams {
            flags: MoveToFlags::from_bits_retain(self.flags),
            near: self.near,
            far: self.far,
            heading: self.heading,
            speed: self.speed,
            fail_distance: self.fail_distance,
            run_threshold: self.run_threshold,
            hold_key: self.hold_key,
            ..MovementParams::DEFAULT
        }
    }

    fn goal(&self) -> MoveToGoal {
        match (self.number, self.place) {
            (6, _) => MoveToGoal::Entity { target: self.target, size: self.size },
            (7, Some(place)) => MoveToGoal::Place(place),
            (8, _) => MoveToGoal::FaceEntity(self.target),
            _ => MoveToGoal::Face,
        }
    }

    /// Returns the choice at a distance in metres. The fields are the command (0 for none), the
    /// hold key, and whether the command leads away.
    pub(crate) fn choose(&self, distance: f32) -> (u32, u32, Option<bool>) {
        let choice = self.params().choose(distance);
        let command = choice.command.map_or(0, |(command, _)| command.0);
        (command, choice.hold_key.0, choice.command.map(|(_, is_away)| is_away))
    }

    /// Returns a goal with default parameters.
    pub(crate) const fn default_goal() -> Self {
        let params = MovementParams::DEFAULT;
        Self {
            number: 0,
            target: EntityId::new(0),
            size: Cylinder { radius: 0.0, height: 0.0 },
            place: None,
            flags: params.flags.bits(),
            near: params.near,
            far: params.far,
            heading: params.heading,
            speed: params.speed,
            fail_distance: params.fail_distance,
            run_threshold: params.run_threshold,
            hold_key: params.hold_key,
        }
    }
}

/// Functions without a body.
pub(crate) mod pure {
    use super::{
        Cylinder, Heading, HoldKey, MotionCommand, MovementParams, Placement, Progress, Walker, adjust,
        facing, is_past, turn_left_to_do,
    };

    pub(crate) const fn desired_heading(command: MotionCommand, is_away: bool) -> f32 {
        facing(command, is_away)
    }

    pub(crate) fn heading_diff(to: f32, from: f32, motion: MotionCommand) -> f32 {
        turn_left_to_do(to, from, motion)
    }

    pub(crate) fn heading_greater(heading: f32, goal: f32, motion: MotionCommand) -> bool {
        is_past(heading, goal, motion)
    }

    pub(crate) fn cylinder_distance(a: (Cylinder, Placement), b: (Cylinder, Placement)) -> f64 {
        a.0.gap(&a.1, b.0, &b.1)
    }

    pub(crate) fn heading(place: &Placement) -> Heading {
        place.pose.heading()
    }

    pub(crate) fn adjust_motion(
        motion: MotionCommand,
        speed: f32,
        hold_key: HoldKey,
        run_rate: f32,
        current: HoldKey,
        walks: bool,
    ) -> (MotionCommand, f32) {
        adjust(motion, speed, hold_key, &Walker { walks, hold_key: current, run_rate })
    }

    /// Returns the flags of motions that a move-to starts.
    pub(crate) fn internal_flags() -> u32 {
        MovementParams::OF_MOVE_TO.flags.bits()
    }

    /// Returns whether there is progress, and the distance and time stored afterwards.
    pub(crate) fn check_progress(
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
