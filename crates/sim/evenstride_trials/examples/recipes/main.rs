//! Recipes for five kinds of game, and their scores beside snapshot buffers.
//!
//! ```sh
//! cargo run --release -p evenstride_trials --example recipes
//! cargo run --release -p evenstride_trials --example recipes -- 11-16   # other seeds
//! ```
//!
//! Each recipe is a file of its own, with everything that a user writes. The buffers get the same
//! stream. One is late as lightyear's is, and one has a time line as Mirror's has.

mod creatures;
mod drone;
mod players;
#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "the other tables use the rest")]
mod shared;
mod shooter;
mod trial;
mod vehicle;

use std::error::Error;

use self::trial::trials;

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = shared::seeds("1-6")?;
    println!(
        "| recipe | updates/s | lines | method | behind s | mean error m | p95 m | frozen % | jerk m/s³ | reversals/min |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for trial in trials() {
        let names = ["Evenstride", "like lightyear", "like Mirror"];
        for (name, score) in names.into_iter().zip(trial.scores(&seeds)) {
            let lines =
                if name == "Evenstride" { trial.lines_of_code().to_string() } else { "–".to_owned() };
            println!(
                "| {} | {} | {lines} | {name} | {:.2} | {:.2} | {:.2} | {:.1} | {:.0} | {:.1} |",
                trial.name,
                trial.line.rate,
                score.behind_rounded(),
                score.mean,
                score.p95,
                score.frozen,
                score.jerk,
                score.reversals
            );
        }
    }
    Ok(())
}
