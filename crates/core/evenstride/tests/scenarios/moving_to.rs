//! Bodies that the server sends somewhere: the worked scenarios of the specification (§21), in a world, through its doors.
//!
//! Legs without links, so that speeds are exact: 3.12 m/s walking, 4 m/s running, 90° a second. What takes no body is in
//! `src/moveto/tests.rs`; the reference traces `m01` to `m87` have every scenario call by call.

use std::sync::Arc;

use evenstride::{
    BodySetup, Config, Disposition, FlatGround, Happening, MoveToView, Surroundings,
    animation::{Animation, Clip, Motion, MotionLibrary, MotionTable},
    outcome::{MoveToEnd, RefuseReason, Steering},
    surroundings::{Placed, Placing, Sweep, Swept},
    types::{
        EntityId, Heading, Vec3,
        update::{MotionCommand, MoveToFlags, MoveToParams, MovementKind, TurnToParams, Update},
    },
};
use evenstride_testkit::{Actor, Stage, at};

const READY: MotionCommand = MotionCommand::READY;
const WALK: MotionCommand = MotionCommand::WALK_FORWARD;
const RUN: MotionCommand = MotionCommand::RUN_FORWARD;

/// Legs that are at full speed at once.
fn plain_legs() -> MotionLibrary {
    let mut library = MotionLibrary::default();
    library.add_animation(1, Animation::new(1, Vec::new()).unwrap());
    let clips = vec![Clip { animation: 1, low: 0, high: -1, rate: 30.0 }];
    let standing = Motion { clips, ..Motion::default() };
    let style = MotionCommand::NON_COMBAT;
    let mut table = MotionTable::new(style);
    table.set_style_default(style, READY);
    let omega = Vec3::new(0.0, 0.0, -std::f32::consts::FRAC_PI_2);
    let going = |speed: f32| Motion { velocity: Vec3::Y * speed, ..standing.clone() };
    for (motion, cycle) in [(READY, standing.clone()), (WALK, going(3.12)), (RUN, going(4.0))] {
        table.set_cycle(MotionTable::key(style, motion), cycle);
    }
    let turn = Motion { omega, bits: Motion::FROM_DEFAULT_ONLY, ..standing };
    table.set_cycle(MotionTable::key(style, MotionCommand::TURN_RIGHT), turn);
    table.set_modifier(MotionCommand::TURN_RIGHT.0 & 0x00FF_FFFF, Motion { omega, ..Motion::default() });
    for number in [evenstride::animation::BUILT_IN_HUMANOID, evenstride::animation::BUILT_IN_CREATURE] {
        library.add_table(number, table.clone());
    }
    library
}

/// A creature at (90, 90), facing north, half a metre wide and 1.8 m tall, and another body where wanted.
struct Scene<S = FlatGround> {
    stage: Stage<S>,
    mover: Actor,
    other: Actor,
}

const GROUND: FlatGround = FlatGround { z: 10.0 };

impl Scene {
    fn new() -> Self {
        Self::facing(0.0)
    }

    fn facing(degrees: f32) -> Self {
        Self::standing(Config::RETAIL, GROUND, degrees)
    }
}

impl<S: Surroundings> Scene<S> {
    fn standing(config: Config, surroundings: S, degrees: f32) -> Self {
        let mut stage = Stage::in_surroundings(config, surroundings);
        stage.world.set_library(Arc::new(plain_legs()));
        let mover = Actor::new(0x8000_0001);
        let mut place = at(90.0, 90.0);
        place.pose = place.pose.with_heading(Heading::from_degrees(degrees).unwrap());
        stage.world.insert(stage.time(), mover.id, &BodySetup::at(place)).unwrap();
        stage.drive(0.1);
        let _ = stage.events();
        Self { stage, mover, other: Actor::new(0x8000_0002) }
    }

    /// Puts another body there, this wide and 2 m tall.
    fn with_other(mut self, x: f32, y: f32, radius: f32) -> Self {
        let setup = BodySetup { radius, height: 2.0, ..BodySetup::at(at(x, y)) };
        self.stage.world.insert(self.stage.time(), self.other.id, &setup).unwrap();
        self.stage.drive(0.05);
        let _ = self.stage.events();
        self
    }

    fn says(&mut self, update: &Update) {
        assert_eq!(self.stage.says(update), Disposition::Applied);
    }

