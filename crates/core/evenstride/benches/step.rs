//! What a step, a received position, drawing, saving and restoring cost, by number of bodies. `cargo bench -p evenstride`
//!
//! The column to read is the throughput: bodies a second. `cargo xtask bench` also counts instructions, which do not depend on
//! what else the machine is doing.

mod scene;

use divan::{Bencher, counter::ItemsCount};
use scene::{Kind, Scene};

/// Declares one benchmark for each scene.
macro_rules! scenes {
    ($($name:ident: $kind:ident, $sizes:ident;)+) => {$(
        // A million bodies take a second per round in some scenes. A few rounds of them are enough.
        #[divan::bench(args = $sizes, max_time = 5)]
        fn $name(bencher: Bencher<'_, '_>, bodies: u32) {
            bench(bencher, Kind::$kind, bodies);
        }
    )+};
}

scenes! {
    idle: Idle, SIZES;
    idle_moving_view: IdleMovingView, SIZES;
    chasing: Chasing, SIZES;
    chasing_undrained: ChasingUndrained, SIZES;
    chasing_in_order: ChasingInOrder, SIZES;
    trailing: Trailing, SIZES;
    routing: Routing, SIZES;
    routing_batch: RoutingBatch, SIZES;
    routing_in_order: RoutingInOrder, SIZES;
    flying: Flying, SIZES;
    striding: Striding, SIZES;
    sent: Sent, SIZES;
    pursuing: Pursuing, SIZES;
    sparse: Sparse, SIZES;
    sparse_moving_view: SparseMovingView, SIZES;
    sparse_crossing_view: SparseCrossingView, SIZES;
    watched: Watched, SIZES;
    churning: Churning, SMALL;
    drawn: Drawn, SIZES;
    blended: Blended, SIZES;
    changed: Changed, SIZES;
    animated: Animated, SIZES;
    plain: Plain, SIZES;
    gliding: Gliding, SIZES;
    gliding_sent: GlidingSent, SIZES;
    gliding_idle: GlidingIdle, SIZES;
    gliding_trailing: GlidingTrailing, SIZES;
    glided: Glided, SIZES;
    saved: Saved, SIZES;
    restored: Restored, SIZES;
}

fn main() {
    divan::main();
}

fn bench(bencher: Bencher<'_, '_>, kind: Kind, bodies: u32) {
    let mut scene = Scene::new(kind, bodies);
    for _ in 0..8 {
        scene.round();
    }
    bencher.counter(ItemsCount::new(bodies)).bench_local(|| scene.round());
}

/// A fight, a large server, and what no server has today.
const SIZES: [u32; 3] = [100, 10_000, 1_000_000];
/// More parked updates than a world keeps would not be measured.
const SMALL: [u32; 2] = [100, 10_000];
