//! Damaged files for tests, and the parts of them that must still be read.
//!
//! [`damage`] changes, removes, repeats and adds bytes, and keeps the place that each byte had in
//! the original. [`CaptureFile`] is a capture of which every part is known. After damage it tells
//! which messages are undamaged. [`Counted`] measures how much of an archive is read. A [`Series`] says
//! how many files a test damages. Decisions come from a [`Choice`], which is a fixed sequence of numbers
//! ([`Dice`]) or the input of a fuzzer ([`Input`]).
//!
//! Errors panic, because a test that cannot be set up has failed.

mod archive;
mod capture;
mod choice;
mod memory;
mod series;
mod spot;

pub use self::{
    archive::Counted,
    capture::{CaptureFile, Datagram, Format, Packing, Unit, missing},
    choice::{Choice, Dice, Input},
    memory::{MAX_PEAK_BYTES, assert_peak_memory},
    series::Series,
    spot::{Flips, Spot, bytes_of, damage, originals, runs},
};
