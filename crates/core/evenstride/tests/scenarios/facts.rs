//! Facts that differ between projects, and what the client does: the table of `docs/for-ac-developers.md`.

use core::cell::Cell;
use std::sync::Arc;

use evenstride::{
    BodySetup, Config, Disposition, FlatGround, Happening, OpenField, Surroundings,
    animation::{Animation, Clip, Motion, MotionLibrary, MotionTable},
    limits::MAX_WAYPOINTS,
    surroundings::{Placed, Placing, Sweep, Swept},
    types::{
        EntityId, Stamp, Vec3,
        update::{
            InterpretedState, MotionCommand, Movement, MovementBody, MovementKind, MovementUpdate,
            PhysicsDescription, Resources, Update,
        },
    },
};
use evenstride_testkit::{Actor, HOME, Rig, Stage, WHO, at, place};

/// A little less than 30 frames per second: each of them is a step.
const FPS: f64 = 29.97;
const STEP: f64 = 1.0 / FPS;

fn rig<S: Surroundings>(surroundings: S) -> Rig<S> {
    let mut rig = Rig::in_surroundings(Config::RETAIL, surroundings);
    rig.fps = FPS;
    rig.drive(2.0 * STEP);
    rig
}

#[test]
fn a_leash_adds_up_the_path_and_damps_it_but_never_pulls_back() {
    let mut rig = rig(OpenField);
    // Arms the leash here: free for 10 m, none left after 50.
    let _ = rig.hears(90.0, 90.01);
    let _ = rig.runs(2.0);
    let track = rig.drive(40.0);
    let strides: Vec<f32> = track.windows(2).map(|pair| pair[1].y - pair[0].y).collect();
    assert!(strides.iter().all(|stride| *stride >= 0.0), "never back");
    // A leash that only looked at the last step would let it run for 320 m.
    let path = track[track.len() - 1].y - 90.0;
    assert!((48.0..50.1).contains(&path), "{path}");
    let within = |from: f32, to: f32| {
        let there: Vec<f32> = track
            .windows(2)
            .filter(|pair| (from..to).contains(&(pair[0].y - 90.0)))
            .map(|pair| pair[1].y - pair[0].y)
            .collect();
        there.iter().sum::<f32>() / there.len() as f32
    };
    // Halfway between 10 and 50 m, half of each step is left.
    assert!((within(25.0, 35.0) / within(3.0, 9.0) - 0.5).abs() < 0.06);
}

const TARGET: EntityId = EntityId::new(0x5000_0003);

/// The rig's body, told to follow one that stands so far to the east.
fn following(east: f32) -> Rig {
    let mut rig = rig(OpenField);
    let there = place(HOME, Vec3::new(90.0 + east, 90.0, 10.0));
    rig.stage.world.insert(rig.stage.time(), TARGET, &BodySetup::at(there)).unwrap();
    let kind = MovementKind::Interpreted { state: InterpretedState::default(), stick_to: Some(TARGET) };
    let body = MovementBody::new(kind);
    let movement = Movement { stamp: Stamp::new(1), server_control: Stamp::new(0), autonomous: 0, body };
    let update = MovementUpdate { entity: WHO, instance: Stamp::new(1), movement };
    let _ = rig.stage.world.handle(rig.stage.time(), &Update::Movement(update), &OpenField);
    rig
}

#[test]
fn a_follower_is_rate_limited_and_keeps_a_gap() {
    let mut rig = following(5.0);
    // Five times its top speed of 4 m/s, for a thirtieth of a second.
    let _ = rig.drive(STEP);
    assert!((rig.at().x - 90.0 - 20.0 / 30.0).abs() < 0.01, "{}", rig.at());
    rig.drive(0.8);
    // Two radii of half a metre, and 0.3 m between them.
    assert!((95.0 - rig.at().x - 1.3).abs() < 0.01, "{}", rig.at());
}

#[test]
fn a_follower_that_overlaps_deeply_moves_towards_its_target() {
    // Surfaces overlap by 0.6 m, so 0.9 m are missing: more than the 0.67 m of one step.
    let mut rig = following(0.4);
    rig.drive(STEP);
    assert!((rig.at().x - 90.667).abs() < 0.01, "{}", rig.at());
    // 0.4 m are missing, which it makes up for in one step, backwards.
    let mut rig = following(0.9);
    rig.drive(STEP);
    assert!((rig.at().x - 89.6).abs() < 0.01, "{}", rig.at());
}

#[test]
fn playing_backwards_starts_just_before_the_end_of_the_last_keyframe() {
    let mut library = MotionLibrary::built_in();
    library.add_animation(1, Animation::new(4, Vec::new()).unwrap());
    let mut table = MotionTable::new(MotionCommand::NON_COMBAT);
    table.set_style_default(MotionCommand::NON_COMBAT, MotionCommand::READY);
    let played =
        Motion { clips: vec![Clip { animation: 1, low: 0, high: -1, rate: 30.0 }], ..Motion::default() };
    for motion in [MotionCommand::READY, MotionCommand::WALK_FORWARD] {
        table.set_cycle(MotionTable::key(MotionCommand::NON_COMBAT, motion), played.clone());
    }
    library.add_table(0x0900_0001, table);
    let mut stage = Stage::new(Config::RETAIL);
    stage.world.set_library(Arc::new(library));
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    let forward = Some(MotionCommand::WALK_FORWARD.index());
    let backwards = InterpretedState { forward, forward_speed: Some(-1.0), ..InterpretedState::default() };
    let _ = stage.says(&drudge.moves(backwards, 1));
    let playing = stage.world.animation(drudge.id).unwrap().playing.unwrap();
    assert_eq!((playing.frame as f32, playing.rate), (4.0 - 0.0002, -30.0));
}

