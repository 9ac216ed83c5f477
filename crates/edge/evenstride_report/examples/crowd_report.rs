//! Writes the page of a crowd, to see how a browser copes with it:
//!
//! ```sh
//! cargo run --release -p evenstride_report --example crowd_report -- 200 600 crowd.html
//! ```

use std::sync::Arc;

use evenstride_replay::sample;
use evenstride_report::{About, report};
use evenstride_viewer::{Method, OverviewJob, ViewedScript};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [creatures, seconds, path] = args.as_slice() else {
        return Err("usage: crowd_report CREATURES SECONDS FILE.html".into());
    };
    let script = Arc::new(sample::crowd(creatures.parse()?, seconds.parse()?));
    let all = (f64::NEG_INFINITY, f64::INFINITY);
    let viewed = Arc::new(ViewedScript::new(Arc::clone(&script), None, all));
    let glide = Method::find("glide").ok_or("no such profile")?;
    let overview = OverviewJob::new(viewed, script, &glide, 60.0).ok_or("no messages")?.finish();
    let about = About {
        title: format!("a crowd of {creatures}"),
        profile: "glide".to_owned(),
        fps: 60.0,
        notes: Vec::new(),
    };
    let html = report(&about, &overview);
    println!("{} bytes", html.len());
    Ok(std::fs::write(path, html)?)
}
