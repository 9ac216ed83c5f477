//! Colours, widths, `--quiet`, standard output as a file, times, suggestions and manual pages.

use std::{fs, path::Path};

use assert_cmd::Command;

fn project(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path);
    path.canonicalize().expect("it is part of the project").display().to_string()
}

fn first_light() -> String {
    project("testdata/captures/first-light.pcap")
}

fn archive() -> String {
    project("testdata/archives/synthetic_portal.dat")
}

struct Run {
    code: i32,
    out: String,
    err: String,
}

/// Runs the program with variables of the environment. Other variables about colours are removed.
fn run_with(variables: &[(&str, &str)], args: &[&str]) -> Run {
    let mut command = Command::cargo_bin("evenstride").unwrap();
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Run { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

fn run(args: &[&str]) -> Run {
    run_with(&[], args)
}

const ESCAPE: char = '\u{1b}';

#[test]
fn a_pipe_has_no_colours_unless_they_are_asked_for() {
    let capture = first_light();
    for args in [
        &["score", "walk"][..],
        &["scenarios"],
        &["inspect", &capture, "--messages"],
        &["dat", &archive(), "check"],
        &["--help"],
    ] {
        let coloured = |variables: &[(&str, &str)], more: &[&str]| {
            run_with(variables, &[args, more].concat()).out.contains(ESCAPE)
        };
        assert!(!coloured(&[], &[]), "{args:?}");
        assert!(coloured(&[], &["--color", "always"]), "{args:?}");
        assert!(coloured(&[], &["--color=ALWAYS"]), "{args:?}");
        assert!(coloured(&[("CLICOLOR_FORCE", "1")], &[]), "{args:?}");
        assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]), "{args:?}: NO_COLOR wins");
        assert!(coloured(&[("NO_COLOR", "1")], &["--color", "always"]), "{args:?}: a flag wins");
        assert!(!coloured(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]), "{args:?}");
    }
}

#[test]
fn errors_have_a_coloured_name_and_json_never_has_a_colour() {
    let wrong = run(&["scenarios", "nothing", "--color", "always"]);
    assert!(wrong.code == 2 && wrong.err.starts_with(ESCAPE), "{:?}", wrong.err);
    let wrong = run(&["scenarios", "nothing"]);
    assert!(wrong.err.starts_with("evenstride: there is no scenario"), "{}", wrong.err);
    for args in [&["score", "walk", "--json"][..], &["inspect", &first_light(), "--json"]] {
        assert!(!run(&[args, &["--color", "always"]].concat()).out.contains(ESCAPE), "{args:?}");
    }
}

#[test]
fn a_quiet_run_has_its_result_and_its_errors_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (capture, archive) = (first_light(), archive());
    for args in [
        &["simulate", "walk", "-o", &file("walk.pcap"), "--truth", &file("walk.csv")][..],
        &["replay", &capture, "-o", &file("a.html"), "-o", &file("a.csv"), "--synctest", "60", "--twice"],
        &["score", &capture],
        &["dat", &archive, "ls"],
        &["dat", &archive, "root-motion", "0x09000001", "-o", &file("run.csv")],
        &["replay", &capture, "--dat", &archive],
        &["man", "-o", &file("man")],
    ] {
        let loud = run(args);
        assert!(!loud.err.is_empty(), "{args:?}");
        for quiet in ["-q", "--quiet"] {
            let silent = run(&[args, &[quiet]].concat());
            let warnings: String = loud
                .err
                .lines()
                .filter(|line| line.contains("missing"))
                .map(|line| format!("{line}\n"))
                .collect();
            assert_eq!((silent.code, silent.err), (loud.code, warnings), "{args:?}");
            assert_eq!(silent.out, loud.out, "{args:?}");
        }
    }
    let wrong = run(&["-q", "inspect", "nowhere.pcap"]);
    assert!(wrong.code == 2 && wrong.err.starts_with("evenstride: nowhere.pcap: "), "{}", wrong.err);
}

