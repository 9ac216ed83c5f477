//! Reads a capture, with its hash, its server and its date.

use std::{
    fs::File,
    io::{self, Read},
    net::IpAddr,
    ops::RangeInclusive,
    path::Path,
};

use evenstride_capture::{CaptureError, SERVER_PORTS, Session, Timeline};
use evenstride_replay::{Recorder, Script};
use evenstride_types::EntityId;
use thiserror::Error;

use crate::hash::Hashed;

/// A connection of a capture that was read.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The messages to replay.
    pub script: Script,
    /// SHA-256 of the capture's bytes that were read, as 64 hexadecimal digits.
    pub sha256: String,
    /// Number of the connection.
    pub connection: u32,
    /// Whether it was taken because it has the most messages about motion.
    pub is_largest: bool,
    /// Numbers of the other connections with messages about motion.
    pub other_connections: Vec<u32>,
    /// Address and port of the server, or `None` if the capture has none.
    pub server: Option<String>,
    /// Day of the first packet in UTC, like `2013-09-18`. `None` if the capture has no dates.
    pub date: Option<String>,
    /// Descriptions of unreadable parts, at most the first 20.
    pub faults: Vec<String>,
    /// Number of unreadable parts.
    pub fault_count: u64,
}

/// How captures are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureOptions {
    /// UDP ports that servers use (default: 9000 to 10013).
    pub server_ports: RangeInclusive<u16>,
    /// The connection to take (default: the one with the most messages about motion).
    pub connection: Option<u32>,
}

impl Default for CaptureOptions {
    fn default() -> Self {
        Self { server_ports: SERVER_PORTS, connection: None }
    }
}

/// The reason why a capture cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be opened.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is not a capture.
    #[error("{0}")]
    Capture(CaptureError),
    /// No message is about motion.
    #[error("it has no messages about motion")]
    NothingAboutMotion,
    /// The capture lacks the requested connection.
    #[error("connection {0} has no messages about motion; connections with such messages: {1:?}")]
    NoConnection(u32, Vec<u32>),
    /// The file had other bytes when it was read again.
    #[error("it changed while it was read; wait until it is complete, and run again")]
    Changed,
}

impl From<CaptureError> for ReadError {
    fn from(error: CaptureError) -> Self {
        match error {
            CaptureError::Io(error) => Self::Io(error),
            other => Self::Capture(other),
        }
    }
}

/// Most connections of a capture that get tables. A damaged capture may have thousands of them.
pub const MAX_CONNECTIONS: usize = 64;

