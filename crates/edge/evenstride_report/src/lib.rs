//! Replays and contests as one HTML file that opens offline.
//!
//! ```text
//! replay ──► report.rs ──────┐
//!                            ├─► page.rs ─► one file: style, script, messages, core
//! contest ─► comparison.rs ──┘    bundle.rs joins the files of assets/page
//! ```
//!
//! The page has the messages of the recording instead of samples, and the motion core as WebAssembly. It
//! replays them with the program's bits, and every switch re-simulates. It uses no library and fetches
//! nothing.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod base85;
mod bundle;
mod comparison;
mod core;
mod page;
mod report;

pub use self::{
    comparison::{ContestAbout, contest_report},
    core::{core_script, core_wasm_gz},
    report::{About, live_page, report},
};
