//! Runs another program against reference traces of the 2013 client.
//!
//! The program gets inputs on its standard input and writes answers on its standard output, one JSON
//! object per line. `docs/conformance-protocol.md` describes the lines. Expected values stay in this
//! process. Answers are compared under the tolerances of the traces, and the first difference of a
//! trace is explained by the behaviour that it concerns.
//!
//! The other program may be faulty. A program that hangs, floods, writes rubbish or ends fails the
//! present trace. It is started again for the next one.
//!
//! ```text
//! protocol.rs  the lines, the handshake and what a program claims to support
//! program.rs   a process and its bounded output
//! group.rs     everything that it starts, and its end
//! fault.rs     what a program did wrong
//! session.rs   questions and answers, and new starts after faults
//! judge.rs     one trace, line by line
//! score.rs     counts by driver and by behaviour
//! report/      JSON, JUnit and HTML
//! ```

#![forbid(unsafe_code)]

mod fault;
mod group;
mod judge;
mod program;
mod protocol;
pub mod report;
mod score;
mod session;

pub use fault::Fault;
pub use group::Stopper;
pub use judge::{Judged, Reason, Verdict, judge, judge_file, judge_read};
pub use protocol::{Claims, ClaimsError, PROTOCOL};
pub use score::{Counts, Score};
pub use session::{Mode, Session, Settings};
