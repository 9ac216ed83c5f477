//! `evenstride conform`: names the command that runs reference traces.

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::args::ConformArgs;

/// Fails with the command to run instead. The traces need the core's private feature, and the
/// shipped program is built and tested without it.
pub(crate) fn run(args: &ConformArgs) -> Result<ExitCode> {
    let rest: Vec<_> = args.rest.iter().map(|word| word.to_string_lossy()).collect();
    let rest = if rest.is_empty() { "testdata/golden".to_owned() } else { rest.join(" ") };
    bail!(
        "conform: reference traces do not run in this program; in the project's folder, run `cargo xtask conform {rest}`"
    )
}
