//! Checks that the motion core behaves like the 2013 client.
//!
//! `driver/` answers reference traces ([`evenstride_trace`]) line by line. `probe/` applies single
//! events to the core and reads its internals. Everything in between is the code that ships. Only
//! the move-to traces replace a part. Their bodies move by the simple rules that the traces
//! prescribe (`probe/double.rs`), and not by animations.
//!
//! This crate is the only one that uses the core's private feature, so it stays outside the default
//! members of the workspace.

#![forbid(unsafe_code)]

mod driver;
mod probe;

pub use driver::start;
