//! A parsed trace file.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use flate2::read::MultiGzDecoder;
use serde_json::{Map, Value};

/// Largest size of an unpacked trace in bytes, about forty times that of the largest existing
/// trace. A compressed file must not fill the memory.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// A parsed trace, with its header and all other lines.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The first line.
    pub header: Header,
    /// All other lines, in order.
    pub lines: Vec<Line>,
}

/// The first line of a trace.
#[derive(Clone, Debug)]
pub struct Header {
    /// Name of the scenario.
    pub name: String,
    /// Name of the driver.
    pub driver: String,
    /// The state before the first line.
    pub settings: Map<String, Value>,
    /// All fields of the line, for drivers that need more than the settings.
    pub fields: Map<String, Value>,
}

impl Header {
    /// Returns whether the answers are Evenstride's own, so that the trace shows no behaviour of the
    /// client.
    pub fn is_regression(&self) -> bool {
        text(&self.fields, "class") == Some("regression")
    }
}

/// One line of a trace after the first.
#[derive(Clone, Debug)]
pub struct Line {
    /// Line number. The header is line 1.
    pub number: usize,
    /// Kind of line.
    pub kind: LineKind,
    /// The whole line.
    pub fields: Map<String, Value>,
}

/// The kinds of line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// An event of this kind happens to the entity.
    Event(String),
    /// Time passes.
    Tick,
    /// A pure function of this name is called.
    Call(String),
}

impl Line {
    /// Returns the expected answer. It is the line itself for a tick, and the member `out` for
    /// other lines.
    pub fn expected(&self) -> Result<&Map<String, Value>, Malformed> {
        match self.kind {
            LineKind::Tick => Ok(&self.fields),
            LineKind::Event(_) | LineKind::Call(_) => self
                .fields
                .get("out")
                .and_then(Value::as_object)
                .ok_or_else(|| Malformed::at(self.number, "out: missing, or not an object")),
        }
    }
}

/// The reason why a trace is malformed, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Malformed {
    /// Line, counted from 1. `None` if the file as a whole is at fault.
    pub line: Option<usize>,
    /// The problem.
    pub reason: String,
}

impl Malformed {
    /// Creates an error that names a line.
    pub fn at(line: usize, reason: impl Into<String>) -> Self {
        Self { line: Some(line), reason: reason.into() }
    }

    fn whole(reason: impl Into<String>) -> Self {
        Self { line: None, reason: reason.into() }
    }
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl Trace {
    /// Reads a trace file, which may be gzipped.
    ///
    /// # Errors
    /// [`Malformed`] with the line and the reason.
    pub fn read(path: &Path) -> Result<Self, Malformed> {
        let text = read_text(path).map_err(|error| Malformed::whole(error.to_string()))?;
        Self::parse(&text)
    }

    /// Parses the text of a trace.
    ///
    /// # Errors
    /// [`Malformed`] with the line and the reason.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let (_, first) = lines.next().ok_or_else(|| Malformed::whole("the file is empty"))?;
        let header = parse_header(&parse_object(1, first)?)?;
        let lines = lines.map(|(number, line)| parse_line(number, line)).collect::<Result<_, _>>()?;
        Ok(Self { header, lines })
    }
}

fn read_text(path: &Path) -> io::Result<String> {
    let mut file = BufReader::new(File::open(path)?);
    // The content decides, not the name.
    let is_gzip = file.fill_buf()?.starts_with(&[0x1F, 0x8B]);
    if !is_gzip && path.extension().is_some_and(|extension| extension == "gz") {
        return Err(io::Error::other("named .gz, but not gzip data"));
    }
    let source: Box<dyn Read> = if is_gzip { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let mut text = String::new();
    source.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            io::Error::other("the gzip data ends early; the file may be truncated")
        }
        io::ErrorKind::InvalidData => io::Error::other("not text (UTF-8)"),
        _ => error,
    })?;
    if text.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("larger than {MAX_BYTES} bytes: not a trace")));
    }
    Ok(text)
}

