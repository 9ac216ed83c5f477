//! Plays random hosts and servers against the motion core, and reports broken promises.

use std::{
    process::{Command, ExitCode},
    time::Instant,
};

use anyhow::{Context, Result};
use clap::Parser;
use evenstride_swarm::swarm::{Tally, run, swarm};
use indicatif::{ProgressBar, ProgressStyle};

/// Play random hosts and servers against the motion core, until bodies have made many steps.
///
/// Each run has a seed, from which everything in it is drawn. A run that breaks a promise is shrunk to a
/// short script and printed with its seed.
///
/// The exit code is 0 if no promise was broken, and 1 otherwise. It is 2 if nothing could be done.
#[derive(Debug, Parser)]
#[command(
    name = "evenstride_swarm",
    version,
    after_help = "Examples:\n  cargo run --release -p evenstride_swarm -- --steps 1e7\n  cargo run --release -p evenstride_swarm -- --steps 1e9 --from 1000000 --record swarm.txt\n  cargo run --release -p evenstride_swarm -- --seed 4711"
)]
struct Args {
    /// Steps of bodies to play at least, like 1000000 or 1e9
    #[arg(long, value_name = "N", default_value = "1e7", value_parser = parse_steps)]
    steps: u64,

    /// Seed of the first run. The next runs have the next seeds
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    from: u64,

    /// Play only the run of this seed
    #[arg(long, value_name = "SEED", conflicts_with_all = ["steps", "from"])]
    seed: Option<u64>,

    /// Number of threads (default: one per core)
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,

    /// Write the record of what was covered to this file
    #[arg(long, value_name = "FILE")]
    record: Option<std::path::PathBuf>,
}

fn main() -> ExitCode {
    match play(&Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("evenstride_swarm: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn play(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let tally = match args.seed {
        Some(seed) => run(seed),
        None => {
            let bar = ProgressBar::new(args.steps).with_style(ProgressStyle::with_template(
                "{wide_bar} {human_pos} of {human_len} steps, {eta} left",
            )?);
            let tally = swarm(args.from..u64::MAX, args.steps, jobs, |steps| bar.set_position(steps));
            bar.finish_and_clear();
            tally
        }
    };
    let commit = commit();
    for finding in &tally.findings {
        println!("seed {} at commit {commit}: {}\n{}", finding.seed, finding.what, finding.script);
        println!("again: cargo run --release -p evenstride_swarm -- --seed {}\n", finding.seed);
    }
    let record = record(&tally, &commit);
    if let Some(path) = &args.record {
        std::fs::write(path, &record).with_context(|| path.display().to_string())?;
    }
    let missing = tally.coverage.missing();
    if !missing.is_empty() && args.seed.is_none() {
        let names: Vec<String> = missing.iter().map(|(group, name)| format!("{group} {name}")).collect();
        println!("never seen: {}", names.join(", "));
    }
    println!(
        "{} runs, {} steps, {} findings in {:.0} s on {jobs} threads, commit {commit}",
        tally.runs,
        tally.steps,
        tally.findings.len(),
        start.elapsed().as_secs_f64()
    );
    Ok(ExitCode::from(u8::from(!tally.findings.is_empty())))
}

fn record(tally: &Tally, commit: &str) -> String {
    let Tally { runs, steps, coverage, findings } = tally;
    let findings = findings.len();
    format!("commit {commit}\nruns {runs}\nsteps {steps}\nfindings {findings}\n\n{}", coverage.table())
}

/// Returns the commit of the working folder, if it can be found.
fn commit() -> String {
    let output = Command::new("git").args(["describe", "--always", "--dirty"]).output();
    let text = output.ok().filter(|output| output.status.success());
    text.map_or_else(
        || "unknown".to_owned(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}

fn parse_steps(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(steps) if (1.0..=1e15).contains(&steps) => Ok(steps as u64),
        _ => Err("use a number from 1 to 1e15".to_owned()),
    }
}
