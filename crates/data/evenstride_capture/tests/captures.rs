//! Captures made here: whole, repeated, cut off, damaged.

use std::net::{IpAddr, SocketAddr};

use evenstride_capture::{
    CaptureError, CapturedMessage, Direction, Fault, Listener, PcapWriter, Session, Totals, WrittenDatagram,
    read,
};
use evenstride_wire::{ConnectRequest, KeyStream, PacketHeader, Section, split, write_packet};

#[derive(Default)]
struct Heard {
    messages: Vec<(f64, Direction, Vec<u8>)>,
    faults: Vec<String>,
}

impl Listener for Heard {
    fn message(&mut self, message: &CapturedMessage<'_>) {
        self.messages.push((message.time, message.direction, message.bytes.to_vec()));
    }

    fn fault(&mut self, fault: Fault) {
        self.faults.push(fault.to_string());
    }
}

fn heard(bytes: &[u8]) -> (Heard, Totals) {
    let mut session = Session::new(Heard::default());
    read(bytes, &mut session).unwrap();
    let totals = session.totals();
    (session.listener, totals)
}

const CLIENT: ([u8; 4], u16) = ([10, 0, 0, 1], 50_123);
const SERVER: ([u8; 4], u16) = ([10, 0, 0, 2], 9_001);

/// A session from its handshake on: what the server says, one message a datagram, the third of them in four pieces over two datagrams.
struct Recording {
    file: PcapWriter<Vec<u8>>,
    keys: KeyStream,
    sequence: u32,
    time: f64,
}

impl Recording {
    fn new() -> Self {
        let mut file = PcapWriter::new(Vec::new()).unwrap();
        let request =
            ConnectRequest { time: 1.0, cookie: 2, net_id: 3, server_seed: 77, client_seed: 88, unused: 0 };
        let mut datagram = Vec::new();
        write_packet(&PacketHeader::default(), &[Section::ConnectRequest(request)], &[], None, &mut datagram);
        let from = (SERVER.0, 9_000);
        file.write(&WrittenDatagram { time: 0.0, from, to: CLIENT, payload: &datagram }).unwrap();
        Self { file, keys: KeyStream::new(77), sequence: 1, time: 0.0 }
    }

    /// Sends pieces `from..to` of a message.
    fn sends(&mut self, message: &[u8], number: u32, pieces: std::ops::Range<usize>) -> Vec<u8> {
        self.sequence += 1;
        self.time += 0.5;
        let fragments = split(message, number, 0x8000_0000, 10);
        let header = PacketHeader { sequence: self.sequence, ..PacketHeader::default() };
        let mut datagram = Vec::new();
        write_packet(&header, &[], &fragments[pieces], Some(self.keys.next_key()), &mut datagram);
        self.repeats(&datagram);
        datagram
    }

    fn repeats(&mut self, datagram: &[u8]) {
        let (time, payload) = (self.time, datagram);
        self.file.write(&WrittenDatagram { time, from: SERVER, to: CLIENT, payload }).unwrap();
    }

    fn finish(self) -> Vec<u8> {
        self.file.finish().unwrap()
    }
}

fn message(number: u8, length: usize) -> Vec<u8> {
    let mut bytes = vec![0x55, 0xF7, 0, 0];
    bytes.resize(length, number);
    bytes
}

fn recorded() -> Vec<u8> {
    let mut recording = Recording::new();
    let first = recording.sends(&message(1, 40), 0, 0..1);
    recording.sends(&message(2, 50), 1, 0..1);
    // Sent again, and a long message whose end comes before its beginning.
    recording.repeats(&first);
    recording.sends(&message(3, 1_500), 2, 2..4);
    recording.sends(&message(3, 1_500), 2, 0..2);
    recording.finish()
}

#[test]
fn what_was_written_is_read_once_and_in_order() {
    let (heard, totals) = heard(&recorded());
    assert_eq!(heard.faults, Vec::<String>::new());
    let messages: Vec<_> = heard.messages.iter().map(|(time, _, bytes)| (*time, bytes.clone())).collect();
    assert_eq!(messages, [(0.5, message(1, 40)), (1.0, message(2, 50)), (2.0, message(3, 1_500))]);
    assert!(heard.messages.iter().all(|(_, direction, _)| *direction == Direction::FromServer));
    assert_eq!((totals.datagrams, totals.messages, totals.retransmissions), (6, 3, 1));
    // With the handshake in it, every checksum is checked.
    assert_eq!((totals.checksums_checked, totals.checksum_failures, totals.gaps), (6, 0, 0));
}

