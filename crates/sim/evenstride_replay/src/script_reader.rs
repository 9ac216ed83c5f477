//! Several captures into one script: which is the view, which hold the truth, what could not be read.

use std::{collections::BTreeSet, fmt, ops::RangeInclusive};

use evenstride_capture::{ConnectionId, SERVER_PORTS, Session, Timeline};
use evenstride_types::EntityId;
use thiserror::Error;

use crate::{Recorder, Recording, Said, Script};

/// Faults of one capture that become notices. The others are counted.
const FAULTS_SHOWN: usize = 10;

/// What to take from captures.
#[derive(Clone, Debug)]
pub struct ScriptOptions {
    /// The entity whose client is replayed (default: the player of the first capture).
    pub player: Option<EntityId>,
    /// The connection to take from captures that have several (default: the one with most messages).
    pub connection: Option<u32>,
    /// UDP ports that servers use (default: 9000 to 10013).
    pub server_ports: RangeInclusive<u16>,
}

impl Default for ScriptOptions {
    fn default() -> Self {
        Self { player: None, connection: None, server_ports: SERVER_PORTS }
    }
}

/// Reads captures one after the other and lays them over each other.
///
/// The first capture is the view. A capture that cannot be read is left out, unless it is the view of
/// several. Everything a person should know comes back as [`ScriptNotice`]s, in order.
///
/// ```
/// use evenstride_replay::{ScriptOptions, ScriptReader, sample};
///
/// let capture = sample::first_light()?;
/// let mut reader = ScriptReader::new(ScriptOptions::default());
/// let notices = reader.read("first-light.pcap", 0.0, |session| {
///     evenstride_capture::read(capture.as_slice(), session)
/// })?;
/// assert!(notices.is_empty());
/// let (script, _) = reader.finish()?;
/// assert_eq!(script.player, Some(sample::VESPER));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ScriptReader {
    options: ScriptOptions,
    timeline: Timeline,
    recordings: Vec<(Recording, f64)>,
    names: Vec<String>,
    captures: usize,
    faults: u64,
}

impl ScriptReader {
    /// Starts without captures.
    pub fn new(options: ScriptOptions) -> Self {
        let timeline = Timeline::default();
        Self { options, timeline, recordings: Vec::new(), names: Vec::new(), captures: 0, faults: 0 }
    }

    /// Reads one capture. `offset` is added to its times, in seconds; `read` feeds its bytes to the session.
    ///
    /// # Errors
    ///
    /// If the capture does not have the connection that was asked for. A failure of `read` is a notice.
    pub fn read<E: fmt::Display>(
        &mut self,
        name: &str,
        offset: f64,
        read: impl FnOnce(&mut Session<Recorder>) -> Result<(), E>,
    ) -> Result<Vec<ScriptNotice>, ScriptError> {
        let index = self.captures;
        self.captures += 1;
        let ports = self.options.server_ports.clone();
        let mut session = Session::with_server_ports(Recorder::new(name, self.timeline), ports);
        if let Err(error) = read(&mut session) {
            self.faults += 1;
            return Ok(vec![ScriptNotice::Unreadable { index, error: error.to_string() }]);
        }
        let connections = session.listener.connections();
        if let Some(number) = self.options.connection.filter(|number| !connections.contains(number)) {
            return Err(ScriptError::NoConnection { name: name.to_owned(), number, connections });
        }
        self.timeline = session.listener.timeline();
        let recording = session.listener.finish(self.options.connection);
        let mut notices: Vec<ScriptNotice> =
            recording.faults.iter().take(FAULTS_SHOWN).cloned().map(ScriptNotice::Fault).collect();
        let more = recording.fault_count.saturating_sub(FAULTS_SHOWN as u64);
        if more > 0 {
            notices.push(ScriptNotice::MoreFaults { name: name.to_owned(), more });
        }
        if recording.other_connections > 0 {
            let (name, taken) = (name.to_owned(), recording.connection.unwrap_or(ConnectionId(0)));
            notices.push(ScriptNotice::OtherConnections { name, taken, others: recording.other_connections });
        }
        self.faults += recording.fault_count;
        self.recordings.push((recording, offset));
        self.names.push(name.to_owned());
        Ok(notices)
    }

    /// Returns how many things could not be read so far, whole captures included.
    pub const fn faults(&self) -> u64 {
        self.faults
    }

