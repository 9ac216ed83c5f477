//! Connections between clients and servers, repetitions, and totals.

use std::{
    collections::BTreeMap,
    net::{IpAddr, SocketAddr},
    ops::RangeInclusive,
};

use evenstride_wire::{FragmentHeader, Guard, Packet, PacketFlags, Reassembled, Section};

use crate::{
    Fault, Place,
    lane::{LaneState, Standing},
    links::{Datagram, Link, Links},
};

/// Ports of servers. The other end of a connection is the client.
pub const SERVER_PORTS: RangeInclusive<u16> = 9_000..=10_013;

/// Largest number of connections with a number. Packets of further connections are faults.
const MAX_NUMBERED: usize = 1 << 16;

/// Longest description of a fault in bytes. Longer ones are cut.
const MAX_FAULT_BYTES: usize = 300;

/// Number of consecutive packets with a wrong key after which the key stream is dropped.
const MAX_DOUBTFUL: usize = 8;

/// Number of a connection, from 0 in the order of appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u32);

/// The sender of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// The server.
    FromServer,
    /// The client.
    FromClient,
}

/// A complete message.
#[derive(Clone, Copy, Debug)]
pub struct CapturedMessage<'a> {
    /// Time at which the last fragment was captured, in seconds.
    pub time: f64,
    /// Place of the last fragment.
    pub place: Place,
    /// The connection.
    pub connection: ConnectionId,
    /// The sender.
    pub direction: Direction,
    /// The message from the opcode to the last byte.
    pub bytes: &'a [u8],
}

/// Receives messages and faults while a capture is read.
pub trait Listener {
    /// Receives the time of a datagram or line in seconds, before its messages.
    fn packet(&mut self, _time: f64) {}

    /// Receives a complete message.
    fn message(&mut self, message: &CapturedMessage<'_>);

    /// Receives a fault, which is an unreadable part or a wrong checksum.
    fn fault(&mut self, fault: Fault);

    /// Receives the number of a new connection and its ends, before its first message.
    fn connected(&mut self, _id: ConnectionId, _connection: &Connection) {}

    /// Called when the source has nothing for now, so everything that was captured so far has been
    /// delivered. Receives the counts so far. See [`read`](crate::read()).
    fn waits(&mut self, _totals: &Totals) {}

    /// Returns whether reading may stop (default: `false`).
    fn is_done(&self) -> bool {
        false
    }
}

/// Counts of packets and messages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Totals {
    /// Datagrams from or to a server port.
    pub datagrams: u64,
    /// Frames and datagrams without a server port.
    pub skipped: u64,
    /// Complete messages.
    pub messages: u64,
    /// Packets that were sent again or seen before.
    pub retransmissions: u64,
    /// Missing sequence numbers.
    pub gaps: u64,
    /// Checksums that were tested.
    pub checksums_checked: u64,
    /// Checksums that were wrong.
    pub checksum_failures: u64,
    /// Messages that are incomplete, including those given up.
    pub unfinished: u64,
    /// Times that the state of a connection was forgotten, because there were too many connections or
    /// their memory was full.
    pub forgotten: u64,
    /// Unreadable parts. Wrong checksums are not included.
    pub faults: u64,
}

/// The two ends of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Connection {
    /// Address and port of the client.
    pub client: SocketAddr,
    /// Address of the server.
    pub server: IpAddr,
    /// The lower of the server's two ports.
    pub port: u16,
}

/// Processes datagrams in the order in which they are passed, and delivers their messages.
#[derive(Debug)]
pub struct Session<L> {
    /// Receives messages and faults.
    pub listener: L,
    server_ports: RangeInclusive<u16>,
    totals: Totals,
    numbers: BTreeMap<Connection, ConnectionId>,
    links: Links,
    last_time: f64,
    /// Whether the source has no addresses, so that those of connections are made up.
    has_invented_ends: bool,
}

impl<L: Listener> Session<L> {
    /// Creates a session for the usual [`SERVER_PORTS`].
    pub fn new(listener: L) -> Self {
        Self::with_server_ports(listener, SERVER_PORTS)
    }

    /// Creates a session for servers on other ports.
    pub fn with_server_ports(listener: L, server_ports: RangeInclusive<u16>) -> Self {
        Self {
            listener,
            server_ports,
            totals: Totals::default(),
            numbers: BTreeMap::new(),
            links: Links::default(),
            last_time: 0.0,
            has_invented_ends: false,
        }
    }

    /// Returns the counts so far.
    pub fn totals(&self) -> Totals {
        let mut totals = self.totals;
        self.links.iter().for_each(|link| totals.add_unfinished(link));
        totals
    }

    /// Returns the connections seen so far.
    pub fn connections(&self) -> impl Iterator<Item = (ConnectionId, Connection)> {
        self.numbers.iter().map(|(connection, id)| (*id, *connection))
    }

