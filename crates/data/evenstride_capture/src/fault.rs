//! Problems of a capture and their places.

use std::{fmt, io};

/// A place in a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A packet record.
    Record {
        /// Number of the record, from 1.
        number: u64,
        /// Offset of the record in the file, in bytes.
        offset: u64,
    },
    /// A line of a JSON lines file, counted from 1.
    Line(u64),
    /// A datagram that does not come from a file, counted from 1.
    Datagram(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record { number, offset } => write!(f, "packet {number} at byte {offset}"),
            Self::Line(number) => write!(f, "line {number}"),
            Self::Datagram(number) => write!(f, "datagram {number}"),
        }
    }
}

/// A part that is unreadable, or has a wrong checksum. Reading continues after it if more bytes
/// follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Place of the problem.
    pub place: Place,
    /// Description of the problem.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// The reason why a capture is not readable at all.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// Reading the source failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The source has an unknown format.
    #[error("not a capture: expected pcap, pcapng or JSON lines, optionally gzipped")]
    Format,
    /// The source begins like a capture, but ends within the file header.
    #[error("the file ends within its header")]
    Header,
    /// The source is empty.
    #[error("the file is empty")]
    Empty,
}
