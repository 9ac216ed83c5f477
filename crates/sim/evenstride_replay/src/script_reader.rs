//! Reads several captures into one script, and collects notices about unreadable parts.

use std::{collections::BTreeSet, fmt, net::IpAddr, ops::RangeInclusive};

use evenstride_capture::{ConnectionId, SERVER_PORTS, Session, Timeline};
use evenstride_types::EntityId;
use thiserror::Error;

use crate::{Recorder, Recording, Said, Script};

/// Largest number of faults of one capture that become notices. Further ones are only counted.
const FAULTS_SHOWN: usize = 10;

/// Options for reading captures.
#[derive(Clone, Debug)]
pub struct ScriptOptions {
    /// The entity whose client is replayed (default: the player of the first capture).
    pub player: Option<EntityId>,
    /// The connection to take from captures that have several (default: the one with the most
    /// messages about motion).
    pub connection: Option<u32>,
    /// UDP ports that servers use (default: 9000 to 10013).
    pub server_ports: RangeInclusive<u16>,
}

impl Default for ScriptOptions {
    fn default() -> Self {
        Self { player: None, connection: None, server_ports: SERVER_PORTS }
    }
}

/// Reads captures one after the other and merges them.
///
/// The first readable capture is the view, whose client is replayed. An unreadable capture gives a
/// [`ScriptNotice::Unreadable`] and is left out. A caller should stop if the first of several
/// captures is unreadable. Facts that the user should know are returned as [`ScriptNotice`]s, in
/// order.
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
    server: Option<(IpAddr, u16)>,
}

impl ScriptReader {
    /// Creates a reader without captures.
    pub fn new(options: ScriptOptions) -> Self {
        let timeline = Timeline::default();
        let (recordings, names) = (Vec::new(), Vec::new());
        Self { options, timeline, recordings, names, captures: 0, faults: 0, server: None }
    }

    /// Reads one capture. `offset` is added to its times, in seconds. `read` feeds its bytes to the
    /// session.
    ///
    /// # Errors
    ///
    /// [`ScriptError::NoConnection`] if the capture lacks the requested connection. A failure of
    /// `read` is returned as a notice and not as an error. Messages before the failure are kept.
    pub fn read<E: fmt::Display>(
        &mut self,
        name: &str,
        offset: f64,
        read: impl FnOnce(&mut Session<Recorder>) -> Result<(), E>,
    ) -> Result<Vec<ScriptNotice>, ScriptError> {
        let index = self.captures;
        self.captures += 1;
        let ports = self.options.server_ports.clone();
        let mut recorder = Recorder::new(name, self.timeline);
        if let Some(connection) = self.options.connection {
            recorder = recorder.with_only(connection);
        }
        let mut session = Session::with_server_ports(recorder, ports);
        let result = read(&mut session);
        let connections = session.listener.connections();
        if let Err(error) = result {
            if connections.is_empty() {
                self.faults += 1;
                return Ok(vec![ScriptNotice::Unreadable { index, error: error.to_string() }]);
            }
            // The messages before the failure are kept.
            session.listener.note(&error.to_string());
        }
        if let Some(number) = self.options.connection.filter(|number| !connections.contains(number)) {
            return Err(ScriptError::NoConnection { name: name.to_owned(), number, connections });
        }
        self.timeline = session.listener.timeline();
        let ends: Vec<_> = session.connections().map(|(id, _)| (id, session.server_of(id))).collect();
        let recording = session.listener.finish(self.options.connection);
        if self.recordings.is_empty() {
            let taken = ends.into_iter().find(|(id, _)| Some(*id) == recording.connection);
            self.server = taken.and_then(|(_, server)| server);
        }
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

    /// Returns the number of unreadable parts so far, whole captures included.
    pub const fn faults(&self) -> u64 {
        self.faults
    }

    /// Returns address and port of the view's server. `None` if the capture names no addresses.
    pub const fn server(&self) -> Option<(IpAddr, u16)> {
        self.server
    }

    /// Merges the captures.
    ///
    /// # Errors
    ///
    /// If there is nothing to replay, or no message mentions the requested player.
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
        if script.messages.is_empty() {
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

/// The use of one capture among several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CaptureRole {
    /// The messages of its client are replayed.
    View,
    /// The capture adds to the view. Its player is that of the view, or is unknown.
    MoreOfTheView,
    /// The capture was recorded by this player's own client, whose reports are the player's true
    /// places.
    TruthAbout(EntityId),
}

/// A fact about the captures that the user should know. `Display` writes it as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScriptNotice {
    /// A capture is unreadable as a whole.
    Unreadable {
        /// The capture, counted from 0.
        index: usize,
        /// The reader's error.
        error: String,
    },
    /// A part of a capture is unreadable.
    Fault(String),
    /// A capture has more unreadable parts than there are [`ScriptNotice::Fault`]s.
    MoreFaults {
        /// The capture.
        name: String,
        /// Number of further parts.
        more: u64,
    },
    /// A capture has several connections, and one was taken.
    OtherConnections {
        /// The capture.
        name: String,
        /// The connection that was taken.
        taken: ConnectionId,
        /// Number of the others.
        others: usize,
    },
    /// The use of one of several captures.
    Role {
        /// The capture.
        name: String,
        /// Its use.
        role: CaptureRole,
    },
    /// The player whose client is replayed is unknown.
    NoPlayer,
}

impl fmt::Display for ScriptNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { error, .. } => f.write_str(error),
            Self::Fault(fault) => f.write_str(fault),
            Self::MoreFaults { name, more } => {
                write!(f, "{name}: {more} more parts could not be read; `evenstride inspect` counts them")
            }
            Self::OtherConnections { name, taken, others } => write!(
                f,
                "{name}: connection {} is replayed, but {others} others are not; use --connection N to choose one",
                taken.0
            ),
            Self::Role { name, role: CaptureRole::View } => write!(f, "{name}: used as the view"),
            Self::Role { name, role: CaptureRole::MoreOfTheView } => write!(f, "{name}: used as more of the view"),
            Self::Role { name, role: CaptureRole::TruthAbout(player) } => {
                write!(f, "{name}: used as the truth about {player}")
            }
            Self::NoPlayer => f.write_str(
                "the recording client's player is unknown, so every entity is treated as near; use --player GUID to name it",
            ),
        }
    }
}

/// The reason why captures cannot be merged into a script.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// No capture could be read.
    #[error("nothing to replay: no capture could be read")]
    NothingRead,
    /// No message in the captures is about motion.
    #[error("the captures have no messages about motion; `evenstride inspect` shows their contents")]
    NothingAboutMotion,
    /// A capture lacks the requested connection.
    #[error(
        "{name}: connection {number} has no messages about motion; connections with such messages: {connections:?}"
    )]
    NoConnection {
        /// The capture.
        name: String,
        /// The requested connection.
        number: u32,
        /// The connections it has.
        connections: Vec<u32>,
    },
    /// No message mentions the requested player.
    #[error("no message mentions {player}, so its client cannot have recorded this; known entities: {known}")]
    UnknownPlayer {
        /// The requested player.
        player: EntityId,
        /// The entities that messages mention.
        known: String,
    },
}

impl Script {
    /// Returns every entity that the server mentions.
    pub fn entities(&self) -> BTreeSet<EntityId> {
        let mentioned = self.messages.iter().filter_map(|message| match &message.said {
            Said::Server(update) => update.entity(),
            Said::Client(_) => None,
        });
        mentioned.collect()
    }

    /// Returns the first twelve entities by id and name, and the number of further ones.
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
