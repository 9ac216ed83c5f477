//! Sync tests of honest hosts, and of hosts that hide something.

use std::{cell::Cell, num::NonZeroU32};

use evenstride::{
    BodySetup, Config, Difference, Disposition, FlatGround, MotionWorld, Surroundings, SyncTest,
    generic::{PlainConfig, PlainPose, PlainUpdate, PlainWorld},
    player::{Ahead, Input, Skills},
    surroundings::{Contact, Placed, Placing, Sweep, Swept},
    types::{
        EntityId, SimTime, Stamp, StampKind, Vec3,
        update::{MoveToParams, MovementUpdate, PhysicsState, StateUpdate, TeleportUpdate, Update},
    },
};
use evenstride_testkit::{Actor, at, with_careless_host};

const GROUND: FlatGround = FlatGround { z: 10.0 };

fn every(frames: u32) -> NonZeroU32 {
    NonZeroU32::new(frames).unwrap()
}

fn time(frame: u32) -> SimTime {
    SimTime::from_secs(f64::from(frame) / 60.0).unwrap()
}

fn world(config: Config) -> MotionWorld {
    let mut world = MotionWorld::new(config, SimTime::ZERO);
    world.set_viewpoint(Some(at(96.0, 96.0)));
    world
}

/// Returns the messages of one second. Every kind of message comes up within five seconds.
fn messages(second: u32, actors: &mut [Actor]) -> Vec<Update> {
    let (target, holder) = (actors[5].id, actors[1]);
    match second {
        0 => {
            let mut messages = vec![Update::LocalPlayer(actors[0].id)];
            messages.extend((80u8..).zip(&*actors).map(|(x, actor)| actor.created(f32::from(x), 90.0)));
            messages
        }
        1 => vec![
            actors[1].runs(1.5),
            actors[1].position(84.0, 92.0),
            actors[2].velocity(Vec3::new(1.0, 2.0, 5.0)),
            actors[3].follows(target),
            actors[4].sent_to(target, MoveToParams::default()),
            actors[5].runs(1.0),
            actors[6].sent_to_place(99.0, 120.0, MoveToParams::default()),
            Actor::new(99).runs(2.0),
        ],
        2 => vec![
            actors[7].held_by(&holder, 1),
            actors[8].pickup(),
            actors[9].delete(),
            actors[0].forced(81.0, 91.0),
            actors[1].position(88.0, 96.0),
            Update::Teleport(TeleportUpdate { teleport: Stamp::new(7) }),
        ],
        3 => vec![
            Actor::new(99).created(95.0, 95.0),
            actors[5].teleport(60.0, 60.0),
            actors[4].told_to_face(90.0),
            actors[1].created(89.0, 97.0),
        ],
        4 => {
            let (Update::Position(position), Update::Movement(MovementUpdate { movement, .. })) =
                (actors[2].position(85.0, 95.0), actors[2].runs(1.2))
            else {
                panic!("the actor makes other messages");
            };
            let stamps = &mut actors[3].stamps;
            let state = StateUpdate {
                entity: EntityId::new(4),
                state: PhysicsState::GRAVITY,
                instance: stamps.seen(StampKind::Instance),
                stamp: stamps.seen(StampKind::State).next(),
            };
            let instance = actors[6].stamps.seen(StampKind::Instance).next();
            actors[6].stamps.set(StampKind::Instance, instance);
            let Update::Create(recreated) = actors[6].created(82.0, 90.0) else {
                panic!("the actor makes other messages");
            };
            vec![
                Update::PositionAndMovement { position, movement },
                Update::State(state),
                Update::Recreate(recreated),
            ]
        }
        _ => actors[1..7].iter_mut().map(|actor| actor.position(80.0 + second as f32, 93.0)).collect(),
    }
}

