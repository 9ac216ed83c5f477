//! A server with many clients.

use std::{
    collections::BTreeMap,
    net::{IpAddr, SocketAddr},
};

use evenstride_wire::{ConnectRequest, Guard, KeyStream, Packet, PacketHeader, Section, write_packet};

use crate::{
    Ended, Login, Outgoing, Port, Received,
    connection::{Connection, Habits},
    outbox::Marks,
};

/// Largest number of sessions at a time, including unfinished handshakes.
pub const MAX_SESSIONS: usize = 64;

/// Seconds that a handshake may take, as in ACE.
const HANDSHAKE_SECS: f64 = 15.0;

/// Seconds within which a living client sends something. It sends the time every 3 seconds.
const LIVE_SECS: f64 = 5.0;

/// Number that clients find in every packet of the server, as in ACE.
const RECIPIENT: u16 = 0x000B;

/// Number of a client. Numbers are not used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub u64);

/// Configuration of a server.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ServerConfig {
    /// Seed of cookies and key streams. Give each server another one.
    pub seed: u32,
    /// Largest number of sessions at a time (default: [`MAX_SESSIONS`]).
    pub max_sessions: usize,
    /// Seconds without a packet after which a session is over (default: 60, as in ACE).
    pub idle_secs: f64,
}

impl ServerConfig {
    /// Returns the usual configuration with this seed.
    pub const fn seeded(seed: u32) -> Self {
        Self { seed, max_sessions: MAX_SESSIONS, idle_secs: 60.0 }
    }
}

/// A datagram of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerDatagram {
    /// The port from which it leaves.
    pub port: Port,
    /// Its receiver.
    pub to: SocketAddr,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// What happened in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerEvent {
    /// A client has finished its handshake.
    Connected {
        /// The client.
        client: ClientId,
        /// The address to which the server sends.
        address: SocketAddr,
        /// The account that it named.
        account: String,
    },
    /// A client sent a message.
    Message {
        /// The client.
        client: ClientId,
        /// The message, from the opcode to the last byte.
        bytes: Vec<u8>,
    },
    /// A session is over.
    Ended {
        /// The client.
        client: ClientId,
        /// The reason.
        why: Ended,
    },
}

/// Counts of a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerStats {
    /// Datagrams that belong to no session and begin none.
    pub strangers: u64,
    /// Logins for which there was no room.
    pub turned_away: u64,
    /// Handshakes that were finished.
    pub sessions: u64,
}

/// The server's end of all its sessions.
#[derive(Debug)]
pub struct Server {
    config: ServerConfig,
    sessions: BTreeMap<ClientId, Session>,
    /// Addresses from which clients send.
    addresses: BTreeMap<SocketAddr, ClientId>,
    /// Words of cookies and seeds. Only their difference matters.
    random: KeyStream,
    next: u64,
    out: Vec<ServerDatagram>,
    events: Vec<ServerEvent>,
    stats: ServerStats,
}

#[derive(Debug)]
struct Session {
    account: String,
    /// The address of the login.
    from: SocketAddr,
    request: ConnectRequest,
    begun: f64,
    established: Option<Established>,
}

#[derive(Debug)]
struct Established {
    /// The address of the connect response, to which everything is sent.
    to: SocketAddr,
    connection: Connection,
}

impl Server {
    /// Creates a server without clients.
    pub fn new(config: ServerConfig) -> Self {
        let stats = ServerStats { strangers: 0, turned_away: 0, sessions: 0 };
        Self {
            config,
            sessions: BTreeMap::new(),
            addresses: BTreeMap::new(),
            random: KeyStream::new(config.seed),
            next: 0,
            out: Vec::new(),
            events: Vec::new(),
            stats,
        }
    }

