//! What a program did wrong, other than a wrong answer.

use std::time::Duration;

use crate::protocol::ClaimsError;

/// A fault of the other program. It fails the present trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It could not be started.
    #[error("the program could not be started: {0}")]
    NotStarted(String),
    /// It did not answer in time.
    #[error("no answer to {to} within {} s", .limit.as_secs_f64())]
    Hung {
        /// The question.
        to: String,
        /// The time that a trace may take.
        limit: Duration,
    },
    /// It ended, or closed its output.
    #[error("the program {how} before it answered {to}{}", last_words(.said))]
    Ended {
        /// The question.
        to: String,
        /// Its exit status in words.
        how: String,
        /// The end of what it wrote on standard error.
        said: String,
    },
    /// It wrote a line without an end.
    #[error("the answer to {to} is longer than {limit} bytes")]
    Flooded {
        /// The question.
        to: String,
        /// The largest length of an answer.
        limit: usize,
    },
    /// It wrote a line that is not an answer.
    #[error("the answer to {to} is no answer: {reason}; it begins with {line}")]
    Rubbish {
        /// The question.
        to: String,
        /// What is wrong with it.
        reason: String,
        /// The first characters of the line.
        line: String,
    },
    /// Its handshake claims what does not exist.
    #[error("handshake: {0}")]
    Claims(#[from] ClaimsError),
    /// It failed so often that this trace was not run.
    #[error("not run, because the program {0} times in a row {1}")]
    GivenUp(u32, &'static str),
}

fn last_words(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!("; its last words were: {said}") }
}
