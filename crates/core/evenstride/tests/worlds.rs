//! Promises of whole worlds over random input: every message, every kind of rubbish, saved and restored in between.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::Arc,
};

use evenstride::{
    BodySetup, Config, Disposition, FlatGround, MotionWorld, Surroundings,
    animation::{
        Animation, BUILT_IN_CREATURE, BUILT_IN_HUMANOID, Clip, InterpretedMotion, Motion, MotionAxis,
        MotionLibrary, MotionTable,
    },
    config::{Limits, UnknownEntityPolicy},
    player::{Ahead, Autonomy, Input, Side, Skills},
    surroundings::{Contact, Placed, Placing, Sweep, Swept},
    types::{
        EntityId, Placement, Pose, RawPlacement, Rotation, SimTime, Stamp, StampKind, StampTable, Vec3,
        update::{
            Attachment, CommandIndex, Contact as SaidContact, CreateUpdate, DeleteUpdate, DescribedMovement,
            InterpretedState, Jump, MotionCommand, MoveToFlags, MoveToParams, MoveToState, Movement,
            MovementBody, MovementKind, MovementUpdate, ParentUpdate, PhysicsDescription, PhysicsState,
            PickupUpdate, PlayerAction, PlayerStamps, PositionPack, PositionUpdate, RawAxis, RawState,
            ServerEntity, SparseQuaternion, StateUpdate, TeleportUpdate, TurnToParams, Update, VectorUpdate,
        },
    },
};
use evenstride_testkit::{Actor, at};
use proptest::prelude::*;

const GROUND: FlatGround = FlatGround { z: 10.0 };

/// Few ids, so that messages meet.
fn entity() -> impl Strategy<Value = EntityId> {
    (1u32..9).prop_map(EntityId::new)
}

/// Few stamps near each other, and now and then any.
fn stamp() -> impl Strategy<Value = Stamp> {
    prop_oneof![9 => 0u16..6, 1 => any::<u16>()].prop_map(Stamp::new)
}

fn coordinates() -> impl Strategy<Value = Vec3> {
    prop_oneof![
        9 => [0.0f32..192.0, 0.0f32..192.0, 5.0f32..15.0],
        1 => any::<[u32; 3]>().prop_map(|bits| bits.map(f32::from_bits)),
    ]
    .prop_map(Vec3::from_array)
}

fn vector() -> impl Strategy<Value = Vec3> {
    prop_oneof![
        4 => [-8.0f32..8.0, -8.0f32..8.0, -8.0f32..8.0],
        1 => any::<[u32; 3]>().prop_map(|bits| bits.map(f32::from_bits)),
    ]
    .prop_map(Vec3::from_array)
}

fn quaternion() -> impl Strategy<Value = [f32; 4]> {
    prop_oneof![
        4 => (0.0f32..360.0).prop_map(|degrees| {
            Rotation::facing(evenstride::types::Heading::from_degrees(degrees).unwrap()).to_wxyz()
        }),
        1 => any::<[f32; 4]>(),
    ]
}

fn cell() -> impl Strategy<Value = u32> {
    prop_oneof![8 => Just(evenstride_testkit::HOME), 1 => Just(0xA9B4_0102), 1 => any::<u32>(), 1 => Just(0)]
}

fn raw_placement() -> impl Strategy<Value = RawPlacement> {
    (cell(), coordinates(), quaternion()).prop_map(|(cell, origin, wxyz)| RawPlacement { cell, origin, wxyz })
}

fn pack() -> impl Strategy<Value = PositionPack> {
    (raw_placement(), any::<bool>(), [stamp(), stamp(), stamp(), stamp()]).prop_map(
        |(place, has_contact, [instance, position, teleport, force_position])| PositionPack {
            cell: place.cell,
            origin: place.origin,
            rotation: SparseQuaternion::full(place.wxyz),
            velocity: None,
            placement_frame: None,
            has_contact,
            other_flags: 0,
            instance: Stamp::new(instance.raw() % 3),
            position,
            teleport: Stamp::new(teleport.raw() % 3),
            force_position: Stamp::new(force_position.raw() % 3),
        },
    )
}

fn movement_body() -> impl Strategy<Value = MovementBody> {
    let speed = || prop_oneof![4 => 0.5f32..3.0, 1 => any::<f32>()];
    let interpreted = (any::<u16>(), speed(), prop::option::of(entity()), 0u16..20).prop_map(
        |(any_command, speed, stick_to, command)| {
            let forward = if any_command % 8 == 0 { any_command } else { command };
            MovementKind::Interpreted {
                state: InterpretedState {
                    forward: Some(CommandIndex(forward)),
                    forward_speed: Some(speed),
                    sidestep: Some(CommandIndex(15)),
                    ..InterpretedState::default()
                },
                stick_to,
            }
        },
    );
    let other =
        prop::collection::vec(any::<u8>(), 0..40).prop_map(|bytes| MovementKind::Other { number: 3, bytes });
    prop_oneof![4 => interpreted, 4 => sent(), 1 => other].prop_map(MovementBody::new)
}

