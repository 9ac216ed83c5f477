//! The command `cargo xtask conform`, which runs reference traces through the motion core.

use std::{
    collections::BTreeSet,
    io::{self, BufWriter, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Result, bail};
use clap::{
    Parser,
    builder::{PossibleValuesParser, TypedValueParser},
};
use evenstride_conformance::start;
use evenstride_trace::{DriverName, Failure, Outcome, Report, Verdict, find_traces, run_file};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

/// Run reference traces through the motion core and name the first difference in each.
///
/// Traces record the inputs and answers of models of the 2013 client.
///
/// Prints one line per file, a summary by driver, and last `N passed, M failed`. The exit code is 0
/// if no trace failed and 1 if any did. It is 2 if there was nothing to run or a path could not be
/// read.
#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask conform",
    bin_name = "cargo xtask conform",
    arg_required_else_help = true,
    after_help = "Examples:\n  cargo xtask conform testdata/golden\n  cargo xtask conform --driver math_calls testdata/golden\n  cargo xtask conform --json my_trace.jsonl | jq 'select(.type == \"file\").result'"
)]
struct Args {
    /// Trace files (*.jsonl, *.jsonl.gz), or folders that contain them at any depth
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Run only traces of this driver (repeat the flag, or separate names with commas)
    #[arg(long = "driver", value_name = "NAME", value_delimiter = ',', value_parser = driver_parser())]
    drivers: Vec<DriverName>,

    /// Print one JSON object per file, then one with the summary
    #[arg(long)]
    json: bool,
}

fn driver_parser() -> impl TypedValueParser<Value = DriverName> {
    PossibleValuesParser::new(DriverName::ALL.map(DriverName::name)).try_map(|name| {
        // The parser above accepts only known names.
        DriverName::from_name(&name).ok_or_else(|| format!("unknown driver {name}"))
    })
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(code) => code,
        // The reader has closed the pipe (`| head`). 141 is the code a shell reports for a program
        // that a closed pipe ended.
        Err(error) if is_broken_pipe(&error) => ExitCode::from(141),
        Err(error) => {
            eprintln!("conform: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn run(args: &Args) -> Result<ExitCode> {
    let traces = gather(&args.paths)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let progress = progress_bar(traces.len() as u64);
    let mut report = Report::default();
    for path in &traces {
        let outcome =
            run_file(path, |driver| args.drivers.is_empty() || args.drivers.contains(&driver), start);
        report.count(&outcome);
        if args.json {
            write_json(&mut out, path, &outcome)?
        } else {
            write_line(&mut out, path, &outcome)?
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    let total = report.total();
    if total.passed + total.failed == 0 {
        out.flush()?;
        let asked: Vec<_> = args.drivers.iter().map(|driver| driver.name()).collect();
        bail!("no trace found uses driver {} (looked at {})", asked.join(" or "), traces.len());
    }
    if args.json {
        write_json_summary(&mut out, &report)?
    } else {
        write_summary(&mut out, &report)?
    }
    out.flush()?;
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Returns every trace of the paths, each once.
fn gather(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut seen = BTreeSet::new();
    let mut traces = Vec::new();
    for path in paths {
        for trace in find_traces(path)? {
            if seen.insert(trace.canonicalize().unwrap_or_else(|_| trace.clone())) {
                traces.push(trace);
            }
        }
    }
    Ok(traces)
}

fn write_line(out: &mut impl Write, path: &Path, outcome: &Outcome) -> io::Result<()> {
    match &outcome.verdict {
        Verdict::Pass => writeln!(out, "pass {} ({} lines)", path.display(), outcome.lines),
        Verdict::Fail(failure) => writeln!(out, "FAIL {}: {failure}", path.display()),
        Verdict::NotSelected => Ok(()),
    }
}

fn write_summary(out: &mut impl Write, report: &Report) -> io::Result<()> {
    writeln!(out, "\n{:<16} {:>7} {:>7} {:>9}", "driver", "passed", "failed", "lines")?;
    for (driver, tally) in report.by_driver() {
        let name = driver.map_or("(unknown)", |driver| driver.name());
        writeln!(out, "{name:<16} {:>7} {:>7} {:>9}", tally.passed, tally.failed, tally.lines)?;
    }
    if report.not_selected() > 0 {
        writeln!(out, "{} traces of other drivers were not run", report.not_selected())?;
    }
    let total = report.total();
    writeln!(out, "\n{} passed, {} failed", total.passed, total.failed)
}

fn write_json(out: &mut impl Write, path: &Path, outcome: &Outcome) -> Result<()> {
    let result = match &outcome.verdict {
        Verdict::Pass => "pass",
        Verdict::Fail(_) => "fail",
        Verdict::NotSelected => return Ok(()),
    };
    let mut object = json!({
        "type": "file",
        "file": path.display().to_string(),
        "driver": outcome.driver.map(|driver| driver.name()),
        "result": result,
        "lines": outcome.lines,
    });
    if let Verdict::Fail(failure) = &outcome.verdict {
        object["reason"] = failure.to_string().into();
        if let Failure::Differs(difference) = failure {
            object["difference"] = serde_json::to_value(difference)?;
        }
    }
    serde_json::to_writer(&mut *out, &object)?;
    Ok(writeln!(out)?)
}

fn write_json_summary(out: &mut impl Write, report: &Report) -> Result<()> {
    let drivers: serde_json::Map<_, _> = report
        .by_driver()
        .map(|(driver, tally)| {
            let name = driver.map_or("(unknown)", |driver| driver.name());
            (name.to_owned(), json!({"passed": tally.passed, "failed": tally.failed, "lines": tally.lines}))
        })
        .collect();
    let total = report.total();
    let summary = json!({
        "type": "summary",
        "passed": total.passed,
        "failed": total.failed,
        "not_selected": report.not_selected(),
        "drivers": drivers,
    });
    serde_json::to_writer(&mut *out, &summary)?;
    Ok(writeln!(out)?)
}

/// Returns a progress bar, which is hidden if standard output is a terminal. There the lines
/// themselves show the progress.
fn progress_bar(length: u64) -> ProgressBar {
    if io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len} traces, {eta} left");
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
