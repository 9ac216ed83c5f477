//! Relays, servers and clients on the loopback interface.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    net::{SocketAddr, UdpSocket},
    sync::{Arc, Mutex, mpsc::channel},
    thread,
    time::{Duration, Instant},
};

use evenstride_capture::{CapturedMessage, Fault, Listener, Session, read};
use evenstride_link::{Link, LinkConfig};
use evenstride_live::{
    Clock, Content, HostCounts, JoinError, JoinOptions, LoginPrivacy, RecordOptions, Recorder, RelayHost,
    RelayOptions, ServeHost, ServeOptions, Stop, Tap, join, tap,
};
use evenstride_relay::RelayConfig;
use evenstride_session::{Client, ClientConfig, ClientId, Outgoing, Port, Server, ServerConfig};

const ANY: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

/// Ends a relay that runs on a thread of its own.
struct RunningRelay {
    address: SocketAddr,
    stop: Stop,
    counts: Arc<Mutex<HostCounts>>,
    thread: thread::JoinHandle<HostCounts>,
}

impl RunningRelay {
    fn start(server: SocketAddr, tap: Option<Tap>) -> Self {
        let options = RelayOptions { relay: RelayConfig::new(server), listen: ANY };
        let mut host = RelayHost::bind(&options, Clock::start(), tap).unwrap();
        let (address, stop, counts) = (host.address(), Stop::default(), host.shared_counts());
        let thread = thread::spawn({
            let stop = stop.clone();
            move || host.run(&stop).unwrap()
        });
        Self { address, stop, counts, thread }
    }

    /// Waits until the relay has read what strangers sent.
    fn wait_for_strangers(&self) {
        let count = || self.counts.lock().unwrap().relay.not_a_client;
        let mut last = u64::MAX;
        while count() != last {
            last = count();
            thread::sleep(Duration::from_millis(400));
        }
    }

    fn end(self) -> HostCounts {
        self.stop.request();
        self.thread.join().unwrap()
    }
}

/// Number and hash of datagrams, so that two sides can be compared without keeping all bytes.
#[derive(Debug, Default, PartialEq)]
struct Log {
    by_hash: BTreeMap<u64, u64>,
    count: u64,
}

impl Log {
    fn add(&mut self, bytes: &[u8]) {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        *self.by_hash.entry(hasher.finish()).or_default() += 1;
        self.count += 1;
    }

    const fn count(&self) -> u64 {
        self.count
    }
}

/// A server at two real sockets and a client at one or two, in virtual time, with a relay between them.
struct Rig {
    now: f64,
    server: Server,
    server_sockets: [UdpSocket; 2],
    client: Client,
    client_sockets: Vec<UdpSocket>,
    relay: SocketAddr,
    /// Networks before the datagrams reach the real one, to the client and to the server.
    faults: [Link; 2],
    sent: [Log; 2],
    received: [Log; 2],
    messages: [u64; 2],
}

fn quick_socket(address: SocketAddr) -> UdpSocket {
    let socket = UdpSocket::bind(address).unwrap();
    socket.set_nonblocking(true).unwrap();
    socket
}

/// Two neighbouring ports.
fn server_sockets() -> [UdpSocket; 2] {
    loop {
        let lower = quick_socket(ANY);
        let port = lower.local_addr().unwrap().port();
        let Some(next) = port.checked_add(1).filter(|_| port.is_multiple_of(2)) else { continue };
        if let Ok(upper) = UdpSocket::bind(SocketAddr::new(ANY.ip(), next)) {
            upper.set_nonblocking(true).unwrap();
            return [lower, upper];
        }
    }
}

impl Rig {
    fn new(server_sockets: [UdpSocket; 2], relay: SocketAddr, sockets: usize, faults: LinkConfig) -> Self {
        Self {
            now: 0.0,
            server: Server::new(ServerConfig::seeded(3)),
            server_sockets,
            client: Client::new(0.0, ClientConfig::new("ash", "secret")),
            client_sockets: (0..sockets).map(|_| quick_socket(ANY)).collect(),
            relay,
            faults: [Link::new(faults.seed(1)).unwrap(), Link::new(faults.seed(2)).unwrap()],
            sent: Default::default(),
            received: Default::default(),
            messages: [0; 2],
        }
    }

