//! `evenstride demo`: a contest that needs no files.

use std::{io::Write, path::Path, process::ExitCode};

use anyhow::Result;
use evenstride_arena::{Scorecard, compete_telling, score, score_of_truth, simulate_telling, story};
use evenstride_report::{ContestAbout, contest_report};

use crate::{
    args::DemoArgs,
    command::simulate::{find, inputs},
    output::{self, OutputFile, Progress, Tone, count, is_dash, one_line, thousands, width},
    scorecard,
};

pub(crate) fn run(args: &DemoArgs) -> Result<ExitCode> {
    inputs(&args.scenario).check([args.output.as_path()])?;
    let scenario = find(&args.scenario)?;
    let progress = Progress::new("drawing");
    let simulated = simulate_telling(&scenario, args.seed, &mut |done| progress.set(0.1 * done))?;
    let (script, times) = (simulated.script(), [scenario.fps, scenario.seconds]);
    let tell = &mut |done| progress.set(0.1 + 0.9 * done);
    let contest = compete_telling(&script, &simulated.truth, &simulated.names, times, None, tell);
    drop(progress);
    let scores = score(&contest);
    let about = format!(
        "{} — {:.0} s, {}, {} sent, {} lost, drawn at {} frames per second.",
        args.scenario,
        scenario.seconds,
        count(contest.subjects.len() as u64, "entity", "entities"),
        count(simulated.link.sent, "datagram", "datagrams"),
        thousands(simulated.link.lost),
        scenario.fps
    );
    let page = ContestAbout {
        title: args.scenario.clone(),
        facts: vec![
            count(simulated.link.sent, "packet", "packets"),
            format!("{} lost", thousands(simulated.link.lost)),
            scenario.title.clone(),
        ],
        fps: scenario.fps,
        notes: Vec::new(),
    };
    let html = contest_report(&page, &script, &simulated.truth, &scores, None);
    OutputFile::write_whole(&args.output, html.as_bytes())?;
    // The page may take standard output.
    let (mut out, width) = (output::text_beside([args.output.as_path()]), width());
    out.paragraph(Tone::Heading, &one_line(&scenario.title), width, 0)?;
    out.paragraph(Tone::Plain, &one_line(&about), width, 2)?;
    writeln!(out)?;
    for line in story(&scores) {
        out.paragraph(Tone::Plain, &format!("- {line}"), width, 2)?;
    }
    writeln!(out)?;
    scorecard::write(&Scorecard::of(&scores, score_of_truth(&contest).as_ref()), &mut out, width)?;
    writeln!(out)?;
    for line in ending(&args.output) {
        out.paragraph(Tone::Plain, &line, width, 2)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the sentences after the scorecard.
fn ending(output: &Path) -> Vec<String> {
    let methods = "retail, acdream, smooth and glide are profiles of Evenstride. The others are methods that games use today.";
    let name = output.display().to_string();
    let open = format!("Open {} in a browser to watch all of them.", one_line(&name));
    let next = "Next: `evenstride replay YOUR.pcap -o yours.html`, or `evenstride scenarios`.";
    let open = (!is_dash(output)).then_some(open);
    std::iter::once(methods.to_owned()).chain(open).chain([next.to_owned()]).collect()
}
