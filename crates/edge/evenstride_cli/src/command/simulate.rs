//! `evenstride simulate`: a scenario in, a capture out.

use std::{
    iter,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, anyhow, bail};
use evenstride_arena::{LIBRARY, Scenario, simulate_telling, write_truth};

use crate::{
    args::SimulateArgs,
    output::{Inputs, OutputFile, Progress, count, is_dash, similar, tell, thousands},
    source::read_text,
};

pub(crate) fn run(args: &SimulateArgs) -> Result<ExitCode> {
    let outputs = iter::once(&args.output).chain(&args.truth);
    inputs(&args.scenario).check(outputs.map(PathBuf::as_path))?;
    let mut scenario = find(&args.scenario)?;
    scenario.ramps = args.ramps.unwrap_or(scenario.ramps);
    let progress = Progress::new("simulating");
    let simulated = simulate_telling(&scenario, args.seed, &mut |done| progress.set(done))?;
    drop(progress);
    OutputFile::write_whole(&args.output, &simulated.pcap)?;
    let name =
        if is_dash(&args.output) { "standard output".to_owned() } else { args.output.display().to_string() };
    tell(&format!(
        "{name}: {:.0} s of {}, {} sent, {} lost and {} dropped by a full queue (both are sent again), {}",
        scenario.seconds,
        args.scenario,
        count(simulated.link.sent, "datagram", "datagrams"),
        thousands(simulated.link.lost),
        thousands(simulated.link.overflowed),
        count(simulated.pcap.len() as u64, "byte", "bytes")
    ));
    if let Some(path) = &args.truth {
        let mut file = OutputFile::create(path)?;
        write_truth(&simulated.truth, &mut file).with_context(|| path.display().to_string())?;
        file.commit()?;
    }
    // A file that can be named can be read next.
    if !is_dash(&args.output) {
        if let Some(path) = args.truth.as_ref().filter(|path| !is_dash(path)) {
            tell(&format!("next: evenstride score {name} --truth {}", path.display()));
        }
        tell(&format!("next: evenstride replay {name} -o {name}.html"));
    }
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
        bail!(
            "{name}: neither a built-in scenario{} nor a file; `evenstride scenarios` lists the scenarios",
            perhaps(name)
        );
    }
    let text = read_text(path)?;
    Scenario::parse(&text).map_err(|error| anyhow!("{name}: {error}"))
}

/// Returns a clause with the scenarios of the most similar names, or nothing.
pub(crate) fn perhaps(name: &str) -> String {
    let near = similar(name, LIBRARY.iter().map(|entry| entry.name));
    if near.is_empty() { String::new() } else { format!(" (perhaps {})", near.join(", ")) }
}
