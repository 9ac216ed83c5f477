//! Runs one trace file through a driver.

use std::{fmt, path::Path};

use crate::{
    Driver, DriverName, Header,
    compare::{Difference, first_difference},
    trace::{Line, LineKind, Malformed, Trace},
};

/// The outcome of a trace file.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The driver that the header names. `None` if the header is unreadable or the name unknown.
    pub driver: Option<DriverName>,
    /// Number of lines that agreed before the end or the first failure.
    pub lines: usize,
    /// The verdict.
    pub verdict: Verdict,
}

/// Whether a trace passed.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every line agreed.
    Pass,
    /// A line differed, or could not be run.
    Fail(Failure),
    /// Its driver was not selected.
    NotSelected,
}

/// The reason why a trace failed.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The driver's answer differs.
    Differs(Box<Difference>),
    /// The trace is malformed or unreadable.
    Malformed(Malformed),
    /// Its driver is unknown.
    UnknownDriver(String),
}

/// Creates the driver for a trace, in the state that the header describes.
pub type Start = fn(DriverName, &Header) -> Result<Box<dyn Driver>, Malformed>;

/// Reads and runs one trace. `wanted` selects the drivers.
pub fn run_file(path: &Path, wanted: impl Fn(DriverName) -> bool, start: Start) -> Outcome {
    match Trace::read(path) {
        Ok(trace) => run_trace(&trace, wanted, start),
        Err(malformed) => Outcome::failed(None, 0, Failure::Malformed(malformed)),
    }
}

/// Runs one trace. `wanted` selects the drivers.
pub fn run_trace(trace: &Trace, wanted: impl Fn(DriverName) -> bool, start: Start) -> Outcome {
    let Some(name) = DriverName::from_name(&trace.header.driver) else {
        return Outcome::failed(None, 0, Failure::UnknownDriver(trace.header.driver.clone()));
    };
    if !wanted(name) {
        return Outcome { driver: Some(name), lines: 0, verdict: Verdict::NotSelected };
    }
    let mut driver = match start(name, &trace.header) {
        Ok(driver) => driver,
        Err(why) => return Outcome::failed(Some(name), 0, Failure::Malformed(why)),
    };
    if trace.lines.is_empty() {
        let empty = Malformed { line: None, reason: "the trace has a header and no other lines".into() };
        return Outcome::failed(Some(name), 0, Failure::Malformed(empty));
    }
    for (done, line) in trace.lines.iter().enumerate() {
        let differs = driver.apply(line).and_then(|got| {
            let rule = |field: &str| name.rule(&line.kind, field);
            let expected = name.expected(line)?;
            let got = name.flattened(got).map_err(|why| Malformed::at(line.number, why))?;
            // Without this check, a trace that lost its answers would agree with everything.
            if let Some(field) = got.keys().find(|field| !expected.contains_key(*field)) {
                return Err(Malformed::at(
                    line.number,
                    format!("{field}: this answer is missing from the trace"),
                ));
            }
            Ok(first_difference(&expected, &got, rule).map(|(field, expected, got)| Difference {
                line: line.number,
                what: describe(line),
                field: field.to_owned(),
                expected: expected.clone(),
                got,
            }))
        });
        match differs {
            Ok(None) => {}
            Ok(Some(difference)) => {
                return Outcome::failed(Some(name), done, Failure::Differs(Box::new(difference)));
            }
            Err(malformed) => return Outcome::failed(Some(name), done, Failure::Malformed(malformed)),
        }
    }
    Outcome { driver: Some(name), lines: trace.lines.len(), verdict: Verdict::Pass }
}

impl Outcome {
    const fn failed(driver: Option<DriverName>, lines: usize, failure: Failure) -> Self {
        Self { driver, lines, verdict: Verdict::Fail(failure) }
    }
}

/// Returns the action of a line in words.
pub fn describe(line: &Line) -> String {
    match &line.kind {
        LineKind::Event(kind) => format!("event {kind}"),
        LineKind::Call(op) => format!("call {op}"),
        LineKind::Tick => format!("tick {}", line.fields.get("tick").unwrap_or(&serde_json::Value::Null)),
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Differs(difference) => {
                let Difference { line, what, field, expected, got } = &**difference;
                write!(f, "line {line}, {what}: {field}: expected {expected}, got ")?;
                match got {
                    Some(value) => write!(f, "{value}"),
                    None => f.write_str("nothing"),
                }
            }
            Self::Malformed(malformed) => write!(f, "{malformed}"),
            Self::UnknownDriver(name) => write!(f, "line 1: driver: unknown driver \"{name}\""),
        }
    }
}