    /// Processes a datagram that arrived at one of the two ports.
    pub fn handle(&mut self, now: f64, port: Port, from: SocketAddr, bytes: &[u8]) {
        let Ok(packet) = Packet::read(bytes) else {
            self.stats.strangers += 1;
            return;
        };
        let is_plain = packet.fault.is_none() && packet.guard() == Guard::Fits;
        match packet.sections.last() {
            Some(Section::LoginRequest(body)) if is_plain => return self.on_login(now, from, body),
            Some(Section::ConnectResponse(cookie)) if is_plain && port == Port::Upper => {
                return self.on_response(now, from, *cookie);
            }
            _ => {}
        }
        let client = self.addresses.get(&from).copied();
        let Some((client, session)) = client.and_then(|id| Some((id, self.sessions.get_mut(&id)?))) else {
            self.stats.strangers += 1;
            return;
        };
        let Some(established) = &mut session.established else { return };
        let (messages, ended) = established.connection.handle(now, &packet);
        self.events.extend(messages.into_iter().map(|bytes| ServerEvent::Message { client, bytes }));
        if let Some(why) = ended {
            self.end(client, why);
        }
    }

    /// Sends a message to a client with the next [`Self::poll`]. Messages to a client that is gone are
    /// dropped.
    pub fn send(&mut self, client: ClientId, message: &Outgoing) {
        if let Some(established) = self.established(client) {
            established.connection.send(message);
        }
    }

    /// Does what time demands, and sends what waits.
    pub fn poll(&mut self, now: f64) {
        let mut ended = Vec::new();
        for (client, session) in &mut self.sessions {
            match &mut session.established {
                None if now - session.begun >= HANDSHAKE_SECS => ended.push((*client, Ended::NoHandshake)),
                None => {}
                Some(Established { to, connection }) => {
                    if let Some(why) = connection.poll(now) {
                        connection.disconnect(now);
                        ended.push((*client, why));
                    }
                    let to = *to;
                    let datagrams = connection.out.drain(..);
                    self.out.extend(datagrams.map(|bytes| ServerDatagram { port: Port::Upper, to, bytes }));
                }
            }
        }
        ended.into_iter().for_each(|(client, why)| self.end(client, why));
    }

    /// Ends a session and tells its client.
    pub fn close(&mut self, now: f64, client: ClientId) {
        if let Some(Established { to, connection }) = self.established(client) {
            connection.disconnect(now);
            let to = *to;
            let datagrams: Vec<Vec<u8>> = connection.out.drain(..).collect();
            self.out.extend(datagrams.into_iter().map(|bytes| ServerDatagram {
                port: Port::Upper,
                to,
                bytes,
            }));
        }
        self.end(client, Ended::Closed);
    }

    /// Takes the datagrams to send.
    pub fn transmits(&mut self) -> impl Iterator<Item = ServerDatagram> + use<> {
        std::mem::take(&mut self.out).into_iter()
    }

    /// Takes what happened, in order.
    pub fn events(&mut self) -> impl Iterator<Item = ServerEvent> + use<> {
        std::mem::take(&mut self.events).into_iter()
    }

    /// Returns the time of the next call of [`Self::poll`] that may do something, if no datagram
    /// arrives and nothing is sent.
    pub fn next_due(&self) -> Option<f64> {
        let due = |session: &Session| match &session.established {
            None => session.begun + HANDSHAKE_SECS,
            Some(established) => established.connection.next_due(),
        };
        self.sessions.values().map(due).reduce(f64::min)
    }

    /// Returns whether an address belongs to a session.
    pub fn knows(&self, address: SocketAddr) -> bool {
        self.addresses.contains_key(&address)
    }

    /// Returns the clients whose handshake is finished.
    pub fn clients(&self) -> impl Iterator<Item = ClientId> {
        self.sessions.iter().filter(|(_, session)| session.established.is_some()).map(|(id, _)| *id)
    }

    /// Returns what arrived from a client.
    pub fn received(&self, client: ClientId) -> Option<Received> {
        let session = self.sessions.get(&client)?;
        Some(session.established.as_ref()?.connection.inbox.counts)
    }

    /// Returns the number of packets that were sent again to a client.
    pub fn sent_again(&self, client: ClientId) -> Option<u64> {
        let session = self.sessions.get(&client)?;
        Some(session.established.as_ref()?.connection.outbox.sent_again)
    }

    /// Returns the counts.
    pub const fn stats(&self) -> ServerStats {
        self.stats
    }

