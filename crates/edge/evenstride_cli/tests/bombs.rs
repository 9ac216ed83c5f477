//! Small files that once took gigabytes or hours. The program reads them in 1 GiB of address space, and says what it left out.

#![cfg(target_os = "linux")]

use std::{
    fmt::Write as _,
    io::Write,
    path::Path,
    process::{Command, Output},
};

use evenstride_wire::{ConnectRequest, PacketHeader, Section, split, write_packet};
use flate2::{Compression, write::GzEncoder};

/// Runs the program with 1 GiB of address space.
fn run(folder: &Path, arguments: &str) -> (i32, String, String) {
    let program = assert_cmd::cargo::cargo_bin("evenstride");
    let Output { status, stdout, stderr } = Command::new("sh")
        .args(["-c", &format!("ulimit -v 1048576; exec \"$PROGRAM\" {arguments}")])
        .env("PROGRAM", program)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(stdout), text(stderr));
    assert!(!err.contains("panicked") && !err.contains("memory allocation"), "{arguments}: {err}");
    (status.code().unwrap_or(-1), out, err)
}

fn json(out: &str) -> serde_json::Value {
    serde_json::from_str(out).unwrap()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A line with a position of an entity.
fn position(time: f64, entity: u32, stamp: u16) -> String {
    let [low, high] = stamp.to_le_bytes();
    format!(
        "{{\"dir\":\"s2c\",\"t_rel\":{time},\"payload_hex\":\"48f70000{}340000002a00b4a98f49fd42d06414429002bc4299d08c3eaa2076bf5a00{low:02x}{high:02x}00000000\"}}\n",
        hex(&entity.to_le_bytes())
    )
}

#[test]
fn millions_of_interfaces_take_no_memory() {
    let block = |kind: u32, body: &[u8]| {
        let length = (12 + body.len() as u32).to_le_bytes();
        [&kind.to_le_bytes()[..], &length, body, &length].concat()
    };
    let section =
        block(0x0A0D_0D0A, &[&0x1A2B_3C4D_u32.to_le_bytes()[..], &[1, 0, 0, 0], &[0xFF; 8]].concat());
    let interfaces = packed(&block(1, &[1, 0, 0, 0, 0, 0, 1, 0]).repeat(1_000_000));
    let folder = tempfile::tempdir().unwrap();
    let file = [packed(&section), interfaces.repeat(50)].concat();
    std::fs::write(folder.path().join("bomb.pcapng.gz"), &file).unwrap();
    assert!(file.len() < 10_000_000, "{}", file.len());
    let (code, out, err) = run(folder.path(), "inspect bomb.pcapng.gz");
    assert!(
        code == 2 && out.contains("more than 1024 interfaces; the others are left out"),
        "{code} {out} {err}"
    );
}

#[test]
fn millions_of_messages_are_cut_at_a_limit_and_the_rest_is_replayed() {
    let lines: String = (0..50_000).map(|number| position(1.0, 0x5000_0002, number)).collect();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bomb.jsonl.gz"), packed(lines.as_bytes()).repeat(60)).unwrap();
    let (code, out, err) = run(folder.path(), "replay bomb.jsonl.gz -o bomb.html");
    assert!(code == 1 && err.contains(" messages about motion did not fit into 256 MB"), "{code} {err}");
    assert!(out.contains("entities            1\n"), "{out}");
    assert!(std::fs::metadata(folder.path().join("bomb.html")).unwrap().len() < 10_000_000);
}

#[test]
fn opcodes_entities_and_positions_beyond_the_limits_are_counted() {
    let mut lines = String::new();
    for number in 0..20_000u32 {
        let _ = writeln!(
            lines,
            "{{\"dir\":\"s2c\",\"t_rel\":1,\"payload_hex\":\"{}\"}}",
            hex(&(number << 12).to_le_bytes())
        );
    }
    (0..100_000).for_each(|entity| lines.push_str(&position(2.0, entity, 1)));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bomb.jsonl"), &lines).unwrap();
    let (_, out, _) = run(folder.path(), "inspect bomb.jsonl --json");
    let report = json(&out);
    assert_eq!(report["messages"], 120_000);
    assert_eq!(report["by_opcode"].as_object().unwrap().len(), 4_096);
    assert_eq!(report["entities"].as_array().unwrap().len(), 65_536);
    let counted = |field: &str| report["left_out"][field].as_u64().unwrap();
    assert!(counted("by_opcode") >= 20_000 - 4_096, "{}", report["left_out"]);
    assert_eq!(counted("by_entity"), 100_000 - 65_536);
    let (code, _, err) = run(folder.path(), "replay bomb.jsonl -o bomb.html");
    assert!(code == 0 || code == 1, "{err}");
    assert!(std::fs::metadata(folder.path().join("bomb.html")).unwrap().len() < 10_000_000);
}

#[test]
fn a_flood_of_entities_is_cut_at_a_limit() {
    let lines: String = (0..140_000).map(|entity| position(1.0, entity, 1)).collect();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bomb.jsonl"), &lines).unwrap();
    let (code, out, err) = run(folder.path(), "replay bomb.jsonl --json -o bomb.html");
    assert!(code == 1 && err.contains("8928 messages are about more than 131072 entities"), "{code} {err}");
    assert_eq!(json(&out)["entities"].as_array().unwrap().len(), 131_072);
    assert!(std::fs::metadata(folder.path().join("bomb.html")).unwrap().len() < 10_000_000);
}

#[test]
fn a_text_without_an_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero.toml")).unwrap();
    for arguments in ["score zero.toml", "simulate zero.toml -o x.pcap", "demo zero.toml"] {
        let (code, _, err) = run(folder.path(), arguments);
        assert!(code == 2 && err.contains("larger than 16 MB"), "{arguments}: {code} {err}");
    }
}

