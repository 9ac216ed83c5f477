//! `evenstride replay` and `explain` as a user runs them, on the project's own capture.

use std::{io::Write, path::PathBuf};

use assert_cmd::Command;

fn first_light() -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let path = root.join("testdata/captures/first-light.pcap");
    path.canonicalize().expect("the capture is part of the project").display().to_string()
}

fn run(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("evenstride").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn the_summary_of_first_light() {
    let (code, out, err) = run(&["replay", &first_light(), "--twice"]);
    assert_eq!(code, 0, "{err}");
    insta::assert_snapshot!("summary", out.replace(&first_light(), "first-light.pcap"));
    assert!(err.contains("twice: all ") && err.contains("are the same, bit for bit"), "{err}");
}

#[test]
fn the_tracks_of_a_running_jump() {
    let folder = folder();
    let tracks = |name: &str| {
        let path = folder.path().join(name).display().to_string();
        let (code, _, err) = run(&[
            "replay",
            &first_light(),
            "--fps",
            "10",
            "--from",
            "19",
            "--to",
            "21.5",
            "--entity",
            "50000002",
            "-o",
            &path,
        ]);
        assert_eq!(code, 0, "{err}");
        std::fs::read_to_string(path).unwrap()
    };
    insta::assert_snapshot!("tracks_csv", tracks("jump.csv"));
    let lines = tracks("jump.jsonl");
    insta::assert_snapshot!("tracks_jsonl", lines.lines().take(3).collect::<Vec<_>>().join("\n"));
    assert_eq!(lines.lines().count() + 1, tracks("again.csv").lines().count());
}

#[test]
fn every_profile_and_rate_replays_the_same_twice() {
    for profile in ["retail", "acdream", "smooth"] {
        for fps in ["7", "60", "144"] {
            let (code, _, err) =
                run(&["replay", &first_light(), "--profile", profile, "--fps", fps, "--twice"]);
            assert_eq!(code, 0, "{profile} {fps}: {err}");
        }
    }
}

/// Returns every capture of the project.
fn captures() -> Vec<String> {
    let folder = PathBuf::from(first_light()).parent().unwrap().to_owned();
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut captures: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "pcap"))
        .map(|path| path.display().to_string())
        .collect();
    captures.sort();
    assert!(captures.len() >= 2, "{captures:?}");
    captures
}

#[test]
fn sync_tests_of_every_capture_and_profile_find_nothing() {
    for capture in captures() {
        for profile in ["retail", "acdream", "smooth", "glide"] {
            let replay = |more: &[&str]| {
                let args = [&["replay", &capture, "--profile", profile, "--json"], more].concat();
                let (code, out, err) = run(&args);
                assert_eq!(code, 0, "{capture} {profile}: {err}");
                (serde_json::from_str::<serde_json::Value>(&out).unwrap(), err)
            };
            let (plain, _) = replay(&[]);
            assert_eq!(plain["synctest"], serde_json::Value::Null);
            for frames in ["1", "7", "60"] {
                let (tested, err) = replay(&["--synctest", frames]);
                let sync = &tested["synctest"];
                let (compared, restores) =
                    (sync["frames"].as_u64().unwrap(), sync["restores"].as_u64().unwrap());
                assert!(
                    compared > 100 && restores == 1 + compared / frames.parse::<u64>().unwrap(),
                    "{sync}"
                );
                assert_eq!(sync["difference"], serde_json::Value::Null);
                let line = format!(
                    "synctest: all {compared} frames are the same after {restores} restores, bit for bit"
                );
                assert!(err.replace(',', "").contains(&line.replace(',', "")), "{err}");
                for unchanged in ["state_hash", "frames", "updates", "snaps", "entities"] {
                    assert_eq!(tested[unchanged], plain[unchanged], "{capture} {profile} {unchanged}");
                }
            }
        }
    }
}

#[test]
fn a_sync_test_goes_with_all_other_options() {
    let folder = folder();
    let write = |name: &str, more: &[&str]| {
        let path = folder.path().join(name).display().to_string();
        let span = ["--from", "19", "--to", "21.5", "--fps", "30", "-o", &path];
        let (code, _, err) = run(&[&["replay", &first_light()], &span[..], more].concat());
        assert_eq!(code, 0, "{err}");
        (std::fs::read(path).unwrap(), err)
    };
    for kind in ["csv", "html"] {
        let (plain, _) = write(&format!("plain.{kind}"), &[]);
        let (tested, err) = write(&format!("tested.{kind}"), &["--synctest", "3", "--twice"]);
        assert!(err.contains("twice: all ") && err.contains("synctest: all "), "{err}");
        assert!(plain == tested, "{kind}: the sync test changed the output");
    }
}

