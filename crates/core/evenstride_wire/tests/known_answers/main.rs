//! Worked examples, byte for byte: what each says to the last field, and that it is written back as it was.
//!
//! The bytes are recorded ones unless a test says otherwise. Numbers given as bytes are compared exactly,
//! numbers given as decimals as far as they were written down.

mod client;
mod datagrams;
mod helpers;
mod movements;
mod others;
mod positions;
