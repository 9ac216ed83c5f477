//! `evenstride demo`: a contest that needs no files.

use std::{io::Write, process::ExitCode};

use anyhow::Result;
use evenstride_arena::{contest, page, score, score_of_truth, story, table};

use crate::{
    args::DemoArgs,
    command::simulate::{find, inputs},
    output::{self, OutputFile, one_line},
};

pub(crate) fn run(args: &DemoArgs) -> Result<ExitCode> {
    inputs(&args.scenario).check([args.output.as_path()])?;
    let scenario = find(&args.scenario)?;
    let (contest, simulated) = contest(&scenario, args.seed)?;
    let scores = score(&contest);
    let lost = simulated.link.lost;
    let about = format!(
        "{} — {:.0} s, {} entities, {} datagrams sent, {lost} lost, drawn at {} frames per second.",
        args.scenario,
        scenario.seconds,
        contest.subjects.len(),
        simulated.link.sent,
        scenario.fps
    );
    let html = page(&scenario.title, &about, &contest, &scores);
    OutputFile::write_whole(&args.output, html.as_bytes())?;
    let mut out = output::text();
    let (title, about) = (one_line(&scenario.title), one_line(&about));
    writeln!(out, "{title}\n{about}\n")?;
    for line in story(&scores) {
        writeln!(out, "- {line}")?;
    }
    writeln!(out, "\n{}", table(&scores, score_of_truth(&contest).as_ref()))?;
    writeln!(
        out,
        "retail, acdream, smooth and glide are profiles of Evenstride. The others are methods that games use today."
    )?;
    writeln!(
        out,
        "Open {} in a browser to watch all of them.",
        one_line(&args.output.display().to_string())
    )?;
    writeln!(out, "Next: `evenstride replay YOUR.pcap -o yours.html`, or `evenstride scenarios`.")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
