//! The game's archives (`client_portal.dat`, `client_cell_1.dat` and their ancestors): read whatever is in them, and understand what moves.
//!
//! ```text
//! read_at.rs ─► header.rs ─► directory.rs ─► block.rs ─► record/ ─► library.rs, land.rs
//! bytes at      which of     which record    the bytes   what      what the core
//! an offset     the two      lies where      of one      they say  makes of it
//!               versions     (a B-tree)      (a chain)
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
//! Opening reads the header and the root of the directory, finding a record the nodes on the way to it; nothing else. Bytes come from a
//! [`ReadAt`]: a file, a slice, or pieces that a browser has fetched ([`Fetched`]). [`RecordCache`] shares loaded records within a bound,
//! [`check()`] reads everything and tells what is wrong, [`ArchiveWriter`] makes archives.
//!
//! Archives are input from outside: whatever is in them, an error names the record and the byte, reading ends, and what is allocated is a
//! small multiple of the bytes that were read (fourteen times at most, for an animation of nothing but hooks; a compressed record has 16 MiB
//! of bytes at most).

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

/// The code of docs/dat.md is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/dat.md")]
struct DatMd;
