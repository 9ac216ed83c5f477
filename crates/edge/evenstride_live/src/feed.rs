//! What a server plays to one client.

use std::sync::Arc;

use evenstride_arena::{Scenario, SimulatedServer, Tick, VIEWER};
use evenstride_capture::{CapturedMessage, Direction, Fault, Listener};
use evenstride_session::{Character, Outgoing};
use evenstride_wire::{Message, encode};

/// Queues of messages about objects, and of events for the interface.
const OBJECTS: u16 = 10;
const INTERFACE: u16 = 9;

/// Opcode of the message that names the client's player.
const LOCAL_PLAYER: u32 = 0xF746;

/// Largest number of bytes of messages that are taken from a recording.
const MAX_RECORDED_BYTES: usize = 1 << 30;

/// Bytes that an allocation needs besides its content.
const ALLOCATION_BYTES: usize = 16;

/// A message of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedMessage {
    /// Time in seconds since the first message.
    pub time: f64,
    /// The message, from the opcode to the last byte.
    pub bytes: Vec<u8>,
}

/// The messages of a recorded server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedSession {
    /// All messages, in order.
    pub messages: Vec<RecordedMessage>,
    /// The entity of the player who recorded it.
    pub player: Option<u32>,
    /// Number of connections in the capture.
    pub connections: usize,
    /// Number of messages that were left out, because they would take too much memory.
    pub left_out: u64,
}

/// What a server plays. Each client gets it from the start.
#[derive(Clone, Debug)]
pub enum Content {
    /// A scenario with this seed. Every client is its viewer.
    Scenario(Arc<Scenario>, u64),
    /// The messages of a recorded server, with their timing.
    Recording(Arc<RecordedSession>),
}

impl Content {
    /// Returns the characters that clients may choose.
    pub fn characters(&self) -> Vec<Character> {
        let entity = match self {
            Self::Scenario(..) => VIEWER.raw(),
            Self::Recording(session) => session.player.unwrap_or(VIEWER.raw()),
        };
        vec![Character { entity, name: "Viewer".to_owned() }]
    }

    pub(crate) fn feed(&self, begun: f64) -> Feed {
        let source = match self {
            Self::Scenario(scenario, seed) => {
                Source::Scenario(Box::new(SimulatedServer::new(scenario, *seed)))
            }
            Self::Recording(session) => Source::Recording(Arc::clone(session), 0),
        };
        Feed { begun, source, is_over: false }
    }
}

/// The content on its way to one client.
#[derive(Debug)]
pub(crate) struct Feed {
    begun: f64,
    source: Source,
    pub(crate) is_over: bool,
}

#[derive(Debug)]
enum Source {
    Scenario(Box<SimulatedServer>),
    Recording(Arc<RecordedSession>, usize),
}

impl Feed {
    /// Returns the messages that are due.
    pub(crate) fn due(&mut self, now: f64) -> Vec<Outgoing> {
        let since = now - self.begun;
        let mut due = Vec::new();
        match &mut self.source {
            Source::Scenario(server) => {
                while !self.is_over && server.next_time() <= since {
                    match server.tick() {
                        Some(Tick { messages, .. }) => due.extend(messages.iter().map(encoded)),
                        None => self.is_over = true,
                    }
                }
            }
            Source::Recording(session, next) => {
                while let Some(message) = session.messages.get(*next).filter(|of| of.time <= since) {
                    due.push(outgoing(message.bytes.clone()));
                    *next += 1;
                }
                self.is_over = *next >= session.messages.len();
            }
        }
        due
    }

    /// Returns the time at which more is due.
    pub(crate) fn next_due(&self) -> Option<f64> {
        let time = match &self.source {
            _ if self.is_over => None,
            Source::Scenario(server) => Some(server.next_time()),
            Source::Recording(session, next) => session.messages.get(*next).map(|message| message.time),
        };
        time.map(|time| self.begun + time)
    }
}

fn encoded(message: &Message) -> Outgoing {
    let mut bytes = Vec::new();
    encode(message, &mut bytes);
    outgoing(bytes)
}

