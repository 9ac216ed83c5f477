//! A client for tests. It logs in, acknowledges, and counts what it hears.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use evenstride_session::{Client, ClientConfig, ClientEvent, ClientStats, Ended, Guest, Port};
use evenstride_wire::{Message, decode};
use mio::{Token, net::UdpSocket};

use crate::{
    Clock, Stop,
    ports::{BindError, MAX_DATAGRAM, ReadOne, Readiness, TURN, bind_towards, read_one},
    tap::server_address,
};

/// Longest time that the client waits for a datagram.
const WAIT: Duration = Duration::from_millis(50);

/// Largest number of entities that are told apart.
const MAX_ENTITIES: usize = 1 << 16;

/// Largest number of opcodes that are told apart.
const MAX_OPCODES: usize = 4_096;

/// Seconds without a packet after which a server is taken for dead. The client asks for an echo every
/// 3 seconds.
const SILENT_SECS: f64 = 4.0;

/// Seconds without any answer after which a client gives up.
const NO_ANSWER_SECS: f64 = 10.0;

/// The server, the account, and how long to stay.
#[derive(Clone, Debug)]
pub struct JoinOptions {
    /// The lower port of the server.
    pub server: SocketAddr,
    /// Account and password.
    pub client: ClientConfig,
    /// Seconds to stay after the first datagram of the server, or `None` until the end is requested.
    pub seconds: Option<f64>,
    /// Whether the upper port of the server is spoken to from a second socket.
    pub has_two_sockets: bool,
}

/// What a client heard.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// Counts of the session.
    pub stats: ClientStats,
    /// Number of messages by opcode.
    pub by_opcode: BTreeMap<u32, u64>,
    /// Messages with further opcodes.
    pub other_opcodes: u64,
    /// Messages that could not be decoded.
    pub undecoded: u64,
    /// Entities that messages about motion named.
    pub entities: BTreeSet<u32>,
    /// Name of the server.
    pub server: Option<String>,
    /// Name of the character.
    pub character: Option<String>,
    /// Whether the server let the character into the world.
    pub is_in_world: bool,
    /// Why the session ended, unless this client left.
    pub ended: Option<Ended>,
    /// Seconds of silence at the end, if they are too many for a server that lives.
    pub silent_secs: Option<f64>,
    /// Whether the server named another host.
    pub is_referred: bool,
    /// Seconds from the start to the end.
    pub seconds: f64,
    /// Datagrams that did not come from the server.
    pub strangers: u64,
}

/// The reason why a client cannot join.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// No socket could be opened.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The system failed.
    #[error("waiting for the network")]
    Io(#[from] io::Error),
    /// Nothing came back.
    #[error("{0}: no answer in {NO_ANSWER_SECS} s; is a server running there, and is this its lower port?")]
    NoAnswer(SocketAddr),
}

/// Joins a server, and returns what was heard. `tell` gets every message with its time, and may send
/// nothing.
///
/// # Errors
/// [`JoinError`] if the server does not answer.
pub fn join(
    options: &JoinOptions,
    stop: &Stop,
    mut tell: impl FnMut(f64, &[u8]),
) -> Result<Heard, JoinError> {
    let clock = Clock::start();
    let mut readiness = Readiness::new()?;
    let mut sockets = vec![bind_towards(options.server)?];
    if options.has_two_sockets {
        sockets.push(bind_towards(options.server)?);
    }
    for (number, socket) in sockets.iter_mut().enumerate() {
        readiness.add(socket, Token(number))?;
    }
    let mut client = Client::new(clock.now(), options.client.clone());
    let mut guest = Guest::new(&options.client.login.account);
    let mut heard = Heard::default();
    let mut buffer = vec![0; MAX_DATAGRAM];
    let mut answered = None;
    while !stop.is_requested() && !client.is_over() {
        let now = clock.now();
        let is_over = match answered {
            None if now >= NO_ANSWER_SECS => return Err(JoinError::NoAnswer(options.server)),
            None => false,
            Some(since) => options.seconds.is_some_and(|seconds| now - since >= seconds),
        };
        if is_over {
            break;
        }
        client.poll(now);
        transmit(&mut client, options.server, &sockets);
        let due = client.next_due().map_or(WAIT.as_secs_f64(), |due| due - clock.now());
        let wait = Duration::from_secs_f64(due.clamp(0.0005, WAIT.as_secs_f64()));
        for token in readiness.wait(wait)? {
            for _ in 0..TURN {
                match read_one(&sockets[token.0], &mut buffer) {
                    ReadOne::Datagram(length, from) if is_server(options.server, from) => {
                        answered = answered.or(Some(clock.now()));
                        client.handle(clock.now(), &buffer[..length]);
                    }
                    ReadOne::Datagram(..) => heard.strangers += 1,
                    ReadOne::Skip => {}
                    ReadOne::Empty => {
                        readiness.emptied(token);
                        break;
                    }
                }
            }
        }
        for event in client.events() {
            match event {
                ClientEvent::Message(bytes) => {
                    guest.answer(&bytes).iter().for_each(|message| client.send(message));
                    heard.note(&bytes);
                    tell(clock.now(), &bytes);
                }
                ClientEvent::Referred => heard.is_referred = true,
                ClientEvent::Ended(why) => heard.ended = Some(why),
                _ => {}
            }
        }
    }
    client.close(clock.now());
    transmit(&mut client, options.server, &sockets);
    heard.stats = client.stats();
    let silence = heard.stats.heard_at.map(|at| clock.now() - at);
    heard.silent_secs = silence.filter(|secs| *secs > SILENT_SECS);
    heard.server = guest.server().map(str::to_owned);
    heard.character = guest.character().map(|character| character.name.clone());
    heard.is_in_world = guest.is_in_world();
    heard.seconds = clock.now();
    Ok(heard)
}

fn transmit(client: &mut Client, server: SocketAddr, sockets: &[UdpSocket]) {
    for datagram in client.transmits() {
        let is_second = datagram.port == Port::Upper && sockets.len() > 1;
        // What is not sent is missing at the server, which asks for it.
        let _ =
            sockets[usize::from(is_second)].send_to(&datagram.bytes, server_address(server, datagram.port));
    }
}

fn is_server(server: SocketAddr, from: SocketAddr) -> bool {
    let canonical = |ip: IpAddr| ip.to_canonical();
    let is_port = from.port() == server.port() || from.port() == server.port().wrapping_add(1);
    canonical(server.ip()) == canonical(from.ip()) && is_port
}

impl Heard {
    fn note(&mut self, bytes: &[u8]) {
        let Some(opcode) = bytes.first_chunk::<4>().map(|word| u32::from_le_bytes(*word)) else {
            self.undecoded += 1;
            return;
        };
        if self.by_opcode.len() < MAX_OPCODES || self.by_opcode.contains_key(&opcode) {
            *self.by_opcode.entry(opcode).or_default() += 1;
        } else {
            self.other_opcodes += 1;
        }
        match decode(bytes) {
            Ok(decoded) => {
                let is_motion =
                    matches!(decoded.message, Message::Create(_) | Message::Recreate(_) | Message::Update(_));
                let entity =
                    decoded.message.entity().filter(|_| is_motion && self.entities.len() < MAX_ENTITIES);
                self.entities.extend(entity.map(|entity| entity.raw()));
            }
            Err(_) => self.undecoded += 1,
        }
    }
}
