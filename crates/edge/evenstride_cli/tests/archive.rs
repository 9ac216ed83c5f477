//! `evenstride archive`, killed at random and continued.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use evenstride_archive::{hash_of, sample::write_capture};
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

/// Captures are recorded again, copied, renamed and deleted between the kills. In the end, every capture has
/// each of its tables once, and nothing else is there but tables of deleted captures.
#[test]
fn captures_that_change_between_kills_are_neither_lost_nor_doubled() {
    let folder = tempfile::tempdir().unwrap();
    let (captures, tables) = (folder.path().join("captures"), folder.path().join("tables"));
    fs::create_dir_all(&captures).unwrap();
    let run = || {
        let mut command = program();
        command.args(["archive", "--jobs", "2", "--quiet", "-o"]).arg(&tables).arg(&captures);
        command.stdout(Stdio::null());
        command
    };
    let hash = |path: &PathBuf| hash_of(path).unwrap()[..12].to_owned();
    let mut state = 20_130_918_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let paths: Vec<PathBuf> = (0..12).map(|index| captures.join(format!("{index}.pcap.gz"))).collect();
    // All hashes that a path ever had.
    let mut had: BTreeMap<&PathBuf, BTreeSet<String>> = BTreeMap::new();
    let (mut number, mut killed) = (0, 0);
    for round in 0..80 {
        for _ in 0..if round == 0 { 12 } else { 1 + random(3) } {
            let (one, other) = (&paths[random(paths.len())], &paths[random(paths.len())]);
            match random(6) {
                action if action < 2 || !one.exists() => {
                    let fresh = folder.path().join("fresh");
                    fs::rename(write_capture(&fresh, number, &["walk", "turn"]).unwrap(), one).unwrap();
                    number += 1;
                }
                2 | 3 if one != other => {
                    fs::copy(one, other).unwrap();
                }
                4 if one != other => {
                    let aside = captures.join("aside");
                    fs::rename(one, &aside).unwrap();
                    if other.exists() {
                        fs::rename(other, one).unwrap();
                    }
                    fs::rename(&aside, other).unwrap();
                }
                _ => fs::remove_file(one).unwrap(),
            }
            for path in [one, other].into_iter().filter(|path| path.exists()) {
                had.entry(path).or_default().insert(hash(path));
            }
        }
        let mut child = run().spawn().unwrap();
        thread::sleep(Duration::from_millis(random(30) as u64));
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            killed += 1;
        }
        child.wait().unwrap();
    }
    assert!(killed > 0, "no run was killed");
    for _ in 0..2 {
        assert!(run().status().unwrap().success());
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for path in files(&tables).into_keys() {
            let name = path.file_stem().unwrap().to_str().unwrap();
            *counts.entry(name.rsplit('-').next().unwrap().to_owned()).or_default() += 1;
        }
        let (live, deleted): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(|path| path.exists());
        let live: BTreeSet<String> = live.into_iter().map(hash).collect();
        let deleted: BTreeSet<&String> = deleted.iter().filter_map(|path| had.get(path)).flatten().collect();
        for hash in &live {
            assert_eq!(counts.get(hash), Some(&5), "{hash} is lost or doubled: {counts:?}");
        }
        for (hash, count) in counts {
            assert_eq!(count, 5, "{hash} has some of its tables");
            assert!(live.contains(&hash) || deleted.contains(&hash), "{hash} is an old version");
        }
    }
}

/// Names relative to the working directory were those of other captures in the next folder.
#[test]
fn captures_of_two_folders_with_equal_names_share_an_archive() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    for (number, name) in ["alice", "bob", "alice", "bob"].into_iter().enumerate() {
        let home = folder.path().join(name);
        if number < 2 {
            write_capture(&folder.path().join("fresh"), number as u64, &["walk"]).unwrap();
            fs::create_dir_all(home.join("captures")).unwrap();
            let new = folder.path().join(format!("fresh/server-{number}/walk-0000{number}.pcap.gz"));
            fs::rename(new, home.join("captures/x.pcap.gz")).unwrap();
        }
        let mut command = program();
        command.args(["archive", "captures", "-q", "--json", "-o"]).arg(&tables).current_dir(&home);
        let output = command.output().unwrap();
        assert!(output.status.success());
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["skipped"], u32::from(number >= 2), "{summary}");
        assert_eq!(files(&tables).len(), if number == 0 { 5 } else { 10 });
    }
}

#[test]
fn servers_on_other_ports_are_archived_and_folders_that_cannot_be_read_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let captures = folder.path().join("captures");
    write_capture(&captures, 0, &["walk"]).unwrap();
    let run = |arguments: &[&str], name: &str| {
        let mut command = program();
        command.args(["archive", "-q", "--json"]).args(arguments).arg(&captures);
        let output = command.arg("-o").arg(folder.path().join(name)).output().unwrap();
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), summary)
    };
    let (code, summary) = run(&["--server-ports", "12000-12001"], "other");
    assert_eq!((code, &summary["converted"]), (Some(1), &Value::from(0)), "{summary}");
    let (code, summary) = run(&["--server-ports", "9000-9001"], "same");
    assert_eq!((code, &summary["converted"]), (Some(0), &Value::from(1)), "{summary}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("loop", captures.join("loop")).unwrap();
        let (code, summary) = run(&[], "tables");
        assert_eq!((code, &summary["converted"]), (Some(1), &Value::from(1)), "{summary}");
        assert!(summary["unreadable"][0]["path"].as_str().unwrap().ends_with("loop"), "{summary}");
    }
}

/// Tables of `replay` had less metadata than those of `archive`.
#[test]
fn a_table_of_a_replay_tells_where_it_comes_from() {
    let folder = tempfile::tempdir().unwrap();
    let capture = write_capture(folder.path(), 1, &["walk"]).unwrap();
    let path = folder.path().join("tracks.parquet");
    let mut command = program();
    command
        .arg("replay")
        .arg(&capture)
        .args(["-q", "--changed", "--from", "1", "--to", "9.5", "-o"])
        .arg(&path);
    assert!(command.output().unwrap().status.success());
    let bytes = fs::read(&path).unwrap();
    let get = |key: &str| {
        let key = format!("evenstride.{key}");
        let at = bytes.windows(key.len()).rposition(|part| part == key.as_bytes());
        // The key, the type of the next field, a length below 128, and the value.
        let rest = &bytes[at.unwrap_or_else(|| panic!("{key} is missing")) + key.len()..];
        String::from_utf8(rest[2..2 + usize::from(rest[1])].to_vec()).unwrap()
    };
    assert_eq!(get("session"), capture.file_name().unwrap().to_str().unwrap());
    assert_eq!(get("capture"), hash_of(&capture).unwrap());
    assert_eq!([get("server"), get("date")], ["10.0.1.2-9000", "2013-09-01"]);
    assert_eq!([get("profile"), get("fps"), get("changed")], ["glide", "60", "true"]);
    assert_eq!([get("from"), get("to"), get("entity"), get("tables")], ["1", "9.5", "", ""]);
    assert_eq!((get("state_hash").len(), get("version").is_empty()), (16, false));
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