/// A move-to a place or a body, or a turn, with numbers of any kind.
fn sent() -> impl Strategy<Value = MovementKind> {
    let number = |usual: std::ops::Range<f32>| prop_oneof![6 => usual, 1 => any::<f32>()];
    let flags = prop_oneof![
        4 => prop::sample::select(vec![0x1_EE0F, 0x1_EE8F, 0x1_EF0F, 0x1_ED0F, 0x1_EE4F, 0x1_EA1F]),
        1 => any::<u32>(),
    ];
    let numbers = (number(0.0..5.0), number(0.0..10.0), number(1.0..100.0), number(0.1..3.0));
    let params = (flags, numbers, number(0.0..20.0), number(0.0..360.0)).prop_map(
        |(flags, (near, far, fail_distance, speed), threshold, heading)| MoveToParams {
            flags: MoveToFlags::from_bits_retain(flags),
            distance_to_object: near,
            min_distance: far,
            fail_distance,
            speed,
            walk_run_threshold: threshold,
            desired_heading_deg: heading,
        },
    );
    (0u8..4, entity(), raw_placement(), params, number(0.5..3.0)).prop_map(
        |(kind, target, RawPlacement { cell, origin, .. }, params, run_rate)| {
            let MoveToParams { flags, speed, desired_heading_deg, .. } = params;
            let turn = TurnToParams { flags, speed, desired_heading_deg };
            match kind {
                0 => MovementKind::MoveToObject { target, cell, origin, params, run_rate },
                1 => MovementKind::MoveToPosition { cell, origin, params, run_rate },
                2 => MovementKind::TurnToObject { target, heading_deg: run_rate, params: turn },
                _ => MovementKind::TurnToHeading(turn),
            }
        },
    )
}

fn movement() -> impl Strategy<Value = Movement> {
    (stamp(), stamp(), any::<bool>(), movement_body()).prop_map(
        |(stamp, server_control, autonomous, body)| Movement {
            stamp,
            server_control,
            autonomous: u8::from(autonomous),
            body,
        },
    )
}

fn description() -> impl Strategy<Value = PhysicsDescription> {
    let parent = prop::option::weighted(0.2, (entity(), 0u32..4));
    let numbers = prop::option::weighted(0.2, any::<f32>());
    (
        (prop::option::weighted(0.8, raw_placement()), parent, any::<[u16; 9]>(), any::<bool>()),
        (prop::option::weighted(0.3, vector()), numbers, prop::option::weighted(0.3, movement_body())),
    )
        .prop_map(|((position, parent, stamps, missile), (velocity, scale, movement))| {
            let mut stamps = StampTable::new(stamps.map(|stamp| Stamp::new(stamp % 6)));
            stamps.set(StampKind::Instance, Stamp::new(stamps.seen(StampKind::Instance).raw() % 3));
            PhysicsDescription {
                state: if missile { PhysicsState::MISSILE } else { PhysicsState::default() },
                movement: movement.map(|body| DescribedMovement::Doing { body, autonomous: 0 }),
                position,
                parent: parent.map(|(entity, location)| Attachment { entity, location }),
                scale,
                velocity,
                stamps,
                ..Actor::new(1).description(None)
            }
        })
}

fn update() -> impl Strategy<Value = Update> {
    let instance = || (0u16..3).prop_map(Stamp::new);
    prop_oneof![
        6 => (entity(), pack()).prop_map(|(entity, pack)| Update::Position(PositionUpdate { entity, pack })),
        3 => (entity(), instance(), movement())
            .prop_map(|(entity, instance, movement)| Update::Movement(MovementUpdate { entity, instance, movement })),
        5 => (entity(), description(), any::<bool>()).prop_map(|(entity, physics, recreates)| {
            let create = CreateUpdate::new(entity, physics);
            if recreates { Update::Recreate(create) } else { Update::Create(create) }
        }),
        1 => (entity(), instance()).prop_map(|(entity, instance)| Update::Delete(DeleteUpdate { entity, instance })),
        2 => (entity(), vector(), vector(), instance(), stamp()).prop_map(|(entity, velocity, omega, instance, stamp)| {
            Update::Vector(VectorUpdate { entity, velocity, omega, instance, stamp })
        }),
        2 => (entity(), any::<u32>(), instance(), stamp()).prop_map(|(entity, bits, instance, stamp)| {
            Update::State(StateUpdate { entity, state: PhysicsState::from_bits_retain(bits), instance, stamp })
        }),
        3 => (entity(), entity(), 0u32..4, instance(), stamp()).prop_map(
            |(holder, held, location, holder_instance, held_position)| {
                Update::Parent(ParentUpdate { holder, held, location, placement_frame: 0, holder_instance, held_position })
            }
        ),
        1 => (entity(), instance(), stamp())
            .prop_map(|(entity, instance, position)| Update::Pickup(PickupUpdate { entity, instance, position })),
        1 => stamp().prop_map(|teleport| Update::Teleport(TeleportUpdate { teleport })),
        1 => entity().prop_map(Update::LocalPlayer),
        1 => (entity(), pack(), movement()).prop_map(|(entity, pack, movement)| {
            Update::PositionAndMovement { position: PositionUpdate { entity, pack }, movement }
        }),
    ]
}

