//! Scenes that benchmarks, instruction counts and tests share.
//!
//! Three properties of real traffic decide what a step costs, and every scene has them.
//!
//! - Updates arrive in an order that has nothing to do with storage. The order is random, and the same in each run.
//! - Bodies are in different phases. In each round another part of them hears something, and they began to move in different rounds.
//! - The host drains the list of changed bodies and the events once per round. `forget_changed` draws nothing, so drawing is measured
//!   apart.

#![expect(unreachable_pub, reason = "each user is a program of its own")]

#[allow(dead_code, clippy::allow_attributes, reason = "benchmarks measure and do not look")]
pub mod doing;
mod kind;
mod place;

use std::ops::Range;

use evenstride::{
    BodySetup, Config, Drawn, MotionWorld, OpenField,
    drawing::Animated,
    generic::{PlainConfig, PlainDrawn, PlainPose, PlainUpdate, PlainWorld},
    types::{
        EntityId, SimDuration, SimTime, Stamp, StampKind, StampTable, Vec3,
        update::{
            CommandIndex, CreateUpdate, DeleteUpdate, InterpretedState, MotionCommand, MoveToParams,
            Movement, MovementBody, MovementKind, MovementUpdate, ParentUpdate, PhysicsDescription,
            PhysicsState, PositionPack, PositionUpdate, SparseQuaternion, StateUpdate, Update, VectorUpdate,
        },
    },
};

pub use self::kind::Kind;
use self::{
    kind::Start,
    place::{place, shuffle, turn, viewpoint},
};

/// A way to advance a world.
pub type Advance = Box<dyn FnMut(&mut MotionWorld, SimTime)>;

/// A world full of bodies that all do the same.
pub struct Scene {
    pub world: MotionWorld,
    /// How rounds advance the world.
    pub advance: Advance,
    kind: Kind,
    now: SimTime,
    /// The next position of each body that hears anything, in the order of arrival.
    updates: Vec<Update>,
    description: Option<CreateUpdate>,
    rounds: u32,
    drawn: Vec<Drawn>,
    animated: Vec<Animated>,
    plain: PlainWorld,
    plain_drawn: Vec<PlainDrawn>,
    saved: Vec<u8>,
}

impl Scene {
    pub fn new(kind: Kind, bodies: u32) -> Self {
        let now = SimTime::ZERO;
        let config = match kind {
            Kind::Blended | Kind::Changed => Config::SMOOTH,
            _ if kind.is_gliding() => Config::GLIDE,
            _ => Config::RETAIL,
        };
        let mut world = MotionWorld::new(config, now);
        world.set_viewpoint(Some(viewpoint(kind, now)));
        if kind == Kind::Watched {
            world.trace_all();
        }
        let mut updates = Vec::new();
        for number in 0..bodies {
            // Spread over the id space as a server's are, not 0, 1, 2.
            let entity = EntityId::new(0x8000_0000 | number.wrapping_mul(0x0100_0193) >> 1);
            let here = place(number);
            let mut stamps = StampTable::default();
            stamps.set(StampKind::Instance, Stamp::new(1));
            let flying = kind == Kind::Flying;
            let state = if flying { PhysicsState::MISSILE } else { PhysicsState::default() };
            let velocity = if flying { Vec3::new(-3.0, 0.0, 0.0) } else { Vec3::ZERO };
            let setup = BodySetup { grounded: !flying, stamps, state, velocity, ..BodySetup::at(here) };
            world.insert(now, entity, &setup).expect("ids are distinct and numbers finite");
            let pack = PositionPack::standing(&here, Stamp::new(1), Stamp::new(0));
            updates.push(Update::Position(PositionUpdate { entity, pack }));
        }
        if !kind.is_in_order() {
            shuffle(&mut updates);
        }
        if kind.is_sparse() {
            updates.truncate(bodies as usize / 20);
        }
        let drawn = vec![Drawn::EMPTY; bodies as usize];
        let animated = vec![Animated::EMPTY; bodies as usize];
        let plain_drawn = vec![PlainDrawn::EMPTY; bodies as usize];
        let plain = plain_world(if kind == Kind::Plain { bodies } else { 0 });
        let description = Some(description());
        let advance = |world: &mut MotionWorld, now| {
            let _ = world.advance(now, &OpenField);
        };
        let mut scene = Self {
            world,
            advance: Box::new(advance),
            kind,
            now,
            updates,
            description,
            rounds: 0,
            drawn,
            animated,
            plain,
            plain_drawn,
            saved: Vec::new(),
        };
        scene.begin();
        if matches!(kind, Kind::Saved | Kind::Restored) {
            scene.world.save_into(&mut scene.saved);
        }
        scene
    }

