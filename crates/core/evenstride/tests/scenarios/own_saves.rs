//! A world's own save is always accepted, whatever host and server did to the world before.

use std::{cell::Cell, panic::AssertUnwindSafe, sync::Arc};

use evenstride::{
    BodySetup, Config, FlatGround, MotionWorld, OpenField, RestoreError, Surroundings,
    animation::{InterpretedMotion, MotionAxis, MotionLibrary},
    config::Limits,
    generic::{Axes, PlainConfig, PlainPose, PlainUpdate, PlainWorld},
    surroundings::{Contact, Placed, Placing, Sweep, Swept},
    types::{
        Heading, Placement, RawPlacement, Rotation, SimTime, Vec3,
        update::{Jump, MotionCommand, PlayerAction, PlayerStamps, Update},
    },
};
use evenstride_testkit::{Actor, Rig, Stage, at};

const GROUND: FlatGround = FlatGround { z: 10.0 };

/// Restores a world from its own save, which must be the same world in every bit.
#[track_caller]
fn accepted(world: &MotionWorld) -> MotionWorld {
    let mut restored = MotionWorld::restore(&world.save()).unwrap();
    assert_eq!(restored.state_hash(), world.state_hash());
    restored.restore_drawing(&world.save_drawing()).unwrap();
    assert_eq!(restored.drawing_hash(), world.drawing_hash());
    restored
}

/// Restores a plain world from its own save, which must be the same world in every bit.
#[track_caller]
fn accepted_plain(world: &PlainWorld) -> PlainWorld {
    let mut restored = PlainWorld::restore(&world.save()).unwrap();
    assert_eq!(restored.save(), world.save());
    restored.restore_drawing(&world.save_drawing()).unwrap();
    assert_eq!(restored.motion().drawing_hash(), world.motion().drawing_hash());
    restored
}

fn time(secs: f64) -> SimTime {
    SimTime::from_secs(secs).unwrap()
}

#[test]
fn entities_that_move_at_800_to_4000_metres_per_second_are_restored() {
    for speed in [700.0f32, 800.0, 1_250.0, 2_500.0, 3_120.0, 3_200.0, 4_000.0] {
        for direction in
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]
        {
            let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
            let velocity = direction.map(|part| part * speed);
            for frame in 0..20u32 {
                let now = time(f64::from(frame) / 30.0);
                world.advance(now);
                let way = f64::from(frame) / 30.0 * f64::from(speed);
                let pose = PlainPose::at(direction.map(|part| f64::from(part) * way));
                let _ = world.update(now, 7, &PlainUpdate::new(pose).moving(velocity)).unwrap();
                accepted_plain(&world);
            }
        }
    }
}

/// Ground at 10 m whose normals are not those of the contract.
struct Skewed(Vec3);

impl Surroundings for Skewed {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        match GROUND.sweep(sweep) {
            Swept::Moved { at, contact: Contact::On(_), ran_into } => {
                Swept::Moved { at, contact: Contact::On(self.0), ran_into: ran_into.map(|_| self.0) }
            }
            other => other,
        }
    }

    fn place(&self, placing: &Placing) -> Placed {
        match GROUND.place(placing) {
            Placed::At { at, contact: Contact::On(_) } => Placed::At { at, contact: Contact::On(self.0) },
            other => other,
        }
    }
}

#[test]
fn s20_normals_of_any_length_neither_add_energy_nor_spoil_a_save() {
    let lengths = [
        1.0,
        1.000_04,
        1.000_6,
        0.999_4,
        1.001,
        0.5,
        2.0,
        1e-3,
        1e-30,
        1e20,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ];
    for length in lengths {
        for (name, config) in Config::PROFILES {
            let mut rig = Rig::in_surroundings(config, Skewed(Vec3::Z * length));
            let _ = rig.hears(91.0, 90.0);
            rig.drive(0.5);
            let _ = rig.gets_velocity(Vec3::new(1.0, 0.0, 6.0));
            let mut highest = 0.0f32;
            for step in 0..90 {
                rig.drive(1.0 / 30.0);
                accepted(&rig.world);
                if step > 45 {
                    highest = highest.max(rig.at().z);
                }
            }
            assert!(highest < 10.2, "{name}: a normal of length {length} lifts the body to {highest} m");
        }
    }
}

