//! `evenstride replay`: captures in, tracks, a report and a summary out.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use anyhow::{Context, Result, bail};
use evenstride_replay::{
    Fingerprints, Replayed, Script, Summary, TraceScope, TrackFormat, TrackWriter, quantile, replay,
};
use evenstride_report::{About, Report};
use serde_json::json;

use crate::{
    args::ReplayArgs,
    library::LoadedLibrary,
    output::{self, Inputs, OutputFile, one_line, tell},
    scene::{self, Scene},
    sync_test,
};

pub(crate) fn run(args: &ReplayArgs) -> Result<ExitCode> {
    Outputs::check(args)?;
    let scene = Scene::read(&args.scene)?;
    let (first, last) = scene.script.span().unwrap_or_default();
    let (from, to) = (args.from.unwrap_or(f64::NEG_INFINITY), args.to.unwrap_or(f64::INFINITY));
    if from > to || from > last + 3.0 || to < first {
        bail!("nothing between --from and --to: the capture runs from {first:.3} to {last:.3} s");
    }
    if let Some(entity) = args.entities.iter().find(|entity| !scene.script.entities().contains(entity)) {
        bail!("no message mentions {entity}; known entities: {}", scene.script.entities_in_words());
    }
    let (options, loaded) = scene::options(&args.scene, &scene.script)?;
    // Opening creates files, so it comes after all checks.
    let outputs = Outputs::open(args)?;
    let trace = if outputs.reports.is_empty() { TraceScope::None } else { TraceScope::All };
    let options = evenstride_replay::ReplayOptions { from, to, trace, sync_test: args.synctest, ..options };
    let mut fingerprints: Vec<Fingerprints> =
        args.scene.twice.then(Fingerprints::default).into_iter().collect();
    let mut tracks = outputs.tracks;
    let mut reports: Vec<Report> = outputs.reports.iter().map(|_| Report::new(&scene.script)).collect();
    let mut summary = Summary::new(&scene.script);

    let started = Instant::now();
    let watchers = (&mut summary, (&mut reports, (&mut tracks, &mut fingerprints)));
    let replayed = replay(&scene.script, &options, &mut { watchers });
    let seconds = started.elapsed().as_secs_f64();

    let mut written = 0;
    let mut is_cut = false;
    let has_tracks = !tracks.is_empty();
    for (writer, path) in tracks.into_iter().zip(&outputs.track_paths) {
        let track = writer.finish().with_context(|| path.display().to_string())?;
        written += track.out.bytes;
        track.out.commit()?;
        if track.rows == 0 {
            tell(&format!(
                "{}: no rows, because no entity was in the world in the part shown",
                path.display()
            ));
        }
        if track.left_out > 0 {
            is_cut = true;
            tell(&format!(
                "{}: full after {} rows and {} MB; {} rows are left out. Use --no-limit, or fewer rows with --entity, --fps, --from and --to",
                path.display(),
                track.rows,
                MAX_TRACK_BYTES / 1_000_000,
                track.left_out
            ));
        }
    }
    let about = About {
        title: title(&args.scene.captures),
        profile: args.scene.profile_name() + &moved_by(args),
        fps: args.scene.fps,
    };
    for ((path, mut file), report) in outputs.reports.into_iter().zip(reports) {
        let html = report.finish(&about, &scene.script, &summary, &replayed);
        file.write_all(html.as_bytes()).with_context(|| path.display().to_string())?;
        file.commit()?;
        tell(&format!("{}: {:.0} kB; open it in a browser", path.display(), html.len() as f64 / 1e3));
    }
    if args.json {
        print_json(args, &scene.script, &summary, &replayed, &loaded)?;
    } else {
        print_text(&scene.script, &summary, &replayed)?;
    }
    let speed = replayed.seconds / seconds.max(1e-9);
    tell(&format!(
        "replayed {:.1} s in {seconds:.3} s, {speed:.0} times as fast as it was",
        replayed.seconds
    ));
    if has_tracks {
        let megabytes = written as f64 / 1e6;
        tell(&format!("tracks: {megabytes:.1} MB, {:.0} MB/s", megabytes / seconds.max(1e-9)));
    }
    let is_same =
        fingerprints.first().is_none_or(|first| scene::is_same_twice(first, &scene.script, &options));
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
        args.outputs.iter().try_for_each(|path| format_of(path).map(drop))?;
        Inputs::default()
            .with_all("a capture", &scene.captures)
            .with_all("the archive", &scene.dat)
            .with_all("a text file", &scene.tables)
            .check(args.outputs.iter().map(PathBuf::as_path))
    }

    fn open(args: &ReplayArgs) -> Result<Self> {
        let mut outputs = Self { tracks: Vec::new(), track_paths: Vec::new(), reports: Vec::new() };
        let limit = if args.no_limit { u64::MAX } else { MAX_TRACK_BYTES };
        for path in &args.outputs {
            let file = OutputFile::create(path)?;
            match format_of(path)? {
                Some(format) => {
                    let only = args.entities.iter().copied();
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

/// Returns the format of an output file by its extension, or `None` for a report.
fn format_of(path: &Path) -> Result<Option<TrackFormat>> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("csv") => Ok(Some(TrackFormat::Csv)),
        Some("jsonl" | "ndjson") => Ok(Some(TrackFormat::JsonLines)),
        Some("html" | "htm") => Ok(None),
        _ => bail!(
            "{}: unknown output format. Name it .html for a report, .csv or .jsonl for tracks",
            path.display()
        ),
    }
}

/// Returns the sources of motion tables in words, or nothing if only the built-in ones are used.
fn moved_by(args: &ReplayArgs) -> String {
    let sources: Vec<PathBuf> = args.scene.dat.iter().chain(&args.scene.tables).cloned().collect();
    if sources.is_empty() { String::new() } else { format!(", motion tables of {}", title(&sources)) }
}

fn title(captures: &[PathBuf]) -> String {
    let name = |path: &PathBuf| {
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    captures.iter().map(name).collect::<Vec<_>>().join(" + ")
}

fn print_text(script: &Script, summary: &Summary, replayed: &Replayed) -> Result<()> {
    let mut out = output::text();
    let player = script.player.map_or_else(|| "unknown".to_owned(), |player| name_of(script, player));
    writeln!(out, "seen by             {player}")?;
    writeln!(out, "entities            {}", summary.entities().len())?;
    writeln!(out, "updates             {}", replayed.updates)?;
    let snaps: Vec<String> =
        summary.snaps().into_iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    writeln!(
        out,
        "snaps               {}",
        if snaps.is_empty() { "none".to_owned() } else { snaps.join(", ") }
    )?;
    if let Some((metres, time, entity)) = summary.worst_behind() {
        writeln!(out, "farthest behind     {metres:.2} m, {} at {time:.2} s", name_of(script, entity))?;
    }
    if replayed.skipped > 0.0 {
        writeln!(out, "silence skipped     {:.0} s", replayed.skipped)?;
    }
    writeln!(out, "\n                                   error on receipt, m")?;
    writeln!(out, "entity      updates  snaps  jumps  median     p95  most behind, m  name")?;
    for entity in summary.entities() {
        let snaps: u64 = entity.snaps.values().sum();
        let behind = entity.worst_behind.map_or_else(String::new, |(metres, _)| format!("{metres:.2}"));
        let name = one_line(script.names.get(&entity.entity).map_or("", String::as_str));
        let part = |part| {
            quantile(&entity.off_when_heard, part).map_or_else(String::new, |metres| format!("{metres:.3}"))
        };
        writeln!(
            out,
            "{}  {:>7} {snaps:>6} {:>6} {:>7} {:>7} {behind:>15}  {name}",
            entity.entity,
            entity.updates,
            entity.jumps,
            part(0.5),
            part(0.95)
        )?;
    }
    let known: Vec<_> = summary.entities().into_iter().filter(|of| !of.from_truth.is_empty()).collect();
    if !known.is_empty() {
        writeln!(out, "\nfrom the truth, m   median    p95    most  poses  name")?;
        for of in known {
            let part = |part| quantile(&of.from_truth, part).unwrap_or(0.0);
            let (median, p95, most) = (part(0.5), part(0.95), part(1.0));
            let name = one_line(script.names.get(&of.entity).map_or("", String::as_str));
            let count = of.from_truth.len();
            writeln!(out, "{}          {median:>7.3} {p95:>6.3} {most:>7.3} {count:>6}  {name}", of.entity)?;
        }
    }
    out.flush()?;
    Ok(())
}

fn print_json(
    args: &ReplayArgs,
    script: &Script,
    summary: &Summary,
    replayed: &Replayed,
    loaded: &LoadedLibrary,
) -> Result<()> {
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
        "state_hash": format!("0x{:016X}", replayed.state_hash),
        "entities": entities,
        "dat": loaded.about,
        "synctest": replayed.sync_test.as_ref().map(sync_test::json),
    });
    output::print_json(&report)
}

fn name_of(script: &Script, entity: evenstride_types::EntityId) -> String {
    match script.names.get(&entity) {
        Some(name) => format!("{entity} {}", one_line(name)),
        None => entity.to_string(),
    }
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
