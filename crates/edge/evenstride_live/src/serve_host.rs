//! A server that plays a scenario or a recording to its clients.

use std::{collections::BTreeMap, io, net::SocketAddr, time::Duration};

use evenstride_link::{Link, LinkConfig, LinkError};
use evenstride_relay::begins_session;
use evenstride_session::{ClientId, Ended, Greeter, Port, Server, ServerConfig, ServerEvent, ServerStats};
use mio::Token;

use crate::{
    Clock, Content, Stop,
    feed::Feed,
    ports::{BindError, MAX_DATAGRAM, PortPair, ReadOne, Readiness, TURN, read_one},
};

/// Longest time that the server waits for a datagram.
const WAIT: Duration = Duration::from_millis(50);

/// Bytes of the largest datagram that servers take from clients, as in ACE.
const MAX_CLIENT_BYTES: usize = 1_024;

/// Largest number of addresses with a simulated network of their own. Others have a perfect one.
const MAX_NETWORKS: usize = 256;

/// Content, address and network of a server.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The lower port. Port 0 takes any two neighbouring ports.
    pub listen: SocketAddr,
    /// What clients get.
    pub content: Content,
    /// Name of the server, which clients show.
    pub name: String,
    /// The simulated network in each direction, to and from each client.
    pub network: LinkConfig,
    /// Sessions, limits and seeds.
    pub server: ServerConfig,
}

/// What happens at a server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ServeEvent {
    /// A client has connected.
    Connected {
        /// The client.
        client: ClientId,
        /// Its address.
        address: SocketAddr,
        /// Its account.
        account: String,
    },
    /// A client has entered the world, and the content begins for it.
    Entered(ClientId),
    /// The client has got all of the content. Its session goes on.
    Finished(ClientId),
    /// A session is over.
    Ended(ClientId, Ended),
}

/// A server on real sockets. One thread runs it.
#[derive(Debug)]
pub struct ServeHost {
    options: ServeOptions,
    server: Server,
    readiness: Readiness,
    ports: PortPair,
    clock: Clock,
    players: BTreeMap<ClientId, Player>,
    networks: BTreeMap<SocketAddr, Networks>,
    buffer: Vec<u8>,
    sent: u64,
    unsent: u64,
}

#[derive(Debug)]
struct Player {
    greeter: Greeter,
    feed: Option<Feed>,
    is_finished: bool,
}

/// The network to and from one address. The first byte of a datagram in it is the server's port.
#[derive(Debug)]
struct Networks {
    to_server: Link,
    to_client: Link,
}

impl ServeHost {
    /// Opens the ports of a server.
    ///
    /// # Errors
    /// [`BindError`] if a port cannot be opened.
    pub fn bind(options: ServeOptions, clock: Clock) -> Result<Self, BindError> {
        let mut ports = PortPair::bind(options.listen)?;
        let failed = |reason| BindError::Other { address: options.listen, reason };
        let readiness = Readiness::new().map_err(failed)?;
        readiness.add(&mut ports.lower, Token(0)).map_err(failed)?;
        readiness.add(&mut ports.upper, Token(1)).map_err(failed)?;
        Ok(Self {
            server: Server::new(options.server),
            options,
            readiness,
            ports,
            clock,
            players: BTreeMap::new(),
            networks: BTreeMap::new(),
            buffer: vec![0; MAX_DATAGRAM],
            sent: 0,
            unsent: 0,
        })
    }

    /// Returns the address of the lower port.
    pub const fn address(&self) -> SocketAddr {
        self.ports.address()
    }

    /// Returns the counts of sessions.
    pub const fn stats(&self) -> ServerStats {
        self.server.stats()
    }

    /// Returns the number of datagrams sent.
    pub const fn sent(&self) -> u64 {
        self.sent
    }

    /// Returns the number of datagrams that the system refused to send.
    pub const fn unsent(&self) -> u64 {
        self.unsent
    }

    /// Serves until the end is requested. Then all clients are told.
    ///
    /// # Errors
    /// If the system cannot wait for sockets.
    pub fn run(&mut self, stop: &Stop, mut tell: impl FnMut(ServeEvent)) -> io::Result<()> {
        while !stop.is_requested() {
            let wait = self.wait();
            for token in self.readiness.wait(wait)? {
                self.drain(token);
            }
            self.turn(&mut tell);
        }
        let now = self.clock.now();
        for client in self.server.clients().collect::<Vec<_>>() {
            self.server.close(now, client);
        }
        // Farewells are not delayed by the simulated network.
        for datagram in self.server.transmits() {
            let _ = self.ports.of(datagram.port).send_to(&datagram.bytes, datagram.to);
        }
        Ok(())
    }

    /// Returns how long there is nothing to do.
    fn wait(&self) -> Duration {
        let feeds = self.players.values().filter_map(|player| player.feed.as_ref()?.next_due());
        let networks =
            self.networks.values().flat_map(|of| [of.to_server.next_arrival(), of.to_client.next_arrival()]);
        let due = feeds.chain(networks.flatten()).chain(self.server.next_due()).reduce(f64::min);
        let secs =
            due.map_or(WAIT.as_secs_f64(), |due| (due - self.clock.now()).clamp(0.0, WAIT.as_secs_f64()));
        // Deadlines a moment away would otherwise be looked at again and again.
        Duration::from_secs_f64(secs.max(0.0005))
    }

