//! Measures rounds of a large crowd with `advance`, and with `advance_with` on one thread and more.
//!
//! ```sh
//! cargo run --release -p evenstride_parallel --example crowd -- 1000000
//! ```
//!
//! The crowds are those of the benchmarks, and every way to step them starts with the same world. Ways
//! take turns, and the table has the median of their rounds. At the end, all worlds must have the same
//! bits.

#[path = "../../../core/evenstride/benches/scene/mod.rs"]
#[allow(dead_code, clippy::allow_attributes, reason = "the benchmarks use the rest")]
mod scene;

use std::{cell::Cell, error::Error, rc::Rc, sync::Arc, time::Instant};

use evenstride::OpenField;
use evenstride_parallel::Rayon;
use rayon::{ThreadPool, ThreadPoolBuilder};
use scene::{Kind, Scene};

const KINDS: [Kind; 4] = [Kind::Chasing, Kind::Striding, Kind::Trailing, Kind::Flying];

/// Rounds of each way.
const ROUNDS: usize = 21;

fn main() -> Result<(), Box<dyn Error>> {
    let bodies = match std::env::args().nth(1) {
        Some(number) => number.parse().map_err(|_| format!("`{number}` is not a number of bodies"))?,
        None => 100_000,
    };
    let cores = std::thread::available_parallelism()?.get();
    let mut numbers = vec![1, 2, cores];
    numbers.sort_unstable();
    numbers.dedup();
    let pools = numbers
        .iter()
        .map(|threads| ThreadPoolBuilder::new().num_threads(*threads).build().map(Arc::new))
        .collect::<Result<Vec<_>, _>>()?;
    let columns: String =
        numbers.iter().map(|threads| format!("{:>12}", format!("threads {threads}"))).collect();
    println!("ns per body and round, {bodies} bodies, {cores} cores\n{:<12}{:>12}{columns}", "", "advance");
    for kind in KINDS {
        println!("{:<12}{}", kind.name(), measure(kind, bodies, &pools)?);
    }
    Ok(())
}

/// Measures one crowd in every way. Returns a column for `advance` and for each pool.
fn measure(kind: Kind, bodies: u32, pools: &[Arc<ThreadPool>]) -> Result<String, Box<dyn Error>> {
    let mut scenes: Vec<Scene> = (0..=pools.len()).map(|_| Scene::new(kind, bodies)).collect();
    let mut times = vec![Vec::new(); scenes.len()];
    for _ in 0..ROUNDS {
        for (way, (scene, times)) in scenes.iter_mut().zip(&mut times).enumerate() {
            let (ns, pool) = (Rc::new(Cell::new(0)), way.checked_sub(1).map(|pool| Arc::clone(&pools[pool])));
            let measured = Rc::clone(&ns);
            scene.advance = Box::new(move |world, now| {
                let begun = Instant::now();
                let _ = match &pool {
                    None => world.advance(now, &OpenField),
                    Some(pool) => pool.install(|| world.advance_with(now, &OpenField, &Rayon)),
                };
                measured.set(begun.elapsed().as_nanos());
            });
            scene.round();
            times.push(ns.get());
        }
    }
    let hashes: Vec<u64> = scenes.iter().map(|scene| scene.world.state_hash()).collect();
    if hashes.iter().any(|hash| *hash != hashes[0]) {
        return Err(format!("{}: worlds differ: {hashes:x?}", kind.name()).into());
    }
    let median = |times: &mut Vec<u128>| {
        times.sort_unstable();
        format!("{:>12.1}", times[times.len() / 2] as f64 / f64::from(bodies))
    };
    Ok(times.iter_mut().map(median).collect())
}
