//! Runs one workload a given number of times. `cargo xtask bench` counts its instructions.
//!
//! ```sh
//! cargo run --release -p evenstride --example workload -- chasing 10000 30
//! cargo run --release -p evenstride --example workload -- --names
//! ```
//!
//! Two versions that print the same places have moved all bodies alike, bit for bit. The state also
//! depends on how a version stores it.

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
    let (state, places) = (scene.world.state_hash(), places(&scene.world));
    println!("{kind:?}: {bodies} bodies, {rounds} rounds, state 0x{state:016X}, places 0x{places:016X}");
    ExitCode::SUCCESS
}

/// Returns a fingerprint of where all bodies are.
fn places(world: &evenstride::MotionWorld) -> u64 {
    let mut hash = evenstride_types::StateHash::new();
    world.drawn_each(world.now(), |drawn| {
        hash.word(drawn.entity.raw());
        hash.placement(&drawn.place);
    });
    hash.finish()
}
