//! Legs that are told anything: bounded, finite, and never in circles.

use std::sync::Arc;

use evenstride::{
    Config, Happening,
    animation::{
        Animation, AnimationError, BUILT_IN_CREATURE, BUILT_IN_HUMANOID, Clip, Hook, HookDirection, Model,
        Motion, MotionLibrary, MotionTable, TableOrigin,
    },
    types::{
        Pose, Rotation, Vec3,
        update::{
            ActionItem, CommandIndex, InterpretedState, MotionCommand, PhysicsDescription, PhysicsState,
            Resources, Update,
        },
    },
};
use evenstride_testkit::{Actor, Stage};

/// A stage whose creatures follow a table of ours.
fn with_table(change: impl FnOnce(&mut MotionTable)) -> (Stage, Actor) {
    with_table_in(Config::SMOOTH, change)
}

fn with_table_in(config: Config, change: impl FnOnce(&mut MotionTable)) -> (Stage, Actor) {
    let mut library = MotionLibrary::built_in();
    library.add_animation(1, Animation::new(4, Vec::new()).unwrap());
    let stride = Pose::new(Vec3::Y * 4.0 / 30.0, Rotation::IDENTITY).unwrap();
    library.add_animation(2, Animation::new(20, vec![stride; 20]).unwrap());
    let mut table = MotionTable::new(MotionCommand::NON_COMBAT);
    table.set_style_default(MotionCommand::NON_COMBAT, MotionCommand::READY);
    change(&mut table);
    // Actors are described with this number.
    library.add_table(BUILT_IN_HUMANOID, table);
    let mut stage = Stage::new(config);
    stage.world.set_library(Arc::new(library));
    let drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    (stage, drudge)
}

fn key(motion: MotionCommand) -> u32 {
    MotionTable::key(MotionCommand::NON_COMBAT, motion)
}

fn played(rate: f32) -> Motion {
    Motion { clips: vec![Clip { animation: 1, low: 0, high: -1, rate }], ..Motion::default() }
}

#[test]
fn s14_legs_are_bounded_whatever_they_are_told() {
    let (mut stage, mut drudge) = with_table(|table| {
        table.set_cycle(key(MotionCommand::READY), Motion::default());
        table.set_cycle(key(MotionCommand::WALK_FORWARD), Motion::default());
        table.set_link(key(MotionCommand::READY), MotionCommand(0x1000_0062), played(0.001));
    });
    for round in 0..2_000u16 {
        let action =
            ActionItem { command: CommandIndex(0x62), stamp: round & 0x7FFF, autonomous: false, speed: 1.0 };
        let forward = (round % 2 == 0).then_some(MotionCommand::WALK_FORWARD.index());
        let state = InterpretedState { forward, actions: vec![action; 31], ..InterpretedState::default() };
        let _ = stage.says(&drudge.moves(state, 0));
        if round % 64 == 0 {
            stage.drive(0.1);
        }
    }
    let held =
        |name: &str| stage.world.memory().iter().find(|part| part.name == name).map_or(0, |part| part.in_use);
    assert!(held("animations played") <= 256, "{}", held("animations played"));
    assert!(held("motions pending") <= 2 * 256 + 3 * 64 + 64, "{}", held("motions pending"));
    stage.drive(1.0);
    let _ = stage.says(&drudge.delete());
    let held =
        |name: &str| stage.world.memory().iter().find(|part| part.name == name).map_or(0, |part| part.in_use);
    assert_eq!((held("animators"), held("animations played"), held("motions pending")), (0, 0, 0));
}

