//! Failures in words.

use evenstride_trace::{Behaviour, Difference};

use crate::judge::{Judged, Reason, Verdict};

/// The page that describes every behaviour.
pub const PAGE: &str = "docs/conformance.md";

/// What the client does where a program differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The behaviour.
    pub behaviour: &'static Behaviour,
    /// What the client does, and what a failure looks like, in sentences.
    pub sentences: String,
    /// The functions of the client, or a sentence that there are none.
    pub functions: String,
    /// Where the documentation says it.
    pub see: String,
}

/// Returns why a trace failed or was not run, in one line. `None` if it passed.
pub fn reason(judged: &Judged) -> Option<String> {
    Some(match &judged.verdict {
        Verdict::Pass => return None,
        Verdict::Unsupported(reason) => format!("unsupported: {reason}"),
        Verdict::Fail(Reason::Differs { difference, .. }) => difference_words(difference),
        Verdict::Fail(Reason::Fault(fault)) => fault.to_string(),
        Verdict::Fail(Reason::GaveUp(reason)) => format!("the program gave up: {reason}"),
        Verdict::Fail(Reason::NothingCompared) => {
            "the program answers no field of this trace; claim more fields, or answer unsupported".to_owned()
        }
        Verdict::Fail(Reason::Malformed(why)) => why.to_string(),
        Verdict::Fail(Reason::UnknownDriver(name)) => format!("line 1: driver: unknown driver \"{name}\""),
    })
}

fn difference_words(difference: &Difference) -> String {
    let Difference { line, what, field, expected, got } = difference;
    let expected =
        if expected.is_null() && got.is_some() { "nothing".to_owned() } else { short(&expected.to_string()) };
    let got = got.as_ref().map_or_else(|| "nothing".to_owned(), |value| short(&value.to_string()));
    format!("line {line}, {what}: {field}: expected {expected}, got {got}")
}

/// Returns a value that fits a line.
fn short(value: &str) -> String {
    match value.char_indices().nth(MAX_VALUE_CHARS) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

const MAX_VALUE_CHARS: usize = 200;

/// Returns what the client does where a program differs.
pub fn explain(judged: &Judged) -> Option<Explanation> {
    let Verdict::Fail(Reason::Differs { behaviour, .. }) = &judged.verdict else { return None };
    let behaviour = (*behaviour)?;
    let functions = match behaviour.client {
        [] => "no function of the client".to_owned(),
        functions => functions.join(", "),
    };
    Some(Explanation {
        behaviour,
        sentences: format!("{} In the game: {}", behaviour.says, behaviour.in_game),
        functions,
        see: see(behaviour),
    })
}

/// Returns where the documentation describes a behaviour.
pub fn see(behaviour: &Behaviour) -> String {
    format!("{PAGE}#{}", behaviour.id)
}