    /// Sends what both ends have, through the faults, and waits until all of it has arrived.
    fn step(&mut self) {
        self.now += 0.02;
        let now = self.now;
        self.server.poll(now);
        for datagram in self.server.transmits() {
            let mut marked = vec![u8::from(datagram.port == Port::Upper)];
            marked.extend_from_slice(&datagram.to.port().to_le_bytes());
            marked.extend_from_slice(&datagram.bytes);
            self.faults[0].send(now, marked);
        }
        while let Some(arrived) = self.faults[0].receive(now) {
            let [upper, low, high, bytes @ ..] = arrived.bytes.as_slice() else { unreachable!() };
            let to = SocketAddr::new(ANY.ip(), u16::from_le_bytes([*low, *high]));
            self.sent[0].add(bytes);
            self.server_sockets[usize::from(*upper)].send_to(bytes, to).unwrap();
            self.settle_sometimes();
        }
        self.client.poll(now);
        for datagram in self.client.transmits() {
            let mut marked = vec![u8::from(datagram.port == Port::Upper)];
            marked.extend_from_slice(&datagram.bytes);
            self.faults[1].send(now, marked);
        }
        while let Some(arrived) = self.faults[1].receive(now) {
            let (upper, bytes) = arrived.bytes.split_first().unwrap();
            let upper = usize::from(*upper);
            let to = SocketAddr::new(self.relay.ip(), self.relay.port() + upper as u16);
            self.sent[1].add(bytes);
            self.client_sockets[upper.min(self.client_sockets.len() - 1)].send_to(bytes, to).unwrap();
            self.settle_sometimes();
        }
        self.settle();
    }

    /// Keeps bursts below what the system holds for a socket. It drops the rest without a word.
    fn settle_sometimes(&mut self) {
        if self.datagrams().is_multiple_of(32) {
            self.settle();
        }
    }

    /// Receives until both sides have got what was sent to them.
    fn settle(&mut self) {
        let patience = Instant::now() + Duration::from_secs(20);
        let mut buffer = [0; 2_048];
        loop {
            let mut is_quiet = true;
            for (index, socket) in self.server_sockets.iter().enumerate() {
                while let Ok((length, from)) = socket.recv_from(&mut buffer) {
                    is_quiet = false;
                    self.received[1].add(&buffer[..length]);
                    let port = if index == 0 { Port::Lower } else { Port::Upper };
                    self.server.handle(self.now, port, from, &buffer[..length]);
                }
            }
            for socket in &self.client_sockets {
                while let Ok((length, from)) = socket.recv_from(&mut buffer) {
                    is_quiet = false;
                    assert_eq!(from.ip(), self.relay.ip());
                    assert!(from.port() == self.relay.port() || from.port() == self.relay.port() + 1);
                    self.received[0].add(&buffer[..length]);
                    self.client.handle(self.now, &buffer[..length]);
                }
            }
            let count = |logs: &[Log; 2]| [logs[0].count(), logs[1].count()];
            if count(&self.sent) == count(&self.received) {
                break;
            }
            assert!(
                Instant::now() < patience,
                "lost on the way: {:?} {:?}",
                count(&self.sent),
                count(&self.received)
            );
            if is_quiet {
                thread::yield_now();
            }
        }
        let is_message = |event: &evenstride_session::ServerEvent| {
            matches!(event, evenstride_session::ServerEvent::Message { .. })
        };
        self.messages[1] += self.server.events().filter(is_message).count() as u64;
        let is_message = |event: &evenstride_session::ClientEvent| {
            matches!(event, evenstride_session::ClientEvent::Message(_))
        };
        self.messages[0] += self.client.events().filter(is_message).count() as u64;
    }

    /// Adds messages of various lengths at both ends.
    fn talk(&mut self) {
        for number in 0..24u32 {
            let length = 30 + (self.now * 1_000.0) as usize * 7 % 400 + number as usize;
            let bytes = (self.now.to_bits() as u32 ^ number).to_le_bytes().repeat(length / 4);
            self.server.send(ClientId(0), &Outgoing { queue: 10, bytes: bytes.clone() });
            self.client.send(&Outgoing { queue: 3, bytes });
        }
    }

