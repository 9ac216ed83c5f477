//! Every safety bound of `evenstride::deviation::SAFETY_BOUNDS` that the world has, by its id.

use evenstride::{
    Config, Disposition, Surroundings,
    deviation::SAFETY_BOUNDS,
    limits::MAX_FAR_WAYPOINTS,
    outcome::RefuseReason,
    surroundings::{Placed, Placing, Sweep, Swept},
    types::{
        Vec3,
        update::{CommandIndex, InterpretedState, SparseQuaternion},
    },
};
use evenstride_testkit::{Actor, Rig, Stage};

#[test]
fn every_safety_bound_has_a_test() {
    let tests = concat!(
        include_str!("safety.rs"),
        include_str!("appearing.rs"),
        include_str!("holding.rs"),
        include_str!("legs.rs"),
        include_str!("looking.rs"),
        include_str!("moving_to.rs"),
        include_str!("own_saves.rs"),
        include_str!("parking.rs"),
        include_str!("saving.rs"),
        include_str!("../../../evenstride_types/src/time.rs")
    );
    for bound in SAFETY_BOUNDS {
        assert!(tests.contains(&format!("fn {}()", bound.test)), "{}: no test {}", bound.id, bound.test);
    }
}

#[test]
fn s1_far_waypoints_are_bounded() {
    struct Nowhere;
    impl Surroundings for Nowhere {
        fn sweep(&self, _: &Sweep) -> Swept {
            Swept::Blocked
        }
        fn place(&self, _: &Placing) -> Placed {
            Placed::Refused
        }
    }
    let mut rig = Rig::in_surroundings(Config::RETAIL, Nowhere);
    for step in 0..500u16 {
        let _ = rig.hears(if step % 2 == 0 { 180.0 } else { 10.0 }, 5.0);
        rig.drive(1.0 / 30.0);
    }
    assert!(rig.body().waypoints <= usize::from(MAX_FAR_WAYPOINTS));
    assert!(rig.world.stats().far_waypoints_dropped > 0);
}

#[test]
fn s2_impossible_positions_are_refused() {
    let mut rig = Rig::new(Config::RETAIL);
    let good = rig.pack.clone();
    let mut refused = 0;
    for (cell, origin, wxyz) in [
        (0xA9B4_0041, Vec3::ONE, [1.0, 0.0, 0.0, 0.0]),
        (0, Vec3::ONE, [1.0, 0.0, 0.0, 0.0]),
        (0xFF00_0001, Vec3::ONE, [1.0, 0.0, 0.0, 0.0]),
        (0xA9B4_0001, Vec3::NAN, [1.0, 0.0, 0.0, 0.0]),
        (0xA9B4_0001, Vec3::INFINITY, [1.0, 0.0, 0.0, 0.0]),
        (0xA9B4_0001, Vec3::splat(1e9), [1.0, 0.0, 0.0, 0.0]),
        (0xA9B4_0001, Vec3::ONE, [0.5, 0.0, 0.0, 0.0]),
        (0xA9B4_0001, Vec3::ONE, [f32::NAN, 0.0, 0.0, 0.0]),
        (0xA9B4_0001, Vec3::ONE, [0.0; 4]),
    ] {
        rig.pack = good.clone();
        (rig.pack.cell, rig.pack.origin, rig.pack.rotation) = (cell, origin, SparseQuaternion::full(wxyz));
        rig.pack.position = rig.pack.position.next();
        assert!(
            matches!(rig.send(), Disposition::Refused(RefuseReason::Position(_))),
            "{cell:08X} {origin} {wxyz:?}"
        );
        refused += 1;
        assert_eq!(rig.world.stats().refused_positions, refused);
    }
    // No stamp was eaten: the good one with the same stamp is taken.
    rig.pack = good;
    assert!(matches!(rig.hears(92.0, 90.0), Disposition::Queued(_)));
}

