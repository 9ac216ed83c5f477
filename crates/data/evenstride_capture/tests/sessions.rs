//! Sessions with something wrong in them: damage, repetitions, reconnects, refusals to send again, floods.

use evenstride_capture::{
    CapturedMessage, ConnectionId, Fault, Listener, PcapWriter, Session, Totals, WrittenDatagram, read,
};
use evenstride_wire::{
    ConnectRequest, Fragment, FragmentHeader, KeyStream, PacketFlags, PacketHeader, Section, split,
    write_packet,
};

#[derive(Default)]
struct Heard {
    messages: Vec<(ConnectionId, Vec<u8>)>,
    faults: Vec<String>,
    enough: usize,
}

impl Listener for Heard {
    fn message(&mut self, message: &CapturedMessage<'_>) {
        self.messages.push((message.connection, message.bytes.to_vec()));
    }

    fn fault(&mut self, fault: Fault) {
        self.faults.push(fault.to_string());
    }

    fn is_done(&self) -> bool {
        self.enough > 0 && self.messages.len() >= self.enough
    }
}

impl Heard {
    /// The last byte of each message.
    fn numbers(&self) -> Vec<u8> {
        self.messages.iter().filter_map(|(_, bytes)| bytes.last().copied()).collect()
    }
}

fn heard(files: &[&[u8]]) -> (Heard, Totals) {
    let mut session = Session::new(Heard::default());
    files.iter().for_each(|file| read(*file, &mut session).unwrap());
    let totals = session.totals();
    (session.listener, totals)
}

/// A server that talks to one client, and a capture of it.
struct Tape {
    file: PcapWriter<Vec<u8>>,
    keys: KeyStream,
    sequence: u32,
    client_port: u16,
}

const SEED: u32 = 77;

impl Tape {
    fn new() -> Self {
        let file = PcapWriter::new(Vec::new()).unwrap();
        Self { file, keys: KeyStream::new(SEED), sequence: 1, client_port: 50_123 }
    }

    fn with_handshake() -> Self {
        let mut tape = Self::new();
        let request = handshake(SEED);
        tape.write(&request);
        tape
    }

    /// The next datagram, with one message that ends in this number; not written yet.
    fn says(&mut self, number: u8) -> Vec<u8> {
        self.says_all(&[number])
    }

    fn says_all(&mut self, numbers: &[u8]) -> Vec<u8> {
        self.sequence += 1;
        let messages: Vec<[u8; 8]> =
            numbers.iter().map(|number| [0x55, 0xF7, 0, 0, 0, 0, 0, *number]).collect();
        let fragments: Vec<Fragment<'_>> = messages
            .iter()
            .zip(numbers)
            .flat_map(|(message, number)| split(message, u32::from(*number), 0x8000_0000, 10))
            .collect();
        let header = PacketHeader { sequence: self.sequence, ..PacketHeader::default() };
        let mut datagram = Vec::new();
        write_packet(&header, &[], &fragments, Some(self.keys.next_key()), &mut datagram);
        datagram
    }

    /// A refusal to send again, as some servers number it: without a key.
    fn refuses(&mut self) -> Vec<u8> {
        self.sequence += 1;
        let header = PacketHeader { sequence: self.sequence, ..PacketHeader::default() };
        let mut datagram = Vec::new();
        write_packet(&header, &[Section::RejectRetransmit(vec![1])], &[], None, &mut datagram);
        datagram
    }

    fn write(&mut self, datagram: &[u8]) {
        let (from, to) = (([10, 0, 0, 2], 9_000), ([10, 0, 0, 1], self.client_port));
        let time = f64::from(self.sequence);
        self.file.write(&WrittenDatagram { time, from, to, payload: datagram }).unwrap();
    }

    fn finish(self) -> Vec<u8> {
        self.file.finish().unwrap()
    }
}

fn handshake(seed: u32) -> Vec<u8> {
    let request = ConnectRequest {
        time: 1.0,
        cookie: 2,
        net_id: 3,
        server_seed: seed,
        client_seed: seed + 1,
        unused: 0,
    };
    let mut datagram = Vec::new();
    write_packet(&PacketHeader::default(), &[Section::ConnectRequest(request)], &[], None, &mut datagram);
    datagram
}

