//! Legs that are told anything: bounded, finite, and never in circles.

use std::sync::Arc;

use evenstride::{
    Animation, BUILT_IN_CREATURE, Clip, Config, Motion, MotionLibrary, MotionTable,
    types::{
        Vec3,
        update::{ActionItem, CommandIndex, InterpretedState, MotionCommand},
    },
};

use crate::rig::stage::{Actor, Stage};

/// A stage whose creatures follow a table of ours.
fn with_table(change: impl FnOnce(&mut MotionTable)) -> (Stage, Actor) {
    let mut library = MotionLibrary::built_in();
    library.add_animation(1, Animation::new(4, Vec::new()).unwrap());
    let mut table = MotionTable::new(MotionCommand::NON_COMBAT);
    table.set_style_default(MotionCommand::NON_COMBAT, MotionCommand::READY);
    change(&mut table);
    library.add_table(BUILT_IN_CREATURE, table);
    let mut stage = Stage::new(Config::SMOOTH);
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
    assert!(held("motions waiting") <= 2 * 256 + 3 * 64 + 64, "{}", held("motions waiting"));
    stage.drive(1.0);
    let _ = stage.says(&drudge.deleted());
    let held =
        |name: &str| stage.world.memory().iter().find(|part| part.name == name).map_or(0, |part| part.in_use);
    assert_eq!((held("legs"), held("animations played"), held("motions waiting")), (0, 0, 0));
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
fn s16_impossible_rates_and_speeds_move_nobody_out_of_the_world() {
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
