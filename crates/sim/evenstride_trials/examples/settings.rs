//! Which settings for which game.
//!
//! ```sh
//! cargo run --release -p evenstride_trials --example settings
//! cargo run --release -p evenstride_trials --example settings -- 11-16   # other seeds
//! ```
//!
//! The movers of `positions_only` send positions, then also times of sending by a synchronized clock,
//! then also velocities. The last column names the simplest of the three whose error is at most a tenth
//! above the least one.

mod shared;

use std::error::Error;

use evenstride_trials::{Contestant, Line, Mover, Score, Sends};

use crate::shared::{LOSSES, RATES, score, seeds};

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = seeds("1-4")?;
    println!(
        "| speed m/s | updates/s | loss | positions: p95 m | behind s | jerk | with times: p95 m | behind s | jerk | with velocities too: p95 m | behind s | jerk | send |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for mover in [Mover::Walker, Mover::Runner, Mover::Vehicle] {
        for rate in RATES {
            for loss in LOSSES {
                row(mover, rate, loss, &seeds);
            }
        }
    }
    Ok(())
}

/// Prints the means over some seeds.
fn row(mover: Mover, rate: f64, loss: f64, seeds: &[u64]) {
    let line = Line::new(rate).losing(loss);
    let contestants = [
        Contestant::Evenstride,
        Contestant::synchronized(Sends::Positions),
        Contestant::synchronized(Sends::Velocities),
    ];
    let scores = contestants.map(|contestant| score(mover, &line, &contestant, seeds));
    let columns = scores.map(|Score { p95, behind, jerk, .. }| format!("{p95:.2} | {behind:.2} | {jerk:.0}"));
    let least = scores.iter().map(|score| score.p95).fold(f64::INFINITY, f64::min);
    let simplest = scores.iter().position(|score| score.p95 <= 1.1 * least).unwrap_or_default();
    println!(
        "| {} | {rate} | {} % | {} | {} |",
        mover.top_speed(),
        loss * 100.0,
        columns.join(" | "),
        ["positions", "times", "velocities"][simplest]
    );
}
