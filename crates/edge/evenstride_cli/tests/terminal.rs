//! Names, titles, fields and file names never put control characters on a terminal.

use std::fs;

use assert_cmd::Command;

/// Ends a line, clears the screen, begins a sequence in C1, and reverses the text.
const HOSTILE: &str = "x\r\n\u{1b}[2J\u{9b}31m\u{202e}y";

fn is_control(letter: char) -> bool {
    letter.is_control() && letter != '\n'
        || matches!(letter, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}')
}

/// Runs the program in a folder. Fails if it prints a control character or a line that begins like a forged one.
fn run(folder: &std::path::Path, args: &[&str]) -> (i32, String) {
    let output = Command::cargo_bin("evenstride").unwrap().current_dir(folder).args(args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    assert!(!text.contains(is_control), "{args:?}: {text:?}");
    assert!(!text.lines().any(|line| line.starts_with("[2J")), "{args:?}: {text}");
    (output.status.code().unwrap(), text)
}

#[test]
fn a_scenarios_title_and_names_cannot_speak_to_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let escaped = HOSTILE.chars().map(|letter| format!("\\U{:08X}", u32::from(letter))).collect::<String>();
    let text = format!(
        "title = \"{escaped}\"\nseconds = 2\n[[actor]]\nname = \"{escaped}\"\nkind = \"player\"\nat = [90, 100]\nscript = [\"1 walk\"]\n"
    );
    fs::write(folder.path().join("mine.toml"), &text).unwrap();
    assert_eq!(run(folder.path(), &["demo", "mine.toml"]).0, 0);
    assert_eq!(run(folder.path(), &["score", "mine.toml"]).0, 0);
    assert_eq!(run(folder.path(), &["score", "mine.toml", "--json"]).0, 0);
    assert_eq!(run(folder.path(), &["simulate", "mine.toml", "-o", "mine.pcap"]).0, 0);
    for args in [
        &["inspect", "mine.pcap"][..],
        &["inspect", "mine.pcap", "--messages"],
        &["inspect", "mine.pcap", "--json"],
        &["replay", "mine.pcap"],
        &["replay", "mine.pcap", "--json"],
        &["replay", "mine.pcap", "--entity", "0x123"],
        &["explain", "mine.pcap", "--entity", "0x123"],
    ] {
        let _ = run(folder.path(), args);
    }
    // A field of the wrong kind, and a second actor of that name.
    fs::write(folder.path().join("twice.toml"), format!("{text}{}", &text[text.find("[[").unwrap()..]))
        .unwrap();
    assert_eq!(run(folder.path(), &["score", "twice.toml"]).0, 2);
    fs::write(folder.path().join("field.toml"), format!("{text}\"{escaped}\" = 1\n")).unwrap();
    assert_eq!(run(folder.path(), &["score", "field.toml"]).0, 2);
}

#[cfg(unix)]
#[test]
fn a_file_name_cannot_speak_to_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let name = format!("{HOSTILE}.jsonl");
    fs::write(folder.path().join(&name), "{\"dir\":\"\u{9b}\u{202e}\",\"t\":1}\nnot json\n").unwrap();
    let missing = format!("{HOSTILE}.pcap");
    for args in [
        &["inspect", &name][..],
        &["inspect", &name, "--json"],
        &["inspect", &missing],
        &["replay", &missing],
        &["replay", &name, "-o", &name],
        &["replay", "a", "-o", &format!("{HOSTILE}/{name}")],
        &["score", &name],
        &["dat", &name, "ls"],
        &["scenarios", HOSTILE],
        &["simulate", "walk", "-o", &missing],
        &["demo", "walk", "-o", &format!("{HOSTILE}.html")],
        &["replay", "a", &format!("--{HOSTILE}")],
        &["replay", "a", "--profile", HOSTILE],
    ] {
        let _ = run(folder.path(), args);
    }
}