#[test]
fn a_damaged_packet_does_not_hide_its_repetition() {
    let mut tape = Tape::with_handshake();
    let good = tape.says(1);
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 0x40;
    tape.write(&damaged);
    tape.write(&good);
    tape.write(&good);
    let (heard, totals) = heard(&[&tape.finish()]);
    assert_eq!(heard.numbers(), [1], "the damaged one is what no client would believe");
    assert_eq!((totals.checksum_failures, totals.retransmissions), (1, 1));
    assert!(heard.faults[0].starts_with("packet 2 at byte "), "{:?}", heard.faults);
    assert!(heard.faults[0].ends_with("its checksum does not match"), "{:?}", heard.faults);
}

#[test]
fn a_packet_cut_short_gives_what_it_has_and_its_repetition_the_rest() {
    for is_keyed in [true, false] {
        let mut tape = if is_keyed { Tape::with_handshake() } else { Tape::new() };
        let whole = tape.says_all(&[1, 2, 3]);
        tape.write(&whole[..whole.len() - 10]);
        tape.write(&whole);
        let (heard, totals) = heard(&[&tape.finish()]);
        assert_eq!(heard.numbers(), [1, 2, 3], "keyed {is_keyed}: each once");
        assert_eq!((totals.faults, totals.checksum_failures), (1, 0), "keyed {is_keyed}");
    }
}

#[test]
fn two_sessions_between_the_same_ends_are_not_repetitions_of_each_other() {
    let make = |seed: u32, numbers: [u8; 2]| {
        let mut tape = Tape::new();
        tape.keys = KeyStream::new(seed);
        for number in numbers {
            let datagram = tape.says(number);
            tape.write(&datagram);
        }
        tape.finish()
    };
    let (one, other) = (make(1, [1, 2]), make(2, [3, 4]));
    let (heard_both, totals) = heard(&[&one, &other]);
    assert_eq!((heard_both.numbers(), totals.retransmissions), (vec![1, 2, 3, 4], 0));
    // The same in one file: a reconnect whose handshake was not captured.
    let joined = [one.as_slice(), &other[24..]].concat();
    let (heard_joined, totals) = heard(&[&joined]);
    assert_eq!((heard_joined.numbers(), totals.retransmissions), (vec![1, 2, 3, 4], 0));
}

#[test]
fn one_wild_number_spoils_neither_checks_nor_counts() {
    for is_keyed in [true, false] {
        let mut tape = if is_keyed { Tape::with_handshake() } else { Tape::new() };
        for number in 1..=60 {
            let mut datagram = tape.says(number);
            if number == 10 {
                datagram[2] ^= 5;
            }
            tape.write(&datagram);
        }
        let (heard, totals) = heard(&[&tape.finish()]);
        assert_eq!(totals.gaps, 1, "keyed {is_keyed}: the number it should have had");
        if is_keyed {
            assert_eq!((totals.checksums_checked, totals.checksum_failures), (61, 1));
            assert_eq!(heard.messages.len(), 59);
        } else {
            assert_eq!(heard.messages.len(), 60);
        }
    }
}

#[test]
fn a_handshake_counts_once_and_only_if_it_is_whole() {
    let mut tape = Tape::with_handshake();
    let first = tape.says(1);
    tape.write(&first);
    // The same handshake again, a damaged one, and what was there before.
    tape.write(&handshake(SEED));
    let mut damaged = handshake(99);
    damaged[30] ^= 1;
    tape.write(&damaged);
    tape.write(&first);
    let second = tape.says(2);
    tape.write(&second);
    let (heard, totals) = heard(&[&tape.finish()]);
    assert_eq!((heard.numbers(), totals.retransmissions), (vec![1, 2], 1));
    assert_eq!((totals.checksums_checked, totals.checksum_failures), (6, 1));
}

