//! Traffic as a town makes it, and the work that is measured on it.

use std::hint::black_box;

use evenstride_capture::{CapturedMessage, Fault, Listener, PcapWriter, Session, WrittenDatagram, read};
use evenstride_wire::{
    ConnectRequest, Fragment, KeyStream, Message, PacketHeader, Section, decode, encode, split, write_packet,
};

/// A position as recorded servers send it for players.
const POSITION: [u8; 44] = [
    0x48, 0xF7, 0, 0, 2, 0, 0, 0x50, 0x34, 0, 0, 0, 0x2A, 0, 0xB4, 0xA9, 0x8F, 0x49, 0xFD, 0x42, 0xD0, 0x64,
    0x14, 0x42, 0x90, 2, 0xBC, 0x42, 0x99, 0xD0, 0x8C, 0x3E, 0xAA, 0x20, 0x76, 0xBF, 0x5A, 0, 1, 0, 0, 0, 0,
    0,
];

/// What is measured. Each round handles all the messages once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// From bytes to typed messages.
    Decode,
    /// And back.
    Encode,
    /// From a pcap with a handshake, four positions a datagram and every checksum verified, to messages.
    Capture,
    /// The same, each message decoded.
    CaptureDecoded,
    /// The pcap's bytes copied.
    Copy,
}

#[allow(dead_code, clippy::allow_attributes, reason = "one of the two users has no command line")]
impl Work {
    pub(crate) const ALL: [Self; 5] =
        [Self::Decode, Self::Encode, Self::Capture, Self::CaptureDecoded, Self::Copy];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Encode => "encode",
            Self::Capture => "capture",
            Self::CaptureDecoded => "decoded",
            Self::Copy => "copy",
        }
    }
}

/// Everything that work needs, made beforehand.
pub(crate) struct Bench {
    messages: Vec<[u8; 44]>,
    decoded: Message,
    pub(crate) pcap: Vec<u8>,
    out: Vec<u8>,
}

impl Bench {
    pub(crate) fn new(messages: usize) -> Self {
        let messages: Vec<[u8; 44]> = (0..messages)
            .map(|number| {
                let mut message = POSITION;
                message[36..38].copy_from_slice(&(number as u16).to_le_bytes());
                message
            })
            .collect();
        let decoded = decode(&POSITION).expect("a recorded message").message;
        let pcap = recorded(&messages);
        Self { messages, decoded, pcap, out: Vec::new() }
    }

    pub(crate) fn round(&mut self, work: Work) {
        self.out.clear();
        match work {
            Work::Decode => self.messages.iter().for_each(|message| {
                let _ = black_box(decode(black_box(message)));
            }),
            Work::Encode => {
                (0..self.messages.len()).for_each(|_| encode(black_box(&self.decoded), &mut self.out));
            }
            Work::Capture => self.read(Count { is_decoding: false, messages: 0 }),
            Work::CaptureDecoded => self.read(Count { is_decoding: true, messages: 0 }),
            Work::Copy => self.out.extend_from_slice(black_box(&self.pcap)),
        }
        black_box(&self.out);
    }

    fn read(&self, count: Count) {
        let mut session = Session::new(count);
        read(black_box(self.pcap.as_slice()), &mut session).expect("a capture");
        let totals = session.totals();
        assert_eq!(session.listener.messages, self.messages.len(), "{totals:?}");
        assert_eq!((totals.checksum_failures, totals.faults), (0, 0), "{totals:?}");
    }
}

struct Count {
    is_decoding: bool,
    messages: usize,
}

impl Listener for Count {
    fn message(&mut self, message: &CapturedMessage<'_>) {
        self.messages += 1;
        if self.is_decoding {
            let _ = black_box(decode(message.bytes));
        } else {
            black_box(message);
        }
    }

    fn fault(&mut self, _: Fault) {}
}

/// A session from its handshake on, four messages a datagram.
fn recorded(messages: &[[u8; 44]]) -> Vec<u8> {
    const SEED: u32 = 77;
    let mut file = PcapWriter::new(Vec::new()).expect("a buffer");
    let (from, to) = (([10, 0, 0, 2], 9_000), ([10, 0, 0, 1], 50_123));
    let request =
        ConnectRequest { time: 1.0, cookie: 2, net_id: 3, server_seed: SEED, client_seed: 88, unused: 0 };
    let mut datagram = Vec::new();
    write_packet(&PacketHeader::default(), &[Section::ConnectRequest(request)], &[], None, &mut datagram);
    file.write(&WrittenDatagram { time: 0.0, from, to, payload: &datagram }).expect("a buffer");
    let mut keys = KeyStream::new(SEED);
    for (number, four) in messages.chunks(4).enumerate() {
        let fragments: Vec<Fragment<'_>> = four
            .iter()
            .enumerate()
            .flat_map(|(place, message)| split(message, (4 * number + place) as u32, 0x8000_0000, 10))
            .collect();
        let header = PacketHeader { sequence: number as u32 + 2, ..PacketHeader::default() };
        datagram.clear();
        write_packet(&header, &[], &fragments, Some(keys.next_key()), &mut datagram);
        let time = number as f64 * 0.05;
        file.write(&WrittenDatagram { time, from, to, payload: &datagram }).expect("a buffer");
    }
    file.finish().expect("a buffer")
}
