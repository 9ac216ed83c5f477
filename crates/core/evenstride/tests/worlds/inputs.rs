//! Random operations, libraries and configurations.

use evenstride::{
    BodySetup, Config,
    animation::{
        Animation, BUILT_IN_CREATURE, BUILT_IN_HUMANOID, Clip, InterpretedMotion, Motion, MotionAxis,
        MotionLibrary, MotionTable,
    },
    config::{Limits, UnknownEntityPolicy},
    player::{Ahead, Autonomy, Input, Side},
    types::{
        EntityId, Pose, Rotation, Stamp, Vec3,
        update::{
            Contact as SaidContact, Jump, MotionCommand, MoveToState, PhysicsState, PlayerAction,
            PlayerStamps, RawAxis, RawState,
        },
    },
};
use evenstride_testkit::at;
use proptest::prelude::*;
use std::sync::Arc;

use crate::messages::{coordinates, entity, quaternion, raw_placement, update, vector};
use crate::play::{Op, careful};

pub(crate) fn op() -> impl Strategy<Value = Op> {
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
pub(crate) fn careless_op() -> impl Strategy<Value = Op> {
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
        3 => ground.prop_map(|(normal, elsewhere, panics_in, lands_by_update)| {
            let mut ground = careful();
            (ground.normal, ground.elsewhere) = (normal, elsewhere.flatten());
            (ground.panics_in, ground.lands_by_update) = (panics_in, lands_by_update);
            Op::Stand(ground)
        }),
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
pub(crate) fn library() -> impl Strategy<Value = MotionLibrary> {
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
pub(crate) fn setup() -> impl Strategy<Value = BodySetup> {
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
pub(crate) fn action() -> impl Strategy<Value = PlayerAction> {
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
pub(crate) fn timed_op() -> impl Strategy<Value = Op> {
    prop_oneof![
        12 => update().prop_map(|update| Op::Hear(Box::new(update))),
        1 => entity().prop_map(Op::Suspend),
        1 => entity().prop_map(Op::Resume),
        1 => (entity(), 0.0f32..190.0, 0.0f32..190.0).prop_map(|(entity, x, y)| Op::Place(entity, x, y)),
        1 => (entity(), 0.0f32..190.0, 0.0f32..190.0).prop_map(|(entity, x, y)| Op::Insert(entity, x, y)),
    ]
}

pub(crate) fn config() -> impl Strategy<Value = Config> {
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
pub(crate) fn any_config() -> impl Strategy<Value = Config> {
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
