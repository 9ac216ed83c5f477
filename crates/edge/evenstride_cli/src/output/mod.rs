//! Output to standard output, standard error and files.

mod claims;
mod clean;
mod file;
mod progress;
mod style;
mod table;
mod voice;
mod width;
mod words;

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

use anyhow::Result;
use clean::{Clean, Spelling};

pub(crate) use self::{
    claims::Inputs,
    clean::{is_plain, one_line},
    file::{OutputFile, is_dash},
    progress::{Progress, StatusLine},
    style::{Tone, choose},
    table::{Cell, Column, Table},
    voice::{insist, is_quiet, silence, tell, warn},
    width::{width, wrap},
    words::{count, nearest_first, similar, thousands},
};

/// A stream of text without control characters, apart from the program's own styles.
pub(crate) type TextOut = Clean<BufWriter<Box<dyn Write + Send>>>;

/// Returns standard output for text. Control characters in it are spelled out.
pub(crate) fn text() -> TextOut {
    stream(io::stdout(), Spelling::Text).coloured(style::is_coloured(&io::stdout()))
}

/// Returns standard output for JSON. Control characters in it are escaped, which changes no data.
pub(crate) fn json() -> TextOut {
    stream(io::stdout(), Spelling::Json)
}

/// Returns the stream for the summary of a command that writes these outputs.
///
/// If one of them is `-`, standard output is taken. The summary then goes to standard error, or
/// nowhere with `--quiet`.
pub(crate) fn text_beside<'a>(outputs: impl IntoIterator<Item = &'a Path>) -> TextOut {
    if !outputs.into_iter().any(is_dash) {
        text()
    } else if is_quiet() {
        stream(io::sink(), Spelling::Text)
    } else {
        stream(io::stderr(), Spelling::Text).coloured(style::is_coloured(&io::stderr()))
    }
}

fn stream(out: impl Write + Send + 'static, spelling: Spelling) -> TextOut {
    Clean::new(BufWriter::new(Box::new(out)), spelling)
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
