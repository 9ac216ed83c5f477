//! The receiver of each datagram.

use std::{collections::BTreeMap, net::SocketAddr};

use evenstride_session::Port;
use evenstride_wire::{Guard, Packet, PacketFlags};

/// Seconds without a datagram in either direction after which an upstream socket is closed. The client ends
/// a silent session after 140 s, and ACE after 60 s.
pub const IDLE_SECS: f64 = 120.0;

/// Seconds after which a client that the server has never answered makes room for another. Servers end
/// an unfinished handshake after the same time.
pub const UNANSWERED_SECS: f64 = 15.0;

/// Largest number of client addresses at a time.
pub const MAX_CLIENTS: usize = 64;

/// Number of an upstream socket. Numbers are not used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UpstreamId(pub u64);

/// A socket of the relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Socket {
    /// A socket to which clients send.
    Listening(Port),
    /// The socket through which one client speaks to the server. Open it when it is first named.
    Upstream(UpstreamId),
}

/// The server, and limits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RelayConfig {
    /// The lower port of the server.
    pub lower: SocketAddr,
    /// The upper port of the server.
    pub upper: SocketAddr,
    /// Largest number of client addresses at a time (default: [`MAX_CLIENTS`]).
    pub max_clients: usize,
    /// Seconds of silence after which an upstream socket is closed (default: [`IDLE_SECS`]).
    pub idle_secs: f64,
}

impl RelayConfig {
    /// Returns the configuration for a server by its lower port. The port after 65,535 is 0, which no server
    /// has.
    pub fn new(server: SocketAddr) -> Self {
        let upper = SocketAddr::new(server.ip(), server.port().wrapping_add(1));
        Self { lower: server, upper, max_clients: MAX_CLIENTS, idle_secs: IDLE_SECS }
    }

    const fn server(&self, port: Port) -> SocketAddr {
        match port {
            Port::Lower => self.lower,
            Port::Upper => self.upper,
        }
    }
}

/// A datagram to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forward<'a> {
    /// The socket from which it leaves.
    pub socket: Socket,
    /// Its receiver.
    pub to: SocketAddr,
    /// The bytes that arrived.
    pub bytes: &'a [u8],
    /// The client to which it belongs.
    pub client: SocketAddr,
    /// The port of the server to which it belongs.
    pub port: Port,
}

/// The reason why a datagram is not forwarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Dropped {
    /// An unknown address sent something that does not begin a session.
    NotAClient,
    /// There are too many clients already.
    TooManyClients,
    /// Something arrived at an upstream socket, and it is not from the server.
    NotTheServer,
    /// Its upstream socket is closed.
    Closed,
}

impl std::fmt::Display for Dropped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotAClient => "it does not begin a session, and its sender has none",
            Self::TooManyClients => "there are too many clients already",
            Self::NotTheServer => "it is not from the server",
            Self::Closed => "its connection is closed",
        })
    }
}

impl std::error::Error for Dropped {}

/// Number and size of datagrams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// Number of datagrams.
    pub datagrams: u64,
    /// Bytes of their contents.
    pub bytes: u64,
}

impl Counter {
    const fn add(&mut self, bytes: &[u8]) {
        self.datagrams += 1;
        self.bytes += bytes.len() as u64;
    }
}

/// What a relay has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RelayStats {
    /// Datagrams from clients to the server.
    pub to_server: Counter,
    /// Datagrams from the server to clients.
    pub to_clients: Counter,
    /// Datagrams from strangers, dropped.
    pub not_a_client: u64,
    /// Datagrams of clients for which there was no room, dropped.
    pub too_many_clients: u64,
    /// Datagrams to an upstream socket that were not from the server, dropped.
    pub not_the_server: u64,
    /// Datagrams to a closed upstream socket, dropped.
    pub closed: u64,
    /// Client addresses that ever connected.
    pub clients: u64,
}

impl RelayStats {
    /// Returns the number of dropped datagrams.
    pub const fn dropped(&self) -> u64 {
        self.not_a_client + self.too_many_clients + self.not_the_server + self.closed
    }
}

/// Forwards datagrams between clients and one server.
#[derive(Clone, Debug)]
pub struct Relay {
    config: RelayConfig,
    clients: BTreeMap<SocketAddr, UpstreamId>,
    upstreams: BTreeMap<UpstreamId, Upstream>,
    next: u64,
    stats: RelayStats,
}

#[derive(Clone, Copy, Debug)]
struct Upstream {
    client: SocketAddr,
    /// Time of the first datagram in seconds.
    begun: f64,
    /// Time of the last datagram in seconds.
    heard: f64,
    is_answered: bool,
}

impl Upstream {
    /// Returns the time at which it ends if nothing arrives.
    fn ends_at(&self, idle_secs: f64) -> f64 {
        let idle = self.heard + idle_secs;
        if self.is_answered { idle } else { idle.min(self.begun + UNANSWERED_SECS) }
    }
}

impl Relay {
    /// Creates a relay without clients.
    pub const fn new(config: RelayConfig) -> Self {
        let stats = RelayStats {
            to_server: Counter { datagrams: 0, bytes: 0 },
            to_clients: Counter { datagrams: 0, bytes: 0 },
            not_a_client: 0,
            too_many_clients: 0,
            not_the_server: 0,
            closed: 0,
            clients: 0,
        };
        Self { config, clients: BTreeMap::new(), upstreams: BTreeMap::new(), next: 0, stats }
    }

