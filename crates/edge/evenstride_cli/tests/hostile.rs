//! Hostile names and titles through every output of the program. Terminals get no control characters, JSON gives the name back, tables
//! keep their columns, and pages have no more markup than with plain names.

use std::{collections::BTreeSet, fmt::Write as _, fs, io::Read as _, path::Path};

use assert_cmd::Command;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use evenstride_replay::Script;
use evenstride_types::{
    CellId, EntityId, Placement, Pose, Rotation, Vec3,
    update::{CreateUpdate, ServerEntity},
};
use evenstride_wire::{CreateMessage, Message, Text, encode};
use flate2::read::DeflateDecoder;
use serde_json::Value;

/// Names as a server sends them, in the letters of Windows.
fn hostile_names() -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = [
        &b"%DATA%"[..],
        b"{{data}}{{script}}",
        b"</script><img src=x onerror=alert(1)>",
        b"<!--<script>",
        b"&lt;b&gt;&#39;",
        b"\"double\" 'single' `tick` ${x}",
        b"back\\slash\\\"",
        b"nul\0inside",
        b"\x1b]0;title\x07\x1b[2J\x1b[31m",
        b"\xE2\x80\xAEtxt.exe",
        b"\x80\x81\x8D\x9B31m\x9D0;x\x9C\xAD\xFF",
        b"line\r\nforged 0x50000001\n\ttab",
        b"\x7F\x08\x08\x08",
        b"=cmd|' /C calc'!A0",
        b"+1-1",
        b"@SUM(1,1)",
        b"a,b;c\td",
        b"null",
        b" ",
        b"",
    ]
    .map(<[u8]>::to_vec)
    .to_vec();
    names.push(vec![b'A'; 4_000]);
    names.push(vec![0x1B; 4_000]);
    names
}

/// Writes a capture in which each name is that of an entity that walks. The first one is the local player.
fn write_capture(path: &Path, names: &[Vec<u8>]) {
    let mut lines = String::new();
    let mut say = |time: f64, message: &Message| {
        let mut bytes = Vec::new();
        encode(message, &mut bytes);
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(lines, "{{\"dir\":\"s2c\",\"t_rel\":{time},\"payload_hex\":\"{hex}\"}}").unwrap();
    };
    let place = |x: f32, y: f32| {
        let pose = Pose::new(Vec3::new(x, y, 10.0), Rotation::IDENTITY).unwrap();
        Placement::new(CellId::new(0xA9B4_0001).unwrap(), pose).settled().unwrap()
    };
    say(0.0, &evenstride_types::update::Update::LocalPlayer(entity(0)).into());
    let mut servers: Vec<ServerEntity> =
        (0..names.len()).map(|number| ServerEntity::new(entity(number))).collect();
    for (number, (server, name)) in servers.iter().zip(names).enumerate() {
        let mut create = CreateMessage::plain(CreateUpdate::new(
            server.id,
            server.description(&place(80.0 + number as f32, 90.0)),
        ));
        create.weenie.name = Text { bytes: name.clone(), has_long_length: number % 2 == 1 };
        say(0.1, &Message::Create(Box::new(create)));
    }
    for step in 1..=3u8 {
        for (number, server) in servers.iter_mut().enumerate() {
            let to = place(80.0 + number as f32, 90.0 + f32::from(step));
            say(f64::from(step), &server.position(&to).into());
        }
    }
    fs::write(path, lines).unwrap();
}

fn entity(number: usize) -> EntityId {
    EntityId::new(0x5000_0001 + number as u32)
}

/// Returns a name as the program shows it.
fn shown(name: &[u8]) -> String {
    Text { bytes: name.to_vec(), has_long_length: false }.to_string().chars().take(64).collect()
}