    fn sends_to(&mut self, x: f32, y: f32, params: MoveToParams) {
        let order = self.mover.sent_to_place(x, y, params);
        self.says(&order);
    }

    fn sends_to_other(&mut self, params: MoveToParams) {
        let order = self.mover.sent_to(self.other.id, params);
        self.says(&order);
    }

    /// What its legs are at, and how fast.
    fn forward(&self) -> (MotionCommand, f32) {
        let gait = self.stage.world.animation(self.mover.id).unwrap().gait;
        (gait.forward, gait.forward_speed)
    }

    fn at(&self) -> Vec3 {
        self.stage.at(self.mover.id)
    }

    fn heading(&self) -> f32 {
        self.stage.body(self.mover.id).place.unwrap().pose.heading().degrees()
    }

    fn way(&self) -> Option<MoveToView> {
        self.stage.body(self.mover.id).move_to
    }

    /// How it ended, if it did since the last call.
    fn end(&mut self) -> Option<MoveToEnd> {
        let mover = self.mover.id;
        self.stage.events_of(mover).into_iter().find_map(|event| match event {
            Happening::MoveToEnded { end, .. } => Some(end),
            _ => None,
        })
    }

    /// Goes on until it ends, at most so many seconds; answers how.
    fn ends_within(&mut self, secs: f64) -> Option<MoveToEnd> {
        (0..(secs * 60.0) as usize).find_map(|_| {
            self.stage.drive(1.0 / 60.0);
            self.end()
        })
    }
}

fn flags(bits: u32) -> MoveToParams {
    MoveToParams { flags: MoveToFlags::from_bits_retain(bits), ..MoveToParams::default() }
}

/// Between centres.
const PLAIN: u32 = 0x1_EA0F;

#[test]
fn t1_it_walks_to_a_point_and_stops_when_its_surface_is_near_enough() {
    let mut scene = Scene::new();
    scene.sends_to(90.0, 100.0, MoveToParams::default());
    assert_eq!(scene.forward(), (WALK, 1.0), "at once: it faces there already");
    assert_eq!(scene.way().unwrap().metres, Some(9.5));
    assert_eq!(scene.ends_within(4.0), Some(MoveToEnd::Done));
    // 10 m less half a metre of its own and 0.6 m: 8.9 m, and at most a step of 50 ms beyond.
    let gone = scene.at().y - 90.0;
    assert!((8.9..9.06).contains(&gone), "{gone}");
    assert_eq!((scene.forward(), scene.way()), ((READY, 1.0), None));
    scene.stage.drive(1.0);
    assert!(scene.at().y - 90.0 - gone < 0.02);
}

#[test]
fn t2_whether_it_walks_or_runs_is_decided_once() {
    let mut scene = Scene::new();
    scene.sends_to(90.0, 105.5, flags(PLAIN));
    assert_eq!(scene.forward().0, WALK);
    let mut scene = Scene::new();
    scene.sends_to(90.0, 105.7, flags(PLAIN));
    assert_eq!(scene.forward(), (RUN, 1.0));
    while scene.way().is_some_and(|way| way.metres.unwrap() > 3.0) {
        scene.stage.drive(0.05);
    }
    assert_eq!(scene.forward(), (RUN, 1.0), "3 m to go, and the gait is not chosen again");
}

#[test]
fn t3_whoever_can_charge_runs_even_a_metre() {
    let mut scene = Scene::new();
    scene.sends_to(90.0, 91.0, flags(PLAIN | 0x10));
    assert_eq!(scene.forward().0, RUN);
    let mut scene = Scene::new();
    scene.sends_to(90.0, 190.0, flags(PLAIN & !0x2));
    assert_eq!(scene.forward().0, WALK);
}

#[test]
fn t4_what_is_near_only_between_surfaces_is_turned_to_and_not_walked_to() {
    let mut scene = Scene::new();
    scene.sends_to(90.9, 90.0, MoveToParams::default());
    assert_eq!(scene.way().unwrap().steering, Steering::Right);
    assert_eq!(scene.ends_within(1.5), Some(MoveToEnd::Done));
    assert_eq!(scene.heading(), 90.0);
    assert_eq!(scene.at(), Vec3::new(90.0, 90.0, 10.0));
}

