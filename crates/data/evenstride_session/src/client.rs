//! A client's end of a session.

use evenstride_wire::{ConnectRequest, Guard, Packet, PacketHeader, Section, write_packet};

use crate::{
    Ended, Login, Outgoing, Port, Received,
    connection::{Connection, Habits},
    outbox::Marks,
};

/// Seconds between two logins, and their largest number, as in the client.
const LOGIN_EVERY: f64 = 2.0;
const MAX_LOGINS: u32 = 20;

/// Seconds between two connect responses, as in the client.
const RESPONSE_EVERY: f64 = 1.0 / 3.0;

/// Seconds without a packet after which a session is over, as in the client.
const IDLE_SECS: f64 = 140.0;

/// Account and password.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClientConfig {
    /// Account and password.
    pub login: Login,
    /// Seconds without a packet after which the session is over (default: 140).
    pub idle_secs: f64,
}

impl ClientConfig {
    /// Returns the usual configuration for an account.
    pub fn new(account: &str, password: &str) -> Self {
        let login = Login { account: account.to_owned(), password: password.to_owned() };
        Self { login, idle_secs: IDLE_SECS }
    }
}

/// A datagram of the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientDatagram {
    /// The port of the server to which it goes.
    pub port: Port,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// What happened in the session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientEvent {
    /// The handshake is finished.
    Connected,
    /// The server sent a message.
    Message(Vec<u8>),
    /// The server names another host. This client stays.
    Referred,
    /// The session is over.
    Ended(Ended),
}

/// Counts of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ClientStats {
    /// What arrived.
    pub received: Received,
    /// Datagrams sent.
    pub sent: u64,
    /// Packets sent again.
    pub sent_again: u64,
    /// Seconds from the newest request for an echo to its answer.
    pub round_trip: Option<f64>,
    /// Seconds from the first login to the end of the handshake.
    pub handshake_secs: Option<f64>,
    /// Time of the last genuine packet in seconds.
    pub heard_at: Option<f64>,
}

/// The client's end of a session.
#[derive(Debug)]
pub struct Client {
    config: ClientConfig,
    begun: f64,
    state: State,
    out: Vec<ClientDatagram>,
    events: Vec<ClientEvent>,
    stats: ClientStats,
}

#[derive(Debug)]
enum State {
    LoggingIn { next: f64, logins: u32 },
    Responding { next: f64, request: ConnectRequest, iteration: u16, connection: Box<Connection> },
    Connected(Box<Connection>),
    Over,
}

impl Client {
    /// Creates a client that logs in at its first [`Self::poll`].
    pub const fn new(now: f64, config: ClientConfig) -> Self {
        let received =
            Received { datagrams: 0, bytes: 0, messages: 0, repeated: 0, refused: 0, missed: 0, lost: 0 };
        let stats = ClientStats {
            received,
            sent: 0,
            sent_again: 0,
            round_trip: None,
            handshake_secs: None,
            heard_at: None,
        };
        Self {
            config,
            begun: now,
            state: State::LoggingIn { next: now, logins: 0 },
            out: Vec::new(),
            events: Vec::new(),
            stats,
        }
    }

    /// Processes a datagram of the server, from either of its ports.
    pub fn handle(&mut self, now: f64, bytes: &[u8]) {
        self.stats.received.datagrams += 1;
        self.stats.received.bytes += bytes.len() as u64;
        let Ok(packet) = Packet::read(bytes) else {
            self.stats.received.refused += 1;
            return;
        };
        let is_plain = packet.fault.is_none() && packet.guard() == Guard::Fits;
        if let Some(Section::ConnectRequest(request)) = packet.sections.last()
            && is_plain
        {
            return self.on_request(now, *request, packet.header.iteration);
        }
        let (State::Responding { connection, .. } | State::Connected(connection)) = &mut self.state else {
            self.stats.received.refused += 1;
            return;
        };
        let before = connection.inbox.counts;
        let (messages, ended) = connection.handle(now, &packet);
        let counts = connection.inbox.counts;
        let is_genuine = counts.refused == before.refused;
        self.stats.round_trip = connection.round_trip;
        let datagrams = (self.stats.received.datagrams, self.stats.received.bytes);
        self.stats.received = Received { datagrams: datagrams.0, bytes: datagrams.1, ..counts };
        if is_genuine {
            self.stats.heard_at = Some(now);
            self.finish_handshake(now);
        }
        let is_referral = |of: &Section| matches!(of, Section::Referral(_) | Section::ServerSwitch { .. });
        if is_genuine && packet.sections.iter().any(is_referral) {
            self.events.push(ClientEvent::Referred);
        }
        self.events.extend(messages.into_iter().map(ClientEvent::Message));
        if let Some(why) = ended {
            self.end(why);
        }
    }

