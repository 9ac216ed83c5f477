//! Writes the report of a crowd, to see how a browser copes with it:
//!
//! ```sh
//! cargo run --release -p evenstride_report --example crowd_report -- 200 600 crowd.html
//! ```

use evenstride_moments::MomentFinder;
use evenstride_replay::{ReplayOptions, Summary, TraceScope, replay, sample};
use evenstride_report::{About, Report};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [creatures, seconds, path] = args.as_slice() else {
        return Err("usage: crowd_report CREATURES SECONDS FILE.html".into());
    };
    let script = sample::crowd(creatures.parse()?, seconds.parse()?);
    let options = ReplayOptions { trace: TraceScope::All, ..ReplayOptions::default() };
    let mut watchers = (Summary::new(&script), (Report::new(&script), MomentFinder::new(script.player)));
    let replayed = replay(&script, &options, &mut watchers);
    let (summary, (report, finder)) = watchers;
    let about = About {
        title: format!("a crowd of {creatures}"),
        profile: "smooth".to_owned(),
        fps: options.fps,
        notes: Vec::new(),
    };
    let html = report.finish(&about, &script, &summary, &replayed, &finder.finish());
    println!("{} bytes", html.len());
    Ok(std::fs::write(path, html)?)
}
