//! Random hosts and servers against the motion core.
//!
//! ```text
//! seed ─► draw/ ─► Script ─► play ─► a world and its twin ─► checks ─► Coverage
//!         honest.rs                                          │
//!                                                            └─► shrink, if a promise is broken
//! ```
//!
//! A run draws settings, surroundings, a motion library and a script of operations from a seed.
//! [`play()`](play::play) applies each operation to a world and to its twin, which is restored from a save at random
//! moments. It checks every promise on the way. The program `evenstride_swarm` runs as many as it is
//! asked for, on all cores, and shrinks the scripts that break a promise.
//!
//! Fuzz targets draw the same scripts from their bytes, and property tests from their seeds.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod coverage;
pub mod draw;
pub mod ground;
mod honest;
pub mod plain;
pub mod play;
pub mod script;
pub mod shrink;
pub mod swarm;
pub mod world;