    fn datagrams(&self) -> u64 {
        self.sent[0].count() + self.sent[1].count()
    }
}

/// Number of datagrams to compare. The leg `relay` sets a million.
fn wanted() -> u64 {
    std::env::var("EVENSTRIDE_RELAY_DATAGRAMS").map_or(10_000, |text| text.parse().unwrap())
}

#[test]
fn not_a_byte_is_altered_in_either_direction() {
    for sockets in [1, 2] {
        let server_sockets = server_sockets();
        let relay = RunningRelay::start(server_sockets[0].local_addr().unwrap(), None);
        let faults =
            LinkConfig { duplicate: 0.05, reorder: 0.05, reorder_secs: 0.05, ..LinkConfig::WIFI_BUSY };
        let mut rig = Rig::new(server_sockets, relay.address, sockets, faults);
        while rig.messages[0] == 0 {
            rig.server.send(ClientId(0), &Outgoing { queue: 10, bytes: vec![1; 40] });
            rig.step();
            assert!(rig.now < 60.0, "no session");
        }
        while rig.datagrams() < wanted() / 2 {
            rig.talk();
            rig.step();
        }
        let counts = relay.end();
        assert_eq!(rig.sent, rig.received, "every datagram arrives with its bytes, and no other");
        let relayed = counts.relay;
        assert_eq!(relayed.to_clients.datagrams, rig.sent[0].count());
        assert_eq!(relayed.to_server.datagrams, rig.sent[1].count());
        assert_eq!((relayed.dropped(), counts.unsent, relayed.clients), (0, 0, sockets as u64));
        let stats = rig.client.stats();
        assert!(stats.sent_again > 0 && stats.received.repeated > 0, "the faults are real: {stats:?}");
        assert!(rig.messages.iter().all(|count| *count > wanted() / 20), "{:?}", rig.messages);
    }
}

#[test]
fn empty_and_oversized_datagrams_pass_as_they_are() {
    let server_sockets = server_sockets();
    let relay = RunningRelay::start(server_sockets[0].local_addr().unwrap(), None);
    let mut rig = Rig::new(server_sockets, relay.address, 1, LinkConfig::PERFECT);
    (0..50).for_each(|_| rig.step());
    let mut buffer = vec![0; 1 << 16];
    for length in [0, 1, 19, 20, 485, 1_025, 9_000, 65_507] {
        let bytes: Vec<u8> = (0..length).map(|at| (at * 7 % 251) as u8).collect();
        rig.client_sockets[0].send_to(&bytes, rig.relay).unwrap();
        let (received, upstream) = wait_for(&rig.server_sockets[0], &mut buffer);
        assert_eq!(&buffer[..received], bytes);
        rig.server_sockets[1].send_to(&bytes, upstream).unwrap();
        let (received, from) = wait_for(&rig.client_sockets[0], &mut buffer);
        assert_eq!((&buffer[..received], from.port()), (bytes.as_slice(), rig.relay.port() + 1));
    }
    assert_eq!(relay.end().unsent, 0);
}

fn wait_for(socket: &UdpSocket, buffer: &mut [u8]) -> (usize, SocketAddr) {
    let patience = Instant::now() + Duration::from_secs(20);
    loop {
        if let Ok(received) = socket.recv_from(buffer) {
            return received;
        }
        assert!(Instant::now() < patience, "nothing came");
        thread::yield_now();
    }
}

/// Datagrams of garbage in one flood.
const FLOOD: u32 = 1_000_000;

