//! `evenstride archive`, killed at random and continued.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use evenstride_archive::sample::write_capture;
use serde_json::Value;

fn program() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin("evenstride"))
}

/// Paths of all tables in a folder and their bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("manifest.jsonl") {
                files.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(path).unwrap());
            }
        }
    }
    files
}

/// No table is lost, doubled or half written, whenever the program is killed.
#[test]
fn a_run_that_is_killed_at_random_loses_and_doubles_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let captures = folder.path().join("captures");
    for number in 0..12 {
        write_capture(&captures, number, &["walk", "turn", "chase-5hz"]).unwrap();
    }
    let pattern = format!("{}/**/*.pcap.gz", captures.display());
    let run = |name: &str| {
        let mut command = program();
        command.args(["archive", &pattern, "--jobs", "2", "--quiet", "-o"]).arg(folder.path().join(name));
        command.stdout(Stdio::null());
        command
    };
    assert!(run("whole").status().unwrap().success());
    let whole = files(&folder.path().join("whole"));
    assert_eq!(whole.len(), 60);
    let mut state = 20_130_918_u64;
    let mut killed = 0;
    // The wait grows, so that every machine gets to the end.
    for round in 0..200 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut child = run("tables").spawn().unwrap();
        thread::sleep(Duration::from_millis((state >> 33) % (20 + 4 * round)));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
    }
    assert!(run("tables").status().unwrap().success());
    assert!(killed > 0, "the first run was never killed");
    let resumed = files(&folder.path().join("tables"));
    assert!(resumed.keys().eq(whole.keys()), "{:?}\n{:?}", resumed.keys(), whole.keys());
    assert!(resumed == whole, "the tables have other bytes");
}

#[test]
fn the_summary_lists_what_failed() {
    let folder = tempfile::tempdir().unwrap();
    let captures = folder.path().join("captures");
    write_capture(&captures, 0, &["walk"]).unwrap();
    fs::write(captures.join("noise.pcap"), b"this is no capture").unwrap();
    let tables = folder.path().join("tables");
    let mut command = program();
    command.args(["archive", "--json", "--quiet"]).arg(&captures).arg("-o").arg(&tables);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["captures"], &summary["converted"]), (&Value::from(2), &Value::from(1)));
    assert!(summary["failed"][0]["error"].as_str().unwrap().contains("not a capture"));
    // The text says the same, and other settings are refused.
    let output = program().arg("archive").arg(&captures).arg("-o").arg(&tables).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("done before         1") && text.contains("noise.pcap: not a capture"), "{text}");
    let mut other = program();
    other.arg("archive").arg(&captures).args(["--profile", "retail", "-o"]).arg(&tables);
    let output = other.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("profile glide"));
}
