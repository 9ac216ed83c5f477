//! Output to standard output and standard error.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use indicatif::{ProgressBar, ProgressStyle};

/// Returns whether an error only means that the reader of the output has closed it.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|error| error.io_error_kind() == Some(io::ErrorKind::BrokenPipe))
    })
}

/// Returns a progress bar for `count` things, hidden unless standard error is a terminal.
pub(crate) fn bar(count: u64) -> ProgressBar {
    if count < 2 || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed}");
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Returns a progress bar in thousandths, hidden unless standard error is a terminal.
pub(crate) fn part_bar() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {percent} % {elapsed}");
    ProgressBar::new(1_000).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Returns whether writing to `output` would destroy the file `input`.
pub(crate) fn would_overwrite(output: &Path, input: &Path) -> bool {
    // A missing file overwrites nothing.
    same_file::is_same_file(output, input).unwrap_or(false)
}

/// Returns a number with its noun, in singular or plural.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Prints a line on standard error. A failure to do so is ignored.
pub(crate) fn tell(words: &str) {
    let _ = writeln!(io::stderr(), "{words}");
}
