//! Reads the game's archives (`client_portal.dat`, `client_cell_1.dat` and their predecessors).
//! Every record is readable as bytes, and records that concern motion are parsed.
//!
//! ```text
//! read_at.rs ─► header.rs ─► directory.rs ─► block.rs ─► record/ ─► library.rs, land.rs
//! bytes at      version,     place of each   bytes of    parsed    library and
//! an offset     block size   record          a record    fields    ground for
//!                            (a B-tree)      (a chain)             the core
//! ```
//!
//! ```no_run
//! use evenstride_dat::{Animation, Archive, RecordId};
//!
//! let archive = Archive::open(std::fs::File::open("client_portal.dat")?)?;
//! let animation: Animation = archive.read(RecordId(0x0300_0001))?;
//! println!("{} keyframes", animation.frames);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Opening an archive reads the header and the root of the directory. Finding a record reads the
//! nodes on the way to it, and nothing else. Bytes come from a [`ReadAt`], which is a file, a
//! slice, or pieces that a browser has fetched ([`Fetched`]).
//!
//! [`RecordCache`] shares loaded records within a bound. [`check()`] reads the whole archive and
//! reports faults. [`ArchiveWriter`] builds archives.
//!
//! Archives are untrusted input. Reading terminates for any content, and errors name the record and
//! the byte. Allocations are a small multiple of the bytes that were read. The factor is at most
//! 14, for an animation that consists of hooks only. A compressed record unpacks to at most 16 MiB.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod archive;
mod block;
mod cache;
mod check;
mod cursor;
mod directory;
mod error;
mod fetched;
mod header;
mod id;
mod land;
mod library;
mod read_at;
mod record;
mod record_source;
mod write;

pub use archive::Archive;
pub use block::ChainFault;
pub use cache::{DEFAULT_CACHE_BYTES, RecordCache};
pub use check::{Checked, KindCount, MAX_FAULTS, check};
pub use cursor::{Cursor, RecordError, RecordFault};
pub use directory::{Entries, Entry, NodeFault};
pub use error::{ChainOwner, DatError};
pub use fetched::{Fetched, NotFetched};
pub use header::{Contents, Header, Version};
pub use id::{RecordId, RecordKind};
pub use land::heightfield;
pub use library::{LibraryLoader, Loaded, MAX_LIBRARY_BYTES};
pub use read_at::ReadAt;
pub use record::{
    AnimFrame, Animation, AnimationPart, Clip, CylSphere, Frame, Hook, HookAction, HookDirection, Iterations,
    LandBlock, Light, LinkGroup, Location, MotionData, MotionTable, Placement, Record, Region, Setup, Sphere,
    Unwritable,
};
pub use record_source::{RecordCallback, RecordSource};
pub use write::ArchiveWriter;