#[test]
fn t5_it_turns_the_shorter_way() {
    for (from, to, steering) in [
        (350.0, 10.0, Some(Steering::Right)),
        (10.0, 350.0, Some(Steering::Left)),
        (0.0, 180.0, Some(Steering::Right)),
        (0.0, 180.01, Some(Steering::Left)),
        (90.0, 90.0001, None),
        (0.0, 359.9999, None),
        (0.0, 359.9, Some(Steering::Left)),
    ] {
        let mut scene = Scene::facing(from);
        let order = scene.mover.told_to_face(to);
        scene.says(&order);
        assert_eq!(scene.way().map(|way| way.steering), steering, "{from} to {to}");
        let is_done = scene.end() == Some(MoveToEnd::Done);
        assert_eq!(is_done, steering.is_none(), "{from} to {to}");
    }
}

#[test]
fn t6_a_turn_ends_exactly_where_it_was_to() {
    for (from, to) in [(350.0, 10.0), (10.0, 350.0), (0.0, 123.4)] {
        let mut scene = Scene::facing(from);
        let order = scene.mover.told_to_face(to);
        scene.says(&order);
        assert_eq!(scene.ends_within(2.0), Some(MoveToEnd::Done));
        assert!((scene.heading() - to).abs() < 1e-3, "{}", scene.heading());
        let before = scene.heading();
        scene.stage.drive(0.5);
        assert_eq!(scene.heading(), before, "and it stays");
    }
}

#[test]
fn t7_steering_stops_within_20_degrees_and_never_turns_exactly() {
    let mut scene = Scene::new().with_other(90.0, 120.0, 0.5);
    scene.sends_to_other(flags(PLAIN));
    scene.stage.drive(0.3);
    assert_eq!(scene.way().unwrap().steering, Steering::Straight);
    // The target walks off to the right: 8 m in two seconds.
    let order = scene.other.told_to_face(90.0);
    scene.says(&order);
    scene.stage.drive(1.2);
    let order = scene.other.runs(3.0);
    scene.says(&order);
    let mut has_turned = false;
    for _ in 0..150 {
        scene.stage.drive(1.0 / 60.0);
        has_turned |= scene.way().is_some_and(|way| way.steering == Steering::Right);
    }
    assert!(has_turned);
    assert!(scene.heading() > 5.0 && scene.heading() < 90.0, "{}", scene.heading());
}

#[test]
fn t8_it_flees_until_it_is_far_enough_away() {
    let mut scene = Scene::new();
    // A little aside: which way to turn from exactly ahead is a matter of rounding.
    let flee = MoveToParams { min_distance: 5.0, ..flags((PLAIN | 0x100) & !0x200) };
    scene.sends_to(90.5, 92.0, flee);
    assert!(!scene.way().unwrap().is_away, "first it turns to what it flees");
    scene.stage.drive(0.4);
    let way = scene.way().unwrap();
    assert!(way.is_away && scene.forward().0 == WALK, "{way:?}");
    assert_eq!(scene.ends_within(8.0), Some(MoveToEnd::Done));
    let away = scene.at().distance(Vec3::new(90.5, 92.0, 10.0));
    assert!((5.0..5.2).contains(&away), "{away}");
}

#[test]
fn t9_too_near_it_backs_off_facing_its_target() {
    let both = MoveToParams { distance_to_object: 3.0, min_distance: 1.0, ..flags(PLAIN | 0x300) };
    let mut scene = Scene::new();
    scene.sends_to(90.0, 95.0, both);
    assert_eq!(scene.forward(), (WALK, 1.0));
    let mut scene = Scene::new();
    scene.sends_to(92.0, 90.0, both);
    assert_eq!((scene.end(), scene.heading()), (Some(MoveToEnd::Done), 0.0), "it does not even turn");
    let mut scene = Scene::new();
    scene.sends_to(90.0, 90.5, both);
    assert_eq!(scene.forward(), (WALK, -0.65));
    assert_eq!(scene.ends_within(1.0), Some(MoveToEnd::Done));
    assert!((0.5..0.6).contains(&(90.0 - scene.at().y)), "{}", scene.at());
    assert_eq!(scene.heading(), 0.0);
}

#[test]
fn t10_beyond_its_limit_it_gives_up_and_does_not_follow() {
    let mut scene = Scene::new().with_other(90.0, 140.0, 0.5);
    let limited = MoveToParams { fail_distance: 5.0, ..flags(0x1_EE8F) };
    scene.sends_to_other(limited);
    let end = scene.ends_within(3.0);
    assert_eq!(end, Some(MoveToEnd::TooFar));
    assert_eq!(end.unwrap().client_code(), 0x3D);
    let gone = scene.at().y - 90.0;
    assert!((5.0..5.2).contains(&gone), "{gone}");
    scene.stage.drive(0.5);
    assert!(scene.at().y - 90.0 < gone + 0.2, "no body is followed");
}

