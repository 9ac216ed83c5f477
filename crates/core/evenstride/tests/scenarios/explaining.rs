//! Why did it move? A scripted two minutes, in sentences.

use std::fmt::Write as _;

use evenstride::{
    Config, FlatGround, MotionWorld, OpenField, Surroundings,
    config::Limits,
    surroundings::{Sweep, Swept},
    types::{
        SimTime, Vec3,
        update::{InterpretedState, MotionCommand, PhysicsState, Update},
    },
};
use evenstride_testkit::{Actor, Stage, at};

/// Open ground with a wall across it.
struct Walled;

impl Surroundings for Walled {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        let (from, to) = (sweep.from.pose.origin(), sweep.to.pose.origin());
        if from.x < 110.0 && to.x >= 110.0 { Swept::Blocked } else { FlatGround { z: 10.0 }.sweep(sweep) }
    }

    fn place(&self, placing: &evenstride::surroundings::Placing) -> evenstride::surroundings::Placed {
        FlatGround { z: 10.0 }.place(placing)
    }
}

#[test]
fn two_minutes_of_an_eventful_life() {
    let mut stage = Stage::in_surroundings(Config::RETAIL, Walled);
    let mut hero = Actor::new(0x5000_0002);
    let wolf = Actor::new(0x8000_0001);
    let described = hero.created(90.0, 90.0);
    stage.world.trace(hero.id);
    // A movement before its entity, then the entity.
    let _ = stage.says(&hero.runs(1.5));
    stage.drive(1.0);
    let _ = stage.says(&described);
    stage.drive(1.0);
    // Ten seconds of running, heard once a second, once twice and once too late.
    for second in 1..=10u8 {
        let update = hero.position(90.0 + f32::from(second), 90.0);
        let _ = stage.says(&update);
        if second == 5 {
            let _ = stage.says(&update);
        }
        stage.drive(1.0);
    }
    let _ = stage.says(&hero.stands());
    stage.drive(5.0);
    // A jump.
    let _ = stage.says(&hero.velocity(Vec3::new(0.0, 0.0, 3.5)));
    stage.drive(3.0);
    // Against a wall.
    let _ = stage.says(&hero.position(112.0, 90.0));
    stage.drive(2.0);
    // Following a wolf for a second.
    let _ = stage.says(&wolf.created(115.0, 95.0));
    stage.drive(0.5);
    let _ = stage.says(&hero.follows(wolf.id));
    stage.drive(2.0);
    // Too far to walk, then a teleport, then away from the viewpoint.
    let _ = stage.says(&hero.position(10.0, 10.0));
    stage.drive(1.0);
    let _ = stage.says(&hero.teleport(60.0, 60.0));
    stage.drive(1.0);
    stage.world.set_viewpoint(Some(at(60.0, 300.0)));
    stage.drive(0.1);
    let _ = stage.says(&hero.position(62.0, 60.0));
    stage.world.set_viewpoint(Some(at(96.0, 96.0)));
    stage.drive(30.0);
    // In hiding, in a hand, in a pack, back, and gone.
    let _ = stage.says(&hero.state(PhysicsState::default() | PhysicsState::HIDDEN));
    let _ = stage.says(&hero.held_by(&wolf, 1));
    stage.drive(30.0);
    let _ = stage.says(&hero.position(100.0, 100.0));
    stage.drive(1.0);
    let _ = stage.says(&hero.pickup());
    let reborn = hero.reborn();
    let mut early = reborn;
    let _ = stage.says(&early.runs(2.0));
    stage.drive(29.4);
    let _ = stage.says(&hero.delete());
    let mut text = String::new();
    for explanation in stage.world.explain(hero.id) {
        writeln!(text, "{explanation}").unwrap();
    }
    insta::assert_snapshot!("two_minutes", text);
}

#[test]
fn nobody_is_remembered_who_was_not_asked_for() {
    let mut stage = Stage::new(Config::RETAIL);
    let (mut watched, mut other) = (Actor::new(1), Actor::new(2));
    for actor in [&mut watched, &mut other] {
        let _ = stage.says(&actor.created(90.0, 90.0));
    }
    stage.world.trace(watched.id);
    stage.drive(0.1);
    for actor in [&mut watched, &mut other] {
        let _ = stage.says(&actor.position(91.0, 90.0));
    }
    assert_eq!((stage.world.explain(watched.id).count(), stage.world.explain(other.id).count()), (1, 0));
    stage.world.untrace(watched.id);
    let _ = stage.says(&watched.position(92.0, 90.0));
    assert_eq!(stage.world.explain(watched.id).count(), 1);
    stage.world.trace_all();
    let _ = stage.says(&other.position(92.0, 90.0));
    assert_eq!(stage.world.explain(other.id).count(), 1);
}

#[test]
fn only_so_many_bytes_of_decisions_are_remembered() {
    let limits = Limits::DEFAULT.with(|limits| limits.decision_bytes = 240);
    let mut stage = Stage::new(Config::RETAIL.with(|config| config.limits = limits));
    let mut actor = Actor::new(1);
    stage.world.trace(actor.id);
    let _ = stage.says(&actor.created(90.0, 90.0));
    for step in 0..100u8 {
        let _ = stage.says(&actor.position(f32::from(step), 90.0));
    }
    assert_eq!(stage.world.explain(actor.id).count(), 10);
    let last = stage.world.explain(actor.id).next_back().unwrap().to_string();
    assert!(
        last.starts_with("0.00 s: position 100 accepted, placed 1.0 m away: its distance is unknown"),
        "{last}"
    );
}

#[test]
fn watching_changes_nothing() {
    let run = |watch: bool| {
        let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
        world.set_viewpoint(Some(at(96.0, 96.0)));
        if watch {
            world.trace_all();
        }
        let mut actor = Actor::new(1);
        let mut answers = Vec::new();
        let mut handle = |world: &mut MotionWorld, secs: f64, update: Update| {
            let now = SimTime::from_secs(secs).unwrap();
            let _ = world.advance(now, &OpenField);
            answers.push(world.handle(now, &update, &OpenField));
        };
        handle(&mut world, 0.0, actor.created(90.0, 90.0));
        for second in 1..20u8 {
            handle(&mut world, f64::from(second), actor.position(90.0 + f32::from(second % 5), 90.0));
        }
        (answers, world.state_hash())
    };
    assert_eq!(run(false), run(true));
}

/// Regression: a body that turned on the spot was said to stand.
#[test]
fn a_turn_on_the_spot_is_called_a_turn() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut drudge = Actor::new(0x8000_0001);
    stage.world.trace(drudge.id);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    let (turn, turn_speed) = (Some(MotionCommand::TURN_RIGHT.index()), Some(-1.5));
    let _ =
        stage.says(&drudge.moves(InterpretedState { turn, turn_speed, ..InterpretedState::default() }, 0));
    let said: Vec<String> = stage.world.explain(drudge.id).map(|line| line.to_string()).collect();
    assert!(said.iter().any(|line| line.ends_with("turns left at speed 1.50")), "{said:?}");
}
