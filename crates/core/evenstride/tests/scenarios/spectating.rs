//! Watching without a local player, from the middle of a session.

use evenstride::{
    Config, Disposition, Happening,
    config::{MissingViewpoint, UnknownEntityPolicy},
    outcome::{CreateHow, PlaceReason},
    types::{Stamp, StampKind, StampTable, Vec3, update::Update},
};
use evenstride_testkit::{Actor, Stage, at};

fn adopting() -> Config {
    Config::RETAIL.with(|config| config.unknown = UnknownEntityPolicy::Adopt)
}

/// An entity in the middle of its life: every stamp somewhere in the upper half of its range.
fn veteran() -> Actor {
    let mut actor = Actor::new(0x5000_0007);
    actor.stamps = StampTable::new([45_000; 9].map(Stamp::new));
    actor
}

#[test]
fn d10_a_position_makes_an_unknown_entity() {
    let mut stage = Stage::new(adopting());
    let mut actor = veteran();
    // A movement alone says nothing about where it is: it waits.
    assert!(matches!(stage.says(&actor.runs(2.0)), Disposition::Parked(_)));
    let adopted = Disposition::Created { how: CreateHow::Adopted };
    assert_eq!(stage.says(&actor.position(90.0, 90.0)), adopted);
    assert_eq!(stage.at(actor.id), Vec3::new(90.0, 90.0, 10.0));
    // What had waited counts, though 45,001 is older than the zero it never had.
    assert_eq!(stage.world.animation(actor.id).unwrap().gait.run_rate, 2.0);
    stage.drive(0.1);
    assert!(matches!(stage.says(&actor.position(92.0, 90.0)), Disposition::Queued(_)));
    assert_eq!(stage.says(&actor.velocity(Vec3::new(0.0, 0.0, 3.0))), Disposition::Applied);
    assert!(matches!(stage.says(&actor.runs(1.0)), Disposition::Applied));
    let mut late = veteran();
    assert!(
        matches!(stage.says(&late.runs(9.0)), Disposition::Ignored(_)),
        "stamps count from the first one on"
    );
}

#[test]
fn what_was_adopted_is_made_anew_when_it_is_described() {
    let mut stage = Stage::new(adopting());
    let mut actor = veteran();
    let _ = stage.says(&actor.position(90.0, 90.0));
    assert_eq!(stage.world.animation(actor.id).unwrap().motion_table, None);
    let described = stage.says(&actor.created(91.0, 90.0));
    assert_eq!(described, Disposition::Created { how: CreateHow::Replaced });
    assert_eq!(stage.world.animation(actor.id).unwrap().motion_table, Some(0x0900_0001));
    // From then on it is like any other.
    assert!(matches!(stage.says(&actor.created(91.0, 90.0)), Disposition::Merged(_)));
}

#[test]
fn without_a_viewpoint_every_position_is_a_placement() {
    let mut stage = Stage::new(Config::RETAIL);
    stage.world.set_viewpoint(None);
    let mut actor = Actor::new(0x8000_0001);
    let _ = stage.says(&actor.created(90.0, 90.0));
    stage.drive(1.0);
    let placed = Disposition::Placed { reason: PlaceReason::DistanceUnknown, done: true };
    assert_eq!(stage.says(&actor.position(92.0, 90.0)), placed);
    let snapped = Happening::Snapped { reason: PlaceReason::DistanceUnknown, metres: 2.0 };
    assert_eq!(stage.events_of(actor.id), [Happening::Appeared, snapped]);
    assert_eq!(stage.body(actor.id).distance, None);
    assert_eq!(stage.body(actor.id).counters.snapped_by(PlaceReason::DistanceUnknown), 1);
    // With one, it walks.
    stage.world.set_viewpoint(Some(at(96.0, 96.0)));
    stage.drive(0.1);
    assert!(matches!(stage.says(&actor.position(93.0, 90.0)), Disposition::Queued(_)));
}

#[test]
fn the_local_player_is_the_viewpoint_until_another_is_chosen() {
    let mut stage = Stage::new(Config::RETAIL);
    stage.world.set_viewpoint(None);
    let (player, mut drudge) = (Actor::new(0x5000_0001), Actor::new(0x8000_0001));
    let _ = stage.says(&Update::LocalPlayer(player.id));
    assert_eq!(stage.world.viewpoint(), None);
    let _ = stage.says(&player.created(90.0, 90.0));
    let _ = stage.says(&drudge.created(90.0, 100.0));
    stage.drive(0.1);
    assert_eq!(stage.body(drudge.id).distance, Some(10.0));
    assert!(matches!(stage.says(&drudge.position(90.0, 101.0)), Disposition::Queued(_)));
    let pose = stage.world.drawn_from_viewpoint(drudge.id, stage.time()).unwrap();
    assert_eq!(pose.origin(), Vec3::new(0.0, 10.0, 0.0));
    // A camera far away: the drudge sleeps, the player does not.
    stage.world.set_viewpoint(Some(at(90.0, 390.0)));
    stage.drive(0.1);
    assert!(!stage.body(drudge.id).is_active && stage.body(player.id).is_active);
}

#[test]
fn d11_without_a_viewpoint_all_bodies_are_near() {
    let mut stage = Stage::new(Config::RETAIL.with(|config| config.no_viewpoint = MissingViewpoint::AllNear));
    stage.world.set_viewpoint(None);
    let mut actor = Actor::new(0x8000_0001);
    let _ = stage.says(&actor.created(90.0, 90.0));
    stage.drive(0.1);
    assert!(matches!(stage.says(&actor.position(92.0, 90.0)), Disposition::Queued(_)));
    assert_eq!(actor.stamp(StampKind::Position), Stamp::new(1));
    stage.drive(1.0);
    assert!(stage.at(actor.id).distance(Vec3::new(92.0, 90.0, 10.0)) < 0.06);
}
