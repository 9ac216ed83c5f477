//! `evenstride moments` and `explain` answer, and say what is there when asked for what is not.

use std::path::Path;

use assert_cmd::Command;
use evenstride_types::{EntityId, update::ServerEntity};
use serde_json::Value;

fn capture() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/captures/first-light.pcap");
    path.canonicalize().expect("the capture is part of the project").display().to_string()
}

fn run(args: &[&str]) -> (i32, String, String) {
    let args = args.iter().map(|word| if *word == "CAPTURE" { capture() } else { (*word).to_owned() });
    let output = Command::cargo_bin("evenstride").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_moments_of_first_light() {
    let (code, out, err) = run(&["moments", "CAPTURE", "--profile", "Retail"]);
    assert_eq!(code, 0, "{err}");
    insta::assert_snapshot!("moments", out);
    assert!(err.contains("1 motion table is not loaded: 0x0900FFFF"), "{err}");
}

#[test]
fn moments_are_chosen_by_kind_entity_number_and_time() {
    let all = objects(&run(&["moments", "CAPTURE", "--json"]).1);
    assert!(all.len() > 4);
    let ranks: Vec<f64> = all.iter().map(|of| of["severity"]["rank"].as_f64().unwrap()).collect();
    assert!(ranks.is_sorted_by(|one, other| one >= other), "{ranks:?}");
    let teleports = objects(&run(&["moments", "CAPTURE", "--json", "--kind", "TELEPORT"]).1);
    assert!(!teleports.is_empty() && teleports.iter().all(|of| of["kind"] == "teleport"));
    let of_ilse = objects(&run(&["moments", "CAPTURE", "--json", "--entity", "ils"]).1);
    assert!(!of_ilse.is_empty() && of_ilse.iter().all(|of| of["name"] == "Ilse"));
    assert_eq!(objects(&run(&["moments", "CAPTURE", "--json", "--top", "2"]).1).len(), 2);
    let late = objects(&run(&["moments", "CAPTURE", "--json", "--from", "1:00"]).1);
    assert!(late.iter().all(|of| of["kind"] == "missing-table" || of["from"].as_f64().unwrap() >= 60.0));
}

#[test]
fn what_is_not_there_is_answered_by_what_is_nearest() {
    let (code, _, err) = run(&["moments", "CAPTURE", "--kind", "pulback"]);
    assert_eq!(code, 2);
    assert!(err.contains("`pulback` is not a kind of moment; nearest first: pull-back"), "{err}");
    let (code, _, err) = run(&["explain", "CAPTURE", "--entity", "Ilsa"]);
    assert_eq!(code, 2);
    assert!(err.contains("no entity is named `Ilsa`; nearest: 0x50000002 Ilse"), "{err}");
    let (code, _, err) = run(&["explain", "CAPTURE", "--entity", "0x50000003"]);
    assert_eq!(code, 2);
    assert!(err.contains("no message mentions 0x50000003; nearest: 0x5000000"), "{err}");
    let (code, _, err) = run(&["explain", "CAPTURE", "--entity", "Ilse", "--at", "900"]);
    assert_eq!(code, 2);
    assert!(err.contains("--at: nothing at 900.00 s, the capture runs from 0.000 to 118.000 s"), "{err}");
    let (code, out, _) = run(&["explain", "CAPTURE", "--entity", "Ilse", "--at", "103"]);
    assert_eq!(code, 0);
    assert!(out.contains("Nothing unusual is seen at 103.00 s. The nearest moment: Ilse"), "{out}");
    assert!(out.contains("the next one, or else the last: 118.00 s: removal accepted"), "{out}");
}

#[test]
fn an_explanation_begins_with_the_answer() {
    let (code, out, _) = run(&["explain", "CAPTURE"]);
    assert_eq!(code, 0);
    let worst = objects(&run(&["moments", "CAPTURE", "--json", "--top", "1"]).1).remove(0);
    let second = out.lines().nth(1).unwrap();
    assert_eq!(second, worst["words"].as_str().unwrap(), "{out}");
    assert!(out.contains(" × position accepted and reached, every "), "{out}");
    assert!(out.contains("\n> ") && out.contains("> marks the decisions that the answer is about"), "{out}");
    assert!(out.contains("queue empty") && !out.contains("reached the last waypoint"), "{out}");
}

#[test]
fn decisions_in_json_are_typed() {
    let (_, out, _) = run(&["explain", "CAPTURE", "--entity", "Ilse", "--at", "31..33", "--json"]);
    let story: Value = serde_json::from_str(&out).unwrap();
    let decisions = story["decisions"].as_array().unwrap();
    let placed = decisions.iter().find(|of| of["outcome"] == "placed").unwrap();
    assert_eq!((&placed["kind"], &placed["code"]), (&"position".into(), &1.into()));
    assert_eq!((&placed["reason"], &placed["stamp"]), (&"teleport".into(), &20.into()));
    assert!(placed["metres"].as_f64().unwrap() > 42.0);
    assert_eq!(story["moment"]["kind"], "teleport");
    assert!(story["answer"].as_str().unwrap().starts_with("Ilse was teleported 42.3 m"), "{story}");
}

#[test]
fn a_date_names_a_time_of_a_capture() {
    let at = |time: &str| run(&["explain", "CAPTURE", "--entity", "Ilse", "--at", time]);
    // The capture begins at this invented date.
    let (code, out, err) = at("2020-09-13T12:27:12Z");
    assert_eq!(code, 0, "{err}");
    assert_eq!(out, at("32").1);
}

#[test]
fn a_capture_in_which_nothing_can_be_drawn_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let lines = folder.path().join("session.jsonl");
    // A creature stands, and no message tells where.
    let mut bytes = Vec::new();
    let stands = ServerEntity::new(EntityId::new(0x8000_0010)).stands();
    evenstride_wire::encode(&evenstride_wire::Message::Update(stands), &mut bytes);
    let movement: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    std::fs::write(&lines, format!("{{\"dir\":\"s2c\",\"t_rel\":1.0,\"payload_hex\":\"{movement}\"}}\n"))
        .unwrap();
    let lines = lines.display().to_string();
    for command in ["replay", "moments"] {
        let (code, _, err) = run(&[command, &lines]);
        assert_eq!(code, 1, "{err}");
        assert!(err.contains("nothing can be drawn, because no message places an entity"), "{err}");
        assert!(err.contains("it contains 1 message about motion"), "{err}");
    }
}