#[test]
fn a_sync_test_needs_a_number_of_frames() {
    for bad in ["0", "1000001", "-1", "often", ""] {
        let (code, _, err) = run(&["replay", &first_light(), &format!("--synctest={bad}")]);
        assert_eq!(code, 2, "{bad}: {err}");
        assert!(
            bad.is_empty() || err.contains(&format!("`{bad}` is not a number of frames from 1 to 1000000")),
            "{err}"
        );
    }
    assert_eq!(run(&["replay", &first_light(), "--synctest", "1000000"]).0, 0);
}

#[test]
fn the_story_of_ilse() {
    let (code, out, _) = run(&["explain", &first_light(), "--entity", "0x50000002"]);
    assert_eq!(code, 0);
    insta::assert_snapshot!("story", out.replace(&first_light(), "first-light.pcap"));
    let (code, out, _) = run(&["explain", &first_light(), "--entity", "50000002", "--at", "20"]);
    assert_eq!(code, 0);
    insta::assert_snapshot!("story_at_20", out.replace(&first_light(), "first-light.pcap"));
    let (_, out, _) = run(&["explain", &first_light(), "--entity", "50000002", "--at", "20", "--json"]);
    let story: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&story["name"], &story["at"]["waypoints"]), (&"Ilse".into(), &0.into()));
    assert!(story["decisions"].as_array().unwrap().len() > 10);
}

#[test]
fn a_report_is_one_file() {
    let folder = folder();
    let path = folder.path().join("first-light.html").display().to_string();
    let (code, out, err) = run(&["replay", &first_light(), "-o", &path, "--json"]);
    assert_eq!(code, 0, "{err}");
    let html = std::fs::read_to_string(&path).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.len() < 1_200_000, "{} bytes", html.len());
    assert!(!html.contains("{{"), "nothing is left of the template");
    let summary: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(summary["snaps"]["teleport"], 2);
    assert_eq!(summary["player"], "0x50000001");
}

#[test]
fn damaged_captures_give_what_they_have() {
    let bytes = std::fs::read(first_light()).unwrap();
    let mut file = tempfile::Builder::new().suffix(".pcap").tempfile().unwrap();
    file.write_all(&bytes[..bytes.len() / 2]).unwrap();
    let (code, out, err) = run(&["replay", file.path().to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(err.contains("the file ends within it"), "{err}");
    assert!(out.contains("entities            3"), "{out}");
}

#[test]
fn what_cannot_be_done_is_said_with_what_to_do() {
    let light = first_light();
    let folder = folder();
    let nowhere = folder.path().join("no/such/folder.csv").display().to_string();
    for (args, words) in [
        (vec!["replay", "nothing.pcap"], "nothing to replay"),
        (
            vec!["replay", &light, "-o", "out.txt"],
            "Name it .html for a report, .csv, .jsonl or .parquet for tracks",
        ),
        (vec!["replay", &light, "-o", &nowhere], "there is no such folder"),
        (vec!["replay", &light, "--entity", "0x123"], "0x50000002 Ilse"),
        (vec!["replay", &light, "--player", "0x123"], "so its client cannot have recorded this"),
        (vec!["replay", &light, "--connection", "7"], "connections with such messages: [0]"),
        (vec!["replay", &light, &light, "--offset", "1e18"], "is too large for an offset"),
        (vec!["replay", &light, "--fps", "0"], "a frame rate from 1 to 1000"),
        (vec!["replay", &light, "--from", "500"], "the capture runs from 0.000 to 118.000 s"),
        (vec!["replay", &light, "--offset", "3"], "at most one --offset for each capture after the first"),
        (vec!["explain", &light, "--entity", "0x123"], "0x50000002 Ilse"),
        (vec!["explain", &light, "--entity", "50000002", "--at", "500"], "the capture runs from"),
        (vec!["replay", &light, "--profile", "best"], "possible values: retail, acdream, smooth"),
    ] {
        let (code, _, err) = run(&args);
        assert_eq!(code, 2, "{args:?}: {err}");
        assert!(err.contains(words), "{args:?}: {err}");
    }
}

#[test]
fn nothing_that_is_there_is_lost_to_a_mistake() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (capture, kept) = (path("y.jsonl"), path("keep.html"));
    std::fs::write(&capture, "{\"dir\":\"s2c\",\"t_rel\":1,\"payload_hex\":\"46f7000002000050\"}\n").unwrap();
    std::fs::write(&kept, "precious").unwrap();
    let spelled = path("../") + &format!("{}/y.jsonl", folder.path().file_name().unwrap().to_string_lossy());
    let (code, _, err) = run(&["replay", &capture, "-o", &spelled]);
    assert_eq!(code, 2);
    assert!(err.contains("would be overwritten"), "{err}");
    assert!(std::fs::read_to_string(&capture).unwrap().len() > 10);
    for args in [vec!["replay", "nothing.pcap"], vec!["replay", &first_light(), "--from", "500"]] {
        let (code, _, _) = run(&[args.as_slice(), &["-o", &kept]].concat());
        assert_eq!((code, std::fs::read_to_string(&kept).unwrap().as_str()), (2, "precious"));
    }
    let (code, _, err) = run(&["replay", &first_light(), "-o", &path("a.CSV"), "-o", &path("./a.CSV")]);
    assert_eq!(code, 2);
    assert!(err.contains("written twice"), "{err}");
}

#[test]
fn a_part_of_a_recording_is_counted_by_itself() {
    let (code, out, err) = run(&["replay", &first_light(), "--from", "60", "--to", "70", "--json"]);
    assert_eq!(code, 0, "{err}");
    let summary: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&summary["seconds"], &summary["snaps"]), (&10.0.into(), &serde_json::json!({})));
    assert!(summary["updates"].as_u64().unwrap() < 100, "{summary}");
}

