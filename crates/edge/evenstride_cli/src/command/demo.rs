//! `evenstride demo`: a contest that needs no files.

use std::{fs, io::Write, process::ExitCode};

use anyhow::{Context, Result};
use evenstride_arena::{contest, page, score, score_of_truth, table};

use crate::{args::DemoArgs, command::simulate::find};

pub(crate) fn run(args: &DemoArgs) -> Result<ExitCode> {
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
    fs::write(&args.output, html).with_context(|| args.output.display().to_string())?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}\n{about}\n\n{}", scenario.title, table(&scores, score_of_truth(&contest).as_ref()))?;
    writeln!(
        out,
        "retail, acdream, smooth and glide are profiles of Evenstride. The others are methods that games use today."
    )?;
    writeln!(out, "Open {} in a browser to watch all of them.", args.output.display())?;
    writeln!(out, "Next: `evenstride replay YOUR.pcap -o yours.html`, or `evenstride scenarios`.")?;
    Ok(ExitCode::SUCCESS)
}
