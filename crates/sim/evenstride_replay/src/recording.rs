//! One capture, with its motion messages in order and the player whose client recorded it.

use std::collections::{BTreeMap, HashSet};

use evenstride_capture::{CapturedMessage, ConnectionId, Direction, Fault, Listener, Place, Timeline};
use evenstride_types::{
    EntityClass, EntityId, RawPlacement,
    update::{PlayerAction, PositionUpdate, Update},
};
use evenstride_wire::{Aside, Message, decode, opcode_name};

use crate::{clock::Clock, script::Script};

/// Largest memory of messages in bytes. A compressed capture may hold far more of them than its
/// size suggests.
const MAX_HELD_BYTES: usize = 256 << 20;

/// Largest number of entities of a connection. Messages about further ones are left out, because a
/// world needs far more memory for an entity than a message does.
const MAX_ENTITIES: usize = 1 << 17;

/// Largest number of faults that are kept as text. Further ones are only counted.
const MAX_FAULTS: usize = 20;

/// Largest number of players to whom game events are counted.
const MAX_ADDRESSED: usize = 64;

/// Longest name in characters. Longer ones are cut.
const MAX_NAME: usize = 64;

/// A message about motion, and its time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedMessage {
    /// Seconds on the recording's clock.
    pub time: f64,
    /// The message.
    pub said: Said,
}

/// A message, by its sender.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// From the server to the client.
    Server(Update),
    /// From the client to the server.
    Client(PlayerAction),
}

/// The part of a capture that is about motion.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Messages in order. Times never decrease.
    pub messages: Vec<TimedMessage>,
    /// The player whose client recorded it, if known.
    pub player: Option<EntityId>,
    /// The player to whom most game events are addressed, if any. It is most likely the player whose
    /// client recorded it.
    pub likely_player: Option<EntityId>,
    /// Number of messages of each kind, motion or not.
    pub contents: BTreeMap<&'static str, u64>,
    /// Second 0 as a Unix time in seconds. `None` if the recording has no dates.
    pub start: Option<f64>,
    /// Names of entities.
    pub names: BTreeMap<EntityId, String>,
    /// The connection that was taken.
    pub connection: Option<ConnectionId>,
    /// Number of connections that were left out.
    pub other_connections: usize,
    /// Descriptions of unreadable parts, at most the first 20.
    pub faults: Vec<String>,
    /// Number of unreadable parts.
    pub fault_count: u64,
}

/// Makes a [`Recording`] from a capture's session.
#[derive(Debug)]
pub struct Recorder {
    name: String,
    timeline: Timeline,
    /// The one connection to keep, or `None` for all.
    only: Option<ConnectionId>,
    logs: BTreeMap<ConnectionId, ConnectionLog>,
    names: BTreeMap<EntityId, String>,
    /// Number of messages of each kind, over all connections.
    contents: BTreeMap<&'static str, u64>,
    /// Number of game events addressed to each player.
    addressed: BTreeMap<EntityId, u64>,
    faults: Vec<String>,
    fault_count: u64,
    /// Memory of all kept messages, in bytes.
    held_bytes: usize,
    /// Number of messages of the kept connection that did not fit.
    left_out: u64,
    /// Number of messages about entities that did not fit.
    unknown: u64,
    /// Whether other connections were forgotten to make room.
    has_forgotten: bool,
    /// Names that [`Self::take_news`] has not returned yet. `None` unless news are taken.
    new_names: Option<BTreeMap<EntityId, String>>,
}

/// The messages of one connection.
#[derive(Debug, Default)]
struct ConnectionLog {
    /// Number of messages, kept or not.
    heard: u64,
    kept: Vec<Captured>,
    entities: HashSet<EntityId>,
    /// Memory of the kept messages, in bytes.
    bytes: usize,
    /// State for [`Recorder::take_news`].
    clock: Clock,
    recorder: WhoRecorded,
}

/// What has come since the last call of [`Recorder::take_news`].
#[derive(Debug, Default)]
pub struct News {
    /// New messages of each connection, oldest first, and what else is known of it.
    pub scripts: Vec<(ConnectionId, Script)>,
    /// Names of entities that are new or have changed, over all connections.
    pub names: BTreeMap<EntityId, String>,
}

