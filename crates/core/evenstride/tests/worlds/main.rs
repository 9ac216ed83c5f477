//! Promises of whole worlds over random input: every message, every kind of rubbish, saved and restored in between.

mod inputs;
mod messages;
mod play;

use evenstride::{
    Config, MotionWorld, SyncTest,
    types::{
        EntityId, Rotation, SimTime, Vec3,
        update::{CommandIndex, InterpretedState, MoveToParams, ServerEntity},
    },
};
use evenstride_testkit::{Actor, at};
use proptest::prelude::*;
use std::{num::NonZeroU32, sync::Arc};

use crate::inputs::{any_config, careless_op, config, op, timed_op};
use crate::messages::update;
use crate::play::{GROUND, Play, careful};

proptest! {
    /// Whatever happens, every pose is finite, every limit holds, and the parts of the world fit together: restoring checks that.
    #[test]
    fn any_input_leaves_a_world_whose_own_save_is_accepted(
        config in any_config(),
        ops in prop::collection::vec(careless_op(), 1..80),
    ) {
        let mut play = Play::new(config);
        for op in &ops {
            let _ = play.try_apply(op);
            let world = &play.world;
            for entity in world.entities() {
                let view = world.body(entity).unwrap();
                prop_assert!(view.velocity.is_finite(), "{op:?}");
                for place in [view.place, world.drawn(entity, play.time())].into_iter().flatten() {
                    prop_assert!(place.pose.is_in_bounds(), "{op:?}: {place:?}");
                    prop_assert!(Rotation::new(place.pose.rotation().to_wxyz()).is_ok(), "{op:?}: {place:?}");
                }
            }
            prop_assert!(world.len() <= config.limits.bodies as usize);
            prop_assert!(world.parked() <= config.limits.parked as usize);
            let restored = MotionWorld::restore_with(&world.save(), Arc::clone(world.library()));
            prop_assert!(restored.is_ok(), "{op:?}: {:?}", restored.err());
            let mut restored = restored.unwrap();
            prop_assert_eq!(restored.state_hash(), world.state_hash(), "{:?}", op);
            let drawn = restored.restore_drawing(&world.save_drawing());
            prop_assert!(drawn.is_ok(), "{op:?}: {:?}", drawn.err());
            prop_assert_eq!(restored.drawing_hash(), world.drawing_hash(), "{:?}", op);
        }
    }

    #[test]
    fn saved_restored_and_continued_is_continued(
        config in any_config(),
        before in prop::collection::vec(careless_op(), 1..40),
        after in prop::collection::vec(careless_op(), 1..40),
    ) {
        let mut play = Play::new(config);
        before.iter().for_each(|op| _ = play.try_apply(op));
        // Events that were not polled are not saved.
        while play.world.poll_event().is_some() {}
        let mut copy = Play { world: MotionWorld::restore_with(&play.world.save(), Arc::clone(play.world.library())).unwrap(), now: play.now, ground: play.ground.clone() };
        copy.world.restore_drawing(&play.world.save_drawing()).unwrap();
        prop_assert_eq!(copy.world.state_hash(), play.world.state_hash());
        for op in &after {
            // As text: a refusal quotes numbers that may be NaN.
            prop_assert_eq!(format!("{:?}", play.try_apply(op)), format!("{:?}", copy.try_apply(op)));
            prop_assert_eq!(play.world.state_hash(), copy.world.state_hash(), "{:?}", op);
        }
        prop_assert_eq!(play.world.save(), copy.world.save());
    }

    /// A host that obeys the rules passes every sync test, whatever it is sent.
    #[test]
    fn sync_tests_of_any_careful_session_find_nothing(
        config in any_config(),
        every in 1u32..8,
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let play = Play::new(config);
        let (mut now, spare) = (play.now, MotionWorld::new(config, SimTime::ZERO));
        let mut sync = SyncTest::new(play.world, NonZeroU32::new(every).unwrap());
        for op in &ops {
            let answer = sync.apply(|world| {
                let taken = std::mem::replace(world, spare.clone());
                let mut play = Play { world: taken, now, ground: careful() };
                let answer = play.apply(op);
                *world = play.world;
                (answer, play.now)
            });
            now = answer.1;
            prop_assert_eq!(sync.check(), Ok(()), "{:?}", op);
        }
    }

    /// A file damaged on purpose is refused, or is a world like any other.
    #[test]
    fn damaged_saves_break_nothing(
        config in config(),
        before in prop::collection::vec(op(), 1..60),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in prop::option::weighted(0.1, any::<prop::sample::Index>()),
        after in prop::collection::vec(op(), 1..20),
    ) {
        let mut play = Play::new(config);
        before.iter().for_each(|op| _ = play.apply(op));
        let mut bytes = play.world.save();
        for (place, value) in &damage {
            let place = 20 + place.index(bytes.len() - 20);
            bytes[place] = *value;
        }
        if let Some(cut) = cut {
            bytes.truncate(20 + cut.index(bytes.len() - 20));
        }
        evenstride::reseal(&mut bytes);
        let Ok(world) = MotionWorld::restore(&bytes) else { return Ok(()) };
        let mut play = Play { now: world.now().as_secs(), world, ground: careful() };
        for op in &after {
            let _ = play.apply(op);
            for entity in play.world.entities() {
                let place = play.world.drawn(entity, play.time());
                prop_assert!(place.is_none_or(|place| place.pose.origin().is_finite()), "{op:?}");
            }
        }
    }

    #[test]
    fn running_twice_gives_the_same_answers_and_the_same_bits(
        config in config(),
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let run = || {
            let mut play = Play::new(config);
            let answers: Vec<_> = ops.iter().map(|op| format!("{:?}", play.apply(op))).collect();
            let events: Vec<_> = std::iter::from_fn(|| play.world.poll_event()).map(|event| format!("{event:?}")).collect();
            let why: Vec<_> = play.world.explain(EntityId::new(3)).map(|why| why.to_string()).collect();
            (answers, events, why, play.world.state_hash(), play.world.drawing_hash())
        };
        prop_assert_eq!(run(), run());
    }

    /// A host that sleeps until something is due misses nothing: messages, deadlines, events, bits.
    #[test]
    fn a_host_that_sleeps_until_something_is_due_gets_the_same_bits(
        ops in prop::collection::vec((prop_oneof![3 => 0.0f64..1.0, 1 => 0.0f64..40.0], timed_op()), 1..30),
    ) {
        let run = |sleeps: bool| {
            let mut play = Play::new(Config::SMOOTH);
            let mut advances = 0;
            for (secs, op) in &ops {
                let until = play.now + secs;
                loop {
                    let next = match play.world.next_due().filter(|_| sleeps) {
                        _ if !sleeps => play.now + 1.0 / 30.0,
                        Some(due) => due.as_secs(),
                        None => break,
                    };
                    if next >= until {
                        break;
                    }
                    play.now = next;
                    let _ = play.world.advance(play.time(), &GROUND);
                    advances += 1;
                    assert!(advances < 100_000, "it is due for ever");
                }
                play.now = until;
                let _ = play.apply(op);
            }
            let _ = play.world.advance(play.time(), &GROUND);
            let events: Vec<_> = std::iter::from_fn(|| play.world.poll_event()).map(|event| format!("{event:?}")).collect();
            let actions: Vec<_> = std::iter::from_fn(|| play.world.poll_action()).map(|action| format!("{action:?}")).collect();
            (events, actions, play.world.state_hash())
        };
        prop_assert_eq!(run(true), run(false));
    }

    /// A frame of a body that walks straight on has a shorter way through the code. A restored drawing
    /// always takes the long one, and both give the same bits.
    #[test]
    fn a_drawing_that_is_restored_before_every_frame_is_the_same(
        walks in prop::collection::vec((0u8..8, 0.5f32..3.0, -2.0f32..2.0, 1u16..80), 1..12),
        fps in prop::sample::select(vec![24.0, 30.0, 60.0, 144.0]),
        grade in -0.3f32..0.3,
    ) {
        let mut worlds = [MotionWorld::new(Config::GLIDE, SimTime::ZERO), MotionWorld::new(Config::GLIDE, SimTime::ZERO)];
        let (mut walker, mut now, mut y) = (Actor::new(0x5000_0001), 0.0, 60.0f32);
        let open = evenstride::OpenField;
        let created = walker.created(90.0, y);
        for world in &mut worlds {
                let _ = world.handle(SimTime::ZERO, &created, &open);
            }
        for (what, speed, off, frames) in walks {
            let axis = |index: u16| Some(CommandIndex(index));
            let state = |forward: u16, turn: Option<CommandIndex>| InterpretedState {
                forward: axis(forward), forward_speed: Some(speed), turn, ..InterpretedState::default()
            };
            let update = match what {
                0 => walker.moves(state(3, None), 1),
                1 | 2 => walker.moves(state(7, None), 1),
                3 => walker.moves(state(5, axis(13)), 1),
                4 => walker.sent_to_place(90.0, y + 20.0, MoveToParams::default()),
                _ => {
                    let mut place = at(90.0 + off, y);
                    place.pose = place.pose.with_origin(place.pose.origin() + Vec3::Z * (grade * (y - 60.0))).unwrap();
                    ServerEntity::position(&mut walker, &place)
                }
            };
            let time = SimTime::from_secs(now).unwrap();
            for world in &mut worlds {
                let _ = world.handle(time, &update, &open);
            }
            for _ in 0..frames {
                now += 1.0 / fps;
                y += 4.0 * speed / fps as f32;
                let time = SimTime::from_secs(now).unwrap();
                let drawing = worlds[1].save_drawing();
                worlds[1].restore_drawing(&drawing).unwrap();
                for world in &mut worlds {
                    let _ = world.advance(time, &open);
                }
                prop_assert_eq!(worlds[0].drawing_hash(), worlds[1].drawing_hash());
            }
        }
    }

    /// However a host cuts time into frames, the fixed gate gives the same ticks, messages and expiries.
    #[test]
    fn chunks_of_time_do_not_matter_to_the_fixed_gate(
        updates in prop::collection::vec((0.0f64..2.0, update()), 1..40),
        cuts in prop::collection::vec(0.001f64..0.9, 1..30),
    ) {
        let run = |cuts: &[f64]| {
            let mut play = Play::new(Config::SMOOTH);
            let mut cut = cuts.iter().cycle();
            for (secs, update) in &updates {
                let due = play.now + secs;
                if let Some(first) = cut.next() {
                    let mut next = play.now + first;
                    while next < due {
                        play.now = next;
                        let _ = play.world.advance(play.time(), &GROUND);
                        next += cut.next().unwrap_or(&1.0);
                    }
                }
                play.now = due;
                let _ = play.world.handle(play.time(), update, &GROUND);
            }
            let actions: Vec<_> = std::iter::from_fn(|| play.world.poll_action()).collect();
            (play.world.state_hash(), actions)
        };
        let (whole, whole_actions) = run(&[]);
        let (cut, cut_actions) = run(&cuts);
        prop_assert_eq!(whole, cut);
        prop_assert_eq!(format!("{whole_actions:?}"), format!("{cut_actions:?}"));
    }
}
