//! `evenstride dat`, and `--dat` elsewhere, as a user runs them: on the synthetic archive and on archives made here.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use evenstride_dat::{Animation, Archive, ArchiveWriter, LandBlock, MotionTable, RecordId, Region, Setup};
use serde_json::Value;

fn project(path: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..");
    root.join(path).canonicalize().expect("it is part of the project").display().to_string()
}

fn synthetic() -> String {
    project("testdata/archives/synthetic_portal.dat")
}

fn first_light() -> String {
    project("testdata/captures/first-light.pcap")
}

fn run(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("evenstride").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn dat(args: &[&str]) -> String {
    let (code, out, err) = run(&[&["dat", &synthetic()], args].concat());
    assert_eq!(code, 0, "{args:?}: {err}");
    out
}

#[test]
fn records_are_listed_by_kind() {
    insta::assert_snapshot!("ls", dat(&["ls"]));
    let lines = dat(&["ls", "--type", "animation,motion-table", "--json"]);
    let records: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<&str> = records.iter().map(|record| record["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["0x03000001", "0x03000002", "0x03000003", "0x09000001"]);
    assert_eq!((&records[3]["bytes"], &records[3]["made"]), (&304.into(), &"2017-04-26".into()));
}

#[test]
fn records_are_shown_in_words_as_json_and_as_they_are() {
    for (name, id) in
        [("show_setup", "02000001"), ("show_animation", "0x03000003"), ("show_motion_table", "0x09000001")]
    {
        insta::assert_snapshot!(name, dat(&["show", id]));
    }
    let table: Value = serde_json::from_str(&dat(&["show", "0x09000001", "--json"])).unwrap();
    assert_eq!(table["cycles"].as_array().unwrap().len(), 5);
    assert_eq!(table["cycles"][2]["velocity"], serde_json::json!([0.0, 4.0, 0.0]));
    let output = Command::cargo_bin("evenstride")
        .unwrap()
        .args(["dat", &synthetic(), "show", "0xFFFF0001", "--raw"])
        .output();
    assert_eq!(output.unwrap().stdout, [1, 0, 0, 0, 255, 255, 255, 255, 1, 0, 0, 0]);
}

/// The numbers that `spec` of the synthetic archive gives, as a user sees them.
#[test]
fn root_motion_is_a_table_a_csv_or_a_plot() {
    let steps = ["root-motion", "0x09000001", "--seconds", "0.3", "--step", "0.05"];
    insta::assert_snapshot!("root_motion", dat(&steps));
    let back = dat(&[&steps[..], &["--from", "Run", "--command", "Ready", "--format", "csv"]].concat());
    let ways: Vec<f64> =
        back.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect();
    assert!(ways.iter().zip([-0.15, -0.3, -0.3, -0.3, -0.3, -0.3]).all(|(got, y)| (got - y).abs() < 1e-5));

    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("turn.svg").display().to_string();
    dat(&["root-motion", "0x09000001", "--command", "TurnLeft", "--speed", "1.5", "-o", &plot]);
    let svg = std::fs::read_to_string(plot).unwrap();
    for words in [
        "<svg",
        "TurnLeft at speed 1.5 in NonCombat",
        "path from above",
        "speed of each step",
        "turn of each step",
    ] {
        assert!(svg.contains(words), "{words}");
    }
    // Keyframe marks: circles on the path.
    assert!(dat(&["root-motion", "9000001", "--format", "svg"]).matches("<circle").count() > 80);
}

#[test]
fn what_is_not_there_is_said_with_what_is() {
    let cases: [(&[&str], &str); 6] = [
        (&["show", "0x09000002"], "there is no record 0x09000002; `ls` lists all records"),
        (&["show", "nine"], "`nine` is not a record id; use up to eight hexadecimal digits, like 0x09000001"),
        (&["root-motion", "0x03000001"], "0x03000001 is not a record of kind motion-table"),
        (
            &["root-motion", "0x09000001", "--command", "Wave"],
            "NonCombat has Walk, Ready, Run, TurnRight, SideStepRight",
        ),
        (&["root-motion", "0x09000001", "--command", "Rum"], "did you mean `Run`?"),
        (
            &["root-motion", "0x09000001", "--style", "SwordCombat"],
            "0x09000001 has NonCombat: there is no stance SwordCombat",
        ),
    ];
    for (args, expected) in cases {
        let (code, _, err) = run(&[&["dat", &synthetic()], args].concat());
        assert_eq!(code, 2, "{args:?}");
        assert!(err.contains(expected), "{args:?}: {err}");
    }
    let (code, _, err) = run(&["dat", &first_light(), "ls"]);
    assert!(code == 2 && err.contains("not an archive of the game"), "{err}");
    let (code, _, err) = run(&["dat", "nowhere.dat", "check"]);
    assert!(code == 2 && err.contains("nowhere.dat: No such file"), "{err}");
}

#[test]
fn check_reads_everything_and_goes_on_after_a_fault() {
    insta::assert_snapshot!("check", dat(&["check"]));
    let folder = tempfile::tempdir().unwrap();
    let damaged = folder.path().join("damaged.dat");
    let mut bytes = std::fs::read(synthetic()).unwrap();
    // The chain of the second animation leads into a free block; the third one has an unknown hook.
    bytes[0x1400..0x1404].copy_from_slice(&0x8000_0000_u32.to_le_bytes());
    bytes[0x1800 + 4 + 0xA4] = 99;
    std::fs::write(&damaged, bytes).unwrap();
    let damaged = damaged.display().to_string();
    let (code, out, _) = run(&["dat", &damaged, "check"]);
    assert_eq!(code, 1);
    insta::assert_snapshot!("check_damaged", out);
    let (code, out, _) = run(&["dat", &damaged, "check", "--json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &report["fault_count"], &report["kinds"]["animation"]["faulty"]),
        (1, &2.into(), &2.into())
    );
    // A table of which some animations cannot be read is played as far as it goes.
    let (code, out, err) = run(&["dat", &damaged, "root-motion", "0x09000001", "--seconds", "0.1"]);
    assert!(
        code == 1 && out.contains("0x09000001: Run at speed 1") && err.contains("0x03000002: block 0"),
        "{err}"
    );
}

/// A portal with the region, and a cell with a landblock: heights in metres.
#[test]
fn a_landblock_is_shown_as_a_map() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let block = LandBlock {
        id: RecordId(0xA9B4_FFFF),
        has_objects: 1,
        terrain: [0; 81],
        heights: std::array::from_fn(|post| (post / 9 * 10 + post % 9) as u8),
    };
    let region = Region {
        id: RecordId::REGION,
        number: 1,
        name: b"Dereth".to_vec(),
        blocks: [255; 2],
        spacing: 24.0,
        squares: [8, 1],
        sizes: [200.0, 1000.0, 5.0],
        heights: std::array::from_fn(|step| step as f32 * 2.0),
    };
    let cell = write("cell.dat", ArchiveWriter::cell().add_record(&block).unwrap().finish().unwrap());
    let portal = write("portal.dat", ArchiveWriter::portal().add_record(&region).unwrap().finish().unwrap());
    let (code, out, _) = run(&["dat", &cell, "show", "A9B4FFFF", "--portal", &portal]);
    assert_eq!(code, 0);
    insta::assert_snapshot!("show_landblock", out);
    let (_, out, _) = run(&["dat", &portal, "show", "13000000"]);
    assert!(out.contains(" 248   496.00  498.00"), "{out}");
    let (_, out, _) = run(&["dat", &cell, "ls", "--type", "landblock"]);
    assert!(out.contains("0xA9B4FFFF  landblock              252"), "{out}");
}

/// How far off each entity was, in metres, as docs/dat.md has it: Ilse when heard of, median and 95 %; Vesper from where she said she was,
/// most; the drudge when heard of.
fn off(archive: Option<&Path>) -> String {
    let capture = first_light();
    let mut args = vec!["replay".to_owned(), capture, "--json".to_owned()];
    args.extend(archive.iter().flat_map(|path| ["--dat".to_owned(), path.display().to_string()]));
    let (code, out, err) = run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(code, 0, "{err}");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["dat"].is_null(), archive.is_none());
    let number = |entity: &str, list: &str, part: &str| {
        let entities = report["entities"].as_array().unwrap();
        let of = entities.iter().find(|of| of["entity"] == entity).unwrap();
        of[list][part].as_f64().unwrap()
    };
    let heard = |entity: &str| {
        let [median, p95] = ["median", "p95"].map(|part| number(entity, "off_when_heard", part));
        format!("{median:.3} / {p95:.3}")
    };
    let vesper = number("0x50000001", "from_truth", "most");
    format!("{}, {vesper:.3}, {}", heard("0x50000002"), heard("0x80000010"))
}

/// The synthetic table lets a turn take the place of a run, as the client does where a table does not forbid it: a body that turns while running
/// stops. With that one bit set, running is as good as with what is built in.
#[test]
fn a_replay_with_an_archive_moves_people_by_its_tables() {
    let synthetic = PathBuf::from(synthetic());
    let archive = Archive::open(std::fs::read(&synthetic).unwrap()).unwrap();
    let mut table: MotionTable = archive.read(RecordId(0x0900_0001)).unwrap();
    for cycle in table.cycles.iter_mut().filter(|cycle| matches!(cycle.key & 0xFFFF, 0xD | 0xF)) {
        cycle.bits |= 2;
    }
    let mut writer = ArchiveWriter::portal();
    for id in [0x0300_0001, 0x0300_0002, 0x0300_0003] {
        writer = writer.add_record(&archive.read::<Animation>(RecordId(id)).unwrap()).unwrap();
    }
    writer = writer.add_record(&archive.read::<Setup>(RecordId(0x0200_0001)).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mended = folder.path().join("mended.dat");
    std::fs::write(&mended, writer.add_record(&table).unwrap().finish().unwrap()).unwrap();

    let drudge = "0.088 / 0.517";
    let columns = [None, Some(synthetic.as_path()), Some(mended.as_path())];
    let expected = ["0.110 / 0.444, 0.252", "5.640 / 8.610, 2.846", "0.084 / 0.279, 0.107"];
    for (archive, expected) in columns.into_iter().zip(expected) {
        assert_eq!(off(archive), format!("{expected}, {drudge}"), "docs/dat.md has this number too");
    }
}

#[test]
fn explain_says_whose_table_legs_follow() {
    let legs = |entity: &str, archive: bool| {
        let (capture, synthetic) = (first_light(), synthetic());
        let mut args = vec!["explain", &capture, "--entity", entity];
        if archive {
            args.extend(["--dat", &synthetic]);
        }
        let (code, out, err) = run(&args);
        assert_eq!(code, 0, "{err}");
        let line = out.lines().find(|line| line.contains(": plays ")).unwrap();
        line.split_once(": plays ").unwrap().1.to_owned()
    };
    let built_in = "the built-in motion table for";
    assert_eq!(legs("0x50000002", false), format!("{built_in} people: its own, 09000001, is not loaded"));
    assert_eq!(legs("0x50000002", true), "its own motion table 09000001");
    for archive in [false, true] {
        assert_eq!(
            legs("0x80000010", archive),
            format!("{built_in} creatures: its own, 0900FFFF, is not loaded")
        );
    }
}

#[test]
fn the_wrong_archive_is_refused_before_anything_is_done() {
    let (capture, synthetic) = (first_light(), synthetic());
    for command in ["replay", "explain"] {
        let mut args = vec![command, &capture, "--dat", &capture];
        if command == "explain" {
            args.extend(["--entity", "0x50000002"]);
        }
        let (code, out, err) = run(&args);
        assert!(
            code == 2 && out.is_empty() && err.contains("not an archive of the game"),
            "{command}: {err}"
        );
    }
    let (code, out, err) = run(&["score", "run-1hz", "--dat", &capture]);
    assert!(code == 2 && out.is_empty() && err.contains("not an archive of the game"), "{err}");
    let (code, out, err) = run(&["score", "run-1hz", "--dat", &synthetic]);
    assert!(code == 0 && out.contains("smooth") && err.contains("loaded motion tables: 1"), "{err}");
}

/// It may be the only copy that the user has.
#[test]
fn the_archive_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.dat").display().to_string();
    std::fs::copy(synthetic(), &copy).unwrap();
    for format in [&[][..], &["--format", "csv"]] {
        let (code, _, err) =
            run(&[&["dat", &copy, "root-motion", "0x09000001", "-o", &copy], format].concat());
        assert!(
            code == 2 && err.contains("is also an input (the archive) and would be overwritten"),
            "{err}"
        );
    }
    // By another name it is the same file.
    let linked = folder.path().join("linked.svg").display().to_string();
    std::fs::hard_link(&copy, &linked).unwrap();
    let (code, _, err) = run(&["dat", &copy, "root-motion", "0x09000001", "-o", &linked]);
    assert!(code == 2 && err.contains("is also an input (the archive) and would be overwritten"), "{err}");
    let named = folder.path().join("named.csv").display().to_string();
    std::fs::hard_link(&copy, &named).unwrap();
    let (code, _, err) = run(&["replay", &first_light(), "--dat", &copy, "-o", &named]);
    assert!(code == 2 && err.contains("is also an input (the archive) and would be overwritten"), "{err}");
    assert_eq!(std::fs::read(&copy).unwrap(), std::fs::read(synthetic()).unwrap());
    let picture = folder.path().join("run.png").display().to_string();
    let (code, _, err) = run(&["dat", &copy, "root-motion", "0x09000001", "-o", &picture]);
    assert!(code == 2 && err.contains("run.png: unknown output format"), "{err}");
    let (code, out, _) = run(&["dat", &copy, "root-motion", "0x09000001", "--format", "json", "-o", "-"]);
    let motion: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, motion["steps"].as_array().unwrap().len()), (0, 90));
}

