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
//!
//! The second table is about settings. The movers send positions and times over two links.

mod shared;

use std::error::Error;

use evenstride::generic::{PlainConfig, PlainLimits, SenderClock};
use evenstride_link::LinkConfig;
use evenstride_trials::{Contestant, Line, Mover, Score, Sends};

use crate::shared::{LOSSES, RATES, score, seeds};

const MOVERS: [Mover; 3] = [Mover::Walker, Mover::Runner, Mover::Vehicle];

/// Latencies of the second table in seconds. Each way varies by 0.05 s in both directions.
const LATENCIES: [f64; 2] = [0.13, 0.35];

/// Values that are tried of `max_lead_secs` and of `max_coast_secs`, the least ones first.
const LEADS: [f64; 5] = [0.0, 0.1, 0.25, 0.5, 1.0];
const COASTS: [f64; 3] = [0.5, 1.0, 3.0];

/// A value is as good as the best one if its error is at most this much above, as a factor.
const AS_GOOD: f64 = 1.02;

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = seeds("1-4")?;
    println!(
        "| speed m/s | updates/s | loss | positions: p95 m | behind s | jerk | with times: p95 m | behind s | jerk | with velocities too: p95 m | behind s | jerk | send |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for mover in MOVERS {
        for rate in RATES {
            for loss in LOSSES {
                row(mover, rate, loss, &seeds);
            }
        }
    }
    println!();
    println!(
        "| speed m/s | updates/s | latency s | `OrderOnly`: p95 m | behind s | `Own`: p95 m | behind s | `Shared`: p95 m | behind s | best `max_lead_secs` | p95 m | best `max_coast_secs` | p95 m | `top_speed`: p95 m |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for mover in MOVERS {
        for rate in RATES {
            for latency in LATENCIES {
                settings_row(mover, rate, latency, &seeds);
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
    let columns = scores.map(|one| format!("{:.2} | {:.2} | {:.0}", one.p95, one.behind_rounded(), one.jerk));
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

/// Prints what settings do over one link.
fn settings_row(mover: Mover, rate: f64, latency: f64, seeds: &[u64]) {
    let link = LinkConfig { latency_secs: latency, jitter_secs: 0.05, loss: 0.02, ..LinkConfig::PERFECT };
    let line = Line::new(rate).over(link);
    let tried = |change: &dyn Fn(&mut PlainConfig)| {
        let config = PlainConfig::default().with(|config| {
            config.sender_clock = SenderClock::Shared;
            change(config);
        });
        score(mover, &line, &Contestant::Tuned(config, Sends::Positions), seeds)
    };
    let clocks = [SenderClock::OrderOnly, SenderClock::Own, SenderClock::Shared]
        .map(|clock| tried(&|config| config.sender_clock = clock))
        .map(|one| format!("{:.2} | {:.2}", one.p95, one.behind_rounded()));
    let lead = best(&LEADS, &|secs| tried(&|config| config.max_lead_secs = secs));
    let coast = best(&COASTS, &|secs| tried(&|config| config.max_coast_secs = secs));
    let top_speed = mover.top_speed() as f32;
    let limited = tried(&|config| config.limits = PlainLimits::NONE.top_speed(top_speed)).p95;
    println!(
        "| {top_speed} | {rate} | {latency} | {} | {lead} | {coast} | {limited:.2} |",
        clocks.join(" | ")
    );
}

/// Returns the least value that is as good as the best one, with its error.
fn best(values: &[f64], score: &dyn Fn(f64) -> Score) -> String {
    let errors: Vec<f64> = values.iter().map(|value| score(*value).p95).collect();
    let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
    let good = errors.iter().position(|error| *error <= AS_GOOD * least).unwrap_or_default();
    format!("{} | {:.2}", values[good], errors[good])
}
