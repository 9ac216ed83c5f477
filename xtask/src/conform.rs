//! `cargo xtask conform`: runs reference traces in a separate program.
//!
//! The traces read the core's internals through its private feature. Cargo unifies features over
//! everything that is built together, so this program is built alone. Nothing that ships is ever
//! built with that feature.

use std::{
    ffi::OsString,
    process::{Command, ExitCode},
};

use anyhow::{Context, Result};

use crate::{
    command::{cargo, succeed},
    root,
};

const PACKAGE: &str = "evenstride_conformance";
const PROGRAM: &str = "evenstride-conform";

/// Builds the program in release and runs it in the current folder, so that relative paths work.
/// Returns its exit code.
pub(crate) fn run(args: &[OsString]) -> Result<ExitCode> {
    succeed(&mut cargo(&["build", "--release", "--quiet", "-p", PACKAGE, "--bin", PROGRAM]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let program = target.join("release").join(PROGRAM).with_extension(std::env::consts::EXE_EXTENSION);
    let status = Command::new(&program).args(args).status().with_context(|| program.display().to_string())?;
    Ok(ExitCode::from(u8::try_from(status.code().unwrap_or(2)).unwrap_or(2)))
}
