//! Answers to a line, one field for each value that is compared.

use serde_json::{Map, Value};

use crate::{
    DriverName,
    rules::INPUTS,
    trace::{Line, LineKind, Malformed},
};

impl DriverName {
    /// Returns the expected answer to a line, field by field.
    ///
    /// # Errors
    /// [`Malformed`] if the line has no answer.
    pub fn expected(self, line: &Line) -> Result<Map<String, Value>, Malformed> {
        let mut expected = line.expected()?.clone();
        if line.kind == LineKind::Tick {
            expected.retain(|name, _| !INPUTS.contains(&name.as_str()));
        }
        self.flat(expected).ok_or_else(|| Malformed::at(line.number, NOT_BODIES))
    }

    /// Returns an answer in the form of the traces with one field for each value that is compared.
    ///
    /// In move-to traces the state of each body is an object in the list `objs`. Its values become
    /// fields like `1.pos`. Messages may be compared as a set, so they are sorted.
    ///
    /// # Errors
    /// A sentence if `objs` is not a list of objects with an id.
    pub fn flattened(self, answer: Map<String, Value>) -> Result<Map<String, Value>, &'static str> {
        self.flat(answer).ok_or(NOT_BODIES)
    }

    fn flat(self, mut answer: Map<String, Value>) -> Option<Map<String, Value>> {
        if self != Self::MoveTo {
            return Some(answer);
        }
        match answer.remove("msgs") {
            // No messages and an empty list of messages are the same.
            Some(Value::Array(messages)) if messages.is_empty() => {}
            Some(Value::Array(messages)) => drop(answer.insert("msgs".into(), sorted(messages))),
            Some(other) => drop(answer.insert("msgs".into(), other)),
            None => {}
        }
        let Some(bodies) = answer.remove("objs") else { return Some(answer) };
        for body in bodies.as_array()? {
            let body = body.as_object()?;
            let id = body.get("id")?.as_u64()?;
            let others = body.iter().filter(|(name, _)| *name != "id");
            answer.extend(others.map(|(name, value)| (format!("{id}.{name}"), value.clone())));
        }
        Some(answer)
    }
}

const NOT_BODIES: &str = "objs: not a list of objects with an id";

/// Returns messages in one order, whatever the order in which they were sent.
fn sorted(mut messages: Vec<Value>) -> Value {
    messages.sort_by_key(|message| {
        let number = |index: usize| message.get(index).and_then(Value::as_u64).unwrap_or(0);
        [number(0), number(1), number(2)]
    });
    messages.into()
}
