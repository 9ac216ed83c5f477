//! `evenstride conform`: runs another program against reference traces.

use std::{
    collections::BTreeSet,
    io::Write,
    path::{Path, PathBuf},
    process::{self, ExitCode},
};

use anyhow::{Context, Result, bail};
use evenstride_referee::{
    Judged, Mode, Reason, Score, Session, Settings, Verdict, judge_read,
    report::{self, explain},
};
use evenstride_trace::{DriverName, Malformed, Trace, find_traces};

use crate::{
    args::ConformArgs,
    output::{self, Cell, Column, Inputs, OutputFile, Table, TextOut, Tone, tell},
};

pub(crate) fn run(args: &ConformArgs) -> Result<ExitCode> {
    let Some(command) = &args.against else { return refer() };
    let paths = gather(args)?;
    let outputs = || [&args.junit, &args.html].into_iter().flatten().map(PathBuf::as_path);
    Inputs::default().with_all("a trace", &paths).check(outputs())?;
    if args.json && outputs().any(output::is_dash) {
        bail!("-: standard output has the JSON lines; name a file");
    }
    let mode = if args.batch { Mode::Batch } else { Mode::Dialogue };
    let settings = Settings { command: command.clone(), timeout: args.timeout, mode };
    let mut session = Session::new(settings);
    end_on_ctrl_c(&session)?;
    let mut score = Score::default();
    let mut sessions = 0;
    let mut out = if args.json { output::json() } else { output::text_beside(outputs()) };
    for path in &paths {
        let trace = Trace::read(path);
        if trace.as_ref().is_ok_and(|trace| trace.header.is_regression()) {
            sessions += 1;
            continue;
        }
        if !is_selected(&trace, args) {
            continue;
        }
        let judged = judge_read(&mut session, path, trace);
        if args.json {
            writeln!(out, "{}", report::of_trace(&judged))?;
        } else {
            write_trace(&mut out, path, &judged)?;
        }
        // A user sees where a slow program is.
        out.flush()?;
        score.judged.push(judged);
    }
    if sessions > 0 {
        let files = output::count(sessions, "session", "sessions");
        tell(&format!("conform: {files} left out, because Evenstride itself made the answers"));
    }
    if score.judged.is_empty() {
        bail!(
            "conform: none of {} has this driver or behaviour",
            output::count(paths.len() as u64, "trace", "traces")
        );
    }
    if args.json {
        writeln!(out, "{}", report::summary(&score, session.claims()))?;
    } else {
        write_summary(&mut out, &score, &session)?;
    }
    out.flush()?;
    if let Some(path) = &args.junit {
        OutputFile::write_whole(path, report::junit(&score).as_bytes())?;
    }
    if let Some(path) = &args.html {
        OutputFile::write_whole(path, report::html(&score, session.claims()).as_bytes())?;
    }
    let total = score.total();
    Ok(if total.failed == 0 && total.passed > 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Ends the program when the user ends this one. It leads a process group of its own, so it would not
/// hear of that.
fn end_on_ctrl_c(session: &Session) -> Result<()> {
    let stopper = session.stopper();
    let stop = move || {
        stopper.stop();
        process::exit(130);
    };
    ctrlc::set_handler(stop).context("Ctrl-C cannot be handled")
}

/// Fails with the command that runs traces through the core. They need the core's private feature,
/// and the shipped program is built and tested without it.
fn refer() -> Result<ExitCode> {
    let rest: Vec<String> = std::env::args_os()
        .skip_while(|word| word != "conform")
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let rest = if rest.is_empty() { "testdata/golden".to_owned() } else { rest.join(" ") };
    bail!(
        "conform: reference traces do not run in this program; in the project's folder, run `cargo xtask conform {rest}`, or add --against COMMAND to run another program"
    )
}

/// Returns every trace of the paths, each once.
fn gather(args: &ConformArgs) -> Result<Vec<PathBuf>> {
    let usual = ["traces", "testdata/golden"].map(PathBuf::from);
    let paths = match args.paths.as_slice() {
        [] => match usual.into_iter().find(|path| path.is_dir()) {
            Some(path) => vec![path],
            None => {
                bail!("conform: no folder `traces` here; name a trace or a folder of the conformance kit")
            }
        },
        paths => paths.to_vec(),
    };
    let (mut seen, mut traces) = (BTreeSet::new(), Vec::new());
    for path in &paths {
        for trace in find_traces(path)? {
            if seen.insert(trace.canonicalize().unwrap_or_else(|_| trace.clone())) {
                traces.push(trace);
            }
        }
    }
    Ok(traces)
}

/// Returns whether a trace has a selected driver and behaviour. An unreadable one is always
/// selected, because it must not pass unseen.
fn is_selected(trace: &Result<Trace, Malformed>, args: &ConformArgs) -> bool {
    let Ok(Trace { header, .. }) = trace else { return true };
    let driver = DriverName::from_name(&header.driver);
    let has_driver = args.drivers.is_empty() || driver.is_none_or(|driver| args.drivers.contains(&driver));
    let pins = |behaviour: &&evenstride_trace::Behaviour| behaviour.is_pinned_by(&header.name);
    has_driver && (args.behaviours.is_empty() || args.behaviours.iter().any(pins))
}

fn write_trace(out: &mut TextOut, path: &Path, judged: &Judged) -> Result<()> {
    let reason = report::reason(judged).unwrap_or_default();
    match judged.verdict {
        Verdict::Pass => writeln!(out, "pass {} ({} lines)", path.display(), judged.lines)?,
        Verdict::Unsupported(_) => writeln!(out, "---- {}: {}", path.display(), output::one_line(&reason))?,
        Verdict::Fail(_) => {
            out.paint(Tone::Bad, "FAIL")?;
            writeln!(out, " {}: {}", path.display(), output::one_line(&reason))?;
        }
    }
    Ok(())
}

fn write_summary(out: &mut TextOut, score: &Score, session: &Session) -> Result<()> {
    write_counts(
        out,
        "driver",
        score
            .by_driver()
            .into_iter()
            .map(|(driver, counts)| (driver.map_or("(unknown)", |driver| driver.name()), counts)),
    )?;
    let tried = score.by_behaviour().into_iter().filter(|(_, counts)| counts.passed + counts.failed > 0);
    write_counts(out, "behaviour", tried.map(|(behaviour, counts)| (behaviour.name, counts)))?;
    if let Some(first) = score.first_difference() {
        write_first(out, first)?;
    }
    let faults =
        score.judged.iter().filter(|judged| matches!(judged.verdict, Verdict::Fail(Reason::Fault(_))));
    let (faults, starts) = (faults.count(), session.starts());
    if faults > 0 {
        writeln!(
            out,
            "\n{} ended by a fault of the program, which was started {starts} times",
            output::count(faults as u64, "trace", "traces")
        )?;
    }
    let total = score.total();
    if let Some(claims) = session.claims() {
        let name = output::one_line(&claims.name);
        writeln!(out, "\n{name} passes {} of {} traces ({} %)", total.passed, total.all(), total.percent())?;
        for (driver, fields, all) in claims.drivers().filter(|(_, fields, all)| fields < all) {
            writeln!(out, "{driver}: {fields} of {all} fields were compared")?;
        }
    }
    writeln!(out, "\n{} passed, {} failed, {} unsupported", total.passed, total.failed, total.unsupported)?;
    Ok(())
}

fn write_counts<'a>(
    out: &mut TextOut,
    heading: &str,
    rows: impl Iterator<Item = (&'a str, evenstride_referee::Counts)>,
) -> Result<()> {
    let numbers = ["passed", "failed", "unsupported"].map(Column::number);
    let mut table = Table::new([Column::text(heading)].into_iter().chain(numbers));
    let mut is_empty = true;
    for (name, counts) in rows {
        is_empty = false;
        let numbers = [counts.passed, counts.failed, counts.unsupported];
        let cells = numbers.map(|number| Cell::from(number.to_string()));
        table.row([Cell::from(name)].into_iter().chain(cells));
    }
    if !is_empty {
        writeln!(out)?;
        table.write(out, None, "")?;
    }
    Ok(())
}

/// Prints the first difference with what the client does there.
fn write_first(out: &mut TextOut, judged: &Judged) -> Result<()> {
    writeln!(out)?;
    out.paint(Tone::Heading, "first difference")?;
    writeln!(
        out,
        "\n  {}: {}",
        output::one_line(&judged.name),
        output::one_line(&report::reason(judged).unwrap_or_default())
    )?;
    if let Some(of) = explain(judged) {
        writeln!(out, "  behaviour: {} ({})", of.behaviour.name, of.behaviour.id)?;
        writeln!(out, "  the client: {}", of.behaviour.says)?;
        writeln!(out, "  in the game: {}", of.behaviour.in_game)?;
        writeln!(out, "  functions: {}", of.functions)?;
        writeln!(out, "  see: {}", of.see)?;
    }
    Ok(())
}
