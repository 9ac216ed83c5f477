//! Short steps, the fast path of positions, rest and threads save time. A world without them ends with the
//! same bits.

use evenstride::{
    Config, FlatGround, MotionWorld, OpenField,
    explain::Happening,
    probe::{self, Journal},
    surroundings::Surroundings,
    types::{
        EntityId, SimTime,
        update::{MoveToParams, MovementKind, PhysicsState, ServerEntity, Update},
    },
};
use evenstride_swarm::draw::Draw;
use evenstride_testkit::{Backwards, at};
use proptest::{prelude::*, test_runner::TestCaseResult};

/// A journal whose rounds look at every body and take the general step only.
struct General;

impl Journal for General {
    fn note(&mut self, _: Happening) {}

    fn keeps_slices(&self) -> bool {
        true
    }

    fn takes_short_steps(&self) -> bool {
        false
    }
}

/// Number of bodies beside the six that operations are about. With them, a round has three blocks of 64
/// bodies and three parts.
const CROWD: u32 = 150;

/// What happens to all worlds in a frame.
#[derive(Clone, Debug)]
enum Op {
    /// Any message about one of eight entities, from a seed.
    Hear(u64),
    /// An entity appears, or appears again.
    Create(usize, f32, f32),
    /// A position of an entity, this far from where it is.
    Position(usize, f32, f32),
    Run(usize, f32),
    Stand(usize),
    /// A velocity, and whether the entity falls.
    Fly(usize, [f32; 3], bool),
    MoveTo(usize, f32, f32),
    Viewpoint(f32, f32),
    NoViewpoint,
}

fn op() -> impl Strategy<Value = Op> {
    let who = || 0usize..6;
    prop_oneof![
        2 => any::<u64>().prop_map(Op::Hear),
        2 => (who(), 10.0f32..180.0, 10.0f32..180.0).prop_map(|(who, x, y)| Op::Create(who, x, y)),
        6 => (who(), -6.0f32..6.0, -6.0f32..6.0).prop_map(|(who, x, y)| Op::Position(who, x, y)),
        3 => (who(), 0.3f32..3.0).prop_map(|(who, speed)| Op::Run(who, speed)),
        2 => who().prop_map(Op::Stand),
        3 => (who(), [-4.0f32..4.0, -4.0f32..4.0, -3.0f32..9.0], any::<bool>())
            .prop_map(|(who, velocity, falls)| Op::Fly(who, velocity, falls)),
        1 => (who(), -9.0f32..9.0, -9.0f32..9.0).prop_map(|(who, x, y)| Op::MoveTo(who, x, y)),
        1 => (0.0f32..190.0, 0.0f32..190.0).prop_map(|(x, y)| Op::Viewpoint(x, y)),
        1 => Just(Op::NoViewpoint),
    ]
}

/// Three worlds. The second takes general steps only, and its entities are traced, so that no position
/// takes the fast path. The third has several threads.
struct Triple<'a, S> {
    worlds: [MotionWorld; 3],
    entities: Vec<(ServerEntity, [f32; 2])>,
    surroundings: &'a S,
    now: f64,
}

impl<S: Surroundings + Sync> Triple<'_, S> {
    fn time(&self) -> SimTime {
        SimTime::from_secs(self.now).unwrap()
    }

    fn advance(&mut self, secs: f64) {
        self.now += secs;
        let (now, [short, general, threaded]) = (self.time(), &mut self.worlds);
        let _ = short.advance(now, self.surroundings);
        let _ = probe::advance(general, now, self.surroundings, &mut General);
        let _ = threaded.advance_with(now, self.surroundings, &Backwards);
    }

    fn handle(&mut self, update: &Update) {
        let now = self.time();
        let answers = self.worlds.each_mut().map(|world| world.handle(now, update, self.surroundings));
        let [one, other, third] = answers.map(|answer| format!("{answer:?}"));
        assert_eq!(one, other);
        assert_eq!(one, third);
    }

    fn apply(&mut self, op: &Op) {
        let update = match op {
            Op::Hear(seed) => {
                let mut draw = Draw::seeded(*seed);
                draw.set_entities(self.entities.iter().map(|(entity, _)| entity.id));
                draw.update()
            }
            Op::Create(who, x, y) => {
                let (entity, place) = &mut self.entities[*who];
                *place = [*x, *y];
                entity.create(entity.description(&at(*x, *y)))
            }
            Op::Position(who, x, y) => {
                let (entity, place) = &mut self.entities[*who];
                *place = [(place[0] + x).clamp(1.0, 190.0), (place[1] + y).clamp(1.0, 190.0)];
                entity.position(&at(place[0], place[1]))
            }
            Op::Run(who, speed) => self.entities[*who].0.runs(*speed),
            Op::Stand(who) => self.entities[*who].0.stands(),
            Op::Fly(who, velocity, falls) => {
                let entity = &mut self.entities[*who].0;
                let state = if *falls { PhysicsState::GRAVITY } else { PhysicsState::MISSILE };
                let (state, velocity) = (entity.state(state), entity.velocity(*velocity));
                self.handle(&state);
                velocity
            }
            Op::MoveTo(who, x, y) => {
                let (entity, place) = &mut self.entities[*who];
                let to = at(place[0] + x, place[1] + y);
                let (cell, origin, params) = (to.cell.raw(), to.pose.origin(), MoveToParams::default());
                entity.ordered(MovementKind::MoveToPosition { cell, origin, params, run_rate: 1.0 })
            }
            Op::Viewpoint(x, y) => {
                self.worlds.iter_mut().for_each(|world| world.set_viewpoint(Some(at(*x, *y))));
                return;
            }
            Op::NoViewpoint => {
                self.worlds.iter_mut().for_each(|world| world.set_viewpoint(None));
                return;
            }
        };
        self.handle(&update);
    }
}

