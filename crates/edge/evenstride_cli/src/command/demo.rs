//! `evenstride demo`: a contest that needs no files.

use std::{fs, io::Write, process::ExitCode};

use anyhow::{Context, Result};
use evenstride_arena::{contest, page, score, table};

use crate::{args::DemoArgs, command::simulate::find};

pub(crate) fn run(args: &DemoArgs) -> Result<ExitCode> {
    let scenario = find(&args.scenario)?;
    let (contest, simulated) = contest(&scenario, args.seed)?;
    let scores = score(&contest);
    let lost = simulated.link.lost;
    let about = format!(
        "{} — {:.0} s, {} to be drawn, {} datagrams sent, {lost} lost; drawn at {} frames per second.",
        args.scenario,
        scenario.seconds,
        contest.subjects.len(),
        simulated.link.sent,
        scenario.fps
    );
    let html = page(&scenario.title, &about, &contest, &scores);
    fs::write(&args.output, html).with_context(|| args.output.display().to_string())?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}\n{about}\n\n{}", scenario.title, table(&scores))?;
    writeln!(out, "retail, acdream and smooth are ours; the others are what people use today.")?;
    writeln!(out, "{} shows all of them move: open it in a browser.", args.output.display())?;
    writeln!(out, "Next: `evenstride replay YOUR.pcap -o yours.html`, or `evenstride scenarios`.")?;
    Ok(ExitCode::SUCCESS)
}
