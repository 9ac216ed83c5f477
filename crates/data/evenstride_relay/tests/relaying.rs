//! Datagrams reach their receivers unaltered, and those of strangers reach no one.

use std::net::SocketAddr;

use evenstride_relay::{Dropped, Port, Relay, RelayConfig, Socket, UpstreamId, blank_login};
use evenstride_wire::{Guard, Packet, PacketHeader, Section, write_packet};
use proptest::prelude::*;

/// A real login of account `ac01` with password `ac01`.
const LOGIN: &str = "00000000000001006afcae22000000002d0000000400313830320000210000000200000000000000ccc6996a040061633031000000000000050000000461633031";

fn login() -> Vec<u8> {
    (0..LOGIN.len()).step_by(2).map(|at| u8::from_str_radix(&LOGIN[at..at + 2], 16).unwrap()).collect()
}

fn response() -> Vec<u8> {
    let mut bytes = Vec::new();
    write_packet(&PacketHeader::default(), &[Section::ConnectResponse(0x1157)], &[], None, &mut bytes);
    bytes
}

fn address(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

fn relay() -> Relay {
    Relay::new(RelayConfig::new(address("192.0.2.1:9000")))
}

const LOWER: Socket = Socket::Listening(Port::Lower);
const UPPER: Socket = Socket::Listening(Port::Upper);

#[test]
fn a_client_with_one_port_reaches_both_ports_of_the_server_through_one_socket() {
    let mut relay = relay();
    let client = address("127.0.0.1:50123");
    let login = login();
    let first = relay.handle(0.0, LOWER, client, &login).unwrap();
    assert_eq!((first.to, first.bytes), (address("192.0.2.1:9000"), login.as_slice()));
    let response = response();
    let second = relay.handle(0.1, UPPER, client, &response).unwrap();
    assert_eq!((second.socket, second.to), (first.socket, address("192.0.2.1:9001")));
    for (server, port) in [("192.0.2.1:9000", LOWER), ("192.0.2.1:9001", UPPER)] {
        let answer = relay.handle(0.2, first.socket, address(server), b"?").unwrap();
        assert_eq!((answer.socket, answer.to, answer.bytes), (port, client, b"?".as_slice()));
    }
    assert_eq!((relay.stats().to_server.datagrams, relay.stats().to_clients.datagrams), (2, 2));
}

#[test]
fn a_client_with_two_ports_has_two_sockets() {
    let mut relay = relay();
    let first = relay.handle(0.0, LOWER, address("127.0.0.1:1000"), &login()).unwrap().socket;
    let second = relay.handle(0.1, UPPER, address("127.0.0.1:1001"), &response()).unwrap().socket;
    assert_ne!(first, second);
    // The server sends to the address of the connect response from then on.
    let answer = relay.handle(0.2, second, address("192.0.2.1:9001"), &[]).unwrap();
    assert_eq!((answer.socket, answer.to), (UPPER, address("127.0.0.1:1001")));
}

#[test]
fn strangers_are_dropped_and_counted_on_both_sides() {
    let mut relay = relay();
    let stranger = address("127.0.0.1:6666");
    assert_eq!(relay.handle(0.0, LOWER, stranger, b"hello"), Err(Dropped::NotAClient));
    assert_eq!(relay.handle(0.0, UPPER, stranger, &[]), Err(Dropped::NotAClient));
    let mut forged = login();
    forged[30] ^= 1;
    assert_eq!(
        relay.handle(0.0, LOWER, stranger, &forged),
        Err(Dropped::NotAClient),
        "its checksum is wrong"
    );
    let socket = relay.handle(0.0, LOWER, address("127.0.0.1:1000"), &login()).unwrap().socket;
    assert_eq!(relay.handle(0.0, socket, address("192.0.2.9:9000"), b"!"), Err(Dropped::NotTheServer));
    let unknown = Socket::Upstream(UpstreamId(77));
    assert_eq!(relay.handle(0.0, unknown, address("192.0.2.1:9000"), b"!"), Err(Dropped::Closed));
    assert_eq!(relay.stats().dropped(), 5);
    assert_eq!(relay.clients().count(), 1, "a stranger takes no room");
}

#[test]
fn silent_clients_make_room_for_others() {
    let mut relay = relay();
    let client = |number: u16| SocketAddr::new([127, 0, 0, 1].into(), 1000 + number);
    for number in 0..64 {
        let socket = relay.handle(f64::from(number), LOWER, client(number), &login()).unwrap().socket;
        relay.handle(f64::from(number), socket, address("192.0.2.1:9000"), b"").unwrap();
    }
    assert_eq!(relay.handle(64.0, LOWER, client(64), &login()), Err(Dropped::TooManyClients));
    // The first one is heard of again, through the server's answer.
    let first = relay.clients().find(|(address, _)| *address == client(0)).unwrap().1;
    relay.handle(100.0, Socket::Upstream(first), address("192.0.2.1:9000"), b"").unwrap();
    assert_eq!(relay.next_expiry(), Some(121.0));
    assert!(relay.expire(120.9).is_empty());
    assert_eq!(relay.expire(121.0).len(), 1);
    assert_eq!(relay.expire(183.0).len(), 62);
    assert_eq!(relay.clients().map(|(client, _)| client).collect::<Vec<_>>(), [client(0)]);
    let again = relay.handle(184.0, LOWER, client(64), &login()).unwrap().socket;
    assert_eq!(again, Socket::Upstream(UpstreamId(64)), "numbers are not used again");
}

#[test]
fn clients_without_an_answer_do_not_hold_the_room_of_others() {
    let mut relay = relay();
    for number in 0..64 {
        relay.handle(0.0, UPPER, SocketAddr::new([127, 0, 0, 1].into(), 1000 + number), &response()).unwrap();
    }
    let real = address("127.0.0.1:50123");
    assert_eq!(relay.handle(1.0, LOWER, real, &login()), Err(Dropped::TooManyClients));
    assert_eq!((relay.next_expiry(), relay.expire(15.0).len()), (Some(15.0), 64));
    assert!(relay.handle(15.0, LOWER, real, &login()).is_ok());
}

#[test]
fn a_login_with_a_wrong_checksum_is_recorded_with_a_wrong_checksum() {
    let mut login = login();
    login[8] ^= 1;
    let blank = blank_login(&login).unwrap();
    assert_eq!(Packet::read(&blank).unwrap().guard(), Guard::Broken);
}

#[test]
fn a_recorded_login_keeps_its_length_and_hides_account_and_password() {
    let login = login();
    let blank = blank_login(&login).unwrap();
    assert_eq!(blank.len(), login.len());
    let packet = Packet::read(&blank).unwrap();
    assert_eq!((packet.fault, packet.guard()), (None, Guard::Fits));
    assert!(!blank.windows(4).any(|part| part == b"ac01"), "{blank:02x?}");
    assert_eq!(blank.windows(4).filter(|part| part == b"****").count(), 2);
    assert_eq!(blank_login(&response()), None);
    assert_eq!(blank_login(b"short"), None);
}

proptest! {
    /// Whatever a login looks like, no part of it that may be a password stays.
    #[test]
    fn any_login_is_blanked_in_place(body in proptest::collection::vec(1u8..=255, 0..80), cut in 0usize..100) {
        let mut bytes = Vec::new();
        write_packet(&PacketHeader::default(), &[Section::LoginRequest(body)], &[], None, &mut bytes);
        let whole = blank_login(&bytes).unwrap();
        prop_assert_eq!(whole.len(), bytes.len());
        let packet = Packet::read(&whole).unwrap();
        prop_assert_eq!((packet.fault, packet.guard()), (None, Guard::Fits));
        let cut = cut.min(bytes.len());
        if let Some(blank) = blank_login(&bytes[..cut]) {
            prop_assert_eq!(blank.len(), cut);
        }
    }

    /// A relay never sends a byte that did not arrive, and never to an address that has not sent first.
    #[test]
    fn any_traffic_is_forwarded_as_it_is_or_dropped(
        events in proptest::collection::vec((0u8..4, 0u16..6, proptest::collection::vec(any::<u8>(), 0..40)), 0..60),
    ) {
        let mut relay = relay();
        let mut known = Vec::new();
        for (number, (kind, port, bytes)) in events.into_iter().enumerate() {
            let from = SocketAddr::new([127, 0, 0, 1].into(), 1000 + port);
            let bytes = if kind == 0 { login() } else { bytes };
            let at = match kind {
                0 | 1 => LOWER,
                2 => UPPER,
                _ => Socket::Upstream(UpstreamId(u64::from(port))),
            };
            let from = if kind == 3 { address("192.0.2.1:9000") } else { from };
            let Ok(forward) = relay.handle(number as f64, at, from, &bytes) else { continue };
            prop_assert_eq!(forward.bytes, bytes.as_slice());
            match forward.socket {
                Socket::Upstream(_) => known.push(from),
                Socket::Listening(_) => prop_assert!(known.contains(&forward.to)),
            }
        }
    }
}
