//! Bytes that choose a session of the game: connections, handshakes, packets with messages of every kind, out of order and repeated, in
//! every format of a capture. Then they choose damage. Undamaged messages are all heard, and the totals add up.

use std::collections::BTreeMap;

use evenstride_capture::{CapturedMessage, Direction, Fault, Listener, Session, Timeline, Totals, read};
use evenstride_damage::{CaptureFile, Choice, Datagram, Flips, Format, Input, Packing, missing};
use evenstride_replay::Recorder;
use evenstride_swarm::draw::Draw;
use evenstride_wire::{
    ConnectRequest, Fragment, KeyStream, MAX_PACKET_BYTES, Message, PacketHeader, Pretty, Section, decode,
    encode, split, write_packet,
};

/// Bytes of the input that choose damage. The others choose the session.
const DAMAGE_BYTES: usize = 33;

/// Largest number of packets before repetitions.
const MAX_PACKETS: usize = 60;

/// Writes a session, damages it, and reads both.
pub fn session(data: &[u8]) {
    let (damage, data) = data.split_at(DAMAGE_BYTES.min(data.len()));
    let mut input = Input::new(data);
    let format = Format::ALL[input.below(Format::ALL.len())];
    let packing = if input.below(4) == 0 { Packing::Gzip } else { Packing::Plain };
    let tape = Tape::record(&mut input);
    let file = CaptureFile::new(format, packing, &tape.datagrams);
    if file.units.is_empty() {
        return;
    }
    check_undamaged(&file, &tape);

    let mut input = Input::new(damage);
    // Several flips may cancel out in a checksum, and then no reader can tell.
    let flips = if input.below(4) == 0 { Flips::Any } else { Flips::One };
    let (bytes, unpacked) = file.damaged(&mut input, flips);
    let heard = heard(&bytes);
    assert_eq!(heard, self::heard(&bytes), "read twice, it is the same");
    let total: usize = heard.messages.iter().map(Vec::len).sum();
    assert!(total <= unpacked.len(), "{total} bytes of messages from {} of a file", unpacked.len());
    if flips == Flips::One {
        let mut is_wanted = file.are_whole(&unpacked);
        if heard.totals.checksum_failures > 0 {
            tape.excuse_false_keys(&mut is_wanted);
        }
        assert_eq!(
            missing(&file.messages_of(&is_wanted), heard.messages.iter().map(Vec::as_slice)),
            0,
            "{file}: undamaged messages are lost"
        );
    }
}

/// Checks that everything in an undamaged file is heard, once.
fn check_undamaged(file: &CaptureFile, tape: &Tape) {
    let heard = heard(&file.written());
    let counted = |messages: &[Vec<u8>]| {
        let mut counts: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        messages.iter().for_each(|message| *counts.entry(message.clone()).or_default() += 1);
        counts
    };
    let short: Vec<Vec<u8>> = tape.datagrams.iter().flat_map(|datagram| datagram.messages.clone()).collect();
    let totals = heard.totals;
    assert_eq!((totals.faults, totals.checksum_failures, totals.unfinished), (0, 0, 0), "{:?}", heard.faults);
    if file.format == Format::MessageLines {
        assert_eq!(counted(&heard.messages), counted(&short));
    } else {
        let all = [short, tape.long.clone()].concat();
        assert_eq!(counted(&heard.messages), counted(&all), "{file}");
        assert_eq!((totals.datagrams, totals.skipped), (tape.datagrams.len() as u64, 0));
        assert_eq!(totals.retransmissions, tape.repetitions);
    }
}

/// Everything that a file tells.
#[derive(Debug, PartialEq)]
struct Heard {
    messages: Vec<Vec<u8>>,
    faults: Vec<String>,
    totals: Totals,
}

/// Reads a file, also if it ends with an error.
fn heard(bytes: &[u8]) -> Heard {
    let ears = Ears {
        recorder: Recorder::new("session", Timeline::default()),
        messages: Vec::new(),
        faults: Vec::new(),
    };
    let mut session = Session::new(ears);
    let _ = read(bytes, &mut session);
    let totals = session.totals();
    let Ears { recorder, messages, faults } = session.listener;
    assert_eq!(totals.messages, messages.len() as u64);
    assert_eq!(totals.faults + totals.checksum_failures, faults.len() as u64);
    assert!(totals.checksum_failures <= totals.checksums_checked);
    assert!(totals.checksums_checked <= totals.datagrams);
    let recording = recorder.finish(None);
    assert!(recording.messages.is_sorted_by(|one, other| one.time <= other.time));
    Heard { messages, faults, totals }
}

