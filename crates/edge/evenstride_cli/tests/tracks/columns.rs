//! Columns are those that the user chose, in every kind of table.

use crate::{Scene, off};

#[test]
fn a_chosen_column_that_is_missing_is_not_replaced_by_a_usual_one() {
    let scene = Scene::of("walk");
    let said = scene.refusal(&["it.csv", "--track-columns", "x=PosQ", "--track-offset", "0"]);
    assert!(said.contains("x: there is no column PosQ; columns are time, "), "{said}");
    // Nor is an optional one, also where each line has names of its own.
    let said = scene.refusal(&["it.csv", "--track-columns", "heading=Turn", "--track-offset", "0"]);
    assert!(said.contains("heading: there is no column Turn"), "{said}");
    scene.write("mine.jsonl", "{\"t\":1,\"x\":1,\"y\":2,\"z\":3}\n{\"t\":1.1,\"x\":1,\"y\":2,\"z\":3}\n");
    let said = scene.refusal(&["mine.jsonl", "--track-columns", "heading=Turn", "--track-offset", "0"]);
    assert!(said.contains("heading: there is no column Turn"), "{said}");
    let write = scene.run(&["replay", "it.pcap", "-o", "mine.parquet"]);
    assert_eq!(write.code, 0, "{}", write.said);
    let said = scene.refusal(&["mine.parquet", "--track-columns", "x=PosQ", "--track-offset", "0"]);
    assert!(said.contains("x: there is no column PosQ"), "{said}");
}

#[test]
fn a_chosen_column_of_milliseconds_wins_over_a_usual_time() {
    let scene = Scene::of("walk");
    scene.track("time,Clock,cell,x,y,z", |time, row| {
        Some(format!("7,{},{},{},{},{}", time * 1000.0, row[2], row[3], row[4], row[5]))
    });
    let (row, said) = scene.row(&["mine.csv", "--track-columns", "ms=Clock", "--track-offset", "0"]);
    assert!(off(&row) < 0.05, "{row}");
    assert!(said.contains("mine.csv: columns ms=Clock,cell=cell,x=x,y=y,z=z"), "{said}");
    let said = scene.refusal(&["mine.csv", "--track-columns", "ms=Clock,time=time"]);
    assert!(said.contains("time and ms name the same thing"), "{said}");
}

#[test]
fn separators_in_quotation_marks_do_not_shift_a_row() {
    let scene = Scene::of("walk");
    scene.track("note,t,cell,x,y,z", |time, row| {
        Some(format!("\"runs, \"\"fast\"\", 4 m/s\",{time},{},{},{},{}", row[2], row[3], row[4], row[5]))
    });
    let (row, _) = scene.row(&["mine.csv", "--track-offset", "0"]);
    assert!(off(&row) < 0.05, "{row}");
    scene.track("note,t,cell,x,y,z", |time, row| {
        Some(format!("runs, fast,{time},{},{},{},{}", row[2], row[3], row[4], row[5]))
    });
    let said = scene.refusal(&["mine.csv", "--track-offset", "0"]);
    assert!(
        said.contains("line 2: 7 values, but the header has 6; put texts with `,` in quotation marks"),
        "{said}"
    );
}

#[test]
fn semicolons_tabs_marks_of_byte_order_and_blank_lines_are_read() {
    let scene = Scene::of("walk");
    let truth = std::fs::read_to_string(scene.path().join("it.csv")).unwrap();
    for separator in [";", "\t"] {
        scene.write(
            "mine.csv",
            format!("\u{FEFF}\r\n\n{}", truth.replace(',', separator).replace('\n', "\r\n")),
        );
        let (row, _) = scene.row(&["mine.csv", "--track-offset", "0"]);
        assert!(off(&row) < 0.05, "{row}");
    }
    let mut json = String::from("\u{FEFF}\n \n");
    for row in scene.truth() {
        json += &format!(
            "{{\"t\":{},\"cell\":\"{}\",\"pos\":[{},{},{}]}}\n",
            row[0], row[2], row[3], row[4], row[5]
        );
    }
    scene.write("mine.jsonl", json);
    let (row, _) = scene.row(&["mine.jsonl", "--track-offset", "0"]);
    assert!(off(&row) < 0.05, "{row}");
    scene.write("mine.jsonl", "[{\"t\":1}]");
    assert!(scene.refusal(&["mine.jsonl"]).contains("line 1: a JSON list; write one object per line"));
    scene.write("mine.csv", "t;x;y;z\n1,5;2;3;4\n");
    assert!(scene.refusal(&["mine.csv"]).contains("\"1,5\" is not a number; decimals follow a point"));
}
