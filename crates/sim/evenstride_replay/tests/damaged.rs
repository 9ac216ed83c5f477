//! Damaged captures: bit flips, cuts, duplications and garbage in every format. Nothing panics or hangs, and no undamaged message is lost.

use std::{
    collections::BTreeMap,
    io::{Read, Write},
    ops::Range,
    time::{Duration, Instant},
};

use evenstride_capture::{CapturedMessage, Fault, Listener, Place, Session, Timeline, read};
use evenstride_replay::{Recorder, sample};
use flate2::{Compression, read::MultiGzDecoder, write::GzEncoder};

/// What a capture is made of: a header, then units of one datagram or message each.
struct Original {
    name: &'static str,
    bytes: Vec<u8>,
    /// Bytes of each unit, and its messages.
    units: Vec<(Range<usize>, Vec<Vec<u8>>)>,
    is_lines: bool,
    is_gzipped: bool,
}

/// Keeps messages, and passes everything on to a recorder.
struct Ears {
    recorder: Recorder,
    messages: Vec<(Place, Vec<u8>)>,
}

impl Listener for Ears {
    fn packet(&mut self, time: f64) {
        self.recorder.packet(time);
    }

    fn message(&mut self, message: &CapturedMessage<'_>) {
        self.recorder.message(message);
        self.messages.push((message.place, message.bytes.to_vec()));
    }

    fn fault(&mut self, fault: Fault) {
        self.recorder.fault(fault);
    }
}

/// Reads a capture. Returns its messages, also if it ends with an error.
fn heard(bytes: &[u8]) -> Vec<(Place, Vec<u8>)> {
    let mut session =
        Session::new(Ears { recorder: Recorder::new("damaged", Timeline::default()), messages: Vec::new() });
    let _ = read(bytes, &mut session);
    let _ = session.totals();
    let Ears { recorder, messages } = session.listener;
    let recording = recorder.finish(None);
    assert!(recording.moments.is_sorted_by(|one, other| one.time <= other.time));
    messages
}