struct Ears {
    recorder: Recorder,
    messages: Vec<Vec<u8>>,
    faults: Vec<String>,
}

impl Listener for Ears {
    fn packet(&mut self, time: f64) {
        self.recorder.packet(time);
    }

    fn message(&mut self, message: &CapturedMessage<'_>) {
        self.recorder.message(message);
        self.messages.push(message.bytes.to_vec());
        if let Ok(decoded) = decode(message.bytes) {
            let _ = Pretty::new(&decoded.message).to_string();
        }
    }

    fn fault(&mut self, fault: Fault) {
        self.faults.push(fault.to_string());
        self.recorder.fault(fault);
    }
}

/// A session that is recorded while it is made up.
#[derive(Default)]
struct Tape {
    datagrams: Vec<Datagram>,
    /// Messages that need several datagrams.
    long: Vec<Vec<u8>>,
    /// Number of datagrams that were sent again.
    repetitions: u64,
    /// Both directions of each connection, the server's first.
    lanes: Vec<[Lane; 2]>,
    /// Datagrams that begin a connection and give its keys.
    handshakes: Vec<usize>,
}

/// One direction of a connection.
struct Lane {
    sequence: u32,
    /// Number of the last message.
    message: u32,
    keys: Option<KeyStream>,
}

impl Lane {
    fn key(&mut self) -> Option<u32> {
        self.keys.as_mut().map(KeyStream::next_key)
    }
}

impl Tape {
    fn record(input: &mut Input<'_>) -> Self {
        let mut tape = Self::default();
        for _ in 0..=input.below(3) {
            tape.connect(input);
        }
        while !input.is_empty() && tape.datagrams.len() < MAX_PACKETS {
            let connection = input.below(tape.lanes.len());
            let direction = [Direction::FromServer, Direction::FromClient][input.below(2)];
            match input.below(10) {
                0..=4 => tape.say(input, connection, direction),
                5 => tape.say_at_length(input, connection, direction),
                6 => tape.acknowledge(input, connection, direction),
                7 => tape.refuse(connection, direction),
                8 => tape.repeat(input),
                _ => tape.delay(input),
            }
        }
        tape
    }

    /// Begins a connection with a handshake, or in the middle with keys that no capture shows, or without keys.
    fn connect(&mut self, input: &mut Input<'_>) {
        let seeds = [input.word(), input.word()];
        let kind = input.below(3);
        let sequence = if kind == 0 { 1 } else { input.word() % 0x7FFF_0000 + 1 };
        let lane = |seed| Lane { sequence, message: 0, keys: (kind < 2).then(|| KeyStream::new(seed)) };
        self.lanes.push(seeds.map(lane));
        if kind == 0 {
            let [server_seed, client_seed] = seeds;
            let request =
                ConnectRequest { time: 1.0, cookie: 2, net_id: 3, server_seed, client_seed, unused: 0 };
            let connection = self.lanes.len() - 1;
            self.handshakes.push(self.datagrams.len());
            self.write(connection, Direction::FromServer, 0, &[Section::ConnectRequest(request)], &[], None);
        }
    }

    /// Sends one packet with a few messages, and perhaps a section.
    fn say(&mut self, input: &mut Input<'_>, connection: usize, direction: Direction) {
        let sections = match input.below(6) {
            0 => vec![Section::Ack(input.word())],
            1 => vec![Section::TimeSync(f64::from(input.word())), Section::EchoRequest(1.5)],
            2 => vec![Section::Flow { bytes: input.word(), interval: 7 }],
            _ => Vec::new(),
        };
        let mut room = MAX_PACKET_BYTES - 16;
        let mut messages = Vec::new();
        for _ in 0..=input.below(3) {
            let message = message(input);
            if message.len() + 16 <= room {
                room -= message.len() + 16;
                messages.push(message);
            }
        }
        let lane = &mut self.lanes[connection][direction as usize];
        let first = lane.message + 1;
        lane.message += messages.len() as u32;
        let fragments: Vec<Fragment<'_>> = messages
            .iter()
            .zip(first..)
            .flat_map(|(message, number)| split(message, number, 0x8000_0000, 10))
            .collect();
        if fragments.is_empty() {
            return;
        }
        lane.sequence += 1;
        let (sequence, key) = (lane.sequence, lane.key());
        self.write(connection, direction, sequence, &sections, &fragments, key);
        if let Some(datagram) = self.datagrams.last_mut() {
            datagram.messages = messages.clone();
        }
    }