/// Ground that may hold the bodies on it.
struct Glue {
    holds: std::cell::Cell<bool>,
}

impl Surroundings for Glue {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        if self.holds.get() { Swept::Blocked } else { GROUND.sweep(sweep) }
    }

    fn place(&self, placing: &Placing) -> Placed {
        GROUND.place(placing)
    }
}

#[test]
fn t12_held_for_a_minute_it_runs_past_its_goal_because_arriving_takes_headway() {
    let mut scene = Scene::standing(Config::RETAIL, Glue { holds: std::cell::Cell::new(true) }, 0.0);
    scene.sends_to(90.0, 100.0, MoveToParams { walk_run_threshold: 1.0, ..flags(PLAIN) });
    assert_eq!(scene.forward().0, RUN);
    assert_eq!(scene.ends_within(60.0), None, "nothing is ever cancelled for lack of headway");
    assert!(scene.way().unwrap().stalled > 1_000);
    scene.stage.surroundings.holds.set(false);
    let passed = (0..360).any(|_| {
        scene.stage.drive(1.0 / 60.0);
        scene.at().y > 100.5
    });
    assert!(passed && scene.way().is_some(), "{} {:?}", scene.at(), scene.way());
}

#[test]
fn t13_sent_to_somebody_it_is_on_its_way_at_once_and_stops_at_the_surface() {
    let mut scene = Scene::new().with_other(90.0, 100.0, 1.0);
    scene.sends_to_other(MoveToParams::default());
    assert_eq!((scene.forward().0, scene.way().unwrap().metres), (WALK, Some(8.5)));
    assert_eq!(scene.way().unwrap().target, Some(scene.other.id));
    assert_eq!(scene.ends_within(4.0), Some(MoveToEnd::Done));
    let between = 100.0 - scene.at().y;
    assert!((1.98..=2.1).contains(&between), "{between}");
}

#[test]
fn t14_a_slow_target_says_where_it_is_every_half_metre_and_a_fast_one_twice_a_second() {
    for (speed, apart, secs) in [(0.3, 0.5..0.75, 1.0..2.9), (4.0, 1.9..2.3, 0.45..0.6)] {
        let mut scene = Scene::new().with_other(90.0, 130.0, 0.5);
        let order = scene.other.runs(speed / 4.0);
        scene.says(&order);
        // On the spot. A nearer observer wants to know farther ahead.
        scene.sends_to_other(MoveToParams { speed: 0.0, ..flags(PLAIN) });
        let told = |scene: &Scene| scene.way().unwrap().towards.unwrap().pose.origin().y;
        let mut heard = vec![(scene.stage.now, told(&scene))];
        for _ in 0..500 {
            scene.stage.drive(1.0 / 60.0);
            if heard.last().unwrap().1 != told(&scene) {
                heard.push((scene.stage.now, told(&scene)));
            }
        }
        assert!(heard.len() > 3);
        for pair in heard.windows(2).skip(1) {
            let (gap, way) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            assert!(secs.contains(&gap) && apart.contains(&way), "{speed}: {gap} s, {way} m");
        }
    }
}

#[test]
fn t15_a_target_that_leaves_or_teleports_is_lost_at_once() {
    for teleports in [false, true] {
        let mut scene = Scene::new().with_other(90.0, 110.0, 0.5);
        scene.sends_to_other(MoveToParams::default());
        scene.stage.drive(0.5);
        assert_eq!(scene.end(), None);
        if teleports {
            let _ = scene.other.teleport(150.0, 110.0);
            let update = scene.other.teleport(150.0, 110.0);
            let _ = scene.stage.says(&update);
        } else {
            assert!(scene.stage.world.remove(scene.other.id));
        }
        let end = scene.end();
        assert_eq!((end, scene.forward().0), (Some(MoveToEnd::TargetGone), READY));
        assert_eq!(end.unwrap().client_code(), 0x37);
    }
}