fn originals() -> Vec<Original> {
    let pcap = sample::first_light().unwrap();
    let word = |at: usize| u32::from_le_bytes(pcap[at..at + 4].try_into().unwrap());
    let mut frames: Vec<(Range<usize>, Vec<Vec<u8>>)> = Vec::new();
    let mut at = 24;
    while at < pcap.len() {
        let end = at + 16 + word(at + 8) as usize;
        frames.push((at..end, Vec::new()));
        at = end;
    }
    for (place, message) in heard(&pcap) {
        let Place::Record { number, .. } = place else { panic!("{place}") };
        // A longer message has parts in several datagrams.
        if message.len() <= 448 {
            frames[number as usize - 1].1.push(message);
        }
    }
    let mut swapped = pcap.clone();
    let headers = frames.iter().flat_map(|(frame, _)| (0..4).map(|index| frame.start + 4 * index));
    [0, 8, 12, 16, 20].into_iter().chain(headers).for_each(|at| swapped[at..at + 4].reverse());
    [4, 6].into_iter().for_each(|at: usize| swapped[at..at + 2].reverse());

    let mut originals = Vec::new();
    let mut add = |name, header: &[u8], units: Vec<(Vec<u8>, Vec<Vec<u8>>)>, is_lines| {
        let mut bytes = header.to_vec();
        let ranges = units.into_iter().map(|(unit, messages)| {
            let start = bytes.len();
            bytes.extend(unit);
            (start..bytes.len(), messages)
        });
        let units = ranges.collect();
        originals.push(Original { name, bytes, units, is_lines, is_gzipped: false });
    };
    let cut = |file: &[u8]| {
        frames.iter().map(|(range, said)| (file[range.clone()].to_vec(), said.clone())).collect()
    };
    add("pcap", &pcap[..24], cut(&pcap), false);
    add("pcap, big-endian", &swapped[..24], cut(&swapped), false);

    let block = |kind: u32, body: &[u8]| {
        let padding = vec![0; body.len().wrapping_neg() & 3];
        let length = ((12 + body.len() + padding.len()) as u32).to_le_bytes();
        [&kind.to_le_bytes()[..], &length, body, &padding, &length].concat()
    };
    let section =
        block(0x0A0D_0D0A, &[&0x1A2B_3C4D_u32.to_le_bytes()[..], &[1, 0, 0, 0], &[0xFF; 8]].concat());
    let interface = block(1, &[1, 0, 0, 0, 0, 0, 1, 0]);
    let enhanced = frames.iter().map(|(range, said)| {
        let micros =
            (u64::from(word(range.start)) * 1_000_000 + u64::from(word(range.start + 4))).to_le_bytes();
        let frame = &pcap[range.start + 16..range.end];
        let length = (frame.len() as u32).to_le_bytes();
        (block(6, &[&[0; 4][..], &micros[4..], &micros[..4], &length, &length, frame].concat()), said.clone())
    });
    add("pcapng", &[section, interface].concat(), enhanced.collect(), false);

    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let datagrams = frames.iter().map(|(range, said)| {
        let dir = if pcap[range.start + 16 + 29] == 1 { "c2s" } else { "s2c" };
        let line = format!(
            "{{\"t\":{},\"dir\":\"{dir}\",\"pair\":0,\"data\":\"{}\"}}\n",
            word(range.start),
            hex(&pcap[range.start + 58..range.end])
        );
        (line.into_bytes(), said.clone())
    });
    add("lines of datagrams", &[], datagrams.collect(), true);
    let messages =
        frames.iter().flat_map(|(range, said)| said.iter().map(move |message| (range.start, message)));
    let lines = messages.map(|(start, message)| {
        let line =
            format!("{{\"dir\":\"s2c\",\"t_rel\":{},\"payload_hex\":\"{}\"}}\n", word(start), hex(message));
        (line.into_bytes(), vec![message.clone()])
    });
    add("lines of messages", &[], lines.collect(), true);

    let gzipped = |of: &Original| Original {
        name: of.name,
        bytes: of.bytes.clone(),
        units: of.units.clone(),
        is_lines: of.is_lines,
        is_gzipped: true,
    };
    let packed: Vec<Original> = [0, 2, 3].iter().map(|index| gzipped(&originals[*index])).collect();
    originals.extend(packed);
    originals
}

/// A generator with a fixed sequence.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ (word >> 31)) % end.max(1) as u64) as usize
    }
}

/// Damages bytes after the first `header`, once or a few times. The second value of each byte is its place in the original, or
/// `usize::MAX` if it is new.
fn damage(dice: &mut Dice, bytes: &mut Vec<(u8, usize)>, header: usize) {
    for _ in 0..=dice.below(4) {
        let at = header + dice.below(bytes.len() - header);
        match dice.below(6) {
            0..=2 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = (byte.0 ^ (1 << dice.below(8)), usize::MAX);
                }
            }
            3 => bytes.truncate(at),
            4 => {
                let end = (at + 1 + dice.below(3_000)).min(bytes.len());
                let again = bytes[at..end].to_vec();
                let to = header + dice.below(bytes.len() - header + 1);
                bytes.splice(to..to, again);
            }
            _ => {
                let garbage: Vec<_> =
                    (0..1 + dice.below(600)).map(|_| (dice.below(256) as u8, usize::MAX)).collect();
                bytes.splice(at..at, garbage);
            }
        }
    }
}

