//! Values keep their accuracy, and absurd ones are refused in words.

use std::fs;

use crate::{Scene, off};

/// Returns the coordinates of a row of the truth on the whole map.
fn on_map(row: &[String]) -> [f64; 2] {
    let cell = u32::from_str_radix(&row[2][2..], 16).unwrap();
    let axis = |text: &str, block: u32| text.parse::<f64>().unwrap() + f64::from(block) * 192.0;
    [axis(&row[3], cell >> 24), axis(&row[4], cell >> 16 & 255)]
}

#[test]
fn the_truth_on_coordinates_of_the_map_has_the_jerk_of_the_truth() {
    let scene = Scene::of("walk");
    scene.track("t,x,y,z", |time, row| {
        let [x, y] = on_map(row);
        Some(format!("{time},{x},{y},{}", row[5]))
    });
    let (all, _) = scene.scores(&["mine.csv", "--track-offset", "0"]);
    let jerk = |row: &serde_json::Value| row["jerk"].as_f64().unwrap();
    let (mine, truth) = (jerk(&all["scores"][0]), jerk(&all["truth"]));
    assert_eq!(all["scores"][0]["name"], "mine");
    assert!((mine / truth - 1.0).abs() < 0.01, "{mine} {truth}");
}

#[test]
fn a_huge_value_is_an_error_and_no_dead_page() {
    let scene = Scene::of("walk");
    for (part, value, words) in [
        (0, "1e300", "time: 1e300 s is not a time"),
        (5, "1e39", "heading: 1e39 is not an angle in degrees"),
        (2, "1e30", "x, y, z: 1e30 m is outside the map"),
        (2, "inf", "x: \"inf\" is not a number"),
    ] {
        let mut is_first = true;
        let mut text = String::from("t,cell,x,y,z,heading\n");
        for row in scene.truth() {
            let mut row = [&row[0], &row[2], &row[3], &row[4], &row[5], "90"].map(str::to_owned);
            if std::mem::take(&mut is_first) {
                row[part] = value.to_owned();
            }
            text += &(row.join(",") + "\n");
        }
        scene.write("mine.csv", text);
        let said = scene.refusal(&["mine.csv", "--track-offset", "0", "-o", "it.html"]);
        assert!(said.contains("line 2: ") && said.contains(words), "{said}");
        assert!(!scene.path().join("it.html").exists());
    }
}

#[test]
fn headings_of_many_turns_keep_their_accuracy() {
    let scene = Scene::of("walk");
    scene.track("t,cell,x,y,z,heading", |time, row| {
        let place = row[2..6].join(",");
        Some(format!("{time},{place},{}", 90.0 + 10.0 * time - 3_600_000.0))
    });
    let (row, _) = scene.row(&["mine.csv", "--track-offset", "0"]);
    assert!(row["heading_acceleration"].as_f64().unwrap() < 1.0, "{row}");
}

#[test]
fn a_page_holds_only_the_rows_of_the_contest() {
    let scene = Scene::of("walk");
    let page = |track: &str| {
        let answer = scene.score(&[track, "--track-offset", "0", "-o", "it.html"]);
        assert_eq!(answer.code, 0, "{}", answer.said);
        let page = fs::read_to_string(scene.path().join("it.html")).unwrap();
        let (_, drawn) = page.split_once("id=\"drawn\" type=\"application/json\">").unwrap();
        drawn.split_once('<').unwrap().0.to_owned()
    };
    let alone = page("it.csv");
    let truth = fs::read_to_string(scene.path().join("it.csv")).unwrap();
    let (header, rows) = truth.split_once('\n').unwrap();
    let first = rows.lines().next().unwrap().split_once(',').unwrap().1;
    // A day before, with a row in every tenth of a second.
    let before: String =
        (0..2_000).map(|row| format!("{:.1},{first}\n", f64::from(row) * 0.1 - 86_400.0)).collect();
    scene.write("mine.csv", format!("{header}\n{before}{rows}"));
    assert_eq!(page("mine.csv"), alone);
    // Two hundred rows between two of the truth.
    let between = |row: &Vec<String>, part: u32| {
        format!("{:.6},{}\n", row[0].parse::<f64>().unwrap() + f64::from(part) / 6_100.0, row[1..].join(","))
    };
    let truth = scene.truth();
    let rows: String = truth.iter().flat_map(|row| (0..200).map(move |part| between(row, part))).collect();
    scene.write("mine.csv", format!("{header}\n{rows}"));
    assert!(page("mine.csv").len() < 20 * alone.len());
}

#[test]
fn a_track_without_headings_has_no_scores_of_headings() {
    let scene = Scene::of("turn");
    scene.track("t,cell,x,y,z", |time, row| {
        Some(format!("{time},{},{},{},{}", row[2], row[3], row[4], row[5]))
    });
    let (all, said) = scene.scores(&["mine.csv", "--track-offset", "0"]);
    let schema = include_str!("../../../../../docs/schemas/score.schema.json");
    let schema = serde_json::from_str(schema).unwrap();
    assert!(jsonschema::is_valid(&schema, &all), "{all}");
    let row = &all["scores"][0];
    assert!(off(row) < 0.05, "{row}");
    for column in ["heading_off", "heading_acceleration", "flicks"] {
        assert!(row[column].is_null(), "{column}: {row}");
    }
    assert!(said.contains("without headings"), "{said}");
}
