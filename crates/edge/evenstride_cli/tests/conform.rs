//! `evenstride conform`, as a user runs it against a program of their own.

use std::{fs, path::PathBuf};

use assert_cmd::Command;

/// Exit code, standard output, standard error.
fn conform(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("evenstride").unwrap().arg("conform").args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn golden(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../testdata/golden")
        .join(name)
        .display()
        .to_string()
}

#[test]
fn without_a_program_it_names_the_command_that_runs_traces_and_exits_with_2() {
    for (args, named) in [
        (&[] as &[&str], "cargo xtask conform testdata/golden"),
        (&["--driver", "moveto", "mine.jsonl"], "cargo xtask conform --driver moveto mine.jsonl"),
    ] {
        let (code, out, said) = conform(args);
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(said.contains(named), "{said}");
    }
}

#[test]
fn nothing_to_run_is_said_in_words() {
    for (args, words) in [
        (&["--against", "cat", "no/such/folder"] as &[&str], "no/such/folder: No such file or directory"),
        (&["--against", "cat"], "no folder `traces` here"),
        (&["--against", "cat", "--behaviour", "tethr"], "did you mean tether?"),
        (&["--against", "cat", "--timeout", "0"], "use 0.01 to 3600 seconds"),
        (&["--html", "x.html"], "--against"),
    ] {
        let (code, out, said) = conform(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(said.contains(words), "{args:?}: {said}");
    }
    let (code, _, said) =
        conform(&["--against", "cat", "--driver", "moveto", &golden("r_math_7000.jsonl.gz")]);
    assert_eq!(code, 2);
    assert!(said.contains("none of 1 trace has this driver or behaviour"), "{said}");
}

#[cfg(unix)]
mod against {
    use super::*;

    /// Answers every question with an empty object, as a program would that is just begun.
    const BEGUN: &str = r#"read line; echo '{"type":"hello","protocol":1,"name":"begun <b>\u001b[2J","drivers":{"math_calls":{},"internal":{"fields":["cell","pos"]}}}'; sed -u -E 's/^(.*"id":([0-9]+).*)$/{"id":\2,"out":{}}/'"#;

    #[test]
    fn a_difference_is_explained_by_what_the_client_does_and_where_it_is_written() {
        let (code, out, _) = conform(&["--against", BEGUN, "--behaviour", "tether", &golden("")]);
        assert_eq!(code, 1);
        assert!(out.contains("h28_constraint_leash_outdoor.jsonl.gz: line 2, event position: cell: expected \"0xA9B4001C\", got nothing"), "{out}");
        for words in [
            "behaviour: tether adds (tether)",
            "the client: The tether adds up every step since the last accepted position.",
            "in the game: Bodies that lost their updates run away for ever.",
            "functions: ConstraintManager::adjust_offset, ConstraintManager::ConstrainTo",
            "see: docs/conformance.md#tether",
            "internal: 2 of 23 fields were compared",
        ] {
            assert!(out.contains(words), "{words}: {out}");
        }
        assert!(!out.contains('\u{1b}'));
        assert_eq!(out.lines().last(), Some("0 passed, 7 failed, 0 unsupported"));
    }

    #[test]
    fn unsupported_traces_are_no_failures_and_alone_no_success() {
        let (code, out, _) = conform(&["--against", BEGUN, "--driver", "moveto,render38", &golden("")]);
        assert_eq!(code, 1);
        assert_eq!(out.lines().last(), Some("0 passed, 0 failed, 111 unsupported"));
        assert!(out.contains("m01_t1_walk_to_point.jsonl.gz: unsupported: driver moveto"), "{out}");
    }

    #[test]
    fn a_program_that_dies_is_started_again_and_the_run_ends_with_1() {
        let dies = r#"read line; echo '{"type":"hello","protocol":1,"name":"x","drivers":{"math_calls":{}}}'; read line; exit 7"#;
        let (code, out, _) = conform(&["--against", dies, "--driver", "math_calls", &golden("")]);
        assert_eq!(code, 1);
        assert_eq!(out.lines().filter(|line| line.contains("ended (exit status: 7)")).count(), 4);
        assert!(out.contains("4 traces ended by a fault of the program, which was started 4 times"), "{out}");
        assert_eq!(out.lines().last(), Some("0 passed, 4 failed, 0 unsupported"));
    }

    #[test]
    fn reports_for_build_servers_and_browsers_hold_foreign_words_as_text() {
        let folder = tempfile::tempdir().unwrap();
        let [junit, html] =
            ["score.xml", "score.html"].map(|name| folder.path().join(name).display().to_string());
        let args = ["--against", BEGUN, "--driver", "math_calls,moveto", "--junit", &junit, "--html", &html];
        let (code, _, _) = conform(&[&args[..], &[&golden("")]].concat());
        assert_eq!(code, 1);
        let junit = fs::read_to_string(&junit).unwrap();
        assert!(junit.contains("tests=\"108\" failures=\"4\" skipped=\"104\""), "{junit}");
        assert!(junit.contains("<testcase classname=\"math_calls\" name=\"r_math_7000\"><failure message=\"line 2, call combine: "), "{junit}");
        assert!(junit.contains("docs/conformance.md#combine-frames"), "{junit}");
        let html = fs::read_to_string(&html).unwrap();
        assert!(html.contains("<h1>Conformance of begun &lt;b&gt;"), "{html}");
        assert!(html.contains("0 of 108 · 0 %") && html.contains("default-src 'none'"), "{html}");
    }

    #[test]
    fn a_program_that_hangs_ends_with_a_run_that_the_user_ends() {
        let folder = tempfile::tempdir().unwrap();
        let [begun, alive] = ["begun", "alive"].map(|name| folder.path().join(name));
        let hangs =
            format!("touch '{}'; (sleep 3; touch '{}') & sleep 600", begun.display(), alive.display());
        let program = assert_cmd::cargo::cargo_bin("evenstride");
        let mut run = std::process::Command::new(program)
            .args(["conform", "--against", &hangs, "--timeout", "100", &golden("")])
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while !begun.exists() {
            assert_eq!(run.try_wait().unwrap(), None);
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let interrupt = std::process::Command::new("kill").args(["-INT", &run.id().to_string()]).status();
        assert!(interrupt.unwrap().success());
        assert_eq!(run.wait().unwrap().code(), Some(130));
        std::thread::sleep(std::time::Duration::from_secs(4));
        assert!(!alive.exists());
    }

    #[test]
    fn sessions_of_the_kit_are_left_out_and_told() {
        let folder = tempfile::tempdir().unwrap();
        let sessions = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/sessions");
        for (from, to) in [
            (sessions.join("jump.jsonl.gz"), "sessions"),
            (PathBuf::from(golden("r_math_7000.jsonl.gz")), "traces"),
        ] {
            fs::create_dir(folder.path().join(to)).unwrap();
            fs::copy(&from, folder.path().join(to).join(from.file_name().unwrap())).unwrap();
        }
        let kit = folder.path().display().to_string();
        let (_, out, said) = conform(&["--against", BEGUN, &kit]);
        assert_eq!(out.lines().last(), Some("0 passed, 1 failed, 0 unsupported"), "{out}");
        assert!(!out.contains("session"), "{out}");
        assert!(
            said.contains("conform: 1 session left out, because Evenstride itself made the answers"),
            "{said}"
        );
        let (code, _, _) = conform(&["--against", BEGUN, &format!("{kit}/sessions")]);
        assert_eq!(code, 2);
    }

    #[test]
    fn an_output_never_replaces_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let trace = folder.path().join("mine.jsonl");
        fs::copy(golden("r_math_7000.jsonl.gz"), &trace).unwrap();
        let name = trace.display().to_string();
        let (code, _, said) = conform(&["--against", "cat", "--html", &name, &name]);
        assert_eq!(code, 2);
        assert!(said.contains("is also an input"), "{said}");
        assert!(fs::read(&trace).unwrap().starts_with(&[0x1F, 0x8B]));
    }
}