/// A message as it was captured.
#[derive(Debug)]
pub(crate) struct Captured {
    /// Time of the capture, which may be a date.
    pub(crate) time: f64,
    pub(crate) place: Place,
    pub(crate) said: Said,
}

/// What was taken from a connection.
struct Taken {
    messages: Vec<TimedMessage>,
    /// Memory that is free again, in bytes.
    bytes: usize,
}

impl ConnectionLog {
    /// Takes the messages that are kept, but for a last one whose time may be wrong.
    fn take(&mut self, timeline: &Timeline, is_rest: bool, odd: &mut Vec<(Place, String)>) -> Taken {
        let mut messages: Vec<TimedMessage> = Vec::with_capacity(self.kept.len());
        let mut kept = std::mem::take(&mut self.kept).into_iter().peekable();
        while let Some(captured) = kept.next() {
            let Captured { time, place, .. } = captured;
            let (before, mut noted) = (self.clock.clone(), Vec::new());
            let set = self.clock.set(time, place, timeline, &mut |place, what| noted.push((place, what)));
            if self.clock.has_leapt() && kept.peek().is_none() && !is_rest {
                self.clock = before;
                self.kept.push(captured);
                break;
            }
            odd.append(&mut noted);
            if let (Some(corrected), Some(message)) = (set.before, messages.last_mut()) {
                message.time = corrected;
            }
            self.recorder.note(&captured.said);
            messages.push(TimedMessage { time: set.time, said: captured.said });
        }
        let bytes = self.bytes.saturating_sub(self.kept.len() * size_of::<Captured>());
        self.bytes -= bytes;
        Taken { messages, bytes }
    }

    /// Returns whether the entity of a message is among the first [`MAX_ENTITIES`].
    fn has_room_for(&mut self, said: &Said) -> bool {
        let Said::Server(update) = said else { return true };
        let Some(entity) = update.entity() else { return true };
        if self.entities.len() < MAX_ENTITIES {
            self.entities.insert(entity);
            return true;
        }
        self.entities.contains(&entity)
    }
}

impl Recorder {
    /// Creates a recorder for a capture with this name. `timeline` is that of the previous capture,
    /// so that all captures share one time zero.
    pub fn new(name: impl Into<String>, timeline: Timeline) -> Self {
        Self {
            name: name.into(),
            timeline: timeline.for_next_capture(),
            only: None,
            logs: BTreeMap::new(),
            names: BTreeMap::new(),
            contents: BTreeMap::new(),
            addressed: BTreeMap::new(),
            faults: Vec::new(),
            fault_count: 0,
            held_bytes: 0,
            left_out: 0,
            unknown: 0,
            has_forgotten: false,
            new_names: None,
        }
    }

    /// Keeps messages only until [`Self::take_news`] returns them, for captures that are still growing.
    #[must_use]
    pub fn live(mut self) -> Self {
        self.new_names = Some(BTreeMap::new());
        self
    }

    /// Returns what has come since the last call, with the messages of each connection as a script.
    ///
    /// Times, players and names are those of [`Self::finish`], as far as they are known by now. A message whose
    /// time is far ahead of all others waits for the next one, which tells whether that time is wrong.
    pub fn take_news(&mut self) -> News {
        self.take(false)
    }

    /// Returns the rest, after which nothing comes.
    pub fn take_rest(&mut self) -> News {
        self.take(true)
    }

    /// Returns the time in seconds on a connection's own clock that belongs to this captured time. It is never
    /// before its last message, and a leap of the clock is known from the next message on. `None` if nothing
    /// was taken of that connection.
    pub fn reached(&self, connection: ConnectionId, captured: f64) -> Option<f64> {
        self.logs.get(&connection)?.clock.peek(captured, &self.timeline)
    }