/// Returns how often each message of an undamaged unit was sent.
fn expected<'a>(original: &'a Original, damaged: &[(u8, usize)]) -> BTreeMap<&'a [u8], usize> {
    let starts: BTreeMap<usize, usize> =
        original.units.iter().enumerate().map(|(index, (range, _))| (range.start, index)).collect();
    let mut is_whole = vec![false; original.units.len()];
    for (at, (_, origin)) in damaged.iter().enumerate() {
        let Some(index) = starts.get(origin) else { continue };
        let range = &original.units[*index].0;
        let unit = damaged.get(at..at + range.len());
        let is_in_order = unit.is_some_and(|unit| unit.iter().map(|byte| byte.1).eq(range.clone()));
        let is_apart = !original.is_lines || at == 0 || damaged[at - 1].0 == b'\n';
        is_whole[*index] |= is_in_order && is_apart;
    }
    let mut counts = BTreeMap::new();
    let whole = original.units.iter().zip(is_whole).filter(|(_, is_whole)| *is_whole);
    for message in whole.flat_map(|((_, messages), _)| messages) {
        *counts.entry(message.as_slice()).or_default() += 1;
    }
    counts
}

/// Returns a damaged file, and its bytes with their places after it is unpacked.
fn damaged(dice: &mut Dice, original: &Original) -> (Vec<u8>, Vec<(u8, usize)>) {
    let header = original.units[0].0.start;
    let mut bytes: Vec<(u8, usize)> = original.bytes.iter().copied().zip(0..).collect();
    if !original.is_gzipped {
        damage(dice, &mut bytes, header);
        return (bytes.iter().map(|byte| byte.0).collect(), bytes);
    }
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(&original.bytes).unwrap();
    let mut packed: Vec<(u8, usize)> = packer.finish().unwrap().into_iter().zip(0..).collect();
    damage(dice, &mut packed, 200);
    let file: Vec<u8> = packed.iter().map(|byte| byte.0).collect();
    let (mut unpacked, mut source, mut byte) = (Vec::new(), MultiGzDecoder::new(file.as_slice()), [0]);
    while let Ok(1) = source.read(&mut byte) {
        unpacked.push(byte[0]);
    }
    // Bytes that differ are damaged. What is unpacked after them is out of step.
    let same = unpacked.iter().zip(&original.bytes).take_while(|(one, other)| one == other).count();
    let places = (0..same).chain(std::iter::repeat(usize::MAX));
    (file, unpacked.into_iter().zip(places).collect())
}

fn try_captures(count: usize, seed: u64, longest: Duration) {
    let originals = originals();
    for original in &originals {
        let clean: Vec<(u8, usize)> = original.bytes.iter().copied().zip(0..).collect();
        assert!(expected(original, &clean).values().sum::<usize>() >= 290, "{}", original.name);
    }
    let mut lost: Vec<String> = Vec::new();
    for number in 0..count {
        let mut dice = Dice(seed.wrapping_add(number as u64).wrapping_mul(0xD134_2543_DE82_EF95));
        let original = &originals[number % originals.len()];
        let (file, unpacked) = damaged(&mut dice, original);
        let start = Instant::now();
        let messages = heard(&file);
        assert!(
            start.elapsed() <= longest,
            "capture {number} ({}) took {:?}",
            original.name,
            start.elapsed()
        );
        let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
        messages.iter().for_each(|(_, message)| *counts.entry(message).or_default() += 1);
        let missing: usize = expected(original, &unpacked)
            .into_iter()
            .map(|(message, wanted)| wanted.saturating_sub(counts.get(message).copied().unwrap_or(0)))
            .sum();
        if missing > 0 {
            let packed = if original.is_gzipped { ", gzipped" } else { "" };
            lost.push(format!(
                "capture {number} of seed {seed} ({}{packed}): {missing} messages",
                original.name
            ));
        }
    }
    assert!(lost.is_empty(), "undamaged messages are lost in\n{}", lost.join("\n"));
}

/// Number of captures, unless `EVENSTRIDE_DAMAGED_CAPTURES` gives another one. `cargo xtask test --long`
/// does, and then no capture may take longer than two seconds.
const CAPTURES: usize = 400;

#[test]
fn no_undamaged_message_is_lost_in_damaged_captures() {
    match std::env::var("EVENSTRIDE_DAMAGED_CAPTURES") {
        Ok(count) => try_captures(count.parse().unwrap(), 2, Duration::from_secs(2)),
        Err(_) => try_captures(CAPTURES, 1, Duration::MAX),
    }
}
