//! This library and others in one run, by the program in `benches/peers`.

use std::path::PathBuf;

use anyhow::Result;

use crate::{
    command::{cargo, succeed},
    report::Findings,
    root,
};

/// The manifest of the program. It is outside the workspace, because Bevy would double the lock file.
pub(crate) const MANIFEST: &str = "benches/peers/Cargo.toml";

/// Builds the program and lets it print its tables.
pub(crate) fn run(size: Option<u32>, names: &[String]) -> Result<()> {
    println!("The first build takes a part of Bevy, which is several minutes.");
    let mut command = cargo(&["run", "--release", "--manifest-path", MANIFEST]);
    // A folder of its own, because other features of shared crates would rebuild the workspace.
    command.env("CARGO_TARGET_DIR", target()).arg("--");
    if let Some(size) = size {
        command.args(["--size", &size.to_string()]);
    }
    succeed(command.args(names))
}

/// Checks that the program builds without warnings, and that every contestant draws entities where they
/// are heard to be.
pub(crate) fn check() -> Findings {
    let args = ["clippy", "--release", "--quiet", "--manifest-path", MANIFEST, "--", "-D", "warnings"];
    let mut findings = Findings::from_result(succeed(cargo(&args).env("CARGO_TARGET_DIR", target())));
    findings.absorb(Findings::from_result(run(Some(100), &[])));
    findings
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from).join("peers")
}
