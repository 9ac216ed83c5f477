//! The same datagram on every kind of link, and in both kinds of file.

use etherparse::PacketBuilder;
use evenstride_capture::{CapturedMessage, Fault, Listener, Session, Totals, read};
use evenstride_wire::{PacketHeader, split, write_packet};

#[derive(Default)]
struct Heard {
    messages: Vec<(f64, Vec<u8>)>,
    faults: Vec<String>,
}

impl Listener for Heard {
    fn message(&mut self, message: &CapturedMessage<'_>) {
        self.messages.push((message.time, message.bytes.to_vec()));
    }

    fn fault(&mut self, fault: Fault) {
        self.faults.push(fault.to_string());
    }
}

fn heard(file: &[u8]) -> (Heard, Totals) {
    let mut session = Session::new(Heard::default());
    read(file, &mut session).unwrap();
    let totals = session.totals();
    (session.listener, totals)
}

const MESSAGE: [u8; 12] = [0x47, 0xF7, 0, 0, 0x57, 3, 0, 0x80, 0, 0, 0, 0];

fn datagram() -> Vec<u8> {
    let fragments = split(&MESSAGE, 1, 0x8000_0000, 10);
    let mut datagram = Vec::new();
    let header = PacketHeader { sequence: 2, ..PacketHeader::default() };
    write_packet(&header, &[], &fragments, Some(1), &mut datagram);
    datagram
}

fn ipv4() -> Vec<u8> {
    let mut packet = Vec::new();
    let builder = PacketBuilder::ipv4([10, 0, 0, 2], [10, 0, 0, 1], 64).udp(9_001, 50_000);
    builder.write(&mut packet, &datagram()).unwrap();
    packet
}

fn ipv6() -> Vec<u8> {
    let mut packet = Vec::new();
    let builder = PacketBuilder::ipv6([1; 16], [2; 16], 64).udp(9_001, 50_000);
    builder.write(&mut packet, &datagram()).unwrap();
    packet
}

fn with_header(header: &[u8], packet: &[u8]) -> Vec<u8> {
    [header, packet].concat()
}

/// A pcap file of one frame, in nanoseconds or microseconds.
fn pcap(link_type: u32, frame: &[u8], magic: u32, fraction: u32) -> Vec<u8> {
    let mut file = magic.to_le_bytes().to_vec();
    file.extend([2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0]);
    file.extend(link_type.to_le_bytes());
    let length = frame.len() as u32;
    [3, fraction, length, length].iter().for_each(|word: &u32| file.extend(word.to_le_bytes()));
    file.extend(frame);
    file
}

const ETHERNET: [u8; 12] = [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2];

#[test]
fn every_kind_of_link() {
    let (v4, v6) = (ipv4(), ipv6());
    let ethernet = |ether_type: &[u8], packet: &[u8]| with_header(&[&ETHERNET, ether_type].concat(), packet);
    let mut zero_length = v4.clone();
    // Loggers leave the IP length and all checksums empty.
    zero_length[2..4].fill(0);
    zero_length[10..12].fill(0);
    let mut cooked = [0; 16];
    cooked[14..].copy_from_slice(&[8, 0]);
    let mut cooked2 = [0; 20];
    cooked2[..2].copy_from_slice(&[0x86, 0xDD]);
    for (name, link_type, frame) in [
        ("Ethernet", 1, ethernet(&[8, 0], &v4)),
        ("Ethernet, IPv6", 1, ethernet(&[0x86, 0xDD], &v6)),
        ("Ethernet with a VLAN tag", 1, ethernet(&[0x81, 0, 0, 5, 8, 0], &v4)),
        ("Ethernet, zero IP length", 1, ethernet(&[8, 0], &zero_length)),
        ("BSD loopback", 0, with_header(&[2, 0, 0, 0], &v4)),
        ("OpenBSD loopback", 108, with_header(&[0, 0, 0, 24], &v6)),
        ("raw IP", 101, v4.clone()),
        ("raw IP, as some systems number it", 12, v6.clone()),
        ("raw IP, as others do", 14, v4.clone()),
        ("Linux cooked", 113, with_header(&cooked, &v4)),
        ("Linux cooked, version 2", 276, with_header(&cooked2, &v6)),
    ] {
        let (heard, totals) = heard(&pcap(link_type, &frame, 0xA1B2_C3D4, 250_000));
        assert_eq!(heard.faults, Vec::<String>::new(), "{name}");
        assert_eq!(heard.messages, [(3.25, MESSAGE.to_vec())], "{name}");
        assert_eq!(totals.datagrams, 1, "{name}");
    }
    let (heard, _) = heard(&pcap(147, &v4, 0xA1B2_C3D4, 0));
    assert_eq!(heard.faults, ["packet 1 at byte 24: unknown link type 147"]);
}

#[test]
fn nanoseconds_and_other_traffic() {
    let frame = with_header(&[&ETHERNET[..], &[8, 0]].concat(), &ipv4());
    let (heard, _) = heard(&pcap(1, &frame, 0xA1B2_3C4D, 500_000_000));
    assert_eq!(heard.messages[0].0, 3.5);
    let mut other = Vec::new();
    PacketBuilder::ipv4([10, 0, 0, 2], [10, 0, 0, 1], 64)
        .udp(53, 50_000)
        .write(&mut other, &[0; 30])
        .unwrap();
    let (heard, totals) = self::heard(&pcap(101, &other, 0xA1B2_C3D4, 0));
    assert_eq!((heard.messages.len(), heard.faults.len()), (0, 0));
    assert_eq!((totals.datagrams, totals.skipped), (0, 1));
}

/// A pcapng file with two equal packets `units` after the start, and an interface with this resolution.
fn pcapng(resolution: u8, units: u32) -> Vec<u8> {
    let block = |kind: u32, body: &[u8]| {
        let padding = vec![0; body.len().wrapping_neg() & 3];
        let length = ((12 + body.len() + padding.len()) as u32).to_le_bytes();
        [&kind.to_le_bytes()[..], &length, body, &padding, &length].concat()
    };
    let section = [&0x1A2B_3C4D_u32.to_le_bytes()[..], &[1, 0, 0, 0], &[0xFF; 8]].concat();
    // Raw IP.
    let interface = [&[101, 0, 0, 0, 0, 0, 1, 0][..], &[9, 0, 1, 0, resolution, 0, 0, 0], &[0; 4]].concat();
    let packet = ipv4();
    let length = (packet.len() as u32).to_le_bytes();
    let enhanced = [&[0; 4][..], &[0; 4], &units.to_le_bytes(), &length, &length, &packet].concat();
    [block(0x0A0D_0D0A, &section), block(1, &interface), block(6, &enhanced), block(6, &enhanced)].concat()
}

#[test]
fn pcapng_with_a_resolution_of_its_own() {
    let (heard, totals) = heard(&pcapng(3, 7_500));
    assert_eq!(heard.faults, Vec::<String>::new());
    assert_eq!(heard.messages, [(7.5, MESSAGE.to_vec())]);
    assert_eq!((totals.datagrams, totals.retransmissions), (2, 1));
}

/// The parser takes every power of two for an invalid resolution, and microseconds were used instead.
#[test]
fn times_in_powers_of_two_are_not_read_as_microseconds() {
    assert_eq!(heard(&pcapng(0x80 | 10, 7_680)).0.messages[0].0, 7.5);
    assert_eq!(heard(&pcapng(0x80 | 20, 15 << 19)).0.messages[0].0, 7.5);
    assert_eq!(heard(&pcapng(0x80, 7)).0.messages[0].0, 7.0);
}