#[test]
fn what_is_cut_short_or_out_of_order_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name).display().to_string();
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let whole = std::fs::read(synthetic()).unwrap();
    let cut = write("cut.dat", &whole[..8192]);
    let (code, out, err) = run(&["dat", &cut, "ls"]);
    assert!(code == 1 && out.lines().count() == 7, "{out}");
    assert!(err.contains("truncated: its header says 9216 bytes, but the file has 8192"), "{err}");
    let (code, _, err) = run(&["dat", &write("stump.dat", &whole[..2000]), "ls"]);
    assert!(
        code == 2 && err.contains("truncated: its header says 9216 bytes, but the file has 2000, and the"),
        "{err}"
    );

    // The entry of the motion table comes first: no search finds it.
    let mut swapped = whole.clone();
    let entries = 0x404 + 0xFC;
    let table = swapped[entries + 4 * 24..entries + 5 * 24].to_vec();
    swapped.copy_within(entries..entries + 4 * 24, entries + 24);
    swapped[entries..entries + 24].copy_from_slice(&table);
    let swapped = write("swapped.dat", &swapped);
    let (code, out, err) = run(&["dat", &swapped, "show", "0x09000001"]);
    assert!(code == 1 && out.contains("NonCombat: Run"), "{out}");
    assert!(err.contains("the directory is out of order: 0x09000001 was found by a full scan"), "{err}");

    let (code, _, err) = run(&["dat", folder.path().to_str().unwrap(), "ls"]);
    assert!(code == 2 && err.contains("is a directory"), "{err}");
    let (code, _, err) = run(&["dat", &write("empty.dat", &[]), "ls"]);
    assert!(code == 2 && err.contains("it has 0 bytes, but a header alone has 1024"), "{err}");
    let cell = write("cell.dat", &ArchiveWriter::cell().finish().unwrap());
    for args in
        [&["dat", &cell, "root-motion", "0x09000001"][..], &["replay", &first_light(), "--dat", &cell]]
    {
        let (code, _, err) = run(args);
        assert!(code == 2 && err.contains("is an archive of land and rooms"), "{args:?}: {err}");
    }
    let empty = write("nothing.dat", &ArchiveWriter::portal().finish().unwrap());
    let (code, _, err) = run(&["replay", &first_light(), "--dat", &empty]);
    assert!(code == 1 && err.contains("contains no record that the captures refer to"), "{err}");
}

/// A body that turns before running does not run by this table, and the explanation says so.
#[test]
fn a_motion_that_does_not_last_is_told() {
    let out = dat(&["root-motion", "0x09000001", "--from", "TurnRight", "--seconds", "0.2"]);
    assert!(out.contains("the body does not stay in Run, because the table returns to TurnRight"), "{out}");
    // Far from where it began, a step is still a step.
    let out = dat(&["root-motion", "0x09000001", "--seconds", "3600", "--step", "0.05"]);
    assert!(out.contains("after 3600.0000 s it is 14400.15"), "{}", out.lines().last().unwrap());
}
