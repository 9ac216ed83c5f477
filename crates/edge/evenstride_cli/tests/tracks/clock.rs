//! The clock of a track is found, or its uncertainty is told.

use crate::{Scene, off};

/// Returns the offset that was found.
fn offset(said: &str) -> f64 {
    let (before, _) = said.split_once(" s are added to its times").unwrap_or_else(|| panic!("{said}"));
    before.rsplit(' ').next().unwrap().parse().unwrap()
}

/// Writes the truth of a scenario on a clock of its own, and returns the offset that is found.
fn found(scene: &Scene, ahead: f64) -> (f64, serde_json::Value, String) {
    scene.track("t,entity,cell,x,y,z,qw,qx,qy,qz", |time, row| {
        Some(format!("{},{}", time + ahead, row[1..].join(",")))
    });
    let (row, said) = scene.row(&["mine.csv"]);
    (offset(&said), row, said)
}

#[test]
fn the_clock_of_a_body_that_turns_on_the_spot_is_that_of_its_headings() {
    let scene = Scene::of("turn");
    let (offset, row, said) = found(&scene, 100.0);
    assert!((offset + 100.0).abs() < 0.05, "{said}");
    assert!(row["heading_off"].as_f64().unwrap() < 3.0, "{row}");
    assert!(row["drawn"].as_f64().unwrap() > 0.98, "{row}");
    assert!(!said.contains("uncertain"), "{said}");
}

#[test]
fn the_track_of_a_body_that_stands_is_not_pushed_out_of_the_contest() {
    let scene = Scene::of("stand");
    let (offset, row, said) = found(&scene, 100.0);
    assert!((offset + 100.0).abs() < 0.3, "{said}");
    assert!(row["drawn"].as_f64().unwrap() > 0.98, "{row}");
    // Without the turns nothing tells the clock, so a part of the track says so.
    scene.track("t,entity,cell,x,y,z", |time, row| {
        (8.0..14.0).contains(&time).then(|| format!("{},{}", time + 100.0, row[1..6].join(",")))
    });
    let (_, said) = scene.row(&["mine.csv"]);
    assert!(said.contains("its clock is uncertain, because "), "{said}");
}

#[test]
fn a_log_that_begins_late_and_fits_better_elsewhere_is_uncertain() {
    let scene = Scene::of("stand");
    // The contest ends before the log, so another clock has more rows in common with it.
    scene.track("t,entity,cell,x,y,z,qw,qx,qy,qz", |time, row| (time > 12.0).then(|| row.join(",")));
    let (_, said) = scene.row(&["mine.csv"]);
    assert!(said.contains("its clock is uncertain, because "), "{said}");
}

#[test]
fn a_patrol_is_not_matched_with_another_lap() {
    let scene = Scene::of("patrol");
    let (offset, row, said) = found(&scene, -1_000.0);
    assert!((offset - 1_000.0).abs() < 0.05, "{said}");
    assert!(off(&row) < 0.1 && row["drawn"].as_f64().unwrap() > 0.98, "{row}");
    assert!(!said.contains("uncertain"), "{said}");
    // A part of it may be any lap, which is told also with `--quiet`.
    scene.track("t,entity,cell,x,y,z,qw,qx,qy,qz", |time, row| {
        (20.0..35.0).contains(&time).then(|| row.join(","))
    });
    let (_, said) = scene.row(&["mine.csv", "--quiet"]);
    assert!(said.contains("evenstride: mine.csv: its clock is uncertain, because +20."), "{said}");
}

#[test]
fn a_row_before_unix_times_does_not_hide_the_clock() {
    let scene = Scene::of("walk");
    let unix = 1_379_509_932.5;
    let mut text = String::from("t,entity,cell,x,y,z\n");
    for row in scene.truth() {
        let time: f64 = row[0].parse().unwrap();
        if text.lines().count() == 1 {
            text += &format!("0,{},{},{},{},{}\n", row[1], row[2], row[3], row[4], row[5]);
        }
        text += &format!("{},{},{},{},{},{}\n", time + unix, row[1], row[2], row[3], row[4], row[5]);
    }
    scene.write("mine.csv", text);
    let (row, said) = scene.row(&["mine.csv"]);
    assert!((offset(&said) + unix).abs() < 0.05, "{said}");
    assert!(off(&row) < 0.1, "{row}");
    // The same clock can be given.
    let (row, _) = scene.row(&["mine.csv", &format!("--track-offset=-{unix}")]);
    assert!(off(&row) < 0.1, "{row}");
}

#[test]
fn a_log_of_a_whole_day_is_matched_where_it_belongs() {
    let scene = Scene::of("walk");
    let truth = scene.truth();
    let [first, last] = [truth.first().unwrap(), truth.last().unwrap()];
    let mut text = String::from("t,entity,cell,x,y,z\n");
    let mut put = |time: f64, row: &[String]| {
        text += &format!("{time},{},{},{},{},{}\n", row[1], row[2], row[3], row[4], row[5]);
    };
    // It stands for eleven hours before and after, drawn five times per second.
    let end: f64 = last[0].parse().unwrap();
    (0..200_000).for_each(|row| put(f64::from(row) * 0.2, first));
    truth.iter().for_each(|row| put(40_000.0 + row[0].parse::<f64>().unwrap(), row));
    (1..200_000).for_each(|row| put(40_000.0 + end + f64::from(row) * 0.2, last));
    scene.write("mine.csv", text);
    let (row, said) = scene.row(&["mine.csv"]);
    assert!((offset(&said) + 40_000.0).abs() < 0.05, "{said}");
    assert!(off(&row) < 0.1, "{row}");
}

#[test]
fn a_track_that_is_never_drawn_is_told_its_gaps_and_times() {
    let scene = Scene::of("walk");
    // Ten rows per second of the truth become two.
    scene.track("t,cell,x,y,z", |time, row| {
        let tick = (time * 30.0).round() as u64;
        tick.is_multiple_of(15).then(|| format!("{time},{},{},{},{}", row[2], row[3], row[4], row[5]))
    });
    let said = scene.refusal(&["mine.csv"]);
    assert!(said.contains("most of its rows are more than 0.25 s apart, up to 0."), "{said}");
    let said = scene.refusal(&["it.csv", "--track-offset", "5000"]);
    assert!(said.contains("with the offset of 5000 s, its times are from 5000."), "{said}");
    scene.write("mine.csv", "t,x,y,z\n");
    let said = scene.refusal(&["mine.csv"]);
    assert!(said.contains("no rows"), "{said}");
    scene.write("mine.csv", "");
    assert!(scene.refusal(&["mine.csv"]).contains("no rows"));
    let said = scene.refusal(&["it.csv", "--track-offset", "1e13"]);
    assert!(said.contains("is too large for an offset"), "{said}");
}