#[test]
fn s3_broken_vectors_are_refused() {
    let mut rig = Rig::new(Config::RETAIL);
    for velocity in [Vec3::NAN, Vec3::INFINITY, Vec3::new(0.0, f32::NEG_INFINITY, 0.0)] {
        assert!(matches!(rig.gets_velocity(velocity), Disposition::Refused(RefuseReason::Vector { .. })));
    }
    assert_eq!(rig.world.stats().refused_vectors, 3);
    // Finite but absurd is the client's business: it limits speed to 50 m/s.
    let _ = rig.gets_velocity(Vec3::splat(f32::MAX));
    rig.drive(0.5);
    assert!(rig.at().is_finite() && evenstride::types::length(rig.body().velocity) < 51.0);
}

#[test]
fn s4_broken_speeds_are_refused() {
    let mut rig = Rig::new(Config::RETAIL);
    for speed in [f32::NAN, f32::INFINITY, -1e30] {
        assert!(matches!(rig.runs(speed), Disposition::Refused(RefuseReason::Speed(_))));
    }
    assert_eq!(rig.world.stats().refused_movements, 3);
    // Odd but finite: a body that runs backwards takes off without NaN.
    let (forward, forward_speed) = (Some(CommandIndex(7)), Some(-2.0));
    let _ = rig.moves(InterpretedState { forward, forward_speed, ..InterpretedState::default() });
    let _ = rig.gets_velocity(Vec3::new(0.0, 0.0, 5.0));
    rig.drive(0.5);
    assert!(rig.at().is_finite());
}

#[test]
fn s5_the_edge_of_the_map_stops_a_body() {
    let start = Vec3::new(5.0, 50.0, 0.0);
    let mut rig = Rig::starting_at(Config::RETAIL, evenstride::OpenField, 0x0000_0001, start);
    let _ = rig.gets_velocity(Vec3::new(-40.0, 0.0, 0.1));
    rig.drive(2.0);
    let at = rig.place().pose.origin();
    assert!(at.x >= 0.0 && at.is_finite(), "{at}");
}

#[test]
fn time_backwards_standing_still_or_leaping_is_an_answer() {
    use evenstride::{Advanced, types::SimTime};
    for config in [Config::RETAIL, Config::ACDREAM, Config::SMOOTH] {
        let mut rig = Rig::new(config);
        let _ = rig.hears(93.0, 90.0);
        let mut advance =
            |secs: f64| rig.world.advance(SimTime::from_secs(secs).unwrap(), &evenstride::OpenField);
        let _ = advance(0.2);
        let _ = advance(0.2);
        assert_eq!(advance(0.1), Advanced::WentBack);
        let _ = advance(1e11);
        let _ = advance(-1e11);
        assert!(
            rig.world.stats().time_went_back >= 2 && rig.world.stats().time_dropped >= 1,
            "{:?}",
            rig.world.stats()
        );
        assert!(rig.at().is_finite());
    }
}

/// Used to loop for ever, or to take a thousand million steps.
#[test]
fn s7_a_longest_step_that_is_none_is_brought_into_range() {
    for max_step_secs in [0.0, -1.0, f64::NAN, 1e-9, f64::INFINITY] {
        let mut rig = Rig::new(Config::RETAIL.with(|config| config.max_step_secs = max_step_secs));
        let _ = rig.hears(95.0, 90.0);
        rig.fps = 1.0;
        rig.drive(5.0);
        rig.assert_at(95.0, 90.0);
    }
}

/// Used to stand still until the clock caught up with where it had been.
#[test]
fn bodies_go_on_after_time_went_back() {
    for config in [Config::RETAIL, Config::ACDREAM, Config::SMOOTH] {
        let mut rig = Rig::new(config);
        rig.now = 1000.0;
        rig.drive(0.2);
        let _ = rig.hears(93.0, 90.0);
        rig.drive(0.1);
        rig.now = 5.0;
        rig.drive(2.0);
        rig.assert_at(93.0, 90.0);
    }
}