/// Flat ground that gives the answers of a careless host.
#[derive(Clone, Debug, Default)]
struct Ground {
    /// Normal to answer with, of any length. `None` means that of the ground.
    normal: Option<Vec3>,
    /// Place to answer with every fifth time, anywhere on the map.
    elsewhere: Option<Placement>,
    /// Calls until one panics. `None` means never.
    panics_in: Option<u32>,
    calls: Cell<u32>,
    lands_by_update: bool,
}

/// Tells a panic of the surroundings from one of the core.
struct HostFault;

impl Ground {
    fn call(&self) {
        self.calls.set(self.calls.get().wrapping_add(1));
        if self.panics_in.is_some_and(|calls| self.calls.get() % (calls + 1) == calls) {
            // Unlike `panic!`, this prints nothing.
            resume_unwind(Box::new(HostFault));
        }
    }

    fn at(&self, at: Placement) -> Placement {
        self.elsewhere.filter(|_| self.calls.get().is_multiple_of(5)).unwrap_or(at)
    }

    fn contact(&self, contact: Contact) -> Contact {
        match (contact, self.normal) {
            (Contact::On(_), Some(normal)) => Contact::On(normal),
            _ => contact,
        }
    }
}

impl Surroundings for Ground {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        self.call();
        match GROUND.sweep(sweep) {
            Swept::Moved { at, contact, ran_into } => {
                let ran_into = ran_into.map(|normal| self.normal.unwrap_or(normal));
                Swept::Moved { at: self.at(at), contact: self.contact(contact), ran_into }
            }
            Swept::Blocked => Swept::Blocked,
        }
    }

    fn place(&self, placing: &Placing) -> Placed {
        self.call();
        match GROUND.place(placing) {
            Placed::At { at, contact } => Placed::At { at: self.at(at), contact: self.contact(contact) },
            Placed::Refused => Placed::Refused,
        }
    }

    fn lands_by_update(&self, _: &Placement) -> bool {
        self.call();
        self.lands_by_update
    }
}

/// Something that may happen to a world.
#[derive(Clone, Debug)]
enum Op {
    Hear(Box<Update>),
    Stand(Ground),
    JumpTo(f64),
    Remove(EntityId),
    Setup(EntityId, Box<BodySetup>),
    Player(Option<EntityId>),
    View(Option<Placement>),
    Library(Arc<MotionLibrary>),
    Replay(Box<PlayerAction>),
    Drive(f64),
    Keys(Input),
    ChargeAndJump(f64),
    Autonomy(Autonomy),
    Look,
    JumpInTime(f64),
    Suspend(EntityId),
    Resume(EntityId),
    Place(EntityId, f32, f32),
    Insert(EntityId, f32, f32),
}

fn op() -> impl Strategy<Value = Op> {
    let side = || prop::option::of(prop_oneof![Just(Side::Left), Just(Side::Right)]);
    let ahead = prop::option::of(prop_oneof![Just(Ahead::Forward), Just(Ahead::Back)]);
    let controls =
        (ahead, side(), side(), any::<bool>(), any::<u32>()).prop_map(|(ahead, aside, turn, run, style)| {
            let style = if style % 4 == 0 { MotionCommand(style) } else { MotionCommand::NON_COMBAT };
            Input { ahead, aside, turn, run, style }
        });
    let autonomy =
        prop_oneof![Just(Autonomy::Server), Just(Autonomy::ServerButHeading), Just(Autonomy::Player)];
    prop_oneof![
        12 => update().prop_map(|update| Op::Hear(Box::new(update))),
        5 => prop_oneof![4 => 0.0f64..0.5, 1 => 0.0f64..30.0].prop_map(Op::Drive),
        2 => controls.prop_map(Op::Keys),
        1 => (0.0f64..1.5).prop_map(Op::ChargeAndJump),
        1 => autonomy.prop_map(Op::Autonomy),
        1 => Just(Op::Look),
        1 => prop_oneof![Just(-5.0), Just(1e6), -1.0f64..1.0].prop_map(Op::JumpInTime),
        1 => (1u32..6).prop_map(|id| Op::Suspend(EntityId::new(id))),
        1 => (1u32..6).prop_map(|id| Op::Resume(EntityId::new(id))),
        1 => (1u32..6, -300.0f32..300.0, -300.0f32..300.0).prop_map(|(id, x, y)| Op::Place(EntityId::new(id), x, y)),
    ]
}

