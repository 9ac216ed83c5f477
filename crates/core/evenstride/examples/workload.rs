//! Runs one workload a given number of times. `cargo xtask bench` counts its instructions.
//!
//! ```sh
//! cargo run --release -p evenstride --example workload -- chasing 10000 30
//! cargo run --release -p evenstride --example workload -- --names
//! ```
//!
//! Two versions that print the same state have moved all bodies alike, bit for bit.

#[path = "../benches/scene/mod.rs"]
mod scene;

use std::process::ExitCode;

use scene::{Kind, Scene, doing::Doing};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    if args == ["--names"] {
        println!("{}", names.join("\n"));
        return ExitCode::SUCCESS;
    }
    let parsed = match args.as_slice() {
        [name, bodies, rounds] => {
            Kind::from_name(name).zip(bodies.parse::<u32>().ok()).zip(rounds.parse::<u32>().ok())
        }
        _ => None,
    };
    let Some(((kind, bodies), rounds)) = parsed else {
        eprintln!("usage: workload {} BODIES ROUNDS", names.join("|"));
        return ExitCode::from(2);
    };
    let mut scene = Scene::new(kind, bodies);
    for _ in 0..rounds {
        scene.round();
    }
    for part in scene.world.memory() {
        println!(
            "{:<16} {:>4} B x {:>9} in use {:>12} B held",
            part.name, part.entry_bytes, part.in_use, part.held_bytes
        );
    }
    let Doing { on_route, by_legs, both, active } = Doing::of(&scene.world);
    println!(
        "near {active:.0} %, on a route {on_route:.0} %, moved by legs {by_legs:.0} %, both {both:.0} %"
    );
    println!("{kind:?}: {bodies} bodies, {rounds} rounds, state 0x{:016X}", scene.world.state_hash());
    ExitCode::SUCCESS
}