    /// Lays the captures over each other.
    ///
    /// # Errors
    ///
    /// If there is nothing to replay, or the player that was asked for is in none of the captures.
    pub fn finish(self) -> Result<(Script, Vec<ScriptNotice>), ScriptError> {
        let Self { options, recordings, names, .. } = self;
        if recordings.is_empty() {
            return Err(ScriptError::NothingRead);
        }
        let view = options.player.or_else(|| recordings.first().and_then(|(first, _)| first.player));
        let mut notices = Vec::new();
        if recordings.len() > 1 {
            for (index, ((recording, _), name)) in recordings.iter().zip(names).enumerate() {
                let role = match recording.player {
                    _ if index == 0 => CaptureRole::View,
                    Some(player) if Some(player) != view => CaptureRole::TruthAbout(player),
                    _ => CaptureRole::MoreOfTheView,
                };
                notices.push(ScriptNotice::Role { name, role });
            }
        }
        let script = Script::of(recordings, options.player);
        if script.moments.is_empty() {
            return Err(ScriptError::NothingAboutMotion);
        }
        if let Some(player) = options.player.filter(|player| !script.entities().contains(player)) {
            return Err(ScriptError::UnknownPlayer { player, known: script.entities_in_words() });
        }
        if script.player.is_none() {
            notices.push(ScriptNotice::NoPlayer);
        }
        Ok((script, notices))
    }
}

/// What a capture among several is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CaptureRole {
    /// What its client heard is replayed.
    View,
    /// Another recording of the view's player, or of an unknown one.
    MoreOfTheView,
    /// What this player's own client sent says where the player truly was.
    TruthAbout(EntityId),
}

/// Something a person should know about captures that were read. `Display` gives one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScriptNotice {
    /// A capture could not be read at all.
    Unreadable {
        /// Which capture, counted from 0.
        index: usize,
        /// What its reader said.
        error: String,
    },
    /// Something in a capture could not be read.
    Fault(String),
    /// More things in a capture could not be read than there are [`ScriptNotice::Fault`]s.
    MoreFaults {
        /// The capture.
        name: String,
        /// How many more.
        more: u64,
    },
    /// Several connections are in a capture, and one was taken.
    OtherConnections {
        /// The capture.
        name: String,
        /// The connection that was taken.
        taken: ConnectionId,
        /// How many were not.
        others: usize,
    },
    /// What one of several captures is used for.
    Role {
        /// The capture.
        name: String,
        /// What for.
        role: CaptureRole,
    },
    /// No capture says whose client recorded it.
    NoPlayer,
}

impl fmt::Display for ScriptNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { error, .. } => f.write_str(error),
            Self::Fault(fault) => f.write_str(fault),
            Self::MoreFaults { name, more } => {
                write!(f, "{name}: {more} more things could not be read; `evenstride inspect` counts them")
            }
            Self::OtherConnections { name, taken, others } => write!(
                f,
                "{name}: connection {} is replayed, {others} others are not (--connection N)",
                taken.0
            ),
            Self::Role { name, role: CaptureRole::View } => write!(f, "{name}: the view"),
            Self::Role { name, role: CaptureRole::MoreOfTheView } => write!(f, "{name}: more of the view"),
            Self::Role { name, role: CaptureRole::TruthAbout(player) } => {
                write!(f, "{name}: the truth about {player}")
            }
            Self::NoPlayer => f.write_str(
                "the recording client's player is unknown, so every entity is treated as near (--player GUID)",
            ),
        }
    }
}

/// Why captures make no script.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// No capture could be read.
    #[error("nothing to replay")]
    NothingRead,
    /// No message in the captures is about motion.
    #[error("nothing in it is about motion; `evenstride inspect` shows what there is")]
    NothingAboutMotion,
    /// A capture does not have the connection that was asked for.
    #[error("{name}: there is no connection {number} with anything about motion; there are {connections:?}")]
    NoConnection {
        /// The capture.
        name: String,
        /// The connection that was asked for.
        number: u32,
        /// The connections it has.
        connections: Vec<u32>,
    },
    /// The player that was asked for is in no message.
    #[error("no message mentions {player}, so it cannot have recorded this; there are {known}")]
    UnknownPlayer {
        /// The player that was asked for.
        player: EntityId,
        /// The entities there are.
        known: String,
    },
}

impl Script {
    /// Returns every entity that the server mentions.
    pub fn entities(&self) -> BTreeSet<EntityId> {
        let mentioned = self.moments.iter().filter_map(|moment| match &moment.said {
            Said::Server(update) => update.entity(),
            Said::Client(_) => None,
        });
        mentioned.collect()
    }

    /// Returns the first twelve entities by id and name, and how many more there are.
    pub fn entities_in_words(&self) -> String {
        const SHOWN: usize = 12;
        let entities = self.entities();
        let words: Vec<String> = entities
            .iter()
            .take(SHOWN)
            .map(|entity| match self.names.get(entity) {
                Some(name) => format!("{entity} {name}"),
                None => entity.to_string(),
            })
            .collect();
        match entities.len().saturating_sub(SHOWN) {
            0 => words.join(", "),
            more => format!("{} and {more} more", words.join(", ")),
        }
    }
}
