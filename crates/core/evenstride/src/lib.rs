//! The motion core.
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]
pub use evenstride_types as types;