    fn take(&mut self, is_rest: bool) -> News {
        let timeline = self.timeline;
        let mut odd = Vec::new();
        let mut scripts = Vec::new();
        for (connection, log) in self.logs.iter_mut().filter(|(_, log)| !log.kept.is_empty()) {
            let taken = log.take(&timeline, is_rest, &mut odd);
            self.held_bytes -= taken.bytes;
            let mut script =
                Script { start: timeline.start(), messages: taken.messages, ..Script::default() };
            script.player = log.recorder.player();
            if let Some(player) = script.player {
                script.add_truth(player);
            }
            scripts.push((*connection, script));
        }
        odd.into_iter().for_each(|(place, what)| self.note(&format!("{place}: {what}")));
        News { scripts, names: self.new_names.as_mut().map(std::mem::take).unwrap_or_default() }
    }

    /// Returns the names of all entities so far, over all connections.
    pub const fn names(&self) -> &BTreeMap<EntityId, String> {
        &self.names
    }

    /// Returns the descriptions of unreadable parts, at most the first 20, and the number of all.
    pub fn faults(&self) -> (&[String], u64) {
        (&self.faults, self.fault_count)
    }

    /// Keeps only the messages of one connection. Those of all others are only counted.
    #[must_use]
    pub fn with_only(mut self, connection: u32) -> Self {
        self.only = Some(ConnectionId(connection));
        self
    }

    /// Returns the timeline for the next capture.
    pub const fn timeline(&self) -> Timeline {
        self.timeline
    }

    /// Returns the connections that have messages about motion.
    pub fn connections(&self) -> Vec<u32> {
        self.logs.iter().filter(|(_, log)| log.heard > 0).map(|(id, _)| id.0).collect()
    }

    /// Ends the recording. It takes `connection` if given, and otherwise the connection with the
    /// most messages about motion.
    pub fn finish(mut self, connection: Option<u32>) -> Recording {
        let chosen = match connection.map(ConnectionId).or(self.only) {
            Some(id) => Some(id),
            None => self.logs.iter().rev().max_by_key(|(_, log)| log.kept.len()).map(|(id, _)| *id),
        };
        let other_connections =
            self.logs.iter().filter(|(id, log)| Some(**id) != chosen && log.heard > 0).count();
        let mut log = chosen.and_then(|id| self.logs.remove(&id)).unwrap_or_default();
        self.logs.clear();
        let timeline = self.timeline;
        let mut odd = Vec::new();
        let messages = log.take(&timeline, true, &mut odd).messages;
        odd.into_iter().for_each(|(place, what)| self.note(&format!("{place}: {what}")));
        self.note_limits();
        Recording {
            player: log.recorder.player(),
            likely_player: self
                .addressed
                .into_iter()
                .max_by_key(|(_, count)| *count)
                .map(|(entity, _)| entity),
            contents: self.contents,
            start: timeline.start(),
            messages,
            names: self.names,
            connection: chosen,
            other_connections,
            faults: self.faults,
            fault_count: self.fault_count,
        }
    }

    pub(crate) fn note(&mut self, what: &str) {
        self.fault_count += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(format!("{}: {what}", self.name));
        }
    }

    fn note_limits(&mut self) {
        let megabytes = MAX_HELD_BYTES >> 20;
        if self.left_out > 0 {
            self.note(&format!(
                "{} messages about motion did not fit into {megabytes} MB and are left out; split the capture",
                self.left_out
            ));
        }
        if self.unknown > 0 {
            self.note(&format!(
                "{} messages are about more than {MAX_ENTITIES} entities and are left out; split the capture",
                self.unknown
            ));
        }
        if self.has_forgotten {
            self.note(&format!(
                "the messages of all connections did not fit into {megabytes} MB, so the largest so far was taken; use --connection N to choose one"
            ));
        }
    }

    /// Keeps a message if it fits. When memory is full, only the connection with the most messages
    /// so far is kept.
    fn keep(&mut self, connection: ConnectionId, captured: Captured, bytes: usize) {
        let bytes = bytes + size_of::<Captured>();
        self.logs.entry(connection).or_default().heard += 1;
        if self.held_bytes + bytes > MAX_HELD_BYTES && self.only.is_none() {
            self.forget_others();
        }
        if self.only.is_some_and(|only| only != connection) {
            return;
        }
        if self.held_bytes + bytes > MAX_HELD_BYTES {
            self.left_out += 1;
        } else if let Some(log) = self.logs.get_mut(&connection) {
            if !log.has_room_for(&captured.said) {
                self.unknown += 1;
                return;
            }
            self.held_bytes += bytes;
            log.bytes += bytes;
            log.kept.push(captured);
        }
    }

    /// Forgets all connections but the largest, for good.
    fn forget_others(&mut self) {
        let largest = self.logs.iter().rev().max_by_key(|(_, log)| log.kept.len());
        let Some(largest) = largest.map(|(id, _)| *id) else { return };
        self.only = Some(largest);
        for (_, log) in self.logs.iter_mut().filter(|(id, _)| **id != largest) {
            self.has_forgotten |= !log.kept.is_empty();
            self.held_bytes -= log.bytes;
            *log = ConnectionLog { heard: log.heard, ..ConnectionLog::default() };
        }
    }
}

