//! Updates that come before their entity.

use evenstride::{
    Config, Disposition, Happening,
    config::Limits,
    limits::{ASK_AFTER_SECS, PARKING_SECS},
    outcome::{CreateHow, ParkReason},
    types::{StampKind, Vec3},
};
use evenstride_testkit::{Actor, Stage};

const WAITS: Disposition = Disposition::Parked(ParkReason::UnknownEntity);

#[test]
fn what_came_before_the_description_is_handled_after_it_in_order() {
    let mut stage = Stage::new(Config::RETAIL);
    let early = Actor::new(0x8000_0001);
    let mut server = early;
    assert_eq!(stage.says(&server.runs(2.0)), WAITS);
    assert_eq!(stage.says(&server.runs(3.0)), WAITS);
    assert_eq!(stage.says(&server.velocity(Vec3::new(0.0, 0.0, 4.0))), WAITS);
    assert_eq!((stage.world.parked(), stage.world.len()), (3, 0));
    let created = Disposition::Created { how: CreateHow::New };
    assert_eq!(stage.says(&early.created(90.0, 90.0)), created);
    assert_eq!((stage.world.parked(), stage.world.stats().parked_replayed), (0, 3));
    // In order: the last run rate counts.
    assert_eq!(stage.world.animation(early.id).unwrap().gait.run_rate, 3.0);
    let counters = stage.body(early.id).counters;
    assert_eq!((counters.parked, counters.fresh), (3, 4));
    stage.drive(0.1);
    assert!(stage.at(early.id).z > 10.1, "it was thrown");
}

#[test]
fn what_waits_is_stale_if_the_description_is_newer() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut server = Actor::new(0x8000_0001);
    assert_eq!(stage.says(&server.position(50.0, 50.0)), WAITS);
    server.next(StampKind::Position);
    let _ = stage.says(&server.created(90.0, 90.0));
    assert_eq!(stage.at(server.id), Vec3::new(90.0, 90.0, 10.0));
    assert_eq!(stage.body(server.id).counters.stale, 1);
}

#[test]
fn a_parked_delete_deletes_what_it_waited_for() {
    let mut stage = Stage::new(Config::RETAIL);
    let actor = Actor::new(0x8000_0001);
    assert_eq!(stage.says(&actor.delete()), WAITS);
    let _ = stage.says(&actor.created(90.0, 90.0));
    assert_eq!(stage.world.len(), 0);
}

#[test]
fn after_25_seconds_without_news_it_is_too_late() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut server = Actor::new(0x8000_0001);
    let _ = stage.says(&server.runs(2.0));
    stage.drive(ASK_AFTER_SECS - 0.5);
    assert_eq!(stage.events_of(server.id), []);
    stage.drive(1.0);
    assert_eq!(stage.events_of(server.id), [Happening::DescriptionWanted]);
    // News prolong the wait of everything.
    let _ = stage.says(&server.runs(3.0));
    stage.drive(PARKING_SECS - 0.5);
    assert_eq!(stage.world.parked(), 2);
    stage.drive(1.0);
    assert_eq!((stage.world.parked(), stage.world.stats().parked_expired), (0, 2));
    let events = stage.events_of(server.id);
    assert_eq!(events, [Happening::DescriptionWanted, Happening::ParkedExpired { count: 2 }]);
    let _ = stage.says(&server.created(90.0, 90.0));
    assert_eq!(stage.world.animation(server.id).unwrap().gait.run_rate, 1.0);
}

#[test]
fn d8_news_of_a_later_life_are_kept() {
    let mut stage = Stage::new(Config::SMOOTH);
    let old = Actor::new(0x8000_0001);
    let new = old.reborn();
    let mut server = new;
    let _ = stage.says(&old.created(90.0, 90.0));
    assert_eq!(stage.says(&server.runs(2.5)), Disposition::Parked(ParkReason::NewerInstance));
    // The earlier life goes on meanwhile, and ends.
    assert_eq!(stage.says(&old.delete()), Disposition::Removed);
    assert_eq!(stage.world.parked(), 1);
    let _ = stage.says(&new.created(80.0, 80.0));
    assert_eq!(stage.world.animation(new.id).unwrap().gait.run_rate, 2.5);
}

#[test]
fn s8_waiting_updates_are_bounded() {
    let limits = Limits::DEFAULT.with(|limits| {
        limits.parked_per_entity = 3;
        limits.parked = 5;
    });
    let mut stage = Stage::new(Config::RETAIL.with(|config| config.limits = limits));
    let mut server = Actor::new(0x8000_0001);
    for speed in 1..=4u8 {
        let _ = stage.says(&server.runs(f32::from(speed)));
    }
    assert_eq!((stage.world.parked(), stage.world.stats().parked_dropped), (3, 1));
    for id in 10..20 {
        let _ = stage.says(&Actor::new(id).runs(1.0));
    }
    assert_eq!((stage.world.parked(), stage.world.stats().parked_dropped), (5, 9));
    // Bytes count too.
    let limits = Limits::DEFAULT.with(|limits| limits.parked_bytes = 3_000);
    let mut stage = Stage::new(Config::RETAIL.with(|config| config.limits = limits));
    for id in 10..40 {
        let _ = stage.says(&Actor::new(id).runs(1.0));
    }
    assert!((1..=3_000).contains(&stage.world.parked_bytes()) && stage.world.parked() > 1);
    let limits = Limits::DEFAULT.with(|limits| limits.parked_bytes_per_entity = 1_500);
    let mut stage = Stage::new(Config::RETAIL.with(|config| config.limits = limits));
    for _ in 0..30 {
        let _ = stage.says(&server.runs(1.0));
    }
    assert!((1..=1_500).contains(&stage.world.parked_bytes()) && stage.world.parked() > 1);
}
