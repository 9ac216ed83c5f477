//! `evenstride archive`: many captures in, a folder of tables out.

use std::{
    collections::BTreeMap,
    io::Write,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    thread,
    time::Instant,
};

use anyhow::{Context, Result, anyhow};
use evenstride::animation::MotionLibrary;
use evenstride_archive::{
    CaptureOptions, ConvertOptions, FrameScope, TABLES,
    archive::{Archive, Event, Outcome, Report, Settings, find_captures},
    hash_of,
};
use evenstride_capture::SERVER_PORTS;
use serde_json::{Value, json};

use crate::{
    args::ArchiveArgs,
    output::{self, Cell, Column, Progress, Table, count, tell, thousands, warn, width},
    source::read_text,
};

pub(crate) fn run(args: &ArchiveArgs) -> Result<ExitCode> {
    let found = find_captures(&args.captures).map_err(|error| anyhow!(error))?;
    let unreadable = found.unreadable;
    for (folder, error) in &unreadable {
        warn(&format!("{}: {error}", folder.display()));
    }
    let captures = outside(found.captures, &args.output);
    let options = options(args)?;
    let ports = args.server_ports.as_ref();
    let settings = Settings {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        profile: args.profile.name().to_owned(),
        fps: args.fps,
        changed_only: args.changed,
        tables: options.tables.clone(),
        server_ports: ports.map(|ports| format!("{}-{}", ports.start(), ports.end())).unwrap_or_default(),
    };
    let jobs = args.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let archive = Archive::open(&args.output, &settings, options, jobs)?;
    let progress = Progress::new("archiving");
    let started = Instant::now();
    let report = archive.run(&captures, &|event: &Event<'_>| {
        progress.set(event.done);
        if let Outcome::Failed(error) = event.outcome {
            progress.suspend(|| warn(&format!("{}: {error}", event.capture.display())));
        }
    })?;
    drop(progress);
    let totals = Totals::of(&report, unreadable);
    if args.json {
        output::print_json(&totals.json(&report, captures.len()))?;
    } else {
        totals.print(&report)?;
    }
    let (seconds, rows) = (started.elapsed().as_secs_f64(), totals.rows("tracks"));
    if rows > 0 {
        let speed = thousands((rows as f64 / seconds.max(1e-9)) as u64);
        tell(&format!(
            "{} in {seconds:.1} s, {speed} rows of tracks per second",
            count(report.converted.len() as u64, "capture", "captures")
        ));
    }
    tell(&format!("next: duckdb -c \"from read_parquet('{}/moments/**/*.parquet')\"", args.output.display()));
    let is_whole = report.failed.is_empty() && totals.faults == 0 && totals.unreadable.is_empty();
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn options(args: &ArchiveArgs) -> Result<ConvertOptions> {
    let library = match &args.tables {
        None => None,
        Some(path) => {
            let library = evenstride_tables::parse_into(&read_text(path)?, MotionLibrary::built_in());
            Some(Arc::new(library.with_context(|| path.display().to_string())?))
        }
    };
    Ok(ConvertOptions {
        profile: args.profile.name().to_owned(),
        config: args.profile.config(),
        fps: args.fps,
        library,
        frames: if args.changed { FrameScope::Changed } else { FrameScope::All },
        tables: match &args.tables {
            Some(path) => hash_of(path).with_context(|| path.display().to_string())?,
            None => String::new(),
        },
        reading: CaptureOptions {
            server_ports: args.server_ports.clone().unwrap_or(SERVER_PORTS),
            ..CaptureOptions::default()
        },
        ..ConvertOptions::default()
    })
}

/// Leaves out files of the archive itself, such as its manifest.
fn outside(captures: Vec<PathBuf>, folder: &Path) -> Vec<PathBuf> {
    let Ok(folder) = folder.canonicalize() else { return captures };
    let is_outside = |path: &PathBuf| !path.canonicalize().is_ok_and(|path| path.starts_with(&folder));
    captures.into_iter().filter(is_outside).collect()
}

/// Numbers of a run.
struct Totals {
    /// Rows and bytes by table.
    tables: BTreeMap<String, (u64, u64)>,
    /// Number of unreadable parts and of rows that did not fit.
    faults: u64,
    /// Folders that could not be searched, with the reasons.
    unreadable: Vec<(PathBuf, String)>,
}

