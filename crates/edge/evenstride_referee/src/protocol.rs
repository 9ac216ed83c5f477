//! The lines of both sides.

use std::collections::BTreeMap;

use evenstride_trace::DriverName;
use serde_json::{Map, Value, json};

/// Version of the protocol. Another version of it is another language.
pub const PROTOCOL: u64 = 1;

/// Returns the first line to the program.
pub(crate) fn hello() -> Value {
    json!({
        "type": "hello",
        "protocol": PROTOCOL,
        "program": "evenstride",
        "version": env!("CARGO_PKG_VERSION"),
        "drivers": DriverName::ALL.map(DriverName::name),
    })
}

/// What a program says about itself in the handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Its name, for reports.
    pub name: String,
    /// The drivers that it supports, and the fields that it answers. `None` stands for all fields.
    drivers: BTreeMap<DriverName, Option<Vec<String>>>,
}

/// The reason why a handshake is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimsError {
    /// It speaks another version.
    #[error("protocol {0} is unknown; answer with protocol 1")]
    Protocol(Value),
    /// A field of the handshake is missing.
    #[error("{0}")]
    Form(&'static str),
    /// There is no such driver.
    #[error("driver \"{0}\" is unknown; leave it out")]
    Driver(String),
    /// There is no such field.
    #[error("{driver}: field \"{field}\" is unknown; its fields are {}", .driver.answer_fields().join(", "))]
    Field {
        /// The driver that claims it.
        driver: DriverName,
        /// Its name.
        field: String,
    },
    /// A field that answers cannot do without is missing.
    #[error("{driver}: field \"{field}\" is needed; its least fields are {}", .driver.core_fields().join(", "))]
    Core {
        /// The driver that lacks it.
        driver: DriverName,
        /// Its name.
        field: &'static str,
    },
    /// It claims something else than at its first start.
    #[error("the name, drivers or fields are not those of the first start; claim the same at every start")]
    Changed,
}

impl Claims {
    /// Reads the program's answer to the handshake.
    ///
    /// # Errors
    /// [`ClaimsError`] if it speaks another protocol, or claims what does not exist.
    pub fn parse(answer: &Map<String, Value>) -> Result<Self, ClaimsError> {
        if answer.get("type").and_then(Value::as_str) != Some("hello") {
            return Err(ClaimsError::Form("type: the first answer has the type \"hello\""));
        }
        match answer.get("protocol") {
            Some(version) if version.as_u64() == Some(PROTOCOL) => {}
            version => return Err(ClaimsError::Protocol(version.cloned().unwrap_or_default())),
        }
        let name =
            answer.get("name").and_then(Value::as_str).unwrap_or("(no name)").chars().take(80).collect();
        let form = ClaimsError::Form("drivers: an object with a member for each driver is needed");
        let claimed = answer.get("drivers").and_then(Value::as_object).ok_or(form)?;
        let mut drivers = BTreeMap::new();
        for (driver, about) in claimed {
            let driver = DriverName::from_name(driver).ok_or_else(|| ClaimsError::Driver(driver.clone()))?;
            drivers.insert(driver, fields_of(driver, about.get("fields"))?);
        }
        Ok(Self { name, drivers })
    }

    /// Returns whether the program supports a driver.
    pub fn supports(&self, driver: DriverName) -> bool {
        self.drivers.contains_key(&driver)
    }

    /// Returns whether the program answers a field, whose name may begin with a body like `1.pos`.
    pub fn answers(&self, driver: DriverName, field: &str) -> bool {
        let field = field.rsplit('.').next().unwrap_or(field);
        match self.drivers.get(&driver) {
            Some(Some(fields)) => fields.iter().any(|of| of == field),
            Some(None) => true,
            None => false,
        }
    }

    /// Returns the supported drivers, each with the number of its fields and of all fields.
    pub fn drivers(&self) -> impl Iterator<Item = (DriverName, usize, usize)> {
        self.drivers.iter().map(|(driver, fields)| {
            let all = driver.answer_fields().len();
            (*driver, fields.as_ref().map_or(all, Vec::len), all)
        })
    }
}