#[test]
fn an_honest_session_passes_in_every_profile() {
    for (name, config) in Config::PROFILES {
        let mut hashes = Vec::new();
        for frames in [1, 7, 1_000_000] {
            let mut sync = SyncTest::new(world(config), every(frames));
            let mut actors: Vec<_> = (1..=10).map(Actor::new).collect();
            sync.apply(|world| world.trace(EntityId::new(4)));
            let (mut events, mut actions, mut reasons) = (0, 0, 0);
            let mut kinds = Vec::new();
            for frame in 1..=480 {
                sync.frame(time(frame), &GROUND).unwrap_or_else(|desync| panic!("{name}: {desync}"));
                if frame % 60 == 1 {
                    for message in messages(frame / 60, &mut actors) {
                        let answer = sync.apply(|world| world.handle(time(frame), &message, &GROUND));
                        assert!(frame / 60 != 4 || answer.is_accepted(), "{name}: {answer:?}");
                        let kind = std::mem::discriminant(&message);
                        if !kinds.contains(&kind) {
                            kinds.push(kind);
                        }
                    }
                }
                if frame == 100 {
                    let running = Input { ahead: Some(Ahead::Forward), run: true, ..Input::default() };
                    sync.apply(|world| world.set_skills(Skills { run: 100, jump: 100, load: 0.2 })).unwrap();
                    sync.apply(|world| world.set_input(time(frame), running, &GROUND)).unwrap();
                }
                if frame == 200 {
                    sync.apply(|world| world.charge_jump(time(frame), &GROUND)).unwrap();
                }
                if frame == 220 {
                    sync.apply(|world| world.jump(time(frame), &GROUND)).unwrap();
                }
                // Not in every frame, so that some restores have unpolled events.
                if frame % 10 == 0 {
                    events += std::iter::from_fn(|| sync.apply(|world| world.poll_event())).count();
                    actions += std::iter::from_fn(|| sync.apply(|world| world.poll_action())).count();
                    reasons += std::iter::from_fn(|| sync.apply(|world| world.poll_decision())).count();
                    sync.apply(|world| world.forget_changed());
                }
            }
            assert_eq!((sync.frames(), sync.restores()), (480, 1 + u64::from(480 / frames)), "{name}");
            assert_eq!(kinds.len(), 12, "every kind of message");
            assert!(events > 10 && actions > 3 && reasons > 3, "{name}: {events}, {actions}, {reasons}");
            hashes.push((sync.world().state_hash(), sync.world().drawing_hash()));
            assert_eq!(sync.into_world().len(), 10, "{name}");
        }
        assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "{name}: the test changed the world");
    }
}

/// Ground that is blocked in one of the calls, which no argument tells.
struct Counting {
    calls: Cell<u32>,
    blocked_at: u32,
}

impl Surroundings for Counting {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        self.calls.set(self.calls.get() + 1);
        let is_blocked = self.calls.get() == self.blocked_at;
        match GROUND.sweep(sweep) {
            Swept::Moved { .. } if is_blocked => Swept::Blocked,
            swept => swept,
        }
    }

    fn place(&self, placing: &Placing) -> Placed {
        match placing.at.settled() {
            Ok(at) => Placed::At { at, contact: Contact::On(Vec3::Z) },
            Err(_) => Placed::Refused,
        }
    }
}

/// Returns a sync test with one walker, after `frames` frames.
fn walking(config: Config, frames: u32) -> SyncTest {
    let mut sync = SyncTest::new(world(config), every(4));
    let mut walker = Actor::new(7);
    let messages = [walker.created(90.0, 90.0), walker.runs(1.0)];
    for message in messages {
        let _ = sync.apply(|world| world.handle(SimTime::ZERO, &message, &GROUND));
    }
    for frame in 1..=frames {
        assert_eq!(sync.frame(time(frame), &GROUND).err(), None);
    }
    sync
}

#[test]
fn surroundings_with_hidden_state_are_found_in_the_frame_in_which_it_matters() {
    let mut sync = walking(Config::RETAIL, 20);
    // The first step of the world is free, and that of the twin is not.
    let ground = Counting { calls: Cell::new(0), blocked_at: 2 };
    let found = (21..40).find_map(|frame| sync.frame(time(frame), &ground).err()).unwrap();
    assert_eq!(ground.calls.get(), 2, "in the first frame with a step");
    assert_eq!(found.frame, sync.frames());
    assert_eq!(found.restored_after, 20);
    assert_eq!(found.what, Difference::State { entity: Some(7) });
    assert!(
        found.to_string().starts_with(
            "frame 21, restored after frame 20: the state differs, first of entity 0x00000007. Surroundings"
        ),
        "{found}"
    );
    // The state has passed, and the test goes on with a new twin.
    let after = sync.frames() as u32 + 1;
    assert!((after..after + 20).all(|frame| sync.frame(time(frame), &ground).is_ok()));
}

#[test]
fn a_call_that_does_something_else_in_the_twin_is_found() {
    let found = |config, change: &dyn Fn(&mut MotionWorld)| {
        let mut sync = walking(config, 21);
        let is_first = Cell::new(true);
        sync.apply(|world| {
            if is_first.replace(false) {
                change(world);
            }
        });
        let found = sync.frame(time(22), &GROUND).unwrap_err();
        assert_eq!((found.frame, found.restored_after), (22, 20));
        found.what
    };
    let walker = EntityId::new(7);
    let removed = found(Config::RETAIL, &|world| _ = world.remove(walker));
    assert_eq!(removed, Difference::State { entity: Some(7) });
    let inserted = found(Config::RETAIL, &|world| {
        world.insert(time(21), EntityId::new(8), &BodySetup::at(at(80.0, 80.0))).unwrap();
    });
    assert_eq!(inserted, Difference::State { entity: Some(8) });
    assert_eq!(found(Config::RETAIL, &|world| world.trace(walker)), Difference::Counters);
    let polled = found(Config::RETAIL, &|world| assert!(world.poll_event().is_some()));
    assert_eq!(polled, Difference::Events);
    // Poses are not part of the state.
    let forgotten = MotionWorld::new(Config::GLIDE, SimTime::ZERO).save_drawing();
    let drawn = found(Config::GLIDE, &|world| world.restore_drawing(&forgotten).unwrap());
    assert_eq!(drawn, Difference::Drawing { entity: Some(7) });
}

