//! Both ends over a bad network, in virtual time.

use std::net::SocketAddr;

use evenstride_link::{Link, LinkConfig};
use evenstride_session::{
    Client, ClientConfig, ClientEvent, ClientId, Ended, MAX_SESSIONS, Outgoing, Port, Server, ServerConfig,
    ServerEvent,
};

/// A server and a client, with a network in each direction.
struct Pair {
    now: f64,
    server: Server,
    client: Client,
    to_server: Link,
    to_client: Link,
    ports: Vec<Port>,
    at_server: Vec<Vec<u8>>,
    at_client: Vec<Vec<u8>>,
    server_events: Vec<ServerEvent>,
    client_events: Vec<ClientEvent>,
    /// Whether the connect response comes from a second address.
    has_two_sockets: bool,
}

impl Pair {
    fn new(network: LinkConfig) -> Self {
        Self {
            now: 0.0,
            server: Server::new(ServerConfig::seeded(1)),
            client: Client::new(0.0, ClientConfig::new("ash", "secret")),
            to_server: Link::new(network.seed(5)).unwrap(),
            to_client: Link::new(network.seed(6)).unwrap(),
            ports: Vec::new(),
            at_server: Vec::new(),
            at_client: Vec::new(),
            server_events: Vec::new(),
            client_events: Vec::new(),
            has_two_sockets: false,
        }
    }

    fn address(&self, port: Port) -> SocketAddr {
        let is_second = port == Port::Upper && self.has_two_sockets;
        SocketAddr::new([127, 0, 0, 1].into(), if is_second { 50_001 } else { 50_000 })
    }

    fn step(&mut self) {
        self.now += 0.01;
        let now = self.now;
        self.client.poll(now);
        for datagram in self.client.transmits() {
            let mut bytes = vec![u8::from(datagram.port == Port::Upper)];
            bytes.extend_from_slice(&datagram.bytes);
            self.to_server.send(now, bytes);
        }
        while let Some(arrived) = self.to_server.receive(now) {
            let port = if arrived.bytes[0] == 1 { Port::Upper } else { Port::Lower };
            let from = self.address(port);
            self.server.handle(now, port, from, &arrived.bytes[1..]);
        }
        self.server.poll(now);
        for datagram in self.server.transmits() {
            self.ports.push(datagram.port);
            self.to_client.send(now, datagram.bytes);
        }
        while let Some(arrived) = self.to_client.receive(now) {
            self.client.handle(now, &arrived.bytes);
        }
        for event in self.server.events() {
            match event {
                ServerEvent::Message { bytes, .. } => self.at_server.push(bytes),
                other => self.server_events.push(other),
            }
        }
        for event in self.client.events() {
            match event {
                ClientEvent::Message(bytes) => self.at_client.push(bytes),
                other => self.client_events.push(other),
            }
        }
    }

    fn run(&mut self, seconds: f64) {
        let end = self.now + seconds;
        while self.now < end {
            self.step();
        }
    }

    fn is_connected(&self) -> bool {
        self.client_events.contains(&ClientEvent::Connected)
    }
}

fn numbered(number: u32) -> Outgoing {
    // Some are longer than a fragment.
    Outgoing { queue: 10, bytes: number.to_le_bytes().repeat(1 + number as usize * 37 % 200) }
}

#[test]
fn every_message_arrives_once_over_every_network() {
    for (name, network) in LinkConfig::PRESETS {
        let mut pair = Pair::new(network);
        pair.run(20.0);
        assert!(pair.is_connected(), "{name}");
        for number in 0..400 {
            pair.server.send(ClientId(0), &numbered(number));
            pair.client.send(&numbered(number + 1_000));
            pair.run(0.05);
        }
        // A telephone line needs longer for what it could not carry.
        pair.run(if network.bytes_per_sec.is_some() { 150.0 } else { 30.0 });
        for (received, first, end) in [(&pair.at_client, 0, 400), (&pair.at_server, 1_000, 1_400)] {
            let mut received = received.clone();
            received.sort_by_key(|bytes| u32::from_le_bytes(bytes[..4].try_into().unwrap()));
            let sent: Vec<Vec<u8>> = (first..end).map(|number| numbered(number).bytes).collect();
            assert_eq!(received.len(), sent.len(), "{name}: {:?}", pair.client.stats());
            assert!(received == sent, "{name}");
        }
        let stats = pair.client.stats();
        assert_eq!((stats.received.refused, stats.received.lost), (0, 0), "{name}");
        assert!(pair.to_client.stats().lost < 5 || stats.received.missed > 0, "{name}: {stats:?}");
        let trip = stats.round_trip.unwrap();
        assert!(trip >= network.latency_secs && trip < 1.5 + 2.0 * network.latency_secs, "{name}: {trip}");
    }
}

#[test]
fn the_connect_request_comes_from_the_lower_port_and_the_rest_from_the_upper_one() {
    for has_two_sockets in [false, true] {
        let mut pair = Pair::new(LinkConfig::PERFECT);
        pair.has_two_sockets = has_two_sockets;
        pair.run(1.0);
        pair.server.send(ClientId(0), &numbered(7));
        pair.client.send(&numbered(8));
        pair.run(1.0);
        assert_eq!(pair.ports.iter().filter(|port| **port == Port::Lower).count(), 1);
        let address = pair.address(Port::Upper);
        let connected = ServerEvent::Connected { client: ClientId(0), address, account: "ash".to_owned() };
        assert_eq!(pair.server_events, [connected]);
        assert_eq!((pair.at_client.len(), pair.at_server.len()), (1, 1));
    }
}