/// Reads the list of fields, each once.
fn fields_of(driver: DriverName, list: Option<&Value>) -> Result<Option<Vec<String>>, ClaimsError> {
    let Some(list) = list else { return Ok(None) };
    let list = list.as_array().ok_or(ClaimsError::Form("fields: a list of names is needed"))?;
    let mut fields = Vec::new();
    for field in list {
        let field = field.as_str().ok_or(ClaimsError::Form("fields: a list of names is needed"))?;
        if !driver.answer_fields().contains(&field) {
            return Err(ClaimsError::Field { driver, field: field.chars().take(40).collect() });
        }
        if !fields.iter().any(|of| of == field) {
            fields.push(field.to_owned());
        }
    }
    let missing = driver.core_fields().iter().find(|core| !fields.iter().any(|of| of == *core));
    match missing {
        Some(field) => Err(ClaimsError::Core { driver, field }),
        None => Ok(Some(fields)),
    }
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// The trace can begin, or the answer to a line.
    Out(Map<String, Value>),
    /// The program cannot run this trace, for this reason.
    Unsupported(String),
    /// The program gives up on this trace, for this reason.
    Error(String),
}

/// Reads an answer to the question of this number.
pub(crate) fn answer(id: u64, mut answer: Map<String, Value>) -> Result<Answer, String> {
    match answer.get("id").and_then(Value::as_u64) {
        Some(found) if found == id => {}
        Some(found) => return Err(format!("id: {found} is not the id of the question, {id}")),
        None => return Err(format!("id: missing; repeat the id of the question, {id}")),
    }
    let sentence = |value: &Value| {
        value.as_str().map_or_else(|| value.to_string(), str::to_owned).chars().take(200).collect()
    };
    if let Some(reason) = answer.get("unsupported") {
        return Ok(Answer::Unsupported(sentence(reason)));
    }
    if let Some(reason) = answer.get("error") {
        return Ok(Answer::Error(sentence(reason)));
    }
    match answer.remove("out") {
        Some(Value::Object(out)) => Ok(Answer::Out(out)),
        Some(_) => Err("out: not an object".to_owned()),
        None => Err("out: missing; answer with out, unsupported or error".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(text: &str) -> Result<Claims, String> {
        let Value::Object(map) = serde_json::from_str(text).unwrap() else { panic!("{text}") };
        Claims::parse(&map).map_err(|why| why.to_string())
    }

    #[test]
    fn a_handshake_that_claims_too_little_or_too_much_is_refused() {
        let hello =
            |drivers: &str| format!(r#"{{"type":"hello","protocol":1,"name":"x","drivers":{drivers}}}"#);
        for (drivers, reason) in [
            (r#"{"magic":{}}"#, "driver \"magic\" is unknown"),
            (r#"{"internal":{"fields":["cell","pos","mana"]}}"#, "internal: field \"mana\" is unknown"),
            (r#"{"internal":{"fields":["queue"]}}"#, "internal: field \"cell\" is needed"),
            (r#"{"internal":{"fields":[]}}"#, "internal: field \"cell\" is needed"),
            (r#"{"internal":{"fields":"all"}}"#, "fields: a list of names"),
            (r#"["internal"]"#, "drivers: an object"),
        ] {
            let why = claims(&hello(drivers)).unwrap_err();
            assert!(why.contains(reason), "{why}");
        }
        assert!(claims(r#"{"type":"hello","protocol":2}"#).unwrap_err().contains("protocol 2 is unknown"));
        assert!(claims(r#"{"type":"hi"}"#).unwrap_err().contains("type: "));
        let some =
            claims(&hello(r#"{"moveto":{"fields":["pos","h","mt","value","ok","cmd","speed"]}}"#)).unwrap();
        assert!(some.answers(DriverName::MoveTo, "17.pos") && !some.answers(DriverName::MoveTo, "17.cell"));
        assert!(!some.supports(DriverName::Internal));
    }

    #[test]
    fn an_answer_to_another_question_is_no_answer() {
        let read = |text: &str| {
            let Value::Object(map) = serde_json::from_str(text).unwrap() else { panic!("{text}") };
            answer(7, map)
        };
        assert_eq!(read(r#"{"id":7,"out":{}}"#), Ok(Answer::Out(Map::new())));
        assert_eq!(read(r#"{"id":7,"unsupported":"air"}"#), Ok(Answer::Unsupported("air".into())));
        for text in [r#"{"out":{}}"#, r#"{"id":6,"out":{}}"#, r#"{"id":7}"#, r#"{"id":7,"out":[]}"#] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
