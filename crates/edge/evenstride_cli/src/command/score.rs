//! `evenstride score`: scores of all contestants.

use std::{
    fs::File,
    io::{BufReader, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, bail};
use evenstride_arena::{
    Contest, DEFAULT_SCENARIO, LIBRARY, MAX_PICTURES, Score, Scorecard, Truths, compete_telling, mean,
    read_truth, received_paths, rival::DrawnTrack, score, score_of_truth, simulate_telling,
};
use evenstride_replay::{Said, Script};
use evenstride_report::{ContestAbout, contest_report};
use evenstride_types::update::Update;
use serde_json::json;

use crate::{
    args::{Profile, SceneArgs, ScoreArgs},
    command::simulate::find,
    drawn_track, library,
    output::{self, Inputs, OutputFile, Progress, Tone, is_dash, one_line, tell, thousands, width},
    scene::Scene,
    scorecard,
};

pub(crate) fn run(args: &ScoreArgs) -> Result<ExitCode> {
    if args.track.track.is_some() && args.what.len() > 1 && !is_capture(&args.what[0]) {
        bail!("--track is for one scenario or capture; name one of them");
    }
    let what: Vec<String> = match args.what.as_slice() {
        [] if args.all => LIBRARY.iter().map(|entry| entry.name.to_owned()).collect(),
        [] => vec![DEFAULT_SCENARIO.to_owned()],
        some => some.to_vec(),
    };
    check_output(args, &what)?;
    if what.iter().any(|name| is_capture(name)) {
        if let Some(other) = what.iter().find(|name| !is_capture(name)) {
            bail!("{other} is a scenario, but other arguments are captures; score one or the other");
        }
        if args.seeds.is_some() || args.ramps.is_some() || args.mean {
            bail!("--seeds, --ramps and --mean are for scenarios; a capture has been simulated already");
        }
        let Recorded { contest, script, truth, track, faults } = recorded(args, &what)?;
        let scores = score(&contest);
        print(args, &what.join(" "), "", &contest, &scores)?;
        let drawn = Drawn { script: &script, truth: &truth, track: track.as_ref() };
        write_page(args, &file_names(&what), contest.fps, &drawn, &scores)?;
        return Ok(code(faults));
    }
    if args.truth.is_some() || !args.offsets.is_empty() {
        bail!("--truth and --offset are for captures; the truth of a scenario is known");
    }
    scenarios(args, &what)
}

/// Scores scenarios, each with every seed.
fn scenarios(args: &ScoreArgs, names: &[String]) -> Result<ExitCode> {
    let seeds = args.seeds.clone().unwrap_or(args.seed..=args.seed);
    let count = names.len() as u64 * seeds.clone().count() as u64;
    let progress = Progress::new("scoring");
    let mut faults = 0;
    // The scores of each contest, and of its truth.
    let mut all: Vec<(Vec<Score>, Option<Score>)> = Vec::new();
    for seed in seeds.clone() {
        for name in names {
            let mut scenario = find(name)?;
            scenario.ramps = args.ramps.unwrap_or(scenario.ramps);
            scenario.fps = args.fps.unwrap_or(scenario.fps);
            let done = all.len() as f64;
            // A simulation takes about a tenth of the time of a contest.
            let part = |from: f64, to: f64, part: f64| {
                progress.set((done + from + (to - from) * part) / count as f64)
            };
            let simulated = simulate_telling(&scenario, seed, &mut |done| part(0.0, 0.1, done))?;
            check_size(simulated.truth.len(), scenario.seconds, scenario.fps)?;
            let script = simulated.script();
            let loaded = library::load(args.dat.as_deref(), args.tables.as_deref(), &script)?;
            faults += loaded.faults;
            let times = [scenario.fps, scenario.seconds];
            let mut contest = compete_telling(
                &script,
                &simulated.truth,
                &simulated.names,
                times,
                loaded.library,
                &mut |done| part(0.1, 1.0, done),
            );
            let track = drawn_track::join(&args.track, &mut contest, &script)?;
            let scores = score(&contest);
            let name = if args.seeds.is_some() { format!("{name}, seed {seed}") } else { name.clone() };
            if !args.mean {
                progress.suspend(|| print(args, &name, &scenario.title, &contest, &scores))?;
            }
            let drawn = Drawn { script: &script, truth: &simulated.truth, track: track.as_ref() };
            write_page(args, &name, scenario.fps, &drawn, &scores)?;
            all.push((scores, score_of_truth(&contest)));
        }
    }
    drop(progress);
    // Lines of JSON keep their number, unless the mean is asked for.
    if args.mean || (count > 1 && !args.json) {
        print_mean(args, &all)?;
    }
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

/// Checks that a page can be written, before anything is scored.
fn check_output(args: &ScoreArgs, what: &[String]) -> Result<()> {
    let Some(output) = &args.output else { return Ok(()) };
    if what.len() > 1 && !what.iter().all(|name| is_capture(name)) {
        bail!("-o writes the page of one scenario; name one of them");
    }
    if args.json && is_dash(output) {
        bail!("--json and -o - both write to standard output; name a file for one of them");
    }
    let files: Vec<PathBuf> = what.iter().map(PathBuf::from).filter(|path| path.exists()).collect();
    Inputs::default()
        .with_all("an input", &files)
        .with_all("the truth", &args.truth)
        .with_all("the track", &args.track.track)
        .with_all("the archive", &args.dat)
        .with_all("a text file", &args.tables)
        .check([output.as_path()])
}

/// What a page draws.
struct Drawn<'a> {
    script: &'a Script,
    truth: &'a Truths,
    track: Option<&'a DrawnTrack>,
}

/// Writes the page, if one is asked for.
fn write_page(args: &ScoreArgs, title: &str, fps: f64, drawn: &Drawn<'_>, scores: &[Score]) -> Result<()> {
    let Some(output) = &args.output else { return Ok(()) };
    // The page reads the packed track, and would not start with one that it refuses.
    if let Some(Err(why)) = drawn.track.map(|track| DrawnTrack::from_bytes(&track.to_bytes())) {
        bail!("--track: it cannot be part of a page: {why}");
    }
    let has_tables = args.dat.is_some() || args.tables.is_some();
    let note = "This page replays without the given motion tables, so it may differ from the scorecard.";
    let notes = has_tables.then(|| note.to_owned()).into_iter().collect();
    let about = ContestAbout { title: title.to_owned(), facts: Vec::new(), fps, notes };
    OutputFile::write_whole(
        output,
        contest_report(&about, drawn.script, drawn.truth, scores, drawn.track).as_bytes(),
    )?;
    if !is_dash(output) {
        tell(&format!("{}: open it in a browser", output.display()));
    }
    Ok(())
}

/// Returns the names of captures without their folders.
fn file_names(captures: &[String]) -> String {
    let name = |path: &String| {
        Path::new(path).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    captures.iter().map(name).collect::<Vec<_>>().join(" + ")
}

/// A contest on captures, and what it was made of.
struct Recorded {
    contest: Contest,
    script: Script,
    truth: Truths,
    /// What another program drew.
    track: Option<DrawnTrack>,
    /// Number of unreadable parts.
    faults: u64,
}

/// Runs a contest on captures. The truth comes from a file, or from the other players' captures. If
/// there is none, drawings are compared with the received positions.
fn recorded(args: &ScoreArgs, captures: &[String]) -> Result<Recorded> {
    let fps = args.fps.unwrap_or(60.0);
    let scene = Scene::read(&SceneArgs {
        captures: captures.iter().map(PathBuf::from).collect(),
        offsets: args.offsets.clone(),
        player: None,
        profile: Profile::Glide,
        draw: None,
        fps,
        connection: None,
        server_ports: None,
        tables: args.tables.clone(),
        dat: args.dat.clone(),
        twice: false,
    })?;
    let script = scene.script;
    let Some((start, mut end)) = script.span() else { bail!("nothing in it is about motion") };
    let mut truth = match &args.truth {
        None => script.truth.clone(),
        Some(path) => {
            let name = || path.display().to_string();
            let file = File::open(path).with_context(name)?;
            let truth = read_truth(BufReader::new(file)).with_context(name)?;
            // The truth may go on after the last message.
            end = truth.values().filter_map(|of| of.last()).map(|of| of.time).fold(end, f64::max);
            truth
        }
    };
    // The replayed player follows its own reports, so it is not scored.
    if let Some(player) = script.player {
        truth.remove(&player);
    }
    if args.truth.is_some() {
        check_truth(&script, &truth)?;
    }
    if truth.is_empty() {
        truth = received(&script, fps * (end - start))?;
    }
    check_size(truth.len(), end - start, fps)?;
    let loaded = library::load(args.dat.as_deref(), args.tables.as_deref(), &script)?;
    let faults = scene.faults + loaded.faults;
    let progress = Progress::new("scoring");
    let tell = &mut |done| progress.set(done);
    let mut contest = compete_telling(&script, &truth, &script.names, [fps, end], loaded.library, tell);
    let track = drawn_track::join(&args.track, &mut contest, &script)?;
    Ok(Recorded { contest, script, truth, track, faults })
}

/// Checks that true places belong to a capture: some of their entities are in it, and are where its
/// positions say.
fn check_truth(script: &Script, truth: &Truths) -> Result<()> {
    let mut off: Vec<f64> = Vec::new();
    for message in &script.messages {
        let Said::Server(Update::Position(position)) = &message.said else { continue };
        let (Some(places), Ok(heard)) = (truth.get(&position.entity), position.pack.placement().check())
        else {
            continue;
        };
        // A position is at most a few seconds old.
        let recent = places.iter().filter(|of| (-3.0..0.1).contains(&(of.time - message.time)));
        off.extend(recent.map(|of| of.place.distance(&heard)).min_by(f64::total_cmp));
    }
    off.sort_by(f64::total_cmp);
    match off.get(off.len() / 2) {
        None => bail!("the truth is about other entities or another time than the capture"),
        Some(metres) if *metres > FITS_METRES => bail!(
            "the truth does not fit the capture: received positions are {metres:.0} m from it; use the file that was written with the capture"
        ),
        Some(_) => Ok(()),
    }
}

/// Distance in metres of received positions from the truth within which both belong together.
const FITS_METRES: f64 = 3.0;

/// Returns the entities that can be judged by their received positions alone, without a truth. Those
/// that move farthest come first, as many as can be scored at once.
fn received(script: &Script, frames: f64) -> Result<Truths> {
    let paths = received_paths(script);
    if paths.is_empty() {
        bail!("no entity moves in it: nothing can be scored");
    }
    let room = (MAX_PICTURES / frames.max(1.0)) as usize;
    let chosen = &paths[..paths.len().min(room.max(1))];
    tell(&format!(
        "the truth is unknown: {} of {} compared with the received positions",
        thousands(chosen.len() as u64),
        output::count(paths.len() as u64, "moving entity is", "moving entities are")
    ));
    Ok(chosen.iter().map(|(entity, _)| (*entity, Vec::new())).collect())
}

/// Checks that a contest fits into memory.
fn check_size(subjects: usize, seconds: f64, fps: f64) -> Result<()> {
    let pictures = subjects as f64 * seconds * fps;
    if pictures > MAX_PICTURES {
        bail!(
            "too long to score at once: {}, at most {}; use a lower --fps",
            output::count(pictures as u64, "drawn place", "drawn places"),
            thousands(MAX_PICTURES as u64)
        );
    }
    Ok(())
}

fn print(args: &ScoreArgs, name: &str, title: &str, contest: &Contest, scores: &[Score]) -> Result<()> {
    let truth = score_of_truth(contest);
    if args.json {
        let mut line = json!({ "scenario": name, "scores": scores, "truth": truth });
        if args.timing {
            line["cost_ns"] =
                contest.contestants.iter().map(|of| (of.name.clone(), json!(of.cost_ns))).collect();
        }
        return output::print_json(&line);
    }
    let (mut out, width) = (output::text_beside(args.output.as_deref()), width());
    let title = if title.is_empty() { name.to_owned() } else { format!("{name}: {title}") };
    out.paragraph(Tone::Heading, &one_line(&title), width, 2)?;
    writeln!(out)?;
    scorecard::write(&Scorecard::of(scores, truth.as_ref()), &mut out, width)?;
    for score in scores.iter().filter(|score| !score.snaps.is_empty()) {
        let snaps: Vec<String> =
            score.snaps.iter().map(|(reason, count)| format!("{} {reason}", thousands(*count))).collect();
        out.paragraph(Tone::Plain, &format!("{:<22} snaps: {}", score.name, snaps.join(", ")), width, 2)?;
    }
    if args.timing {
        // Costs differ from run to run, so they are printed only if they are asked for.
        let costs: Vec<String> =
            contest.contestants.iter().map(|of| format!("{:.0} {}", of.cost_ns, of.name)).collect();
        let costs = format!("ns for each entity and frame, here and now: {}", costs.join("; "));
        out.paragraph(Tone::Plain, &costs, width, 2)?;
    }
    writeln!(out)?;
    out.flush()?;
    Ok(())
}

/// Prints the means over all contests, by contestant.
fn print_mean(args: &ScoreArgs, all: &[(Vec<Score>, Option<Score>)]) -> Result<()> {
    let contestants = all.first().map_or(0, |(scores, _)| scores.len());
    let of = |index: usize| mean(&all.iter().filter_map(|(scores, _)| scores.get(index)).collect::<Vec<_>>());
    let scores: Vec<Score> = (0..contestants).filter_map(of).collect();
    let truth = mean(&all.iter().filter_map(|(_, truth)| truth.as_ref()).collect::<Vec<_>>());
    if args.json {
        let line = json!({ "scenario": "mean", "contests": all.len(), "scores": scores, "truth": truth });
        return output::print_json(&line);
    }
    let (mut out, width) = (output::text(), width());
    let contests = output::count(all.len() as u64, "contest", "contests");
    out.paint(Tone::Heading, &format!("mean of {contests}\n\n"))?;
    scorecard::write(&Scorecard::of(&scores, truth.as_ref()), &mut out, width)?;
    out.flush()?;
    Ok(())
}
