//! Every deviation of `evenstride::deviation::DEVIATIONS`, by its id: the client's way first, then ours.

use evenstride::{
    Config, Disposition, FlatGround,
    config::{DescribedGoals, DrawMode, Gate, Landing, Orientation, RootMotionMode, Takeoff},
    deviation::DEVIATIONS,
    outcome::PlaceReason,
    types::{
        Vec3,
        update::{InterpretedState, MoveToParams, MovementKind, PhysicsDescription},
    },
};
use evenstride_testkit::{Actor, Rig, Stage, longest_stride, under_way};

#[test]
fn every_deviation_has_a_test() {
    let tests = concat!(
        include_str!("deviations.rs"),
        include_str!("gliding.rs"),
        include_str!("local_player/drawing.rs"),
        include_str!("missing_tables.rs"),
        include_str!("parking.rs"),
        include_str!("spectating.rs")
    );
    for deviation in DEVIATIONS {
        assert!(
            tests.contains(&format!("fn {}()", deviation.test)),
            "{}: no test {}",
            deviation.id,
            deviation.test
        );
    }
}

/// Run at 1.4 times the slowest speed, which is 42 keyframes a second in steps of a thirtieth: the client's steps are of one or two.
#[test]
fn d12_legs_carry_a_body_on_evenly() {
    let strides = |config: Config| {
        let mut rig = Rig::new(config);
        rig.fps = 30.0;
        let _ = rig.runs(1.4);
        rig.drive(1.0);
        let track = rig.drive(2.0);
        let steps: Vec<f32> = track.windows(2).map(|pair| pair[1].distance(pair[0])).collect();
        (steps.iter().copied().fold(f32::MAX, f32::min), steps.iter().copied().fold(0.0, f32::max), rig.at())
    };
    let keyframes = Config::SMOOTH.with(|config| config.root_motion = RootMotionMode::PerKeyframe);
    let (least, most, there) = strides(keyframes);
    assert!(least < 0.14 && most > 0.26, "{least} {most}");
    let (least, most, evenly) = strides(Config::SMOOTH);
    // It sways by a centimetre, half of which either way.
    assert!(least > 0.17 && most < 0.21, "{least} {most}");
    assert!(there.distance(evenly) < 0.14, "never more than a keyframe apart: {there} {evenly}");
    // Backwards, 19.5 keyframes a second: the client's body stands still in every third step.
    let backwards = |config: Config| {
        let mut rig = Rig::new(config);
        rig.fps = 30.0;
        let (forward, forward_speed) = (Some(evenstride::types::update::CommandIndex(5)), Some(-0.65));
        let _ = rig.moves(InterpretedState { forward, forward_speed, ..InterpretedState::default() });
        rig.drive(1.0);
        rig.drive(2.0).windows(2).filter(|pair| pair[1].distance(pair[0]) < 0.001).count()
    };
    assert!(backwards(keyframes) > 10);
    assert_eq!(backwards(Config::SMOOTH), 0);
}

/// A run with a few updates, at a frame rate; answers the fingerprint at the end.
fn run_at(config: Config, fps: f64) -> u64 {
    let mut rig = Rig::new(config);
    rig.fps = fps;
    let start = rig.now;
    for second in 0..4u8 {
        // Updates come at moments of their own, not with frames.
        let moment = start + f64::from(second) + 0.41;
        while rig.now + 1.0 / fps < moment {
            rig.drive(1.0 / fps);
        }
        rig.now = moment;
        let _ = rig.hears(90.0 + 3.0 * f32::from(second), 95.0);
    }
    while rig.now + 1.0 / fps < start + 6.0 {
        rig.drive(1.0 / fps);
    }
    rig.now = start + 6.0;
    let _ = rig.stage.world.advance(rig.stage.time(), &evenstride::OpenField);
    rig.world.state_hash()
}

#[test]
fn d1_fixed_steps_are_the_same_at_any_frame_rate() {
    let retail = Config::RETAIL;
    assert_ne!(run_at(retail, 24.0), run_at(retail, 50.0));
    let fixed = retail.with(|config| config.gate = Gate::Fixed);
    let reference = run_at(fixed, 60.0);
    for fps in [24.0, 30.0, 50.0, 59.94, 75.0, 144.0, 240.0, 1000.0] {
        assert_eq!(run_at(fixed, fps), reference, "{fps}");
    }
}

