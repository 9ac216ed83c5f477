//! Output to standard output, standard error and files.

mod claims;
mod clean;
mod file;
mod wrap;

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use anyhow::Result;
use clean::{Clean, Spelling};
use indicatif::{ProgressBar, ProgressStyle};

pub(crate) use self::{
    claims::Inputs,
    clean::{is_plain, one_line},
    file::OutputFile,
    wrap::wrapped,
};

/// Standard output without control characters.
pub(crate) type TextOut = Clean<BufWriter<Stdout>>;

/// Returns standard output for text. Control characters in it are spelled out.
pub(crate) fn text() -> TextOut {
    Clean::new(BufWriter::new(io::stdout()), Spelling::Text)
}

/// Returns standard output for JSON. Control characters in it are escaped, which changes no data.
pub(crate) fn json() -> TextOut {
    Clean::new(BufWriter::new(io::stdout()), Spelling::Json)
}

/// Prints a line of JSON on standard output.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<()> {
    let mut out = json();
    serde_json::to_writer(&mut out, value)?;
    writeln!(out)?;
    out.flush()?;
    Ok(())
}

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

/// Returns a number with its noun, in singular or plural.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Prints a line on standard error, without control characters. A failure to do so is ignored.
pub(crate) fn tell(words: &str) {
    let _ = writeln!(io::stderr(), "{}", one_line(words));
}