/// Returns a message with the queue of its kind. Recordings of messages do not tell it.
fn outgoing(bytes: Vec<u8>) -> Outgoing {
    let queue = if matches!(opcode(&bytes), Some(0xF619..=0xF755 | 0xF7DB)) { OBJECTS } else { INTERFACE };
    Outgoing { queue, bytes }
}

fn opcode(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?))
}

/// Collects the server's messages of the busiest connection of a capture, or of the one with this
/// number. `read` reads the capture.
///
/// # Errors
/// Those of `read`.
pub fn recorded_session<E>(
    connection: Option<u32>,
    read: impl FnOnce(&mut evenstride_capture::Session<Collector>) -> Result<(), E>,
) -> Result<RecordedSession, E> {
    let mut session =
        evenstride_capture::Session::new(Collector { wanted: connection, ..Collector::default() });
    read(&mut session)?;
    Ok(session.listener.finish())
}

/// Collects the server's messages of each connection.
#[derive(Debug, Default)]
pub struct Collector {
    wanted: Option<u32>,
    found: std::collections::BTreeSet<u32>,
    connections: std::collections::BTreeMap<u32, RecordedSession>,
    bytes: usize,
    left_out: u64,
}

impl Collector {
    fn finish(self) -> RecordedSession {
        let busiest = self.connections.into_values().max_by_key(|session| session.messages.len());
        let mut session = busiest.unwrap_or_default();
        session.left_out = self.left_out;
        session.connections = self.found.len();
        let first = session.messages.first().map_or(0.0, |message| message.time);
        let mut last = 0.0_f64;
        for message in &mut session.messages {
            // A clock that went back must not delay what follows.
            last = last.max(message.time - first);
            message.time = last;
        }
        let entry = session.messages.iter().find(|message| opcode(&message.bytes) == Some(LOCAL_PLAYER));
        session.player = entry.and_then(|message| opcode(message.bytes.get(4..)?));
        session
    }
}

impl Listener for Collector {
    fn message(&mut self, message: &CapturedMessage<'_>) {
        let connection = message.connection.0;
        self.found.insert(connection);
        let is_wanted = self.wanted.is_none_or(|wanted| wanted == connection);
        if message.direction != Direction::FromServer || !is_wanted || is_of_lobby(message.bytes) {
            return;
        }
        let bytes = message.bytes.len() + size_of::<RecordedMessage>() + ALLOCATION_BYTES;
        if self.bytes + bytes > MAX_RECORDED_BYTES {
            self.left_out += 1;
            return;
        }
        self.bytes += bytes;
        let recorded = RecordedMessage { time: message.time, bytes: message.bytes.to_vec() };
        self.connections.entry(connection).or_default().messages.push(recorded);
    }

    fn fault(&mut self, _: Fault) {}
}

/// Returns whether a message belongs to the time before the world. The server makes its own.
fn is_of_lobby(bytes: &[u8]) -> bool {
    matches!(opcode(bytes), Some(0xF658 | 0xF7E1 | 0xF7E5 | 0xF7EA | 0xF7DF))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_keeps_its_timing_and_a_scenario_its_ticks() {
        let message = |time, opcode: u32| RecordedMessage { time, bytes: opcode.to_le_bytes().to_vec() };
        let messages = vec![message(0.0, 0xF746), message(0.5, 0xF748), message(2.0, 0xF7B0)];
        let recording =
            Content::Recording(Arc::new(RecordedSession { messages, ..RecordedSession::default() }));
        let mut feed = recording.feed(10.0);
        assert_eq!((feed.due(10.0).len(), feed.next_due()), (1, Some(10.5)));
        let rest = feed.due(13.0);
        assert_eq!(rest.iter().map(|of| of.queue).collect::<Vec<_>>(), [OBJECTS, INTERFACE]);
        assert!(feed.is_over && feed.next_due().is_none());

        let scenario = evenstride_arena::scenario("walk").unwrap().unwrap();
        let mut feed = Content::Scenario(Arc::new(scenario.clone()), 1).feed(0.0);
        let first = feed.due(0.0);
        assert_eq!(opcode(&first[0].bytes), Some(LOCAL_PLAYER));
        assert!(feed.next_due().is_some_and(|due| (due - 1.0 / 30.0).abs() < 1e-9));
        assert!(!feed.due(scenario.seconds + 1.0).is_empty() && feed.is_over);
    }
}