#[test]
fn s15_modifiers_never_go_round_in_circles() {
    // Two motions that are cycles and modifiers at once, each of which brings the other back.
    let (mut stage, mut drudge) = with_table(|table| {
        table.set_cycle(key(MotionCommand::READY), played(30.0));
        for motion in [MotionCommand::TURN_RIGHT, MotionCommand::SIDESTEP_RIGHT] {
            table.set_cycle(key(motion), played(30.0));
            table.set_modifier(key(motion), Motion { omega: Vec3::Z, ..Motion::default() });
        }
    });
    for round in 0..200u32 {
        let state = InterpretedState {
            sidestep: Some(MotionCommand::SIDESTEP_RIGHT.index()),
            turn: (round % 3 > 0).then_some(MotionCommand::TURN_RIGHT.index()),
            forward: (round % 5 == 0).then_some(MotionCommand::WALK_FORWARD.index()),
            ..InterpretedState::default()
        };
        let _ = stage.says(&drudge.moves(state, 0));
        stage.drive(0.05);
    }
    assert!(stage.body(drudge.id).place.unwrap().pose.is_in_bounds());
}

#[test]
fn s16_impossible_rates_and_speeds_move_no_body_out_of_the_world() {
    for rate in [0.0, f32::NAN, f32::INFINITY, -1e30, 1e30] {
        let (mut stage, mut drudge) = with_table(|table| {
            table.set_cycle(key(MotionCommand::READY), played(rate));
            let velocity = Vec3::new(f32::MAX, f32::NAN, f32::INFINITY);
            table.set_cycle(
                key(MotionCommand::RUN_FORWARD),
                Motion { velocity, omega: velocity, ..played(rate) },
            );
        });
        for speed in [1.0, -2.0, 0.0, 900.0] {
            let _ = stage.says(&drudge.runs(speed));
            stage.drive(0.3);
            let place = stage.body(drudge.id).place.unwrap();
            assert!(place.pose.is_in_bounds(), "{rate} {speed}: {place}");
        }
    }
}

/// Sizes and a motion table of its own: the record of its model in an archive.
#[test]
fn a_model_gives_a_size_and_a_motion_table_where_the_server_gives_none() {
    let mut library = MotionLibrary::built_in();
    library.add_animation(1, Animation::new(4, Vec::new()).unwrap());
    for number in [0x0900_0100, 0x0900_0200] {
        let mut table = MotionTable::new(MotionCommand::NON_COMBAT);
        table.set_style_default(MotionCommand::NON_COMBAT, MotionCommand::READY);
        table.set_cycle(key(MotionCommand::READY), played(30.0));
        let velocity = Vec3::Y * if number == 0x0900_0100 { 1.0 } else { 2.0 };
        table.set_cycle(key(MotionCommand::WALK_FORWARD), Motion { velocity, ..played(30.0) });
        library.add_table(number, table);
    }
    library.add_model(0x0200_0001, Model { motion_table: 0x0900_0100, radius: 0.25, height: 3.0 });
    library.add_model(0x0200_0002, Model { motion_table: 0, radius: f32::NAN, height: -1.0 });
    let mut stage = Stage::new(Config::SMOOTH);
    stage.world.set_library(Arc::new(library));

    // Setup, motion table, scale; then radius, height, table its legs follow, and how fast it walks.
    let cases = [
        (Some(0x0200_0001), None, 2.0, (0.5, 6.0), (0x0900_0100, TableOrigin::Added), 2.0),
        (Some(0x0200_0001), Some(0x0900_0200), 1.0, (0.25, 3.0), (0x0900_0200, TableOrigin::Added), 2.0),
        (
            Some(0x0200_0001),
            Some(0x0900_0999),
            1.0,
            (0.25, 3.0),
            (BUILT_IN_CREATURE, TableOrigin::BuiltIn),
            3.12,
        ),
        (Some(0x0200_0002), None, 1.0, (0.5, 1.8), (BUILT_IN_CREATURE, TableOrigin::BuiltIn), 3.12),
        (Some(0x0200_0099), None, 1.0, (0.5, 1.8), (BUILT_IN_CREATURE, TableOrigin::BuiltIn), 3.12),
    ];
    for (number, (setup, motion_table, scale, size, legs, speed)) in cases.into_iter().enumerate() {
        let mut drudge = Actor::new(0x8000_0001 + number as u32);
        stage.world.trace(drudge.id);
        let x = 60.0 + number as f32 * 10.0;
        let physics = PhysicsDescription {
            resources: Resources { setup, motion_table, ..Resources::default() },
            scale: Some(scale),
            ..drudge.description(Some(&evenstride_testkit::at(x, 40.0)))
        };
        let _ = stage.says(&drudge.create(physics));
        let state = InterpretedState {
            forward: Some(MotionCommand::WALK_FORWARD.index()),
            ..InterpretedState::default()
        };
        let _ = stage.says(&drudge.moves(state, 0));
        let before = stage.world.body(drudge.id).unwrap();
        assert_eq!((before.radius, before.height), size, "case {number}");
        let follows = stage.world.explain(drudge.id).find_map(|of| match of.decision {
            Happening::Legs { table, origin, .. } => Some((table, origin)),
            _ => None,
        });
        assert_eq!(follows, Some(legs), "case {number}");
        stage.drive(5.0);
        let after = stage.world.body(drudge.id).unwrap();
        let went = after.place.unwrap().distance(&before.place.unwrap());
        assert!((went / 5.0 - speed).abs() < 0.2, "case {number}: {went} m in 5 s");
    }
}

