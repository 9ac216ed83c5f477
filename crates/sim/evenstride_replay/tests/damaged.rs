//! Damaged captures: bit flips, cuts, duplications and garbage in every format. Nothing panics or hangs, no undamaged message is lost,
//! and memory is bounded.

use evenstride_capture::{CapturedMessage, Direction, Fault, Listener, Place, Session, Timeline, read};
use evenstride_damage::{
    CaptureFile, Datagram, Dice, Flips, Format, Packing, Series, assert_peak_memory, missing, originals,
};
use evenstride_replay::{Recorder, sample};

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
    assert!(recording.messages.is_sorted_by(|one, other| one.time <= other.time));
    messages
}

/// Returns the datagrams of the project's own capture.
fn datagrams() -> Vec<Datagram> {
    let pcap = sample::first_light().unwrap();
    let word = |at: usize| u32::from_le_bytes(pcap[at..at + 4].try_into().unwrap());
    let mut datagrams: Vec<Datagram> = Vec::new();
    let mut at = 24;
    while at < pcap.len() {
        let frame = at + 16..at + 16 + word(at + 8) as usize;
        let is_client = pcap[frame.start + 29] == 1;
        datagrams.push(Datagram {
            micros: u64::from(word(at)) * 1_000_000 + u64::from(word(at + 4)),
            connection: 0,
            direction: if is_client { Direction::FromClient } else { Direction::FromServer },
            payload: pcap[frame.start + 42..frame.end].to_vec(),
            messages: Vec::new(),
        });
        at = frame.end;
    }
    for (place, message) in heard(&pcap) {
        let Place::Record { number, .. } = place else { panic!("{place}") };
        // A longer message has parts in several datagrams.
        if message.len() <= 448 {
            datagrams[number as usize - 1].messages.push(message);
        }
    }
    datagrams
}

/// `cargo xtask test --long` reads many more.
#[test]
fn no_undamaged_message_is_lost_in_damaged_captures() {
    let series = Series::from_env("EVENSTRIDE_DAMAGED_CAPTURES", 400);
    let datagrams = datagrams();
    let plain = Format::ALL.map(|format| (format, Packing::Plain));
    let packed = [Format::Pcap, Format::PcapNg, Format::DatagramLines].map(|format| (format, Packing::Gzip));
    let files: Vec<CaptureFile> = plain
        .into_iter()
        .chain(packed)
        .map(|(format, packing)| CaptureFile::new(format, packing, &datagrams))
        .collect();
    for file in &files {
        let undamaged = file.undamaged_messages(&originals(&file.bytes));
        assert!(undamaged.values().sum::<usize>() >= 290, "{file}");
        let messages = heard(&file.written());
        assert_eq!(missing(&undamaged, messages.iter().map(|(_, message)| message.as_slice())), 0, "{file}");
    }
    let mut lost: Vec<String> = Vec::new();
    for number in 0..series.count {
        let file = &files[number % files.len()];
        let (bytes, unpacked) = file.damaged(&mut series.dice(number), Flips::Any);
        let name = series.name(number, &file.to_string());
        let messages = series.timed(&name, || heard(&bytes));
        let messages = messages.iter().map(|(_, message)| message.as_slice());
        let missing = missing(&file.undamaged_messages(&unpacked), messages);
        if missing > 0 {
            lost.push(format!("{name}: {missing} messages"));
        }
    }
    assert!(lost.is_empty(), "undamaged messages are lost in\n{}", lost.join("\n"));
    assert_peak_memory("damaged captures");
}

/// The end of a long packet is missing, and a shorter one follows at once. Both end at the same byte, so
/// every length is right.
#[test]
fn a_packet_that_ends_where_a_damaged_one_seems_to_end_is_heard() {
    let pcap = sample::first_light().unwrap();
    let word = |at: usize| u32::from_le_bytes(pcap[at..at + 4].try_into().unwrap());
    let mut packets = Vec::new();
    let mut at = 24;
    while at < pcap.len() {
        let end = at + 16 + word(at + 8) as usize;
        packets.push(at..end);
        at = end;
    }
    let long = packets.iter().position(|packet| packet.len() > 250).unwrap();
    let short = packets.iter().rposition(|packet| packet.len() < 150).unwrap();
    let [cut, whole] = [long, short].map(|number| &pcap[packets[number].clone()]);
    let file = [&pcap[..packets[long].start], &cut[..cut.len() - whole.len()], whole].concat();
    let wanted = datagrams()[short].messages.clone();
    assert!(!wanted.is_empty());
    let messages: Vec<_> = heard(&file).into_iter().map(|(_, message)| message).collect();
    assert!(wanted.iter().all(|message| messages.contains(message)));
}

/// One of 330,000 damaged captures had bytes that looked like a block of 16 kB. It ended by chance with
/// its length, and hid 93 messages.
#[test]
fn a_false_block_around_other_blocks_hides_none_of_them() {
    let file = CaptureFile::new(Format::PcapNg, Packing::Plain, &datagrams());
    let (bytes, unpacked) = file.damaged(&mut Dice::new(4, 32_746), Flips::Any);
    let messages = heard(&bytes);
    let messages = messages.iter().map(|(_, message)| message.as_slice());
    assert_eq!(missing(&file.undamaged_messages(&unpacked), messages), 0);
}