/// What a careless host in a hostile place may do: wrong answers, panics, and times up to both ends.
fn careless_op() -> impl Strategy<Value = Op> {
    let length =
        prop_oneof![Just(1.0f32), Just(1.001), Just(0.9995), Just(2.0), Just(f32::MAX), any::<f32>()];
    let normal = (prop_oneof![2 => Just(Vec3::Z), 1 => vector()], length).prop_map(|(v, length)| v * length);
    let elsewhere = raw_placement().prop_map(|place| place.check().ok());
    let ground = (
        prop::option::of(normal),
        prop::option::weighted(0.3, elsewhere),
        prop::option::weighted(0.4, 0u32..40),
        any::<bool>(),
    );
    prop_oneof![
        30 => op(),
        3 => ground.prop_map(|(normal, elsewhere, panics_in, lands_by_update)| Op::Stand(Ground {
            normal, elsewhere: elsewhere.flatten(), panics_in, lands_by_update, ..Ground::default()
        })),
        1 => prop_oneof![Just(1e12), Just(-1e12), 1e12 - 60.0..1e12, -1e12..1e12].prop_map(Op::JumpTo),
        1 => entity().prop_map(Op::Remove),
        2 => (entity(), setup()).prop_map(|(entity, setup)| Op::Setup(entity, Box::new(setup))),
        1 => prop::option::of(entity()).prop_map(Op::Player),
        1 => raw_placement().prop_map(|place| Op::View(place.check().ok())),
        1 => library().prop_map(|library| Op::Library(Arc::new(library))),
        1 => action().prop_map(|action| Op::Replay(Box::new(action))),
    ]
}

/// The built-in library, an empty one, or one with numbers of any kind.
fn library() -> impl Strategy<Value = MotionLibrary> {
    let number = || prop_oneof![2 => -40.0f32..40.0, 1 => any::<f32>()];
    let pose = (coordinates(), quaternion()).prop_map(|(origin, wxyz)| {
        Pose::new(origin, Rotation::new(wxyz).unwrap_or(Rotation::IDENTITY)).unwrap_or(Pose::IDENTITY)
    });
    let animation = (prop::collection::vec(pose, 1..6), any::<bool>()).prop_map(|(root, is_still)| {
        let frames = root.len() as u32;
        Animation::new(frames, if is_still { Vec::new() } else { root }).unwrap()
    });
    let clip = (0u32..3, -2i32..6, -2i32..6, number()).prop_map(|(animation, low, high, rate)| Clip {
        animation,
        low,
        high,
        rate,
    });
    let motion = (prop::collection::vec(clip, 0..4), any::<u8>(), vector(), vector())
        .prop_map(|(clips, bits, velocity, omega)| Motion { clips, bits, velocity, omega });
    let wild = (prop::collection::vec(animation, 1..3), prop::collection::vec(motion, 8)).prop_map(
        |(animations, motions)| {
            let mut library = MotionLibrary::default();
            for (number, animation) in (1..).zip(animations) {
                library.add_animation(number, animation);
            }
            let (style, ready) = (MotionCommand::NON_COMBAT, MotionCommand::READY);
            let mut table = MotionTable::new(style);
            table.set_style_default(style, ready);
            let commands = [
                ready,
                MotionCommand::WALK_FORWARD,
                MotionCommand::RUN_FORWARD,
                MotionCommand::SIDESTEP_RIGHT,
                MotionCommand::TURN_RIGHT,
                MotionCommand::FALLING,
            ];
            for (command, motion) in commands.into_iter().zip(&motions) {
                table.set_cycle(MotionTable::key(style, command), motion.clone());
                table.set_modifier(MotionTable::key(style, command), motions[6].clone());
            }
            table.set_any_link(MotionCommand(0), MotionCommand(u32::MAX), motions[7].clone());
            library.add_table(BUILT_IN_HUMANOID, table.clone());
            library.add_table(BUILT_IN_CREATURE, table);
            library
        },
    );
    prop_oneof![2 => Just(MotionLibrary::built_in()), 1 => Just(MotionLibrary::default()), 4 => wild]
}

