//! `demo`, `scenarios`, `simulate`, `score`: the main job with no files at all.

use assert_cmd::Command;

fn evenstride(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("evenstride").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_demo_needs_nothing_and_says_what_to_do_next() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("demo.html").display().to_string();
    let (code, out, err) = evenstride(&["demo", "-o", &page]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("A town square") && out.contains("\nsmooth "), "{out}");
    assert!(out.contains("Next: `evenstride replay YOUR.pcap"), "{out}");
    assert!(std::fs::read_to_string(&page).unwrap().starts_with("<!doctype html>"));
}

#[test]
fn scenarios_are_listed_and_can_be_taken_as_a_start() {
    let (code, out, _) = evenstride(&["scenarios"]);
    assert_eq!(code, 0);
    for name in [
        "run-1hz",
        "chase-5hz",
        "jump-running",
        "teleport",
        "landblock-crossing",
        "melee-sticky",
        "town-square",
    ] {
        assert!(out.lines().any(|line| line.starts_with(name)), "{name}: {out}");
    }
    assert!(out.contains("(the default)"));
    let (code, text, _) = evenstride(&["scenarios", "run-1hz"]);
    assert!(code == 0 && text.starts_with("title = "), "{text}");
    let (code, _, err) = evenstride(&["scenarios", "run-9hz"]);
    assert_eq!(
        (code, err.as_str()),
        (
            2,
            "evenstride: there is no scenario \"run-9hz\" (perhaps run-1hz, strafe-run, jump-running); `evenstride scenarios` lists all scenarios\n"
        )
    );
}

#[test]
fn what_is_simulated_is_a_clean_capture() {
    let folder = tempfile::tempdir().unwrap();
    let pcap = folder.path().join("melee.pcap").display().to_string();
    let (code, out, err) = evenstride(&["simulate", "melee-sticky", "-o", &pcap]);
    assert_eq!((code, out.as_str()), (0, ""));
    assert!(err.contains("next: evenstride replay"), "{err}");
    let (code, out, _) = evenstride(&["inspect", &pcap]);
    assert!(code == 0 && out.contains("decode errors       0\n"), "{out}");
    let (code, out, _) = evenstride(&["replay", &pcap]);
    assert!(code == 0 && out.contains("Drudge"), "{out}");
}

#[test]
fn scores_are_a_table_for_people_and_json_for_machines() {
    let (code, out, _) = evenstride(&["score", "run-1hz"]);
    assert!(code == 0 && out.starts_with("run-1hz: ") && out.contains("dead reckoning"), "{out}");
    let (code, out, _) = evenstride(&["score", "--json", "run-1hz", "walk"]);
    assert_eq!(code, 0);
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    let smooth =
        lines[0]["scores"].as_array().unwrap().iter().find(|score| score["name"] == "smooth").unwrap();
    assert_eq!(smooth["pops"], 0);
    // Two frames pass until the start of the run is heard.
    assert!(smooth["frozen"].as_f64().unwrap() < 0.005, "{smooth}");
    assert!(lines[0]["truth"]["jerk"].as_f64().unwrap() > 0.0);
}

#[test]
fn recordings_are_scored_with_or_without_a_truth() {
    let first_light = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../testdata/captures/first-light.pcap");
    let (code, out, err) = evenstride(&["score", first_light]);
    assert!(code == 0 && err.contains("the truth is unknown: "), "{err}");
    // Without a truth there is neither a distance nor a delay, but how it moves can be said.
    assert!(out.contains("jerk") && !out.contains("behind"), "{out}");
    let (code, _, err) = evenstride(&["score", first_light, "run-1hz"]);
    assert!(code == 2 && err.contains("score one or the other"), "{err}");
    let (code, _, err) = evenstride(&["score", "run-1hz", "--truth", "x.csv"]);
    assert!(code == 2 && err.contains("--truth and --offset are for captures"), "{err}");
}

