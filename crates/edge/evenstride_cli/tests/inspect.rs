//! `evenstride inspect` as a user runs it.

use std::io::Write;

use assert_cmd::Command;

const LINES: &str = concat!(
    r#"{"idx":1,"dir":"s2c","t_rel":10.0,"payload_hex":"48f7000002000050340000002a00b4a98f49fd42d06414429002bc4299d08c3eaa2076bf5a00010000000000"}"#,
    "\n",
    r#"{"idx":2,"dir":"s2c","t_rel":11.5,"payload_hex":"48f7000002000050340000002a00b4a98f49fd42d06414429002bc4299d08c3eaa2076bf5a00020000000000"}"#,
    "\n",
    r#"{"idx":3,"dir":"s2c","t_rel":12.0,"payload_hex":"47f700005703008000000000"}"#,
    "\n",
);

fn file(text: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

fn inspect(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("evenstride").unwrap().arg("inspect").args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_clean_capture_is_summed_up() {
    let file = file(LINES);
    let path = file.path().to_str().unwrap();
    let (code, out, _) = inspect(&[path]);
    assert_eq!(code, 0);
    for line in
        ["duration            2.000 s", "messages            3", "  F748 Position                        2"]
    {
        assert!(out.contains(line), "{line}\n{out}");
    }
    assert!(out.contains("players                     1.500    1.500           1"), "{out}");
    assert!(!out.contains('\u{1b}'), "no colour in a pipe");
    let (code, out, _) = inspect(&["--json", path]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, 0);
    assert_eq!((&report["messages"], &report["by_opcode"]["F748"]), (&3.into(), &2.into()));
    assert_eq!((&report["decode_errors"], &report["datagrams"]), (&0.into(), &0.into()));
    assert_eq!(report["entities"].as_array().unwrap().len(), 2);
}

#[test]
fn messages_can_be_narrowed() {
    let file = file(LINES);
    let path = file.path().to_str().unwrap();
    let (_, out, _) = inspect(&["--messages", "--entity", "50000002", "--from", "11", path]);
    let lines: Vec<_> = out.lines().filter(|line| line.contains("F748 Position 0x50000002")).collect();
    assert_eq!(lines.len(), 1);
    assert!(lines[0].starts_with("   11.500000 < F748 Position 0x50000002 at A9B4002A"), "{}", lines[0]);
    assert!(!out.contains("F747"));
    let (code, _, err) = inspect(&["--from", "nan", path]);
    assert_eq!(code, 2);
    assert!(err.contains("`nan` is not a number of seconds"), "{err}");
    let (code, _, err) = inspect(&["--entity", "Bob", path]);
    assert_eq!(code, 2);
    assert!(err.contains("no entity is named `Bob`; nearest: 0x50000002"), "{err}");
}

#[test]
fn what_cannot_be_read_does_not_hide_the_rest() {
    let file = file(&format!("{LINES}broken\n{}", LINES.replace("5a0001", "5a00")));
    let (code, out, _) = inspect(&[file.path().to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(out.contains("messages            6") && out.contains("decode errors       1"), "{out}");
    assert!(
        out.contains("line 4: ")
            && out.contains("line 5: F748 Position about 0x50000002: force position stamp at byte 42"),
        "{out}"
    );
}

#[test]
fn files_that_are_no_captures_get_a_sentence() {
    let text = file("hello");
    let path = text.path().to_str().unwrap();
    let (code, out, err) = inspect(&[path]);
    assert_eq!((code, out.as_str()), (2, ""), "one sentence, and no table of zeros");
    assert_eq!(
        err,
        format!(
            "evenstride: {path}: not a capture: expected pcap, pcapng or JSON lines, optionally gzipped\n"
        )
    );
    let (code, _, err) = inspect(&["nothing-of-that-name.pcap"]);
    assert_eq!(code, 2);
    assert!(err.starts_with("evenstride: nothing-of-that-name.pcap: "), "{err}");
    // Another file beside it is read all the same.
    let good = file(LINES);
    let (code, out, _) = inspect(&[path, good.path().to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(out.contains("messages            3"));
}

#[test]
fn standard_input_is_a_dash() {
    let output =
        Command::cargo_bin("evenstride").unwrap().args(["inspect", "-"]).write_stdin(LINES).output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("messages            3"));
}

/// A player that says where it is, hears it back, and is held a thing.
const OWN: &str = concat!(
    r#"{"dir":"c2s","t_rel":1.0,"payload_hex":"b1f700000100000053f700002a00b4a98f49fd42d06414429002bc4299d08c3e0000000000000000aa2076bf5a0000000000000001000000"}"#,
    "\n",
    r#"{"dir":"s2c","t_rel":1.1,"payload_hex":"48f7000002000050340000002a00b4a98f49fd42d06414429002bc4299d08c3eaa2076bf5a00010000000000"}"#,
    "\n",
    r#"{"dir":"c2s","t_rel":2.0,"payload_hex":"b1f700000200000053f700002a00b4a98f49fd42d06414429002bc4299d08c3e0000000000000000aa2076bf5a0000000000000001000000"}"#,
    "\n",
    r#"{"dir":"s2c","t_rel":3.0,"payload_hex":"49f70000020000508a0b0080010000000100000001000100"}"#,
    "\n",
);

#[test]
fn an_entitys_messages_are_its_own_words_and_what_it_holds_too() {
    let file = file(OWN);
    let (code, out, err) = inspect(&["--messages", "--entity", "0x50000002", file.path().to_str().unwrap()]);
    assert_eq!(code, 0, "{err}");
    for line in ["1.100000 < F748 Position", "2.000000 > F7B1 Action #2 F753", "3.000000 < F749 Parent"] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    assert!(out.contains("the selected messages"), "{out}");
}

#[test]
fn what_matches_nothing_says_what_there_is() {
    let file = file(LINES);
    let path = file.path().to_str().unwrap();
    let (code, _, err) = inspect(&["--from", "50", "--to", "10", path]);
    assert_eq!((code, err.as_str()), (0, "evenstride: nothing matches; times run from 10.000 to 12.000 s\n"));
    let (_, _, err) = inspect(&["--connection", "7", path]);
    assert!(err.contains("there is one connection, 0, not 7"), "{err}");
    let (code, _, err) = inspect(&["--server-ports", "12001-12000", path]);
    assert_eq!(code, 2);
    assert!(err.contains("is not a range of ports"), "{err}");
}

#[test]
fn gzipped_captures_are_read_as_they_are() {
    use flate2::{Compression, write::GzEncoder};
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(LINES.as_bytes()).unwrap();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&packed.finish().unwrap()).unwrap();
    let (code, out, _) = inspect(&[file.path().to_str().unwrap()]);
    assert_eq!(code, 0);
    assert!(out.contains("messages            3"), "{out}");
}