#[test]
fn d2_each_body_has_its_own_gate() {
    // Two bodies woken at different times: the shared gate steps both at once, each by a different time.
    let moved_frames = |config| {
        let mut rig = Rig::new(config);
        rig.fps = 100.0;
        let _ = rig.hears(95.0, 90.0);
        let track = rig.drive(1.0);
        track.windows(2).filter(|pair| pair[0] != pair[1]).count()
    };
    // 100 frames a second: the gate opens every fourth frame, both ways; what differs is who keeps the time.
    assert_eq!(
        moved_frames(Config::RETAIL),
        moved_frames(Config::RETAIL.with(|config| config.gate = Gate::PerBody))
    );
    let mut shared = Rig::new(Config::RETAIL);
    let mut own = Rig::new(Config::RETAIL.with(|config| config.gate = Gate::PerBody));
    for rig in [&mut shared, &mut own] {
        // Asleep beyond 96 m, then awake again between two openings of the shared gate.
        rig.world.set_viewpoint(Some(evenstride_testkit::place(0xB9B4_0001, Vec3::new(1.0, 1.0, 0.0))));
        rig.drive(0.5);
        rig.world.set_viewpoint(Some(evenstride_testkit::place(
            evenstride_testkit::HOME,
            Vec3::new(90.0, 90.0, 10.0),
        )));
        rig.fps = 1000.0;
        rig.drive(0.017);
        let _ = rig.gets_velocity(Vec3::new(10.0, 0.0, 0.0));
        rig.drive(0.020);
    }
    assert_ne!(shared.at(), own.at());
}

#[test]
fn d3_the_longest_step_is_what_the_config_says() {
    let after_a_hitch = |max_step_secs| {
        let mut rig = Rig::new(Config::RETAIL.with(|config| config.max_step_secs = max_step_secs));
        let _ = rig.gets_velocity(Vec3::new(0.0, 0.0, 5.0));
        rig.fps = 2.5;
        rig.drive(0.4);
        rig.at().z
    };
    // Gravity sets in after the first step, so smaller steps make a lower jump.
    assert!(after_a_hitch(0.2) > after_a_hitch(0.1) + 0.05);
}

#[test]
fn d4_orientation_is_taken_on_receipt() {
    for (orientation, heading) in [(Orientation::OnTheWay, 0.0), (Orientation::OnReceipt, 90.0)] {
        let mut rig = Rig::new(Config::RETAIL.with(|config| config.orientation = orientation));
        let _ = rig.faces(90.0).hears(95.0, 90.0);
        assert!((rig.heading() - heading).abs() < 0.01, "{orientation:?}: {}", rig.heading());
        // In the air too, where the position itself is ignored.
        let _ = rig.gets_velocity(Vec3::new(0.0, 0.0, 6.0));
        rig.drive(0.1);
        let _ = rig.faces(180.0).hears_in_the_air(Vec3::new(90.0, 90.0, 11.0));
        let heading = if orientation == Orientation::OnReceipt { 180.0 } else { 90.0 };
        assert_eq!(rig.world.changed().count(), 1);
        assert!((rig.heading() - heading).abs() < 0.01, "{orientation:?}: {}", rig.heading());
    }
}

/// Described with an order, at (90, 90); the goal lies 10 m north of there. Answers where the body is and where it looks after a while.
fn described_with_an_order(config: Config, params: MoveToParams, is_for_entity: bool) -> (Vec3, f32) {
    let mut stage = Stage::in_surroundings(config, FlatGround { z: 10.0 });
    let (drudge, goal) = (Actor::new(0x8000_0001), Actor::new(0x8000_0002));
    let _ = stage.says(&goal.created(90.0, 100.0));
    stage.drive(0.1);
    let place = evenstride_testkit::at(90.0, 100.0);
    let (cell, origin, run_rate) = (place.cell.raw(), place.pose.origin(), 1.5);
    let kind = if is_for_entity {
        MovementKind::MoveToObject { target: goal.id, cell, origin, params, run_rate }
    } else {
        MovementKind::MoveToPosition { cell, origin, params, run_rate }
    };
    let physics = PhysicsDescription {
        movement: under_way(kind),
        ..drudge.description(Some(&evenstride_testkit::at(90.0, 90.0)))
    };
    assert!(matches!(stage.says(&drudge.create(physics)), Disposition::Created { .. }));
    stage.drive(0.4);
    let heading = stage.body(drudge.id).place.unwrap().pose.heading().degrees();
    stage.drive(4.6);
    (stage.at(drudge.id), heading)
}

#[test]
fn d13_a_described_order_begins_where_the_body_is_put() {
    let is_there = |at: Vec3| (98.4..99.8).contains(&at.y) && (at.x - 90.0).abs() < 1.0;
    let finite = MoveToParams { fail_distance: 15.0, ..MoveToParams::default() };
    for described_goals in [DescribedGoals::BeforePlacement, DescribedGoals::AfterPlacement] {
        let config = Config::RETAIL.with(|config| config.described_goals = described_goals);
        let is_client = described_goals == DescribedGoals::BeforePlacement;
        // To a place: the client turns first as if it stood in the corner of the map, from where A9B4 lies to the north-east.
        let (at, heading) = described_with_an_order(config, MoveToParams::default(), false);
        assert!(is_there(at), "{described_goals:?}: {at}");
        assert_eq!(heading > 20.0, is_client, "{described_goals:?}: {heading}");
        // Its way is measured from that corner too: an order with a limit is given up as soon as it walks.
        let (at, _) = described_with_an_order(config, finite, false);
        assert_eq!(is_there(at), !is_client, "{described_goals:?}: {at}");
        // To another body. The client's move-to ends when the body is placed.
        let (at, _) = described_with_an_order(config, MoveToParams::default(), true);
        assert_eq!(is_there(at), !is_client, "{described_goals:?}: {at}");
        assert_eq!(at == Vec3::new(90.0, 90.0, 10.0), is_client, "{described_goals:?}: {at}");
        // A follow: the target's answer does not find the body.
        let mut stage = Stage::in_surroundings(config, FlatGround { z: 10.0 });
        let (drudge, target) = (Actor::new(0x8000_0001), Actor::new(0x8000_0002));
        let _ = stage.says(&target.created(90.0, 100.0));
        stage.drive(0.1);
        let kind =
            MovementKind::Interpreted { state: InterpretedState::default(), stick_to: Some(target.id) };
        let physics = PhysicsDescription {
            movement: under_way(kind),
            ..drudge.description(Some(&evenstride_testkit::at(90.0, 90.0)))
        };
        let _ = stage.says(&drudge.create(physics));
        stage.drive(0.8);
        assert_eq!(stage.at(drudge.id).y == 90.0, is_client, "{described_goals:?}: {}", stage.at(drudge.id));
    }
}