#[test]
fn updates_that_wait_near_the_end_of_time_are_restored() {
    for now in [1e12 - 30.0, 1e12 - 20.0, 1e12 - 1.0, 1e12, -1e12] {
        for (name, config) in Config::PROFILES {
            let mut world = MotionWorld::new(config, time(now));
            let mut actor = Actor::new(5);
            let _ = world.handle(time(now), &actor.position(90.0, 90.0), &OpenField);
            assert_eq!(world.parked(), 1, "{name}");
            accepted(&world);
            // Described again without a place, the entity is to be removed later.
            let outside = Actor::new(6);
            for description in [outside.created(90.0, 90.0), outside.create(outside.description(None))] {
                let _ = world.handle(time(now), &description, &OpenField);
            }
            let _ = world.advance(time((now + 0.1).min(1e12)), &OpenField);
            accepted(&world);
        }
        let mut world = PlainWorld::new(PlainConfig::default(), time(now));
        let _ = world
            .update(time(now), 7, &PlainUpdate::new(PlainPose::at([0.0; 3])).moving([3.0, 0.0, 0.0]))
            .unwrap();
        accepted_plain(&world);
    }
}

#[test]
fn a_plain_world_with_a_library_of_its_own_is_restored_with_it() {
    let library = Arc::new(MotionLibrary::default());
    let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
    world.motion_mut().set_library(Arc::clone(&library));
    let update = PlainUpdate::new(PlainPose::at([0.0; 3])).moving([3.0, 0.0, 0.0]);
    let _ = world.update(SimTime::ZERO, 7, &update).unwrap();
    world.advance(time(0.1));
    let saved = world.save();
    let refused = PlainWorld::restore(&saved).unwrap_err();
    assert!(refused.to_string().contains("library"), "{refused}");
    let restored = PlainWorld::restore_with(&saved, library).unwrap();
    assert_eq!(restored.save(), saved);
}

/// Changes one limit in the bytes of a save, from a number that occurs only there.
fn with_limit(saved: &[u8], from: u32, to: u32) -> Vec<u8> {
    let mut bytes = saved.to_vec();
    let places: Vec<_> =
        (0..bytes.len() - 4).filter(|&place| bytes[place..place + 4] == from.to_le_bytes()).collect();
    assert_eq!(places.len(), 1, "{from} must occur once");
    bytes[places[0]..places[0] + 4].copy_from_slice(&to.to_le_bytes());
    evenstride::reseal(&mut bytes);
    bytes
}

#[test]
fn a_save_that_exceeds_its_own_limits_is_refused() {
    let config = Config::RETAIL.with(|config| {
        config.limits = Limits::DEFAULT.with(|limits| {
            limits.parked = 7_654_321;
            limits.parked_per_entity = 6_543_217;
            limits.parked_bytes = 5_432_176;
            limits.parked_bytes_per_entity = 4_321_765;
            limits.bodies = 3_217_654;
            limits.actions = 2_176_543;
        });
    });
    let mut stage = Stage::new(config);
    for id in 1..=3 {
        let _ = stage.says(&Actor::new(id).created(90.0, 90.0));
    }
    let mut absent = Actor::new(9);
    for _ in 0..3 {
        let _ = stage.says(&absent.position(90.0, 90.0));
    }
    let saved = stage.world.save();
    let bytes = u32::try_from(stage.world.parked_bytes()).unwrap();
    for (from, name, least) in [
        (7_654_321, "parked", 3),
        (6_543_217, "parked_per_entity", 3),
        (5_432_176, "parked_bytes", bytes),
        (4_321_765, "parked_bytes_per_entity", bytes),
        (3_217_654, "bodies", 3),
    ] {
        let enough = MotionWorld::restore(&with_limit(&saved, from, least));
        assert!(enough.is_ok(), "{name}: {:?}", enough.err());
        let refused = MotionWorld::restore(&with_limit(&saved, from, least - 1)).unwrap_err();
        let RestoreError::OverLimit { limit, found, most, .. } = refused else { panic!("{name}: {refused}") };
        assert_eq!((limit, found, most), (name, u64::from(least), least - 1));
    }
    let refused = MotionWorld::restore(&with_limit(&saved, 3_217_654, 2)).unwrap_err();
    assert_eq!(refused.to_string(), "3 bodies, but the saved `Limits::bodies` is 2");
    // Updates that are about to be handled were parked before.
    let place = evenstride_testkit::at(90.0, 90.0);
    stage.world.insert(stage.time(), absent.id, &BodySetup::at(place)).unwrap();
    assert_eq!(stage.world.parked(), 0);
    let saved = stage.world.save();
    assert!(MotionWorld::restore(&with_limit(&saved, 7_654_321, 3)).is_ok());
    for (from, to) in [(7_654_321, 2), (5_432_176, bytes - 1)] {
        let refused = MotionWorld::restore(&with_limit(&saved, from, to)).unwrap_err();
        assert!(matches!(refused, RestoreError::OverLimit { .. }), "{refused}");
    }
}

