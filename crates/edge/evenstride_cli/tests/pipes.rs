//! No command panics if its output is closed.

#![cfg(unix)]

use std::{
    path::Path,
    process::{Command, Stdio},
};

fn project(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path);
    path.canonicalize().expect("it is part of the project").display().to_string()
}

/// Arguments of every command that prints to standard output.
fn commands() -> Vec<Vec<String>> {
    let capture = project("testdata/captures/first-light.pcap");
    let archive = project("testdata/archives/synthetic_portal.dat");
    let lines = [
        "completions bash",
        "completions zsh",
        "completions fish",
        "man",
        "scenarios",
        "scenarios walk",
        "demo walk -o -",
        "demo walk -o /dev/null",
        "simulate walk -o -",
        "score walk",
        "score walk --json",
        "score walk turn --mean",
        "inspect CAPTURE",
        "inspect CAPTURE --json",
        "inspect CAPTURE --messages",
        "replay CAPTURE",
        "replay CAPTURE --json",
        "explain CAPTURE --entity 0x50000002",
        "replay CAPTURE -o -",
        "moments CAPTURE",
        "moments CAPTURE --json",
        "explain CAPTURE",
        "explain CAPTURE --entity 0x50000002 --json",
        "dat ARCHIVE ls",
        "dat ARCHIVE ls --json",
        "dat ARCHIVE show 0x09000001",
        "dat ARCHIVE show 0x09000001 --json",
        "dat ARCHIVE show 0x09000001 --raw",
        "dat ARCHIVE check",
        "dat ARCHIVE check --json",
        "dat ARCHIVE root-motion 0x09000001",
        "dat ARCHIVE root-motion 0x09000001 --format svg",
        "dat ARCHIVE root-motion 0x09000001 --format json -o -",
    ];
    let words = |line: &str| {
        line.split(' ')
            .map(|word| match word {
                "CAPTURE" => capture.clone(),
                "ARCHIVE" => archive.clone(),
                word => word.to_owned(),
            })
            .collect()
    };
    lines.into_iter().map(words).collect()
}

#[test]
fn a_reader_that_has_gone_ends_a_command_without_a_word() {
    for args in commands() {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = Command::new(assert_cmd::cargo::cargo_bin("evenstride"))
            .args(&args)
            .arg("--quiet")
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&child.stderr);
        assert_eq!((child.status.code(), &*err), (Some(141), ""), "{args:?}");
    }
}

#[test]
fn help_for_a_reader_that_has_gone_is_no_panic() {
    for args in [&["--help"][..], &["replay", "--help"], &["--version"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let program = assert_cmd::cargo::cargo_bin("evenstride");
        let output = Command::new(program).args(args).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{args:?}");
    }
}

#[test]
fn a_closed_standard_output_is_no_panic() {
    for args in commands() {
        let program = assert_cmd::cargo::cargo_bin("evenstride");
        let script = "exec \"$0\" \"$@\" >&-";
        let output = Command::new("sh").args(["-c", script]).arg(program).args(&args).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(0) && !err.contains("panicked"), "{args:?}: {err}");
    }
}
