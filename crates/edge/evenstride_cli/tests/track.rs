//! `evenstride score --track`: the places that another program drew, beside ours.

use std::{fmt::Write as _, fs, path::Path};

use assert_cmd::Command;
use serde_json::Value;

/// Exit code, standard output, standard error.
fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("evenstride").unwrap().args(args).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Simulates a walk, and returns the folder with `walk.pcap` and its truth `walk.csv`.
fn walk() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (code, _, said) = run(folder.path(), &["simulate", "walk", "-o", "walk.pcap", "--truth", "walk.csv"]);
    assert_eq!(code, 0, "{said}");
    folder
}

/// Scores the walk with a track, and returns the rows of two contestants.
fn rows(folder: &Path, track: &[&str]) -> [Value; 2] {
    let capture = ["score", "walk.pcap", "--truth", "walk.csv", "--json", "--track-name", "mine", "--track"];
    let (code, out, said) = run(folder, &[&capture[..], track].concat());
    assert_eq!(code, 0, "{said}");
    let scores: Value = serde_json::from_str(&out).unwrap();
    let row = |name: &str| {
        let rows = scores["scores"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name}: {scores}")).clone()
    };
    ["mine", "glide"].map(row)
}

/// Returns the truth with every row changed.
fn changed(folder: &Path, change: impl Fn(&[&str]) -> String) -> String {
    let truth = fs::read_to_string(folder.join("walk.csv")).unwrap();
    let rows = truth.lines().skip(1).map(|row| change(&row.split(',').collect::<Vec<_>>()));
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_truth_as_a_track_is_a_perfect_drawing_and_our_own_track_has_our_score() {
    let folder = walk();
    let [mine, _] = rows(folder.path(), &["walk.csv", "--track-offset", "0"]);
    assert!(mine["metres_off"][1].as_f64().unwrap() < 0.02, "{mine}");
    assert_eq!(mine["flicks"], 0);

    let tracks = ["replay", "walk.pcap", "--profile", "glide", "-o", "glide.csv"];
    assert_eq!(run(folder.path(), &tracks).0, 0);
    let [mine, glide] = rows(folder.path(), &["glide.csv", "--track-offset", "0"]);
    for column in ["frozen", "backwards", "on_the_spot"] {
        let apart = (mine[column].as_f64().unwrap() - glide[column].as_f64().unwrap()).abs();
        assert!(apart < 0.02, "{column}: {} {}", mine[column], glide[column]);
    }
    let apart = mine["metres_off"][1].as_f64().unwrap() - glide["metres_off"][1].as_f64().unwrap();
    assert!(apart.abs() < 0.05, "{} {}", mine["metres_off"], glide["metres_off"]);
}

#[test]
fn a_track_with_another_clock_and_other_names_is_found() {
    let folder = walk();
    let clock = |time: &str| time.parse::<f64>().unwrap() + 86_400.5;
    let csv = changed(folder.path(), |row| format!("{},{},{},{}", clock(row[0]), row[3], row[4], row[5]));
    // Coordinates of the whole map, and a single subject.
    let map = |axis: &str, block: f64| axis.parse::<f64>().unwrap() + block * 192.0;
    let on_map = changed(folder.path(), |row| {
        let cell = u32::from_str_radix(&row[2][2..], 16).unwrap();
        let [east, north] = [map(row[3], f64::from(cell >> 24)), map(row[4], f64::from(cell >> 16 & 255))];
        format!("{},{east},{north},{},90", clock(row[0]) * 1000.0, row[5])
    });
    assert_eq!(csv.lines().count(), on_map.lines().count());
    fs::write(folder.path().join("map.csv"), format!("Clock,East,North,Up,Yaw\n{on_map}")).unwrap();
    let columns = "ms=Clock,x=East,y=North,z=Up";
    let [mine, _] = rows(folder.path(), &["map.csv", "--track-columns", columns]);
    assert!(mine["metres_off"][1].as_f64().unwrap() < 0.1, "{mine}");

    let mut json = String::new();
    for row in changed(folder.path(), |row| row.join(",")).lines() {
        let row: Vec<&str> = row.split(',').collect();
        let time = clock(row[0]);
        writeln!(
            json,
            r#"{{"t":{time},"guid":"{}","cell":"{}","pos":[{},{},{}]}}"#,
            row[1], row[2], row[3], row[4], row[5]
        )
        .unwrap();
    }
    fs::write(folder.path().join("lines.jsonl"), json).unwrap();
    let [mine, _] = rows(folder.path(), &["lines.jsonl"]);
    assert!(mine["metres_off"][1].as_f64().unwrap() < 0.1, "{mine}");
}

#[test]
fn a_track_that_does_not_fit_says_line_field_and_remedy() {
    let folder = walk();
    for (text, words) in [
        ("time,x,y\n1,2,3", "line 2: z: missing; name its column with --track-columns z=COLUMN"),
        ("x,y,z\n1,2,3", "line 2: time: missing"),
        ("time,x,y,z\n1,2,NaN,3", "line 2: y: \"NaN\" is not a number"),
        ("time,entity,x,y,z\n1,0x70000001,2,3,4", "none of its entities is scored here"),
        ("time,x,y,z\n1,2,3,4\n1.1,2,3,4", "its places are not those of this contest"),
        ("{\"t\":1}\n[]", "line 1: x: missing"),
    ] {
        fs::write(folder.path().join("bad.csv"), text).unwrap();
        let args = ["score", "walk.pcap", "--truth", "walk.csv", "--track", "bad.csv"];
        let (code, _, said) = run(folder.path(), &args);
        assert_eq!(code, 2, "{text}");
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn the_scorecard_has_a_row_for_the_track() {
    let folder = walk();
    let (code, out, said) = run(
        folder.path(),
        &["score", "walk.pcap", "--truth", "walk.csv", "--track", "walk.csv", "--track-offset", "0"],
    );
    assert_eq!(code, 0, "{said}");
    assert!(out.lines().any(|line| line.trim_start().starts_with("walk ")), "{out}");
    assert!(said.contains("walk.csv: ") && said.contains(" places of 1 entity"), "{said}");
}

#[test]
fn a_track_as_parquet_has_the_score_of_the_same_track_as_csv() {
    let folder = walk();
    let write = ["replay", "walk.pcap", "--profile", "retail", "-o", "mine.csv", "-o", "mine.parquet"];
    assert_eq!(run(folder.path(), &write).0, 0);
    let scores =
        |track: &str| rows(folder.path(), &[track, "--track-offset", "0"]).map(|row| row.to_string());
    assert_eq!(scores("mine.parquet"), scores("mine.csv"));
    // Columns are found by other names too.
    let columns = "x=qz,y=drawn_y";
    let [other, _] =
        rows(folder.path(), &["mine.parquet", "--track-offset", "0", "--track-columns", columns]);
    assert_ne!(other.to_string(), scores("mine.csv")[0]);
}

#[test]
fn a_damaged_parquet_file_is_an_error_in_words() {
    let folder = walk();
    assert_eq!(run(folder.path(), &["replay", "walk.pcap", "-o", "mine.parquet"]).0, 0);
    let whole = fs::read(folder.path().join("mine.parquet")).unwrap();
    for keep in [6, whole.len() / 2, whole.len() - 3] {
        fs::write(folder.path().join("cut.parquet"), &whole[..keep]).unwrap();
        let (code, _, said) = run(folder.path(), &["score", "walk.pcap", "--track", "cut.parquet"]);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains("cut.parquet: ") && !said.contains("panicked"), "{said}");
    }
}

#[test]
fn a_page_shows_the_track_beside_ours() {
    let folder = walk();
    let (code, _, said) = run(
        folder.path(),
        &[
            "score",
            "walk.pcap",
            "--truth",
            "walk.csv",
            "--track",
            "walk.csv",
            "--track-offset",
            "0.3",
            "--track-name",
            "glide",
            "-o",
            "walk.html",
        ],
    );
    assert_eq!(code, 0, "{said}");
    let page = fs::read_to_string(folder.path().join("walk.html")).unwrap();
    // A name of ours would be taken for ours.
    assert!(page.contains(r#""panes":["glide","your glide"]"#), "{}", &page[..2_000]);
    let (_, drawn) = page.split_once("id=\"drawn\" type=\"application/json\">").unwrap();
    assert!(drawn.starts_with('"'), "{}", &drawn[..40]);
    let (code, _, _) = run(folder.path(), &["score", "walk.pcap", "--truth", "walk.csv", "-o", "plain.html"]);
    assert_eq!(code, 0);
    let page = fs::read_to_string(folder.path().join("plain.html")).unwrap();
    assert!(page.contains("id=\"drawn\" type=\"application/json\">null<"));
}
