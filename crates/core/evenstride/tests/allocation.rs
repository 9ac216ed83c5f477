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
    // A restored world is a new one; everything else lives in memory it has.
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Restored) {
        let mut scene = Scene::new(kind, 1_000);
        // Routes fill to their twenty waypoints (slowly, when chasing), lists grow to their working size.
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
    scene.round();
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
    assert_eq!(count, 11 * 100 + 1);
}
