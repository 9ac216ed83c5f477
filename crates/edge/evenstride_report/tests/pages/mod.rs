//! Pages of the project's own recordings.

use std::sync::Arc;

use evenstride_arena::{Scenario, contest, score};
use evenstride_capture::{Session, Timeline, read};
use evenstride_replay::{Recorder, Script, sample};
use evenstride_report::{About, ContestAbout, contest_report, report};
use evenstride_viewer::{Method, OverviewJob, ViewedScript};

/// Returns the project's own capture as a script.
pub(crate) fn first_light() -> Arc<Script> {
    let mut session = Session::new(Recorder::new("first-light.pcap", Timeline::default()));
    read(sample::first_light().unwrap().as_slice(), &mut session).unwrap();
    Arc::new(Script::of(vec![(session.listener.finish(None), 0.0)], None))
}

pub(crate) fn viewed(script: Arc<Script>) -> Arc<ViewedScript> {
    Arc::new(ViewedScript::new(script, None, (f64::NEG_INFINITY, f64::INFINITY)))
}

pub(crate) fn report_page() -> String {
    page_of(first_light(), "first-light.pcap <&>", vec!["1 motion table is not loaded <b>".to_owned()])
}

pub(crate) fn crowd_page(creatures: u32, seconds: u32) -> String {
    page_of(Arc::new(sample::crowd(creatures, seconds)), "a crowd", Vec::new())
}

fn page_of(script: Arc<Script>, title: &str, notes: Vec<String>) -> String {
    let viewed = viewed(Arc::clone(&script));
    let glide = Method::find("glide").unwrap();
    let overview = OverviewJob::new(viewed, script, &glide, 60.0).unwrap().finish();
    report(&About { title: title.to_owned(), profile: "glide".to_owned(), fps: 60.0, notes }, &overview)
}

/// Returns the page of a contest, by the text of its scenario.
pub(crate) fn contest_page(scenario: &str) -> String {
    let scenario = Scenario::parse(scenario).unwrap();
    let (contest, simulated) = contest(&scenario, 1).unwrap();
    let about = ContestAbout {
        title: scenario.title.clone(),
        facts: Vec::new(),
        fps: scenario.fps,
        notes: Vec::new(),
    };
    contest_report(&about, &simulated.script(), &simulated.truth, &score(&contest))
}