impl Listener for Recorder {
    fn packet(&mut self, time: f64) {
        // Second 0 is the time of the first packet, regardless of its content.
        self.timeline.note(time);
    }

    fn message(&mut self, message: &CapturedMessage<'_>) {
        let decoded = match decode(message.bytes) {
            Ok(decoded) => decoded.message,
            Err(error) => return self.note(&format!("{}: {error}", message.place)),
        };
        if let Some(name) = opcode_name(decoded.opcode()) {
            *self.contents.entry(name).or_default() += 1;
        }
        if let Message::Aside(Aside::GameEvent { entity, .. }) = &decoded
            && entity.class() == EntityClass::Player
            && (self.addressed.len() < MAX_ADDRESSED || self.addressed.contains_key(entity))
        {
            *self.addressed.entry(*entity).or_default() += 1;
        }
        if let Message::Create(create) | Message::Recreate(create) = &decoded {
            let entity = create.update.entity;
            if self.names.len() < MAX_ENTITIES || self.names.contains_key(&entity) {
                let name: String = create.weenie.name.to_string().chars().take(MAX_NAME).collect();
                if let Some(new) = self.new_names.as_mut().filter(|_| self.names.get(&entity) != Some(&name))
                {
                    new.insert(entity, name.clone());
                }
                self.names.insert(entity, name);
            }
        }
        let said = match (message.direction, decoded) {
            (Direction::FromServer, decoded) => match decoded.into_update() {
                Some(update) => Said::Server(update),
                None => return,
            },
            (Direction::FromClient, Message::Action(action)) => match action.action {
                Ok(action) => Said::Client(action),
                Err(_) => return,
            },
            (Direction::FromClient, _) => return,
        };
        let captured = Captured { time: message.time, place: message.place, said };
        self.keep(message.connection, captured, message.bytes.len());
    }

    fn fault(&mut self, fault: Fault) {
        self.note(&fault.to_string());
    }
}

/// Finds the player whose client recorded a capture. The server names the player. Otherwise it is the
/// player whose positions repeat the client's last report.
///
/// Servers send a client's own positions back unchanged, to the last bit.
#[derive(Debug, Default)]
struct WhoRecorded {
    named: Option<EntityId>,
    reported: Option<RawPlacement>,
    votes: BTreeMap<EntityId, u64>,
}

impl WhoRecorded {
    fn note(&mut self, said: &Said) {
        if self.named.is_some() {
            return;
        }
        match said {
            Said::Server(Update::LocalPlayer(entity)) => self.named = Some(*entity),
            Said::Client(action) => self.reported = action.position().copied().or(self.reported),
            Said::Server(
                Update::Position(PositionUpdate { entity, pack })
                | Update::PositionAndMovement { position: PositionUpdate { entity, pack }, .. },
            ) => {
                let is_echo = |said: RawPlacement| said.cell == pack.cell && said.origin == pack.origin;
                if self.reported.is_some_and(is_echo) {
                    *self.votes.entry(*entity).or_default() += 1;
                }
            }
            Said::Server(_) => {}
        }
    }

    fn player(&self) -> Option<EntityId> {
        let voted = || self.votes.iter().rev().max_by_key(|(_, votes)| **votes).map(|(entity, _)| *entity);
        self.named.or_else(voted)
    }
}
