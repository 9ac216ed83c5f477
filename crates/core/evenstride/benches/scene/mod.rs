//! Scenes that benchmarks, instruction counts and the allocation test share.

#![expect(unreachable_pub, reason = "each user is a program of its own")]

use evenstride::{
    BodySetup, Config, Drawn, MotionWorld, OpenField,
    drawing::Animated,
    generic::{PlainConfig, PlainDrawn, PlainPose, PlainUpdate, PlainWorld},
    types::{
        CellId, EntityId, LandblockId, Placement, Pose, Rotation, SimDuration, SimTime, Stamp, StampKind,
        StampTable, Vec3,
        update::{
            CommandIndex, CreateUpdate, DeleteUpdate, InterpretedState, MotionCommand, MoveToParams,
            Movement, MovementBody, MovementKind, MovementUpdate, ParentUpdate, PhysicsDescription,
            PhysicsState, PositionPack, PositionUpdate, StateUpdate, Update, VectorUpdate,
        },
    },
};

/// What every body of a scene does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Stands, and one round is one step of all.
    Idle,
    /// Walks towards a waypoint that it never reaches, and one round is one step of all.
    Chasing,
    /// Hears a position that joins its route, and one round is one position for all.
    Routing,
    /// Flies, and one round is one step of all.
    Flying,
    /// Runs on by its legs, with no waypoint, and one round is one step of all.
    Striding,
    /// Goes where the server has sent it, and one round is one step of all.
    Sent,
    /// Chases one of a hundredth of them, which walk in circles, and one round is one step of all.
    Pursuing,
    /// One in twenty walks, the others stand, and one round is one step of all.
    Sparse,
    /// Walks, and every decision about it is recorded, one round is one step of all.
    Watched,
    /// Is told to walk, hidden and shown; one in ten is deleted and made again, or put into a hand and out of it, or spoken of before it is
    /// there. One round is all of that and a step.
    Churning,
    /// Walks. One round draws all of them.
    Drawn,
    /// Walks, drawn between steps. One round draws all of them.
    Blended,
    /// Walks; one round draws all bodies that changed, which are all of them.
    Changed,
    /// Walks with animations; one round reads the animation of every body.
    Animated,
    /// Rolls in a plain world; one round draws all entities in the game's axes.
    Plain,
    /// Runs on by its legs, drawn at a pose of its own. One round is one frame without a step.
    Gliding,
    /// Goes where the server has sent it, drawn at a pose of its own. One round is one frame without a
    /// step.
    GlidingSent,
    /// Stands, drawn at a pose of its own. One round is one frame without a step.
    GlidingIdle,
    /// Runs on by its legs, drawn at a pose of its own. One round draws all of them.
    Glided,
    /// Walks. One round saves all of them.
    Saved,
    /// Walks. One round restores all of them.
    Restored,
}

impl Kind {
    pub const ALL: [Self; 21] = [
        Self::Idle,
        Self::Chasing,
        Self::Routing,
        Self::Flying,
        Self::Striding,
        Self::Sent,
        Self::Pursuing,
        Self::Sparse,
        Self::Watched,
        Self::Churning,
        Self::Drawn,
        Self::Blended,
        Self::Changed,
        Self::Animated,
        Self::Plain,
        Self::Gliding,
        Self::GlidingSent,
        Self::GlidingIdle,
        Self::Glided,
        Self::Saved,
        Self::Restored,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Chasing => "chasing",
            Self::Routing => "routing",
            Self::Flying => "flying",
            Self::Striding => "striding",
            Self::Sent => "sent",
            Self::Pursuing => "pursuing",
            Self::Sparse => "sparse",
            Self::Watched => "watched",
            Self::Churning => "churning",
            Self::Drawn => "drawn",
            Self::Blended => "blended",
            Self::Changed => "changed",
            Self::Animated => "animated",
            Self::Plain => "plain",
            Self::Gliding => "gliding",
            Self::GlidingSent => "gliding-sent",
            Self::GlidingIdle => "gliding-idle",
            Self::Glided => "glided",
            Self::Saved => "saved",
            Self::Restored => "restored",
        }
    }

    #[allow(dead_code, clippy::allow_attributes, reason = "two of the three users have no command line")]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A world full of bodies that all do the same.