#[test]
fn d5_the_first_grounded_update_lands() {
    for (landing, lands) in [(Landing::BySurroundings, false), (Landing::OnGroundedUpdate, true)] {
        let mut rig = Rig::in_surroundings(
            Config::RETAIL.with(|config| config.landing = landing),
            FlatGround { z: 10.0 },
        );
        let _ = rig.gets_velocity(Vec3::new(0.0, 3.0, 6.0));
        rig.drive(0.3);
        let disposition = rig.hears_at(Vec3::new(90.0, 91.0, 10.0));
        let landed = Disposition::Placed { reason: PlaceReason::Landing, done: true };
        assert_eq!(disposition == landed, lands, "{landing:?}: {disposition:?}");
        assert_eq!(rig.body().in_contact, lands);
    }
}

#[test]
fn d6_a_running_jump_keeps_its_rise() {
    for (takeoff, rises) in [(Takeoff::GaitReplacesImpulse, false), (Takeoff::ImpulseKeepsItsRise, true)] {
        let mut rig = Rig::in_surroundings(
            Config::RETAIL.with(|config| config.takeoff = takeoff),
            FlatGround { z: 10.0 },
        );
        // No empty state before the jump.
        let _ = rig.runs(1.5);
        let _ = rig.gets_velocity(Vec3::new(0.0, 6.0, 4.0));
        let track = rig.drive(0.4);
        let apex = track.iter().map(|at| at.z).fold(0.0, f32::max) - 10.0;
        assert_eq!(apex > 0.5, rises, "{takeoff:?}: {apex}");
    }
}

#[test]
fn d7_bodies_are_drawn_between_their_last_two_ticks() {
    let strides = |config: Config| {
        let mut rig = Rig::new(config);
        rig.fps = 120.0;
        let _ = rig.hears(98.0, 90.0);
        rig.drive(0.2);
        let track = rig.drive(0.5);
        (longest_stride(&track), track.windows(2).filter(|pair| pair[0] == pair[1]).count())
    };
    // As simulated: three frames in four show no motion, the fourth a whole step.
    let (stride, still) = strides(Config::RETAIL.with(|config| config.gate = Gate::Fixed));
    assert!(stride > 0.25 && still > 40, "{stride} {still}");
    let (stride, still) = strides(Config::RETAIL.with(|config| {
        config.gate = Gate::Fixed;
        config.drawing = DrawMode::Interpolated;
    }));
    assert!(stride < 0.07 && still == 0, "{stride} {still}");
}

#[test]
fn smooth_never_draws_ahead_nor_across_a_placement() {
    let mut rig = Rig::new(Config::SMOOTH);
    rig.fps = 144.0;
    let _ = rig.hears(98.0, 90.0);
    for _ in 0..100 {
        rig.drive(1.0 / 144.0);
        assert!(rig.drawn().x <= rig.at().x + 1e-4, "{} {}", rig.drawn(), rig.at());
    }
    let _ = rig.teleports_to(50.0, 50.0);
    assert!(rig.drawn().distance(rig.at()) < 1e-3);
    for at in rig.drive(0.2) {
        assert!(at.distance(Vec3::new(50.0, 50.0, 10.0)) < 1e-3, "{at}");
    }
}

#[test]
fn smooth_turns_the_short_way_and_only_once() {
    let mut rig = Rig::new(Config::SMOOTH);
    rig.fps = 240.0;
    let _ = rig.faces(350.0).hears(90.0, 90.0);
    rig.drive(0.1);
    let _ = rig.faces(10.0).hears(90.0, 90.0);
    let mut headings = Vec::new();
    for _ in 0..48 {
        rig.drive(1.0 / 240.0);
        headings.push(rig.world.drawn(evenstride_testkit::WHO, rig.time()).unwrap().pose.heading().degrees());
    }
    assert!(headings.iter().all(|heading| *heading > 349.9 || *heading < 10.1), "{headings:?}");
    // Once turned it stays turned: no swinging between the old and the new.
    assert!(headings[24..].iter().all(|heading| (heading - 10.0).abs() < 0.01), "{headings:?}");
}
