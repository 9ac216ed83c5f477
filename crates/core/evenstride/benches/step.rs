//! What a step, a received position, drawing, saving and restoring cost, by number of bodies. `cargo bench -p evenstride`
//!
//! The column to read is the throughput: bodies a second. `cargo xtask bench` also counts instructions, which do not depend on
//! what else the machine is doing.

mod scene;

use divan::{Bencher, counter::ItemsCount};
use scene::{Kind, Scene};

const SIZES: [u32; 4] = [100, 1_000, 10_000, 1_000_000];

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

#[divan::bench(args = SIZES)]
fn idle(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Idle, bodies);
}

#[divan::bench(args = SIZES)]
fn chasing(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Chasing, bodies);
}

#[divan::bench(args = SIZES)]
fn routing(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Routing, bodies);
}

#[divan::bench(args = SIZES)]
fn flying(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Flying, bodies);
}

#[divan::bench(args = SIZES)]
fn striding(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Striding, bodies);
}

#[divan::bench(args = SIZES)]
fn sent(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Sent, bodies);
}

#[divan::bench(args = SIZES)]
fn pursuing(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Pursuing, bodies);
}

#[divan::bench(args = SIZES)]
fn sparse(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Sparse, bodies);
}

#[divan::bench(args = SIZES)]
fn watched(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Watched, bodies);
}

#[divan::bench(args = [100, 1_000, 10_000])]
fn churning(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Churning, bodies);
}

#[divan::bench(args = SIZES)]
fn drawn(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Drawn, bodies);
}

#[divan::bench(args = SIZES)]
fn blended(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Blended, bodies);
}

#[divan::bench(args = SIZES)]
fn changed(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Changed, bodies);
}

#[divan::bench(args = SIZES)]
fn animated(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Animated, bodies);
}

#[divan::bench(args = SIZES)]
fn plain(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Plain, bodies);
}

#[divan::bench(args = SIZES)]
fn gliding(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Gliding, bodies);
}

#[divan::bench(args = SIZES)]
fn gliding_sent(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::GlidingSent, bodies);
}

#[divan::bench(args = SIZES)]
fn gliding_idle(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::GlidingIdle, bodies);
}

#[divan::bench(args = SIZES)]
fn glided(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Glided, bodies);
}

#[divan::bench(args = SIZES)]
fn saved(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Saved, bodies);
}

#[divan::bench(args = SIZES)]
fn restored(bencher: Bencher<'_, '_>, bodies: u32) {
    bench(bencher, Kind::Restored, bodies);
}
