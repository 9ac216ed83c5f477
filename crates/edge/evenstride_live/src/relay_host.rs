//! The relay on real sockets.

use std::{
    collections::BTreeMap,
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use evenstride_relay::{Relay, RelayConfig, RelayStats, Socket, UpstreamId};
use evenstride_session::Port;
use mio::{Token, net::UdpSocket};

use crate::{
    Clock, Delays, Stop, Tap, Tapped,
    ports::{BindError, MAX_DATAGRAM, PortPair, ReadOne, Readiness, TURN, bind_towards, read_one},
};

/// Seconds between two looks at the flag that ends the relay, and at idle clients.
const LOOK: Duration = Duration::from_millis(100);

const LOWER: Token = Token(0);
const UPPER: Token = Token(1);

/// Token of the first upstream socket.
const FIRST: usize = 2;

/// The server, and where clients connect.
#[derive(Clone, Copy, Debug)]
pub struct RelayOptions {
    /// The server, and limits.
    pub relay: RelayConfig,
    /// Where clients connect. The port after it is opened, too.
    pub listen: SocketAddr,
}

/// Counts of a running relay.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HostCounts {
    /// Counts by rule.
    pub relay: RelayStats,
    /// Clients at this moment.
    pub clients: usize,
    /// Datagrams that the system refused to send.
    pub unsent: u64,
    /// Upstream sockets that could not be opened.
    pub unopened: u64,
    /// Seconds from reading a datagram to having sent it.
    pub delays: Delays,
}

/// A relay on real sockets. One thread runs it.
#[derive(Debug)]
pub struct RelayHost {
    relay: Relay,
    readiness: Readiness,
    ports: PortPair,
    upstreams: BTreeMap<UpstreamId, UdpSocket>,
    clock: Clock,
    tap: Option<Tap>,
    counts: HostCounts,
    shared: Arc<Mutex<HostCounts>>,
    buffer: Vec<u8>,
}

impl RelayHost {
    /// Opens the ports for clients.
    ///
    /// # Errors
    /// [`BindError`] if a port cannot be opened.
    pub fn bind(options: &RelayOptions, clock: Clock, tap: Option<Tap>) -> Result<Self, BindError> {
        let mut ports = PortPair::bind(options.listen)?;
        let failed = |reason| BindError::Other { address: options.listen, reason };
        let readiness = Readiness::new().map_err(failed)?;
        readiness.add(&mut ports.lower, LOWER).map_err(failed)?;
        readiness.add(&mut ports.upper, UPPER).map_err(failed)?;
        Ok(Self {
            relay: Relay::new(options.relay),
            readiness,
            ports,
            upstreams: BTreeMap::new(),
            clock,
            tap,
            counts: HostCounts::default(),
            shared: Arc::default(),
            buffer: vec![0; MAX_DATAGRAM],
        })
    }

    /// Returns the address at which clients connect.
    pub const fn address(&self) -> SocketAddr {
        self.ports.address()
    }

    /// Returns counts that other threads can read while the relay runs. They are renewed several times
    /// per second.
    pub fn shared_counts(&self) -> Arc<Mutex<HostCounts>> {
        Arc::clone(&self.shared)
    }

    /// Forwards datagrams until the end is requested. Returns the final counts.
    ///
    /// # Errors
    /// If the system cannot wait for sockets.
    pub fn run(&mut self, stop: &Stop) -> io::Result<HostCounts> {
        let mut next_look = 0.0;
        while !stop.is_requested() {
            for token in self.readiness.wait(LOOK)? {
                self.drain(token);
            }
            if let Some(tap) = &self.tap {
                tap.beat(self.clock.now());
            }
            if self.clock.now() >= next_look {
                next_look = self.clock.now() + LOOK.as_secs_f64();
                self.look();
            }
        }
        self.look();
        Ok(self.counts)
    }

    /// Forwards some of the datagrams that wait at a socket.
    fn drain(&mut self, token: Token) {
        for _ in 0..TURN {
            let (socket, at) = match token {
                LOWER => (&self.ports.lower, Socket::Listening(Port::Lower)),
                UPPER => (&self.ports.upper, Socket::Listening(Port::Upper)),
                Token(number) => {
                    let id = UpstreamId((number - FIRST) as u64);
                    let Some(socket) = self.upstreams.get(&id) else { return self.readiness.emptied(token) };
                    (socket, Socket::Upstream(id))
                }
            };
            match read_one(socket, &mut self.buffer) {
                ReadOne::Datagram(length, from) => self.forward(at, from, length),
                ReadOne::Skip => {}
                ReadOne::Empty => return self.readiness.emptied(token),
            }
        }
    }

    /// Forwards one datagram, and only then shows it to the observer.
    fn forward(&mut self, at: Socket, from: SocketAddr, length: usize) {
        let now = self.clock.now();
        let buffer = std::mem::take(&mut self.buffer);
        let bytes = &buffer[..length];
        // What is not forwarded is counted by the relay.
        if let Ok(forward) = self.relay.handle(now, at, from, bytes) {
            let sent = match forward.socket {
                Socket::Listening(port) => self.ports.of(port).send_to(bytes, forward.to),
                Socket::Upstream(id) => match self.upstream(id, forward.to) {
                    Some(socket) => socket.send_to(bytes, forward.to),
                    None => Err(io::ErrorKind::NotConnected.into()),
                },
            };
            if sent.is_err() {
                self.counts.unsent += 1;
            }
            self.counts.delays.add(self.clock.now() - now);
            if let Some(tap) = &self.tap {
                tap.offer(Tapped {
                    time: now,
                    client: forward.client,
                    port: forward.port,
                    is_to_server: matches!(forward.socket, Socket::Upstream(_)),
                    bytes: bytes.to_vec(),
                });
            }
        }
        self.buffer = buffer;
    }

    /// Returns an upstream socket, opened if it is new.
    fn upstream(&mut self, id: UpstreamId, server: SocketAddr) -> Option<&UdpSocket> {
        if !self.upstreams.contains_key(&id) {
            let opened = bind_towards(server).map_err(io::Error::other).and_then(|mut socket| {
                self.readiness.add(&mut socket, token_of(id))?;
                Ok(socket)
            });
            match opened {
                Ok(socket) => {
                    self.upstreams.insert(id, socket);
                }
                Err(_) => {
                    // The client will try again.
                    self.counts.unopened += 1;
                    self.relay.close(id);
                }
            }
        }
        self.upstreams.get(&id)
    }

    /// Closes idle connections, and shares the counts.
    fn look(&mut self) {
        for id in self.relay.expire(self.clock.now()) {
            if let Some(mut socket) = self.upstreams.remove(&id) {
                self.readiness.remove(&mut socket, token_of(id));
            }
        }
        self.counts.relay = self.relay.stats();
        self.counts.clients = self.relay.clients().count();
        *self.shared.lock().unwrap_or_else(PoisonError::into_inner) = self.counts;
    }
}

/// Returns the token of an upstream socket.
const fn token_of(id: UpstreamId) -> Token {
    Token(FIRST + id.0 as usize)
}
