//! Writing to whoever reads us.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use indicatif::{ProgressBar, ProgressStyle};

/// Whether an error only says that the reader of our output went away.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|error| error.io_error_kind() == Some(io::ErrorKind::BrokenPipe))
    })
}

/// A bar for so many things to do; nothing at all unless somebody watches.
pub(crate) fn bar(count: u64) -> ProgressBar {
    if count < 2 || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed}");
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A bar for something whose part is told, in thousandths; nothing at all unless somebody watches.
pub(crate) fn part_bar() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {percent} % {elapsed}");
    ProgressBar::new(1_000).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Whether writing to a path would destroy a file that is read.
pub(crate) fn would_overwrite(output: &Path, input: &Path) -> bool {
    // What is not there yet overwrites nothing.
    same_file::is_same_file(output, input).unwrap_or(false)
}

/// A number of things, in words.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Says something on standard error. Nobody may be listening there, which is no reason to fall over.
pub(crate) fn tell(words: &str) {
    let _ = writeln!(io::stderr(), "{words}");
}