#[test]
fn s19_an_animation_that_cannot_be_is_refused() {
    let hook = |frame| Hook { frame, kind: 1, direction: HookDirection::Both, value: 7 };
    let animation = Animation::new(4, Vec::new()).unwrap();
    let most =
        animation.clone().with_hooks([vec![hook(1); 64], vec![hook(2); 64], vec![hook(9); 99]].concat());
    assert!(most.is_ok());
    let too_many = animation.with_hooks([vec![hook(0)], vec![hook(2); 65]].concat());
    assert_eq!(too_many, Err(AnimationError::Hooks { frame: 2, hooks: 65 }));
    assert_eq!(Animation::new(0, Vec::new()), Err(AnimationError::Empty));
    assert_eq!(Animation::new(65_537, Vec::new()), Err(AnimationError::TooLong { frames: 65_537 }));
}

#[test]
fn legs_that_do_something_else_are_explained() {
    let turn = |bits| Motion { bits, omega: Vec3::Z, ..played(30.0) };
    // A table without a run, one whose turns take the place of a run, and one whose turns may not.
    let cases = [(None, "standing"), (Some(0), "turning"), (Some(Motion::FROM_DEFAULT_ONLY), "")];
    for (bits, does) in cases {
        let (mut stage, mut drudge) = with_table(|table| {
            table.set_cycle(key(MotionCommand::READY), played(30.0));
            if let Some(bits) = bits {
                table
                    .set_cycle(key(MotionCommand::RUN_FORWARD), Motion { velocity: Vec3::Y, ..played(30.0) });
                table.set_cycle(key(MotionCommand::TURN_RIGHT), turn(bits));
                table.set_modifier(key(MotionCommand::TURN_RIGHT), turn(0));
            }
        });
        stage.world.trace(drudge.id);
        let turning = InterpretedState {
            turn: Some(MotionCommand::TURN_RIGHT.index()),
            turn_speed: Some(1.0),
            ..InterpretedState::default()
        };
        let _ = stage.says(&drudge.moves(turning.clone(), 0));
        let forward = Some(MotionCommand::RUN_FORWARD.index());
        let _ = stage.says(&drudge.moves(InterpretedState { forward, ..turning }, 0));
        let told: Vec<String> = stage
            .world
            .explain(drudge.id)
            .filter(|of| matches!(of.decision, Happening::OtherLegs { .. }))
            .map(|of| of.decision.to_string())
            .collect();
        let words = format!(
            "plays {does} instead of running: the motion table has no such motion from here, or restores another one"
        );
        let expected = if does.is_empty() { vec![] } else { vec![words] };
        assert_eq!(told, expected, "{bits:?}");
    }
}