#[test]
fn t15_sent_to_somebody_nobody_knows_it_goes_to_the_place_that_is_said() {
    let mut scene = Scene::new();
    let order = scene.mover.sent_to(EntityId::new(0x8000_0099), MoveToParams::default());
    scene.says(&order);
    let way = scene.way().unwrap();
    assert_eq!(way.target, None);
    assert_eq!(way.towards.unwrap().pose.origin(), Vec3::new(1.0, 1.0, 10.0));
}

#[test]
fn t16_turning_to_somebody_it_faces_whom_it_was_told_to_and_does_not_turn_after() {
    let mut scene = Scene::new().with_other(100.0, 90.0, 0.5);
    let params = TurnToParams { flags: MoveToParams::default().flags, speed: 1.0, desired_heading_deg: 45.0 };
    let kind = MovementKind::TurnToObject { target: scene.other.id, heading_deg: 45.0, params };
    let order = scene.mover.told(kind, 0);
    scene.says(&order);
    scene.stage.drive(0.2);
    let order = scene.other.runs(2.0);
    scene.says(&order);
    assert_eq!(scene.ends_within(2.0), Some(MoveToEnd::Done));
    assert_eq!(scene.heading(), 90.0, "not 135, and not where the target has gone");
}

#[test]
fn t16_turning_to_somebody_nobody_knows_it_takes_the_heading_that_is_said() {
    let mut scene = Scene::new();
    let params = TurnToParams { flags: MoveToParams::default().flags, speed: 1.0, desired_heading_deg: 10.0 };
    let kind = MovementKind::TurnToObject { target: EntityId::new(77), heading_deg: 45.0, params };
    let order = scene.mover.told(kind, 0);
    scene.says(&order);
    assert_eq!(scene.ends_within(1.0), Some(MoveToEnd::Done));
    assert_eq!(scene.heading(), 45.0);
}

#[test]
fn t17_the_last_heading_counts_from_the_target_or_from_north() {
    let last = MoveToParams { desired_heading_deg: 200.0, ..flags(0x1_EE4F) };
    // To another body, 200° from its place at the start, which is north.
    let mut scene = Scene::new().with_other(90.0, 94.0, 0.5);
    scene.sends_to_other(last);
    assert_eq!(scene.ends_within(6.0), Some(MoveToEnd::Done));
    assert!((scene.heading() - 200.0).abs() < 1e-3, "{}", scene.heading());
    let mut scene = Scene::new().with_other(94.0, 90.0, 0.5);
    scene.sends_to_other(last);
    assert_eq!(scene.ends_within(6.0), Some(MoveToEnd::Done));
    assert!((scene.heading() - 290.0).abs() < 1e-3, "{}", scene.heading());
    // To a place: 200°, wherever it lies.
    let mut scene = Scene::new();
    scene.sends_to(94.0, 90.0, last);
    assert_eq!(scene.ends_within(6.0), Some(MoveToEnd::Done));
    assert!((scene.heading() - 200.0).abs() < 1e-3, "{}", scene.heading());
}

#[test]
fn t18_arrived_it_follows_for_a_second_and_to_a_place_never() {
    let mut scene = Scene::new().with_other(90.0, 95.0, 0.5);
    scene.sends_to_other(flags(0x1_EE8F));
    assert_eq!(scene.ends_within(3.0), Some(MoveToEnd::Done));
    let arrived = scene.stage.now;
    // It closes up to the standoff: 1 m of radii and 0.3.
    scene.stage.drive(0.2);
    assert!((95.0 - scene.at().y - 1.3).abs() < 0.01, "{}", scene.at());
    let other = scene.other.runs(1.0);
    scene.says(&other);
    scene.stage.drive(0.6);
    let behind = scene.stage.at(scene.other.id).y - scene.at().y;
    assert!((behind - 1.3).abs() < 0.3, "{behind}");
    scene.stage.drive(0.4 + 1.0 - (scene.stage.now - arrived).min(1.0));
    let (stopped, target) = (scene.at().y, scene.stage.at(scene.other.id).y);
    scene.stage.drive(0.5);
    assert!(scene.at().y - stopped < 0.01 && scene.stage.at(scene.other.id).y - target > 1.5);
    let mut scene = Scene::new();
    scene.sends_to(90.0, 92.0, flags(0x1_EE8F));
    assert_eq!(scene.ends_within(3.0), Some(MoveToEnd::Done));
    assert!(!scene.stage.events().iter().any(|event| matches!(event.kind, Happening::FollowBegan { .. })));
}