#[test]
fn refusals_to_send_again_take_a_number_but_no_key() {
    let mut tape = Tape::with_handshake();
    let early = tape.says(1);
    let datagram = tape.says(2);
    tape.write(&datagram);
    let refusal = tape.refuses();
    tape.write(&refusal);
    let datagram = tape.says(3);
    tape.write(&datagram);
    // From before the refusal, and late.
    tape.write(&early);
    let _never_captured = tape.refuses();
    let datagram = tape.says(4);
    tape.write(&datagram);
    let (heard, totals) = heard(&[&tape.finish()]);
    assert_eq!(heard.numbers(), [2, 3, 1, 4]);
    assert_eq!((totals.checksum_failures, totals.gaps), (0, 1), "{:?}", heard.faults);
}

#[test]
fn keys_that_fit_nothing_are_given_up_and_nothing_is_lost() {
    let mut tape = Tape::new();
    tape.write(&handshake(SEED + 1));
    for number in 1..=20 {
        let datagram = tape.says(number);
        tape.write(&datagram);
    }
    let (heard, totals) = heard(&[&tape.finish()]);
    assert_eq!(heard.numbers(), (1..=20).collect::<Vec<_>>());
    assert_eq!((totals.checksum_failures, totals.faults), (8, 1));
}

#[test]
fn floods_of_beginnings_stay_within_bounds() {
    let mut tape = Tape::new();
    for number in 0..40_000u32 {
        tape.client_port = 20_000 + (number % 300) as u16;
        tape.sequence += 1;
        let header = FragmentHeader {
            sequence: number,
            count: u16::MAX,
            size: 464,
            index: 7,
            ..FragmentHeader::default()
        };
        let fragment = Fragment { header, payload: &[0; 448] };
        let packet = PacketHeader { sequence: tape.sequence, ..PacketHeader::default() };
        let mut datagram = Vec::new();
        write_packet(&packet, &[], &[fragment], Some(1), &mut datagram);
        tape.write(&datagram);
    }
    let (heard, totals) = heard(&[&tape.finish()]);
    assert_eq!((heard.messages.len(), totals.unfinished), (0, 40_000));
}

#[test]
fn more_connections_than_are_followed_make_room_for_each_other() {
    let mut tape = Tape::new();
    for number in 0..5_000u16 {
        tape.client_port = 20_000 + number;
        let datagram = tape.says(number as u8);
        tape.write(&datagram);
    }
    let (heard, totals) = heard(&[&tape.finish()]);
    assert_eq!((heard.messages.len(), totals.faults), (5_000, 0));
    assert_eq!(heard.messages.last().unwrap().0, ConnectionId(4_999));
}

#[test]
fn damage_in_the_middle_of_a_file_costs_only_what_is_damaged() {
    let mut tape = Tape::new();
    let mut starts = Vec::new();
    for number in 1..=50 {
        let datagram = tape.says(number);
        starts.push(datagram.len() + 42 + 16);
        tape.write(&datagram);
    }
    let file = tape.finish();
    let tenth = 24 + starts[..9].iter().sum::<usize>();
    // Its length says two gigabytes; zeros in between; a second file glued to the first.
    let mut absurd = file.clone();
    absurd[tenth + 11] = 0x7F;
    let (heard_absurd, totals) = heard(&[&absurd]);
    assert_eq!((heard_absurd.messages.len(), totals.faults), (49, 1), "{:?}", heard_absurd.faults);
    let zeros = [&file[..tenth], &[0; 200], &file[tenth..]].concat();
    let (heard_zeros, totals) = heard(&[&zeros]);
    assert_eq!(heard_zeros.messages.len(), 50, "{:?}", heard_zeros.faults);
    assert!(totals.faults > 0);
    let glued = [file.as_slice(), &file].concat();
    let (heard_glued, totals) = heard(&[&glued]);
    assert_eq!((heard_glued.messages.len(), totals.retransmissions, totals.faults), (50, 50, 1));
}

#[test]
fn low_flags_without_a_meaning_do_no_harm_and_fragments_too_large_are_none() {
    let mut tape = Tape::new();
    let header =
        PacketHeader { sequence: 2, flags: PacketFlags::from_bits_retain(8), ..PacketHeader::default() };
    let message = [0x55, 0xF7, 0, 0];
    let mut datagram = Vec::new();
    write_packet(&header, &[], &split(&message, 1, 0, 10), Some(1), &mut datagram);
    tape.write(&datagram);
    let large = Fragment {
        header: FragmentHeader { sequence: 2, count: 1, size: 1_020, ..FragmentHeader::default() },
        payload: &[0; 1_004],
    };
    datagram.clear();
    write_packet(&PacketHeader { sequence: 3, ..header }, &[], &[large], Some(1), &mut datagram);
    tape.write(&datagram);
    let (heard, totals) = heard(&[&tape.finish()]);
    assert_eq!((heard.messages.len(), totals.faults), (1, 1), "{:?}", heard.faults);
}

