//! Short steps, short ways of positions, and rest save time. A world without them ends with the same
//! bits.

use evenstride::{
    Config, FlatGround, MotionWorld, OpenField,
    explain::Happening,
    probe::{self, Journal},
    surroundings::Surroundings,
    types::{
        EntityId, SimTime,
        update::{MoveToParams, MovementKind, ServerEntity, Update},
    },
};
use evenstride_swarm::draw::Draw;
use evenstride_testkit::at;
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

/// What happens to both worlds in a frame.
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
        1 => (who(), -9.0f32..9.0, -9.0f32..9.0).prop_map(|(who, x, y)| Op::MoveTo(who, x, y)),
        1 => (0.0f32..190.0, 0.0f32..190.0).prop_map(|(x, y)| Op::Viewpoint(x, y)),
        1 => Just(Op::NoViewpoint),
    ]
}

/// Two worlds, the second of which takes general steps only. Its entities are traced, so that no position
/// takes the short way.
struct Pair<'a, S> {
    worlds: [MotionWorld; 2],
    entities: Vec<(ServerEntity, [f32; 2])>,
    surroundings: &'a S,
    now: f64,
}

impl<S: Surroundings> Pair<'_, S> {
    fn time(&self) -> SimTime {
        SimTime::from_secs(self.now).unwrap()
    }

    fn advance(&mut self, secs: f64) {
        self.now += secs;
        let (now, [short, general]) = (self.time(), &mut self.worlds);
        let _ = short.advance(now, self.surroundings);
        let _ = probe::advance(general, now, self.surroundings, &mut General);
    }

    fn handle(&mut self, update: &Update) {
        let now = self.time();
        let [one, other] = self.worlds.each_mut().map(|world| world.handle(now, update, self.surroundings));
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
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

fn compare(config: Config, surroundings: &impl Surroundings, ops: &[(u8, Op)], fps: f64) -> TestCaseResult {
    let mut worlds = [0, 1].map(|_| {
        let mut world = MotionWorld::new(config, SimTime::ZERO);
        world.set_viewpoint(Some(at(96.0, 96.0)));
        world
    });
    worlds[1].trace_all();
    let entities =
        (0..6u32).map(|n| (ServerEntity::new(EntityId::new(0x8000_0001 + n)), [96.0; 2])).collect();
    let mut pair = Pair { worlds, entities, surroundings, now: 0.0 };
    for (who, x, y) in [(0, 90.0, 90.0), (1, 120.0, 80.0), (2, 60.0, 150.0), (3, 100.0, 100.0)] {
        pair.apply(&Op::Create(who, x, y));
    }
    for (frames, op) in ops {
        pair.apply(op);
        for _ in 0..*frames {
            pair.advance(1.0 / fps);
        }
        let [short, general] = &pair.worlds;
        prop_assert_eq!(short.state_hash(), general.state_hash(), "{:?} at {} s", op, pair.now);
        for (entity, _) in &pair.entities {
            let now = pair.time();
            prop_assert_eq!(short.drawn(entity.id, now), general.drawn(entity.id, now));
            let views = [short, general].map(|world| format!("{:?}", world.body(entity.id)));
            prop_assert_eq!(&views[0], &views[1]);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn short_steps_and_rest_lead_to_the_same_bits_as_general_steps(
        ops in prop::collection::vec((0u8..40, op()), 1..40),
        profile in 0usize..4,
        is_flat in any::<bool>(),
        fps in prop::sample::select(vec![15.0, 30.0, 60.0]),
    ) {
        let config = [Config::RETAIL, Config::ACDREAM, Config::SMOOTH, Config::SPECTATOR][profile];
        if is_flat {
            compare(config, &FlatGround { z: 10.0 }, &ops, fps)?;
        } else {
            compare(config, &OpenField, &ops, fps)?;
        }
    }
}
