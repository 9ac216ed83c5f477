//! The truth of a capture as a CSV file, so that any program can be scored against it.
//!
//! One line is one true place. Lines are in the order of time, and times count from the first
//! message of the capture. A subject moves on a straight line between two places that are at most
//! 0.1 s apart.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, Read, Write},
};

use evenstride_replay::Truth;
use evenstride_types::{EntityId, RawPlacement, Vec3};

/// True places by entity, oldest first.
pub type Truths = BTreeMap<EntityId, Vec<Truth>>;

/// The first line of a file.
pub const TRUTH_HEADER: &str = "time,entity,cell,x,y,z,qw,qx,qy,qz";

/// Most lines that are read.
const MAX_LINES: usize = 20_000_000;

/// Most bytes of a line. A file without line breaks must not fill the memory.
const MAX_LINE_BYTES: u64 = 1_024;

/// Error in a file of true places.
#[derive(Debug, thiserror::Error)]
pub enum TruthError {
    /// The file could not be read.
    #[error("the file could not be read as text")]
    Read(#[from] io::Error),
    /// The file is not a list of true places.
    #[error("line 1 is not \"{TRUTH_HEADER}\"; `evenstride simulate --truth FILE` writes such a file")]
    Header,
    /// A line is invalid.
    #[error("line {line}: {problem}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// The field, its value, and what is allowed.
        problem: String,
    },
    /// The file is too long.
    #[error("more than {MAX_LINES} lines; split the file")]
    TooLong,
}

/// Writes true places.
///
/// # Errors
/// That of the output.
pub fn write_truth(truths: &Truths, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "{TRUTH_HEADER}")?;
    let mut all: Vec<(EntityId, &Truth)> =
        truths.iter().flat_map(|(entity, truths)| truths.iter().map(|truth| (*entity, truth))).collect();
    all.sort_by(|(_, one), (_, other)| one.time.total_cmp(&other.time));
    for (entity, truth) in all {
        let [x, y, z] = truth.place.pose.origin().to_array();
        let [qw, qx, qy, qz] = truth.place.pose.rotation().to_wxyz();
        let (time, cell) = (truth.time, truth.place.cell);
        writeln!(out, "{time},{entity},{cell},{x},{y},{z},{qw},{qx},{qy},{qz}")?;
    }
    out.flush()
}

/// Reads true places.
///
/// # Errors
/// [`TruthError`] with the line, the field and the value.
pub fn read_truth(mut input: impl BufRead) -> Result<Truths, TruthError> {
    let mut text = String::new();
    read_line(&mut input, &mut text)?;
    if text.trim_end() != TRUTH_HEADER {
        return Err(TruthError::Header);
    }
    let mut truths = Truths::new();
    for line in 2.. {
        if read_line(&mut input, &mut text)? == 0 {
            break;
        }
        if line > MAX_LINES {
            return Err(TruthError::TooLong);
        }
        if text.len() as u64 >= MAX_LINE_BYTES {
            let problem = format!("longer than {MAX_LINE_BYTES} bytes");
            return Err(TruthError::Line { line, problem });
        }
        if text.trim().is_empty() {
            continue;
        }
        let (entity, truth) = parse(text.trim_end()).map_err(|problem| TruthError::Line { line, problem })?;
        truths.entry(entity).or_default().push(truth);
    }
    for truths in truths.values_mut() {
        truths.sort_by(|one, other| one.time.total_cmp(&other.time));
    }
    Ok(truths)
}

/// Reads a line of at most [`MAX_LINE_BYTES`] into `line`. Returns its length, which is 0 at the end.
fn read_line(input: &mut impl BufRead, line: &mut String) -> io::Result<usize> {
    line.clear();
    input.by_ref().take(MAX_LINE_BYTES).read_line(line)
}

fn parse(line: &str) -> Result<(EntityId, Truth), String> {
    let fields: Vec<&str> = line.split(',').collect();
    let [time, entity, cell, numbers @ ..] = fields.as_slice() else {
        return Err(format!("{} fields; 10 are needed", fields.len()));
    };
    let [x, y, z, qw, qx, qy, qz] = numbers else {
        return Err(format!("{} fields; 10 are needed", fields.len()));
    };
    let hex = |field: &str, text: &str| {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        u32::from_str_radix(digits, 16)
            .map_err(|_| format!("{field}: \"{text}\" is not a hexadecimal number of up to eight digits"))
    };
    let number = |field: &str, text: &str| {
        text.parse::<f32>().map_err(|_| format!("{field}: \"{text}\" is not a number"))
    };
    let time = match time.parse::<f64>() {
        Ok(time) if time.is_finite() => time,
        _ => return Err(format!("time: \"{time}\" is not a number of seconds")),
    };
    let place = RawPlacement {
        cell: hex("cell", cell)?,
        origin: Vec3::new(number("x", x)?, number("y", y)?, number("z", z)?),
        wxyz: [number("qw", qw)?, number("qx", qx)?, number("qy", qy)?, number("qz", qz)?],
    };
    let place = place.check().map_err(|error| error.to_string())?;
    Ok((EntityId::new(hex("entity", entity)?), Truth { time, place }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn true_places_come_back_bit_for_bit() {
        let scenario = crate::scenario("jump-running").unwrap().unwrap();
        let simulated = crate::simulate(&scenario, 5).unwrap();
        let mut file = Vec::new();
        write_truth(&simulated.truth, &mut file).unwrap();
        assert_eq!(read_truth(file.as_slice()).unwrap(), simulated.truth);
    }

    #[test]
    fn mistakes_say_line_field_and_value() {
        let read = |text: &str| read_truth(text.as_bytes()).unwrap_err().to_string();
        assert!(read("x,y\n1,2\n").starts_with("line 1 is not \"time,entity"));
        let good = "1.5,0x50000002,0xA9B40001,84,90,10,1,0,0,0";
        let with =
            |old: &str, new: &str| read(&format!("{TRUTH_HEADER}\n{good}\n{}\n", good.replace(old, new)));
        assert_eq!(with("1.5", "soon"), "line 3: time: \"soon\" is not a number of seconds");
        assert_eq!(with(",84", ",east"), "line 3: x: \"east\" is not a number");
        assert_eq!(with(",84", ""), "line 3: 9 fields; 10 are needed");
        assert!(with("0xA9B40001", "0xA9B40000").starts_with("line 3: "));
        assert!(with("84", "NaN").starts_with("line 3: "));
        assert_eq!(with("84", &"8".repeat(2_000)), "line 3: longer than 1024 bytes");
        assert!(read(&"x".repeat(1 << 20)).starts_with("line 1 is not "));
        assert!(with("0x50000002", "Ilse").contains("entity: \"Ilse\" is not a hexadecimal number"));
    }
}