/// A body of the host's own, with numbers of any kind.
fn setup() -> impl Strategy<Value = BodySetup> {
    let number = || prop_oneof![3 => 0.0f32..3.0, 1 => any::<f32>()];
    let speeds = [number(), number(), number(), number(), number()];
    (
        (raw_placement(), any::<bool>(), any::<u32>()),
        [number(), number(), number()],
        speeds,
        [vector(), vector()],
    )
        .prop_map(|((place, grounded, bits), [scale, radius, height], speeds, [velocity, omega])| {
            let [forward, sidestep, turn, run_rate, speed_factor] = speeds;
            BodySetup {
                state: PhysicsState::from_bits_retain(bits),
                grounded,
                motion: InterpretedMotion {
                    forward: MotionAxis::new(MotionCommand::RUN_FORWARD, forward),
                    sidestep: MotionAxis::new(MotionCommand::SIDESTEP_RIGHT, sidestep),
                    turn: MotionAxis::new(MotionCommand::TURN_RIGHT, turn),
                    run_rate,
                    speed_factor,
                    ..InterpretedMotion::STANDING
                },
                scale,
                radius,
                height,
                velocity,
                omega,
                ..BodySetup::at(place.check().unwrap_or(at(90.0, 90.0)))
            }
        })
}

/// A message that a recorded client sent, with numbers of any kind.
fn action() -> impl Strategy<Value = PlayerAction> {
    let number = || prop_oneof![3 => -3.0f32..3.0, 1 => any::<f32>()];
    let zero = Stamp::new(0);
    let stamps = PlayerStamps { instance: zero, server_control: zero, teleport: zero, force_position: zero };
    let axis = (any::<u16>(), number()).prop_map(|(command, speed)| {
        let command = [MotionCommand::WALK_FORWARD, MotionCommand::RUN_FORWARD, MotionCommand::TURN_RIGHT]
            [usize::from(command % 3)];
        RawAxis { command: Some(command), hold_key: None, speed: Some(speed) }
    });
    prop_oneof![
        (axis, raw_placement()).prop_map(move |(forward, position)| {
            let state = RawState { forward, ..RawState::default() };
            PlayerAction::MoveToState(MoveToState { state, position, stamps, contact: SaidContact(1) })
        }),
        (number(), vector(), raw_placement()).prop_map(move |(extent, local_velocity, position)| {
            PlayerAction::Jump(Jump { extent, local_velocity, position, stamps })
        }),
    ]
}

/// What a host may do to a world at a time that it names.
fn timed_op() -> impl Strategy<Value = Op> {
    prop_oneof![
        12 => update().prop_map(|update| Op::Hear(Box::new(update))),
        1 => entity().prop_map(Op::Suspend),
        1 => entity().prop_map(Op::Resume),
        1 => (entity(), 0.0f32..190.0, 0.0f32..190.0).prop_map(|(entity, x, y)| Op::Place(entity, x, y)),
        1 => (entity(), 0.0f32..190.0, 0.0f32..190.0).prop_map(|(entity, x, y)| Op::Insert(entity, x, y)),
    ]
}

fn config() -> impl Strategy<Value = Config> {
    (0usize..Config::PROFILES.len(), any::<bool>(), any::<bool>()).prop_map(|(profile, adopts, is_tight)| {
        let unknown = if adopts { UnknownEntityPolicy::Adopt } else { UnknownEntityPolicy::Park };
        let limits = if is_tight {
            Limits::DEFAULT.with(|limits| {
                limits.bodies = 4;
                limits.events = 2;
                limits.actions = 3;
                limits.parked = 5;
                limits.parked_per_entity = 2;
            })
        } else {
            Limits::DEFAULT
        };
        Config::PROFILES[profile].1.with(|config| {
            config.unknown = unknown;
            config.limits = limits;
        })
    })
}

/// A profile, or one whose switches come from all profiles.
fn any_config() -> impl Strategy<Value = Config> {
    let profile = || (0usize..Config::PROFILES.len()).prop_map(|profile| Config::PROFILES[profile].1);
    let others = (profile(), profile(), profile(), profile(), profile(), profile());
    let numbers = (any::<f64>(), any::<u8>(), prop::collection::vec(0u32..2_000, 7));
    (config(), prop::option::of((others, numbers))).prop_map(|(config, mixed)| match mixed {
        None => config,
        Some(((a, b, c, d, e, f), (max_step_secs, world, limits))) => config.with(|config| {
            config.max_step_secs = max_step_secs;
            (config.gate, config.orientation, config.landing) = (a.gate, b.orientation, c.landing);
            (config.takeoff, config.described_goals, config.root_motion) =
                (d.takeoff, e.described_goals, f.root_motion);
            (config.drawing, config.player_drawing) = (b.drawing, c.drawing);
            (config.player_catch_up, config.early_life) = (d.player_catch_up, e.early_life);
            (config.no_viewpoint, config.commands) = (f.no_viewpoint, a.commands);
            config.world = world;
            config.limits = Limits::DEFAULT.with(|bounds| {
                bounds.bodies = limits[0] % 9;
                bounds.events = limits[1] % 9;
                bounds.actions = limits[2] % 9;
                bounds.parked = limits[3] % 9;
                bounds.parked_per_entity = limits[4] % 9;
                bounds.parked_bytes = limits[5];
                bounds.parked_bytes_per_entity = limits[6];
            });
        }),
    })
}

