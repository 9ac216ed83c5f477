//! Pages of the project's own recordings.

use std::{collections::BTreeMap, sync::Arc};

use evenstride_arena::{
    Contestant, Scenario, contest,
    rival::{DrawnTrack, Shown},
    scenario, score,
};
use evenstride_capture::{Session, Timeline, read};
use evenstride_replay::{Recorder, Script, sample};
use evenstride_report::{About, ContestAbout, contest_report, report};
use evenstride_types::{EntityId, Vec3};
use evenstride_viewer::{Method, OverviewJob, Scene, ViewedScript};

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
    contest_report(&about, &simulated.script(), &simulated.truth, &score(&contest), None)
}

/// A place that another program drew.
pub(crate) struct DrawnPlace {
    pub(crate) entity: EntityId,
    /// At 20 s, as the page tells it.
    pub(crate) place: String,
}

/// Returns the page of a contest with the track of another program, which draws the truth 2 m beside it and
/// leaps once.
pub(crate) fn page_with_a_track() -> (String, DrawnPlace) {
    let scenario = scenario("walk").unwrap().unwrap();
    let (mut contest, simulated) = contest(&scenario, 1).unwrap();
    let subject = &contest.subjects[0];
    let beside = |shown: Shown, time: f64| Shown {
        at: shown.at + Vec3::new(2.0, if (24.0..24.5).contains(&time) { 6.0 } else { 0.0 }, 0.0),
        ..shown
    };
    let truth = contest.times.iter().zip(&subject.truth);
    let rows: Vec<(f64, Shown)> =
        truth.filter_map(|(time, of)| Some((*time, beside((*of)?, *time)))).collect();
    let entity = subject.entity;
    let track = DrawnTrack::new("mine <b>".to_owned(), BTreeMap::from([(entity, rows)]));
    let drawn = contest
        .subjects
        .iter()
        .map(|of| contest.times.iter().map(|time| track.place(of.entity, *time)).collect());
    let legs = contest.subjects.iter().map(|of| of.legs.clone()).collect();
    let contestant = Contestant { drawn: drawn.collect(), legs, ..Contestant::named(track.name.clone()) };
    contest.contestants.insert(0, contestant);
    let script = simulated.script();
    let about =
        ContestAbout { title: "a walk".to_owned(), facts: Vec::new(), fps: scenario.fps, notes: Vec::new() };
    let html = contest_report(&about, &script, &simulated.truth, &score(&contest), Some(&track));
    // The frame at 20 s is the last one that is not later, counted from the first message.
    let mut viewed = ViewedScript::new(Arc::new(script), None, (f64::NEG_INFINITY, f64::INFINITY));
    viewed.tracks.push(DrawnTrack::from_bytes(&track.to_bytes()).unwrap());
    let (viewed, method) = (Arc::new(viewed), Method::Drawn(track));
    let mut scene =
        Scene::new(Arc::clone(&viewed), Arc::clone(&viewed.script), &method, scenario.fps).unwrap();
    assert!(scene.seek(20.0, u32::MAX));
    let index = viewed.index(entity).unwrap();
    let body = &scene.bodies()[index * evenstride_viewer::BODY_VALUES..][..3];
    (html, DrawnPlace { entity, place: format!("{:.2},{:.2},{:.2}", body[0], body[1], body[2]) })
}