/// Every connection begins with keys. One packet far ahead then made it keep 65,536 words of the key stream, and packets with
/// wrong keys were kept without a bound.
#[test]
fn thousands_of_connections_with_wrong_keys_stay_within_bounds() {
    let mut lines = String::new();
    let mut line = |pair: u32, payload: &[u8]| {
        let _ = writeln!(lines, "{{\"t\":1,\"dir\":\"s2c\",\"pair\":{pair},\"data\":\"{}\"}}", hex(payload));
    };
    let message = [0x47, 0xF7, 0, 0, 1, 0, 0, 0x50, 0, 0, 0, 0];
    for number in 0..5_000u32 {
        let request = ConnectRequest {
            time: 1.0,
            cookie: 2,
            net_id: 3,
            server_seed: number,
            client_seed: 88,
            unused: 0,
        };
        let mut payload = Vec::new();
        write_packet(&PacketHeader::default(), &[Section::ConnectRequest(request)], &[], None, &mut payload);
        line(number * 2, &payload);
        payload.clear();
        let header = PacketHeader { sequence: 65_000, ..PacketHeader::default() };
        write_packet(&header, &[], &split(&message, 1, 0x8000_0000, 10), Some(1), &mut payload);
        line(number * 2, &payload);
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bomb.jsonl"), &lines).unwrap();
    let (code, out, err) = run(folder.path(), "inspect bomb.jsonl --json");
    let report = json(&out);
    assert_eq!((code, &report["datagrams"]), (1, &10_000.into()), "{err}");
    assert!(report["left_out"]["connections"].as_u64().unwrap() > 3_000, "{}", report["left_out"]);
}

/// One has days of silence, one a flood of entities, and one gives more rows than a table may have.
#[test]
fn an_archive_of_such_captures_ends_within_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let captures = folder.path().join("captures");
    std::fs::create_dir(&captures).unwrap();
    let silence: String =
        (0..20_000u16).map(|number| position(f64::from(number) * 59.0, 0x5000_0002, number / 2)).collect();
    std::fs::write(captures.join("silence.jsonl"), silence).unwrap();
    let flood: String = (0..140_000).map(|entity| position(1.0, entity, 1)).collect();
    std::fs::write(captures.join("flood.jsonl"), flood).unwrap();
    let (code, out, err) = run(folder.path(), "archive captures -o tables --jobs 1 --fps 1 --json --quiet");
    let report = json(&out);
    assert_eq!((code, &report["converted"]), (1, &2.into()), "{out} {err}");
    let faulty = report["faulty"].as_array().unwrap();
    assert!(faulty.iter().any(|file| file["capture"].as_str().unwrap().ends_with("flood.jsonl")), "{out}");
}

#[test]
fn days_of_silence_with_nothing_moving_are_skipped() {
    let lines: String =
        (0..20_000u16).map(|number| position(f64::from(number) * 59.0, 0x5000_0002, number / 2)).collect();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bomb.jsonl"), &lines).unwrap();
    let (code, out, err) = run(folder.path(), "replay bomb.jsonl --fps 1000 --json");
    assert_eq!(code, 0, "{err}");
    let report = json(&out);
    // 13 days at 1,000 frames per second would take hours to step.
    assert_eq!(report["frames"], 1_179_944_001u64);
}