fn parse_object(number: usize, line: &str) -> Result<Map<String, Value>, Malformed> {
    match serde_json::from_str(line) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(Malformed::at(number, "not a JSON object")),
        Err(_) if line.trim().is_empty() => Err(Malformed::at(number, "empty")),
        Err(error) => {
            // The parser counts lines from the start of its input, which is a single line.
            let whole = error.to_string();
            let reason = whole.split(" at line ").next().unwrap_or(&whole);
            Err(Malformed::at(number, format!("not JSON at column {}: {reason}", error.column())))
        }
    }
}

fn parse_header(fields: &Map<String, Value>) -> Result<Header, Malformed> {
    if text(fields, "type") != Some("header") {
        return Err(Malformed::at(1, "type: the first line of a trace is its header"));
    }
    match fields.get("schema").and_then(Value::as_u64) {
        Some(1) => {}
        Some(other) => {
            return Err(Malformed::at(1, format!("schema: {other} is unknown; use 1")));
        }
        None => return Err(Malformed::at(1, "schema: missing, or not a whole number")),
    }
    let string = |name: &str| {
        text(fields, name)
            .map(str::to_owned)
            .ok_or_else(|| Malformed::at(1, format!("{name}: missing, or not a string")))
    };
    let settings = fields
        .get("settings")
        .and_then(Value::as_object)
        .ok_or_else(|| Malformed::at(1, "settings: missing, or not an object"))?;
    Ok(Header {
        name: string("name")?,
        driver: string("driver")?,
        settings: settings.clone(),
        fields: fields.clone(),
    })
}

fn parse_line(number: usize, line: &str) -> Result<Line, Malformed> {
    let fields = parse_object(number, line)?;
    let named = |field: &str| {
        text(&fields, field)
            .map(str::to_owned)
            .ok_or_else(|| Malformed::at(number, format!("{field}: missing, or not a string")))
    };
    let kind = match text(&fields, "type") {
        Some("event") => LineKind::Event(named("kind")?),
        Some("tick") => LineKind::Tick,
        Some("call") => LineKind::Call(named("op")?),
        Some(other) => {
            return Err(Malformed::at(
                number,
                format!("type: \"{other}\" is unknown; use event, tick or call"),
            ));
        }
        None => return Err(Malformed::at(number, "type: missing, or not a string")),
    };
    Ok(Line { number, kind, fields })
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    fields.get(name).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"type":"header","schema":1,"name":"x","driver":"math_calls","settings":{}}"#;

    fn reason(text: &str) -> String {
        Trace::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        assert_eq!(reason(""), "the file is empty");
        assert!(reason("{").starts_with("line 1: not JSON at column 1: "));
        assert_eq!(reason("[]"), "line 1: not a JSON object");
        assert_eq!(reason(r#"{"type":"tick"}"#), "line 1: type: the first line of a trace is its header");
        assert_eq!(
            reason(&HEADER.replace("\"schema\":1", "\"schema\":2")),
            "line 1: schema: 2 is unknown; use 1"
        );
        assert_eq!(
            reason(&HEADER.replace("settings", "setting")),
            "line 1: settings: missing, or not an object"
        );
        assert_eq!(
            reason(&format!("{HEADER}\n{{\"type\":\"tock\"}}")),
            "line 2: type: \"tock\" is unknown; use event, tick or call"
        );
        assert_eq!(
            reason(&format!("{HEADER}\n{{\"type\":\"call\"}}")),
            "line 2: op: missing, or not a string"
        );
        assert!(reason(&format!("{HEADER}\n\n")).eq("line 2: empty"));
    }

    #[test]
    fn deep_nesting_is_refused_not_followed() {
        assert!(reason(&format!("{HEADER}\n{}", "[".repeat(100_000))).contains(": recursion limit"));
    }

    #[test]
    fn times_keep_their_last_bit() {
        let text = format!("{HEADER}\n{{\"type\":\"tick\",\"t\":1000.0333333333334}}");
        let trace = Trace::parse(&text).unwrap();
        assert_eq!(
            trace.lines[0].fields["t"].as_f64().unwrap().to_bits(),
            1_000.033_333_333_333_4_f64.to_bits()
        );
    }
}
