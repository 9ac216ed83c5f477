//! One trace, line by line.

use std::{collections::BTreeMap, path::Path, time::Instant};

use evenstride_trace::{
    Behaviour, Difference, DriverName, Line, LineKind, Malformed, Rule, Trace, describe, first_difference,
};
use serde_json::{Map, Value};

use crate::{
    fault::Fault,
    protocol::{Answer, Claims},
    session::Session,
};

/// The outcome of a trace.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Name of the trace, or of its file if it is unreadable.
    pub name: String,
    /// The driver. `None` if the header is unreadable or the name unknown.
    pub driver: Option<DriverName>,
    /// Number of lines that agreed before the end or the first failure.
    pub lines: usize,
    /// The behaviours that the trace pins. `true` stands for those that a failure does not concern,
    /// because other calls show them.
    pub behaviours: Vec<(&'static Behaviour, bool)>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Whether a program passed a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Every compared field of every line agreed.
    Pass,
    /// A line differed, or could not be run.
    Fail(Reason),
    /// The program says that it cannot run this trace, for this reason.
    Unsupported(String),
}

/// The reason why a program failed a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// Its answer differs.
    Differs {
        /// The first difference.
        difference: Box<Difference>,
        /// The behaviour that it concerns most likely.
        behaviour: Option<&'static Behaviour>,
    },
    /// It did something else wrong.
    Fault(Fault),
    /// It gave up, for this reason.
    GaveUp(String),
    /// It left out every field that a line could be compared by.
    NothingCompared,
    /// The trace is malformed or unreadable.
    Malformed(Malformed),
    /// The trace has a driver that is unknown.
    UnknownDriver(String),
}

/// Reads a trace and runs a program against it.
pub fn judge_file(session: &mut Session, path: &Path) -> Judged {
    judge_read(session, path, Trace::read(path))
}

/// Runs a program against a trace that was read from a file. An unreadable one is failed.
pub fn judge_read(session: &mut Session, path: &Path, trace: Result<Trace, Malformed>) -> Judged {
    match trace {
        Ok(trace) => judge(session, &trace),
        Err(why) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Judged {
                name,
                driver: None,
                lines: 0,
                behaviours: Vec::new(),
                verdict: Verdict::Fail(Reason::Malformed(why)),
            }
        }
    }
}

/// Runs a program against a trace.
pub fn judge(session: &mut Session, trace: &Trace) -> Judged {
    let name = trace.header.name.clone();
    let pinned = Behaviour::pinned_by(&name);
    let Some(driver) = DriverName::from_name(&trace.header.driver) else {
        let verdict = Verdict::Fail(Reason::UnknownDriver(trace.header.driver.clone()));
        return Judged { name, driver: None, lines: 0, behaviours: Vec::new(), verdict };
    };
    let mut run = Run { driver, trace, lines: 0, compared: 0, first: None, failed_calls: BTreeMap::new() };
    let verdict = match run.all(session) {
        Ok(verdict) => verdict,
        Err(reason) => Verdict::Fail(reason),
    };
    session.finish(match &verdict {
        Verdict::Fail(Reason::Fault(fault)) => Some(fault),
        _ => None,
    });
    let is_cleared = |behaviour: &Behaviour| {
        matches!(verdict, Verdict::Fail(Reason::Differs { .. }))
            && driver == DriverName::MathCalls
            && !run.failed_calls.keys().any(|op| behaviour.is_shown_by_call(driver, op))
    };
    let behaviours = pinned.into_iter().map(|behaviour| (behaviour, is_cleared(behaviour))).collect();
    Judged { name, driver: Some(driver), lines: run.lines, behaviours, verdict }
}

/// A trace that is being run.
struct Run<'a> {
    driver: DriverName,
    trace: &'a Trace,
    lines: usize,
    /// Number of fields that were compared.
    compared: usize,
    first: Option<Reason>,
    /// Calls that differed, by name. Calls do not depend on each other, so all of them are run.
    failed_calls: BTreeMap<String, usize>,
}