/// How far a body gets in the next seconds.
fn goes(stage: &mut Stage, actor: &Actor, secs: f64) -> f32 {
    let before = stage.at(actor.id);
    stage.drive(secs);
    (stage.at(actor.id) - before).with_z(0.0).length_squared().sqrt()
}

/// Metres that a run at speed 1 comes to in half a second, at full speed.
const AT_FULL_SPEED_M: f32 = 2.0;

/// Regression: a position that brought a body back from nowhere dropped its links, so it ran at full speed at once.
#[test]
fn a_body_that_a_position_brings_back_begins_its_run_with_the_link() {
    let (mut stage, mut drudge) = with_table(|table| {
        let clips = vec![Clip { animation: 2, low: 0, high: -1, rate: 30.0 }];
        let running = Motion { clips, ..Motion::default() };
        for (motion, cycle) in [
            (MotionCommand::READY, played(30.0)),
            (MotionCommand::FALLING, played(30.0)),
            (MotionCommand::RUN_FORWARD, running),
        ] {
            table.set_cycle(key(motion), cycle);
        }
        // Four seconds to get up again.
        table.set_link(key(MotionCommand::FALLING), MotionCommand::RUN_FORWARD, played(1.0));
    });
    stage.drive(0.2);
    let _ = stage.says(&drudge.runs(1.0));
    stage.drive(1.0);
    let _ = stage.says(&drudge.pickup());
    stage.drive(0.5);
    let _ = stage.says(&drudge.position(90.0, 90.0));
    // It slides on by the velocity it had, and does not run.
    let slid = goes(&mut stage, &drudge, 2.0);
    assert!(slid < 2.0, "{slid} m");
    let ran = goes(&mut stage, &drudge, 4.0);
    assert!(ran > 4.0, "{ran} m");
}

/// Regression: hiding and coming out again left links playing.
#[test]
fn a_body_that_hides_or_comes_out_drops_its_links() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    stage.drive(0.2);
    let _ = stage.says(&drudge.runs(1.0));
    let _ = stage.says(&drudge.state(PhysicsState::GRAVITY | PhysicsState::HIDDEN));
    let _ = stage.says(&drudge.state(PhysicsState::GRAVITY));
    let gone = goes(&mut stage, &drudge, 0.5);
    assert!((gone - AT_FULL_SPEED_M).abs() < 0.2, "{gone} m");
}

/// Regression: the flag was lost when the movement that brought it was a body's first and otherwise empty.
#[test]
fn the_standing_long_jump_flag_counts_in_a_bodys_very_first_movement() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    stage.drive(0.2);
    let mut charging = drudge.stands();
    if let Update::Movement(movement) = &mut charging {
        movement.movement.body.standing_long_jump = true;
    }
    let _ = stage.says(&charging);
    stage.drive(0.2);
    // It stands while it charges, whatever it is told meanwhile.
    let _ = stage.says(&drudge.runs(1.0));
    assert!(goes(&mut stage, &drudge, 1.0) < 0.01);
}

/// Stands in a cycle of four keyframes, one a second, and moves aside on top of it by 1 m/s: a metre at each keyframe.
fn aside_on_an_idle_cycle(rate: f32) -> (Stage, Actor) {
    with_table_in(Config::RETAIL, |table| {
        table.set_cycle(key(MotionCommand::READY), played(rate));
        let velocity = Vec3::X;
        table.set_modifier(
            MotionCommand::SIDESTEP_RIGHT.0 & 0x00FF_FFFF,
            Motion { velocity, ..Motion::default() },
        );
    })
}

