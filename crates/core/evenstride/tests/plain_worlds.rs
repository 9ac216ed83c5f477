//! Promises of plain worlds over random input.

use std::{num::NonZeroU32, sync::Arc};

use evenstride::{
    BodySetup, Config, FlatGround, SyncTest,
    animation::MotionLibrary,
    generic::{Axes, Order, PlainConfig, PlainPose, PlainUpdate, PlainWorld},
    types::{EntityId, Heading, Rotation, SimTime, Vec3},
};
use evenstride_testkit::{CarelessGround, with_careless_host};
use proptest::prelude::*;

/// Something that may happen to a plain world.
#[derive(Clone, Debug)]
enum Op {
    Update { entity: u64, update: PlainUpdate },
    Throw { entity: u64, velocity: [f32; 3] },
    Remove { entity: u64 },
    InsertInside { entity: u32 },
    RemoveInside { entity: u32 },
    Look { at: Option<[f64; 3]> },
    Drive { secs: f64 },
    JumpTo { secs: f64 },
    Stand { normal: Vec3, panics_in: Option<u32> },
}

/// Numbers of every magnitude that a game may send, and some that none should.
fn number(usual: f64) -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -usual..usual,
        2 => (-1.0..1.0f64, 0i32..9).prop_map(|(part, digits)| part * 10f64.powi(digits)),
        1 => any::<f64>(),
    ]
}

fn velocity() -> impl Strategy<Value = [f32; 3]> {
    let speed = || number(6_000.0).prop_map(|speed| speed as f32);
    ([speed(), speed(), speed()], any::<bool>())
        .prop_map(|([x, y, z], is_flat)| [x, y, if is_flat { 0.0 } else { z }])
}

fn update() -> impl Strategy<Value = PlainUpdate> {
    let position = prop_oneof![3 => [number(30.0), number(30.0), number(5.0)], 1 => [number(2e4), number(2e4), number(1e7)]];
    let rotation = prop_oneof![
        3 => (0.0f32..360.0).prop_map(|degrees| {
            let [w, x, y, z] = Rotation::facing(Heading::from_degrees(degrees).unwrap()).to_wxyz();
            [x, y, z, w]
        }),
        1 => any::<[f32; 4]>(),
    ];
    let order = prop_oneof![
        2 => Just(Order::Arrival),
        1 => (0u64..20).prop_map(Order::Sequence),
        1 => (-1e12..1e12).prop_map(|secs| Order::Time(SimTime::from_secs(secs).unwrap())),
    ];
    (position, rotation, prop::option::weighted(0.8, velocity()), order, prop::bool::weighted(0.1)).prop_map(
        |(position, rotation, velocity, order, teleports)| PlainUpdate {
            pose: PlainPose { position, rotation },
            velocity,
            order,
            teleports,
        },
    )
}

fn op() -> impl Strategy<Value = Op> {
    let entity = || prop_oneof![3 => 0u64..5, 1 => any::<u64>()];
    prop_oneof![
        12 => (entity(), update()).prop_map(|(entity, update)| Op::Update { entity, update }),
        2 => (entity(), velocity()).prop_map(|(entity, velocity)| Op::Throw { entity, velocity }),
        1 => entity().prop_map(|entity| Op::Remove { entity }),
        1 => (1u32..7).prop_map(|entity| Op::InsertInside { entity }),
        1 => (1u32..7).prop_map(|entity| Op::RemoveInside { entity }),
        1 => prop::option::of([number(100.0), number(100.0), number(10.0)]).prop_map(|at| Op::Look { at }),
        8 => prop_oneof![4 => 0.0..0.3f64, 1 => 0.0..8.0f64].prop_map(|secs| Op::Drive { secs }),
        1 => prop_oneof![Just(1e12), Just(-1e12), 1e12 - 60.0..1e12, -1e12..1e12].prop_map(|secs| Op::JumpTo { secs }),
        1 => (any::<[f32; 3]>(), prop::option::of(0u32..30))
            .prop_map(|(normal, panics_in)| Op::Stand { normal: Vec3::from_array(normal), panics_in }),
    ]
}

