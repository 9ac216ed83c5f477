//! Captures from files and from standard input, and text files.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use anyhow::{Context, Result, bail};
use evenstride_capture::{Listener, Session, read};

use crate::output::Progress;

/// Reads a file into a session. `-` is standard input.
pub(crate) fn read_capture<L: Listener>(path: &Path, session: &mut Session<L>) -> Result<()> {
    let name = || format!("{}", path.display());
    if path.as_os_str() == "-" {
        return read(io::stdin(), session).context("standard input");
    }
    let file = File::open(path).with_context(name)?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    let progress = Progress::of_bytes("reading", size);
    read(progress.reading(file), session).with_context(name)
}

/// Reads a scenario or a table. Larger files, and devices without an end, are refused.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    let mut text = String::new();
    file.take(MAX_TEXT_BYTES + 1).read_to_string(&mut text).with_context(name)?;
    if text.len() as u64 > MAX_TEXT_BYTES {
        bail!("{}: larger than {} MB, so it is not a text for this program", name(), MAX_TEXT_BYTES >> 20);
    }
    Ok(text)
}

/// Largest text file in bytes.
const MAX_TEXT_BYTES: u64 = 16 << 20;