pub struct Scene {
    pub world: MotionWorld,
    kind: Kind,
    now: SimTime,
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
        let is_smooth = matches!(kind, Kind::Blended | Kind::Changed);
        let is_gliding = matches!(kind, Kind::Gliding | Kind::GlidingSent | Kind::GlidingIdle | Kind::Glided);
        let config = match (is_smooth, is_gliding) {
            (true, _) => Config::SMOOTH,
            (_, true) => Config::GLIDE,
            _ => Config::RETAIL,
        };
        let mut world = MotionWorld::new(config, now);
        world.set_viewpoint(Some(place(0)));
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
            if kind != Kind::Sparse || number.is_multiple_of(20) {
                let pack = PositionPack::standing(&here, Stamp::new(1), Stamp::new(0));
                updates.push(Update::Position(PositionUpdate { entity, pack }));
            }
        }
        let drawn = vec![Drawn::EMPTY; bodies as usize];
        let animated = vec![Animated::EMPTY; bodies as usize];
        let plain_drawn = vec![PlainDrawn::EMPTY; bodies as usize];
        let plain = plain_world(if kind == Kind::Plain { bodies } else { 0 });
        let description = Some(description());
        let mut scene = Self {
            world,
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
        // The first step measures distances; before it every position is a placement.
        scene.step();
        if matches!(kind, Kind::Striding | Kind::Animated | Kind::Gliding | Kind::Glided) {
            scene.run_on();
            if is_gliding {
                (0..30).for_each(|_| scene.step());
            }
        } else if matches!(kind, Kind::Sent | Kind::Pursuing | Kind::GlidingSent) {
            scene.send();
            if is_gliding {
                (0..30).for_each(|_| scene.step());
            }
        } else if !matches!(kind, Kind::Idle | Kind::Flying | Kind::GlidingIdle) {
            scene.hear();
            scene.step();
        }
        scene.world.save_into(&mut scene.saved);
        scene
    }

    /// One step of, or one position for, every body.
    pub fn round(&mut self) {
        match self.kind {
            Kind::Idle => self.step(),
            Kind::Striding => {
                // Back to where they began before they leave: the round is still all step.
                if self.rounds & 63 == 0 {
                    self.hear();
                }
                self.step();
            }
            // To and fro, so that no body gets out of sight.
            Kind::Sent | Kind::Pursuing => {
                if self.rounds.is_multiple_of(512) {
                    self.send();
                }
                self.step();
            }
            // To and fro, so that no body flies out of sight.
            Kind::Flying => {
                if self.rounds.is_multiple_of(64) {
                    self.turn_round();
                }
                self.step();
            }
            // A leg of 9 m takes 33 steps; just before that every body hears of the next place, so routes never run dry.
            Kind::Chasing | Kind::Sparse | Kind::Watched => {
                if self.rounds.is_multiple_of(32) {
                    self.hear();
                }
                self.step();
            }
            Kind::Routing => self.hear(),
            Kind::Churning => {
                self.churn();
                self.step();
            }
            Kind::Gliding | Kind::GlidingSent | Kind::GlidingIdle => {
                self.now += SimDuration::from_secs(1e-5).unwrap_or_default();
                let _ = self.world.advance(self.now, &OpenField);
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
        let _ = self.world.advance(self.now, &OpenField);
    }

    /// Sends a velocity to all bodies, the other way each time.
    fn turn_round(&mut self) {
        let way = if self.rounds.is_multiple_of(128) { 3.0 } else { -3.0 };
        let stamp = Stamp::new((self.rounds / 64 + 1) as u16);
        for update in &self.updates {
            let Some(entity) = update.entity() else { continue };
            let update = VectorUpdate {
                entity,
                velocity: Vec3::new(way, 0.0, 0.0),
                omega: Vec3::new(0.0, 0.0, 1.0),
                instance: Stamp::new(1),
                stamp,
            };
            let _ = self.world.handle(self.now, &Update::Vector(update), &OpenField);
        }
    }

    /// Tells all bodies to run.
    fn run_on(&mut self) {
        for index in 0..self.updates.len() {
            let Update::Position(PositionUpdate { entity, .. }) = &self.updates[index] else { continue };
            let body = MovementBody::interpreted(InterpretedState::doing(MotionCommand::RUN_FORWARD, 1.0));
            let stamp = Stamp::new(1);
            let movement = Movement { stamp, server_control: stamp, autonomous: 0, body };
            let update = MovementUpdate { entity: *entity, instance: stamp, movement };
            self.say(&Update::Movement(update));
        }
    }

    /// Sends all bodies somewhere they never arrive. It is a place, the other way each time, or a body that walks in circles.
    fn send(&mut self) {
        let stamp = Stamp::new((self.rounds / 512 + 1) as u16);
        let north = if (self.rounds / 512).is_multiple_of(2) { 60.0 } else { -60.0 };
        for index in 0..self.updates.len() {
            let Update::Position(PositionUpdate { entity, pack }) = &self.updates[index] else { continue };
            let params = MoveToParams { distance_to_object: -1000.0, ..MoveToParams::default() };
            let (cell, origin, run_rate) = (pack.cell, pack.origin + Vec3::Y * north, 1.0);
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
        let stamp = Stamp::new(self.rounds as u16);
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
                1 if self.rounds & 32 == 0 => {
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
            let hidden = if self.rounds & 1 == 0 { PhysicsState::HIDDEN } else { PhysicsState::empty() };
            let state = PhysicsState::default() | hidden;
            self.say(&Update::State(StateUpdate { entity, state, instance, stamp }));
            before = Some(entity);
        }
    }

    fn say(&mut self, update: &Update) {
        let _ = self.world.handle(self.now, update, &OpenField);
    }

    /// Sends a new position to all bodies, nine metres from the last.
    pub fn hear(&mut self) {
        for update in &mut self.updates {
            let Update::Position(PositionUpdate { pack, .. }) = update else { continue };
            pack.position = pack.position.next();
            // To and fro about where the body started: never where it or its newest waypoint is, so it always joins the route.
            pack.origin.x += match pack.position.raw() {
                1 => 13.5,
                even if even.is_multiple_of(2) => -9.0,
                _ => 9.0,
            };
            let _ = self.world.handle(self.now, update, &OpenField);
        }
    }
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

/// On a grid within 60 m of the viewpoint.
fn place(number: u32) -> Placement {
    let block = LandblockId::new(0xA9, 0xB4).expect("on the map");
    let cell: CellId = block.cell(0x001C).expect("an outdoor cell");
    let (x, y) = (number % 100, number / 100 % 100);
    let origin = Vec3::new(76.0 + x as f32 * 0.4, 76.0 + y as f32 * 0.4, 10.0);
    let pose = Pose::new(origin, Rotation::IDENTITY).expect("finite");
    Placement::new(cell, pose).settled_outdoors().expect("on the map")
}
