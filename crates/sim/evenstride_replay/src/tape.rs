//! Both directions of an invented session as a pcap file, with real messages in real packets and
//! valid checksums.

use evenstride_capture::{PcapWriter, WrittenDatagram};
use evenstride_types::update::PlayerAction;
use evenstride_wire::{
    ActionMessage, ConnectRequest, Fragment, KeyStream, MAX_PACKET_BYTES, Message, PacketHeader, Section,
    encode, split, write_packet,
};

/// Address and port.
type End = ([u8; 4], u16);

const SERVER: End = ([10, 0, 0, 2], 9_000);
const CLIENT: End = ([10, 0, 0, 1], 50_123);
const SERVER_SEED: u32 = 0x0EA7_5EED;
const CLIENT_SEED: u32 = 0xC11E_5EED;

/// Invented date of the recording, as a Unix time in seconds.
const DATE: f64 = 1_600_000_000.0;

/// Upper half of a message's id, and its queue.
const FROM_SERVER: (u32, u16) = (0x8000_0000, 10);
const FROM_CLIENT: (u32, u16) = (0x8000_0000, 3);

/// A session as its client records it.
#[derive(Debug)]
pub struct Tape {
    /// Time of the next message, in seconds since the start.
    pub time: f64,
    file: PcapWriter<Vec<u8>>,
    server: PacketStream,
    client: PacketStream,
    actions: u32,
}

/// One direction.
#[derive(Debug)]
struct PacketStream {
    keys: KeyStream,
    packets: u32,
    messages: u32,
}

impl Tape {
    /// Starts a session with a handshake, so that every checksum can be verified.
    ///
    /// # Errors
    /// Never in practice, because the file is in memory.
    pub fn new() -> std::io::Result<Self> {
        let lane = |seed| PacketStream { keys: KeyStream::new(seed), packets: 1, messages: 0 };
        let mut tape = Self {
            time: 0.0,
            file: PcapWriter::new(Vec::new())?,
            server: lane(SERVER_SEED),
            client: lane(CLIENT_SEED),
            actions: 0,
        };
        let request = ConnectRequest {
            time: 0.0,
            cookie: 0x1157,
            net_id: 1,
            server_seed: SERVER_SEED,
            client_seed: CLIENT_SEED,
            unused: 0,
        };
        let mut payload = Vec::new();
        write_packet(&PacketHeader::default(), &[Section::ConnectRequest(request)], &[], None, &mut payload);
        tape.file.write(&WrittenDatagram { time: DATE, from: SERVER, to: CLIENT, payload: &payload })?;
        Ok(tape)
    }

    /// Writes messages from the server, in as few datagrams as possible. They arrive at once.
    ///
    /// # Errors
    /// If a datagram cannot be written.
    pub fn server(&mut self, messages: &[Message]) -> std::io::Result<()> {
        for payload in self.server_datagrams(messages) {
            self.arrived(&payload)?;
        }
        Ok(())
    }

    /// Returns the datagrams of the server's messages without writing them, so that the caller can
    /// lose some.
    pub fn server_datagrams(&mut self, messages: &[Message]) -> Vec<Vec<u8>> {
        self.server.datagrams(messages, FROM_SERVER)
    }

    /// Writes a datagram that arrives from the server.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn arrived(&mut self, payload: &[u8]) -> std::io::Result<()> {
        self.file.write(&WrittenDatagram { time: DATE + self.time, from: SERVER, to: CLIENT, payload })
    }

    /// Writes messages from the client.
    ///
    /// # Errors
    /// If a datagram cannot be written.
    pub fn client(&mut self, actions: &[PlayerAction]) -> std::io::Result<()> {
        let messages: Vec<Message> = actions
            .iter()
            .map(|action| {
                self.actions += 1;
                Message::Action(ActionMessage { counter: self.actions, action: Ok(action.clone()) })
            })
            .collect();
        let time = DATE + self.time;
        for payload in &self.client.datagrams(&messages, FROM_CLIENT) {
            self.file.write(&WrittenDatagram { time, from: CLIENT, to: SERVER, payload })?;
        }
        Ok(())
    }

    /// Returns the pcap file.
    ///
    /// # Errors
    /// Never in practice, because the file is in memory.
    pub fn finish(self) -> std::io::Result<Vec<u8>> {
        self.file.finish()
    }
}

impl PacketStream {
    /// Returns messages in as few datagrams as possible.
    fn datagrams(&mut self, messages: &[Message], (id, queue): (u32, u16)) -> Vec<Vec<u8>> {
        let encoded: Vec<Vec<u8>> = messages
            .iter()
            .map(|message| {
                let mut bytes = Vec::new();
                encode(message, &mut bytes);
                bytes
            })
            .collect();
        let (mut waiting, mut datagrams): (Vec<Fragment<'_>>, _) = (Vec::new(), Vec::new());
        for bytes in &encoded {
            self.messages += 1;
            for fragment in split(bytes, self.messages, id, queue) {
                let size = |fragment: &Fragment<'_>| usize::from(fragment.header.size);
                if waiting.iter().map(size).sum::<usize>() + size(&fragment) > MAX_PACKET_BYTES {
                    datagrams.push(self.packet(&waiting));
                    waiting.clear();
                }
                waiting.push(fragment);
            }
        }
        if !waiting.is_empty() {
            datagrams.push(self.packet(&waiting));
        }
        datagrams
    }

    fn packet(&mut self, fragments: &[Fragment<'_>]) -> Vec<u8> {
        self.packets += 1;
        let header = PacketHeader { sequence: self.packets, ..PacketHeader::default() };
        let mut payload = Vec::new();
        write_packet(&header, &[], fragments, Some(self.keys.next_key()), &mut payload);
        payload
    }
}
