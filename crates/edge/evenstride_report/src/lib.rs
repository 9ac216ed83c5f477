//! A replay as one HTML file that opens offline: a map from above that plays, plots over time, and every decision in a sentence.
//!
//! ```text
//! replay ─► report.rs ─► thin.rs ─────────► page.rs
//!           samples,     as much as a       data, script and style
//!           dots, marks  browser can hold   in one file
//! ```
//!
//! The script in `assets/report.js` is all there is on the other side: no library, nothing fetched.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod data;
mod page;
mod report;
mod thin;

pub use report::{About, Report};