    /// Sends a message with the next [`Self::poll`]. Before the handshake and after the end, it is
    /// dropped.
    pub fn send(&mut self, message: &Outgoing) {
        if let State::Connected(connection) = &mut self.state {
            connection.send(message);
        }
    }

    /// Does what time demands, and sends what waits.
    pub fn poll(&mut self, now: f64) {
        let mut ended = None;
        match &mut self.state {
            State::LoggingIn { logins: MAX_LOGINS, next } if now >= *next => ended = Some(Ended::NoHandshake),
            State::LoggingIn { next, logins } if now >= *next => {
                *next = now + LOGIN_EVERY;
                *logins += 1;
                let section = Section::LoginRequest(self.config.login.write());
                let mut bytes = Vec::new();
                write_packet(&PacketHeader::default(), &[section], &[], None, &mut bytes);
                self.out.push(ClientDatagram { port: Port::Lower, bytes });
            }
            State::Responding { next, request, iteration, .. } => {
                if now >= *next {
                    *next = now + RESPONSE_EVERY;
                    let header = PacketHeader {
                        recipient: request.net_id as u16,
                        iteration: *iteration,
                        ..PacketHeader::default()
                    };
                    let mut bytes = Vec::new();
                    let section = Section::ConnectResponse(request.cookie);
                    write_packet(&header, &[section], &[], None, &mut bytes);
                    self.out.push(ClientDatagram { port: Port::Upper, bytes });
                }
                if now - self.begun >= self.config.idle_secs {
                    ended = Some(Ended::NoHandshake);
                }
            }
            State::Connected(connection) => {
                ended = connection.poll(now);
                self.stats.sent_again = connection.outbox.sent_again;
                let datagrams = connection.out.drain(..);
                self.out.extend(datagrams.map(|bytes| ClientDatagram { port: Port::Lower, bytes }));
            }
            State::LoggingIn { .. } | State::Over => {}
        }
        if let Some(why) = ended {
            self.end(why);
        }
    }

    /// Ends the session and tells the server.
    pub fn close(&mut self, now: f64) {
        if let State::Connected(connection) = &mut self.state {
            connection.disconnect(now);
            let datagrams = connection.out.drain(..);
            self.out.extend(datagrams.map(|bytes| ClientDatagram { port: Port::Lower, bytes }));
        }
        self.end(Ended::Closed);
    }

    /// Takes the datagrams to send.
    pub fn transmits(&mut self) -> impl Iterator<Item = ClientDatagram> + use<> {
        self.stats.sent += self.out.len() as u64;
        std::mem::take(&mut self.out).into_iter()
    }

    /// Takes what happened, in order.
    pub fn events(&mut self) -> impl Iterator<Item = ClientEvent> + use<> {
        std::mem::take(&mut self.events).into_iter()
    }

    /// Returns the time of the next call of [`Self::poll`] that may do something, or `None` after the
    /// end.
    pub fn next_due(&self) -> Option<f64> {
        match &self.state {
            State::LoggingIn { next, .. } | State::Responding { next, .. } => Some(*next),
            State::Connected(connection) => Some(connection.next_due()),
            State::Over => None,
        }
    }

    /// Returns whether the session is over.
    pub const fn is_over(&self) -> bool {
        matches!(self.state, State::Over)
    }

    /// Returns the counts.
    pub const fn stats(&self) -> ClientStats {
        self.stats
    }

    fn on_request(&mut self, now: f64, request: ConnectRequest, iteration: u16) {
        if !matches!(self.state, State::LoggingIn { .. }) {
            return;
        }
        let habits = Habits {
            marks: Marks {
                recipient: request.net_id as u16,
                iteration,
                id: 0x8000_0000,
                first_message: 1,
                ticks_per_sec: 2.0,
            },
            out_seed: request.client_seed,
            in_seed: request.server_seed,
            request_every: 0.6,
            sync_every: 3.0,
            asks_echo: true,
            idle_secs: self.config.idle_secs,
        };
        let connection = Box::new(Connection::new(now, habits));
        self.state = State::Responding { next: now, request, iteration, connection };
    }

    /// The first genuine packet after the connect response finishes the handshake.
    fn finish_handshake(&mut self, now: f64) {
        if matches!(self.state, State::Responding { .. })
            && let State::Responding { connection, .. } = std::mem::replace(&mut self.state, State::Over)
        {
            self.state = State::Connected(connection);
            self.stats.handshake_secs = Some(now - self.begun);
            self.events.push(ClientEvent::Connected);
        }
    }

    fn end(&mut self, why: Ended) {
        if !self.is_over() {
            self.state = State::Over;
            self.events.push(ClientEvent::Ended(why));
        }
    }
}
