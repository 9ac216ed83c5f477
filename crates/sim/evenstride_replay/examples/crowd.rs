//! Replays runners with one kind of output, so that `cargo xtask bench` can count the instructions
//! per runner and frame.
//!
//! ```sh
//! cargo run --release -p evenstride_replay --example crowd -- csv 200 1200
//! ```
//!
//! The profile is `SMOOTH`, or `GLIDE` for names that end with `-glide`.

use std::{io, process::ExitCode, time::Instant};

use evenstride::Config;
use evenstride_replay::{
    ColumnRecorder, ReplayObserver, ReplayOptions, Summary, TrackFormat, TrackWriter, replay, sample,
};

const KINDS: [&str; 10] = [
    "nothing",
    "summary",
    "csv",
    "jsonl",
    "columns",
    "nothing-glide",
    "summary-glide",
    "csv-glide",
    "jsonl-glide",
    "columns-glide",
];

/// Frames before the counted ones. In the first of them, bodies are created and begin to run.
const WARM_UP_FRAMES: u32 = 60;

/// Seconds of the recording. All counts of frames share one recording, so that its cost cancels out.
const RECORDED_SECS: u32 = 3;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args == ["--names"] {
        println!("{}", KINDS.join("\n"));
        return ExitCode::SUCCESS;
    }
    let parsed = match args.as_slice() {
        [kind, runners, frames] => {
            let kind = KINDS.into_iter().find(|known| known == kind);
            kind.zip(runners.parse().ok()).zip(frames.parse::<u32>().ok())
        }
        _ => None,
    };
    let Some(((kind, runners), frames)) = parsed else {
        eprintln!("usage: crowd {} RUNNERS FRAMES", KINDS.join("|"));
        return ExitCode::from(2);
    };
    let secs = f64::from(WARM_UP_FRAMES + frames) / 60.0;
    let script = sample::crowd(runners, RECORDED_SECS.max(secs.ceil() as u32));
    // Half a frame is added, so that rounding cannot take away a frame.
    let to = secs + 1.0 / 120.0;
    let (output, config) = match kind.strip_suffix("-glide") {
        Some(output) => (output, Config::GLIDE),
        None => (kind, Config::SMOOTH),
    };
    let options = ReplayOptions { config, to, ..ReplayOptions::default() };
    let started = Instant::now();
    let mut rows = 0;
    let mut write = |format| {
        let mut writer = TrackWriter::new(io::sink(), format, []);
        let replayed = replay(&script, &options, &mut writer);
        rows = writer.finish().map_or(0, |track| track.rows);
        replayed
    };
    let replayed = match output {
        "summary" => replay(&script, &options, &mut Summary::new(&script)),
        "csv" => write(TrackFormat::Csv),
        "jsonl" => write(TrackFormat::JsonLines),
        "columns" => {
            let mut recorder = ColumnRecorder::new([]);
            let replayed = replay(&script, &options, &mut recorder);
            rows = recorder.finish().len() as u64;
            replayed
        }
        _ => replay(&script, &options, &mut Ignore),
    };
    let millis = started.elapsed().as_secs_f64() * 1e3;
    println!("{kind}: {runners} runners, {} frames, {rows} rows in {millis:.1} ms", replayed.frames);
    ExitCode::SUCCESS
}

struct Ignore;

impl ReplayObserver for Ignore {}
