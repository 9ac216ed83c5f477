//! Creatures whose motion table is missing, which borrow built-in animations.

use evenstride::{
    Config,
    animation::{BUILT_IN_CREATURE, MotionLibrary},
    config::MissingTables,
    types::{
        EntityId,
        update::{MoveToParams, PhysicsDescription, Resources},
    },
};
use evenstride_testkit::{Actor, Stage, at};

/// A run at 2.4 m/s for two seconds, heard of five times per second, by a creature with this motion
/// table. Returns how far the body is from the entity after each position but the first two.
fn errors(config: Config, table: u32) -> Vec<f32> {
    errors_with(config, table, MotionLibrary::built_in())
}

fn errors_with(config: Config, table: u32, library: MotionLibrary) -> Vec<f32> {
    let mut stage = Stage::new(config);
    stage.world.set_library(library.into());
    stage.world.set_viewpoint(Some(at(90.0, 90.0)));
    let mut chicken = Actor::new(0x8000_0001);
    let resources = Resources { motion_table: Some(table), ..Resources::default() };
    let description = PhysicsDescription { resources, ..chicken.description(Some(&at(90.0, 90.0))) };
    let _ = stage.says(&chicken.create(description));
    stage.drive(1.0);
    // The built-in legs run at 4 m/s.
    let _ = stage.says(&chicken.sent_to_place(90.0, 150.0, MoveToParams::default()));
    (1..=10u16)
        .map(|step| {
            stage.drive(0.2);
            let y = 90.0 + 0.48 * f32::from(step);
            let error = stage.at(EntityId::new(0x8000_0001)).y - y;
            let _ = stage.says(&chicken.position(90.0, y));
            error
        })
        .skip(3)
        .collect()
}

const UNKNOWN: u32 = 0x0900_0033;

#[test]
fn d20_built_in_legs_do_not_outrun_a_slow_creature() {
    let most = |config| errors(config, UNKNOWN).into_iter().fold(f32::MIN, f32::max);
    for config in [Config::SMOOTH, Config::ACDREAM] {
        let built_in = config.with(|config| config.missing_tables = MissingTables::BuiltInSpeed);
        assert!(most(config) < 0.6 * most(built_in), "{} {}", most(config), most(built_in));
    }
    let client = Config::RETAIL.with(|config| config.missing_tables = MissingTables::HeardSpeed);
    assert!(most(client) < 0.6 * most(Config::RETAIL), "{} {}", most(client), most(Config::RETAIL));
}

#[test]
fn a_table_that_is_there_is_played_at_its_own_speed() {
    let built_in = Config::SMOOTH.with(|config| config.missing_tables = MissingTables::BuiltInSpeed);
    // The table of people is built in.
    assert_eq!(errors(Config::SMOOTH, 0x0900_0001), errors(built_in, 0x0900_0001));
    assert_ne!(errors(Config::SMOOTH, UNKNOWN), errors(built_in, UNKNOWN));
}

#[test]
fn a_table_that_a_host_adds_is_played_at_its_own_speed() {
    let with_table = |config: Config| {
        let mut library = MotionLibrary::built_in();
        let table = library.table(BUILT_IN_CREATURE).unwrap().clone();
        library.add_table(UNKNOWN, table);
        errors_with(config, UNKNOWN, library)
    };
    let built_in = Config::SMOOTH.with(|config| config.missing_tables = MissingTables::BuiltInSpeed);
    assert_eq!(with_table(Config::SMOOTH), with_table(built_in));
}

#[test]
fn hosts_are_told_to_play_borrowed_legs_slower() {
    let rate = |config: Config| {
        let mut stage = Stage::new(config);
        let mut chicken = Actor::new(0x8000_0001);
        let resources = Resources { motion_table: Some(UNKNOWN), ..Resources::default() };
        let description = PhysicsDescription { resources, ..chicken.description(Some(&at(90.0, 90.0))) };
        let _ = stage.says(&chicken.create(description));
        stage.drive(1.0);
        let _ = stage.says(&chicken.sent_to_place(90.0, 150.0, MoveToParams::default()));
        for step in 0..10u16 {
            let _ = stage.says(&chicken.position(90.0, 90.0 + 0.4 * f32::from(step)));
            stage.drive(0.2);
        }
        let body = stage.world.get(chicken.id).unwrap();
        (body.animation(stage.time()).playing.unwrap().rate, body.root_velocity().y)
    };
    let (slow, velocity) = rate(Config::SMOOTH);
    let (fast, _) = rate(Config::SMOOTH.with(|config| config.missing_tables = MissingTables::BuiltInSpeed));
    assert!((slow / fast - 0.5).abs() < 0.1, "{slow} {fast}");
    assert!((velocity - 2.0).abs() < 0.3, "{velocity}");
}