#[test]
fn a_flood_of_garbage_takes_no_room_and_gets_no_answer() {
    let server_sockets = server_sockets();
    let relay = RunningRelay::start(server_sockets[0].local_addr().unwrap(), None);
    let mut rig = Rig::new(server_sockets, relay.address, 1, LinkConfig::PERFECT);
    (0..50).for_each(|_| rig.step());
    assert_eq!(rig.client.stats().handshake_secs.map(|secs| secs < 1.0), Some(true));

    let mut buffer = [0; 2_048];
    rig.client_sockets[0].send_to(b"where is the relay?", rig.relay).unwrap();
    let (_, upstream) = wait_for(&rig.server_sockets[0], &mut buffer);
    let flooder = quick_socket(ANY);
    let flooding = thread::spawn({
        let (address, flooder) = (relay.address, flooder.try_clone().unwrap());
        move || flood(&flooder, address)
    });
    // What the server sends arrives at a socket of its own, and is not held up.
    for number in 0..200_u32 {
        rig.server_sockets[1].send_to(&number.to_le_bytes(), upstream).unwrap();
        wait_for(&rig.client_sockets[0], &mut buffer);
        assert_eq!(buffer[..4], number.to_le_bytes());
    }
    flooding.join().unwrap();
    relay.wait_for_strangers();
    // The session goes on.
    for _ in 0..20 {
        rig.talk();
        rig.step();
    }
    assert!(rig.messages[0] >= 400 && rig.messages[1] >= 400, "{:?}", rig.messages);
    let counts = relay.end();
    assert!(counts.relay.not_a_client > u64::from(FLOOD) / 100, "{counts:?}");
    assert_eq!((counts.relay.clients, counts.clients), (1, 1));
    assert_eq!(flooder.recv_from(&mut buffer).unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}

fn flood(flooder: &UdpSocket, relay: SocketAddr) {
    let mut garbage = vec![0_u8; 1_400];
    for number in 0..FLOOD {
        // Some have the length of a header, some the flags of a login, some are larger than servers read.
        garbage[..4].copy_from_slice(&number.to_le_bytes());
        garbage[4..8].copy_from_slice(&(number << 12).to_le_bytes());
        let length = [0, 1, 20, 64, 484, 1_400][number as usize % 6];
        let _ = flooder
            .send_to(&garbage[..length], SocketAddr::new(ANY.ip(), relay.port() + (number % 2) as u16));
    }
}

#[test]
fn forwarding_does_not_wait_for_an_observer_that_has_stopped() {
    let server_sockets = server_sockets();
    let (tap, receiver) = tap(16);
    let relay = RunningRelay::start(server_sockets[0].local_addr().unwrap(), Some(tap.clone()));
    let (resume, paused) = channel::<()>();
    let stop = relay.stop.clone();
    let observer = thread::spawn(move || {
        paused.recv().unwrap();
        let mut seen = 0_u64;
        receiver.observe(&stop, |tapped| seen += u64::from(tapped.is_some()));
        seen
    });
    let mut rig = Rig::new(server_sockets, relay.address, 1, LinkConfig::PERFECT);
    for _ in 0..100 {
        rig.talk();
        rig.step();
    }
    let sent = rig.datagrams();
    resume.send(()).unwrap();
    let counts = relay.end();
    let seen = observer.join().unwrap();
    assert_eq!(counts.relay.to_server.datagrams + counts.relay.to_clients.datagrams, sent);
    assert_eq!((seen, tap.dropped()), (16, sent - 16), "what the observer missed is counted");
}

#[cfg(target_os = "linux")]
#[test]
fn forwarding_goes_on_when_the_disk_is_full() {
    let server_sockets = server_sockets();
    let server = server_sockets[0].local_addr().unwrap();
    let (tap, receiver) = tap(1 << 16);
    let relay = RunningRelay::start(server, Some(tap));
    let stop = relay.stop.clone();
    let observer = thread::spawn(move || {
        let options =
            RecordOptions { path: "/dev/full".into(), ring: None, login: LoginPrivacy::Blank, server };
        let mut recorder = Recorder::create(options, Clock::start()).unwrap();
        receiver.observe(&stop, |tapped| match tapped {
            Some(tapped) => recorder.record(tapped),
            None => recorder.flush(),
        });
        recorder.take_failure()
    });
    let mut rig = Rig::new(server_sockets, relay.address, 1, LinkConfig::PERFECT);
    for _ in 0..50 {
        rig.talk();
        rig.step();
    }
    assert!(rig.messages[0] > 500, "{:?}", rig.messages);
    relay.end();
    let failure = observer.join().unwrap().unwrap();
    assert!(failure.starts_with("/dev/full: recording ended"), "{failure}");
}

/// A server on a thread of its own.
struct RunningServer {
    address: SocketAddr,
    stop: Stop,
    thread: thread::JoinHandle<()>,
}

impl RunningServer {
    fn start(content: Content, network: LinkConfig) -> Self {
        let options = ServeOptions {
            listen: ANY,
            content,
            name: "test".to_owned(),
            network,
            server: ServerConfig::seeded(4),
        };
        let mut host = ServeHost::bind(options, Clock::start()).unwrap();
        let (address, stop) = (host.address(), Stop::default());
        let thread = thread::spawn({
            let stop = stop.clone();
            move || host.run(&stop, |_| {}).unwrap()
        });
        Self { address, stop, thread }
    }

    fn end(self) {
        self.stop.request();
        self.thread.join().unwrap();
    }
}

fn walk() -> Content {
    Content::Scenario(evenstride_arena::scenario("walk").unwrap().unwrap().into(), 1)
}

/// Collects messages, and fails at the first fault.
#[derive(Default)]
struct Messages(u64);

impl Listener for Messages {
    fn message(&mut self, _: &CapturedMessage<'_>) {
        self.0 += 1;
    }

    fn fault(&mut self, fault: Fault) {
        panic!("{fault}");
    }
}

#[test]
fn what_a_client_hears_through_a_relay_is_recorded_without_its_password() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.pcap");
    let server = RunningServer::start(walk(), LinkConfig::WIFI_BUSY.seed(3));
    let (tap, receiver) = tap(1 << 16);
    let relay = RunningRelay::start(server.address, Some(tap));
    let observer = thread::spawn({
        let (stop, path, server) = (relay.stop.clone(), path.clone(), server.address);
        move || {
            let options = RecordOptions { path, ring: None, login: LoginPrivacy::Blank, server };
            let mut recorder = Recorder::create(options, Clock::start()).unwrap();
            receiver.observe(&stop, |tapped| match tapped {
                Some(tapped) => recorder.record(tapped),
                None => recorder.flush(),
            });
        }
    });
    let client = ClientConfig::new("account-of-ash", "secret-of-ash");
    let options = JoinOptions { server: relay.address, client, seconds: Some(2.5), has_two_sockets: false };
    let heard = join(&options, &Stop::default(), |_, _| {}).unwrap();
    assert!(heard.is_in_world && heard.undecoded == 0 && heard.ended.is_none(), "{heard:?}");
    assert_eq!((heard.server.as_deref(), heard.character.as_deref()), (Some("test"), Some("Viewer")));
    assert!(heard.by_opcode[&0xF745] >= 2 && heard.entities.len() >= 2, "{heard:?}");
    let ports = server.address.port()..=server.address.port() + 1;
    server.end();
    relay.end();
    observer.join().unwrap();

    let bytes = std::fs::read(&path).unwrap();
    let has = |text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
    assert!(!has(b"secret-of-ash"));
    // The account stands in the list of characters and in the entry into the world.
    let mut session = Session::with_server_ports(Messages::default(), ports);
    read(bytes.as_slice(), &mut session).unwrap();
    let totals = session.totals();
    assert_eq!((totals.checksum_failures, totals.faults), (0, 0));
    assert!(totals.checksums_checked >= totals.datagrams - 1, "all checksums can be verified: {totals:?}");
    assert!(session.listener.0 >= heard.stats.received.messages, "{totals:?}");
}

#[test]
fn a_silent_server_is_named() {
    let silent = server_sockets();
    let server = silent[0].local_addr().unwrap();
    let client = ClientConfig::new("ash", "secret");
    let options = JoinOptions { server, client, seconds: Some(1.0), has_two_sockets: true };
    let error = join(&options, &Stop::default(), |_, _| {}).unwrap_err();
    assert!(matches!(error, JoinError::NoAnswer(_)));
    assert!(error.to_string().contains("is a server running there"), "{error}");
}

#[test]
fn ports_in_use_are_named() {
    let taken = server_sockets();
    let listen = taken[0].local_addr().unwrap();
    let options = RelayOptions { relay: RelayConfig::new(listen), listen };
    let error = RelayHost::bind(&options, Clock::start(), None).unwrap_err().to_string();
    assert!(error.contains(&format!("port {} is in use", listen.port())), "{error}");
}
