//! `evenstride replay`: captures in, tracks, a report and a summary out.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Instant,
};

use anyhow::{Context, Result, anyhow, bail};
use evenstride_archive::Facts;
use evenstride_moments::{Moment, MomentKind, Moments};
use evenstride_replay::{
    DrawnHash, Fingerprints, Replayed, Script, Summary, TraceScope, TrackFormat, TrackWriter, quantile,
};
use evenstride_report::{About, report};
use evenstride_types::EntityId;
use evenstride_viewer::{Overview, ViewedScript};
use serde_json::json;

use super::moments::to_json;
use crate::{
    args::{OutputFormat, ReplayArgs},
    entity::{called, name_of},
    library::LoadedLibrary,
    output::{
        self, Cell, Column, Inputs, OutputFile, Table, TextOut, Tone, insist, is_dash, tell, thousands,
        width, wrap,
    },
    scene::{self, MissingTables, Scene},
    sync_test,
    track_tables::TrackTables,
};

pub(crate) fn run(args: &ReplayArgs) -> Result<ExitCode> {
    Outputs::check(args)?;
    if args.json && args.outputs.iter().any(|path| is_dash(path)) {
        bail!("--json and -o - both write to standard output; name a file for one of them");
    }
    let scene = Scene::read(&args.scene)?;
    let (from, to) = scene.range(args.from, args.to)?;
    let entities: Vec<EntityId> =
        args.entities.iter().map(|entity| entity.find(&scene.script)).collect::<Result<_>>()?;
    let (options, loaded) = scene::options(&args.scene, &scene.script)?;
    let missing = MissingTables::of(&scene.script, &options);
    // Opening creates files, so it comes after all checks.
    let outputs = Outputs::open(args, &entities)?;
    let mut tables = TrackTables::open(args, &entities)?;
    let trace = TraceScope::All;
    let options = evenstride_replay::ReplayOptions { from, to, trace, sync_test: args.synctest, ..options };
    let mut fingerprints: Vec<Fingerprints> =
        args.scene.twice.then(Fingerprints::default).into_iter().collect();
    let mut tracks = outputs.tracks;
    let script = Arc::new(scene.script);
    let viewed = Arc::new(ViewedScript::new(Arc::clone(&script), options.library.clone(), (from, to)));
    let mut overview = Overview::new(viewed);
    let mut summary = Summary::new(&script);
    // The text does not print it, and it takes a part of the time.
    let mut drawn: Vec<DrawnHash> = args.json.then(DrawnHash::default).into_iter().collect();

    let started = Instant::now();
    let texts = (&mut tracks, &mut tables);
    let watchers = ((&mut summary, &mut overview), (texts, (&mut fingerprints, &mut drawn)));
    let replayed = scene::replay_with_progress(&script, &options, &mut { watchers });
    let seconds = started.elapsed().as_secs_f64();
    let overview = overview.finish();

    let mut written = 0;
    let mut is_cut = false;
    let has_tracks = !tracks.is_empty();
    for (writer, path) in tracks.into_iter().zip(&outputs.track_paths) {
        let track = writer.finish().with_context(|| path.display().to_string())?;
        written += track.out.bytes;
        track.out.commit()?;
        tell_rows(path, track.rows);
        if track.left_out > 0 {
            is_cut = true;
            insist(&format!(
                "{}: full after {} rows and {} MB; {} rows are left out. Use --no-limit, or fewer rows with --entity, --fps, --from and --to",
                path.display(),
                thousands(track.rows),
                thousands(MAX_TRACK_BYTES / 1_000_000),
                thousands(track.left_out)
            ));
        }
    }
    let facts = || -> Result<Facts> {
        let server = scene.server.map(evenstride_archive::server_name).unwrap_or_default();
        let mut facts = Facts {
            server,
            from: args.from.and(Some(from)),
            to: args.to.and(Some(to)),
            ..facts(args, &entities)?
        };
        facts.date = script.start.and_then(evenstride_archive::date_of).unwrap_or_default();
        facts.complete(&script, &replayed);
        Ok(facts)
    };
    let has_tables = !tables.is_empty();
    let written_tables = if has_tables { tables.finish(&facts()?)? } else { Vec::new() };
    for table in written_tables {
        written += table.bytes;
        tell_rows(&table.path, table.rows);
        if table.left_out > 0 {
            is_cut = true;
            let (path, rows, left_out) =
                (table.path.display(), thousands(table.rows), thousands(table.left_out));
            insist(&format!(
                "{path}: full after {rows} rows; {left_out} rows are left out. Use --no-limit, --changed, or fewer rows with --entity, --fps, --from and --to"
            ));
        }
    }
    let about = About {
        title: title(&args.scene.captures),
        profile: args.scene.profile.name().to_owned(),
        fps: args.scene.fps,
        notes: missing.sentence(&script).into_iter().chain(not_in_the_page(args)).collect(),
    };
    for (path, mut file) in outputs.reports {
        let html = report(&about, &overview);
        file.write_all(html.as_bytes()).with_context(|| path.display().to_string())?;
        file.commit()?;
        if !is_dash(&path) {
            tell(&format!("{}: {:.0} kB; open it in a browser", path.display(), html.len() as f64 / 1e3));
        }
    }
    let drawn_hash = drawn.first().map_or(0, DrawnHash::finish);
    let found = Found { summary: &summary, moments: &overview.moments, missing: &missing, drawn_hash };
    if args.json {
        print_json(args, &script, &found, &replayed, &loaded)?;
    } else {
        print_text(args, &script, &found, &replayed)?;
    }
    if !script.places_anything() {
        scene::tell_nothing_drawn(&script);
        return Ok(ExitCode::from(1));
    }
    let speed = replayed.seconds / seconds.max(1e-9);
    tell(&format!(
        "replayed {:.1} s in {seconds:.3} s, {speed:.0} times as fast as it was",
        replayed.seconds
    ));
    if has_tracks || has_tables {
        let megabytes = written as f64 / 1e6;
        tell(&format!("tracks: {megabytes:.1} MB, {:.0} MB/s", megabytes / seconds.max(1e-9)));
    }
    let is_same = fingerprints.first().is_none_or(|first| scene::is_same_twice(first, &script, &options));
    let is_in_sync = replayed.sync_test.as_ref().is_none_or(sync_test::is_same);
    let is_whole = scene.faults + loaded.faults == 0 && !is_cut;
    Ok(if is_whole && is_same && is_in_sync { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Output files, opened before the replay starts.
struct Outputs {
    tracks: Vec<TrackWriter<OutputFile>>,
    track_paths: Vec<PathBuf>,
    reports: Vec<(PathBuf, OutputFile)>,
}

impl Outputs {
    /// Checks that outputs differ from inputs and from each other, before any file is written.
    fn check(args: &ReplayArgs) -> Result<()> {
        let scene = &args.scene;
        for path in &args.outputs {
            let format = format_of(path, args.format)?;
            if args.changed && matches!(format, OutputFormat::Csv | OutputFormat::Jsonl) {
                bail!("{}: --changed is for tracks as .parquet; rows of text have no gaps", path.display());
            }
        }
        Inputs::default()
            .with_all("a capture", &scene.captures)
            .with_all("the archive", &scene.dat)
            .with_all("a text file", &scene.tables)
            .check(args.outputs.iter().map(PathBuf::as_path))
    }

    fn open(args: &ReplayArgs, entities: &[EntityId]) -> Result<Self> {
        let mut outputs = Self { tracks: Vec::new(), track_paths: Vec::new(), reports: Vec::new() };
        let limit = if args.no_limit { u64::MAX } else { MAX_TRACK_BYTES };
        for path in &args.outputs {
            let format = match format_of(path, args.format)? {
                OutputFormat::Csv => Some(TrackFormat::Csv),
                OutputFormat::Jsonl => Some(TrackFormat::JsonLines),
                OutputFormat::Html => None,
                OutputFormat::Parquet => continue,
            };
            let file = OutputFile::create(path)?;
            match format {
                Some(format) => {
                    let only = entities.iter().copied();
                    outputs.tracks.push(TrackWriter::new(file, format, only).with_limit(limit));
                    outputs.track_paths.push(path.clone());
                }
                None => outputs.reports.push((path.clone(), file)),
            }
        }
        Ok(outputs)
    }
}

/// Size in bytes at which tracks end, unless the limit is lifted. A small capture may be silent for
/// days, and has a row for every frame of them.
const MAX_TRACK_BYTES: u64 = 2_000_000_000;

/// Returns the format of an output by its extension, or else by `--format`.
pub(crate) fn format_of(path: &Path, format: Option<OutputFormat>) -> Result<OutputFormat> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("csv") => Ok(OutputFormat::Csv),
        Some("jsonl" | "ndjson") => Ok(OutputFormat::Jsonl),
        Some("html" | "htm") => Ok(OutputFormat::Html),
        Some("parquet") => Ok(OutputFormat::Parquet),
        _ if format.is_none() && is_dash(path) => Ok(OutputFormat::Csv),
        _ => format.ok_or_else(|| {
            anyhow!(
                "{}: unknown output format. Name it .html for a report, .csv, .jsonl or .parquet for tracks, or use --format",
                path.display()
            )
        }),
    }
}

/// Returns what the program used and a page has not, in a sentence.
fn not_in_the_page(args: &ReplayArgs) -> Option<String> {
    let sources: Vec<PathBuf> = args.scene.dat.iter().chain(&args.scene.tables).cloned().collect();
    let tables = (!sources.is_empty()).then(|| format!("the motion tables of {}", title(&sources)));
    let drawing = args.scene.draw.map(|_| "--draw".to_owned());
    let missing: Vec<String> = tables.into_iter().chain(drawing).collect();
    (!missing.is_empty()).then(|| {
        format!(
            "This page replays without {}, so it may differ from the program's output.",
            missing.join(" and ")
        )
    })
}

/// Returns what the arguments tell for the metadata of a table.
fn facts(args: &ReplayArgs, entities: &[EntityId]) -> Result<Facts> {
    // A capture from standard input or a pipe has been read, and is gone.
    let hash = |path: &PathBuf| if path.is_file() { evenstride_archive::hash_of(path).ok() } else { None };
    let hashes: Vec<String> = args.scene.captures.iter().filter_map(hash).collect();
    let tables = args.scene.tables.iter().chain(&args.scene.dat);
    let tables: Vec<String> = tables
        .map(|path| evenstride_archive::hash_of(path).with_context(|| path.display().to_string()))
        .collect::<Result<_>>()?;
    Ok(Facts {
        session: title(&args.scene.captures),
        capture: hashes.join("+"),
        connection: args.scene.connection,
        profile: args.scene.profile_name(),
        fps: args.scene.fps.to_string(),
        changed: args.changed,
        tables: tables.join("+"),
        entity: entities.iter().map(ToString::to_string).collect::<Vec<_>>().join("+"),
        ..Facts::default()
    })
}

/// Warns about a table without rows.
fn tell_rows(path: &Path, rows: u64) {
    if rows == 0 {
        let path = path.display();
        insist(&format!("{path}: no rows, because no entity was in the world in the part shown"));
    }
}

fn title(captures: &[PathBuf]) -> String {
    let name = |path: &PathBuf| {
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    captures.iter().map(name).collect::<Vec<_>>().join(" + ")
}

/// What was found in a replay.
struct Found<'a> {
    summary: &'a Summary,
    moments: &'a Moments,
    missing: &'a MissingTables,
    drawn_hash: u64,
}

/// Number of moments in the summary.
const WORST: usize = 5;

fn print_text(args: &ReplayArgs, script: &Script, found: &Found<'_>, replayed: &Replayed) -> Result<()> {
    let mut out = output::text_beside(args.outputs.iter().map(PathBuf::as_path));
    let summary = found.summary;
    if let Some(sentence) = found.missing.sentence(script) {
        out.paragraph(Tone::Bad, &sentence, width(), 0)?;
        writeln!(out)?;
    }
    let player = script.player.map_or_else(|| "unknown".to_owned(), |player| name_of(script, player));
    writeln!(out, "seen by             {player}")?;
    writeln!(out, "entities            {}", thousands(summary.entities().len() as u64))?;
    writeln!(out, "updates             {}", thousands(replayed.updates))?;
    let snaps: Vec<String> =
        summary.snaps().into_iter().map(|(reason, count)| format!("{} {reason}", thousands(count))).collect();
    writeln!(
        out,
        "snaps               {}",
        if snaps.is_empty() { "none".to_owned() } else { snaps.join(", ") }
    )?;
    let farthest = [("farthest behind", summary.worst_behind()), ("farthest ahead", summary.worst_ahead())];
    for (what, worst) in farthest {
        if let Some((metres, time, entity)) = worst {
            writeln!(out, "{what:<20}{metres:.2} m, {} at {time:.2} s", name_of(script, entity))?;
        }
    }
    if replayed.skipped > 0.0 {
        writeln!(out, "silence skipped     {:.0} s", replayed.skipped)?;
    }
    print_worst(&mut out, args, script, found.moments)?;
    writeln!(out)?;
    print_entities(&mut out, script, summary)?;
    print_truth(&mut out, script, summary)?;
    out.flush()?;
    Ok(())
}

fn print_entities(out: &mut TextOut, script: &Script, summary: &Summary) -> Result<()> {
    let mut table = Table::new([
        Column::text("entity"),
        Column::number("updates").at_least(7),
        Column::number("snaps").at_least(5),
        Column::number("jumps").rank(3),
        Column::number("error median").unit("m").rank(2),
        Column::number("error p95").unit("m"),
        Column::number("most ahead").unit("m").rank(1),
        Column::number("most behind").unit("m").rank(1),
        Column::text("name"),
    ]);
    for of in summary.entities() {
        let most = |of: Option<(f64, f64)>| of.map_or_else(String::new, |(metres, _)| format!("{metres:.2}"));
        let part = |part| {
            quantile(&of.off_when_heard, part).map_or_else(String::new, |metres| format!("{metres:.3}"))
        };
        table.row([
            of.entity.to_string().into(),
            thousands(of.updates).into(),
            thousands(of.snaps.values().sum()).into(),
            thousands(of.jumps).into(),
            part(0.5).into(),
            part(0.95).into(),
            most(of.worst_ahead).into(),
            most(of.worst_behind).into(),
            script.names.get(&of.entity).map_or(Cell::from(""), |name| name.as_str().into()),
        ]);
    }
    table.write(out, width(), "use a wider terminal or --json")?;
    let legend = "error: distance of the drawn body from each position, just before it arrived. ahead, behind: the same along the entity's path. Lower is better.";
    out.paragraph(Tone::Dim, legend, width(), 0)?;
    Ok(())
}

fn print_truth(out: &mut TextOut, script: &Script, summary: &Summary) -> Result<()> {
    let known: Vec<_> = summary.entities().into_iter().filter(|of| !of.from_truth.is_empty()).collect();
    if known.is_empty() {
        return Ok(());
    }
    let mut table = Table::new([
        Column::text("from the truth"),
        Column::number("median").unit("m"),
        Column::number("p95").unit("m"),
        Column::number("most").unit("m"),
        Column::number("poses").rank(1),
        Column::text("name"),
    ]);
    for of in known {
        let part = |part| Cell::from(format!("{:.3}", quantile(&of.from_truth, part).unwrap_or(0.0)));
        table.row([
            of.entity.to_string().into(),
            part(0.5),
            part(0.95),
            part(1.0),
            thousands(of.from_truth.len() as u64).into(),
            script.names.get(&of.entity).map_or(Cell::from(""), |name| name.as_str().into()),
        ]);
    }
    writeln!(out)?;
    table.write(out, width(), "use a wider terminal or --json")?;
    Ok(())
}

/// Prints the worst moments, a line each.
fn print_worst(out: &mut TextOut, args: &ReplayArgs, script: &Script, moments: &Moments) -> Result<()> {
    let seen: Vec<&Moment> = visible(moments).collect();
    let Some(worst) = seen.first() else {
        writeln!(out, "moments             nothing that a person would notice")?;
        return Ok(());
    };
    writeln!(out)?;
    out.paint(Tone::Heading, "worst moments")?;
    writeln!(out, " ({} in all)", thousands(seen.len() as u64))?;
    for moment in seen.iter().take(WORST) {
        let (name, headline) = (called(script, moment.entity), moment.headline());
        let start = format!("{:>10.2} s  {:<15} ", moment.from, moment.kind);
        let room = width().map(|width| width.saturating_sub(start.len()).max(20));
        for (number, line) in wrap(&format!("{name} {headline}"), room, 0).iter().enumerate() {
            let start = if number == 0 { start.clone() } else { " ".repeat(start.len()) };
            writeln!(out, "{start}{line}")?;
        }
    }
    let scene = args.scene.to_words();
    writeln!(out, "why: evenstride explain {scene} --entity {} --at {:.2}", worst.entity, worst.from)?;
    Ok(())
}

/// Returns the moments without missing motion tables, which are named on their own.
fn visible(moments: &Moments) -> impl Iterator<Item = &Moment> {
    moments.iter().filter(|moment| moment.kind != MomentKind::MissingTable)
}

fn print_json(
    args: &ReplayArgs,
    script: &Script,
    found: &Found<'_>,
    replayed: &Replayed,
    loaded: &LoadedLibrary,
) -> Result<()> {
    let summary = found.summary;
    let entities: Vec<_> = summary
        .entities()
        .into_iter()
        .map(|of| {
            let truth = (!of.from_truth.is_empty()).then(|| {
                let [median, p95, most] = [0.5, 0.95, 1.0].map(|part| quantile(&of.from_truth, part));
                json!({ "median": median, "p95": p95, "most": most, "poses": of.from_truth.len() })
            });
            let off = (!of.off_when_heard.is_empty()).then(|| {
                let [median, p95, most] = [0.5, 0.95, 1.0].map(|part| quantile(&of.off_when_heard, part));
                json!({ "median": median, "p95": p95, "most": most })
            });
            json!({
                "entity": of.entity.to_string(),
                "name": script.names.get(&of.entity),
                "updates": of.updates,
                "snaps": of.snaps,
                "jumps": of.jumps,
                "most_behind": of.worst_behind.map(|(metres, time)| json!({ "metres": metres, "time": time })),
                "most_ahead": of.worst_ahead.map(|(metres, time)| json!({ "metres": metres, "time": time })),
                "off_when_heard": off,
                "from_truth": truth,
            })
        })
        .collect();
    let report = json!({
        "profile": args.scene.profile_name(),
        "fps": args.scene.fps,
        "player": script.player.map(|player| player.to_string()),
        "seconds": replayed.seconds,
        "skipped": replayed.skipped,
        "frames": replayed.frames,
        "updates": replayed.updates,
        "snaps": summary.snaps(),
        "moments": visible(found.moments).count(),
        "worst_moments": visible(found.moments).take(WORST).map(|of| to_json(of, script)).collect::<Vec<_>>(),
        "missing_tables": found.missing.json(),
        "state_hash": format!("0x{:016X}", replayed.state_hash),
        "drawn_hash": format!("0x{:016X}", found.drawn_hash),
        "entities": entities,
        "dat": loaded.about,
        "synctest": replayed.sync_test.as_ref().map(sync_test::json),
    });
    output::print_json(&report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_made_of_file_names() {
        let captures = ["some/where/a.pcap", "b.jsonl"].map(PathBuf::from);
        assert_eq!(title(&captures), "a.pcap + b.jsonl");
    }
}