/// Used to draw a body a step back, and the step again, when a gap was dropped.
#[test]
fn smooth_draws_nothing_backwards_over_a_gap() {
    let mut rig = Rig::new(Config::SMOOTH);
    rig.fps = 144.0;
    let _ = rig.hears(98.0, 90.0);
    let mut last = rig.drive(0.4)[0].x;
    rig.now += 30.0;
    for at in rig.drive(0.4) {
        assert!(at.x >= last - 1e-5, "{} after {last}", at.x);
        last = at.x;
    }
}

#[test]
fn bodies_that_cannot_be_are_not_inserted() {
    use evenstride::{BodySetup, InsertError, animation::InterpretedMotion, types::EntityId};
    let mut rig = Rig::new(Config::RETAIL);
    let good = BodySetup::at(rig.place());
    let mut insert = |setup: BodySetup| {
        let now = rig.time();
        rig.world.insert(now, EntityId::new(77), &setup)
    };
    for broken in [
        BodySetup { scale: f32::NAN, ..good },
        BodySetup { radius: -1.0, ..good },
        BodySetup { friction: f32::INFINITY, ..good },
        BodySetup { velocity: Vec3::NAN, ..good },
    ] {
        assert!(matches!(insert(broken), Err(InsertError::Number { .. })), "{broken:?}");
    }
    let standing = InterpretedMotion::STANDING;
    for motion in [
        InterpretedMotion { speed_factor: 0.0, ..standing },
        InterpretedMotion { run_rate: f32::NAN, ..standing },
    ] {
        assert!(matches!(insert(BodySetup { motion, ..good }), Err(InsertError::Motion { .. })));
    }
    assert!(insert(good).is_ok());
    assert_eq!(insert(good).unwrap_err().to_string(), "entity 0x0000004D is already in the world");
}

#[test]
fn an_arrow_appears_flying_and_points_where_it_flies() {
    use evenstride::{
        BodySetup,
        types::{EntityId, update::PhysicsState},
    };
    let mut rig = Rig::new(Config::RETAIL);
    let arrow = EntityId::new(0x8000_0001);
    let setup = BodySetup {
        state: PhysicsState::MISSILE | PhysicsState::ALIGN_PATH | PhysicsState::GRAVITY,
        grounded: false,
        velocity: Vec3::new(20.0, 0.0, 0.0),
        ..BodySetup::at(rig.place())
    };
    rig.stage.world.insert(rig.stage.time(), arrow, &setup).unwrap();
    rig.drive(1.0);
    let place = rig.world.body(arrow).unwrap().place.unwrap();
    let flown = rig.place().offset_to(&place);
    assert!((flown.x - 20.0).abs() < 1.0 && flown.z < -4.0, "{flown}");
    let forward = place.pose.rotation().basis().y;
    assert!(forward.x > 0.8 && forward.z < -0.3, "{forward}");
}

/// Regression: an action may name any motion, and its speed went into what the body is doing unchecked.
#[test]
fn s4_an_action_that_runs_at_any_speed_leaves_every_number_finite() {
    use evenstride::{MotionWorld, types::update::ActionItem};
    for (index, speed) in [(7, 3e38), (0xF, -3e38), (0xD, 1e9), (7, f32::NAN)] {
        let mut stage = Stage::new(Config::RETAIL);
        let mut drudge = Actor::new(0x8000_0001);
        let _ = stage.says(&drudge.created(90.0, 90.0));
        stage.drive(0.1);
        let action = ActionItem { command: CommandIndex(index), stamp: 1, autonomous: false, speed };
        let state = InterpretedState { actions: vec![action], ..InterpretedState::default() };
        let _ = stage.says(&drudge.moves(state, 0));
        stage.drive(0.2);
        let _ = stage.says(&drudge.velocity(Vec3::new(0.0, 0.0, 6.0)));
        stage.drive(0.5);
        assert!(stage.body(drudge.id).velocity.is_finite());
        let restored = MotionWorld::restore(&stage.world.save());
        assert!(restored.is_ok(), "{index:X} {speed}: {:?}", restored.err());
    }
}
