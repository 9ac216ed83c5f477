//! `evenstride conform`: names the command that runs reference traces.

use assert_cmd::Command;

#[test]
fn conform_names_the_command_that_runs_traces_and_exits_with_2() {
    for (args, named) in [
        (&["conform"] as &[&str], "cargo xtask conform testdata/golden"),
        (&["conform", "--driver", "moveto", "mine.jsonl"], "cargo xtask conform --driver moveto mine.jsonl"),
    ] {
        let output = Command::cargo_bin("evenstride").unwrap().args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(named), "{said}");
    }
}