#[derive(Clone)]
struct Play {
    world: MotionWorld,
    now: f64,
    ground: Ground,
}

impl Play {
    fn new(config: Config) -> Self {
        let mut world = MotionWorld::new(config, SimTime::ZERO);
        world.set_viewpoint(Some(at(96.0, 96.0)));
        world.trace(EntityId::new(3));
        Self { world, now: 0.0, ground: Ground::default() }
    }

    fn time(&self) -> SimTime {
        SimTime::from_secs(self.now).unwrap()
    }

    /// Applies an operation, in which the surroundings may panic. `None` if they did, or if it has no answer.
    fn try_apply(&mut self, op: &Op) -> Option<Disposition> {
        match catch_unwind(AssertUnwindSafe(|| self.apply(op))) {
            Ok(answer) => answer,
            Err(fault) if fault.is::<HostFault>() => None,
            Err(fault) => resume_unwind(fault),
        }
    }

    fn apply(&mut self, op: &Op) -> Option<Disposition> {
        match op {
            Op::Hear(update) => return Some(self.world.handle(self.time(), update, &self.ground)),
            Op::Stand(ground) => self.ground = ground.clone(),
            Op::Remove(entity) => _ = self.world.remove(*entity),
            Op::Setup(entity, setup) => _ = self.world.insert(self.time(), *entity, setup),
            Op::Player(entity) => self.world.set_local_player(self.time(), *entity),
            Op::View(place) => self.world.set_viewpoint(*place),
            Op::Library(library) => self.world.set_library(Arc::clone(library)),
            Op::Replay(action) => _ = self.world.replay_action(self.time(), action, &self.ground),
            Op::JumpTo(secs) => {
                self.now = *secs;
                let _ = self.world.advance(self.time(), &self.ground);
            }
            Op::Drive(secs) => {
                let end = (self.now + secs).min(1e12);
                while self.now < end {
                    self.now = (self.now + 1.0 / 50.0).max(self.now.next_up()).min(end);
                    let _ = self.world.advance(self.time(), &self.ground);
                }
            }
            Op::Keys(controls) => {
                let _ = self.world.set_skills(Skills { run: 150, jump: 250, load: 0.3 });
                let _ = self.world.set_input(self.time(), *controls, &self.ground);
            }
            Op::ChargeAndJump(secs) => {
                let _ = self.world.charge_jump(self.time(), &self.ground);
                self.now = (self.now + secs).min(1e12);
                let _ = self.world.jump(self.time(), &self.ground);
            }
            Op::Autonomy(autonomy) => _ = self.world.set_autonomy(*autonomy),
            Op::Look => {
                while self.world.poll_event().is_some() {}
                while self.world.poll_action().is_some() {}
                self.world.forget_changed();
            }
            Op::Suspend(entity) => _ = self.world.suspend(self.time(), *entity, &self.ground),
            Op::Resume(entity) => _ = self.world.resume(self.time(), *entity, &self.ground),
            Op::Place(entity, x, y) => {
                _ = self.world.set_place(self.time(), *entity, at(*x, *y), &self.ground);
            }
            Op::Insert(entity, x, y) => {
                // Ticks before it need surroundings, which `insert` does not have.
                let _ = self.world.advance(self.time(), &self.ground);
                _ = self.world.insert(self.time(), *entity, &evenstride::BodySetup::at(at(*x, *y)));
                // Messages that waited for it need surroundings.
                let _ = self.world.advance(self.time(), &self.ground);
            }
            Op::JumpInTime(secs) => {
                self.now = (self.now + secs).clamp(-1e12, 1e12);
                let _ = self.world.advance(self.time(), &self.ground);
            }
        }
        None
    }
}

