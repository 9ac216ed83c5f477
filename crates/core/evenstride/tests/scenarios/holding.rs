//! Things in hands.

use evenstride::{
    Config, Disposition, Happening,
    limits::{MAX_HOLDING_DEPTH, PARKING_SECS},
    outcome::{CreateHow, IgnoreReason, ParkReason, PlaceReason, RefuseReason},
    types::Vec3,
};
use evenstride_testkit::{Actor, Stage};

const HAND: u32 = 1;

fn armed(config: Config) -> (Stage, Actor, Actor) {
    let mut stage = Stage::new(config);
    let (mut knight, sword) = (Actor::new(0x5000_0001), Actor::new(0x8000_0001));
    let _ = stage.says(&knight.created(90.0, 90.0));
    let _ = stage.says(&sword.created_held(knight.id, HAND));
    let _ = stage.says(&knight.runs(2.0));
    stage.drive(0.1);
    (stage, knight, sword)
}

#[test]
fn what_is_held_is_drawn_where_its_holder_is_drawn() {
    for (name, config) in Config::PROFILES {
        let (mut stage, mut knight, sword) = armed(config);
        stage.fps = 144.0;
        let _ = stage.says(&knight.position(96.0, 90.0));
        let mut seen = Vec::new();
        for _ in 0..100 {
            stage.drive(1.0 / 144.0);
            let [held, holder] = [sword.id, knight.id].map(|id| stage.drawn(id).unwrap());
            assert_eq!(held, holder, "{name}");
            seen.push(held.x);
        }
        assert!(seen[99] > seen[0] + 3.0, "{name}: {seen:?}");
        let held_by = stage.body(sword.id).held_by.unwrap();
        assert_eq!((held_by.holder, held_by.location, stage.body(sword.id).place), (knight.id, HAND, None));
    }
}

#[test]
fn a_position_takes_it_out_of_the_hand() {
    let (mut stage, knight, mut sword) = armed(Config::RETAIL);
    let dropped = stage.says(&sword.position(91.0, 90.0));
    assert_eq!(dropped, Disposition::Placed { reason: PlaceReason::EntersWorld, done: true });
    assert_eq!((stage.body(sword.id).held_by, stage.at(sword.id).x), (None, 91.0));
    // And back into the hand.
    assert_eq!(stage.says(&sword.held_by(&knight, HAND)), Disposition::Applied);
    assert_eq!(stage.drawn(sword.id), stage.drawn(knight.id));
    // Out of the hand into a pack: nowhere.
    assert_eq!(stage.says(&sword.pickup()), Disposition::Applied);
    assert_eq!((stage.drawn(sword.id), stage.body(sword.id).held_by), (None, None));
    let events = stage.events_of(sword.id);
    let attached = Happening::Attached { holder: knight.id, location: HAND };
    assert_eq!(
        events,
        [
            Happening::Appeared,
            attached,
            Happening::Detached,
            Happening::Snapped { reason: PlaceReason::EntersWorld, metres: 0.0 },
            Happening::LeftWorld,
            attached,
            Happening::Detached
        ]
    );
}

#[test]
fn stale_attachments_are_ignored_and_early_ones_wait() {
    let (mut stage, knight, mut sword) = armed(Config::RETAIL);
    let attach = sword.held_by(&knight, HAND);
    let _ = stage.says(&sword.position(91.0, 90.0));
    assert_eq!(stage.says(&attach), Disposition::Ignored(IgnoreReason::StalePosition));
    // An unknown holder, then an unknown item.
    let ghost = Actor::new(0x5000_0009);
    assert_eq!(stage.says(&sword.held_by(&ghost, 2)), Disposition::Parked(ParkReason::UnknownHolder));
    let mut shield = Actor::new(0x8000_0009);
    assert_eq!(stage.says(&shield.held_by(&knight, 3)), Disposition::Parked(ParkReason::UnknownEntity));
    let _ = stage.says(&ghost.created(80.0, 80.0));
    assert_eq!(stage.body(sword.id).held_by.unwrap().holder, ghost.id);
    let _ = stage.says(&Actor::new(0x8000_0009).created(80.0, 80.0));
    assert_eq!(stage.body(shield.id).held_by.unwrap().location, 3);
}

#[test]
fn a_thing_described_as_held_waits_for_its_holder() {
    let mut stage = Stage::new(Config::RETAIL);
    let (knight, mut sword) = (Actor::new(0x5000_0001), Actor::new(0x8000_0001));
    let waits = Disposition::Parked(ParkReason::UnknownHolder);
    assert_eq!(stage.says(&sword.created_held(knight.id, HAND)), waits);
    // What is said about the thing meanwhile waits for the thing, which waits for the holder.
    assert_eq!(stage.says(&sword.runs(2.0)), Disposition::Parked(ParkReason::UnknownEntity));
    let created = stage.says(&knight.created(90.0, 90.0));
    assert_eq!(created, Disposition::Created { how: CreateHow::New });
    assert_eq!((stage.world.len(), stage.world.parked()), (2, 0));
    assert_eq!(stage.drawn(sword.id), stage.drawn(knight.id));
    assert_eq!(stage.world.animation(sword.id).unwrap().gait.run_rate, 2.0);
}

#[test]
fn when_the_holder_goes_what_it_held_is_nowhere_and_forgotten_in_time() {
    let (mut stage, knight, sword) = armed(Config::RETAIL);
    let _ = stage.says(&knight.delete());
    assert_eq!((stage.world.len(), stage.drawn(sword.id)), (1, None));
    stage.drive(PARKING_SECS + 0.1);
    assert_eq!(stage.world.len(), 0);
}

#[test]
fn s11_nothing_holds_itself() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut actors: Vec<_> = (1..=20).map(Actor::new).collect();
    for actor in &actors {
        let _ = stage.says(&actor.created(90.0, 90.0));
    }
    let refused = Disposition::Refused(RefuseReason::HoldsItself);
    let mut own = actors[0];
    let holder = own;
    assert_eq!(stage.says(&own.held_by(&holder, HAND)), refused);
    assert_eq!(stage.says(&own.created_held(own.id, HAND)), refused);
    // A chain, as long as there may be; then a circle.
    let mut deepest = 0;
    for index in 1..actors.len() {
        let holder = actors[index - 1];
        match stage.says(&actors[index].held_by(&holder, HAND)) {
            Disposition::Applied => deepest = index,
            other => {
                assert_eq!(other, Disposition::Refused(RefuseReason::HeldTooDeep));
                break;
            }
        }
    }
    assert_eq!(deepest, MAX_HOLDING_DEPTH);
    let last = actors[3];
    assert_eq!(stage.says(&actors[0].held_by(&last, HAND)), refused);
    // All of them are drawn where the first one is.
    for actor in &actors[..=deepest] {
        assert_eq!(stage.drawn(actor.id), Some(Vec3::new(90.0, 90.0, 10.0)));
    }
    assert_eq!(stage.world.stats().refused_holds, 4);
}
