//! Connections: who talks to whom, what was said already, and what it adds up to.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    net::{IpAddr, SocketAddr},
    ops::RangeInclusive,
};

use evenstride_wire::{
    FragmentHeader, Guard, KeyStream, Packet, PacketFlags, Reassembled, Reassembler, Section,
};

use crate::{Fault, Place};

/// Ports that servers use; whoever else takes part is a client.
pub const SERVER_PORTS: RangeInclusive<u16> = 9_000..=10_013;

/// Most connections that are told apart; packets of more are faults.
const MAX_CONNECTIONS: usize = 4_096;

/// How many sequence numbers and keys of the past are remembered, by direction.
const WINDOW: usize = 4_096;

/// A connection, numbered from 0 in the order in which they were seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u32);

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// The server.
    FromServer,
    /// The client.
    FromClient,
}

/// A message that is complete.
#[derive(Clone, Copy, Debug)]
pub struct CapturedMessage<'a> {
    /// When its last piece was captured, in seconds.
    pub time: f64,
    /// Where that was.
    pub place: Place,
    /// On which connection.
    pub connection: ConnectionId,
    /// Who said it.
    pub direction: Direction,
    /// From the opcode to the last byte.
    pub bytes: &'a [u8],
}

/// Is told of what was read, as it is read.
pub trait Listener {
    /// A message is complete.
    fn message(&mut self, message: &CapturedMessage<'_>);

    /// Something could not be read.
    fn fault(&mut self, fault: Fault);
}

/// What was seen of the packets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Totals {
    /// Datagrams of the game.
    pub datagrams: u64,
    /// Frames that were something else.
    pub skipped: u64,
    /// Messages that are complete.
    pub messages: u64,
    /// Packets that were sent again, or seen before.
    pub retransmissions: u64,
    /// Sequence numbers that were never seen.
    pub gaps: u64,
    /// Checksums that were checked.
    pub checksums_checked: u64,
    /// Checksums that did not fit.
    pub checksum_failures: u64,
    /// Messages given up for want of pieces or room.
    pub unfinished: u64,
    /// Things that could not be read.
    pub faults: u64,
}

/// Who the two ends of a connection are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Connection {
    /// The client.
    pub client: SocketAddr,
    /// The server's address.
    pub server: IpAddr,
    /// The lower of the server's two ports.
    pub port: u16,
}

/// Takes datagrams and messages in the order of the capture.
#[derive(Debug)]
pub struct Session<L> {
    /// Who is told.
    pub listener: L,
    totals: Totals,
    connections: BTreeMap<Connection, Link>,
    last_time: f64,
}

/// Both directions of a connection.
#[derive(Debug)]
struct Link {
    id: ConnectionId,
    from_server: Lane,
    from_client: Lane,
}

/// One direction.
#[derive(Debug, Default)]
struct Lane {
    reassembler: Reassembler,
    seen: BTreeSet<u32>,
    first: Option<u32>,
    highest: u32,
    distinct: u64,
    keys: Option<Keys>,
}

/// The key stream of a direction, with as much of its past as is needed.
#[derive(Debug)]
struct Keys {
    stream: KeyStream,
    words: VecDeque<u32>,
    /// Index of the first remembered word.
    base: u64,
    /// Sequence numbers that took no word: some servers' refusals to send again.
    shift: u64,
}

impl<L: Listener> Session<L> {
    /// Nothing read yet.
    pub const fn new(listener: L) -> Self {
        let totals = Totals {
            datagrams: 0,
            skipped: 0,
            messages: 0,
            retransmissions: 0,
            gaps: 0,
            checksums_checked: 0,
            checksum_failures: 0,
            unfinished: 0,
            faults: 0,
        };
        Self { listener, totals, connections: BTreeMap::new(), last_time: 0.0 }
    }

    /// What was seen so far.
    pub fn totals(&self) -> Totals {
        let lanes = || self.connections.values().flat_map(|link| [&link.from_server, &link.from_client]);
        Totals {
            gaps: lanes().map(Lane::gaps).sum(),
            unfinished: lanes()
                .map(|lane| lane.reassembler.dropped() + lane.reassembler.waiting() as u64)
                .sum(),
            ..self.totals
        }
    }

    /// The connections seen so far.
    pub fn connections(&self) -> impl Iterator<Item = (ConnectionId, Connection)> {
        self.connections.iter().map(|(connection, link)| (link.id, *connection))
    }

    pub(crate) const fn last_time(&self) -> f64 {
        self.last_time
    }

    pub(crate) const fn skip(&mut self) {
        self.totals.skipped += 1;
    }

    pub(crate) fn fault(&mut self, fault: Fault) {
        self.totals.faults += 1;
        self.listener.fault(fault);
    }

    /// A message that was captured whole.
    pub(crate) fn whole_message(&mut self, time: f64, place: Place, direction: Direction, bytes: &[u8]) {
        self.last_time = time;
        self.totals.messages += 1;
        let connection = ConnectionId(0);
        self.listener.message(&CapturedMessage { time, place, connection, direction, bytes });
    }