proptest! {
    /// Whatever happens, every pose is finite, every limit holds, and the parts of the world fit together: restoring checks that.
    #[test]
    fn any_input_leaves_a_world_whose_own_save_is_accepted(
        config in any_config(),
        ops in prop::collection::vec(careless_op(), 1..80),
    ) {
        let mut play = Play::new(config);
        for op in &ops {
            let _ = play.try_apply(op);
            let world = &play.world;
            for entity in world.entities() {
                let view = world.body(entity).unwrap();
                prop_assert!(view.velocity.is_finite(), "{op:?}");
                for place in [view.place, world.drawn(entity, play.time())].into_iter().flatten() {
                    prop_assert!(place.pose.is_in_bounds(), "{op:?}: {place:?}");
                    prop_assert!(Rotation::new(place.pose.rotation().to_wxyz()).is_ok(), "{op:?}: {place:?}");
                }
            }
            prop_assert!(world.len() <= config.limits.bodies as usize);
            prop_assert!(world.parked() <= config.limits.parked as usize);
            let restored = MotionWorld::restore_with(&world.save(), Arc::clone(world.library()));
            prop_assert!(restored.is_ok(), "{op:?}: {:?}", restored.err());
            let mut restored = restored.unwrap();
            prop_assert_eq!(restored.state_hash(), world.state_hash(), "{:?}", op);
            let drawn = restored.restore_drawing(&world.save_drawing());
            prop_assert!(drawn.is_ok(), "{op:?}: {:?}", drawn.err());
            prop_assert_eq!(restored.drawing_hash(), world.drawing_hash(), "{:?}", op);
        }
    }

    #[test]
    fn saved_restored_and_continued_is_continued(
        config in any_config(),
        before in prop::collection::vec(careless_op(), 1..40),
        after in prop::collection::vec(careless_op(), 1..40),
    ) {
        let mut play = Play::new(config);
        before.iter().for_each(|op| _ = play.try_apply(op));
        // Events that were not polled are not saved.
        while play.world.poll_event().is_some() {}
        let mut copy = Play { world: MotionWorld::restore_with(&play.world.save(), Arc::clone(play.world.library())).unwrap(), now: play.now, ground: play.ground.clone() };
        copy.world.restore_drawing(&play.world.save_drawing()).unwrap();
        prop_assert_eq!(copy.world.state_hash(), play.world.state_hash());
        for op in &after {
            // As text: a refusal quotes numbers that may be NaN.
            prop_assert_eq!(format!("{:?}", play.try_apply(op)), format!("{:?}", copy.try_apply(op)));
            prop_assert_eq!(play.world.state_hash(), copy.world.state_hash(), "{:?}", op);
        }
        prop_assert_eq!(play.world.save(), copy.world.save());
    }

    /// A file damaged on purpose is refused, or is a world like any other.
    #[test]
    fn damaged_saves_break_nothing(
        config in config(),
        before in prop::collection::vec(op(), 1..60),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in prop::option::weighted(0.1, any::<prop::sample::Index>()),
        after in prop::collection::vec(op(), 1..20),
    ) {
        let mut play = Play::new(config);
        before.iter().for_each(|op| _ = play.apply(op));
        let mut bytes = play.world.save();
        for (place, value) in &damage {
            let place = 20 + place.index(bytes.len() - 20);
            bytes[place] = *value;
        }
        if let Some(cut) = cut {
            bytes.truncate(20 + cut.index(bytes.len() - 20));
        }
        evenstride::reseal(&mut bytes);
        let Ok(world) = MotionWorld::restore(&bytes) else { return Ok(()) };
        let mut play = Play { now: world.now().as_secs(), world, ground: Ground::default() };
        for op in &after {
            let _ = play.apply(op);
            for entity in play.world.entities() {
                let place = play.world.drawn(entity, play.time());
                prop_assert!(place.is_none_or(|place| place.pose.origin().is_finite()), "{op:?}");
            }
        }
    }

    #[test]
    fn running_twice_gives_the_same_answers_and_the_same_bits(
        config in config(),
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let run = || {
            let mut play = Play::new(config);
            let answers: Vec<_> = ops.iter().map(|op| format!("{:?}", play.apply(op))).collect();
            let events: Vec<_> = std::iter::from_fn(|| play.world.poll_event()).map(|event| format!("{event:?}")).collect();
            let why: Vec<_> = play.world.explain(EntityId::new(3)).map(|why| why.to_string()).collect();
            (answers, events, why, play.world.state_hash(), play.world.drawing_hash())
        };
        prop_assert_eq!(run(), run());
    }

    /// A host that sleeps until something is due misses nothing: messages, deadlines, events, bits.
    #[test]
    fn a_host_that_sleeps_until_something_is_due_gets_the_same_bits(
        ops in prop::collection::vec((prop_oneof![3 => 0.0f64..1.0, 1 => 0.0f64..40.0], timed_op()), 1..30),
    ) {
        let run = |sleeps: bool| {
            let mut play = Play::new(Config::SMOOTH);
            let mut advances = 0;
            for (secs, op) in &ops {
                let until = play.now + secs;
                loop {
                    let next = match play.world.next_due().filter(|_| sleeps) {
                        _ if !sleeps => play.now + 1.0 / 30.0,
                        Some(due) => due.as_secs(),
                        None => break,
                    };
                    if next >= until {
                        break;
                    }
                    play.now = next;
                    let _ = play.world.advance(play.time(), &GROUND);
                    advances += 1;
                    assert!(advances < 100_000, "it is due for ever");
                }
                play.now = until;
                let _ = play.apply(op);
            }
            let _ = play.world.advance(play.time(), &GROUND);
            let events: Vec<_> = std::iter::from_fn(|| play.world.poll_event()).map(|event| format!("{event:?}")).collect();
            let actions: Vec<_> = std::iter::from_fn(|| play.world.poll_action()).map(|action| format!("{action:?}")).collect();
            (events, actions, play.world.state_hash())
        };
        prop_assert_eq!(run(true), run(false));
    }

    /// A frame of a body that walks straight on has a shorter way through the code. A restored drawing
    /// always takes the long one, and both give the same bits.
    #[test]
    fn a_drawing_that_is_restored_before_every_frame_is_the_same(
        walks in prop::collection::vec((0u8..8, 0.5f32..3.0, -2.0f32..2.0, 1u16..80), 1..12),
        fps in prop::sample::select(vec![24.0, 30.0, 60.0, 144.0]),
        grade in -0.3f32..0.3,
    ) {
        let mut worlds = [MotionWorld::new(Config::GLIDE, SimTime::ZERO), MotionWorld::new(Config::GLIDE, SimTime::ZERO)];
        let (mut walker, mut now, mut y) = (Actor::new(0x5000_0001), 0.0, 60.0f32);
        let open = evenstride::OpenField;
        let created = walker.created(90.0, y);
        for world in &mut worlds {
                let _ = world.handle(SimTime::ZERO, &created, &open);
            }
        for (what, speed, off, frames) in walks {
            let axis = |index: u16| Some(CommandIndex(index));
            let state = |forward: u16, turn: Option<CommandIndex>| InterpretedState {
                forward: axis(forward), forward_speed: Some(speed), turn, ..InterpretedState::default()
            };
            let update = match what {
                0 => walker.moves(state(3, None), 1),
                1 | 2 => walker.moves(state(7, None), 1),
                3 => walker.moves(state(5, axis(13)), 1),
                4 => walker.sent_to_place(90.0, y + 20.0, MoveToParams::default()),
                _ => {
                    let mut place = at(90.0 + off, y);
                    place.pose = place.pose.with_origin(place.pose.origin() + Vec3::Z * (grade * (y - 60.0))).unwrap();
                    ServerEntity::position(&mut walker, &place)
                }
            };
            let time = SimTime::from_secs(now).unwrap();
            for world in &mut worlds {
                let _ = world.handle(time, &update, &open);
            }
            for _ in 0..frames {
                now += 1.0 / fps;
                y += 4.0 * speed / fps as f32;
                let time = SimTime::from_secs(now).unwrap();
                let drawing = worlds[1].save_drawing();
                worlds[1].restore_drawing(&drawing).unwrap();
                for world in &mut worlds {
                    let _ = world.advance(time, &open);
                }
                prop_assert_eq!(worlds[0].drawing_hash(), worlds[1].drawing_hash());
            }
        }
    }

    /// However a host cuts time into frames, the fixed gate gives the same ticks, messages and expiries.
    #[test]
    fn chunks_of_time_do_not_matter_to_the_fixed_gate(
        updates in prop::collection::vec((0.0f64..2.0, update()), 1..40),
        cuts in prop::collection::vec(0.001f64..0.9, 1..30),
    ) {
        let run = |cuts: &[f64]| {
            let mut play = Play::new(Config::SMOOTH);
            let mut cut = cuts.iter().cycle();
            for (secs, update) in &updates {
                let due = play.now + secs;
                if let Some(first) = cut.next() {
                    let mut next = play.now + first;
                    while next < due {
                        play.now = next;
                        let _ = play.world.advance(play.time(), &GROUND);
                        next += cut.next().unwrap_or(&1.0);
                    }
                }
                play.now = due;
                let _ = play.world.handle(play.time(), update, &GROUND);
            }
            let actions: Vec<_> = std::iter::from_fn(|| play.world.poll_action()).collect();
            (play.world.state_hash(), actions)
        };
        let (whole, whole_actions) = run(&[]);
        let (cut, cut_actions) = run(&cuts);
        prop_assert_eq!(whole, cut);
        prop_assert_eq!(format!("{whole_actions:?}"), format!("{cut_actions:?}"));
    }
}
