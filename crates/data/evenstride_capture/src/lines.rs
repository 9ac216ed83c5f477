//! Reads files with one datagram or message per line, as JSON.

use std::{
    io::{BufRead, ErrorKind, Read},
    net::{IpAddr, Ipv4Addr, SocketAddr},
};

use serde::Deserialize;

use crate::{Direction, Fault, Listener, Place, Session};

/// Longest valid line in bytes. A longer line is a fault, and is skipped.
const MAX_LINE_BYTES: u64 = 4 << 20;

/// Byte order mark with which some editors begin a file.
pub(crate) const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// Largest valid absolute value of a time, in seconds.
const MAX_SECONDS: f64 = 1e11;

/// A line in either form. A datagram is `{"t","dir","pair","len","data"}`, a message is
/// `{"idx","dir","t_rel","payload_hex"}`.
#[derive(Deserialize)]
struct Line {
    dir: Option<String>,
    t: Option<f64>,
    t_rel: Option<f64>,
    pair: Option<serde_json::Value>,
    len: Option<u64>,
    data: Option<String>,
    payload_hex: Option<String>,
}

/// Reads all lines. Returns the place where reading ended.
pub(crate) fn read<L: Listener>(mut source: impl BufRead, session: &mut Session<L>) -> Place {
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        number += 1;
        let place = Place::Line(number);
        line.clear();
        let read = loop {
            if session.is_done() {
                return place;
            }
            let room = MAX_LINE_BYTES - line.len() as u64;
            match (&mut source).take(room).read_until(b'\n', &mut line) {
                // The line is not complete yet.
                Err(error) if error.kind() == ErrorKind::WouldBlock => session.wait(),
                read => break read,
            }
        };
        match read {
            Ok(0) if line.is_empty() => return place,
            Ok(_) if line.last() != Some(&b'\n') && line.len() as u64 == MAX_LINE_BYTES => {
                session.fault(Fault { place, what: format!("longer than {MAX_LINE_BYTES} bytes") });
                if let Err(error) = skip_line(&mut source) {
                    session.fault(Fault { place, what: error.to_string() });
                    return place;
                }
            }
            Ok(_) if line.iter().all(u8::is_ascii_whitespace) => {}
            Ok(_) => {
                let text = line.strip_prefix(&BYTE_ORDER_MARK).unwrap_or(&line);
                if let Err(what) = handle(text, place, session) {
                    session.fault(Fault { place, what });
                }
            }
            Err(error) => {
                session.fault(Fault { place, what: error.to_string() });
                return place;
            }
        }
    }
}

fn skip_line(source: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = match source.fill_buf() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
            buffer => buffer?,
        };
        let (used, is_done) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        source.consume(used);
        if is_done {
            return Ok(());
        }
    }
}

fn handle<L: Listener>(line: &[u8], place: Place, session: &mut Session<L>) -> Result<(), String> {
    if !line.trim_ascii_start().starts_with(b"{") {
        return Err("not a JSON object".to_owned());
    }
    let line: Line = serde_json::from_slice(line).map_err(|error| in_a_line(&error))?;
    let direction = match line.dir.as_deref() {
        Some("s2c" | "S2C" | "recv" | "in") => Direction::FromServer,
        Some("c2s" | "C2S" | "send" | "out") => Direction::FromClient,
        Some(other) => return Err(format!("dir is {other:?}, not \"s2c\" or \"c2s\"")),
        None => return Err("has no \"dir\"".to_owned()),
    };
    match (&line.payload_hex, &line.data) {
        (Some(hex), _) => {
            let time = seconds(line.t_rel.or(line.t).ok_or("has no \"t_rel\"")?)?;
            session.whole_message(time, place, direction, &from_hex(hex)?);
        }
        (None, Some(hex)) => {
            let time = seconds(line.t.or(line.t_rel).ok_or("has no \"t\"")?)?;
            let (client, server) = endpoints(line.pair.as_ref());
            session.invent_ends();
            let bytes = from_hex(hex)?;
            if line.len.is_some_and(|len| len != bytes.len() as u64) {
                let what = format!("len is {}, but data has {} bytes", line.len.unwrap_or(0), bytes.len());
                session.fault(Fault { place, what });
            }
            let (from, to) = match direction {
                Direction::FromServer => (server, client),
                Direction::FromClient => (client, server),
            };
            session.captured_datagram(time, place, from, to, &bytes);
        }
        (None, None) => return Err("has neither \"payload_hex\" nor \"data\"".to_owned()),
    }
    Ok(())
}

/// Returns the parser's message with the column, but without the parser's own line number.
fn in_a_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((what, _)) => format!("{what} at column {}", error.column()),
        None => text,
    }
}

fn seconds(time: f64) -> Result<f64, String> {
    if time.abs() <= MAX_SECONDS { Ok(time) } else { Err(format!("time {time:e} s is invalid")) }
}

/// Returns the addresses of client and server for a `pair`.
///
/// A server has two ports per connection. An even number stands for the first port, and the next
/// odd number for the second. Any other value is a name, and each name is a separate connection.
fn endpoints(pair: Option<&serde_json::Value>) -> (SocketAddr, SocketAddr) {
    let number = match pair {
        Some(serde_json::Value::Number(number)) => number.as_u64().unwrap_or(0) as u32,
        Some(other) => {
            other
                .to_string()
                .bytes()
                .fold(0x811C_9DC5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
                << 1
        }
        None => 0,
    };
    let client = Ipv4Addr::from(0x0A00_0000 | (number >> 1 & 0xFF_FFFF));
    let server = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9_000 + (number & 1) as u16);
    (SocketAddr::new(IpAddr::V4(client), 12_345), server)
}

fn from_hex(hex: &str) -> Result<Vec<u8>, String> {
    let digits = hex.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return Err(format!("{} hex digits are not whole bytes", digits.len()));
    }
    let value = |digit: u8| (digit as char).to_digit(16).map(|value| value as u8);
    digits
        .as_chunks::<2>()
        .0
        .iter()
        .enumerate()
        .map(|(index, [high, low])| match (value(*high), value(*low)) {
            (Some(high), Some(low)) => Ok(high << 4 | low),
            _ => Err(format!("byte {index} is not hexadecimal")),
        })
        .collect()
}