    /// A datagram, if it is one of the game's.
    pub(crate) fn datagram(
        &mut self,
        time: f64,
        place: Place,
        from: SocketAddr,
        to: SocketAddr,
        payload: &[u8],
    ) {
        self.last_time = time;
        let (direction, client, server) = if SERVER_PORTS.contains(&to.port()) {
            (Direction::FromClient, from, to)
        } else if SERVER_PORTS.contains(&from.port()) {
            (Direction::FromServer, to, from)
        } else {
            return self.skip();
        };
        self.totals.datagrams += 1;
        let packet = match Packet::read(payload) {
            Ok(packet) => packet,
            Err(error) => return self.fault(Fault { place, what: error.to_string() }),
        };
        let connection = Connection { client, server: server.ip(), port: server.port() & !1 };
        if !self.connections.contains_key(&connection) && self.connections.len() >= MAX_CONNECTIONS {
            let what = format!("more than {MAX_CONNECTIONS} connections");
            return self.fault(Fault { place, what });
        }
        let id = ConnectionId(self.connections.len() as u32);
        let link = self.connections.entry(connection).or_insert_with(|| Link {
            id,
            from_server: Lane::default(),
            from_client: Lane::default(),
        });
        let id = link.id;
        for section in &packet.sections {
            if let Section::ConnectRequest(request) = section {
                link.from_server = Lane { keys: Some(Keys::new(request.server_seed)), ..Lane::default() };
                link.from_client = Lane { keys: Some(Keys::new(request.client_seed)), ..Lane::default() };
            }
        }
        let lane = match direction {
            Direction::FromServer => &mut link.from_server,
            Direction::FromClient => &mut link.from_client,
        };
        match lane.check(&packet) {
            Some(true) => self.totals.checksums_checked += 1,
            Some(false) => {
                self.totals.checksums_checked += 1;
                self.totals.checksum_failures += 1;
            }
            None => {}
        }
        let is_repetition = lane.is_repetition(&packet);
        if is_repetition || packet.header.flags.contains(PacketFlags::RETRANSMISSION) {
            self.totals.retransmissions += 1;
        }
        let fragments = if is_repetition { &[] } else { packet.fragments.as_slice() };
        for fragment in fragments {
            match lane.reassembler.push(time, fragment) {
                Reassembled::Message(bytes) => {
                    self.totals.messages += 1;
                    let message = CapturedMessage { time, place, connection: id, direction, bytes: &bytes };
                    self.listener.message(&message);
                }
                Reassembled::Waits | Reassembled::Duplicate => {}
                Reassembled::Misfit => {
                    self.totals.faults += 1;
                    let FragmentHeader { index, count, .. } = fragment.header;
                    let what = format!("fragment {index} of {count} does not fit its message");
                    self.listener.fault(Fault { place, what });
                }
            }
        }
        if let Some(fault) = packet.fault {
            self.fault(Fault { place, what: fault.to_string() });
        }
    }
}

impl Lane {
    /// Whether a packet with fragments was handled before. Acknowledgements share their number with the packet before them.
    fn is_repetition(&mut self, packet: &Packet<'_>) -> bool {
        let sequence = packet.header.sequence;
        if packet.fragments.is_empty() || sequence == 0 {
            return false;
        }
        if !self.seen.insert(sequence) {
            return true;
        }
        if self.seen.len() > WINDOW {
            let _ = self.seen.pop_first();
        }
        self.note(sequence);
        false
    }

    fn note(&mut self, sequence: u32) {
        let first = *self.first.get_or_insert(sequence);
        if sequence < first {
            self.first = Some(sequence);
        }
        self.highest = self.highest.max(sequence);
        self.distinct += 1;
    }

    /// Numbers between the first and the last that no packet with fragments had. Some had sections alone.
    fn gaps(&self) -> u64 {
        match self.first {
            Some(first) => (u64::from(self.highest - first) + 1).saturating_sub(self.distinct),
            None => 0,
        }
    }

    /// Whether the checksum fits; `None` if that cannot be told.
    fn check(&mut self, packet: &Packet<'_>) -> Option<bool> {
        if packet.fault.is_some() {
            return None;
        }
        match packet.guard() {
            Guard::Fits => Some(true),
            Guard::Broken => Some(false),
            Guard::Key(key) => {
                if packet.fragments.is_empty() && packet.header.sequence != 0 {
                    // Sections alone take a number too.
                    if !packet.header.flags.contains(PacketFlags::RETRANSMISSION)
                        && self.seen.insert(packet.header.sequence)
                    {
                        self.note(packet.header.sequence);
                    }
                }
                Some(self.keys.as_mut()?.fits(packet.header.sequence, key)?)
            }
        }
    }
}

impl Keys {
    fn new(seed: u32) -> Self {
        Self { stream: KeyStream::new(seed), words: VecDeque::new(), base: 0, shift: 0 }
    }

    /// Whether this is the word for a packet. A few numbers that took no word are allowed for.
    fn fits(&mut self, sequence: u32, key: u32) -> Option<bool> {
        let index = u64::from(sequence.checked_sub(2)?);
        for skipped in self.shift..self.shift + 8 {
            let Some(index) = index.checked_sub(skipped) else { break };
            match self.word(index) {
                Some(word) if word == key => {
                    self.shift = skipped;
                    return Some(true);
                }
                Some(_) => {}
                None => return None,
            }
        }
        Some(false)
    }

    /// The word at an index; `None` if that is too far back or too far ahead.
    fn word(&mut self, index: u64) -> Option<u32> {
        let ahead = index.checked_sub(self.base)?;
        if ahead > 1 << 20 {
            return None;
        }
        while self.words.len() as u64 <= ahead {
            self.words.push_back(self.stream.next_key());
        }
        let word = self.words.get(ahead as usize).copied();
        while self.words.len() > WINDOW && self.base + (WINDOW as u64) / 2 < index {
            let _ = self.words.pop_front();
            self.base += 1;
        }
        word
    }
}
