//! Programs that tests run, which are installed where they are missing.

use std::process::{Command, Output};

use crate::{ensure_packages, has_program};

/// Returns the output of a program. If it is missing, Debian packages are installed first.
///
/// # Panics
///
/// If the program is still missing. A test that cannot run has failed.
pub fn output_of(make: impl Fn() -> Command, packages: &[&str]) -> Output {
    let program = make().get_program().to_string_lossy().into_owned();
    ensure_packages(packages, || has_program(&program)).unwrap_or_else(|said| panic!("{program} {said}"));
    make().output().unwrap_or_else(|error| panic!("{program}: {error}"))
}
