//! The bodies of the fuzz targets, without a fuzzing engine.
//!
//! Each target takes any bytes and panics if a promise is broken. `fuzz/fuzz_targets` has a shell
//! for each, which cargo-fuzz runs. `tests/corpora.rs` runs the kept corpora on a stable toolchain.

#![forbid(unsafe_code)]

mod archive;
mod capture;
mod message;
mod packet;
mod plain_restore;
mod restore;
mod scenario;
mod session;
mod space;
mod tables;
mod trace;
mod world;

pub use evenstride_ffi::fuzzing::calls;

pub use self::{
    archive::archive,
    capture::capture,
    message::message,
    packet::packet,
    plain_restore::plain_restore,
    restore::{own_library, restore},
    scenario::scenario,
    session::session,
    space::space,
    tables::tables,
    trace::trace,
    world::{plain, world},
};

/// A target, which takes any bytes.
pub type Target = fn(&[u8]);

/// Every target, by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("archive", archive),
    ("calls", calls),
    ("capture", capture),
    ("message", message),
    ("packet", packet),
    ("plain", plain),
    ("plain_restore", plain_restore),
    ("restore", restore),
    ("scenario", scenario),
    ("session", session),
    ("space", space),
    ("tables", tables),
    ("trace", trace),
    ("world", world),
];
