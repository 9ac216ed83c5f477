//! Runs one workload a given number of times. `cargo xtask bench` counts its instructions.
//!
//! ```sh
//! cargo run --release -p evenstride --example workload -- chasing 10000 30
//! ```

#[path = "../benches/scene/mod.rs"]
mod scene;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let parsed = match args.as_slice() {
        [name, bodies, rounds] => {
            let scene = scene::Kind::from_name(name);
            scene.zip(bodies.parse::<u32>().ok()).zip(rounds.parse::<u32>().ok())
        }
        _ => None,
    };
    let Some(((kind, bodies), rounds)) = parsed else {
        eprintln!("usage: workload {} BODIES ROUNDS", scene::Kind::ALL.map(scene::Kind::name).join("|"));
        return ExitCode::from(2);
    };
    let mut scene = scene::Scene::new(kind, bodies);
    for _ in 0..rounds {
        scene.round();
    }
    for part in scene.world.memory() {
        println!(
            "{:<16} {:>4} B x {:>9} in use {:>12} B held",
            part.name, part.entry_bytes, part.in_use, part.held_bytes
        );
    }
    println!("{kind:?}: {bodies} bodies, {rounds} rounds, state 0x{:016X}", scene.world.state_hash());
    ExitCode::SUCCESS
}