fn is_control(letter: char) -> bool {
    letter.is_control() && letter != '\n'
        || matches!(letter, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

/// Runs the program. Returns standard output, after a check that neither output has a control character.
fn run(folder: &Path, args: &[&str]) -> String {
    let output = Command::cargo_bin("evenstride").unwrap().current_dir(folder).args(args).output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(!out.contains(is_control) && !err.contains(is_control), "{args:?}: {out:?} {err:?}");
    assert!(!out.lines().any(|line| line.starts_with("forged")), "{args:?}: {out}");
    assert_eq!(output.status.code(), Some(0), "{args:?}: {out} {err}");
    out
}

/// Returns the name of each entity in a list of JSON objects.
fn names_in(list: &Value) -> Vec<(String, String)> {
    let text = |of: &Value, field: &str| of[field].as_str().unwrap().to_owned();
    list.as_array().unwrap().iter().map(|of| (text(of, "entity"), text(of, "name"))).collect()
}

/// Returns the names of all tags of a page, in order. Comments count as tags.
fn tags(page: &str) -> Vec<&str> {
    page.split('<')
        .skip(1)
        .filter(|part| {
            part.starts_with(|letter: char| letter.is_ascii_alphabetic() || "/!?".contains(letter))
        })
        .map(|part| part.split(|letter: char| letter.is_whitespace() || letter == '>').next().unwrap())
        .collect()
}

/// Splits a line of CSV into fields, with quotation marks as spreadsheets read them.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut is_quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            other => fields.last_mut().unwrap().push(other),
        }
    }
    assert!(!is_quoted, "{line}");
    fields
}

#[test]
fn hostile_names_of_a_capture_stay_names_in_every_output() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let hostile = hostile_names();
    let plain: Vec<Vec<u8>> =
        (0..hostile.len()).map(|number| format!("Plain {number}").into_bytes()).collect();
    write_capture(&folder.join("hostile.jsonl"), &hostile);
    write_capture(&folder.join("plain.jsonl"), &plain);
    let expected: Vec<(String, String)> =
        hostile.iter().enumerate().map(|(number, name)| (entity(number).to_string(), shown(name))).collect();

    for args in [&["inspect", "hostile.jsonl"][..], &["replay", "hostile.jsonl"]] {
        let lines = |name: &str| run(folder, &[&[args[0], name], &args[2..]].concat()).lines().count();
        assert_eq!(lines("hostile.jsonl"), lines("plain.jsonl"), "{args:?}: a name adds no line");
    }
    let messages = |name: &str| run(folder, &["inspect", name, "--messages"]).lines().count();
    assert_eq!(messages("hostile.jsonl"), messages("plain.jsonl"), "a name adds no line");
    let inspected: Value =
        serde_json::from_str(&run(folder, &["inspect", "hostile.jsonl", "--json"])).unwrap();
    assert_eq!(names_in(&inspected["entities"]), expected);
    let mut replayed = names_in(
        &serde_json::from_str::<Value>(&run(folder, &["replay", "hostile.jsonl", "--json"])).unwrap()["entities"],
    );
    replayed.sort();
    // The summary is about those that moved.
    assert!(replayed.len() + 1 >= hostile.len(), "{replayed:?}");
    assert!(replayed.iter().all(|of| expected.contains(of)), "{replayed:?}");
    for (number, (entity, name)) in expected.iter().enumerate() {
        let story = run(folder, &["explain", "hostile.jsonl", "--entity", entity]);
        let same = run(folder, &["explain", "plain.jsonl", "--entity", entity]);
        assert_eq!(story.lines().count(), same.lines().count(), "{number}: a name adds no line");
        let story = run(folder, &["explain", "hostile.jsonl", "--entity", entity, "--json"]);
        assert_eq!(serde_json::from_str::<Value>(&story).unwrap()["name"].as_str(), Some(name.as_str()));
    }
    // A title is made of the file's name.
    let odd = "=cmd %DATA% {{data}} & 'x'.jsonl";
    fs::copy(folder.join("hostile.jsonl"), folder.join(odd)).unwrap();
    let _ = run(folder, &["replay", odd, "-o", "hostile.html", "-o", "hostile.csv", "-o", "tracks.jsonl"]);
    let _ = run(folder, &["replay", "plain.jsonl", "-o", "plain.html", "-o", "plain.csv"]);
    check_pages(folder, "hostile.html", "plain.html");
    let script = script_of(&fs::read_to_string(folder.join("hostile.html")).unwrap());
    let known: BTreeSet<&String> = script.names.values().collect();
    let missing: Vec<&String> =
        expected.iter().map(|(_, name)| name).filter(|name| !known.contains(name)).collect();
    assert!(missing.is_empty(), "the report has the names as they are, but not {missing:?}");
    let [table, same] =
        ["hostile.csv", "plain.csv"].map(|name| fs::read_to_string(folder.join(name)).unwrap());
    assert_eq!(table, same, "tracks contain no names");
    let columns = fields(table.lines().next().unwrap()).len();
    for line in table.lines() {
        let fields = fields(line);
        assert_eq!(fields.len(), columns, "{line}");
        assert!(!fields.iter().any(|field| field.starts_with(['=', '@', '+'])), "a spreadsheet runs {line}");
    }
    let tracks = fs::read_to_string(folder.join("tracks.jsonl")).unwrap();
    assert_eq!(tracks.lines().count() + 1, table.lines().count());
    tracks
        .lines()
        .for_each(|line| assert!(serde_json::from_str::<Value>(line).unwrap().is_object(), "{line}"));
}