impl Run<'_> {
    fn all(&mut self, session: &mut Session) -> Result<Verdict, Reason> {
        if self.trace.lines.is_empty() {
            let reason = "the trace has a header and no other lines".to_owned();
            return Err(Reason::Malformed(Malformed { line: None, reason }));
        }
        let mut questions = vec![self.trace.header.question()];
        questions.extend(self.trace.lines.iter().map(Line::question));
        session.begin(&questions).map_err(Reason::Fault)?;
        let claims = session.claims().cloned();
        let Some(claims) = claims.filter(|claims| claims.supports(self.driver)) else {
            return Ok(Verdict::Unsupported(format!("driver {}", self.driver)));
        };
        let until = Instant::now() + session.settings.timeout;
        let mut ask =
            |question: &Map<String, Value>, to: &str| session.ask(question, to, until).map_err(Reason::Fault);
        match ask(&questions[0], "the header")? {
            Answer::Out(_) => {}
            Answer::Unsupported(reason) => return Ok(Verdict::Unsupported(reason)),
            Answer::Error(reason) => return Err(Reason::GaveUp(reason)),
        }
        for (question, line) in questions.iter().skip(1).zip(&self.trace.lines) {
            let out = match ask(question, &format!("line {}", line.number))? {
                Answer::Out(out) => out,
                Answer::Unsupported(reason) => return Ok(Verdict::Unsupported(reason)),
                Answer::Error(reason) => {
                    return Err(Reason::GaveUp(format!("line {}: {reason}", line.number)));
                }
            };
            let differs = self.compare(line, out, &claims)?;
            if let Some(difference) = differs {
                self.note(line, difference);
                if self.driver != DriverName::MathCalls {
                    break;
                }
            } else if self.first.is_none() {
                self.lines += 1;
            }
        }
        match self.first.take() {
            Some(reason) => Err(reason),
            None if self.compared == 0 => Err(Reason::NothingCompared),
            None => Ok(Verdict::Pass),
        }
    }

    fn compare(
        &mut self,
        line: &Line,
        out: Map<String, Value>,
        claims: &Claims,
    ) -> Result<Option<Difference>, Reason> {
        let mut expected = self.driver.expected(line).map_err(Reason::Malformed)?;
        expected.retain(|field, _| claims.answers(self.driver, field));
        let rule = |field: &str| self.driver.rule(&line.kind, field);
        self.compared += expected.keys().filter(|field| rule(field) != Rule::Input).count();
        let difference = |field: &str, expected: &Value, got: Option<Value>| Difference {
            line: line.number,
            what: describe(line),
            field: shortened(field, MAX_FIELD).unwrap_or_else(|| field.to_owned()),
            expected: expected.clone(),
            got: got.map(|got| shortened(&got.to_string(), MAX_GOT).map_or(got, Value::String)),
        };
        let got = match self.driver.flattened(out) {
            Ok(got) => got,
            Err(why) => return Ok(Some(difference("objs", &"bodies with an id".into(), Some(why.into())))),
        };
        if let Some((field, expected, got)) = first_difference(&expected, &got, rule) {
            return Ok(Some(difference(field, expected, got)));
        }
        Ok(self
            .surplus(&expected, &got, claims)
            .map(|(field, value)| difference(field, &Value::Null, Some(value.clone()))))
    }

    /// Returns a field of bodies that the trace does not have. There, a field that is missing means
    /// that nothing happened.
    fn surplus<'m>(
        &self,
        expected: &Map<String, Value>,
        got: &'m Map<String, Value>,
        claims: &Claims,
    ) -> Option<(&'m String, &'m Value)> {
        let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
        let is_known = |field: &str| {
            let field = field.rsplit('.').next().unwrap_or(field);
            self.driver.answer_fields().contains(&field)
        };
        got.iter().find(|(field, value)| {
            self.driver == DriverName::MoveTo
                && !expected.contains_key(*field)
                && !is_empty(value)
                && is_known(field)
                && claims.answers(self.driver, field)
        })
    }

    fn note(&mut self, line: &Line, difference: Difference) {
        if let LineKind::Call(op) = &line.kind {
            *self.failed_calls.entry(op.clone()).or_default() += 1;
        }
        let behaviour = Behaviour::behind(&self.trace.header.name, line, &difference);
        self.first.get_or_insert(Reason::Differs { difference: Box::new(difference), behaviour });
    }
}

/// Returns the beginning of a text that is too long for a report, which the program chose.
fn shortened(text: &str, limit: usize) -> Option<String> {
    let (end, _) = text.char_indices().nth(limit)?;
    Some(format!("{}…", &text[..end]))
}

/// Largest number of characters of a field and of an answer in a report.
const MAX_FIELD: usize = 60;
const MAX_GOT: usize = 1_000;
