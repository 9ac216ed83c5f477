//! Faults of tracks that `evenstride score --track` must find, tell or survive.

mod clock;
mod columns;
mod entities;
mod values;

use std::{fs, path::Path};

use assert_cmd::Command;
use serde_json::Value;

/// A folder with a capture `it.pcap` and its truth `it.csv`.
struct Scene {
    folder: tempfile::TempDir,
}

/// What a command answered.
struct Answer {
    code: i32,
    out: String,
    said: String,
}

impl Scene {
    /// Simulates a scenario of the library.
    fn of(scenario: &str) -> Self {
        let scene = Self { folder: tempfile::tempdir().unwrap() };
        scene.simulate(scenario);
        scene
    }

    /// Simulates a scenario from its text.
    fn from_text(text: &str) -> Self {
        let scene = Self { folder: tempfile::tempdir().unwrap() };
        scene.write("own.toml", text);
        scene.simulate("own.toml");
        scene
    }

    fn simulate(&self, scenario: &str) {
        let answer = self.run(&["simulate", scenario, "-o", "it.pcap", "--truth", "it.csv"]);
        assert_eq!(answer.code, 0, "{}", answer.said);
    }

    fn run(&self, args: &[&str]) -> Answer {
        let mut command = Command::cargo_bin("evenstride").unwrap();
        let output = command.args(args).current_dir(&self.folder).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Answer { code: output.status.code().unwrap(), out: text(output.stdout), said: text(output.stderr) }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), text).unwrap();
    }

    /// Returns the values of the truth: time, entity, cell, x, y, z and a quaternion.
    fn truth(&self) -> Vec<Vec<String>> {
        let text = fs::read_to_string(self.path().join("it.csv")).unwrap();
        text.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect()).collect()
    }

    /// Writes a track with a row for each row of the truth that `make` keeps.
    fn track(&self, header: &str, make: impl Fn(f64, &[String]) -> Option<String>) {
        let made =
            self.truth().iter().filter_map(|row| make(row[0].parse().unwrap(), row)).collect::<Vec<_>>();
        self.write("mine.csv", format!("{header}\n{}\n", made.join("\n")));
    }

    fn score(&self, track: &[&str]) -> Answer {
        let capture = ["score", "it.pcap", "--truth", "it.csv", "--track-name", "mine", "--track"];
        self.run(&[&capture[..], track].concat())
    }

    /// Returns the row of the track, and what was said.
    fn row(&self, track: &[&str]) -> (Value, String) {
        let (all, said) = self.scores(track);
        let rows = all["scores"].as_array().unwrap();
        (rows.iter().find(|row| row["name"] == "mine").unwrap().clone(), said)
    }

    /// Returns all scores, and what was said.
    fn scores(&self, track: &[&str]) -> (Value, String) {
        let answer = self.score(&[track, &["--json"]].concat());
        assert_eq!(answer.code, 0, "{}", answer.said);
        (serde_json::from_str(&answer.out).unwrap(), answer.said)
    }

    /// Returns what a refused track is told.
    fn refusal(&self, track: &[&str]) -> String {
        let answer = self.score(track);
        assert_eq!(answer.code, 2, "{}", answer.said);
        answer.said
    }
}

/// Returns the 95th percentile of the distance of a row in metres.
fn off(row: &Value) -> f64 {
    row["metres_off"][1].as_f64().unwrap()
}

/// Two creatures, the name of one of which begins with the name of the other.
const DRUDGES: &str = r#"
title = "Two drudges"
seconds = 12
link = "broadband"
ramps = 1

[[actor]]
name = "Drudge"
kind = "creature"
at = [80, 100]
facing = 90
run_rate = 1.2
script = ["1 patrol 80 100 95 100"]

[[actor]]
name = "Drudge Slinker"
kind = "creature"
at = [80, 120]
facing = 90
run_rate = 1.2
script = ["1 patrol 80 120 80 135"]
"#;
