//! The program behind `cargo xtask conform`, as a user runs it.

use std::path::PathBuf;

use assert_cmd::Command;

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/golden").join(name)
}

/// Exit code, standard output, standard error.
fn conform(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("evenstride-conform").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn path(name: &str) -> String {
    golden(name).display().to_string()
}

#[test]
fn the_math_traces_pass_and_the_last_line_counts_them() {
    let (code, out, _) = conform(&["--driver", "math_calls", &path("")]);
    assert_eq!(code, 0);
    assert_eq!(out.lines().filter(|line| line.starts_with("pass ")).count(), 4);
    assert_eq!(out.lines().last(), Some("4 passed, 0 failed"));
}

#[test]
fn every_reference_trace_passes() {
    let (code, out, _) = conform(&[&path("")]);
    assert_eq!(out.lines().last(), Some("352 passed, 0 failed"));
    assert_eq!(code, 0);
}

#[test]
fn wrong_names_are_said_and_nothing_passes() {
    let (code, out, err) = conform(&["no/such/folder"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(err, "conform: no/such/folder: No such file or directory (os error 2)\n");

    let empty = tempfile::tempdir().unwrap();
    let (code, _, err) = conform(&[&empty.path().display().to_string()]);
    assert_eq!(code, 2);
    assert!(err.contains("no traces (*.jsonl or *.jsonl.gz) in this folder"), "{err}");

    let (code, _, err) = conform(&["--driver", "maths", &path("")]);
    assert_eq!(code, 2);
    assert!(err.contains("possible values: math_calls, internal"), "{err}");

    let (code, _, err) = conform(&["--driver", "moveto", &path("r_math_7000.jsonl.gz")]);
    assert_eq!(code, 2);
    assert!(err.contains("no trace found uses driver moveto (looked at 1)"), "{err}");
}

#[test]
fn broken_traces_fail_with_file_line_and_reason() {
    let folder = tempfile::tempdir().unwrap();
    let header = r#"{"type":"header","schema":1,"name":"x","driver":"math_calls","settings":{}}"#;
    let call = r#"{"type":"call","op":"is_newer","args":{"timestamp":1,"new_time":2},"out":{"ok":1}}"#;
    for (name, text, reason) in [
        ("cut", format!("{header}\n{call}\n{{\"type\":\"ca"), "line 3: not JSON at column"),
        (
            "range",
            format!("{header}\n{}", call.replace(":2}", ":65536}")),
            "line 2: args.new_time: 65536 is not a whole",
        ),
        (
            "wrong",
            format!("{header}\n{}", call.replace(":1}}", ":0}}")),
            "line 2, call is_newer: ok: expected 0, got true",
        ),
        (
            "stripped",
            format!("{header}\n{}", call.replace("\"ok\":1", "")),
            "line 2: ok: this answer is missing from the trace",
        ),
        (
            "more",
            format!("{header}\n{}", call.replace("\"ok\"", "\"why\"")),
            "line 2: ok: this answer is missing",
        ),
        ("unknown", header.replace("math_calls", "magic"), "unknown driver \"magic\""),
        ("bare", header.to_owned(), "the trace has a header and no other lines"),
        ("cell", format!("{header}\n{}", CELL), "line 2: a: cell 0xA9B40041: no cell has the number"),
    ] {
        let file = folder.path().join(format!("{name}.jsonl"));
        std::fs::write(&file, text).unwrap();
        let (code, out, _) = conform(&[&file.display().to_string()]);
        assert_eq!(code, 1, "{name}: {out}");
        assert!(
            out.starts_with(&format!("FAIL {}", file.display())) && out.contains(reason),
            "{name}: {out}"
        );
        assert_eq!(out.lines().last(), Some("0 passed, 1 failed"));
    }
    let not_gzip = folder.path().join("x.jsonl.gz");
    std::fs::write(&not_gzip, "plain text").unwrap();
    let (code, out, _) = conform(&[&not_gzip.display().to_string()]);
    assert_eq!(code, 1);
    assert!(out.contains("named .gz, but not gzip data"), "{out}");
    let cut = folder.path().join("cut.jsonl.gz");
    let whole = std::fs::read(golden("r_math_7000.jsonl.gz")).unwrap();
    std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let (_, out, _) = conform(&[&cut.display().to_string()]);
    assert!(out.contains("the gzip data ends early"), "{out}");
    let misnamed = folder.path().join("zipped.jsonl");
    std::fs::write(&misnamed, &whole).unwrap();
    assert_eq!(conform(&[&misnamed.display().to_string()]).0, 0);
}

const CELL: &str = r#"{"type":"call","op":"distance","args":{"a":{"cell":"0xA9B40041","pos":[0,0,0],"quat":[1,0,0,0]},"b":{"cell":"0xA9B40001","pos":[0,0,0],"quat":[1,0,0,0]}},"out":{"value":0}}"#;

#[test]
fn machines_get_one_object_per_file_and_a_summary() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("z.jsonl");
    std::fs::write(&broken, "{}").unwrap();
    let (code, out, _) = conform(&["--json", &path("r_math_7000.jsonl.gz"), &broken.display().to_string()]);
    assert_eq!(code, 1);
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["type"], &lines[2]["type"]), (&"file".into(), &"summary".into()));
    assert_eq!(lines[0]["result"], "pass");
    assert_eq!(lines[1]["result"], "fail");
    assert_eq!((&lines[2]["passed"], &lines[2]["failed"]), (&1.into(), &1.into()));
}

#[test]
fn a_file_named_twice_runs_once() {
    let (code, out, _) = conform(&[&path("r_math_7000.jsonl.gz"), &path("./r_math_7000.jsonl.gz")]);
    assert_eq!(code, 0);
    assert_eq!(out.lines().last(), Some("1 passed, 0 failed"));
}

#[test]
fn help_has_examples() {
    let (code, out, _) = conform(&["--help"]);
    assert_eq!(code, 0);
    assert!(out.contains("cargo xtask conform testdata/golden"), "{out}");
}
