//! One capture, with its motion messages in order and the player whose client recorded it.

use std::collections::BTreeMap;

use evenstride_capture::{CapturedMessage, ConnectionId, Direction, Fault, Listener, Timeline};
use evenstride_types::{
    EntityId, RawPlacement,
    update::{PlayerAction, PositionUpdate, Update},
};
use evenstride_wire::{Message, decode};

/// Largest valid time in seconds, before or after zero.
const MAX_SECONDS: f64 = 1e9;

/// Step back in seconds beyond which the clock was set back. Smaller steps back mean swapped
/// packets.
const SET_BACK_SECS: f64 = 1.0;

/// Step forward in seconds beyond which the clock has leapt. The next message may show that the
/// leap was a mistake.
const LEAP_SECS: f64 = 3_600.0;

/// Largest number of faults that are kept as text. Further ones are only counted.
const MAX_FAULTS: usize = 20;

/// Longest name in characters. Longer ones are cut.
const MAX_NAME: usize = 64;

/// A message about motion, and its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
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
    pub moments: Vec<Moment>,
    /// The player whose client recorded it, if known.
    pub player: Option<EntityId>,
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
    lanes: BTreeMap<ConnectionId, ConnectionLog>,
    names: BTreeMap<EntityId, String>,
    faults: Vec<String>,
    fault_count: u64,
}

/// One connection.
#[derive(Debug, Default)]
struct ConnectionLog {
    moments: Vec<Moment>,
    last: Option<f64>,
    shift: f64,
    /// The time before the last message, if the last message was far ahead of it.
    leap: Option<f64>,
}

impl ConnectionLog {
    /// Adds a message. Messages keep the order of the capture, regardless of their times. Returns a
    /// description of the problem if the time is implausible.
    fn push(&mut self, time: f64, said: Said) -> Option<String> {
        let mut time = time + self.shift;
        let mut odd = None;
        let leap = self.leap.take();
        if let Some(last) = self.last {
            if time < last - SET_BACK_SECS {
                match leap {
                    // The message before was ahead of both its neighbours, so its time is wrong and
                    // the clock is right.
                    Some(before) if time >= before - SET_BACK_SECS => {
                        odd = Some(format!(
                            "the time of the packet before it is {:.0} s too late",
                            last - before
                        ));
                        self.last = Some(before);
                        if let Some(moment) = self.moments.last_mut() {
                            moment.time = before;
                        }
                    }
                    _ => {
                        odd = Some(format!("the clock went back by {:.3} s", last - time));
                        self.shift += last - time;
                        time = last;
                    }
                }
            } else if time > last + LEAP_SECS {
                self.leap = Some(last);
            }
        }
        let time = time.max(self.last.unwrap_or(f64::NEG_INFINITY));
        self.last = Some(time);
        self.moments.push(Moment { time, said });
        odd
    }
}

impl Recorder {
    /// Creates a recorder for a capture with this name. `timeline` is that of the previous capture,
    /// so that all captures share one time zero.
    pub fn new(name: impl Into<String>, timeline: Timeline) -> Self {
        Self {
            name: name.into(),
            timeline,
            lanes: BTreeMap::new(),
            names: BTreeMap::new(),
            faults: Vec::new(),
            fault_count: 0,
        }
    }

    /// Returns the timeline for the next capture.
    pub const fn timeline(&self) -> Timeline {
        self.timeline
    }

    /// Returns the connections that have messages about motion.
    pub fn connections(&self) -> Vec<u32> {
        self.lanes.iter().filter(|(_, lane)| !lane.moments.is_empty()).map(|(id, _)| id.0).collect()
    }

    /// Ends the recording. It takes `connection` if given, and otherwise the connection with the
    /// most messages about motion.
    pub fn finish(mut self, connection: Option<u32>) -> Recording {
        let chosen = match connection {
            Some(number) => Some(ConnectionId(number)),
            None => self.lanes.iter().rev().max_by_key(|(_, lane)| lane.moments.len()).map(|(id, _)| *id),
        };
        let other_connections =
            self.lanes.iter().filter(|(id, lane)| Some(**id) != chosen && !lane.moments.is_empty()).count();
        let moments = chosen.and_then(|id| self.lanes.remove(&id)).unwrap_or_default().moments;
        Recording {
            player: who_recorded(&moments),
            moments,
            names: self.names,
            connection: chosen,
            other_connections,
            faults: self.faults,
            fault_count: self.fault_count,
        }
    }

    fn note(&mut self, what: String) {
        self.fault_count += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(format!("{}: {what}", self.name));
        }
    }
}

impl Listener for Recorder {
    fn packet(&mut self, time: f64) {
        // Second 0 is the time of the first packet, regardless of its content.
        let _ = self.timeline.seconds(time);
    }

    fn message(&mut self, message: &CapturedMessage<'_>) {
        let decoded = match decode(message.bytes) {
            Ok(decoded) => decoded.message,
            Err(error) => return self.note(format!("{}: {error}", message.place)),
        };
        if let Message::Create(create) | Message::Recreate(create) = &decoded {
            let name = create.weenie.name.to_string().chars().take(MAX_NAME).collect();
            self.names.insert(create.update.entity, name);
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
        let time = self.timeline.seconds(message.time);
        if !(-MAX_SECONDS..=MAX_SECONDS).contains(&time) {
            return self.note(format!("{}: the time {time} s is out of range", message.place));
        }
        let lane = self.lanes.entry(message.connection).or_default();
        if let Some(odd) = lane.push(time, said) {
            self.note(format!("{}: {odd}", message.place));
        }
    }

    fn fault(&mut self, fault: Fault) {
        self.note(fault.to_string());
    }
}

/// Returns the player whose client recorded this. The server names the player. Otherwise it is the
/// player whose positions repeat the client's last report.
///
/// Servers send a client's own positions back unchanged, to the last bit.
fn who_recorded(moments: &[Moment]) -> Option<EntityId> {
    let mut said: Option<&RawPlacement> = None;
    let mut votes: BTreeMap<EntityId, u64> = BTreeMap::new();
    for moment in moments {
        match &moment.said {
            Said::Server(Update::LocalPlayer(entity)) => return Some(*entity),
            Said::Client(action) => said = action.position().or(said),
            Said::Server(
                Update::Position(PositionUpdate { entity, pack })
                | Update::PositionAndMovement { position: PositionUpdate { entity, pack }, .. },
            ) => {
                if said.is_some_and(|said| said.cell == pack.cell && said.origin == pack.origin) {
                    *votes.entry(*entity).or_default() += 1;
                }
            }
            Said::Server(_) => {}
        }
    }
    votes.into_iter().rev().max_by_key(|(_, votes)| *votes).map(|(entity, _)| entity)
}