fn compare(
    config: Config,
    surroundings: &(impl Surroundings + Sync),
    ops: &[(u8, Op)],
    fps: f64,
) -> TestCaseResult {
    let mut worlds = [0, 1, 2].map(|_| {
        let mut world = MotionWorld::new(config, SimTime::ZERO);
        world.set_viewpoint(Some(at(96.0, 96.0)));
        world
    });
    worlds[1].trace_all();
    let entities =
        (0..6u32).map(|n| (ServerEntity::new(EntityId::new(0x8000_0001 + n)), [96.0; 2])).collect();
    let mut triple = Triple { worlds, entities, surroundings, now: 0.0 };
    triple.apply(&Op::Create(0, 90.0, 90.0));
    for number in 0..CROWD {
        let mut entity = ServerEntity::new(EntityId::new(0x8000_1000 + number));
        let (x, y) = (20.0 + number as f32, 40.0 + 13.0 * (number % 7) as f32);
        triple.handle(&entity.create(entity.description(&at(x, y))));
        triple.advance(0.01);
        match number % 4 {
            0 => triple.handle(&entity.runs(0.2)),
            1 => triple.handle(&entity.position(&at(x, y + 9.0))),
            _ => {}
        }
    }
    for (who, x, y) in [(1, 120.0, 80.0), (2, 60.0, 150.0), (3, 100.0, 100.0)] {
        triple.apply(&Op::Create(who, x, y));
    }
    for (frames, op) in ops {
        triple.apply(op);
        for _ in 0..*frames {
            triple.advance(1.0 / fps);
        }
        let now = triple.time();
        let [short, general, threaded] = &mut triple.worlds;
        prop_assert_eq!(short.state_hash(), general.state_hash(), "{:?} at {:?}", op, now);
        prop_assert_eq!(short.state_hash(), threaded.state_hash(), "threads, {:?} at {:?}", op, now);
        prop_assert_eq!(short.drawing_hash(), threaded.drawing_hash());
        for (entity, _) in &triple.entities {
            // Rounds with a journal of their own move no poses.
            if config.drawing != Config::GLIDE.drawing {
                prop_assert_eq!(short.drawn(entity.id, now), general.drawn(entity.id, now));
            }
            let views = [&*short, general].map(|world| format!("{:?}", world.body(entity.id)));
            prop_assert_eq!(&views[0], &views[1]);
        }
        let changed = [&mut *short, general, threaded].map(|world| {
            let changed: Vec<_> = world.changed().collect();
            world.forget_changed();
            changed
        });
        if config.drawing != Config::GLIDE.drawing {
            prop_assert_eq!(&changed[0], &changed[1]);
        }
        prop_assert_eq!(&changed[0], &changed[2]);
        prop_assert_eq!(short.stats(), threaded.stats());
        loop {
            let events = [&mut *short, threaded].map(|world| world.poll_event());
            prop_assert_eq!(&events[0], &events[1]);
            if events[0].is_none() {
                break;
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn short_steps_and_rest_lead_to_the_same_bits_as_general_steps(
        ops in prop::collection::vec((0u8..40, op()), 1..40),
        profile in 0usize..5,
        is_flat in any::<bool>(),
        fps in prop::sample::select(vec![15.0, 30.0, 60.0]),
    ) {
        let config = [Config::RETAIL, Config::ACDREAM, Config::SMOOTH, Config::SPECTATOR, Config::GLIDE][profile];
        if is_flat {
            compare(config, &FlatGround { z: 10.0 }, &ops, fps)?;
        } else {
            compare(config, &OpenField, &ops, fps)?;
        }
    }
}
