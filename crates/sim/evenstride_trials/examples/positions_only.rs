//! What to expect of a game that sends positions alone, without velocities.
//!
//! ```sh
//! cargo run --release -p evenstride_trials --example positions_only
//! cargo run --release -p evenstride_trials --example positions_only -- 11-16   # other seeds
//! ```
//!
//! A walker, a runner and a vehicle move about for two minutes. A link with 80 to 180 ms of latency
//! brings their positions 1 to 20 times per second and loses up to 10 % of them. `PlainWorld` draws
//! them at 60 frames per second, with its default profile and with `SMOOTH`. A snapshot buffer, which
//! is one and a half intervals and the jitter late, stands beside them.

mod shared;

use std::error::Error;

use evenstride_trials::{Contestant, Line, Mover};

use crate::shared::{LOSSES, RATES, score, seeds};

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = seeds("1-4")?;
    println!(
        "| mover | updates/s | loss | frozen % | mean error m | p95 m | jerk m/s³ | reversals/min | smooth: frozen % | mean m | jerk | buffer: late s | mean m | jerk |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
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
    let contestants = [Contestant::Evenstride, Contestant::Smooth, Contestant::buffer(&line)];
    let [ours, smooth, buffer] = contestants.map(|contestant| score(mover, &line, &contestant, seeds));
    let late = 1.5 / rate + line.link.latency_secs + line.link.jitter_secs;
    println!(
        "| {mover:?} | {rate} | {} % | {:.1} | {:.2} | {:.2} | {:.0} | {:.1} | {:.1} | {:.2} | {:.0} | {late:.2} | {:.2} | {:.0} |",
        loss * 100.0,
        ours.frozen,
        ours.mean,
        ours.p95,
        ours.jerk,
        ours.reversals,
        smooth.frozen,
        smooth.mean,
        smooth.jerk,
        buffer.mean,
        buffer.jerk,
    );
}