#[test]
fn messages_to_be_sent_are_compared() {
    let mut sync = walking(Config::RETAIL, 0);
    sync.apply(|world| world.set_local_player(time(0), Some(EntityId::new(7))));
    let is_first = Cell::new(true);
    let found = (1..200).find_map(|frame| {
        sync.apply(|world| {
            if is_first.get() && world.poll_action().is_some() {
                is_first.set(false);
            }
        });
        sync.frame(time(frame), &GROUND).err()
    });
    assert_eq!(found.unwrap().what, Difference::Actions);
}

#[test]
fn the_first_answer_that_differs_is_quoted() {
    let mut sync = walking(Config::RETAIL, 3);
    let calls = Cell::new(0);
    let counted = |_: &mut MotionWorld| calls.replace(calls.get() + 1);
    sync.apply(|_| f32::NAN);
    assert_eq!(sync.apply(counted), 0, "the world's answer");
    assert_eq!(sync.apply(counted), 2, "the twin is gone, and the world goes on");
    assert_eq!(sync.apply(counted), 3);
    let found = sync.frame(time(4), &GROUND).unwrap_err();
    assert_eq!(found.what, Difference::Answer { call: 2, world: "0".into(), twin: "1".into() });
    assert_eq!(sync.frame(time(5), &GROUND).err(), None);
}

#[test]
fn a_panic_of_the_host_is_no_difference() {
    let mut sync = walking(Config::RETAIL, 6);
    let panics = Cell::new(true);
    let result = with_careless_host(|| {
        sync.apply(|world| {
            let _ = world.remove(EntityId::new(7));
            if panics.replace(false) {
                with_panic();
            }
        });
    });
    assert!(result.is_none());
    assert!(sync.world().is_empty());
    let restores = sync.restores();
    assert!((7..20).all(|frame| sync.frame(time(frame), &GROUND).is_ok()));
    assert!(sync.restores() > restores);
}

/// Panics as the surroundings of a careless host do.
fn with_panic() {
    let mut ground = evenstride_testkit::CarelessGround::new(GROUND);
    ground.panics_in = Some(0);
    let _ = ground.lands_by_update(&at(0.0, 0.0));
}

#[test]
fn a_plain_game_has_sync_tests_too() {
    let ship = 0xFEED_0000_0000_0001;
    for frames in [1, 7] {
        let world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
        let mut sync = SyncTest::new(world, every(frames));
        let mut events = 0;
        for frame in 1..=300 {
            assert_eq!(sync.frame(time(frame)).err(), None);
            if frame % 20 == 1 && frame < 100 {
                let pose = PlainPose::at([f64::from(frame) / 20.0, 0.0, 0.0]);
                let update = PlainUpdate::new(pose).moving([3.0, 0.0, 0.0]).numbered(u64::from(frame));
                let answer = sync.apply(|world| world.update(time(frame), ship, &update));
                assert!(answer.as_ref().is_ok_and(Disposition::is_accepted), "{answer:?}");
            }
            if frame % 10 == 0 {
                events += std::iter::from_fn(|| sync.apply(|world| world.poll_event())).count();
            }
        }
        assert!(events >= 2, "it appeared and went silent");
        let is_first = Cell::new(true);
        sync.apply(|world| {
            if is_first.replace(false) {
                assert!(world.remove(ship));
            }
        });
        let found = sync.frame_in(time(301), &GROUND).unwrap_err();
        assert_eq!(found.what, Difference::State { entity: Some(ship) });
    }
}

#[test]
fn a_body_put_back_into_the_inner_world_has_its_last_update_after_a_restore_too() {
    let update = PlainUpdate::new(PlainPose::at([1.0, 2.0, 0.0])).numbered(5);
    let inner = EntityId::new(1);
    let mut sync = SyncTest::new(PlainWorld::new(PlainConfig::default(), SimTime::ZERO), every(1));
    let _ = sync.apply(|world| world.update(time(0), 77, &update)).unwrap();
    let place = sync.world().motion().body(inner).unwrap().place.unwrap();
    assert!(sync.apply(|world| world.motion_mut().remove(inner)));
    assert_eq!(sync.check(), Ok(()));
    sync.apply(|world| world.motion_mut().insert(time(0), inner, &BodySetup::at(place))).unwrap();
    let answer = sync.apply(|world| world.update(time(0), 77, &update)).unwrap();
    assert!(!answer.is_accepted(), "the number is not newer: {answer:?}");
    assert_eq!(sync.check(), Ok(()));
}
