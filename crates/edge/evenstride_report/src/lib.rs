//! A replay as one HTML file that opens offline. It has an animated map, plots over time, and a
//! sentence for every decision.
//!
//! ```text
//! replay ─► report.rs ─► thin.rs ─────────► page.rs
//!           samples,     as much as a       data, script and style
//!           dots, marks  browser can hold   in one file
//! ```
//!
//! The page runs only the script in `assets/report.js`. It uses no library and fetches nothing.
//!
//! [`core_wasm_gz`] is the motion core itself, for pages that compute instead of showing samples.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod core;
mod data;
mod page;
mod report;
mod thin;

pub use self::core::{core_script, core_wasm_gz};

pub use report::{About, Report};