#[test]
fn both_ports_of_a_server_are_one_connection_in_lines_too() {
    let mut keys = KeyStream::new(SEED);
    let mut datagram = Vec::new();
    let header = PacketHeader { sequence: 2, ..PacketHeader::default() };
    write_packet(&header, &[], &split(&[0x55, 0xF7, 0, 0], 1, 0, 10), Some(keys.next_key()), &mut datagram);
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let line = |pair: u32, bytes: &[u8]| {
        format!(
            r#"{{"t": 1.0, "dir": "s2c", "pair": {pair}, "len": {}, "data": "{}"}}"#,
            bytes.len(),
            hex(bytes)
        )
    };
    let text = format!("\u{feff}# made by a logger\n{}\n{}\n", line(0, &handshake(SEED)), line(1, &datagram));
    let (heard, totals) = heard(&[text.as_bytes()]);
    assert_eq!(heard.messages.len(), 1);
    assert_eq!((totals.checksums_checked, totals.checksum_failures), (2, 0));
    assert_eq!(heard.faults, ["line 1: not a JSON object"]);
}

#[test]
fn whoever_has_heard_enough_is_told_no_more() {
    let mut tape = Tape::new();
    for number in 1..=50 {
        let datagram = tape.says(number);
        tape.write(&datagram);
    }
    let mut session = Session::new(Heard { enough: 5, ..Heard::default() });
    read(tape.finish().as_slice(), &mut session).unwrap();
    assert_eq!(session.listener.messages.len(), 5);
}

/// A length that is too large by some bits reached into the packets after it, and those were lost.
#[test]
fn a_wrong_length_does_not_swallow_the_packets_after_it() {
    let mut tape = Tape::new();
    let mut starts = vec![24];
    for number in 1..=50 {
        let datagram = tape.says(number);
        starts.push(starts.last().unwrap() + datagram.len() + 42 + 16);
        tape.write(&datagram);
    }
    let file = tape.finish();
    for bit in 0..18 {
        let mut damaged = file.clone();
        damaged[starts[9] + 8 + bit / 8] ^= 1 << (bit % 8);
        let (heard, _) = heard(&[&damaged]);
        assert!(heard.messages.len() >= 49, "bit {bit}: {} {:?}", heard.messages.len(), heard.faults);
    }
    // A packet that lost its end, before one that is whole.
    for missing in 1..60 {
        let damaged = [&file[..starts[10] - missing], &file[starts[10]..]].concat();
        let (heard, _) = heard(&[&damaged]);
        assert!(heard.messages.len() >= 49, "{missing} bytes: {} {:?}", heard.messages.len(), heard.faults);
    }
}

/// The capture missed the refusal at first, took another number for it, and then counted it twice.
#[test]
fn a_refusal_that_was_overtaken_does_not_spoil_the_keys() {
    // Every order of a refusal and the packets after it, and a capture without the refusal.
    for order in
        [[0, 1, 2, 3], [2, 0, 1, 3], [2, 1, 0, 3], [3, 2, 1, 0], [1, 3, 0, 2], [3, 0, 2, 1], [2, 1, 9, 3]]
    {
        let mut tape = Tape::with_handshake();
        let before = tape.says(1);
        let late = [tape.refuses(), tape.says(2), tape.says(3), tape.says(4)];
        let after = [5, 6].map(|number| tape.says(number));
        tape.write(&before);
        order.iter().filter_map(|index| late.get(*index)).for_each(|datagram| tape.write(datagram));
        after.iter().for_each(|datagram| tape.write(datagram));
        let (heard, totals) = heard(&[&tape.finish()]);
        let mut numbers = heard.numbers();
        numbers.sort_unstable();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6], "{order:?}");
        assert_eq!((totals.faults, totals.checksum_failures), (0, 0), "{order:?}");
    }
}