    /// Returns what to do with a datagram that arrived at one of the relay's sockets at `now`, in seconds of
    /// any clock that never goes back.
    ///
    /// # Errors
    /// [`Dropped`] if it must not be forwarded. The relay answers no sender by itself.
    pub fn handle<'a>(
        &mut self,
        now: f64,
        at: Socket,
        from: SocketAddr,
        bytes: &'a [u8],
    ) -> Result<Forward<'a>, Dropped> {
        let forward = match at {
            Socket::Listening(port) => self.on_client(now, port, from, bytes),
            Socket::Upstream(id) => self.on_server(now, id, from, bytes),
        };
        match forward {
            Ok(Forward { socket: Socket::Upstream(_), .. }) => self.stats.to_server.add(bytes),
            Ok(_) => self.stats.to_clients.add(bytes),
            Err(Dropped::NotAClient) => self.stats.not_a_client += 1,
            Err(Dropped::TooManyClients) => self.stats.too_many_clients += 1,
            Err(Dropped::NotTheServer) => self.stats.not_the_server += 1,
            Err(Dropped::Closed) => self.stats.closed += 1,
        }
        forward
    }

    fn on_client<'a>(
        &mut self,
        now: f64,
        port: Port,
        client: SocketAddr,
        bytes: &'a [u8],
    ) -> Result<Forward<'a>, Dropped> {
        let id = match self.clients.get(&client) {
            Some(id) => *id,
            None => self.admit(now, client, bytes)?,
        };
        let upstream = self.upstreams.get_mut(&id).ok_or(Dropped::Closed)?;
        upstream.heard = upstream.heard.max(now);
        Ok(Forward { socket: Socket::Upstream(id), to: self.config.server(port), bytes, client, port })
    }

    fn on_server<'a>(
        &mut self,
        now: f64,
        id: UpstreamId,
        server: SocketAddr,
        bytes: &'a [u8],
    ) -> Result<Forward<'a>, Dropped> {
        let upstream = self.upstreams.get_mut(&id).ok_or(Dropped::Closed)?;
        let port = [Port::Lower, Port::Upper].into_iter().find(|port| self.config.server(*port) == server);
        let port = port.ok_or(Dropped::NotTheServer)?;
        upstream.heard = upstream.heard.max(now);
        upstream.is_answered = true;
        let client = upstream.client;
        Ok(Forward { socket: Socket::Listening(port), to: client, bytes, client, port })
    }

    /// Gives a client an upstream socket if it begins a session. Otherwise a flood of garbage would take the
    /// room of clients.
    fn admit(&mut self, now: f64, client: SocketAddr, bytes: &[u8]) -> Result<UpstreamId, Dropped> {
        if !begins_session(bytes) {
            return Err(Dropped::NotAClient);
        }
        if self.clients.len() >= self.config.max_clients {
            return Err(Dropped::TooManyClients);
        }
        let id = UpstreamId(self.next);
        self.next += 1;
        self.stats.clients += 1;
        self.clients.insert(client, id);
        self.upstreams.insert(id, Upstream { client, begun: now, heard: now, is_answered: false });
        Ok(id)
    }

    /// Ends the connections that were silent or unanswered for too long, and returns their sockets. Close
    /// them.
    pub fn expire(&mut self, now: f64) -> Vec<UpstreamId> {
        let idle = self.config.idle_secs;
        let is_idle = |of: &Upstream| now >= of.ends_at(idle);
        let ended: Vec<UpstreamId> =
            self.upstreams.iter().filter(|(_, of)| is_idle(of)).map(|(id, _)| *id).collect();
        ended.iter().for_each(|id| self.close(*id));
        ended
    }

    /// Returns the time at which [`Self::expire`] has something to do, if nothing else arrives.
    pub fn next_expiry(&self) -> Option<f64> {
        self.upstreams.values().map(|of| of.ends_at(self.config.idle_secs)).reduce(f64::min)
    }

    /// Ends a connection, because its socket cannot be opened or has failed. The client may connect again.
    pub fn close(&mut self, id: UpstreamId) {
        if let Some(upstream) = self.upstreams.remove(&id) {
            self.clients.remove(&upstream.client);
        }
    }

    /// Returns the client behind an upstream socket.
    pub fn client(&self, id: UpstreamId) -> Option<SocketAddr> {
        self.upstreams.get(&id).map(|of| of.client)
    }

    /// Returns the clients of now and their sockets.
    pub fn clients(&self) -> impl Iterator<Item = (SocketAddr, UpstreamId)> {
        self.clients.iter().map(|(client, id)| (*client, *id))
    }

    /// Returns what was done so far.
    pub const fn stats(&self) -> RelayStats {
        self.stats
    }
}

/// Returns whether a datagram begins a session. A login comes to the lower port. A client that uses a second
/// socket for the upper port begins there with its connect response.
pub fn begins_session(bytes: &[u8]) -> bool {
    const BEGINNINGS: PacketFlags = PacketFlags::LOGIN_REQUEST
        .union(PacketFlags::WORLD_LOGIN_REQUEST)
        .union(PacketFlags::CONNECT_RESPONSE);
    let Ok(packet) = Packet::read(bytes) else { return false };
    packet.header.flags.intersects(BEGINNINGS) && packet.fault.is_none() && packet.guard() == Guard::Fits
}