impl Totals {
    fn of(report: &Report, unreadable: Vec<(PathBuf, String)>) -> Self {
        let mut tables: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for table in report.converted.iter().flat_map(|file| &file.tables) {
            let name = table.path.split('/').next().unwrap_or_default();
            let (rows, bytes) = tables.entry(name.to_owned()).or_default();
            (*rows, *bytes) = (*rows + table.rows, *bytes + table.bytes);
        }
        let faults = report.converted.iter().map(|file| file.faults + file.left_out).sum();
        Self { tables, faults, unreadable }
    }

    fn rows(&self, table: &str) -> u64 {
        self.tables.get(table).map_or(0, |(rows, _)| *rows)
    }

    fn json(&self, report: &Report, captures: usize) -> Value {
        let tables: Vec<Value> = TABLES
            .iter()
            .map(|spec| {
                let (rows, bytes) = self.tables.get(spec.name).copied().unwrap_or_default();
                json!({ "name": spec.name, "rows": rows, "bytes": bytes })
            })
            .collect();
        let faulty = report.converted.iter().filter(|file| file.faults + file.left_out > 0);
        let faulty = faulty
            .map(|file| json!({ "capture": file.capture, "faults": file.faults, "left_out": file.left_out }));
        let copies = report.copies.iter().map(|(capture, of)| json!({ "capture": capture, "same_as": of }));
        let failed =
            report.failed.iter().map(|(capture, error)| json!({ "capture": capture, "error": error }));
        let several = report.converted.iter().filter(|file| file.connections.len() > 1);
        let several = several.map(|file| json!({ "capture": file.capture, "connections": file.connections }));
        let unreadable = self.unreadable.iter();
        let unreadable =
            unreadable.map(|(path, error)| json!({ "path": path.display().to_string(), "error": error }));
        json!({
            "captures": captures,
            "converted": report.converted.len(),
            "skipped": report.skipped,
            "tables": tables,
            "faulty": faulty.collect::<Vec<_>>(),
            "copies": copies.collect::<Vec<_>>(),
            "failed": failed.collect::<Vec<_>>(),
            "several_connections": several.collect::<Vec<_>>(),
            "unreadable": unreadable.collect::<Vec<_>>(),
        })
    }

    fn print(&self, report: &Report) -> Result<()> {
        let mut out = output::text();
        writeln!(out, "converted           {}", thousands(report.converted.len() as u64))?;
        writeln!(out, "done before         {}", thousands(report.skipped))?;
        if !report.copies.is_empty() {
            writeln!(out, "copies of others    {}", thousands(report.copies.len() as u64))?;
        }
        writeln!(out, "failed              {}", thousands(report.failed.len() as u64))?;
        if !self.tables.is_empty() {
            writeln!(out)?;
            let numbers = [Column::number("rows"), Column::number("bytes"), Column::number("bytes per row")];
            let mut table = Table::new(std::iter::once(Column::text("table")).chain(numbers));
            for (name, (rows, bytes)) in &self.tables {
                let per_row =
                    if *rows > 0 { format!("{:.1}", *bytes as f64 / *rows as f64) } else { String::new() };
                table.row([
                    Cell::from(name.as_str()),
                    thousands(*rows).into(),
                    thousands(*bytes).into(),
                    per_row.into(),
                ]);
            }
            table.write(&mut out, width(), "use a wider terminal or --json")?;
        }
        let faulty: Vec<_> = report.converted.iter().filter(|file| file.faults + file.left_out > 0).collect();
        for file in &faulty {
            let parts = count(file.faults, "unreadable part", "unreadable parts");
            let rows = count(file.left_out, "row", "rows");
            writeln!(out, "{}: {parts}, {rows} left out", file.capture)?;
        }
        for file in report.converted.iter().filter(|file| file.connections.len() > 1) {
            writeln!(
                out,
                "{}: {} connections, each with tables of its own",
                file.capture,
                file.connections.len()
            )?;
        }
        for (capture, error) in &report.failed {
            writeln!(out, "{capture}: {error}")?;
        }
        for (path, error) in &self.unreadable {
            writeln!(out, "{}: {error}; what is in it is missing", path.display())?;
        }
        out.flush()?;
        Ok(())
    }
}
