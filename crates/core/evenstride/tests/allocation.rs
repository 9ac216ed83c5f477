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
    // A restored world is a new one; everything else lives in memory it has.
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Restored) {
        let mut scene = Scene::new(kind, 1_000);
        // Routes fill to their twenty waypoints (slowly, when chasing), lists grow to their working size.
        let rounds = if matches!(
            kind,
            Kind::Saved | Kind::Drawn | Kind::Blended | Kind::Changed | Kind::Animated | Kind::Plain
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
