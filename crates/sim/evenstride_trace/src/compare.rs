//! Comparison of expected and actual answers.

use serde_json::{Map, Value};

/// The way a field is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Equal values.
    Exact,
    /// Every number within this tolerance.
    Within(f64),
    /// A quaternion with every component within this tolerance. A quaternion equals its negative.
    Rotation(f64),
    /// An angle in degrees within this tolerance, modulo 360.
    Degrees(f64),
    /// A field that is an input, which is not compared.
    Input,
}

/// A field whose answer differs.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Difference {
    /// Line of the trace, counted from 1.
    pub line: usize,
    /// The line's action, which is an event's kind, a call's name or a tick's number.
    pub what: String,
    /// The field.
    pub field: String,
    /// The expected answer, from the trace.
    pub expected: Value,
    /// The driver's answer. `None` if it lacks this field.
    pub got: Option<Value>,
}

/// Returns the first field of `expected` that `got` does not match, with its name, expected value
/// and actual value.
pub fn first_difference<'a>(
    expected: &'a Map<String, Value>,
    got: &Map<String, Value>,
    rule: impl Fn(&str) -> Rule,
) -> Option<(&'a str, &'a Value, Option<Value>)> {
    expected.iter().find_map(|(name, wanted)| {
        let rule = rule(name);
        if rule == Rule::Input {
            return None;
        }
        match got.get(name) {
            Some(value) if agrees(rule, wanted, value) => None,
            value => Some((name.as_str(), wanted, value.cloned())),
        }
    })
}

fn agrees(rule: Rule, wanted: &Value, got: &Value) -> bool {
    match rule {
        Rule::Exact => same(wanted, got),
        // Nine digits of the largest f32 equal that f32 only after rounding to f32.
        Rule::Within(tolerance) => {
            numbers_agree(wanted, got, |a, b| (a - b).abs() <= tolerance || a as f32 == b as f32)
        }
        Rule::Degrees(tolerance) => numbers_agree(wanted, got, |a, b| {
            let apart = (a - b).abs();
            apart.min((360.0 - apart).abs()) <= tolerance || a as f32 == b as f32
        }),
        Rule::Rotation(tolerance) => {
            numbers_agree(wanted, got, |a, b| (a - b).abs() <= tolerance)
                || numbers_agree(wanted, got, |a, b| (a + b).abs() <= tolerance)
        }
        Rule::Input => true,
    }
}

/// Returns whether two values are equal. `1`, `1.0` and `true` are equal, because the traces write
/// flags as numbers.
fn same(wanted: &Value, got: &Value) -> bool {
    match (wanted, got) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        _ => match (number(wanted), number(got)) {
            (Some(a), Some(b)) => a == b,
            _ => wanted == got,
        },
    }
}

fn numbers_agree(wanted: &Value, got: &Value, close: impl Fn(f64, f64) -> bool + Copy) -> bool {
    match (wanted, got) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| numbers_agree(a, b, close))
        }
        (Value::Object(a), Value::Object(b)) => {
            let agrees =
                |(name, a): (&String, &Value)| b.get(name).is_some_and(|b| numbers_agree(a, b, close));
            a.len() == b.len() && a.iter().all(agrees)
        }
        (Value::String(a), Value::String(b)) => a == b,
        _ => matches!((number(wanted), number(got)), (Some(a), Some(b)) if close(a, b)),
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_bool().map(f64::from).or_else(|| value.as_f64())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_missing_field_is_a_difference() {
        let expected = json!({"a": 1, "b": 2});
        let got = json!({"a": 1});
        let found =
            first_difference(expected.as_object().unwrap(), got.as_object().unwrap(), |_| Rule::Exact);
        assert_eq!(found, Some(("b", &json!(2), None)));
    }

    #[test]
    fn rules_do_what_they_say() {
        assert!(agrees(Rule::Within(0.01), &json!([1.0, 2.0]), &json!([1.009, 2.0])));
        assert!(!agrees(Rule::Within(0.01), &json!([1.0, 2.0]), &json!([1.02, 2.0])));
        assert!(!agrees(Rule::Within(0.01), &json!([1.0, 2.0]), &json!([1.0])));
        assert!(!agrees(Rule::Within(0.01), &json!(1.0), &json!(null)));
        assert!(agrees(Rule::Within(0.01), &json!(3.402_823_47e38), &json!(f32::MAX)));
        assert!(agrees(Rule::Degrees(0.01), &json!(359.999), &json!(0.001)));
        assert!(!agrees(Rule::Within(0.01), &json!(359.999), &json!(0.001)));
        assert!(agrees(Rule::Rotation(1e-3), &json!([0.6, 0.0, 0.0, 0.8]), &json!([-0.6, 0.0, 0.0, -0.8])));
        assert!(!agrees(Rule::Rotation(1e-3), &json!([0.6, 0.0, 0.0, 0.8]), &json!([-0.6, 0.0, 0.0, 0.8])));
        let mixed = json!({"a": ["0x1", 1.0]});
        assert!(agrees(Rule::Within(0.01), &mixed, &json!({"a": ["0x1", 1.001]})));
        assert!(!agrees(Rule::Within(0.01), &mixed, &json!({"a": ["0x2", 1.001]})));
        assert!(!agrees(Rule::Within(0.01), &mixed, &json!({"a": ["0x1", 1.0], "b": 1})));
        assert!(agrees(Rule::Exact, &json!([1, 0]), &json!([true, 0.0])));
        assert!(!agrees(Rule::Exact, &json!("0x1"), &json!("0x2")));
        assert!(!agrees(Rule::Exact, &json!(1), &json!(2)));
    }

    #[test]
    fn numbers_that_are_none_never_agree() {
        // JSON has no NaN. serde_json writes it as null.
        assert!(!agrees(Rule::Within(1e9), &json!(1.0), &json!(f64::NAN)));
    }
}
