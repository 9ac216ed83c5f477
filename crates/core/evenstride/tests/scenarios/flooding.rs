//! Floods: whatever arrives in whatever number, memory stays bounded and all other bodies go on.

use evenstride::{
    Config, Disposition,
    config::{Limits, UnknownEntityPolicy},
    types::{StampKind, Vec3},
};
use evenstride_testkit::{Actor, Stage};

#[test]
fn a_million_updates_for_entities_nobody_knows() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut bystander = Actor::new(1);
    let _ = stage.says(&bystander.created(90.0, 90.0));
    for id in 0..1_000_000u32 {
        let _ = stage.says(&Actor::new(0x8000_0000 + id).position(90.0, 90.0));
    }
    let limits = Limits::DEFAULT;
    let (parked, bytes) = (stage.world.parked(), stage.world.parked_bytes());
    assert!(parked <= limits.parked as usize && bytes <= u64::from(limits.parked_bytes), "{parked}, {bytes}");
    let dropped = stage.world.stats().parked_dropped;
    assert_eq!(dropped + parked as u64, 1_000_000);
    // No other body is affected.
    stage.drive(0.1);
    assert!(matches!(stage.says(&bystander.position(92.0, 90.0)), Disposition::Queued(_)));
    stage.drive(26.0);
    assert_eq!((stage.world.parked(), stage.world.parked_bytes()), (0, 0));
}

#[test]
fn an_adopting_world_is_full_at_its_limit() {
    let limits = Limits::DEFAULT.with(|limits| limits.bodies = 1_000);
    let mut stage = Stage::new(Config::RETAIL.with(|config| {
        config.unknown = UnknownEntityPolicy::Adopt;
        config.limits = limits;
    }));
    for id in 0..50_000u32 {
        let _ = stage.says(&Actor::new(id).position(90.0, 90.0));
    }
    assert_eq!((stage.world.len(), stage.world.stats().refused_creates), (1_000, 49_000));
}

#[test]
fn updates_for_deleted_entities_wait_and_expire() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut actor = Actor::new(7);
    let _ = stage.says(&actor.created(90.0, 90.0));
    let _ = stage.says(&actor.delete());
    for _ in 0..10_000 {
        assert!(matches!(stage.says(&actor.position(90.0, 90.0)), Disposition::Parked(_)));
    }
    assert_eq!(stage.world.parked(), Limits::DEFAULT.parked_per_entity as usize);
    stage.drive(26.0);
    assert_eq!(stage.world.parked(), 0);
}

#[test]
fn a_flood_of_one_entity_is_a_full_route_and_nothing_more() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut actor = Actor::new(7);
    let _ = stage.says(&actor.created(90.0, 90.0));
    stage.drive(0.1);
    for round in 0..100_000u32 {
        let x = 80.0 + (round % 97) as f32 * 0.2;
        let _ = stage.says(&actor.position(x, 90.0 + (round % 13) as f32));
    }
    assert_eq!(stage.body(actor.id).waypoints, 20);
    assert_eq!(stage.body(actor.id).counters.fresh, 100_001);
    assert!(stage.world.memory().iter().all(|part| part.held_bytes < 100_000));
}

#[test]
fn chains_of_descriptions_that_wait_for_each_other_unwind_without_recursion() {
    let mut stage = Stage::new(Config::RETAIL);
    // Each is held by the next, and comes before it.
    let actors: Vec<_> = (0..4_000).map(Actor::new).collect();
    for pair in actors.windows(2) {
        assert!(matches!(stage.says(&pair[0].created_held(pair[1].id, 1)), Disposition::Parked(_)));
    }
    let _ = stage.says(&actors[3_999].created(90.0, 90.0));
    // As deep as things can be held they are there; the next is refused, and the rest waits for it in vain.
    assert_eq!((stage.world.len(), stage.world.parked()), (9, 4_000 - 10));
    assert_eq!(stage.drawn(actors[3_991].id), Some(Vec3::new(90.0, 90.0, 10.0)));
    stage.drive(26.0);
    assert_eq!((stage.world.len(), stage.world.parked()), (9, 0));
}

#[test]
fn chains_built_from_below_are_bounded_too() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut actors: Vec<_> = (0..100).map(Actor::new).collect();
    for actor in &actors {
        let _ = stage.says(&actor.created(90.0, 90.0));
    }
    for index in 0..99 {
        let holder = actors[index + 1];
        assert_eq!(stage.says(&actors[index].held_by(&holder, 1)), Disposition::Applied);
    }
    // The top is drawn, what hangs too deep below it is not, and nothing goes round in circles.
    assert!(stage.drawn(actors[99].id).is_some() && stage.drawn(actors[92].id).is_some());
    assert_eq!(stage.drawn(actors[0].id), None);
    let below = actors[0];
    assert!(matches!(stage.says(&actors[99].held_by(&below, 1)), Disposition::Refused(_)));
    stage.drive(0.5);
}

#[test]
fn attaching_and_detaching_in_great_number_leaks_nothing() {
    let mut stage = Stage::new(Config::RETAIL);
    let knight = Actor::new(1);
    let _ = stage.says(&knight.created(90.0, 90.0));
    let mut things: Vec<_> = (2..200).map(Actor::new).collect();
    for thing in &things {
        let _ = stage.says(&thing.created(90.0, 90.0));
    }
    for _ in 0..100 {
        for thing in &mut things {
            let _ = stage.says(&thing.held_by(&knight, 1));
        }
        for thing in &mut things {
            let _ = stage.says(&thing.position(91.0, 91.0));
        }
    }
    assert!(things.iter().all(|thing| stage.body(thing.id).held_by.is_none()));
    assert_eq!(things[0].stamp(StampKind::Position).raw(), 200);
    let restored = evenstride::MotionWorld::restore(&stage.world.save()).unwrap();
    assert_eq!(restored.state_hash(), stage.world.state_hash());
}