    /// Sets all bodies in motion, a part of them in each of 16 steps, so that their audits and animations are in different phases.
    fn begin(&mut self) {
        // The first step measures distances. Before it, every position is a placement.
        self.step();
        let start = self.kind.start();
        let steps = if start == Start::Stand { 0 } else { START_STEPS };
        for part in 0..steps {
            let whose = turn(self.updates.len(), steps, part);
            match start {
                Start::Stand => {}
                Start::Walk => self.hear(whose, walk_on),
                Start::Run => self.run_on(whose),
                Start::Go => self.send(whose, 1),
            }
            self.step();
        }
        self.rounds = 0;
        match self.kind {
            // Poses settle.
            _ if self.kind.is_gliding() => (0..30).for_each(|_| self.step()),
            Kind::Trailing => (0..2 * TRAILING_PERIOD).for_each(|_| self.round()),
            _ => {}
        }
    }

    /// One step of, or one position for, every body.
    pub fn round(&mut self) {
        let whose = |period| turn(self.updates.len(), period, self.rounds);
        match self.kind {
            Kind::Idle => self.step_and_drain(),
            Kind::IdleMovingView => {
                self.world.set_viewpoint(Some(viewpoint(self.kind, self.now)));
                self.step_and_drain();
            }
            // Placed where they began before they leave. A placement leaves the legs alone.
            Kind::Striding => {
                self.hear(whose(STRIDING_PERIOD), teleport);
                self.step_and_drain();
            }
            // To and fro, so that no body gets out of sight.
            Kind::Sent | Kind::Pursuing => {
                self.send(whose(SENT_PERIOD), (self.rounds / SENT_PERIOD) as u16 + 2);
                self.step_and_drain();
            }
            // To and fro, so that no body flies out of sight.
            Kind::Flying => {
                self.turn_round(whose(FLYING_PERIOD), (self.rounds / FLYING_PERIOD) as u16 + 1);
                self.step_and_drain();
            }
            Kind::Chasing | Kind::ChasingInOrder | Kind::Watched | Kind::Sparse => {
                self.hear(whose(CHASING_PERIOD), walk_on);
                self.step_and_drain();
            }
            Kind::ChasingUndrained => {
                self.hear(whose(CHASING_PERIOD), walk_on);
                self.step();
            }
            Kind::SparseMovingView | Kind::SparseCrossingView => {
                self.world.set_viewpoint(Some(viewpoint(self.kind, self.now)));
                self.hear(whose(CHASING_PERIOD), walk_on);
                self.step_and_drain();
            }
            Kind::Trailing | Kind::GlidingTrailing => {
                self.hear(whose(TRAILING_PERIOD), run_round_a_square);
                self.step_and_drain();
            }
            Kind::Routing | Kind::RoutingInOrder | Kind::RoutingBatch => self.hear(whose(1), walk_on),
            Kind::Churning => {
                self.churn();
                self.step_and_drain();
            }
            Kind::Gliding | Kind::GlidingSent | Kind::GlidingIdle => {
                self.now += SimDuration::from_secs(1e-5).unwrap_or_default();
                let _ = self.world.advance(self.now, &OpenField);
                self.world.forget_changed();
            }
            Kind::Drawn | Kind::Blended | Kind::Glided => {
                let now = self.now + SimDuration::from_secs(0.01).unwrap_or_default();
                let written = self.world.drawn_into(now, &mut self.drawn);
                assert_eq!(written, self.drawn.len());
            }
            Kind::Changed => {
                let now = self.now + SimDuration::from_secs(0.01).unwrap_or_default();
                let written = self.world.changed_into(now, &mut self.drawn);
                assert_eq!(written, self.drawn.len());
            }
            Kind::Animated => {
                let written = self.world.animations_into(self.now, &mut self.animated);
                assert_eq!(written, self.animated.len());
            }
            Kind::Plain => {
                let now = self.now + SimDuration::from_secs(0.01).unwrap_or_default();
                let written = self.plain.drawn_into(now, &mut self.plain_drawn);
                assert_eq!(written, self.plain_drawn.len());
            }
            Kind::Saved => {
                self.saved.clear();
                self.world.save_into(&mut self.saved);
            }
            Kind::Restored => {
                self.world = MotionWorld::restore(&self.saved).expect("it was just saved");
            }
        }
    }

    /// Advances by a thirtieth of a second and a bit.
    pub fn step(&mut self) {
        self.rounds += 1;
        self.now += SimDuration::from_secs(0.034).unwrap_or_default();
        (self.advance)(&mut self.world, self.now);
    }

    /// Does the same, polls all events and forgets which bodies changed, as a host does after each frame. The next step has to list them
    /// again.
    fn step_and_drain(&mut self) {
        self.step();
        while self.world.poll_event().is_some() {}
        self.world.forget_changed();
    }