#[test]
fn a_server_that_does_not_answer_ends_the_login_and_silence_the_session() {
    let mut pair = Pair::new(LinkConfig { loss: 1.0, ..LinkConfig::PERFECT });
    pair.run(45.0);
    assert_eq!(pair.client_events, [ClientEvent::Ended(Ended::NoHandshake)]);
    assert_eq!(pair.client.stats().sent, 20);

    let mut pair = Pair::new(LinkConfig::PERFECT);
    pair.run(1.0);
    pair.to_server = Link::new(LinkConfig { loss: 1.0, ..LinkConfig::PERFECT }).unwrap();
    pair.run(62.0);
    assert!(pair.server_events.contains(&ServerEvent::Ended { client: ClientId(0), why: Ended::Silence }));
    assert_eq!(pair.client_events.last(), Some(&ClientEvent::Ended(Ended::Disconnected)));
}

#[test]
fn a_late_copy_of_a_login_does_not_end_the_session_and_a_new_login_does() {
    let mut pair = Pair::new(LinkConfig::PERFECT);
    let mut twin = Client::new(0.0, ClientConfig::new("ash", "secret"));
    twin.poll(0.0);
    let login = twin.transmits().next().unwrap();
    pair.run(2.0);
    let from = pair.address(Port::Lower);
    pair.server.handle(pair.now, Port::Lower, from, &login.bytes);
    pair.server.send(ClientId(0), &numbered(7));
    pair.run(1.0);
    assert_eq!((pair.at_client.len(), pair.server_events.len()), (1, 1));
    // The client's process is gone, and another one has its port.
    pair.to_server = Link::new(LinkConfig { loss: 1.0, ..LinkConfig::PERFECT }).unwrap();
    pair.run(6.0);
    pair.server.handle(pair.now, Port::Lower, from, &login.bytes);
    pair.run(0.1);
    assert!(matches!(pair.server_events[1], ServerEvent::Ended { client: ClientId(0), .. }));
}

#[test]
fn a_handshake_whose_first_answer_is_lost_is_finished_soon() {
    let mut pair = Pair::new(LinkConfig::PERFECT);
    let mut number = 0;
    pair.to_client.add_rule(move |_: &[u8], _: f64| {
        number += 1;
        // The connect request arrives, and the first packet after it does not.
        if number == 2 { evenstride_link::Verdict::Drop } else { evenstride_link::Verdict::Pass }
    });
    pair.run(1.5);
    assert!(pair.is_connected() && pair.client.stats().handshake_secs.is_some_and(|secs| secs < 1.0));
    pair.server.send(ClientId(0), &numbered(7));
    pair.run(1.0);
    assert_eq!((pair.at_client.len(), pair.client.stats().received.missed), (1, 1));
}

#[test]
fn a_burst_of_thousands_of_messages_arrives() {
    let mut pair = Pair::new(LinkConfig::WIFI_BUSY);
    pair.run(3.0);
    for number in 0..6_000_u32 {
        pair.server.send(ClientId(0), &Outgoing { queue: 10, bytes: number.to_le_bytes().repeat(90) });
    }
    pair.run(60.0);
    let stats = pair.client.stats();
    assert_eq!((pair.at_client.len(), stats.received.lost, stats.received.refused), (6_000, 0, 0));
}

#[test]
fn either_end_can_close_the_session() {
    let mut pair = Pair::new(LinkConfig::PERFECT);
    pair.run(1.0);
    pair.client.close(pair.now);
    pair.run(0.1);
    assert!(
        pair.server_events.contains(&ServerEvent::Ended { client: ClientId(0), why: Ended::Disconnected })
    );

    let mut pair = Pair::new(LinkConfig::PERFECT);
    pair.run(1.0);
    pair.server.close(pair.now, ClientId(0));
    pair.run(0.1);
    assert_eq!(pair.client_events.last(), Some(&ClientEvent::Ended(Ended::Disconnected)));
}

#[test]
fn strangers_get_no_answer_and_logins_no_more_than_there_is_room() {
    let mut server = Server::new(ServerConfig::seeded(1));
    let address = |port: u16| SocketAddr::new([127, 0, 0, 1].into(), port);
    for (number, bytes) in [&b""[..], b"hello", &[0; 20], &[0xFF; 1_500]].into_iter().enumerate() {
        server.handle(0.0, Port::Lower, address(number as u16 + 1), bytes);
        server.handle(0.0, Port::Upper, address(number as u16 + 1), bytes);
    }
    server.poll(0.0);
    assert_eq!((server.transmits().count(), server.stats().strangers), (0, 8));
    for port in 0..100 {
        let mut client = Client::new(0.0, ClientConfig::new("ash", "secret"));
        client.poll(0.0);
        for datagram in client.transmits() {
            server.handle(0.0, datagram.port, address(1_000 + port), &datagram.bytes);
        }
    }
    assert_eq!(server.transmits().count(), MAX_SESSIONS);
    assert_eq!(server.stats().turned_away, 100 - MAX_SESSIONS as u64);
    // Handshakes that are not finished make room again.
    server.poll(16.0);
    let mut client = Client::new(16.0, ClientConfig::new("ash", "secret"));
    client.poll(16.0);
    let login = client.transmits().next().unwrap();
    server.handle(16.0, login.port, address(9), &login.bytes);
    assert_eq!(server.transmits().count(), 1);
}
