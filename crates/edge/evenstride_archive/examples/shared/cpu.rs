//! Processor time of this program, by Linux.

use std::{error::Error, fs};

/// Returns the processor time so far in seconds, in user and system mode.
pub(crate) fn seconds() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|text| text.parse::<f64>().ok()).ok_or("no time");
    // The kernel counts in hundredths of a second.
    Ok((ticks(11)? + ticks(12)?) / 100.0)
}