/// The symptom: a cycle that moves nothing stood still, so the first metre came up to a second late.
#[test]
fn a_modifier_on_an_idle_cycle_starts_at_the_keyframe_that_has_reached() {
    // Twice, so that the second time the body has its animations already; and once round.
    for (rate, rests) in [(1.0, [2.7, 5.4]), (-1.0, [1.7, 3.6])] {
        let (mut stage, mut drudge) = aside_on_an_idle_cycle(rate);
        let mut stood = 0.0;
        for rest in rests {
            stage.drive(rest);
            stood += rest;
            let state = InterpretedState {
                sidestep: Some(MotionCommand::SIDESTEP_RIGHT.index()),
                ..InterpretedState::default()
            };
            let _ = stage.says(&drudge.moves(state, 0));
            let before = stage.at(drudge.id).x;
            let left = stood.ceil() - stood;
            stage.drive(left - 0.1);
            assert_eq!(stage.at(drudge.id).x, before, "{rate}, {stood} s: too early");
            stage.drive(0.2);
            let aside = stage.at(drudge.id).x - before;
            // Sidesteps count 1.248 times.
            assert!((1.0..1.3).contains(&aside), "{rate}, {stood} s: {aside}");
            let _ = stage.says(&drudge.stands());
            stood += left + 0.1;
        }
    }
}

/// The symptom: whatever was heard of a body that had only ever stood began its cycle again.
#[test]
fn what_is_heard_of_a_resting_body_does_not_begin_its_cycle_again() {
    for what in 0..3u8 {
        let (mut stage, mut drudge) = aside_on_an_idle_cycle(1.0);
        stage.drive(1.4);
        let update = match what {
            0 => drudge.stands(),
            1 => drudge.state(PhysicsState::default()),
            _ => drudge.position(90.0, 90.0),
        };
        let _ = stage.says(&update);
        stage.drive(1.3);
        let state = InterpretedState {
            sidestep: Some(MotionCommand::SIDESTEP_RIGHT.index()),
            ..InterpretedState::default()
        };
        let _ = stage.says(&drudge.moves(state, 0));
        stage.drive(0.2);
        let early = stage.at(drudge.id).x;
        stage.drive(0.2);
        assert!(early == 90.0 && stage.at(drudge.id).x > 90.9, "{what}: {early} {}", stage.at(drudge.id));
    }
}

/// Two seconds in hiding do not count.
#[test]
fn nothing_is_played_in_hiding() {
    let (mut stage, mut drudge) = aside_on_an_idle_cycle(1.0);
    stage.drive(1.5);
    let _ = stage.says(&drudge.state(PhysicsState::default() | PhysicsState::HIDDEN));
    stage.drive(2.0);
    let _ = stage.says(&drudge.state(PhysicsState::default()));
    let frame = stage.world.animation(drudge.id).unwrap().playing.unwrap().frame;
    assert!((frame - 1.5).abs() < 0.1, "{frame}");
}

#[test]
fn the_animation_of_a_body_that_stands_goes_on() {
    let (mut stage, mut drudge) = aside_on_an_idle_cycle(2.0);
    let _ = stage.says(&drudge.runs(1.0));
    let _ = stage.says(&drudge.stands());
    let frame = |stage: &Stage| stage.world.animation(drudge.id).unwrap().playing.unwrap().frame;
    stage.drive(1.2);
    let early = frame(&stage);
    stage.drive(0.3);
    assert!((frame(&stage) - early - 0.6).abs() < 0.15, "{early} {}", frame(&stage));
    // It stands still where it is not stepped.
    let far = evenstride_testkit::place(0xB9B4_0001, Vec3::new(1.0, 1.0, 0.0));
    stage.world.set_viewpoint(Some(far));
    stage.drive(0.1);
    let asleep = frame(&stage);
    stage.drive(1.3);
    assert_eq!(frame(&stage), asleep);
    stage.world.set_viewpoint(Some(evenstride_testkit::at(96.0, 96.0)));
    stage.drive(0.1);
    assert!(frame(&stage) - asleep < 0.3, "{asleep} {}", frame(&stage));
}
