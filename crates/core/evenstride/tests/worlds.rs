//! Promises of whole worlds about time: frames, sleep and short ways through the code.
//!
//! Promises that hold at any moment are those of the swarm (`evenstride_swarm`).

use evenstride::{
    BodySetup, Config, FlatGround, MotionWorld,
    types::{
        EntityId, SimTime, Vec3,
        update::{CommandIndex, InterpretedState, MoveToParams, ServerEntity, Update},
    },
};
use evenstride_swarm::draw::Draw;
use evenstride_testkit::{Actor, at};
use proptest::prelude::*;

const GROUND: FlatGround = FlatGround { z: 10.0 };

/// What a host may do to a world at a time that it names.
#[derive(Clone, Debug)]
enum Op {
    Hear(Box<Update>),
    Suspend(EntityId),
    Resume(EntityId),
    Place(EntityId, f32, f32),
    Insert(EntityId, f32, f32),
}

/// A message drawn by the swarm.
fn update() -> impl Strategy<Value = Update> {
    any::<u64>().prop_map(|seed| Draw::seeded(seed).update())
}

fn timed_op() -> impl Strategy<Value = Op> {
    let entity = || (1u32..9).prop_map(EntityId::new);
    prop_oneof![
        12 => update().prop_map(|update| Op::Hear(Box::new(update))),
        1 => entity().prop_map(Op::Suspend),
        1 => entity().prop_map(Op::Resume),
        1 => (entity(), 0.0f32..190.0, 0.0f32..190.0).prop_map(|(entity, x, y)| Op::Place(entity, x, y)),
        1 => (entity(), 0.0f32..190.0, 0.0f32..190.0).prop_map(|(entity, x, y)| Op::Insert(entity, x, y)),
    ]
}

struct Play {
    world: MotionWorld,
    now: f64,
}

impl Play {
    fn new(config: Config) -> Self {
        let mut world = MotionWorld::new(config, SimTime::ZERO);
        world.set_viewpoint(Some(at(96.0, 96.0)));
        world.trace(EntityId::new(3));
        Self { world, now: 0.0 }
    }

    fn time(&self) -> SimTime {
        SimTime::from_secs(self.now).unwrap()
    }

    fn apply(&mut self, op: &Op) {
        let now = self.time();
        match op {
            Op::Hear(update) => _ = self.world.handle(now, update, &GROUND),
            Op::Suspend(entity) => _ = self.world.suspend(now, *entity, &GROUND),
            Op::Resume(entity) => _ = self.world.resume(now, *entity, &GROUND),
            Op::Place(entity, x, y) => _ = self.world.set_place(now, *entity, at(*x, *y), &GROUND),
            Op::Insert(entity, x, y) => {
                // Ticks before it need surroundings, which `insert` does not have.
                let _ = self.world.advance(now, &GROUND);
                _ = self.world.insert(now, *entity, &BodySetup::at(at(*x, *y)));
                // Messages that waited for it need surroundings.
                let _ = self.world.advance(now, &GROUND);
            }
        }
    }
}

proptest! {
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
                play.apply(op);
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

    /// A batch is the same as its messages one by one.
    #[test]
    fn messages_in_batches_have_the_same_effect_as_single_ones(
        batches in prop::collection::vec((0.0f64..0.4, prop::collection::vec(update(), 0..50)), 1..8),
        is_smooth in any::<bool>(),
    ) {
        let config = if is_smooth { Config::SMOOTH } else { Config::RETAIL };
        let (mut single, mut batched) = (Play::new(config), Play::new(config));
        for (secs, updates) in &batches {
            for play in [&mut single, &mut batched] {
                play.now += secs;
                let _ = play.world.advance(play.time(), &GROUND);
            }
            let now = single.time();
            let one_by_one: Vec<_> =
                updates.iter().map(|update| single.world.handle(now, update, &GROUND)).collect();
            let mut at_once = Vec::new();
            batched.world.handle_all(now, updates, &GROUND, |_, disposition| at_once.push(disposition));
            // As text, because a refusal may name NaN, which equals nothing.
            prop_assert_eq!(format!("{one_by_one:?}"), format!("{at_once:?}"));
            prop_assert_eq!(single.world.save(), batched.world.save());
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
