//! What is wrong with a capture, and where.

use std::{fmt, io};

/// Where in a capture something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A packet record.
    Record {
        /// Counted from 1.
        number: u64,
        /// Bytes of the file before it.
        offset: u64,
    },
    /// A line of a file of lines, counted from 1.
    Line(u64),
    /// A datagram that did not come from a file, counted from 1.
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

/// Something that could not be read; reading went on after it, unless it was the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// What.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// Why nothing at all could be read.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("not a capture: neither pcap, pcapng nor JSON lines (gzip of one of them would do)")]
    Format,
    /// It begins like a capture, and ends before the first packet can begin.
    #[error("the file ends inside its own header")]
    Header,
    /// There is nothing in it.
    #[error("the file is empty")]
    Empty,
}