    /// Returns address and port of a connection's server. `None` if the source names no addresses, as files
    /// with JSON lines do not.
    pub fn server_of(&self, connection: ConnectionId) -> Option<(IpAddr, u16)> {
        let (_, ends) = self.connections().find(|(id, _)| *id == connection && !self.has_invented_ends)?;
        Some((ends.server, ends.port))
    }

    /// Notes that the source has no addresses.
    pub(crate) const fn invent_ends(&mut self) {
        self.has_invented_ends = true;
    }

    pub(crate) const fn last_time(&self) -> f64 {
        self.last_time
    }

    pub(crate) fn is_done(&self) -> bool {
        self.listener.is_done()
    }

    /// Returns the number of packets so far that were damaged, or not understood.
    pub(crate) const fn strange_packets(&self) -> u64 {
        self.totals.skipped + self.totals.faults + self.totals.checksum_failures
    }

    pub(crate) fn wait(&mut self) {
        let totals = self.totals();
        self.listener.waits(&totals);
    }

    pub(crate) const fn skip(&mut self) {
        self.totals.skipped += 1;
    }

    pub(crate) fn fault(&mut self, mut fault: Fault) {
        self.totals.faults += 1;
        // It may quote a line of several megabytes.
        fault.what.truncate(fault.what.floor_char_boundary(MAX_FAULT_BYTES));
        self.listener.fault(fault);
    }

    /// Starts another file with fresh connection state. Incomplete messages stay incomplete.
    ///
    /// Loggers give every session the same addresses, so packet numbers must not carry over.
    pub(crate) fn begin_file(&mut self) {
        let links = std::mem::take(&mut self.links);
        links.iter().for_each(|link| self.totals.add_unfinished(link));
    }

    /// Delivers a message that was captured whole.
    pub(crate) fn whole_message(&mut self, time: f64, place: Place, direction: Direction, bytes: &[u8]) {
        self.last_time = time;
        self.listener.packet(time);
        self.totals.messages += 1;
        let connection = ConnectionId(0);
        self.listener.message(&CapturedMessage { time, place, connection, direction, bytes });
    }

    /// Processes a datagram from a socket, a proxy or your own capture reader.
    ///
    /// `time` is in seconds of any clock. `payload` is the content of the UDP datagram. A datagram
    /// without a server port is skipped and counted. A fault names its datagram by number, in the
    /// order of the calls. A time that is not finite is replaced by that of the last datagram.
    ///
    /// ```
    /// use evenstride_capture::{CapturedMessage, Fault, Listener, Session};
    ///
    /// struct Counter(usize);
    ///
    /// impl Listener for Counter {
    ///     fn message(&mut self, _: &CapturedMessage<'_>) {
    ///         self.0 += 1;
    ///     }
    ///
    ///     fn fault(&mut self, fault: Fault) {
    ///         eprintln!("{fault}");
    ///     }
    /// }
    ///
    /// let mut session = Session::new(Counter(0));
    /// let (server, client) = ("127.0.0.1:9000".parse()?, "127.0.0.1:50000".parse()?);
    /// session.datagram(0.0, server, client, b"not a packet of the game");
    /// assert_eq!((session.listener.0, session.totals().faults), (0, 1));
    /// # Ok::<(), std::net::AddrParseError>(())
    /// ```
    pub fn datagram(&mut self, time: f64, from: SocketAddr, to: SocketAddr, payload: &[u8]) {
        let number = self.totals.datagrams + self.totals.skipped + 1;
        let time = if time.is_finite() { time } else { self.last_time };
        self.captured_datagram(time, Place::Datagram(number), from, to, payload);
    }

    /// Processes a datagram of a capture, if it has a server port.
    pub(crate) fn captured_datagram(
        &mut self,
        time: f64,
        place: Place,
        from: SocketAddr,
        to: SocketAddr,
        payload: &[u8],
    ) {
        self.last_time = time;
        let (direction, client, server) = if self.server_ports.contains(&to.port()) {
            (Direction::FromClient, from, to)
        } else if self.server_ports.contains(&from.port()) {
            (Direction::FromServer, to, from)
        } else {
            return self.skip();
        };
        self.listener.packet(time);
        self.totals.datagrams += 1;
        let packet = match Packet::read(payload) {
            Ok(packet) => packet,
            Err(error) => return self.fault(Fault { place, what: error.to_string() }),
        };
        let connection = Connection { client, server: server.ip(), port: server.port() & !1 };
        let Some(id) = self.number(connection) else {
            let what = format!("more than {MAX_NUMBERED} connections");
            return self.fault(Fault { place, what });
        };
        // Taken out so that the rest of the session stays usable.
        let mut link = self.links.take(id);
        self.handle(&mut link, id, time, place, direction, &packet, payload);
        self.links.put(id, link, |forgotten| {
            self.totals.forgotten += 1;
            self.totals.add_unfinished(forgotten);
        });
    }

