//! Reference traces of the 2013 client of Asheron's Call. A trace has the inputs and answers of a
//! model of the client, line by line.
//!
//! This crate reads traces and compares answers with them, field by field, under the tolerances
//! that the traces were published with. It reports the first difference with its line and field. A
//! missing field is a difference. The caller supplies a [`Driver`], which gives the answers. This
//! crate does not depend on the motion core.
//!
//! ```text
//! trace.rs    a file → header and lines, or where and why it is malformed
//! fields.rs   typed access to a line's fields, with errors that name them
//! driver.rs   the trait that answers lines, and the names of all drivers
//! answers.rs  answers, one field for each value that is compared
//! rules.rs    the published tolerances, by driver and field
//! compare.rs  expected against actual, under the published tolerances
//! question.rs the inputs of a trace, for other programs
//! behaviour/  what the traces pin
//! run.rs      all of the above for one file
//! corpus.rs   the trace files of a path
//! report.rs   counts by driver
//! ```

#![forbid(unsafe_code)]

mod answer_fields;
mod answers;
mod behaviour;
mod compare;
mod corpus;
mod driver;
mod fields;
mod question;
mod report;
mod rules;
mod run;
mod trace;

pub use behaviour::{Behaviour, BehaviourGroup};
pub use compare::{Difference, Rule, first_difference};
pub use corpus::{CorpusError, find_traces};
pub use driver::{Driver, DriverName};
pub use fields::Fields;
pub use report::{Report, Tally};
pub use run::{Failure, Outcome, Start, Verdict, describe, run_file, run_trace};
pub use trace::{Header, Line, LineKind, Malformed, Trace};
