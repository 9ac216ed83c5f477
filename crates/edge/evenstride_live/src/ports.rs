//! UDP sockets that are read in turn.

use std::{
    collections::BTreeSet,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use evenstride_session::Port;
use mio::{Events, Interest, Poll, Token, net::UdpSocket};

/// Bytes of the largest datagram.
pub(crate) const MAX_DATAGRAM: usize = 1 << 16;

/// Datagrams that are read from one socket before it is the turn of the next.
pub(crate) const TURN: usize = 64;

/// Attempts to find two neighbouring free ports.
const ATTEMPTS: usize = 200;

/// Tells which sockets have something to read.
#[derive(Debug)]
pub(crate) struct Readiness {
    poll: Poll,
    events: Events,
    readable: BTreeSet<Token>,
}

impl Readiness {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { poll: Poll::new()?, events: Events::with_capacity(128), readable: BTreeSet::new() })
    }

    pub(crate) fn add(&self, socket: &mut UdpSocket, token: Token) -> io::Result<()> {
        self.poll.registry().register(socket, token, Interest::READABLE)
    }

    pub(crate) fn remove(&mut self, socket: &mut UdpSocket, token: Token) {
        // A socket that is closed anyway may be gone from the list already.
        let _ = self.poll.registry().deregister(socket);
        self.readable.remove(&token);
    }

    /// Waits until a socket can be read, unless one already can. Returns all of these.
    pub(crate) fn wait(&mut self, longest: Duration) -> io::Result<Vec<Token>> {
        let longest = if self.readable.is_empty() { longest } else { Duration::ZERO };
        match self.poll.poll(&mut self.events, Some(longest)) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        self.readable.extend(self.events.iter().map(mio::event::Event::token));
        Ok(self.readable.iter().copied().collect())
    }

    /// Notes that a socket has nothing more to read.
    pub(crate) fn emptied(&mut self, token: Token) {
        self.readable.remove(&token);
    }
}

/// The reason why a port cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Another program uses the port.
    #[error("port {} is in use; end the program that uses it, or choose another port, like {}", .0.port(), suggestion(.0.port()))]
    InUse(SocketAddr),
    /// The address is not one of this machine.
    #[error("{0}: is not an address of this machine; listen on 127.0.0.1, or on 0.0.0.0 for every address")]
    NotHere(IpAddr),
    /// Something else.
    #[error("{address}: cannot be opened: {reason}")]
    Other {
        /// The address.
        address: SocketAddr,
        /// The system's reason.
        reason: io::Error,
    },
}

/// Returns another port, which is not next to the one that is in use.
const fn suggestion(port: u16) -> u16 {
    if port < 60_000 { port + 100 } else { 9_000 }
}

/// Two sockets at neighbouring ports.
#[derive(Debug)]
pub struct PortPair {
    pub(crate) lower: UdpSocket,
    pub(crate) upper: UdpSocket,
    address: SocketAddr,
}

impl PortPair {
    /// Opens an address and the port after it. Port 0 takes any two neighbouring ports.
    ///
    /// # Errors
    /// [`BindError`] with the port at fault.
    pub fn bind(address: SocketAddr) -> Result<Self, BindError> {
        if address.port() != 0 {
            return Self::bind_exactly(address);
        }
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let lower = bind(address)?;
            let found = lower.local_addr().map_err(|reason| BindError::Other { address, reason })?;
            // Servers have even ports, and captures tell connections by them.
            if !found.port().is_multiple_of(2) || found.port() == u16::MAX {
                continue;
            }
            drop(lower);
            match Self::bind_exactly(found) {
                Ok(pair) => return Ok(pair),
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or(BindError::InUse(address)))
    }

    fn bind_exactly(address: SocketAddr) -> Result<Self, BindError> {
        let lower = bind(address)?;
        let upper = bind(SocketAddr::new(address.ip(), address.port().wrapping_add(1)))?;
        Ok(Self { lower, upper, address })
    }

    /// Returns the address of the lower port.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) const fn of(&self, port: Port) -> &UdpSocket {
        match port {
            Port::Lower => &self.lower,
            Port::Upper => &self.upper,
        }
    }
}

/// Opens a socket that can reach an address.
pub(crate) fn bind_towards(peer: SocketAddr) -> Result<UdpSocket, BindError> {
    let ip: IpAddr = match (peer.ip(), peer.ip().is_loopback()) {
        (IpAddr::V4(_), true) => Ipv4Addr::LOCALHOST.into(),
        (IpAddr::V4(_), false) => Ipv4Addr::UNSPECIFIED.into(),
        (IpAddr::V6(_), true) => Ipv6Addr::LOCALHOST.into(),
        (IpAddr::V6(_), false) => Ipv6Addr::UNSPECIFIED.into(),
    };
    bind(SocketAddr::new(ip, 0))
}

fn bind(address: SocketAddr) -> Result<UdpSocket, BindError> {
    UdpSocket::bind(address).map_err(|reason| match reason.kind() {
        io::ErrorKind::AddrInUse => BindError::InUse(address),
        io::ErrorKind::AddrNotAvailable => BindError::NotHere(address.ip()),
        _ => BindError::Other { address, reason },
    })
}

/// What became of an attempt to read a datagram.
pub(crate) enum ReadOne {
    /// A datagram of this length, from this address.
    Datagram(usize, SocketAddr),
    /// An error that concerns one datagram, such as an unreachable receiver of an earlier one.
    Skip,
    /// There is nothing more.
    Empty,
}

/// Reads a datagram.
pub(crate) fn read_one(socket: &UdpSocket, buffer: &mut [u8]) -> ReadOne {
    match socket.recv_from(buffer) {
        Ok((length, from)) => ReadOne::Datagram(length, from),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => ReadOne::Empty,
        // Some systems report on a socket that what it sent did not arrive.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::ConnectionReset
                    | io::ErrorKind::ConnectionRefused
                    | io::ErrorKind::Interrupted
            ) =>
        {
            ReadOne::Skip
        }
        Err(_) => ReadOne::Empty,
    }
}
