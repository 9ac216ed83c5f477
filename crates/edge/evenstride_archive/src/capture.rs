//! Reads a capture, with its hash, its server and its date.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use evenstride_capture::{CaptureError, Session, Timeline};
use evenstride_replay::{Recorder, Script};
use evenstride_types::EntityId;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// A capture that was read.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The messages to replay.
    pub script: Script,
    /// Address and port of the server, or `None` if the capture has none.
    pub server: Option<String>,
    /// Day of the first packet in UTC, like `2013-09-18`. `None` if the capture has no dates.
    pub date: Option<String>,
    /// Descriptions of unreadable parts, at most the first 20.
    pub faults: Vec<String>,
    /// Number of unreadable parts.
    pub fault_count: u64,
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
}

impl From<CaptureError> for ReadError {
    fn from(error: CaptureError) -> Self {
        match error {
            CaptureError::Io(error) => Self::Io(error),
            other => Self::Capture(other),
        }
    }
}

impl Capture {
    /// Reads a file. Messages before a failure are kept.
    ///
    /// # Errors
    /// If no message about motion could be read.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        Self::read_from(File::open(path)?, &name_of(path))
    }

    /// Reads the bytes of a capture. `name` stands in descriptions of unreadable parts.
    ///
    /// # Errors
    /// If no message about motion could be read.
    pub fn read_from(source: impl Read + Send, name: &str) -> Result<Self, ReadError> {
        let mut session = Session::new(Recorder::new(name, Timeline::default()));
        let result = evenstride_capture::read(source, &mut session);
        if session.listener.connections().is_empty() {
            result?;
            return Err(ReadError::NothingAboutMotion);
        }
        let ends: Vec<_> = session.connections().collect();
        let mut recording = session.listener.finish(None);
        if let Err(error) = result {
            recording.fault_count += 1;
            recording.faults.push(format!("{name}: {error}"));
        }
        let taken = recording.connection;
        let server = ends
            .iter()
            .find(|(id, _)| Some(*id) == taken)
            .map(|(_, ends)| format!("{}-{}", ends.server, ends.port));
        let (faults, fault_count) = (std::mem::take(&mut recording.faults), recording.fault_count);
        let date = recording.start.and_then(date_of);
        let script = Script::of(vec![(recording, 0.0)], None);
        if script.messages.is_empty() {
            return Err(ReadError::NothingAboutMotion);
        }
        Ok(Self { script, server, date, faults, fault_count })
    }

    /// Returns the player whose client recorded it.
    pub const fn player(&self) -> Option<EntityId> {
        self.script.player
    }
}

/// Returns the day of a Unix time in UTC, like `2013-09-18`.
pub fn date_of(seconds: f64) -> Option<String> {
    let at = jiff::Timestamp::from_second(seconds as i64).ok()?;
    Some(at.to_zoned(jiff::tz::TimeZone::UTC).date().to_string())
}

/// Returns the SHA-256 of a file, as 64 hexadecimal digits.
///
/// # Errors
/// If the file cannot be read.
pub fn hash_of(path: &Path) -> io::Result<String> {
    let (mut file, mut hasher) = (File::open(path)?, Sha256::new());
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        hasher.update(&buffer[..read]);
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns the name of a file without its folder.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
