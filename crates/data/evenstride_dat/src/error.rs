//! Errors of archives and their places.

use std::{fmt, io};

use evenstride::animation::AnimationError;
use evenstride_types::PoseError;

use crate::{ChainFault, NodeFault, NotFetched, ReadAt, RecordError, RecordId, RecordKind};

/// The reason why an archive or a part of it is unreadable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DatError {
    /// The file is not an archive.
    #[error("not an archive of the game: its {size} bytes have no signature at 0x140 or 0x12C")]
    NotAnArchive {
        /// Length of the file in bytes.
        size: u64,
    },
    /// The file is shorter than an archive's header.
    #[error("not an archive of the game: it has {size} bytes, but a header alone has 1024")]
    TooShort {
        /// Length of the file in bytes.
        size: u64,
    },
    /// The file is truncated, and its directory is missing.
    #[error("truncated: its header says {said} bytes, but the file has {has}, and the directory is missing")]
    CutShort {
        /// Length in bytes, according to the header.
        said: u32,
        /// Actual length in bytes.
        has: u64,
    },
    /// The block size in the header is invalid.
    #[error("header: unknown block size of {block_size} bytes (the game uses 1024 or 256)")]
    BlockSize {
        /// Block size in bytes, according to the header.
        block_size: u32,
    },
    /// The source failed to read bytes.
    #[error("{bytes} bytes at offset 0x{offset:X} cannot be read: {what}")]
    Source {
        /// Offset of the first byte.
        offset: u64,
        /// Number of bytes.
        bytes: usize,
        /// Kind of the system's error.
        kind: io::ErrorKind,
        /// Message of the system's error.
        what: String,
    },
    /// Bytes have not been fetched yet.
    #[error(transparent)]
    NotFetched(#[from] NotFetched),
    /// A chain of blocks is damaged.
    #[error("{owner}: block {nth} of its chain, at 0x{block:X}: {fault}")]
    Chain {
        /// Owner of the chain.
        owner: ChainOwner,
        /// Index of the block in the chain, from 0.
        nth: u32,
        /// Offset of the block.
        block: u32,
        /// The fault.
        fault: ChainFault,
    },
    /// A directory node is damaged.
    #[error("directory node at 0x{at:X}: {fault}")]
    Node {
        /// Offset of the node.
        at: u32,
        /// The fault.
        fault: NodeFault,
    },
    /// The record is missing.
    #[error("there is no record {id}")]
    NotFound {
        /// Number of the record.
        id: RecordId,
    },
    /// The host failed to provide a record.
    #[error("{id}: the host did not provide the record: {what}")]
    Host {
        /// Number of the record.
        id: RecordId,
        /// Message of the host.
        what: String,
    },
    /// A record is longer than the file, or has 2 GiB or more.
    #[error("{id}: {size} bytes are more than the file has")]
    Size {
        /// Number of the record.
        id: RecordId,
        /// Length in bytes, according to the directory.
        size: u32,
    },
    /// A record has another kind than requested.
    #[error("{id} is not a record of kind {wanted}")]
    Kind {
        /// Number of the record.
        id: RecordId,
        /// The requested kind.
        wanted: RecordKind,
    },
    /// A compressed record was not unpacked.
    #[error("{id}: the compressed record could not be unpacked: {what}")]
    Compressed {
        /// Number of the record.
        id: RecordId,
        /// The reason.
        what: &'static str,
    },
    /// The header has a wrong file length.
    #[error("header: the file should have {said} bytes, but has {has}")]
    FileSize {
        /// Length in bytes, according to the header.
        said: u32,
        /// Actual length in bytes.
        has: u64,
    },
    /// The header has a wrong number of free blocks.
    #[error("header: {said} blocks should be free, but {found} are in the list of free blocks")]
    FreeCount {
        /// Number of free blocks, according to the header.
        said: u32,
        /// Number of blocks in the free list.
        found: u32,
    },
    /// The record of patches is missing. The client refuses such an archive.
    #[error("the record of patches 0xFFFF0001 is missing; the client would refuse the archive")]
    NoIterations,
    /// A value that motion needs is not finite.
    #[error("{id}: {field}: {value} is not a finite number")]
    NotFinite {
        /// Number of the record.
        id: RecordId,
        /// Name of the field.
        field: &'static str,
        /// The value.
        value: f32,
    },
    /// A record refers to a record of another kind.
    #[error("{id} refers to {to} as a record of kind {wanted}")]
    Reference {
        /// Number of the referring record.
        id: RecordId,
        /// Number of the referenced record.
        to: RecordId,
        /// The kind that the referenced record should have.
        wanted: RecordKind,
    },
    /// The bound of the library is exceeded.
    #[error("{id} is not loaded: the library already has {limit} bytes of records")]
    LibraryFull {
        /// Number of the record that exceeds the bound.
        id: RecordId,
        /// The bound in bytes.
        limit: usize,
    },
    /// The core rejected an animation.
    #[error("{id}: {error}")]
    Animation {
        /// Number of the animation.
        id: RecordId,
        /// Reason of the rejection.
        error: AnimationError,
    },
    /// A keyframe has an invalid root frame.
    #[error("{id}: root of keyframe {frame}: {error}")]
    RootFrame {
        /// Number of the animation.
        id: RecordId,
        /// Index of the keyframe, from 0.
        frame: usize,
        /// The fault.
        error: PoseError,
    },
    /// A record is invalid.
    #[error("{id}: {error}")]
    Record {
        /// Number of the record.
        id: RecordId,
        /// The fault and its byte.
        error: RecordError,
    },
}

/// The owner of a chain of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainOwner {
    /// A record.
    Record(RecordId),
    /// A directory node, by its offset.
    Node(u32),
    /// The list of free blocks.
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

/// Reads a little-endian word. Returns 0 beyond the end of the buffer.
pub(crate) fn le_u32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |word| u32::from_le_bytes(*word))
}
