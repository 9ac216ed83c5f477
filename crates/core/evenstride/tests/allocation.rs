//! Nothing is allocated in a step or for a received position once the world is warm.
//!
//! A test binary of its own: the counting allocator counts everything in the process, so only one test may run in it.

#[path = "../benches/scene/mod.rs"]
mod scene;

use std::alloc::System;

use scene::{Kind, Scene};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[test]
fn a_warm_world_allocates_nothing() {
    looks_allocate_nothing();
    parking_allocates_nothing();
    // A restored world is a new one; everything else lives in memory it has.
    for kind in Kind::ALL.iter().copied().filter(|kind| *kind != Kind::Restored) {
        let mut scene = Scene::new(kind, 1_000);
        // Routes fill to their twenty waypoints, and lists grow to their working size.
        let rounds = if matches!(
            kind,
            Kind::Saved
                | Kind::Drawn
                | Kind::Blended
                | Kind::Changed
                | Kind::Animated
                | Kind::Plain
                | Kind::Glided
        ) {
            10
        } else {
            1_400
        };
        for _ in 0..rounds {
            scene.round();
        }
        let region = Region::new(ALLOCATOR);
        for _ in 0..150 {
            scene.round();
        }
        let change = region.change();
        assert_eq!((change.allocations, change.reallocations), (0, 0), "{}: {change:?}", kind.name());
    }
}

/// Every look that hosts take each frame, in both worlds. Called by the one test of this program.
fn looks_allocate_nothing() {
    use evenstride::{
        Drawn,
        generic::{PlainConfig, PlainDrawn, PlainPose, PlainUpdate, PlainWorld},
        types::SimTime,
    };
    let mut scene = Scene::new(Kind::Striding, 100);
    scene.step();
    let mut plain = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
    for entity in 0..100u64 {
        let pose = PlainPose::at([entity as f64, 0.0, 0.0]);
        let _ = plain.update(SimTime::ZERO, entity << 33, &PlainUpdate::new(pose)).unwrap();
    }
    let (mut drawn, mut plain_drawn) = (vec![Drawn::EMPTY; 100], vec![PlainDrawn::EMPTY; 100]);
    let (now, world) = (scene.world.now(), &mut scene.world);
    let key = plain.key(7 << 33).unwrap();
    let region = Region::new(ALLOCATOR);
    let mut count = 0;
    world.drawn_each(now, |_| count += 1);
    world.tracked_each(now, |_| count += 1);
    count += world.changed_into(now, &mut drawn) + world.drawn_into(now, &mut drawn);
    count += world.changed().count() + world.entities().count();
    world.forget_changed();
    count += usize::from(world.next_due().is_some());
    plain.drawn_each(now, |_| count += 1);
    count += plain.drawn_into(now, &mut plain_drawn) + plain.changed_into(now, &mut plain_drawn);
    count += plain.changed().count() + plain.entities().count();
    plain.forget_changed();
    while plain.poll_event().is_some() {
        count += 1;
    }
    assert!(plain.entity(key) == Some(7 << 33) && plain.next_due().is_some());
    let change = region.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{change:?}");
    assert_eq!(count, 12 * 100 + 1);
}

/// Parked updates of every shape, which are replayed, displaced or dropped in time. Called by the one
/// test of this program.
fn parking_allocates_nothing() {
    use evenstride::{
        Config, MotionWorld, OpenField,
        config::Limits,
        types::{
            EntityId, SimTime,
            update::{
                ActionItem, Attachment, CommandIndex, DescribedMovement, InterpretedState, MovementBody,
                MovementKind, PhysicsDescription, Update,
            },
        },
    };
    use evenstride_testkit::{Actor, at};

    let item = ActionItem { command: CommandIndex(0x57), stamp: 1, autonomous: false, speed: 1.0 };
    let acting = |count| {
        let state = InterpretedState { actions: vec![item; count], ..InterpretedState::default() };
        MovementKind::Interpreted { state, stick_to: None }
    };
    // Of each entity: two movements with actions, one of an unknown type, one with a position, and a
    // description whose holder is unknown, as long as the number of the round demands.
    let messages = |round: u32| -> Vec<Update> {
        let mut messages = Vec::new();
        for id in 1..=20 {
            let (mut mover, thing) = (Actor::new(id), Actor::new(100 + id));
            let length = 1 + (round + id) as usize % 7;
            messages.push(mover.ordered(acting(length)));
            messages.push(mover.ordered(acting(20)));
            messages.push(mover.ordered(MovementKind::Other { number: 3, bytes: vec![1; length * 9] }));
            if let (Update::Position(position), Update::Movement(movement)) =
                (mover.position(90.0, 90.0), mover.ordered(acting(3)))
            {
                messages.push(Update::PositionAndMovement { position, movement: movement.movement });
            }
            let child = Attachment { entity: EntityId::new(900), location: 1 };
            let body = MovementBody::new(acting(length));
            messages.push(thing.create(PhysicsDescription {
                parent: Some(Attachment { entity: mover.id, location: 1 }),
                children: Some(vec![child; length]),
                movement: Some(DescribedMovement::Doing { body, autonomous: 0 }),
                ..thing.description(None)
            }));
        }
        messages
    };
    let created: Vec<_> =
        (1..=20).map(|id| Actor::new(id).create(Actor::new(id).description(Some(&at(90.0, 90.0))))).collect();
    let deleted: Vec<_> =
        (1..=20).flat_map(|id| [Actor::new(100 + id).delete(), Actor::new(id).delete()]).collect();
    let rounds: Vec<_> = (0..210).map(messages).collect();
    // What waits is replayed in two rounds of three, and dropped in time in the third. Tight limits
    // displace most of it.
    for limits in [Limits::DEFAULT, Limits::DEFAULT.with(|limits| limits.parked = 30)] {
        let mut world = MotionWorld::new(Config::RETAIL.with(|config| config.limits = limits), SimTime::ZERO);
        let mut play = |round: usize| {
            let now = SimTime::from_secs(round as f64 * 60.0).unwrap();
            world.advance(now, &OpenField);
            rounds[round].iter().for_each(|message| _ = world.handle(now, message, &OpenField));
            if !round.is_multiple_of(3) {
                created.iter().chain(&deleted).for_each(|message| _ = world.handle(now, message, &OpenField));
            }
            while world.poll_event().is_some() {}
        };
        (0..60).for_each(&mut play);
        let region = Region::new(ALLOCATOR);
        (60..210).for_each(&mut play);
        let change = region.change();
        assert_eq!((change.allocations, change.reallocations), (0, 0), "{change:?}");
        let stats = world.stats();
        assert!(stats.parked_replayed > 1_000 && stats.parked_expired > 1_000, "{stats:?}");
    }
}