    /// Sends the next position to some bodies, which `next` makes from the last.
    fn hear(&mut self, whose: Range<usize>, next: fn(&mut PositionPack)) {
        // A few at a time, as from a socket. If all were made first, the cache would lose them before they are handled.
        for updates in self.updates[whose].chunks_mut(64) {
            for update in &mut *updates {
                let Update::Position(PositionUpdate { pack, .. }) = update else { continue };
                pack.position = pack.position.next();
                next(pack);
            }
            if self.kind.is_single() {
                for update in updates {
                    let _ = self.world.handle(self.now, update, &OpenField);
                }
            } else {
                self.world.handle_all(self.now, updates, &OpenField, |_, _| {});
            }
        }
    }

    /// Sends a velocity to some bodies, the other way each time.
    fn turn_round(&mut self, whose: Range<usize>, stamp: u16) {
        let way = if stamp.is_multiple_of(2) { -3.0 } else { 3.0 };
        for index in whose {
            let Some(entity) = self.updates[index].entity() else { continue };
            self.say(&Update::Vector(VectorUpdate {
                entity,
                velocity: Vec3::new(way, 0.0, 0.0),
                omega: Vec3::new(0.0, 0.0, 1.0),
                instance: Stamp::new(1),
                stamp: Stamp::new(stamp),
            }));
        }
    }

    /// Tells some bodies to run.
    fn run_on(&mut self, whose: Range<usize>) {
        for index in whose {
            let Some(entity) = self.updates[index].entity() else { continue };
            let body = MovementBody::interpreted(InterpretedState::doing(MotionCommand::RUN_FORWARD, 1.0));
            let stamp = Stamp::new(1);
            let movement = Movement { stamp, server_control: stamp, autonomous: 0, body };
            self.say(&Update::Movement(MovementUpdate { entity, instance: stamp, movement }));
        }
    }

    /// Sends some bodies somewhere they never arrive. It is a place ahead of where they started, then one behind it, or a body that walks
    /// in circles.
    fn send(&mut self, whose: Range<usize>, stamp: u16) {
        let ahead = if stamp.is_multiple_of(2) { -60.0 } else { 60.0 };
        let stamp = Stamp::new(stamp);
        for index in whose {
            let Update::Position(PositionUpdate { entity, pack }) = &self.updates[index] else { continue };
            let params = MoveToParams { distance_to_object: -1000.0, ..MoveToParams::default() };
            let (cell, origin, run_rate) = (pack.cell, pack.origin + forward(pack) * ahead, 1.0);
            let kind = match (self.kind, &self.updates[index / 100 * 100]) {
                (Kind::Pursuing, Update::Position(PositionUpdate { entity: target, .. }))
                    if target != entity =>
                {
                    MovementKind::MoveToObject { target: *target, cell, origin, params, run_rate }
                }
                (Kind::Pursuing, _) => {
                    let state = InterpretedState {
                        turn: Some(MotionCommand::TURN_RIGHT.index()),
                        ..InterpretedState::doing(MotionCommand::WALK_FORWARD, 1.0)
                    };
                    MovementKind::Interpreted { state, stick_to: None }
                }
                _ => MovementKind::MoveToPosition { cell, origin, params, run_rate },
            };
            let body = MovementBody::new(kind);
            let movement = Movement { stamp, server_control: stamp, autonomous: 0, body };
            let update = MovementUpdate { entity: *entity, instance: Stamp::new(1), movement };
            self.say(&Update::Movement(update));
        }
    }

