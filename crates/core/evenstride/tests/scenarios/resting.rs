//! Bodies at rest, which rounds do not look at. A restored world looks at all bodies, so it tells what
//! rest must not change.

use evenstride::{
    BodySetup, Config, MotionWorld, OpenField,
    config::MissingViewpoint,
    types::{EntityId, Placement, SimTime},
};
use evenstride_testkit::at;

/// A row of 90 bodies that stand 4 m apart, to the east of x = 2, over two landblocks.
fn row_of_bodies(config: Config) -> MotionWorld {
    row_of(90, config)
}

/// A row of bodies, 360 m long.
fn row_of(bodies: u32, config: Config) -> MotionWorld {
    let mut world = MotionWorld::new(config, SimTime::ZERO);
    for number in 0..bodies {
        let place = settled(2.0 + number as f32 * 360.0 / bodies as f32);
        world.insert(SimTime::ZERO, EntityId::new(0x8000_0001 + number), &BodySetup::at(place)).unwrap();
    }
    world
}

fn settled(x: f32) -> Placement {
    let mut place = at(96.0, 96.0);
    place.pose = place.pose.with_origin([x, 96.0, 10.0]).unwrap();
    place.settled_outdoors().unwrap()
}

fn active(world: &MotionWorld) -> usize {
    (0..90)
        .filter(|number| world.body(EntityId::new(0x8000_0001 + number)).is_some_and(|body| body.is_active))
        .count()
}

/// Moves the viewpoint of a world and of one that is restored before every round, and compares them.
fn walk(config: Config, way: impl Fn(f64) -> Option<f32>, secs: f64) -> Vec<usize> {
    walk_along(row_of_bodies(config), way, secs)
}

fn walk_along(mut world: MotionWorld, way: impl Fn(f64) -> Option<f32>, secs: f64) -> Vec<usize> {
    let mut counts = Vec::new();
    for round in 1..=(secs * 29.0) as u32 {
        // A little more than a thirtieth of a second, so that every gate opens.
        let now = SimTime::from_secs(f64::from(round) / 29.0).unwrap();
        let mut restored = MotionWorld::restore(&world.save()).unwrap();
        for world in [&mut world, &mut restored] {
            world.set_viewpoint(way(now.as_secs()).map(settled));
            let _ = world.advance(now, &OpenField);
        }
        assert_eq!(world.state_hash(), restored.state_hash(), "{:?} at {now:?}", world.config());
        counts.push(active(&world));
    }
    counts
}

#[test]
fn a_viewpoint_that_passes_by_wakes_bodies_and_puts_them_to_sleep_in_time() {
    for config in [Config::RETAIL, Config::SMOOTH] {
        let counts = walk(config, |secs| Some(10.0 + 8.0 * secs as f32), 40.0);
        // 106 m to the east of the first body at the beginning, and 192 m of the row around the middle.
        assert!(counts[0] >= 26 && counts[0] <= 28, "{}", counts[0]);
        assert!(counts.iter().any(|count| (47..=49).contains(count)), "{counts:?}");
    }
}

/// Bodies are looked at in 64 groups of 64, so this is more than one turn of all groups.
#[test]
fn every_group_of_bodies_at_rest_is_looked_at_in_time() {
    let counts = walk_along(row_of(4_300, Config::RETAIL), |secs| Some(10.0 + 40.0 * secs as f32), 3.0);
    assert_eq!(counts.len(), 87);
}

#[test]
fn a_viewpoint_that_leaps_or_goes_away_is_noticed_by_bodies_at_rest() {
    for missing in [MissingViewpoint::AllFar, MissingViewpoint::AllNear] {
        let config = Config::RETAIL.with(|config| config.no_viewpoint = missing);
        let way = |secs: f64| match secs as u32 % 4 {
            0 => Some(20.0),
            1 => Some(300.0),
            2 => None,
            _ => Some(20.5),
        };
        let counts = walk(config, way, 9.0);
        assert!(counts.iter().max() > counts.iter().min(), "{counts:?}");
    }
}

/// The local player is never too far away to be stepped, and a resting body was not looked at again.
#[test]
fn a_sleeping_body_that_becomes_the_local_player_wakes() {
    let mut world = row_of_bodies(Config::RETAIL);
    let last = EntityId::new(0x8000_0001 + 89);
    world.set_viewpoint(Some(settled(10.0)));
    let at = |round: u32| SimTime::from_secs(f64::from(round) / 29.0).unwrap();
    (1..5).for_each(|round| _ = world.advance(at(round), &OpenField));
    assert!(!world.body(last).unwrap().is_active);
    world.set_local_player(at(5), Some(last));
    let _ = world.advance(at(6), &OpenField);
    assert!(world.body(last).unwrap().is_active);
}

/// Distances and clocks of bodies at rest are those of the last round, for views as for saves.
#[test]
fn a_view_of_a_body_at_rest_has_its_present_distance() {
    let mut world = row_of_bodies(Config::SMOOTH);
    let first = EntityId::new(0x8000_0001);
    for round in 1..60u32 {
        world.set_viewpoint(Some(settled(2.0 + round as f32 / 2.0)));
        let _ = world.advance(SimTime::from_secs(f64::from(round) / 29.0).unwrap(), &OpenField);
        assert_eq!(world.body(first).unwrap().distance, Some(round as f32 / 2.0));
    }
}