#[test]
fn tables_fit_the_terminal_and_name_what_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("demo.html").display().to_string();
    let (capture, archive) = (first_light(), archive());
    for args in [
        &["score", "chase-5hz", "--timing"][..],
        &["score", "walk", "turn", "--mean"],
        &["demo", "walk", "-o", &page],
        &["scenarios"],
        &["inspect", &capture],
        &["dat", &archive, "ls"],
        &["dat", &archive, "check"],
        &["dat", &archive, "root-motion", "0x09000001"],
    ] {
        let narrow = run_with(&[("COLUMNS", "60")], args);
        assert_eq!(narrow.code, 0, "{args:?}");
        // The name of a file cannot be broken.
        let is_long = |line: &&str| line.chars().count() > 60 && !line.contains(&page);
        assert_eq!(narrow.out.lines().find(is_long), None, "{args:?}");
    }
    let narrow = run_with(&[("COLUMNS", "60")], &["score", "chase-5hz"]).out;
    assert!(narrow.contains("left out for lack of width: spot, dragged, dv rms"), "{narrow}");
    assert!(narrow.contains("--json` has all"), "{narrow}");
    let wide = run(&["score", "chase-5hz"]).out;
    assert!(wide.contains("dv most") && !wide.contains("left out"), "{wide}");
}

