//! `evenstride score`: scores of all contestants.

use std::{io::Write, path::Path, path::PathBuf, process::ExitCode};

use anyhow::{Result, bail};
use evenstride_arena::{
    Contest, DEFAULT_SCENARIO, LIBRARY, MAX_PICTURES, compete, compete_in, score, simulate, table,
};
use serde_json::json;

use crate::{
    args::{Profile, SceneArgs, ScoreArgs},
    command::simulate::find,
    library,
    scene::Scene,
};

pub(crate) fn run(args: &ScoreArgs) -> Result<ExitCode> {
    let what: Vec<String> = match args.what.as_slice() {
        [] if args.all => LIBRARY.iter().map(|entry| entry.name.to_owned()).collect(),
        [] => vec![DEFAULT_SCENARIO.to_owned()],
        some => some.to_vec(),
    };
    if what.iter().any(|name| is_capture(name)) {
        if let Some(other) = what.iter().find(|name| !is_capture(name)) {
            bail!("{other} is a scenario and the others are captures: score one or the other");
        }
        let (contest, faults) = recorded(args, &what)?;
        print(args, &what.join(" "), "", &contest)?;
        return Ok(code(faults));
    }
    if args.fps.is_some() || !args.offsets.is_empty() {
        bail!("--fps and --offset are for captures; a scenario says its own `fps`");
    }
    let bar = crate::output::bar(what.len() as u64);
    let mut faults = 0;
    for name in &what {
        let scenario = find(name)?;
        let simulated = simulate(&scenario, args.seed)?;
        let script = simulated.script();
        let loaded = library::load(args.dat.as_deref(), args.tables.as_deref(), &script)?;
        faults += loaded.faults;
        let contest = compete_in(&scenario, &simulated, &script, loaded.library);
        bar.suspend(|| print(args, name, &scenario.title, &contest))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(code(faults))
}

/// Returns exit code 1 if a part of an archive could not be read.
fn code(faults: u64) -> ExitCode {
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// Returns whether a name is that of a capture: an existing file that is not a scenario.
fn is_capture(name: &str) -> bool {
    let is_scenario = Path::new(name).extension().is_some_and(|extension| extension == "toml");
    !is_scenario && Path::new(name).exists()
}

/// Runs a contest on captures, with the truth from the other players' captures.
fn recorded(args: &ScoreArgs, captures: &[String]) -> Result<(Contest, u64)> {
    let fps = args.fps.unwrap_or(60.0);
    let scene = Scene::read(&SceneArgs {
        captures: captures.iter().map(PathBuf::from).collect(),
        offsets: args.offsets.clone(),
        player: None,
        profile: Profile::Smooth,
        fps,
        connection: None,
        server_ports: None,
        tables: args.tables.clone(),
        dat: args.dat.clone(),
        twice: false,
    })?;
    let script = scene.script;
    let Some((start, end)) = script.span() else { bail!("nothing in it is about motion") };
    let mut truth = script.truth.clone();
    // The replayed player follows its own reports, so it is not scored.
    if let Some(player) = script.player {
        truth.remove(&player);
    }
    if truth.is_empty() {
        bail!(
            "the true places are unknown; add captures of other players' clients (--offset), or use a scenario"
        );
    }
    let pictures = truth.len() as f64 * (end - start) * fps;
    if pictures > MAX_PICTURES {
        bail!(
            "too long to score at once: {pictures:.0} drawn places, at most {MAX_PICTURES:.0}; use a lower --fps"
        );
    }
    let loaded = library::load(args.dat.as_deref(), args.tables.as_deref(), &script)?;
    Ok((compete(&script, &truth, &script.names, fps, end, loaded.library), loaded.faults))
}

fn print(args: &ScoreArgs, name: &str, title: &str, contest: &Contest) -> Result<()> {
    let scores = score(contest);
    let mut out = std::io::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &json!({ "scenario": name, "scores": scores }))?;
        writeln!(out)?;
        return Ok(());
    }
    writeln!(out, "{name}{}{title}\n", if title.is_empty() { "" } else { ": " })?;
    write!(out, "{}", table(&scores))?;
    for (score, contestant) in scores.iter().zip(&contest.contestants) {
        if !score.snaps.is_empty() {
            let snaps: Vec<String> =
                score.snaps.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
            writeln!(out, "{:<22} snaps: {}", contestant.name, snaps.join(", "))?;
        }
    }
    writeln!(out)?;
    // Costs differ from run to run, so they are not part of the output that can be compared.
    let costs: Vec<String> =
        contest.contestants.iter().map(|of| format!("{:.0} {}", of.cost_ns, of.name)).collect();
    crate::output::tell(&format!("ns for each entity and frame, here and now: {}", costs.join("; ")));
    Ok(())
}