/// Lets bodies through or not.
struct Gate(Cell<bool>);

impl Surroundings for Gate {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        if self.0.get() { OpenField.sweep(sweep) } else { Swept::Blocked }
    }

    fn place(&self, placing: &Placing) -> Placed {
        OpenField.place(placing)
    }
}

/// How often the rig's body has given up a waypoint, as each of those decisions counts it.
fn failures<S: Surroundings>(rig: &Rig<S>) -> Vec<u8> {
    let given_up = |decision: Happening| match decision {
        Happening::GivenUp { given_up, .. } => Some(given_up),
        _ => None,
    };
    rig.world.explain(WHO).filter_map(|explanation| given_up(explanation.decision)).collect()
}

#[test]
fn headway_does_not_make_up_for_failures() {
    let mut rig = rig(Gate(Cell::new(true)));
    rig.world.trace(WHO);
    for east in 1..=10u8 {
        let _ = rig.hears(90.0 + 2.0 * f32::from(east), 90.0);
    }
    // Blocked for an audit, on the way for two audits, and again.
    for _ in 0..3 {
        rig.surroundings.0.set(false);
        rig.drive(6.0 * STEP);
        rig.surroundings.0.set(true);
        rig.drive(11.0 * STEP);
    }
    let failures = failures(&rig);
    assert_eq!(failures[..2], [1, 2], "{failures:?}");
}

#[test]
fn a_waypoint_that_makes_room_leaves_the_audit_alone() {
    let mut rig = rig(Gate(Cell::new(false)));
    rig.world.trace(WHO);
    let mut east = 90.0;
    for _ in 0..MAX_WAYPOINTS {
        east += 0.1;
        let _ = rig.hears(east, 90.0);
    }
    // Two positions in every step: a waypoint makes room in each, and an audit that restarted with it would never fail.
    for _ in 0..15 {
        for _ in 0..2 {
            east += 0.1;
            let _ = rig.hears(east, 90.0);
        }
        rig.drive(STEP);
    }
    assert!(!failures(&rig).is_empty());
}

/// The natural logarithm of 20. A speed that falls to a twentieth each second makes a way of that speed divided by this.
const LN_20: f32 = 2.995_732_3;

#[test]
fn landing_keeps_the_velocity_along_the_ground_and_friction_takes_it() {
    let mut rig = rig(FlatGround { z: 10.0 });
    let _ = rig.gets_velocity(Vec3::new(0.0, 6.0, 3.0));
    let has_landed = (0..60).any(|_| {
        rig.drive(STEP);
        rig.body().in_contact && rig.at().y > 91.0
    });
    assert!(has_landed);
    let landed = rig.at().y;
    // What is left after a second is a twentieth: 6 · 0.05^t m/s, until it is below 0.25.
    rig.drive(0.5);
    let slid = rig.at().y - landed;
    let expected = 6.0 * (1.0 - 0.05_f32.sqrt()) / LN_20;
    assert!((slid - expected).abs() < 0.15, "{slid} {expected}");
    rig.drive(2.0);
    assert!((rig.at().y - landed - 5.75 / LN_20).abs() < 0.15, "{}", rig.at().y - landed);
}

#[test]
fn a_bounce_takes_a_fall_of_about_5_metres_per_second() {
    let bounces = |rise: f32| {
        let mut rig = rig(FlatGround { z: 10.0 });
        let _ = rig.gets_velocity(Vec3::new(0.0, 0.0, rise));
        let mut was_down = false;
        for _ in 0..90 {
            let was_in_the_air = !rig.body().in_contact;
            rig.drive(STEP);
            was_down |= was_in_the_air && rig.body().in_contact;
            if was_down && !rig.body().in_contact {
                return true;
            }
        }
        false
    };
    // A twentieth of its speed throws a body back, and below 0.25 m/s friction holds it down.
    assert!(!bounces(4.0) && bounces(7.0));
}

#[test]
fn a_route_replaces_the_yaw_of_the_legs_too() {
    let mut rig = rig(OpenField);
    let turn = Some(MotionCommand::TURN_RIGHT.index());
    let _ = rig.moves(InterpretedState { turn, turn_speed: Some(1.0), ..InterpretedState::default() });
    rig.drive(0.2);
    assert!(rig.heading() > 5.0, "it turns: {}", rig.heading());
    let _ = rig.faces(0.0).hears(90.0, 98.0);
    for _ in 0..10 {
        rig.drive(STEP);
        assert!(rig.heading() < 0.01 || rig.heading() > 359.99, "{}", rig.heading());
    }
    rig.drive(1.5);
    assert!(rig.heading() > 5.0, "and turns on when it is there: {}", rig.heading());
}

#[test]
fn a_description_that_is_merged_never_changes_the_motion_table() {
    let mut stage = Stage::new(Config::RETAIL);
    let drudge = Actor::new(0x8000_0001);
    let with = |table: u32| PhysicsDescription {
        resources: Resources { motion_table: Some(table), ..Resources::default() },
        ..drudge.description(Some(&at(90.0, 90.0)))
    };
    let _ = stage.says(&drudge.create(with(0x0900_0001)));
    assert!(matches!(stage.says(&drudge.create(with(0x0900_0002))), Disposition::Merged(_)));
    assert_eq!(stage.world.animation(drudge.id).unwrap().motion_table, Some(0x0900_0001));
}
