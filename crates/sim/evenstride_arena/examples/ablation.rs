//! What each part of gliding does: the means over the library without one part at a time.
//!
//! ```sh
//! cargo run --release -p evenstride_arena --example ablation
//! ```
//!
//! Seeds are three of the validation in `docs/scorecard.md`.

use evenstride::{
    Config,
    config::{DrawMode, GlideParts},
};
use evenstride_arena::{LIBRARY, compete_with, mean, scenario, score, simulate, table};

const SEEDS: std::ops::RangeInclusive<u64> = 201..=203;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let glide = |parts| Config::GLIDE.with(|config| config.drawing = DrawMode::Gliding(parts));
    let all = GlideParts::all();
    let configs = [
        ("smooth", Config::SMOOTH),
        ("glide", Config::GLIDE),
        ("without bias", glide(all - GlideParts::BIAS)),
        ("without heading", glide(all - GlideParts::HEADING)),
        ("without brake", glide(all - GlideParts::BRAKE)),
        ("without arrival", glide(all - GlideParts::ARRIVAL)),
        ("without all four", glide(GlideParts::empty())),
    ];
    let mut scores = Vec::new();
    for seed in SEEDS {
        for entry in LIBRARY {
            let scenario = scenario(entry.name).ok_or("no such scenario")??;
            let simulated = simulate(&scenario, seed)?;
            let (truth, names) = (&simulated.truth, &simulated.names);
            let script = simulated.script();
            let contest = compete_with(&configs, &script, truth, names, scenario.fps, scenario.seconds, None);
            scores.push(score(&contest));
        }
    }
    let means: Vec<_> = configs
        .iter()
        .filter_map(|(name, _)| {
            let of: Vec<_> = scores.iter().flatten().filter(|score| score.name == *name).collect();
            mean(&of)
        })
        .collect();
    print!("{}", table(&means, None));
    Ok(())
}