    /// Sends a message that needs several packets.
    fn say_at_length(&mut self, input: &mut Input<'_>, connection: usize, direction: Direction) {
        let mut message = message(input);
        message.resize(449 + input.below(1_500), 0x5A);
        let lane = &mut self.lanes[connection][direction as usize];
        lane.message += 1;
        let number = lane.message;
        for fragment in split(&message, number, 0x8000_0000, 10) {
            let lane = &mut self.lanes[connection][direction as usize];
            lane.sequence += 1;
            let (sequence, key) = (lane.sequence, lane.key());
            self.write(connection, direction, sequence, &[], &[fragment], key);
        }
        self.long.push(message);
    }

    /// Sends a packet without a number of its own.
    fn acknowledge(&mut self, input: &mut Input<'_>, connection: usize, direction: Direction) {
        let sequence = self.lanes[connection][direction as usize].sequence;
        self.write(connection, direction, sequence, &[Section::Ack(input.word())], &[], None);
    }

    /// Refuses to send packets again. Such a packet has a number, but no key.
    fn refuse(&mut self, connection: usize, direction: Direction) {
        let lane = &mut self.lanes[connection][direction as usize];
        lane.sequence += 1;
        let sequence = lane.sequence;
        self.write(connection, direction, sequence, &[Section::RejectRetransmit(vec![1])], &[], None);
    }

    /// Sends an earlier packet with fragments again.
    fn repeat(&mut self, input: &mut Input<'_>) {
        let with_messages: Vec<usize> =
            (0..self.datagrams.len()).filter(|at| !self.datagrams[*at].messages.is_empty()).collect();
        if let Some(at) = with_messages.get(input.below(with_messages.len())) {
            let micros = self.now();
            self.datagrams.push(Datagram { micros, messages: Vec::new(), ..self.datagrams[*at].clone() });
            self.repetitions += 1;
        }
    }

    /// Lets the last packet overtake up to seven earlier ones.
    fn delay(&mut self, input: &mut Input<'_>) {
        let back = 1 + input.below(7);
        // Nothing overtakes a handshake.
        let handshakes = self.lanes.len();
        let last = self.datagrams.len().saturating_sub(1);
        let to = last.saturating_sub(back);
        if to >= handshakes {
            let at = self.datagrams[to].micros;
            let mut datagram = self.datagrams.remove(last);
            datagram.micros = at;
            self.datagrams.insert(to, datagram);
        }
    }

    /// Expects nothing of connections with a damaged handshake.
    ///
    /// The checksum of a packet is a sum, so a handshake with words inserted or moved may still seem
    /// right. Its keys are then false, and no packet of the connection fits them.
    fn excuse_false_keys(&self, is_wanted: &mut [bool]) {
        for at in self.handshakes.iter().filter(|at| !is_wanted[**at]).copied().collect::<Vec<_>>() {
            for (datagram, is_wanted) in self.datagrams.iter().zip(&mut *is_wanted) {
                *is_wanted &= datagram.connection != self.datagrams[at].connection;
            }
        }
    }

    fn write(
        &mut self,
        connection: usize,
        direction: Direction,
        sequence: u32,
        sections: &[Section],
        fragments: &[Fragment<'_>],
        key: Option<u32>,
    ) {
        let mut payload = Vec::new();
        let header = PacketHeader { sequence, interval: 1, ..PacketHeader::default() };
        write_packet(&header, sections, fragments, key, &mut payload);
        let (micros, connection) = (self.now(), connection as u8);
        self.datagrams.push(Datagram { micros, connection, direction, payload, messages: Vec::new() });
    }

    fn now(&self) -> u64 {
        1_500_000_000_000_000 + 50_000 * self.datagrams.len() as u64
    }
}

/// Returns a message of up to 448 bytes, which is an update or any bytes after an opcode.
fn message(input: &mut Input<'_>) -> Vec<u8> {
    const OPCODES: [u32; 12] =
        [0xF745, 0xF7DB, 0xF748, 0xF74C, 0xF619, 0xF625, 0xF7B1, 0xF7B0, 0xF755, 0xF754, 0x02DB, 0xF658];
    let mut bytes = Vec::new();
    if input.below(2) == 0 {
        let length = input.below(120);
        encode(&Message::from(Draw::from_bytes(input.take(length)).update()), &mut bytes);
    }
    if bytes.is_empty() || bytes.len() > 448 {
        let opcode = OPCODES[input.below(OPCODES.len())];
        let length = input.below(60);
        bytes = [&opcode.to_le_bytes(), input.take(length)].concat();
    }
    bytes
}