impl Capture {
    /// Reads a file, and takes the connection with the most messages about motion. Messages before a failure
    /// are kept.
    ///
    /// # Errors
    /// If no message about motion could be read.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        Self::read_with(path, &CaptureOptions::default())
    }

    /// Reads a file in another way.
    ///
    /// # Errors
    /// If no message about motion could be read.
    pub fn read_with(path: &Path, options: &CaptureOptions) -> Result<Self, ReadError> {
        Self::read_from_with(File::open(path)?, &name_of(path), options)
    }

    /// Reads the bytes of a capture. `name` stands in descriptions of unreadable parts.
    ///
    /// # Errors
    /// If no message about motion could be read.
    pub fn read_from(source: impl Read + Send, name: &str) -> Result<Self, ReadError> {
        Self::read_from_with(source, name, &CaptureOptions::default())
    }

    fn read_from_with(
        source: impl Read + Send,
        name: &str,
        options: &CaptureOptions,
    ) -> Result<Self, ReadError> {
        let mut recorder = Recorder::new(name, Timeline::default());
        if let Some(connection) = options.connection {
            recorder = recorder.with_only(connection);
        }
        let mut session = Session::with_server_ports(recorder, options.server_ports.clone());
        let mut source = Hashed::new(source);
        let result = evenstride_capture::read(&mut source, &mut session);
        let mut connections = session.listener.connections();
        if connections.is_empty() {
            result?;
            return Err(ReadError::NothingAboutMotion);
        }
        if let Some(number) = options.connection.filter(|number| !connections.contains(number)) {
            return Err(ReadError::NoConnection(number, connections));
        }
        let servers: Vec<_> = session.connections().map(|(id, _)| (id, session.server_of(id))).collect();
        let mut recording = session.listener.finish(options.connection);
        if let Err(error) = result {
            recording.fault_count += 1;
            recording.faults.push(format!("{name}: {error}"));
        }
        let taken = recording.connection;
        let server = servers.into_iter().find(|(id, _)| Some(*id) == taken).and_then(|(_, server)| server);
        let (faults, fault_count) = (std::mem::take(&mut recording.faults), recording.fault_count);
        let date = recording.start.and_then(date_of);
        let script = Script::of(vec![(recording, 0.0)], None);
        if script.messages.is_empty() {
            return Err(ReadError::NothingAboutMotion);
        }
        let connection = taken.map_or(0, |id| id.0);
        connections.retain(|other| *other != connection);
        Ok(Self {
            script,
            sha256: source.finish()?,
            connection,
            is_largest: options.connection.is_none(),
            other_connections: connections,
            server: server.map(server_name),
            date,
            faults,
            fault_count,
        })
    }

    /// Reads a file once for each connection, and hands on the one with the most messages first. At most
    /// [`MAX_CONNECTIONS`] are read, and each further one counts as an unreadable part of the first.
    ///
    /// # Errors
    /// If no message about motion could be read, if the file changes meanwhile, or if `then` fails.
    pub fn read_each<E: From<ReadError>>(
        path: &Path,
        options: &CaptureOptions,
        mut then: impl FnMut(Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut first = Self::read_with(path, options)?;
        if options.connection.is_some() {
            return then(first);
        }
        let mut others = std::mem::take(&mut first.other_connections);
        let left_out = others.len().saturating_sub(MAX_CONNECTIONS - 1);
        others.truncate(MAX_CONNECTIONS - 1);
        first.other_connections.clone_from(&others);
        if left_out > 0 {
            first.fault_count += left_out as u64;
            let name = name_of(path);
            first.faults.push(format!("{name}: {left_out} connections beyond the first {MAX_CONNECTIONS}"));
        }
        let sha256 = first.sha256.clone();
        then(first)?;
        for connection in others {
            let options = CaptureOptions { connection: Some(connection), ..options.clone() };
            let other = match Self::read_with(path, &options) {
                Err(ReadError::NothingAboutMotion) => continue,
                other => other?,
            };
            if other.sha256 != sha256 {
                return Err(ReadError::Changed.into());
            }
            then(other)?;
        }
        Ok(())
    }

    /// Returns the text of the column `capture`, which tells connections apart.
    pub fn id(&self) -> String {
        capture_id(&self.sha256, self.other_number())
    }

    /// Returns the number of the connection, unless it is the largest.
    pub fn other_number(&self) -> Option<u32> {
        (!self.is_largest).then_some(self.connection)
    }

    /// Returns the player whose client recorded it.
    pub const fn player(&self) -> Option<EntityId> {
        self.script.player
    }
}

/// Returns the first 16 digits of a hash, and the number of a connection that is not the largest.
pub(crate) fn capture_id(sha256: &str, connection: Option<u32>) -> String {
    let digits = sha256.get(..16).unwrap_or("");
    connection.map_or_else(|| digits.to_owned(), |number| format!("{digits}-{number}"))
}

/// Returns address and port of a server as they stand in tables and names of folders.
pub fn server_name((address, port): (IpAddr, u16)) -> String {
    format!("{address}-{port}")
}

/// Returns the day of a Unix time in UTC, like `2013-09-18`.
pub fn date_of(seconds: f64) -> Option<String> {
    let at = jiff::Timestamp::from_second(seconds as i64).ok()?;
    Some(at.to_zoned(jiff::tz::TimeZone::UTC).date().to_string())
}

/// Returns the name of a file without its folder.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