#[test]
fn a_scorecard_says_what_is_good_and_folds_equal_rows() {
    let card = run(&["score", "run-1hz"]);
    assert_eq!(card.err, "", "costs need --timing");
    assert!(card.out.contains("Lower is better, but 1 is best for path."), "{}", card.out);
    let row = |start: &str| card.out.lines().find(|line| line.starts_with(start)).map(str::to_owned);
    assert!(row("retail = acdream ").is_some() && row("acdream").is_none(), "{}", card.out);
    // The client stands still in most frames at 60 frames per second, and not at its own rate.
    let frozen = |start: &str| -> f64 {
        let row = row(start).unwrap();
        row[start.len()..].split_whitespace().nth(1).unwrap().trim_end_matches('*').parse().unwrap()
    };
    assert!(frozen("retail = acdream") > 50.0 && frozen("retail, 30 fps") < 1.0, "{}", card.out);
    // Where they differ, both have a row.
    let chase = run(&["score", "chase-5hz"]).out;
    assert!(chase.contains("\nretail ") && chase.contains("\nacdream "), "{chase}");
    let timing = run(&["score", "run-1hz", "--timing"]).out;
    assert!(timing.contains("ns for each entity and frame") && timing.contains(" glide"), "{timing}");
    let json: serde_json::Value =
        serde_json::from_str(&run(&["score", "run-1hz", "--json", "--timing"]).out).unwrap();
    assert!(json["cost_ns"]["glide"].as_f64().unwrap() > 0.0);
    let names: Vec<_> =
        json["scores"].as_array().unwrap().iter().map(|of| of["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"acdream") && names.contains(&"retail, 30 fps"), "{names:?}");
}

#[test]
fn a_dash_is_standard_output_and_nothing_else_is_written_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let bytes = |args: &[&str]| {
        let output =
            Command::cargo_bin("evenstride").unwrap().current_dir(folder.path()).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        (output.stdout, String::from_utf8(output.stderr).unwrap())
    };
    let (pcap, page, csv) = (file("walk.pcap"), file("walk.html"), file("run.csv"));
    let archive = archive();
    for (to_file, to_output, path) in [
        (&["simulate", "walk", "-o", &pcap][..], &["simulate", "walk", "-o", "-"][..], &pcap),
        (&["demo", "walk", "-o", &page], &["demo", "walk", "-o", "-"], &page),
        (
            &["dat", &archive, "root-motion", "0x09000001", "-o", &csv],
            &["dat", &archive, "root-motion", "0x09000001", "--format", "csv", "-o", "-"],
            &csv,
        ),
    ] {
        let _ = bytes(to_file);
        let (out, err) = bytes(to_output);
        assert!(out == fs::read(path).unwrap(), "{to_output:?}: {err}");
        assert!(!err.contains("Open - in a browser") && !err.contains("next: "), "{err}");
    }
    let (_, summary) = bytes(&["demo", "walk", "-o", "-"]);
    assert!(summary.starts_with("A player walks") && summary.contains("\nglide "), "{summary}");
    assert_eq!(bytes(&["demo", "walk", "-o", "-", "-q"]).1, "");
    let twice = run(&["simulate", "walk", "-o", "-", "--truth", "-"]);
    assert!(twice.code == 2 && twice.err.contains("standard output takes one output"), "{}", twice.err);
    assert!(!folder.path().join("-").exists());
}

#[test]
fn times_are_seconds_clocks_durations_and_dates() {
    let capture = first_light();
    let messages = |from: &str, to: &str| {
        let of = run(&["inspect", &capture, "--json", "--from", from, "--to", to]);
        assert_eq!(of.code, 0, "{}", of.err);
        serde_json::from_str::<serde_json::Value>(&of.out).unwrap()["messages"].as_u64().unwrap()
    };
    let expected = messages("60", "83.5");
    assert!(expected > 0);
    assert_eq!(messages("1:00", "0:01:23.5"), expected);
    assert_eq!(messages("PT1M", "PT83.5S"), expected);
    // Second 0 of the capture is 1,600,000,000 s after 1970.
    assert_eq!(messages("2020-09-13T12:27:40Z", "2020-09-13T14:28:03.5+02:00"), expected);
    let folder = tempfile::tempdir().unwrap();
    let lines = folder.path().join("a.jsonl");
    fs::write(&lines, "{\"dir\":\"s2c\",\"t_rel\":1,\"payload_hex\":\"46f7000002000050\"}\n").unwrap();
    let wrong = run(&["inspect", lines.to_str().unwrap(), "--from", "2020-09-13T12:27:40Z"]);
    assert!(wrong.code == 2 && wrong.err.contains("a clock without dates"), "{}", wrong.err);
    let replay = run(&[
        "replay",
        &capture,
        "--from",
        "0:19",
        "--to",
        "PT21.5S",
        "--profile",
        "RETAIL",
        "--draw",
        "Between",
    ]);
    assert_eq!(replay.code, 0, "{}", replay.err);
}

#[test]
fn a_name_that_is_missing_brings_its_neighbours() {
    let archive = archive();
    for (args, expected) in [
        (&["score", "chase-9hz"][..], "(perhaps chase-5hz)"),
        (&["simulate", "town", "-o", "x.pcap"], "(perhaps town-square)"),
        (&["scenarios", "Stnad"], "(perhaps stand, "),
        (&["dat", &archive, "ls", "--type", "motiontable"], "use one of motion-table, "),
        (&["dat", &archive, "show", "0x03000009"], "the nearest are 0x03000003, 0x03000002, 0x03000001"),
        (
            &["inspect", &first_light(), "--entity", "0x50000003"],
            "entities with ids like 0x50000003: 0x50000001, 0x50000002",
        ),
    ] {
        let wrong = run(args);
        assert!(wrong.err.contains(expected), "{args:?}: {}", wrong.err);
    }
}

#[test]
fn every_command_has_a_manual_page_and_help_has_examples() {
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("deep/man1");
    assert_eq!(run(&["man", "-o", man.to_str().unwrap()]).code, 0);
    let help = run(&["--help"]).out;
    assert!(help.contains("Examples:\n  evenstride demo"), "{help}");
    let commands =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> = commands
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() > 10, "{names:?}");
    let below = ["dat-ls", "dat-show", "dat-check", "dat-root-motion"];
    for name in names.iter().chain(&below) {
        let page = fs::read_to_string(man.join(format!("evenstride-{name}.1"))).unwrap_or_default();
        assert!(page.contains(&format!(".TH evenstride-{name} 1")), "{name}: {page}");
    }
    let page = run(&["man"]).out;
    assert_eq!(fs::read_to_string(man.join("evenstride.1")).unwrap(), page);
    assert!(page.contains(".SH NAME\nevenstride"), "{page}");
}
