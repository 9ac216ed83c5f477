//! Lines on standard error: notes, which `--quiet` silences, and warnings and errors, which stay.

use std::{
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use super::{Tone, one_line, style::is_coloured};

/// Silences notes and progress for the rest of the run.
pub(crate) fn silence() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Returns whether notes and progress are silenced.
pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Prints a note on standard error, unless `--quiet` is given. Control characters are spelled out,
/// and a failure is ignored.
pub(crate) fn tell(words: &str) {
    if !is_quiet() {
        print("", words);
    }
}

/// Prints a warning on standard error, also with `--quiet`. The name of the program comes first.
pub(crate) fn warn(words: &str) {
    print("evenstride: ", words);
}

/// Prints a line on standard error, also with `--quiet` and without the name of the program.
pub(crate) fn insist(words: &str) {
    print("", words);
}

fn print(prefix: &str, words: &str) {
    let mut err = io::stderr().lock();
    let is_styled = !prefix.is_empty() && is_coloured(&io::stderr());
    let style = if is_styled { Tone::Bad.style() } else { Tone::Plain.style() };
    let words = one_line(words);
    let _ = writeln!(err, "{style}{prefix}{style:#}{words}");
}

static QUIET: AtomicBool = AtomicBool::new(false);
