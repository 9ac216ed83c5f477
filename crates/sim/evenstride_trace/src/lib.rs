//! Reference traces: what a model of the 2013 client was told, and what it answered, line by line.
//!
//! This crate reads traces and compares answers with them, field by field, under the tolerances the traces were published with. It names
//! the first difference with its line and field; a missing field is a difference. Whose answers they are is the caller's business: a
//! [`Driver`] gives them. This crate does not depend on the motion core.
//!
//! ```text
//! trace.rs    a file → header and lines, or where and why it is malformed
//! fields.rs   typed access to a line's fields, with errors that name them
//! driver.rs   who answers, and what one line of each kind of trace does
//! compare.rs  expected against produced, under the published tolerances
//! run.rs      all of the above for one file
//! corpus.rs   which files a path stands for
//! report.rs   counts by driver
//! ```

#![forbid(unsafe_code)]

mod compare;
mod corpus;
mod driver;
mod fields;
mod report;
mod run;
mod trace;

pub use compare::{Difference, Rule};
pub use corpus::{CorpusError, find_traces};
pub use driver::{Driver, DriverName};
pub use fields::Fields;
pub use report::{Report, Tally};
pub use run::{Failure, Outcome, Start, Verdict, run_file, run_trace};
pub use trace::{Header, Line, LineKind, Malformed, Trace};