#[test]
fn the_run_that_ships_is_what_the_simulator_makes() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let shipped =
        |kind: &str| format!("{}/../../../testdata/captures/seven-turns.{kind}", env!("CARGO_MANIFEST_DIR"));
    let (pcap, truth) = (file("run.pcap"), file("run.csv"));
    let (code, _, err) = evenstride(&["simulate", &shipped("toml"), "-o", &pcap, "--truth", &truth]);
    assert_eq!(code, 0, "{err}");
    for (made, kind) in [(&pcap, "pcap"), (&truth, "csv")] {
        let same = std::fs::read(made).unwrap() == std::fs::read(shipped(kind)).unwrap();
        assert!(
            same,
            "testdata/captures/seven-turns.{kind} is old; make it again with `evenstride simulate`"
        );
    }
    // README tells these numbers.
    let (code, out, err) = evenstride(&["score", &shipped("pcap"), "--truth", &shipped("csv")]);
    assert_eq!(code, 0, "{err}");
    let row = |start: &str, number: usize| {
        out.lines().filter(|line| line.starts_with(start)).nth(number).unwrap_or_default().replace('*', " ")
    };
    let words = |line: String| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (motion, place) = (words(row("glide", 0)), words(row("glide", 1)));
    assert_eq!((motion[2].as_str(), motion[9].as_str()), ("0.7", "59"), "{out}");
    assert_eq!((place[2].as_str(), place[4].as_str(), place[7].as_str()), ("0.29", "0.01", "0.24"), "{out}");
}

#[test]
fn a_simulated_capture_with_its_truth_scores_like_the_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (pcap, truth) = (file("run.pcap"), file("run.csv"));
    let (code, _, err) = evenstride(&["simulate", "run-1hz", "-o", &pcap, "--truth", &truth]);
    assert!(code == 0 && err.contains("next: evenstride score "), "{err}");
    let scores = |args: &[&str]| -> Vec<serde_json::Value> {
        let (code, out, err) = evenstride(args);
        assert_eq!(code, 0, "{err}");
        let line: serde_json::Value = serde_json::from_str(&out).unwrap();
        line["scores"].as_array().unwrap().clone()
    };
    let known = scores(&["score", "run-1hz", "--json"]);
    let read = scores(&["score", &pcap, "--truth", &truth, "--json"]);
    assert_eq!(known, read);
    std::fs::write(&truth, "time,entity\n").unwrap();
    let (code, _, err) = evenstride(&["score", &pcap, "--truth", &truth]);
    assert!(code == 2 && err.contains("run.csv: line 1 is not"), "{err}");
}

#[test]
fn several_seeds_end_with_their_mean() {
    let (code, out, _) = evenstride(&["score", "walk", "--seeds", "2-3", "--ramps", "1.4"]);
    assert!(code == 0 && out.contains("walk, seed 3: ") && out.contains("mean of 2 contests"), "{out}");
    let (code, out, _) = evenstride(&["score", "walk", "turn", "--mean", "--json"]);
    let line: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &line["contests"]), (0, &2.into()));
    let (code, _, err) = evenstride(&["score", "walk", "--seeds", "7-2"]);
    assert!(code == 2 && err.contains("is not a range of at most 1000 seeds"), "{err}");
}

#[test]
fn bad_scenario_files_say_the_line_the_field_and_what_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let name = path.display().to_string();
    let (_, text, _) = evenstride(&["scenarios", "walk"]);
    std::fs::write(&path, text.replace("\"2 walk\"", "\"2 wlak\"")).unwrap();
    let (code, _, err) = evenstride(&["score", &name]);
    assert_eq!(code, 2);
    assert!(
        err.contains("mine.toml: line ") && err.contains("script: \"wlak\" is not a verb; use stand, walk"),
        "{err}"
    );
    let (code, _, err) = evenstride(&["simulate", "no-such-thing", "-o", "x.pcap"]);
    assert!(code == 2 && err.contains("neither a built-in scenario"), "{err}");
}

#[test]
fn completions_are_made_for_shells() {
    let (code, out, _) = evenstride(&["completions", "bash"]);
    assert!(code == 0 && out.contains("_evenstride"), "{code}");
}
