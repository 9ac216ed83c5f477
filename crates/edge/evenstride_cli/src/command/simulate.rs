//! `evenstride simulate`: a scenario in, a capture out.

use std::{
    iter,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, anyhow, bail};
use evenstride_arena::{LIBRARY, Scenario, simulate, write_truth};

use crate::{
    args::SimulateArgs,
    output::{Inputs, OutputFile, tell},
    source::read_text,
};

pub(crate) fn run(args: &SimulateArgs) -> Result<ExitCode> {
    let outputs = iter::once(&args.output).chain(&args.truth);
    inputs(&args.scenario).check(outputs.map(PathBuf::as_path))?;
    let mut scenario = find(&args.scenario)?;
    scenario.ramps = args.ramps.unwrap_or(scenario.ramps);
    let simulated = simulate(&scenario, args.seed)?;
    OutputFile::write_whole(&args.output, &simulated.pcap)?;
    tell(&format!(
        "{}: {:.0} s of {}, {} datagrams sent, {} lost and {} dropped by a full queue (both are sent again), {} bytes",
        args.output.display(),
        scenario.seconds,
        args.scenario,
        simulated.link.sent,
        simulated.link.lost,
        simulated.link.overflowed,
        simulated.pcap.len()
    ));
    if let Some(path) = &args.truth {
        let mut file = OutputFile::create(path)?;
        write_truth(&simulated.truth, &mut file).with_context(|| path.display().to_string())?;
        file.commit()?;
        tell(&format!("next: evenstride score {} --truth {}", args.output.display(), path.display()));
    }
    tell(&format!("next: evenstride replay {0} -o {0}.html", args.output.display()));
    Ok(ExitCode::SUCCESS)
}

/// Returns the scenario as an input, if it is a file.
pub(crate) fn inputs(scenario: &str) -> Inputs {
    if evenstride_arena::scenario(scenario).is_some() {
        return Inputs::default();
    }
    Inputs::default().with("the scenario", Path::new(scenario))
}

/// Returns a scenario of the library, or one from a file.
pub(crate) fn find(name: &str) -> Result<Scenario> {
    if let Some(scenario) = evenstride_arena::scenario(name) {
        return scenario.map_err(|error| anyhow!("{name}: {error}"));
    }
    let path = Path::new(name);
    if !path.exists() {
        let near = LIBRARY.iter().filter(|entry| entry.name.split('-').any(|word| name.contains(word)));
        let near: Vec<&str> = near.map(|entry| entry.name).collect();
        let hint = if near.is_empty() { String::new() } else { format!(" (perhaps {})", near.join(", ")) };
        bail!(
            "{name}: neither a built-in scenario{hint} nor a file; `evenstride scenarios` lists the scenarios"
        );
    }
    let text = read_text(path)?;
    Scenario::parse(&text).map_err(|error| anyhow!("{name}: {error}"))
}
