//! Anything may arrive at either end, at any time.

use std::net::SocketAddr;

use evenstride_session::{Client, ClientConfig, Greeter, Guest, Port, Server, ServerConfig, ServerEvent};
use proptest::prelude::*;

/// What happens to a genuine datagram on its way.
#[derive(Clone, Debug)]
enum Fate {
    Arrives,
    Lost,
    Twice,
    /// A byte changes.
    Damaged(usize, u8),
    /// The end is cut off.
    Cut(usize),
    /// Garbage arrives before it.
    After(Vec<u8>),
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        6 => Just(Fate::Arrives),
        1 => Just(Fate::Lost),
        1 => Just(Fate::Twice),
        2 => (0..600usize, 1..=255u8).prop_map(|(at, change)| Fate::Damaged(at, change)),
        1 => (0..600usize).prop_map(Fate::Cut),
        1 => proptest::collection::vec(any::<u8>(), 0..80).prop_map(Fate::After),
    ]
}

fn arrivals(bytes: &[u8], fate: &Fate) -> Vec<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    match fate {
        Fate::Arrives => vec![bytes],
        Fate::Lost => Vec::new(),
        Fate::Twice => vec![bytes.clone(), bytes],
        Fate::Damaged(at, change) => {
            let at = at % bytes.len();
            bytes[at] ^= change;
            vec![bytes]
        }
        Fate::Cut(at) => {
            bytes.truncate(at % bytes.len());
            vec![bytes]
        }
        Fate::After(garbage) => vec![garbage.clone(), bytes],
    }
}

proptest! {
    /// Neither end panics, both find each other again, and no message is forged.
    #[test]
    fn both_ends_survive_any_network(fates in proptest::collection::vec(fate(), 1..120)) {
        let mut server = Server::new(ServerConfig::seeded(2));
        let mut client = Client::new(0.0, ClientConfig::new("ash", "secret"));
        let (mut greeter, mut guest) = (None, Guest::new("ash"));
        let address = SocketAddr::new([127, 0, 0, 1].into(), 50_000);
        let mut fates = fates.into_iter();
        let (mut entered, mut forged) = (false, 0);
        for step in 0..1_500 {
            let now = f64::from(step) * 0.05;
            client.poll(now);
            for datagram in client.transmits() {
                for bytes in arrivals(&datagram.bytes, &fates.next().unwrap_or(Fate::Arrives)) {
                    server.handle(now, datagram.port, address, &bytes);
                    server.handle(now, Port::Lower, address, &bytes[..bytes.len() / 2]);
                }
            }
            server.poll(now);
            for datagram in server.transmits() {
                for bytes in arrivals(&datagram.bytes, &fates.next().unwrap_or(Fate::Arrives)) {
                    client.handle(now, &bytes);
                }
            }
            for event in server.events() {
                match event {
                    ServerEvent::Connected { client, account, .. } => {
                        let new = Greeter::new(&account, "s", vec![evenstride_session::Character { entity: 7, name: "A".to_owned() }]);
                        new.greeting().iter().for_each(|message| server.send(client, message));
                        greeter = Some(new);
                    }
                    ServerEvent::Message { client, bytes } => {
                        let greeter: &mut Greeter = greeter.as_mut().expect("messages come after the connection");
                        let known = [0xF7E6_u32, 0xF7EA, 0xF7C8, 0xF657];
                        forged += usize::from(!known.iter().any(|opcode| bytes.starts_with(&opcode.to_le_bytes())));
                        greeter.answer(&bytes).iter().for_each(|message| server.send(client, message));
                        entered |= greeter.entry(&bytes).is_some();
                    }
                    _ => {}
                }
            }
            for event in client.events() {
                if let evenstride_session::ClientEvent::Message(bytes) = event {
                    guest.answer(&bytes).iter().for_each(|message| client.send(message));
                }
            }
        }
        prop_assert_eq!(forged, 0);
        // A damaged connect request can give the client another key. Then its session never begins.
        prop_assert!(entered || client.stats().received.refused > 0 || client.is_over());
    }
}