#[test]
fn two_recordings_lie_over_each_other() {
    // What Ilse's own client said, a second late on its own clock.
    let truth = concat!(
        r#"{"dir":"s2c","t_rel":4.0,"payload_hex":"46f7000002000050"}"#,
        "\n",
        r#"{"dir":"c2s","t_rel":4.0,"payload_hex":"b1f700000100000053f700001d00b4a90000b4420000c8420000404100008 03f000000000000000000000000000000000000000001000000"}"#,
        "\n",
    )
    .replace("00008 03f", "0000803f");
    let mut file = tempfile::Builder::new().suffix(".jsonl").tempfile().unwrap();
    file.write_all(truth.as_bytes()).unwrap();
    let path = file.path().to_str().unwrap();
    let (code, out, err) = run(&["replay", &first_light(), path, "--offset=-3", "--json"]);
    assert_eq!(code, 0, "{err}");
    let summary: serde_json::Value = serde_json::from_str(&out).unwrap();
    let ilse =
        summary["entities"].as_array().unwrap().iter().find(|of| of["entity"] == "0x50000002").unwrap();
    // At second 1 she stands where she was described.
    assert_eq!(ilse["from_truth"]["poses"], 1);
    assert!(ilse["from_truth"]["most"].as_f64().unwrap() < 0.01, "{ilse}");
}

#[test]
fn tables_of_your_own_are_followed() {
    let folder = folder();
    let tables = folder.path().join("tables.toml");
    let text = "[animation.crawl]\nframes = 10\neach = [0.0, 0.01, 0.0]\n[table.0x09000001]\ndefault_style = \"NonCombat\"\n\
        [table.0x09000001.style.NonCombat]\ndefault = \"Ready\"\ncycle.Ready = {}\ncycle.Walk = { clips = [{ animation = \"crawl\" }] }\n\
        cycle.Run = { clips = [{ animation = \"crawl\" }] }\n";
    std::fs::write(&tables, text).unwrap();
    let path = tables.display().to_string();
    let behind = |args: &[&str]| {
        let (code, out, err) = run(&[&["replay", &first_light(), "--json"], args].concat());
        assert_eq!(code, 0, "{err}");
        let summary: serde_json::Value = serde_json::from_str(&out).unwrap();
        let ilse =
            summary["entities"].as_array().unwrap().iter().find(|of| of["name"] == "Ilse").unwrap().clone();
        ilse["most_behind"]["metres"].as_f64().unwrap()
    };
    // If she crawls by her table, she is behind when she runs. By the built-in one she is once, when she lands.
    assert!(behind(&["--tables", &path]) > 4.0 && behind(&[]) < 2.5);
    std::fs::write(&tables, text.replace("cycle.Walk", "cycle.Wok")).unwrap();
    let (code, _, err) = run(&["replay", &first_light(), "--tables", &path]);
    assert_eq!(code, 2);
    assert!(err.contains("line 9: `Wok` is not a motion; did you mean `Walk`?"), "{err}");
}
