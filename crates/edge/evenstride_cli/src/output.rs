//! Writing to whoever reads us.

use std::io::{self, Write};

/// Whether an error only says that the reader of our output went away.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|error| error.io_error_kind() == Some(io::ErrorKind::BrokenPipe))
    })
}

/// Says something on standard error. Nobody may be listening there, which is no reason to fall over.
pub(crate) fn tell(words: &str) {
    let _ = writeln!(io::stderr(), "{words}");
}