    /// Everything else that can be said about bodies.
    fn churn(&mut self) {
        // Newer than the one position that each body has heard.
        let stamp = Stamp::new(self.rounds as u16 + 2);
        let instance = Stamp::new(1);
        let mut before = None;
        for index in 0..self.updates.len() {
            let Update::Position(PositionUpdate { entity, pack }) = &self.updates[index] else { continue };
            let (entity, place) = (*entity, pack.placement());
            match index % 10 {
                0 => {
                    self.say(&Update::Delete(DeleteUpdate { entity, instance }));
                    // The caller's one description, filled in again, because making one is not the world's work.
                    let mut description = self.description.take().expect("given back each time");
                    description.entity = entity;
                    description.physics.position = Some(place);
                    let create = Update::Create(description);
                    self.say(&create);
                    let Update::Create(description) = create else { continue };
                    self.description = Some(description);
                }
                // Held for 32 rounds, then put down again: stamps grow by one each round.
                1 if (self.rounds as usize + index) & 32 == 0 => {
                    let holder = before.unwrap_or(entity);
                    self.say(&Update::Parent(ParentUpdate {
                        holder,
                        held: entity,
                        location: 1,
                        placement_frame: 0,
                        holder_instance: instance,
                        held_position: stamp,
                    }));
                }
                1 => {
                    let pack = PositionPack { position: stamp, ..pack.clone() };
                    self.say(&Update::Position(PositionUpdate { entity, pack }));
                }
                // An unknown entity.
                2 => {
                    let unknown = EntityId::new(entity.raw() ^ 0x4000_0000);
                    let pack = pack.clone();
                    self.say(&Update::Position(PositionUpdate { entity: unknown, pack }));
                }
                _ => {}
            }
            let state = InterpretedState { forward: Some(CommandIndex(5)), ..InterpretedState::default() };
            let kind = MovementKind::Interpreted { state, stick_to: before };
            let body = MovementBody::new(kind);
            let movement = Movement { stamp, server_control: stamp, autonomous: 0, body };
            self.say(&Update::Movement(MovementUpdate { entity, instance, movement }));
            let hidden = if (self.rounds as usize + index) & 1 == 0 {
                PhysicsState::HIDDEN
            } else {
                PhysicsState::empty()
            };
            let state = PhysicsState::default() | hidden;
            self.say(&Update::State(StateUpdate { entity, state, instance, stamp }));
            before = Some(entity);
        }
    }

    fn say(&mut self, update: &Update) {
        let _ = self.world.handle(self.now, update, &OpenField);
    }
}

/// Moves a position by a leg of 8.3 m, to and fro about where the body started.
///
/// The leg takes 32 steps, which is also the time until the next one arrives. The first leg is longer, so the route never runs dry and
/// never grows. The new place is never where the body or its newest waypoint is, so it always joins the route.
fn walk_on(pack: &mut PositionPack) {
    pack.origin.x += match pack.position.raw() {
        1 => 12.45,
        even if even.is_multiple_of(2) => -8.3,
        _ => 8.3,
    };
}

/// Moves a position on by what a body runs in six rounds at 7 m/s, and turns it left after each eighth.
///
/// The legs make 4 m/s and a route 8 m/s. A body therefore spends five of six steps on the way to a waypoint, the last of which
/// only finds that it is there.
fn run_round_a_square(pack: &mut PositionPack) {
    let [w, _, _, z] = pack.rotation.to_wxyz();
    pack.origin += forward(pack) * (TRAILING_PERIOD as f32 * 0.034 * 7.0);
    if pack.position.raw().is_multiple_of(8) {
        let half = core::f32::consts::FRAC_1_SQRT_2;
        pack.rotation = SparseQuaternion::packed([(w - z) * half, 0.0, 0.0, (w + z) * half]);
    }
}

/// Returns the direction in which the body of a position looks.
fn forward(pack: &PositionPack) -> Vec3 {
    let [w, _, _, z] = pack.rotation.to_wxyz();
    Vec3::new(-2.0 * w * z, w * w - z * z, 0.0)
}

/// Leaves a position where it is, with a stamp that makes it a placement.
fn teleport(pack: &mut PositionPack) {
    pack.teleport = pack.teleport.next();
}

/// Entities of a game that is not Asheron's Call, all of them rolling.
fn plain_world(entities: u32) -> PlainWorld {
    let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
    for number in 0..entities {
        let position = [f64::from(number % 100) * 0.4, f64::from(number / 100 % 100) * 0.4, 0.0];
        let update = PlainUpdate::new(PlainPose::at(position)).moving([0.0, 3.0, 0.0]);
        let entity = 0xFEED_0000_0000 | u64::from(number);
        let _ = world.update(SimTime::ZERO, entity, &update).expect("numbers are finite");
    }
    world.advance(SimTime::from_secs(0.034).expect("finite"));
    world
}

/// A description, with stamps older than everything that is said later.
fn description() -> CreateUpdate {
    let mut stamps = StampTable::default();
    stamps.set(StampKind::Instance, Stamp::new(1));
    CreateUpdate::new(EntityId::new(0), PhysicsDescription::nowhere(stamps))
}

/// Number of steps in which the bodies of a scene begin to move.
const START_STEPS: u32 = 16;
/// Rounds between two positions of a body that walks. The first legs last longer than this and [`START_STEPS`].
const CHASING_PERIOD: u32 = 32;
/// Rounds between two positions of a usual remote, five per second.
const TRAILING_PERIOD: u32 = 6;
/// Rounds after which a running body is put back, 17 m away.
const STRIDING_PERIOD: u32 = 128;
/// Rounds after which a body is sent the other way, 35 m away.
const SENT_PERIOD: u32 = 256;
/// Rounds after which a flying body turns round, 7 m away.
const FLYING_PERIOD: u32 = 64;