    fn number(&mut self, connection: Connection) -> Option<ConnectionId> {
        let next = self.numbers.len();
        match self.numbers.get(&connection) {
            Some(id) => Some(*id),
            None if next >= MAX_NUMBERED => None,
            None => {
                let id = ConnectionId(next as u32);
                self.numbers.insert(connection, id);
                self.listener.connected(id, &connection);
                Some(id)
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a packet, where it was and to whom it belongs")]
    fn handle(
        &mut self,
        link: &mut Link,
        id: ConnectionId,
        time: f64,
        place: Place,
        direction: Direction,
        packet: &Packet<'_>,
        payload: &[u8],
    ) {
        let guard = packet.guard();
        let standing = link.lane(direction).check(packet, guard);
        if standing == Standing::Fits && direction == Direction::FromServer {
            self.begin_keys(link, packet);
        }
        match standing {
            Standing::Fits => {
                self.totals.checksums_checked += 1;
                link.doubtful.clear();
            }
            Standing::Unchecked => {}
            Standing::Damaged if packet.fault.is_some() => {}
            Standing::Damaged => self.failed_checksum(place),
            Standing::WrongKey => {
                self.failed_checksum(place);
                // The sender will send it again, unless the keys themselves are wrong.
                link.doubtful.push(Datagram { time, place, direction, payload: payload.to_vec() });
                if link.doubtful.len() >= MAX_DOUBTFUL {
                    self.give_up_keys(link, id, place);
                }
                return;
            }
        }
        self.deliver(link, id, time, place, direction, packet, (guard, standing));
    }

    fn failed_checksum(&mut self, place: Place) {
        self.totals.checksums_checked += 1;
        self.totals.checksum_failures += 1;
        self.listener.fault(Fault { place, what: "its checksum does not match".to_owned() });
    }

    /// Starts both directions from scratch after a handshake, unless the handshake is a repetition.
    fn begin_keys(&mut self, link: &mut Link, packet: &Packet<'_>) {
        for section in &packet.sections {
            if let Section::ConnectRequest(request) = section {
                let is_known = link.from_server.is_keyed_by(request.server_seed)
                    && link.from_client.is_keyed_by(request.client_seed);
                if !is_known {
                    self.totals.add_unfinished(link);
                    link.from_server = LaneState::with_keys(request.server_seed);
                    link.from_client = LaneState::with_keys(request.client_seed);
                    link.doubtful.clear();
                }
            }
        }
    }

    /// Drops the key stream and delivers the packets that did not match it.
    fn give_up_keys(&mut self, link: &mut Link, id: ConnectionId, place: Place) {
        link.from_server.lose_keys();
        link.from_client.lose_keys();
        let what = "the key stream no longer matches; checksums of this connection are not checked after this packet";
        self.fault(Fault { place, what: what.to_owned() });
        for datagram in std::mem::take(&mut link.doubtful) {
            if let Ok(packet) = Packet::read(&datagram.payload) {
                let Datagram { time, place, direction, .. } = datagram;
                let known = (packet.guard(), Standing::Unchecked);
                self.deliver(link, id, time, place, direction, &packet, known);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a packet, where it was and to whom it belongs")]
    fn deliver(
        &mut self,
        link: &mut Link,
        id: ConnectionId,
        time: f64,
        place: Place,
        direction: Direction,
        packet: &Packet<'_>,
        (guard, standing): (Guard, Standing),
    ) {
        let lane = link.lane(direction);
        let is_repetition = lane.is_repetition(packet, guard, standing);
        if is_repetition || packet.header.flags.contains(PacketFlags::RETRANSMISSION) {
            self.totals.retransmissions += 1;
        }
        let fragments = if is_repetition { &[] } else { packet.fragments.as_slice() };
        for fragment in fragments {
            match lane.push(time, fragment, standing) {
                Reassembled::Message(bytes) => {
                    self.totals.messages += 1;
                    let message = CapturedMessage { time, place, connection: id, direction, bytes: &bytes };
                    self.listener.message(&message);
                }
                Reassembled::Waits | Reassembled::Duplicate => {}
                Reassembled::Misfit => {
                    let FragmentHeader { index, count, .. } = fragment.header;
                    let what = format!("fragment {index} of {count} does not fit its message");
                    self.fault(Fault { place, what });
                }
            }
        }
        if let Some(fault) = packet.fault {
            self.fault(Fault { place, what: fault.to_string() });
        }
    }
}

impl Totals {
    /// Adds the incomplete messages and missing sequence numbers of a link.
    fn add_unfinished(&mut self, link: &Link) {
        for lane in [&link.from_server, &link.from_client] {
            self.gaps += lane.gaps();
            self.unfinished += lane.unfinished();
        }
    }
}