#[test]
fn t19_whoever_lands_begins_its_step_anew_and_walks_where_it_ran() {
    // Under the other profiles a runner that is thrown upwards runs on: its legs decide how it leaves the ground.
    let mut scene = Scene::standing(Config::SMOOTH, GROUND, 0.0);
    scene.sends_to(90.0, 108.0, flags(PLAIN));
    assert_eq!(scene.forward().0, RUN);
    scene.stage.drive(2.0);
    assert!(scene.way().unwrap().metres.unwrap() < 15.0);
    let order = scene.mover.velocity(Vec3::new(0.0, 3.0, 3.0));
    scene.says(&order);
    scene.stage.drive(0.3);
    assert!(!scene.stage.body(scene.mover.id).in_contact && scene.way().is_some());
    scene.stage.drive(0.6);
    assert!(scene.stage.body(scene.mover.id).in_contact);
    assert_eq!((scene.forward().0, scene.end()), (WALK, None));
}

#[test]
fn t20_every_other_movement_interrupts_it() {
    let mut scene = Scene::new();
    scene.sends_to(90.0, 110.0, MoveToParams::default());
    scene.stage.drive(0.2);
    let order = scene.mover.stands();
    scene.says(&order);
    let end = scene.end();
    assert_eq!((end, end.unwrap().client_code()), (Some(MoveToEnd::Interrupted), 0x36));
    assert_eq!(scene.forward(), (READY, 1.0));
    // Another order too; and a teleport, for a reason of its own.
    scene.sends_to(90.0, 110.0, MoveToParams::default());
    scene.sends_to(95.0, 110.0, MoveToParams::default());
    assert_eq!(scene.end(), Some(MoveToEnd::Interrupted));
    let teleport = scene.mover.teleport(120.0, 100.0);
    let _ = scene.stage.says(&teleport);
    assert_eq!(scene.end(), Some(MoveToEnd::Teleported));
}

#[test]
fn positions_that_arrive_on_the_way_move_it_and_do_not_turn_it() {
    let mut scene = Scene::new();
    scene.sends_to(90.0, 110.0, MoveToParams::default());
    scene.stage.drive(0.5);
    let update = scene.mover.position(90.5, 92.0);
    assert!(matches!(scene.stage.says(&update), Disposition::Queued(_)));
    if let Update::Position(mut position) = scene.mover.position(91.0, 92.5) {
        position.pack.rotation = evenstride::types::update::SparseQuaternion::packed([0.0, 0.0, 0.0, 1.0]);
        let _ = scene.stage.says(&Update::Position(position));
    }
    scene.stage.drive(0.5);
    assert!(scene.heading() < 25.0 || scene.heading() > 335.0, "{}", scene.heading());
    assert!(scene.at().x > 90.6, "{}", scene.at());
    assert!(scene.way().is_some());
}

#[test]
fn a_described_creature_is_on_its_way_from_the_start() {
    let mut stage = Stage::in_surroundings(Config::SMOOTH, GROUND);
    let drudge = Actor::new(0x8000_0001);
    let place = at(90.0, 100.0);
    let kind = MovementKind::MoveToPosition {
        cell: place.cell.raw(),
        origin: place.pose.origin(),
        params: MoveToParams::default(),
        run_rate: 1.5,
    };
    let movement = evenstride_testkit::under_way(kind);
    let described = evenstride::types::update::PhysicsDescription {
        movement,
        ..drudge.description(Some(&at(90.0, 90.0)))
    };
    assert!(matches!(stage.says(&drudge.create(described)), Disposition::Created { .. }));
    stage.drive(5.0);
    let y = stage.at(drudge.id).y;
    assert!((98.8..99.6).contains(&y), "{y}");
}

// What cannot be, or makes no sense.

