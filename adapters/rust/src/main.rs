//! Answers the conformance kit with the public API of the motion core, which is what every user of
//! the library has. `docs/conformance-protocol.md` describes the lines.
//!
//! It supports pure functions, and remote bodies that positions and velocities move.

mod body;
mod math;
mod walls;

use std::io::{BufRead, Write, stdin, stdout};

use serde_json::{Map, Value, json};

use crate::body::Body;

/// The fields of a body that the public API shows.
const FIELDS: [&str; 7] = ["cell", "pos", "quat", "cvel", "queue", "active", "route"];

/// Why there is no answer.
pub(crate) enum Stop {
    /// The public API has no such part.
    Unsupported(String),
    /// The line has no such field.
    Malformed(String),
}

type Answer = Result<Map<String, Value>, Stop>;

fn main() -> std::io::Result<()> {
    let mut body = None;
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let answer = match question["type"].as_str() {
            Some("hello") => hello(),
            _ => {
                let id = &question["id"];
                match answer(&question, &mut body) {
                    Ok(out) => json!({ "id": id, "out": out }),
                    Err(Stop::Unsupported(reason)) => json!({ "id": id, "unsupported": reason }),
                    Err(Stop::Malformed(reason)) => json!({ "id": id, "error": reason }),
                }
            }
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn hello() -> Value {
    let fields = json!({ "fields": FIELDS });
    json!({
        "type": "hello",
        "protocol": 1,
        "name": concat!("evenstride ", env!("CARGO_PKG_VERSION"), ", public API"),
        "drivers": { "math_calls": {}, "internal": fields, "update_object": fields, "use_time": fields },
    })
}

fn answer(question: &Value, body: &mut Option<Body>) -> Answer {
    match (question["type"].as_str(), body) {
        (Some("trace"), body) => {
            *body = match question["driver"].as_str() {
                Some("math_calls") => None,
                _ => Some(Body::start(question)?),
            };
            Ok(Map::new())
        }
        (Some("call"), _) => math::call(question),
        (Some("event"), Some(body)) => body.event(question),
        (Some("tick"), Some(body)) => body.tick(question),
        _ => Err(Stop::Malformed("type: unknown, or before a trace".to_owned())),
    }
}

/// Returns the object that a `json!` makes.
pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

pub(crate) fn unsupported<T>(what: &str) -> Result<T, Stop> {
    Err(Stop::Unsupported(what.to_owned()))
}

/// Returns a number.
pub(crate) fn number(of: &Value, name: &str) -> Result<f64, Stop> {
    of[name].as_f64().ok_or_else(|| Stop::Malformed(format!("{name}: not a number")))
}

/// Returns a list of numbers.
pub(crate) fn numbers<const N: usize>(of: &Value, name: &str) -> Result<[f32; N], Stop> {
    let list: Option<Vec<f32>> =
        of[name].as_array().and_then(|list| list.iter().map(|n| n.as_f64().map(|n| n as f32)).collect());
    let list = list.and_then(|list| list.try_into().ok());
    list.ok_or_else(|| Stop::Malformed(format!("{name}: not a list of {N} numbers")))
}

/// Returns a cell, which traces write as `"0xA9B4001C"`.
pub(crate) fn cell(of: &Value) -> Result<u32, Stop> {
    let digits = of["cell"].as_str().and_then(|text| text.strip_prefix("0x"));
    let cell = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    cell.ok_or_else(|| Stop::Malformed("cell: not a string like \"0xA9B4001C\"".to_owned()))
}
