//! Whole sessions: messages and keys in, drawn places out. They are regression, not reference, because
//! Evenstride's own profile `RETAIL` made the answers. After an intended change of behaviour,
//! `EVENSTRIDE_RECORD=1 cargo test -p evenstride_adapter --test sessions` records them again.

mod session;

use std::{fs, io::Read as _, path::PathBuf};

use evenstride_trace::Trace;
use serde_json::{Value, json};
use session::{Stage, stories};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sessions")
}

fn read(name: &str) -> String {
    let path = folder().join(format!("{name}.jsonl.gz"));
    let mut text = String::new();
    let file = fs::File::open(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn every_session_is_what_its_story_makes() {
    for (name, story) in stories() {
        let made = session::record(name, story);
        if std::env::var_os("EVENSTRIDE_RECORD").is_some() {
            let path = folder().join(format!("{name}.jsonl.gz"));
            let file = fs::File::create(path).unwrap();
            let mut gzip = flate2::GzBuilder::new().mtime(0).write(file, flate2::Compression::best());
            std::io::Write::write_all(&mut gzip, made.as_bytes()).unwrap();
            gzip.finish().unwrap();
        }
        // Whole texts would make a long failure, so the first line that differs is named.
        let kept = read(name);
        let differs = made.lines().zip(kept.lines()).position(|(made, kept)| made != kept);
        assert_eq!(differs, None, "{name}: line {}", differs.unwrap_or_default() + 1);
        assert_eq!(made.len(), kept.len(), "{name}");
    }
    let files = fs::read_dir(folder())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".gz"));
    assert_eq!(files.count(), stories().len());
}

#[test]
fn every_session_replays_from_its_file_alone() {
    for (name, _) in stories() {
        let trace = Trace::parse(&read(name)).unwrap();
        assert_eq!(trace.header.fields["class"], "regression", "{name}");
        assert!(trace.header.fields["note"].as_str().unwrap().starts_with("regression, not reference"));
        let mut stage = Stage::new(&Value::Object(trace.header.settings.clone()));
        let mut drawn = 0;
        for line in &trace.lines {
            let mut question = line.question();
            question.remove("tick");
            let answer = stage.apply(&Value::Object(question));
            let expected = match line.fields.get("out") {
                Some(out) => out.clone(),
                None => json!({ "bodies": line.fields["bodies"] }),
            };
            drawn += expected["bodies"].as_array().map_or(0, Vec::len);
            assert_eq!(answer, expected, "{name}: line {}", line.number);
        }
        assert!(drawn > 200, "{name}: {drawn}");
    }
}

#[test]
fn a_session_on_other_ground_or_with_other_skills_is_drawn_otherwise() {
    let trace = Trace::parse(&read("player")).unwrap();
    let drawn = |settings: &Value| -> Vec<Value> {
        let mut stage = Stage::new(settings);
        trace.lines.iter().map(|line| stage.apply(&Value::Object(line.question()))).collect()
    };
    let settings = Value::Object(trace.header.settings.clone());
    let kept = drawn(&settings);
    for (name, value) in
        [("flat_ground", json!(4.0)), ("skills", json!([20, 20, 1.2])), ("profile", json!("GLIDE"))]
    {
        let mut other = settings.clone();
        other[name] = value;
        assert_ne!(drawn(&other), kept, "{name}");
    }
}

/// Each story does what it is about. A session in which nothing happens would pin nothing.
#[test]
fn stories_jump_land_park_and_hold() {
    let said = |name: &str| read(name);
    assert!(said("early").contains("waits: its entity is unknown"));
    assert!(said("walkers").contains("\"answer\":\"queued\""));
    let heights = |name: &str| -> Vec<f64> {
        let trace = Trace::parse(&said(name)).unwrap();
        let bodies = trace.lines.iter().filter_map(|line| line.fields.get("bodies")?.as_array());
        bodies.flatten().map(|body| body["pos"][2].as_f64().unwrap()).collect()
    };
    for name in ["jump", "player"] {
        let heights = heights(name);
        let top = heights.iter().copied().fold(0.0, f64::max);
        assert!(top > 10.5, "{name}: {top}");
        assert!((heights.last().unwrap() - 10.0).abs() < 0.02, "{name}: {:?}", heights.last());
    }
    let counts: Vec<usize> = Trace::parse(&said("hands"))
        .unwrap()
        .lines
        .iter()
        .filter_map(|line| Some(line.fields.get("bodies")?.as_array()?.len()))
        .collect();
    assert!(counts.contains(&2) && counts.contains(&1), "held or dropped");
}
