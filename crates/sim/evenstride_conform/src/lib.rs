//! Does our motion core do what the 2013 client did?
//!
//! A *trace* is a recording of a model of that client: what it was told, and what it answered, line by line. This crate reads
//! traces, tells the same to our code, and compares the answers field by field with the tolerances the traces were published
//! with. The first difference is named with its line and field; a field we do not produce is a difference.
//!
//! ```text
//! trace.rs    a file → header and lines, or where and why it is malformed
//! fields.rs   typed access to a line's fields, with errors that name them
//! driver/     a trace's `driver` names what one line does; one file each
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

pub use compare::Difference;
pub use corpus::{CorpusError, find_traces};
pub use driver::DriverName;
pub use report::{Report, Tally};
pub use run::{Failure, Outcome, Verdict, run_file, run_trace};
pub use trace::{Header, Line, LineKind, Malformed, Trace};