#[test]
fn s17_numbers_that_cannot_be_are_refused_by_name_and_change_nothing() {
    let mut scene = Scene::new();
    scene.sends_to(90.0, 110.0, MoveToParams::default());
    scene.stage.drive(0.2);
    let nan = f32::NAN;
    for (params, field) in [
        (MoveToParams { distance_to_object: nan, ..MoveToParams::default() }, "distance_to_object"),
        (MoveToParams { min_distance: nan, ..MoveToParams::default() }, "min_distance"),
        (MoveToParams { fail_distance: nan, ..MoveToParams::default() }, "fail_distance"),
        (MoveToParams { walk_run_threshold: nan, ..MoveToParams::default() }, "walk_run_threshold"),
        (MoveToParams { desired_heading_deg: f32::INFINITY, ..MoveToParams::default() }, "desired_heading"),
        (MoveToParams { speed: 1e9, ..MoveToParams::default() }, "speed"),
    ] {
        let order = scene.mover.sent_to_place(90.0, 100.0, params);
        match scene.stage.says(&order) {
            Disposition::Refused(RefuseReason::MoveTo(why)) => assert_eq!(why.field, field),
            other => panic!("{field}: {other}"),
        }
    }
    let mut order = scene.mover.sent_to_place(90.0, 100.0, MoveToParams::default());
    if let Update::Movement(update) = &mut order
        && let MovementKind::MoveToPosition { origin, .. } = &mut update.movement.body.kind
    {
        origin.x = nan;
    }
    assert!(matches!(scene.stage.says(&order), Disposition::Refused(RefuseReason::Position(_))));
    assert!(scene.way().is_some() && scene.forward().0 == RUN, "it is still on its way");
}

#[test]
fn s18_what_is_in_a_pack_is_gone_to_where_it_is_said_to_be() {
    let mut scene = Scene::new().with_other(90.0, 100.0, 0.2);
    let update = scene.other.pickup();
    let _ = scene.stage.says(&update);
    scene.sends_to_other(MoveToParams::default());
    let way = scene.way().unwrap();
    assert_eq!((way.target, way.towards.unwrap().pose.origin()), (None, Vec3::new(1.0, 1.0, 10.0)));
    let update = scene.mover.follows(scene.other.id);
    scene.says(&update);
    assert!(!scene.stage.events().iter().any(|event| matches!(event.kind, Happening::FollowBegan { .. })));
}

#[test]
fn a_world_in_which_somebody_runs_impossibly_fast_can_be_saved_and_restored() {
    let mut scene = Scene::new();
    let mut order =
        scene.mover.sent_to_place(90.0, 150.0, MoveToParams { speed: 900.0, ..flags(PLAIN | 0x10) });
    if let Update::Movement(update) = &mut order
        && let MovementKind::MoveToPosition { run_rate, .. } = &mut update.movement.body.kind
    {
        *run_rate = 900.0;
    }
    scene.says(&order);
    scene.stage.drive(0.2);
    let saved = scene.stage.world.save();
    let library = Arc::new(plain_legs());
    assert!(evenstride::MotionWorld::restore_with(&saved, library).is_ok());
}

#[test]
fn a_run_rate_of_zero_or_less_moves_nobody_out_of_the_world() {
    for rate in [0.0, -2.0] {
        let mut scene = Scene::new();
        let mut order = scene.mover.sent_to_place(90.0, 150.0, flags(PLAIN));
        if let Update::Movement(update) = &mut order
            && let MovementKind::MoveToPosition { run_rate, .. } = &mut update.movement.body.kind
        {
            *run_rate = rate;
        }
        scene.says(&order);
        scene.stage.drive(3.0);
        assert!(scene.at().is_finite() && scene.way().is_some(), "{rate}: {}", scene.at());
    }
}

#[test]
fn a_target_that_is_described_at_last_is_still_chased() {
    let mut stage = Stage::in_surroundings(
        Config::RETAIL.with(|config| config.unknown = evenstride::config::UnknownEntityPolicy::Adopt),
        GROUND,
    );
    let (mut chaser, mut target) = (Actor::new(0x8000_0001), Actor::new(0x8000_0002));
    let _ = stage.says(&chaser.position(90.0, 90.0));
    let _ = stage.says(&target.position(90.0, 120.0));
    stage.drive(0.1);
    let order = chaser.sent_to(target.id, MoveToParams::default());
    let _ = stage.says(&order);
    let _ = stage.says(&target.created(90.0, 120.0));
    stage.drive(0.2);
    assert_eq!(stage.body(chaser.id).move_to.unwrap().target, Some(target.id));
    // And it still says where it is.
    let _ = stage.says(&target.runs(2.0));
    stage.drive(1.5);
    let towards = stage.body(chaser.id).move_to.unwrap().towards.unwrap().pose.origin();
    assert!(towards.y > 121.0, "{towards}");
    let _ = stage.says(&target.delete());
    assert_eq!(stage.body(chaser.id).move_to, None);
}