    /// Begins a session, or answers a repeated login as before.
    fn on_login(&mut self, now: f64, from: SocketAddr, body: &[u8]) {
        let Some(login) = Login::read(body) else {
            self.stats.strangers += 1;
            return;
        };
        let client = match self.addresses.get(&from) {
            // A copy of a login may come late. A client that lives is never silent for long.
            Some(client) if self.silence(*client, now).is_some_and(|secs| secs < LIVE_SECS) => return,
            // A client that begins again from the same address has lost its session.
            Some(client) if self.silence(*client, now).is_some() => {
                let client = *client;
                self.end(client, Ended::Disconnected);
                None
            }
            other => other.copied(),
        };
        let client = match client {
            Some(client) => client,
            None if self.sessions.len() >= self.config.max_sessions => {
                self.stats.turned_away += 1;
                return;
            }
            None => self.begin(now, from, login.account),
        };
        let Some(session) = self.sessions.get(&client) else { return };
        let header = PacketHeader { recipient: RECIPIENT, iteration: 1, ..PacketHeader::default() };
        let mut bytes = Vec::new();
        write_packet(&header, &[Section::ConnectRequest(session.request)], &[], None, &mut bytes);
        self.out.push(ServerDatagram { port: Port::Lower, to: from, bytes });
    }

    fn begin(&mut self, now: f64, from: SocketAddr, account: String) -> ClientId {
        let client = ClientId(self.next);
        self.next += 1;
        let request = ConnectRequest {
            time: now,
            cookie: u64::from(self.random.next_key()) << 32 | u64::from(self.random.next_key()),
            net_id: (client.0 as u32 & 0x7FFF) + 1,
            server_seed: self.random.next_key(),
            client_seed: self.random.next_key(),
            unused: 0,
        };
        self.sessions.insert(client, Session { account, from, request, begun: now, established: None });
        self.addresses.insert(from, client);
        client
    }

    /// Finishes a handshake. The response may come from any port of the address that logged in.
    fn on_response(&mut self, now: f64, from: SocketAddr, cookie: u64) {
        let is_of =
            |session: &Session| session.request.cookie == cookie && same(session.from.ip(), from.ip());
        let Some((client, session)) = self.sessions.iter_mut().find(|(_, session)| is_of(session)) else {
            self.stats.strangers += 1;
            return;
        };
        if let Some(established) = &mut session.established {
            // It repeats the response until it hears something.
            return established.connection.greet_again(now);
        }
        let habits = Habits {
            marks: Marks {
                recipient: RECIPIENT,
                iteration: 1,
                id: 0x8000_0000,
                first_message: 0,
                ticks_per_sec: 1.0,
            },
            out_seed: session.request.server_seed,
            in_seed: session.request.client_seed,
            request_every: 1.0,
            sync_every: 20.0,
            asks_echo: false,
            idle_secs: self.config.idle_secs,
        };
        session.established = Some(Established { to: from, connection: Connection::new(now, habits) });
        let (client, account) = (*client, session.account.clone());
        self.addresses.insert(from, client);
        self.stats.sessions += 1;
        self.events.push(ServerEvent::Connected { client, address: from, account });
    }

    fn established(&mut self, client: ClientId) -> Option<&mut Established> {
        self.sessions.get_mut(&client)?.established.as_mut()
    }

    /// Returns the seconds since something genuine arrived in an established session.
    fn silence(&self, client: ClientId, now: f64) -> Option<f64> {
        let established = self.sessions.get(&client)?.established.as_ref()?;
        Some(now - established.connection.heard())
    }

    fn end(&mut self, client: ClientId, why: Ended) {
        if let Some(session) = self.sessions.remove(&client) {
            self.addresses.retain(|_, of| *of != client);
            if session.established.is_some() {
                self.events.push(ServerEvent::Ended { client, why });
            }
        }
    }
}

/// Returns whether two addresses are one host. A host may be named by IPv4 or by IPv6.
fn same(one: IpAddr, other: IpAddr) -> bool {
    one.to_canonical() == other.to_canonical()
}