    /// Reads some of the datagrams that wait at a port.
    fn drain(&mut self, token: Token) {
        let port = if token == Token(0) { Port::Lower } else { Port::Upper };
        for _ in 0..TURN {
            match read_one(self.ports.of(port), &mut self.buffer) {
                ReadOne::Datagram(length, from) => self.arrived(port, from, length),
                ReadOne::Skip => {}
                ReadOne::Empty => return self.readiness.emptied(token),
            }
        }
    }

    /// Takes a datagram to the server, through the simulated network if there is one.
    fn arrived(&mut self, port: Port, from: SocketAddr, length: usize) {
        let now = self.clock.now();
        let bytes = &self.buffer[..length];
        // What no session sends needs no simulated network, and takes no memory in one.
        let is_welcome = length <= MAX_CLIENT_BYTES && (self.server.knows(from) || begins_session(bytes));
        let network =
            if is_welcome { networks(&mut self.networks, &self.options.network, from) } else { None };
        match network {
            None => self.server.handle(now, port, from, bytes),
            Some(networks) => {
                networks.to_server.send(now, with_port(port, bytes));
            }
        }
    }

    /// Delivers, answers, plays and sends what is due.
    fn turn(&mut self, tell: &mut impl FnMut(ServeEvent)) {
        let now = self.clock.now();
        for (from, networks) in &mut self.networks {
            while let Some(arrived) = networks.to_server.receive(now) {
                let (port, bytes) = without_port(&arrived.bytes);
                self.server.handle(now, port, *from, bytes);
            }
        }
        for event in self.server.events() {
            self.on_event(now, event, tell);
        }
        for (client, player) in &mut self.players {
            let Some(feed) = &mut player.feed else { continue };
            for message in feed.due(now) {
                self.server.send(*client, &message);
            }
            if feed.is_over && !player.is_finished {
                player.is_finished = true;
                tell(ServeEvent::Finished(*client));
            }
        }
        self.server.poll(now);
        for event in self.server.events() {
            self.on_event(now, event, tell);
        }
        for datagram in self.server.transmits() {
            match networks(&mut self.networks, &self.options.network, datagram.to) {
                None => self.send(datagram.port, datagram.to, &datagram.bytes),
                Some(networks) => {
                    networks.to_client.send(now, with_port(datagram.port, &datagram.bytes));
                }
            }
        }
        let mut arrivals = Vec::new();
        for (to, networks) in &mut self.networks {
            while let Some(arrived) = networks.to_client.receive(now) {
                arrivals.push((*to, arrived.bytes));
            }
        }
        for (to, bytes) in arrivals {
            let (port, bytes) = without_port(&bytes);
            self.send(port, to, bytes);
        }
    }

    fn on_event(&mut self, now: f64, event: ServerEvent, tell: &mut impl FnMut(ServeEvent)) {
        match event {
            ServerEvent::Connected { client, address, account } => {
                let greeter = Greeter::new(&account, &self.options.name, self.options.content.characters());
                greeter.greeting().iter().for_each(|message| self.server.send(client, message));
                self.players.insert(client, Player { greeter, feed: None, is_finished: false });
                tell(ServeEvent::Connected { client, address, account });
            }
            ServerEvent::Message { client, bytes } => {
                let Some(player) = self.players.get_mut(&client) else { return };
                player.greeter.answer(&bytes).iter().for_each(|message| self.server.send(client, message));
                if player.greeter.entry(&bytes).is_some() {
                    player.feed = Some(self.options.content.feed(now));
                    tell(ServeEvent::Entered(client));
                }
            }
            ServerEvent::Ended { client, why } => {
                self.players.remove(&client);
                tell(ServeEvent::Ended(client, why));
            }
            _ => {}
        }
    }

    fn send(&mut self, port: Port, to: SocketAddr, bytes: &[u8]) {
        match self.ports.of(port).send_to(bytes, to) {
            Ok(_) => self.sent += 1,
            // The protocol sends it again.
            Err(_) => self.unsent += 1,
        }
    }
}

/// Returns the simulated network of an address, or `None` if everything arrives at once.
fn networks<'a>(
    networks: &'a mut BTreeMap<SocketAddr, Networks>,
    config: &LinkConfig,
    address: SocketAddr,
) -> Option<&'a mut Networks> {
    if *config == LinkConfig::PERFECT.seed(config.seed) {
        return None;
    }
    if !networks.contains_key(&address) {
        if networks.len() >= MAX_NETWORKS {
            let is_idle =
                |of: &Networks| of.to_server.next_arrival().or(of.to_client.next_arrival()).is_none();
            networks.retain(|_, of| !is_idle(of));
        }
        let number = networks.len() as u64;
        if networks.len() < MAX_NETWORKS
            && let Ok(new) = Networks::new(config, number)
        {
            networks.insert(address, new);
        }
    }
    networks.get_mut(&address)
}

impl Networks {
    fn new(config: &LinkConfig, number: u64) -> Result<Self, LinkError> {
        let seed = config.seed.wrapping_add(number.wrapping_mul(2));
        Ok(Self {
            to_server: Link::new(config.seed(seed))?,
            to_client: Link::new(config.seed(seed.wrapping_add(1)))?,
        })
    }
}

fn with_port(port: Port, bytes: &[u8]) -> Vec<u8> {
    let mut marked = Vec::with_capacity(bytes.len() + 1);
    marked.push(u8::from(port == Port::Upper));
    marked.extend_from_slice(bytes);
    marked
}

fn without_port(marked: &[u8]) -> (Port, &[u8]) {
    match marked {
        [1, bytes @ ..] => (Port::Upper, bytes),
        [_, bytes @ ..] => (Port::Lower, bytes),
        [] => (Port::Lower, &[]),
    }
}
