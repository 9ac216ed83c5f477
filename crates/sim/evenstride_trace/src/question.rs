//! The inputs of a trace, without a single expected value. Other programs get these.

use serde_json::{Map, Value, json};

use crate::{
    rules::INPUTS,
    trace::{Header, Line, LineKind},
};

impl Header {
    /// Returns the state before the first line.
    pub fn question(&self) -> Map<String, Value> {
        let mut question = Map::new();
        for (name, value) in
            [("type", json!("trace")), ("name", json!(self.name)), ("driver", json!(self.driver))]
        {
            question.insert(name.into(), value);
        }
        for name in ["settings", "anims", "table"] {
            if let Some(value) = self.fields.get(name) {
                question.insert(name.into(), value.clone());
            }
        }
        question
    }
}

impl Line {
    /// Returns what happens in this line: the time that a tick has, or an event or a call with its
    /// arguments.
    pub fn question(&self) -> Map<String, Value> {
        let is_input = |name: &str| match self.kind {
            LineKind::Tick => INPUTS.contains(&name),
            LineKind::Event(_) => name != "out",
            LineKind::Call(_) => ["type", "op", "args"].contains(&name),
        };
        let inputs = self.fields.iter().filter(|(name, _)| is_input(name));
        inputs.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::Trace;

    #[test]
    fn a_question_has_no_expected_value() {
        let text = concat!(
            r#"{"type":"header","schema":1,"name":"x","driver":"internal","settings":{"t0":1},"spread":{"pos":2}}"#,
            "\n",
            r#"{"type":"event","t":1.5,"kind":"block","value":0,"out":{"queue":3}}"#,
            "\n",
            r#"{"type":"tick","tick":0,"t":2.5,"dt":1,"queue":3,"pos":[1,2,3]}"#,
            "\n",
            r#"{"type":"call","op":"distance","args":{"a":1},"out":{"value":4}}"#,
        );
        let trace = Trace::parse(text).unwrap();
        let text = |map| serde_json::Value::Object(map).to_string();
        assert_eq!(
            text(trace.header.question()),
            r#"{"driver":"internal","name":"x","settings":{"t0":1},"type":"trace"}"#
        );
        let lines: Vec<String> = trace.lines.iter().map(|line| text(line.question())).collect();
        assert_eq!(
            lines,
            [
                r#"{"kind":"block","t":1.5,"type":"event","value":0}"#,
                r#"{"dt":1,"t":2.5,"tick":0,"type":"tick"}"#,
                r#"{"args":{"a":1},"op":"distance","type":"call"}"#,
            ]
        );
    }
}