fn config() -> impl Strategy<Value = PlainConfig> {
    let axes = prop::sample::select(vec![
        Axes::ZUpYForward,
        Axes::YUpMinusZForward,
        Axes::YUpZForward,
        Axes::ZUpXForward,
        Axes::XRightYDown,
    ]);
    let units = prop_oneof![3 => Just(1.0), 1 => Just(100.0), 1 => any::<f64>()];
    let coasting = prop_oneof![3 => Just(3.0), 1 => any::<f64>(), 1 => Just(1e300)];
    (0usize..Config::PROFILES.len(), prop::bool::weighted(0.5), axes, units, coasting).prop_map(
        |(profile, is_default, axes, units_per_metre, max_coast_secs)| {
            PlainConfig::default().with(|config| {
                config.motion = if is_default { config.motion } else { Config::PROFILES[profile].1 };
                (config.axes, config.units_per_metre, config.max_coast_secs) =
                    (axes, units_per_metre, max_coast_secs);
            })
        },
    )
}

/// Ground of the plain world, on which positions land bodies.
const fn ground(normal: Vec3, panics_in: Option<u32>) -> CarelessGround {
    let mut ground = CarelessGround::new(FlatGround { z: 0.0 });
    (ground.normal, ground.panics_in, ground.lands_by_update) = (Some(normal), panics_in, true);
    ground
}

struct Play {
    world: PlainWorld,
    now: f64,
    ground: CarelessGround,
}

impl Play {
    fn apply(&mut self, op: &Op) {
        let now = SimTime::from_secs(self.now).unwrap();
        match op {
            Op::Update { entity, update } => {
                _ = self.world.update_in(now, *entity, update, &self.ground);
            }
            Op::Throw { entity, velocity } => {
                _ = self.world.throw_in(now, *entity, *velocity, &self.ground);
            }
            Op::Remove { entity } => _ = self.world.remove(*entity),
            Op::InsertInside { entity } => {
                let setup = BodySetup::at(self.world.place(&PlainPose::IDENTITY).unwrap());
                _ = self.world.motion_mut().insert(now, EntityId::new(*entity), &setup);
            }
            Op::RemoveInside { entity } => _ = self.world.motion_mut().remove(EntityId::new(*entity)),
            Op::Look { at } => _ = self.world.set_viewpoint(*at),
            Op::Drive { secs } => {
                let end = (self.now + secs).min(1e12);
                while self.now < end {
                    self.now = (self.now + 1.0 / 50.0).max(self.now.next_up()).min(end);
                    self.world.advance_in(SimTime::from_secs(self.now).unwrap(), &self.ground);
                }
            }
            Op::JumpTo { secs } => {
                self.now = *secs;
                self.world.advance_in(SimTime::from_secs(self.now).unwrap(), &self.ground);
            }
            Op::Stand { normal, panics_in } => {
                self.ground = ground(*normal, *panics_in);
            }
        }
    }
}

proptest! {
    #[test]
    fn sync_tests_of_any_careful_game_find_nothing(
        config in config(),
        every in 1u32..8,
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let spare = PlainWorld::new(config, SimTime::ZERO);
        let mut sync = SyncTest::new(spare.clone(), NonZeroU32::new(every).unwrap());
        let mut now = 0.0;
        for op in &ops {
            now = sync.apply(|world| {
                let taken = std::mem::replace(world, spare.clone());
                let mut play = Play { world: taken, now, ground: ground(Vec3::Z, None) };
                play.apply(op);
                *world = play.world;
                play.now
            });
            prop_assert_eq!(sync.check(), Ok(()), "{:?}", op);
        }
    }

    #[test]
    fn any_game_leaves_a_plain_world_whose_own_save_is_accepted(
        config in config(),
        has_library in any::<bool>(),
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let mut play =
            Play { world: PlainWorld::new(config, SimTime::ZERO), now: 0.0, ground: ground(Vec3::Z, None) };
        let library = Arc::new(if has_library { MotionLibrary::default() } else { MotionLibrary::built_in() });
        play.world.motion_mut().set_library(Arc::clone(&library));
        for op in &ops {
            let _ = with_careless_host(|| play.apply(op));
            let world = &play.world;
            let now = SimTime::from_secs(play.now).unwrap();
            for entity in world.entities() {
                let drawn = world.drawn(entity, now).unwrap();
                prop_assert!(drawn.position.iter().all(|part| part.is_finite()), "{op:?}: {drawn:?}");
            }
            let saved = world.save();
            let restored = PlainWorld::restore_with(&saved, Arc::clone(&library));
            prop_assert!(restored.is_ok(), "{op:?}: {:?}", restored.err());
            let mut restored = restored.unwrap();
            prop_assert!(restored.save() == saved, "{op:?}: saved again it is another file");
            let drawn = restored.restore_drawing(&world.save_drawing());
            prop_assert!(drawn.is_ok(), "{op:?}: {:?}", drawn.err());
            prop_assert_eq!(restored.motion().drawing_hash(), world.motion().drawing_hash(), "{:?}", op);
        }
    }
}
