//! The motion core: sparse position updates in, smooth motion out.
//!
//! Today this crate is a door to [`types`], the words it will speak. What it will hold, and in which order it is built, is in
//! ARCHITECTURE.md.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub use evenstride_types as types;

/// The README's code is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../README.md")]
struct Readme;