#[test]
fn a_flipped_bit_is_a_failed_checksum() {
    let mut file = recorded();
    // In the payload of the second datagram's message.
    let at = file.windows(4).position(|window| window == [1, 1, 1, 1]).unwrap();
    file[at] ^= 4;
    let (_, totals) = heard(&file);
    assert_eq!(totals.checksum_failures, 1);
}

#[test]
fn cut_off_anywhere_everything_before_the_cut_is_read() {
    let file = recorded();
    let (whole, _) = heard(&file);
    let mut last = 0;
    // Within its own header there is nothing before the cut.
    for cut in 1..24 {
        let mut session = Session::new(Heard::default());
        let error = read(&file[..cut], &mut session).unwrap_err();
        assert!(matches!(error, CaptureError::Header | CaptureError::Format), "{cut}: {error}");
    }
    for cut in 24..file.len() {
        let (part, totals) = heard(&file[..cut]);
        assert!(part.messages.len() >= last && part.messages.len() <= whole.messages.len(), "{cut}");
        assert_eq!(part.messages[..], whole.messages[..part.messages.len()], "{cut}");
        assert!(totals.faults <= 1, "{cut}: {:?}", part.faults);
        last = part.messages.len();
    }
    let (part, _) = heard(&file[..file.len() - 1]);
    assert_eq!(part.faults, ["packet 6 at byte 1260: the file ends within it"]);
}

#[test]
fn lines_of_either_kind() {
    let lines = r#"{"idx": 1, "dir": "s2c", "t_rel": 1.5, "payload_hex": "47f700005703008000000000"}
        {"idx": 2, "dir": "c2s", "t_rel": 2.5, "payload_hex": "b1f7000001000000a1000000"}

        {"idx": 3, "dir": "up", "t_rel": 3.5, "payload_hex": "00"}
        {"idx": 4, "dir": "s2c", "t_rel": 4.5, "payload_hex": "0"}
        not json at all
        {"t": 5.5, "dir": "s2c", "pair": 7, "len": 28, "data": "020000000200000101906e5d0b00400408000100dc93c1400409b241"}
        {"idx": 5, "dir": "s2c", "t_rel": 6.5, "payload_hex": "47f700005703008000000000"}"#;
    let (heard, totals) = heard(lines.as_bytes());
    let times: Vec<_> = heard.messages.iter().map(|(time, ..)| *time).collect();
    assert_eq!((times, totals.datagrams), (vec![1.5, 2.5, 6.5], 1));
    assert_eq!(heard.messages[1].1, Direction::FromClient);
    assert_eq!(heard.faults.len(), 3);
    assert_eq!(heard.faults[0], "line 4: dir is \"up\", not \"s2c\" or \"c2s\"");
    assert_eq!(heard.faults[1], "line 5: 1 hex digits are not whole bytes");
}

#[test]
fn what_is_no_capture_is_said_in_a_sentence() {
    let mut session = Session::new(Heard::default());
    let error = read(b"MZ\x90\x00 a program".as_slice(), &mut session).unwrap_err();
    assert_eq!(error.to_string(), "not a capture: expected pcap, pcapng or JSON lines, optionally gzipped");
    assert!(matches!(read(b"".as_slice(), &mut session), Err(CaptureError::Empty)));
}

#[test]
fn half_finished_messages_are_counted() {
    let mut recording = Recording::new();
    for number in 0..400 {
        recording.sends(&message(3, 1_500), number, 0..1);
    }
    let (heard, totals) = heard(&recording.finish());
    assert_eq!((heard.messages.len(), totals.unfinished, totals.checksum_failures), (0, 400, 0));
}

#[test]
fn datagrams_between_addresses_of_either_kind_are_written_and_read() {
    let client_v4 = SocketAddr::from(CLIENT);
    let server_v4 = SocketAddr::from(SERVER);
    let server_v6: SocketAddr = "[2001:db8::7]:9000".parse().unwrap();
    let mapped: SocketAddr = "[::ffff:10.0.0.2]:9001".parse().unwrap();
    let mut file = PcapWriter::new(Vec::new()).unwrap();
    let mut payload = Vec::new();
    write_packet(&PacketHeader::default(), &[Section::Ack(7)], &[], None, &mut payload);
    for server in [server_v4, server_v6, mapped] {
        file.write_between(1.0, client_v4, server, &payload).unwrap();
    }
    let mut session = Session::new(Heard::default());
    read(file.finish().unwrap().as_slice(), &mut session).unwrap();
    let servers: Vec<IpAddr> = session.connections().map(|(_, connection)| connection.server).collect();
    assert_eq!(servers, [server_v4.ip(), server_v6.ip()], "an address that stands for another is that one");
    assert_eq!((session.totals().datagrams, session.totals().faults), (3, 0));
}
