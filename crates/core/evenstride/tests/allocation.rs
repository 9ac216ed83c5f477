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
    for kind in Kind::ALL {
        let mut scene = Scene::new(kind, 1_000);
        // Routes fill to their twenty waypoints (slowly, when chasing), lists grow to their working size.
        for _ in 0..1_400 {
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
