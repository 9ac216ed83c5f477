//! Nothing that was read is lost because of what follows, and wrong dates lose nothing.

use std::{io::Write, path::Path};

use assert_cmd::Command;
use flate2::{Compression, write::GzEncoder};

fn run(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("evenstride").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn file(suffix: &str, bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(suffix).tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// Twenty positions of one entity.
fn good_lines() -> Vec<u8> {
    let line = |number: usize| {
        format!(
            "{{\"dir\":\"s2c\",\"t_rel\":{number},\"payload_hex\":\"48f7000002000050340000002a00b4a98f49fd42d06414429002bc4299d08c3eaa2076bf5a00{number:02x}0000000000\"}}\n"
        )
    };
    (1..=20).flat_map(|number| line(number).into_bytes()).collect()
}

/// Hexadecimal digits that do not compress to nothing.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut digit = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        b"0123456789abcdef"[(state >> 60) as usize]
    };
    (0..length).map(|_| digit()).collect()
}

#[test]
fn lines_before_a_cut_over_long_line_are_replayed() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&good_lines()).unwrap();
    packed.write_all(&noise(5 << 20)).unwrap();
    let mut packed = packed.finish().unwrap();
    packed.truncate(packed.len() - 2_000);
    let file = file(".jsonl.gz", &packed);
    let path = file.path().to_str().unwrap();
    let (code, out, _) = run(&["inspect", path]);
    assert!(code == 1 && out.contains("messages            20"), "{out}");
    assert!(out.contains("line 21: longer than 4194304 bytes") && out.contains("reading failed: "), "{out}");
    let (code, out, err) = run(&["replay", path]);
    assert!(code == 1 && out.contains("updates             20"), "{code} {out} {err}");
    assert!(err.contains("reading failed: "), "{err}");
}

#[test]
fn lines_before_a_cut_in_a_gzipped_file_are_replayed() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&good_lines()).unwrap();
    let whole = packed.finish().unwrap();
    // Without its last bytes the file has all its lines, but not their checksum.
    let file = file(".jsonl.gz", &whole[..whole.len() - 4]);
    let (code, out, _) = run(&["replay", file.path().to_str().unwrap()]);
    assert!(code == 1 && out.contains("updates             20"), "{out}");
}

fn first_light() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/captures/first-light.pcap");
    std::fs::read(path).expect("the capture is part of the project")
}

/// Offset of a packet in a pcap file.
fn packet_at(pcap: &[u8], number: usize) -> usize {
    let length = |at: usize| u32::from_le_bytes(pcap[at + 8..at + 12].try_into().unwrap()) as usize;
    (1..number).fold(24, |at, _| at + 16 + length(at))
}

#[test]
fn a_wrong_date_loses_neither_its_packet_nor_the_others() {
    let whole = first_light();
    let (_, expected, _) = run(&["replay", file(".pcap", &whole).path().to_str().unwrap()]);
    for (number, date) in [
        (1, u32::MAX),
        // In 1973 and 1971.
        (1, 100_000_100),
        (1, 40_000_000),
        (2, u32::MAX),
        (2, 100_000_100),
        (30, u32::MAX),
        (30, 0),
    ] {
        let mut pcap = whole.clone();
        let at = packet_at(&pcap, number);
        pcap[at..at + 4].copy_from_slice(&date.to_le_bytes());
        let file = file(".pcap", &pcap);
        let path = file.path().to_str().unwrap();
        let (_, out, err) = run(&["replay", path]);
        let updates = |text: &str| text.lines().find(|line| line.starts_with("updates")).unwrap().to_owned();
        assert_eq!(updates(&out), updates(&expected), "packet {number}, {date}: {err}");
        let (_, out, _) = run(&["inspect", path]);
        assert!(out.contains("duration            118.000 s"), "packet {number}, {date}: {out}");
    }
}