/// Flat ground that panics at one of its calls.
struct Fragile {
    /// Calls left before the panic.
    left: Cell<u32>,
}

impl Fragile {
    fn call(&self) {
        let left = self.left.get();
        self.left.set(left.wrapping_sub(1));
        if left == 0 {
            // Unlike `panic!`, this prints nothing.
            std::panic::resume_unwind(Box::new("the host's own fault"));
        }
    }
}

impl Surroundings for Fragile {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        self.call();
        GROUND.sweep(sweep)
    }

    fn place(&self, placing: &Placing) -> Placed {
        self.call();
        GROUND.place(placing)
    }

    fn lands_by_update(&self, _: &Placement) -> bool {
        self.call();
        true
    }
}

#[test]
fn after_a_panic_in_the_surroundings_the_world_goes_on_and_its_save_is_restored() {
    for (name, config) in Config::PROFILES {
        for calls in 0..60 {
            let fragile = Fragile { left: Cell::new(calls) };
            let mut world = MotionWorld::new(config, SimTime::ZERO);
            let mut actors: Vec<_> = (1..=4).map(Actor::new).collect();
            let mut messages = vec![Update::LocalPlayer(actors[0].id)];
            messages.extend(actors.iter().map(|actor| actor.created(80.0, 90.0)));
            let target = actors[1].id;
            messages.push(actors[2].follows(target));
            messages.extend(actors.iter_mut().map(|actor| actor.position(85.0, 95.0)));
            messages.push(actors[3].velocity(Vec3::new(0.0, 1.0, 5.0)));
            messages.push(actors[1].teleport(100.0, 100.0));
            let mut caught = 0;
            for (index, message) in (0u8..).zip(&messages) {
                let now = time(f64::from(index) / 10.0);
                let call = AssertUnwindSafe(|| {
                    let _ = world.advance(now, &fragile);
                    let _ = world.handle(now, message, &fragile);
                });
                caught += u32::from(std::panic::catch_unwind(call).is_err());
                accepted(&world);
            }
            for index in 20..60u8 {
                let now = time(f64::from(index) / 10.0);
                let call = AssertUnwindSafe(|| world.advance(now, &fragile));
                caught += u32::from(std::panic::catch_unwind(call).is_err());
                accepted(&world);
            }
            assert!(caught <= 1, "{name}, {calls}");
        }
    }
}

/// It is driven into a slope, and its speed downwards when it slips off is hardly more than zero.
#[test]
fn a_body_that_hardly_falls_below_its_ground_is_restored() {
    let config = PlainConfig::default().with(|config| {
        config.motion = Config::RETAIL;
        config.axes = Axes::YUpMinusZForward;
        config.units_per_metre = 100.0;
    });
    let mut world = PlainWorld::new(config, SimTime::ZERO);
    let slope = Skewed(Vec3::NEG_X);
    let pose = PlainPose { position: [0.0, 1_003.32, 0.0], rotation: [0.0, 0.0, -3.793_632e-39, 1.0] };
    let update = PlainUpdate::new(pose).moving([0.392_554_94, -4_788.58, 0.0]);
    let _ = world.update_in(SimTime::ZERO, 7, &update, &slope).unwrap();
    for frame in 1..30u32 {
        world.advance_in(time(f64::from(frame) / 50.0), &slope);
        accepted_plain(&world);
    }
}

