//! What can go wrong with an archive, and where.

use std::{fmt, io};

use evenstride::animation::AnimationError;
use evenstride_types::PoseError;

use crate::{ChainFault, NodeFault, NotFetched, ReadAt, RecordError, RecordId, RecordKind};

/// Why an archive, or something in it, cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DatError {
    /// It is something else.
    #[error("not an archive of the game: {size} bytes without its mark at 0x140 or 0x12C")]
    NotAnArchive {
        /// How long it is.
        size: u64,
    },
    /// It is too short to be one.
    #[error("not an archive of the game: {size} bytes; its header alone has 1024")]
    TooShort {
        /// How long it is.
        size: u64,
    },
    /// So much of it is missing that its directory is gone.
    #[error("cut short: its header says {said} bytes, there are {has}, and the directory is not among them")]
    CutShort {
        /// As the header says.
        said: u32,
        /// As it is.
        has: u64,
    },
    /// Its blocks have no size that blocks can have.
    #[error("header: blocks of {block_size} bytes (the game's have 1024 or 256)")]
    BlockSize {
        /// As the header says.
        block_size: u32,
    },
    /// Its bytes cannot be had.
    #[error("{bytes} bytes at offset 0x{offset:X} cannot be read: {what}")]
    Source {
        /// From here.
        offset: u64,
        /// So many.
        bytes: usize,
        /// Of which kind the error is.
        kind: io::ErrorKind,
        /// What the system says.
        what: String,
    },
    /// Its bytes are not here yet.
    #[error(transparent)]
    NotFetched(#[from] NotFetched),
    /// A chain of blocks is broken.
    #[error("{owner}: block {nth} of its chain, at 0x{block:X}: {fault}")]
    Chain {
        /// Whose chain.
        owner: ChainOwner,
        /// Which block of it, counted from 0.
        nth: u32,
        /// Where that lies.
        block: u32,
        /// What is wrong with it.
        fault: ChainFault,
    },
    /// A node of the directory is wrong.
    #[error("directory node at 0x{at:X}: {fault}")]
    Node {
        /// Where.
        at: u32,
        /// What is wrong with it.
        fault: NodeFault,
    },
    /// There is no such record.
    #[error("there is no record {id}")]
    NotFound {
        /// Which.
        id: RecordId,
    },
    /// A host that was asked for a record failed.
    #[error("{id}: the host did not give it: {what}")]
    Host {
        /// Which.
        id: RecordId,
        /// What the host says.
        what: String,
    },
    /// A record is longer than the whole file.
    #[error("{id}: {size} bytes are more than the file has")]
    Size {
        /// Which.
        id: RecordId,
        /// As the directory says.
        size: u32,
    },
    /// A record is not what was asked for.
    #[error("{id} is no {wanted}")]
    Kind {
        /// Which.
        id: RecordId,
        /// What was asked for.
        wanted: RecordKind,
    },
    /// A compressed record cannot be unpacked.
    #[error("{id}: compressed, and {what}")]
    Compressed {
        /// Which.
        id: RecordId,
        /// What is wrong.
        what: &'static str,
    },
    /// The header says that the file has another length.
    #[error("header: the file is said to have {said} bytes, and has {has}")]
    FileSize {
        /// As the header says.
        said: u32,
        /// As it is.
        has: u64,
    },
    /// The header says that another number of blocks is free.
    #[error("header: {said} blocks are said to be free, and {found} are in the list of free blocks")]
    FreeCount {
        /// As the header says.
        said: u32,
        /// In the list.
        found: u32,
    },
    /// There is no record of patches, without which the client refuses an archive.
    #[error("there is no record 0xFFFF0001 of patches: the client would refuse the archive")]
    NoIterations,
    /// A number that is none, where motion needs one.
    #[error("{id}: {field}: {value} is no number to move by")]
    NotFinite {
        /// In which record.
        id: RecordId,
        /// Which.
        field: &'static str,
        /// As it is.
        value: f32,
    },
    /// A record refers to one of another kind.
    #[error("{id} refers to {to} as if it were a {wanted}")]
    Reference {
        /// Which.
        id: RecordId,
        /// To which.
        to: RecordId,
        /// What that should be.
        wanted: RecordKind,
    },
    /// More was to be loaded than may be.
    #[error("{id} is not loaded: there are {limit} bytes of records already")]
    LibraryFull {
        /// Which was too much.
        id: RecordId,
        /// The bound.
        limit: usize,
    },
    /// An animation that the core cannot play.
    #[error("{id}: {error}")]
    Animation {
        /// Which.
        id: RecordId,
        /// Why not.
        error: AnimationError,
    },
    /// A keyframe carries the root to where nothing is.
    #[error("{id}: root of keyframe {frame}: {error}")]
    RootFrame {
        /// Of which animation.
        id: RecordId,
        /// Which keyframe.
        frame: usize,
        /// What is wrong with it.
        error: PoseError,
    },
    /// A record says something that cannot be.
    #[error("{id}: {error}")]
    Record {
        /// Which.
        id: RecordId,
        /// What, and at which byte.
        error: RecordError,
    },
}

/// Whose chain of blocks it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainOwner {
    /// A record's.
    Record(RecordId),
    /// That of a node of the directory, by where it begins.
    Node(u32),
    /// That of all free blocks.
    FreeList,
}

impl fmt::Display for ChainOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(id) => id.fmt(f),
            Self::Node(at) => write!(f, "directory node at 0x{at:X}"),
            Self::FreeList => f.write_str("list of free blocks"),
        }
    }
}

/// Fills a buffer from a source.
pub(crate) fn read_bytes(source: &impl ReadAt, offset: u64, buffer: &mut [u8]) -> Result<(), DatError> {
    let bytes = buffer.len();
    source.read_exact_at(offset, buffer).map_err(|error| source_error(&error, offset, bytes))
}

pub(crate) fn source_error(error: &io::Error, offset: u64, bytes: usize) -> DatError {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<NotFetched>()) {
        Some(missing) => DatError::NotFetched(*missing),
        None => DatError::Source { offset, bytes, kind: error.kind(), what: error.to_string() },
    }
}

/// A word of a buffer that is known to be long enough; 0 beyond its end.
pub(crate) fn le_u32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |word| u32::from_le_bytes(*word))
}
