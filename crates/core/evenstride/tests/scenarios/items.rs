//! Things that are neither creatures nor players.

use evenstride::{
    Config, FlatGround,
    types::{
        Vec3,
        update::{
            CreateUpdate, InterpretedState, ItemType, MotionCommand, PhysicsDescription, Resources, Update,
        },
    },
};

use evenstride_testkit::{Actor, Stage, at, under_way};

const GROUND: FlatGround = FlatGround { z: 10.0 };

fn described(actor: &Actor, physics: PhysicsDescription, item_type: ItemType) -> Update {
    Update::Create(CreateUpdate::new(actor.id, physics).of_type(item_type))
}

/// The symptom: a walking thing that was thrown up stayed on the ground, 11.7 m from where the client has it.
#[test]
fn a_thing_that_takes_off_while_it_moves_keeps_its_impulse() {
    let flight = |item_type: ItemType| {
        let mut stage = Stage::in_surroundings(Config::RETAIL, GROUND);
        let mut thing = Actor::new(0x8000_0001);
        let kind = evenstride::types::update::MovementKind::Interpreted {
            state: InterpretedState::doing(MotionCommand::RUN_FORWARD, 1.0),
            stick_to: None,
        };
        let physics =
            PhysicsDescription { movement: under_way(kind), ..thing.description(Some(&at(90.0, 90.0))) };
        let _ = stage.says(&described(&thing, physics, item_type));
        stage.drive(0.5);
        let _ = stage.says(&thing.velocity(Vec3::new(2.0, 0.0, 5.0)));
        let from = stage.at(thing.id);
        let mut apex = 0.0_f32;
        for _ in 0..30 {
            stage.drive(1.0 / 60.0);
            apex = apex.max(stage.at(thing.id).z - 10.0);
        }
        (apex, stage.at(thing.id).x - from.x)
    };
    // A creature's gait replaces the impulse: the client's own rule for creatures and players.
    let (apex, aside) = flight(ItemType::CREATURE);
    assert!(apex < 0.3 && aside < 0.2, "{apex} {aside}");
    let (apex, aside) = flight(ItemType::MISSILE_WEAPON);
    assert!(apex > 1.0 && aside > 0.8, "{apex} {aside}");
}

/// The symptom: the first step of a thing that was thrown was up to a whole step too long, 0.27 m.
#[test]
fn a_resting_thing_without_a_motion_table_starts_its_clock_when_it_is_woken() {
    // 30 frames a second: each is a step. The throw comes 30 ms after one; where is the body 1/30 s after that?
    let thrown_after = |steps: u32, motion_table: Option<u32>| {
        let mut stage = Stage::in_surroundings(Config::RETAIL, GROUND);
        stage.fps = 30.0;
        let mut thing = Actor::new(0x8000_0001);
        let resources = Resources { motion_table, ..Resources::default() };
        let physics = PhysicsDescription { resources, ..thing.description(Some(&at(90.0, 90.0))) };
        let _ = stage.says(&described(&thing, physics, ItemType(1)));
        for _ in 0..steps {
            stage.now += 1.0 / 30.0 + 1e-6;
            let _ = stage.world.advance(stage.time(), &GROUND);
        }
        stage.now += 0.030;
        let _ = stage.says(&thing.velocity(Vec3::new(8.0, 0.0, 0.0)));
        stage.now += 0.004;
        let _ = stage.world.advance(stage.time(), &GROUND);
        stage.at(thing.id).x - 90.0
    };
    // Every other tick finds it asleep and wakes it. Asleep, it starts from the throw; awake, from its last tick.
    let mut ways = [thrown_after(20, None), thrown_after(21, None)];
    ways.sort_by(f32::total_cmp);
    assert!((0.02..0.04).contains(&ways[0]) && (0.2..0.28).contains(&ways[1]), "{ways:?}");
    for steps in [20, 21] {
        let way = thrown_after(steps, Some(0x0900_0001));
        assert!((0.2..0.28).contains(&way), "{steps}: {way}");
    }
}

#[test]
fn a_thing_that_was_told_or_heard_to_move_does_not_doze() {
    for is_told in [true, false] {
        let mut ways = Vec::new();
        for steps in [20, 21] {
            let mut stage = Stage::in_surroundings(Config::RETAIL, GROUND);
            let mut thing = Actor::new(0x8000_0001);
            let physics = PhysicsDescription {
                resources: Resources::default(),
                ..thing.description(Some(&at(90.0, 90.0)))
            };
            let _ = stage.says(&described(&thing, physics, ItemType(1)));
            stage.drive(0.1);
            let update = if is_told { thing.stands() } else { thing.position(90.5, 90.0) };
            let _ = stage.says(&update);
            stage.drive(0.5);
            for _ in 0..steps {
                stage.now += 1.0 / 30.0 + 1e-6;
                let _ = stage.world.advance(stage.time(), &GROUND);
            }
            let from = stage.at(thing.id).x;
            stage.now += 0.030;
            let _ = stage.says(&thing.velocity(Vec3::new(8.0, 0.0, 0.0)));
            stage.now += 0.004;
            let _ = stage.world.advance(stage.time(), &GROUND);
            ways.push(stage.at(thing.id).x - from);
        }
        assert!(ways.iter().all(|way| (0.2..0.28).contains(way)), "{is_told}: {ways:?}");
    }
}