#[test]
fn the_nearest_moment_may_come_later() {
    let of_ilse = objects(&run(&["moments", "CAPTURE", "--json", "--entity", "Ilse"]).1);
    let first = of_ilse.iter().map(|of| of["from"].as_f64().unwrap()).fold(f64::INFINITY, f64::min);
    assert!(first > 12.0);
    let (_, out, _) = run(&["explain", "CAPTURE", "--entity", "Ilse", "--at", "4"]);
    assert!(out.contains("Nothing unusual is seen at 4.00 s. The nearest moment: Ilse"), "{out}");
}

#[test]
fn a_later_start_keeps_causes() {
    let moments = |from: &str| {
        let (code, out, err) = run(&["moments", "CAPTURE", "--json", "--profile", "retail", "--from", from]);
        assert_eq!(code, 0, "{err}");
        objects(&out)
    };
    let at_74 = |all: Vec<Value>| {
        let wanted =
            |of: &&Value| of["kind"] == "pull-back" && (of["from"].as_f64().unwrap() - 74.07).abs() < 0.1;
        all.iter().find(wanted).cloned().expect("the drudge is pulled back")
    };
    let (all, late) = (at_74(moments("0")), at_74(moments("74")));
    assert_eq!(all, late);
    assert_eq!(all["cause"]["reason"]["code"], "update-gap");
}

#[test]
fn the_command_that_replay_proposes_explains_the_same_replay() {
    let (_, out, _) = run(&["replay", "CAPTURE", "--profile", "retail", "--fps", "30"]);
    let line = out.lines().find(|line| line.starts_with("why: ")).unwrap();
    let words: Vec<&str> = line.split(' ').skip(2).collect();
    assert!(line.contains("--profile retail --fps 30 --entity"), "{line}");
    let (code, answer, err) = run(&words);
    assert_eq!(code, 0, "{err}");
    let worst = objects(
        &run(&["moments", "CAPTURE", "--profile", "retail", "--fps", "30", "--json", "--top", "1"]).1,
    );
    assert!(answer.contains(worst[0]["words"].as_str().unwrap()), "{answer}");
}
