//! `evenstride replay`: captures in, tracks, a report and a summary out.

use std::{
    fs::File,
    io::{BufWriter, Write},
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
    scene::{self, Scene},
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
    // Opening overwrites existing files, so it comes after all checks.
    let outputs = Outputs::open(args)?;
    let trace = if outputs.reports.is_empty() { TraceScope::None } else { TraceScope::All };
    let options = evenstride_replay::ReplayOptions { from, to, trace, ..options };
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
    let has_tracks = !tracks.is_empty();
    for (writer, path) in tracks.into_iter().zip(&outputs.track_paths) {
        let (rows, out) = writer.finish().with_context(|| path.display().to_string())?;
        written += out.bytes;
        if rows == 0 {
            let words =
                format!("{}: no rows, because no entity was in the world in the part shown", path.display());
            crate::output::tell(&words);
        }
    }
    let about = About {
        title: title(&args.scene.captures),
        profile: args.scene.profile_name() + &moved_by(args),
        fps: args.scene.fps,
    };
    for ((path, mut file), report) in outputs.reports.into_iter().zip(reports) {
        let html = report.finish(&about, &scene.script, &summary, &replayed);
        file.write_all(html.as_bytes())
            .and_then(|()| file.flush())
            .with_context(|| path.display().to_string())?;
        crate::output::tell(&format!(
            "{}: {:.0} kB; open it in a browser",
            path.display(),
            html.len() as f64 / 1e3
        ));
    }
    if args.json {
        print_json(args, &scene.script, &summary, &replayed, &loaded)?;
    } else {
        print_text(&scene.script, &summary, &replayed)?;
    }
    let speed = replayed.seconds / seconds.max(1e-9);
    crate::output::tell(&format!(
        "replayed {:.1} s in {seconds:.3} s, {speed:.0} times as fast as it was",
        replayed.seconds
    ));
    if has_tracks {
        let megabytes = written as f64 / 1e6;
        crate::output::tell(&format!("tracks: {megabytes:.1} MB, {:.0} MB/s", megabytes / seconds.max(1e-9)));
    }
    let is_same =
        fingerprints.first().is_none_or(|first| scene::is_same_twice(first, &scene.script, &options));
    Ok(if scene.faults + loaded.faults == 0 && is_same { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Output files, opened before the replay starts.
struct Outputs {
    tracks: Vec<TrackWriter<Counted>>,
    track_paths: Vec<PathBuf>,
    reports: Vec<(PathBuf, BufWriter<File>)>,
}

impl Outputs {
    /// Checks that outputs differ from inputs and from each other, before any file is written.
    fn check(args: &ReplayArgs) -> Result<()> {
        let scene = &args.scene;
        let captures = scene.captures.iter().map(|path| ("a capture", path));
        let archive = scene.dat.iter().map(|path| ("the archive", path));
        let text = scene.tables.iter().map(|path| ("a text file", path));
        let inputs: Vec<_> = captures.chain(archive).chain(text).collect();
        let mut taken: Vec<PathBuf> = Vec::new();
        for path in &args.outputs {
            format_of(path)?;
            if let Some((what, _)) =
                inputs.iter().find(|(_, input)| crate::output::would_overwrite(path, input))
            {
                bail!(
                    "{}: is also an input ({what}) and would be overwritten; choose another output",
                    path.display()
                );
            }
            // A missing file is compared by its folder and name.
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.map_or_else(|| PathBuf::from("."), PathBuf::from);
            let whole = path
                .canonicalize()
                .ok()
                .or_else(|| Some(folder.canonicalize().ok()?.join(path.file_name()?)));
            let Some(whole) = whole else { bail!("{}: there is no such folder", path.display()) };
            if taken.contains(&whole) {
                bail!("{}: would be written twice; name each output once", path.display());
            }
            taken.push(whole);
        }
        Ok(())
    }

    fn open(args: &ReplayArgs) -> Result<Self> {
        let mut outputs = Self { tracks: Vec::new(), track_paths: Vec::new(), reports: Vec::new() };
        for path in &args.outputs {
            let format = format_of(path)?;
            let file =
                File::create(path).with_context(|| format!("{}: cannot be written", path.display()))?;
            match format {
                Some(format) => {
                    let out = Counted { file: BufWriter::with_capacity(1 << 16, file), bytes: 0 };
                    outputs.tracks.push(TrackWriter::new(out, format, args.entities.iter().copied()));
                    outputs.track_paths.push(path.clone());
                }
                None => outputs.reports.push((path.clone(), BufWriter::new(file))),
            }
        }
        Ok(outputs)
    }
}

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

/// A file that counts the bytes written.
struct Counted {
    file: BufWriter<File>,
    bytes: u64,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
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
    let mut out = BufWriter::new(std::io::stdout());
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
        let name = script.names.get(&entity.entity).map_or("", String::as_str);
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
            let name = script.names.get(&of.entity).map_or("", String::as_str);
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
    });
    let mut out = std::io::stdout();
    serde_json::to_writer(&mut out, &report)?;
    writeln!(out)?;
    Ok(())
}

fn name_of(script: &Script, entity: evenstride_types::EntityId) -> String {
    match script.names.get(&entity) {
        Some(name) => format!("{entity} {name}"),
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