/// A body far above the map, within the bounds of coordinates.
#[test]
fn a_pose_ten_thousand_kilometres_above_the_ground_is_restored() {
    let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
    for frame in 0..20u32 {
        let now = time(f64::from(frame) / 30.0);
        world.advance(now);
        let update = PlainUpdate::new(PlainPose::at([0.0, f64::from(frame), 1.1e7])).moving([0.0, 30.0, 0.0]);
        let _ = world.update(now, 7, &update).unwrap();
        accepted_plain(&world);
    }
}

/// The body is below the ground. Its pose stays above, and comes to rest there.
#[test]
fn a_pose_that_rests_away_from_its_body_rests_when_restored() {
    let ground = FlatGround { z: 0.0 };
    let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
    let buried = PlainUpdate::new(PlainPose::at([0.0, 0.0, -7_712.864_897])).moving([0.0, -1_895.380_6, 0.0]);
    for update in [PlainUpdate::default(), buried] {
        let _ = world.update_in(SimTime::ZERO, 7, &update, &ground).unwrap();
    }
    for frame in 1..400u32 {
        world.advance_in(time(f64::from(frame) / 50.0), &ground);
        accepted_plain(&world);
    }
}

/// `motion_mut` allows it, although the game has no id for such a body.
#[test]
fn a_plain_world_is_restored_with_bodies_that_only_its_inner_world_knows() {
    let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
    let _ = world.update(SimTime::ZERO, 7, &PlainUpdate::default()).unwrap();
    let _ = world.motion_mut().handle(SimTime::ZERO, &Actor::new(99).created(90.0, 90.0), &OpenField);
    let restored = accepted_plain(&world);
    assert!(restored.entities().eq([7]));
    assert_eq!(restored.motion().len(), 2);
}

/// Its animation alone would move it by more metres than a number can hold.
#[test]
fn a_body_of_an_absurd_scale_causes_no_panic_and_is_restored_with_its_pose() {
    for scale in [1e9, 1e30, 2.6e38, f32::MAX] {
        let mut stage = Stage::in_surroundings(Config::GLIDE, GROUND);
        let motion = InterpretedMotion {
            forward: MotionAxis::new(MotionCommand::RUN_FORWARD, 2.1),
            sidestep: MotionAxis::new(MotionCommand::SIDESTEP_RIGHT, -387.7),
            ..InterpretedMotion::STANDING
        };
        let setup = BodySetup { scale, motion, ..BodySetup::at(evenstride_testkit::at(90.0, 90.0)) };
        stage.world.insert(stage.time(), Actor::new(1).id, &setup).unwrap();
        for _ in 0..100 {
            stage.frame();
            accepted(&stage.world);
        }
    }
}

/// Times near the end have a precision of 0.1 ms, so the sum of several slices may lie beyond it.
#[test]
fn a_body_that_is_stepped_up_to_the_end_of_time_is_restored() {
    for millis in 34..200 {
        let start = time(1e12 - 1.9);
        let max_step_secs = f64::from(millis) / 1_000.0;
        let mut world =
            MotionWorld::new(Config::RETAIL.with(|config| config.max_step_secs = max_step_secs), start);
        world.set_viewpoint(Some(at(90.0, 90.0)));
        let mut actor = Actor::new(1);
        let _ = world.handle(start, &actor.created(90.0, 90.0), &OpenField);
        let _ = world.handle(start, &actor.runs(1.0), &OpenField);
        let _ = world.advance(time(1e12), &OpenField);
        let _ = accepted(&world);
    }
}

/// A recorded client may claim anything. Turned by its heading, such a velocity is infinite.
#[test]
fn a_replayed_jump_of_absurd_speed_is_ignored_and_its_world_restored() {
    let mut stage = Stage::new(Config::RETAIL);
    let player = Actor::new(1);
    stage.world.set_local_player(stage.time(), Some(player.id));
    let _ = stage.says(&player.created(90.0, 90.0));
    stage.drive(0.2);
    let heading = Rotation::facing(Heading::from_degrees(35.0).unwrap());
    let place = at(90.0, 90.0);
    let position = RawPlacement::from(&Placement { pose: place.pose.with_rotation(heading), ..place });
    let stamps = PlayerStamps::default();
    let local_velocity = Vec3::new(f32::MIN, f32::MIN, 2.0);
    let jump = PlayerAction::Jump(Jump { extent: 1.0, local_velocity, position, stamps });
    let _ = stage.world.replay_action(stage.time(), &jump, &OpenField).unwrap();
    let _ = accepted(&stage.world);
}