#[test]
fn targets_tell_before_the_beginning_of_time_too() {
    let mut stage = Stage::in_surroundings(Config::RETAIL, GROUND);
    stage.world =
        evenstride::MotionWorld::new(Config::RETAIL, evenstride::types::SimTime::from_secs(-1000.0).unwrap());
    stage.world.set_viewpoint(Some(at(96.0, 96.0)));
    stage.now = -1000.0;
    let (mut chaser, mut target) = (Actor::new(0x8000_0001), Actor::new(0x8000_0002));
    let _ = stage.says(&chaser.created(90.0, 90.0));
    let _ = stage.says(&target.created(90.0, 120.0));
    stage.drive(0.1);
    let _ = stage.says(&target.runs(1.0));
    let order = chaser.sent_to(target.id, MoveToParams::default());
    let _ = stage.says(&order);
    let before = stage.body(chaser.id).move_to.unwrap().towards;
    stage.drive(1.2);
    assert_ne!(stage.body(chaser.id).move_to.unwrap().towards, before);
}

#[test]
fn sent_to_itself_it_stops_at_once() {
    let mut scene = Scene::new();
    let order = scene.mover.sent_to(scene.mover.id, MoveToParams::default());
    scene.says(&order);
    assert_eq!((scene.end(), scene.way()), (Some(MoveToEnd::IsTarget), None));
}

#[test]
fn odd_numbers_have_the_clients_outcome_and_hang_nobody() {
    // No limit at all to how far is too far: the first step is.
    let mut scene = Scene::new();
    scene.sends_to(90.0, 110.0, MoveToParams { fail_distance: 0.0, ..MoveToParams::default() });
    assert_eq!(scene.ends_within(0.5), Some(MoveToEnd::TooFar));
    // Backwards for ever, because nothing cancels that.
    let mut scene = Scene::new();
    scene.sends_to(90.0, 110.0, MoveToParams { speed: -1.0, ..MoveToParams::default() });
    assert_eq!(scene.ends_within(5.0), None);
    assert!(scene.at().y < 80.0, "{}", scene.at());
    // On the spot.
    let mut scene = Scene::new();
    scene.sends_to(90.0, 110.0, MoveToParams { speed: 0.0, ..MoveToParams::default() });
    assert_eq!(scene.ends_within(5.0), None);
    assert_eq!(scene.at().y, 90.0);
    // Points without size, one inside the other.
    let mut scene = Scene::new().with_other(90.0, 90.0, 0.0);
    scene.sends_to_other(MoveToParams { distance_to_object: -5.0, ..MoveToParams::default() });
    scene.stage.drive(3.0);
    assert!(scene.at().is_finite() && scene.heading().is_finite());
}

#[test]
fn two_who_chase_and_follow_each_other_go_on_without_end_and_without_harm() {
    let mut scene = Scene::new().with_other(90.0, 100.0, 0.5);
    for round in 0..20 {
        scene.sends_to_other(flags(0x1_EE8F));
        let back = scene.other.sent_to(scene.mover.id, flags(0x1_EE8F));
        scene.says(&back);
        scene.stage.drive(if round % 2 == 0 { 0.4 } else { 2.0 });
    }
    let between = scene.at().distance(scene.stage.at(scene.other.id));
    assert!(between < 3.0, "{between}");
}

#[test]
fn a_target_that_is_picked_up_is_walked_to_where_it_was() {
    let mut scene = Scene::new().with_other(90.0, 100.0, 0.2);
    scene.sends_to_other(MoveToParams::default());
    scene.stage.drive(0.5);
    let update = scene.other.pickup();
    let _ = scene.stage.says(&update);
    assert_eq!(scene.ends_within(5.0), Some(MoveToEnd::Done));
    assert!((scene.at().y - 98.7).abs() < 0.1, "{}", scene.at());
}

#[test]
fn explained_it_says_whom_it_chases_how_far_and_how() {
    let mut scene = Scene::new().with_other(110.0, 90.0, 0.5);
    scene.stage.world.trace(scene.mover.id);
    scene.sends_to_other(MoveToParams::default());
    assert_eq!(scene.ends_within(12.0), Some(MoveToEnd::Done));
    let told: Vec<String> =
        scene.stage.world.explain(scene.mover.id).map(|told| told.decision.to_string()).collect();
    insta::assert_snapshot!(told.join("\n"));
}
