//! Both directions of a session, as a pcap.

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

/// When it was recorded, in seconds since 1970. No more true than the rest of it.
const DATE: f64 = 1_600_000_000.0;

/// Who a fragment's message belongs to.
const FROM_SERVER: (u32, u16) = (0x8000_0000, 10);
const FROM_CLIENT: (u32, u16) = (0x8000_0000, 3);

/// A session as it is recorded.
pub(super) struct Tape {
    pub(super) time: f64,
    file: PcapWriter<Vec<u8>>,
    server: Lane,
    client: Lane,
    actions: u32,
}

/// One direction.
struct Lane {
    from: End,
    to: End,
    keys: KeyStream,
    packets: u32,
    messages: u32,
}

impl Tape {
    /// A session that begins with a handshake, so that every checksum can be verified.
    pub(super) fn new() -> std::io::Result<Self> {
        let lane = |from, to, seed| Lane { from, to, keys: KeyStream::new(seed), packets: 1, messages: 0 };
        let mut tape = Self {
            time: 0.0,
            file: PcapWriter::new(Vec::new())?,
            server: lane(SERVER, CLIENT, SERVER_SEED),
            client: lane(CLIENT, SERVER, CLIENT_SEED),
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

    /// What the server sends now, in as few datagrams as it fits in.
    pub(super) fn server(&mut self, messages: &[Message]) -> std::io::Result<()> {
        self.server.send(&mut self.file, self.time, messages, FROM_SERVER)
    }

    /// What the client says now.
    pub(super) fn client(&mut self, actions: &[PlayerAction]) -> std::io::Result<()> {
        let messages: Vec<Message> = actions
            .iter()
            .map(|action| {
                self.actions += 1;
                Message::Action(ActionMessage { counter: self.actions, action: Ok(action.clone()) })
            })
            .collect();
        self.client.send(&mut self.file, self.time, &messages, FROM_CLIENT)
    }

    pub(super) fn finish(self) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        Ok(self.file.finish()?)
    }
}

impl Lane {
    fn send(
        &mut self,
        file: &mut PcapWriter<Vec<u8>>,
        time: f64,
        messages: &[Message],
        (id, queue): (u32, u16),
    ) -> std::io::Result<()> {
        let encoded: Vec<Vec<u8>> = messages
            .iter()
            .map(|message| {
                let mut bytes = Vec::new();
                encode(message, &mut bytes);
                bytes
            })
            .collect();
        let mut waiting: Vec<Fragment<'_>> = Vec::new();
        for bytes in &encoded {
            self.messages += 1;
            for fragment in split(bytes, self.messages, id, queue) {
                let size = |fragment: &Fragment<'_>| usize::from(fragment.header.size);
                if waiting.iter().map(size).sum::<usize>() + size(&fragment) > MAX_PACKET_BYTES {
                    self.flush(file, time, &mut waiting)?;
                }
                waiting.push(fragment);
            }
        }
        self.flush(file, time, &mut waiting)
    }

    fn flush(
        &mut self,
        file: &mut PcapWriter<Vec<u8>>,
        time: f64,
        waiting: &mut Vec<Fragment<'_>>,
    ) -> std::io::Result<()> {
        if waiting.is_empty() {
            return Ok(());
        }
        self.packets += 1;
        let header = PacketHeader { sequence: self.packets, ..PacketHeader::default() };
        let mut payload = Vec::new();
        write_packet(&header, &[], waiting, Some(self.keys.next_key()), &mut payload);
        waiting.clear();
        file.write(&WrittenDatagram { time: DATE + time, from: self.from, to: self.to, payload: &payload })
    }
}