/// Titles and names of a scenario may be any text.
const HOSTILE_TEXTS: [&str; 7] = [
    "%DATA% {{data}}{{script}}",
    "</script><img src=x onerror=alert(1)>",
    "<!--<script>",
    "\"quotes\" 'and' \\back\\slashes",
    "nul\0 \u{1b}[2J\u{9b}31m bidi \u{202e}txt.exe\u{2066} bom \u{feff} line\u{2028}\r\nforged",
    "=cmd|' /C calc'!A0",
    "龍 é \u{10FFFF}",
];

#[test]
fn hostile_titles_and_names_of_a_scenario_stay_text_in_every_output() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let long = "A".repeat(4_000);
    for (number, text) in HOSTILE_TEXTS.into_iter().chain([long.as_str()]).enumerate() {
        let escaped = text.chars().map(|letter| format!("\\U{:08X}", u32::from(letter))).collect::<String>();
        for (file, text) in [("hostile", escaped.as_str()), ("plain", "Plain")] {
            let scenario = format!(
                "title = \"{text}\"\nseconds = 2\n[[actor]]\nname = \"{text}\"\nkind = \"player\"\nat = [90, 100]\nscript = [\"1 walk\"]\n"
            );
            fs::write(folder.join(format!("{file}.toml")), scenario).unwrap();
            let _ = run(folder, &["demo", &format!("{file}.toml"), "-o", &format!("{file}.html")]);
            let _ = run(
                folder,
                &[
                    "simulate",
                    &format!("{file}.toml"),
                    "-o",
                    &format!("{file}.pcap"),
                    "--truth",
                    &format!("{file}.csv"),
                ],
            );
        }
        check_pages(folder, "hostile.html", "plain.html");
        assert_eq!(
            run(folder, &["score", "hostile.toml"]).lines().count(),
            run(folder, &["score", "plain.toml"]).lines().count(),
            "{number}: a title adds no line"
        );
        let score = run(folder, &["score", "hostile.toml", "--json"]);
        score.lines().for_each(|line| assert!(serde_json::from_str::<Value>(line).is_ok(), "{line}"));
        let inspected: Value =
            serde_json::from_str(&run(folder, &["inspect", "hostile.pcap", "--json"])).unwrap();
        assert!(inspected["entities"].as_array().is_some_and(|entities| !entities.is_empty()), "{number}");
        for args in [
            &["inspect", "hostile.pcap", "--messages"][..],
            &["replay", "hostile.pcap"],
            &["score", "hostile.pcap", "--truth", "hostile.csv"],
        ] {
            let _ = run(folder, args);
        }
        let truth = fs::read_to_string(folder.join("hostile.csv")).unwrap();
        assert!(truth.lines().all(|line| fields(line).len() == 10), "{number}");
    }
}

/// Checks that a page has the markup of another one, and that its data are JSON.
fn check_pages(folder: &Path, hostile: &str, plain: &str) {
    let [hostile, plain] = [hostile, plain].map(|name| fs::read_to_string(folder.join(name)).unwrap());
    assert_eq!(tags(&hostile), tags(&plain), "no name becomes markup");
    assert!(!hostile.contains("<img") && !hostile.contains("<!--"));
    assert!(data_of(&hostile).is_object());
}

/// Returns what the program knows of the recording of a page.
fn data_of(page: &str) -> Value {
    serde_json::from_str(part(page, "about")).expect("the data are JSON")
}

/// Returns the recording of a page.
fn script_of(page: &str) -> Script {
    let packed: String = serde_json::from_str(part(page, "messages")).expect("the messages are JSON");
    let packed = STANDARD.decode(packed).expect("packed messages are in base 64");
    let mut bytes = Vec::new();
    DeflateDecoder::new(packed.as_slice()).read_to_end(&mut bytes).expect("packed messages are compressed");
    Script::from_bytes(&bytes).expect("a script")
}

/// Returns the content of an element of a page.
fn part<'a>(page: &'a str, id: &str) -> &'a str {
    let start = format!("<script id=\"{id}\" type=\"application/json\">");
    let (_, after) = page.split_once(&start).expect("the page has it");
    after.split_once("</script>").expect("it ends").0
}
