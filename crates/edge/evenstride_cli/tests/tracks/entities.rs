//! Rows find their entities, and no others.

use std::fmt::Write as _;

use crate::{DRUDGES, Scene, off};

/// Returns the number of an id like `0x80000001`.
fn number(id: &str) -> u32 {
    u32::from_str_radix(&id[2..], 16).unwrap()
}

#[test]
fn an_id_as_a_json_number_or_a_decimal_finds_its_entity() {
    let scene = Scene::from_text(DRUDGES);
    let mut json = String::new();
    for row in scene.truth() {
        let id = number(&row[1]);
        writeln!(
            json,
            r#"{{"t":{},"guid":{id},"cell":"{}","pos":[{},{},{}]}}"#,
            row[0], row[2], row[3], row[4], row[5]
        )
        .unwrap();
    }
    scene.write("mine.jsonl", json);
    let (row, _) = scene.row(&["mine.jsonl", "--track-offset", "0"]);
    assert!(row["drawn"].as_f64().unwrap() > 0.99 && off(&row) < 0.05, "{row}");

    for id in [
        |id: &str| number(id).to_string(),
        |id: &str| id[2..].to_owned(),
        |id: &str| format!("{}.0", number(id)),
    ] {
        scene.track("t,guid,cell,x,y,z", |_, row| {
            Some(format!("{},{},{},{},{},{}", row[0], id(&row[1]), row[2], row[3], row[4], row[5]))
        });
        let (row, _) = scene.row(&["mine.csv", "--track-offset", "0"]);
        assert!(row["drawn"].as_f64().unwrap() > 0.99 && off(&row) < 0.05, "{row}");
    }
}

#[test]
fn rows_of_one_name_are_not_taken_for_those_of_a_longer_one() {
    let scene = Scene::from_text(DRUDGES);
    let ids: Vec<String> = scene.truth().iter().map(|row| row[1].clone()).collect();
    let first = ids.first().unwrap().clone();
    let name = |id: &str| if id == first { "drudge" } else { "Drudge Slinker" };
    // Every row comes again a kilometre away, with the beginning of a name.
    scene.track("t,name,cell,x,y,z", |_, row| {
        let place = format!("{},{},{},{}", row[2], row[3], row[4], row[5]);
        let far = format!("{},{},{},{}", row[2], row[3], row[4], 1_000.0);
        Some(format!("{0},{1},{place}\n{0},Drudge S,{far}\n{0},Dru,{far}", row[0], name(&row[1])))
    });
    let (row, said) = scene.row(&["mine.csv", "--track-offset", "0"]);
    assert!(off(&row) < 0.05, "{row}");
    assert!(row["drawn"].as_f64().unwrap() > 0.99, "{row}");
    let rows = 2 * ids.len();
    let rows = format!("{},{:03}", rows / 1000, rows % 1000);
    assert!(
        said.contains(&format!(
            "left out: {rows} rows without an entity of the messages, the first about Drudge S; "
        )),
        "{said}"
    );
}

#[test]
fn rows_with_the_name_of_two_entities_are_counted_and_told() {
    let scene = Scene::from_text(&DRUDGES.replace("Drudge Slinker", "drudge"));
    scene.track("t,name,cell,x,y,z", |_, row| {
        Some(format!("{},Drudge,{},{},{},{}", row[0], row[2], row[3], row[4], row[5]))
    });
    let said = scene.refusal(&["mine.csv", "--track-offset", "0"]);
    assert!(
        said.contains(" rows with the name of several entities, the first about Drudge; use ids"),
        "{said}"
    );
    assert!(said.contains("none of its entities is scored here"), "{said}");
}

#[test]
fn a_subject_that_is_never_drawn_is_named_and_costs_the_row_its_marks() {
    let scene = Scene::from_text(DRUDGES);
    let first = scene.truth()[0][1].clone();
    scene.track("t,guid,cell,x,y,z", |_, row| {
        (row[1] == first)
            .then(|| format!("{},{},{},{},{},{}", row[0], row[1], row[2], row[3], row[4], row[5]))
    });
    let (row, said) = scene.row(&["mine.csv", "--track-offset", "0"]);
    assert!((0.45..0.55).contains(&row["drawn"].as_f64().unwrap()), "{row}");
    assert!(said.contains("1 of 2 entities never drawn, the first is Drudge"), "{said}");
    let answer = scene.score(&["mine.csv", "--track-offset", "0"]);
    assert!(answer.out.contains("so never marked as best: mine (50.0 %)"), "{}", answer.out);
    let mine = answer.out.lines().filter(|line| line.trim_start().starts_with("mine "));
    assert!(mine.clone().count() == 2 && mine.clone().all(|line| !line.contains('*')), "{}", answer.out);
}

#[test]
fn a_track_of_one_frame_in_a_hundred_has_no_best_value() {
    let scene = Scene::of("walk");
    let last = scene.truth().last().unwrap()[0].parse::<f64>().unwrap();
    scene.track("t,cell,x,y,z,qw,qx,qy,qz", |time, row| {
        (time < 0.15 * last).then(|| format!("{time},{}", row[2..].join(",")))
    });
    let (row, _) = scene.row(&["mine.csv", "--track-offset", "0"]);
    assert!(row["drawn"].as_f64().unwrap() < 0.2, "{row}");
    let answer = scene.run(&[
        "score",
        "it.pcap",
        "--truth",
        "it.csv",
        "--track",
        "mine.csv",
        "--track-offset",
        "0",
        "-o",
        "it.html",
    ]);
    assert!(answer.out.contains("so never marked as best: mine"), "{}", answer.out);
    let front = answer.out.lines().find(|line| line.contains("trade-off front")).unwrap();
    assert!(!front.contains("mine"), "{front}");
    // The page marks none of its values either.
    let page = std::fs::read_to_string(scene.path().join("it.html")).unwrap();
    let marks = |name: &str| {
        let (before, _) = page.split_once(&format!(r#""name":"{name}","strays""#)).unwrap();
        before[before.rfind(r#""best":["#).unwrap()..].contains("true")
    };
    assert!(!marks("mine") && marks("glide"));
}
