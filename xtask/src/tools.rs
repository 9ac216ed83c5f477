//! Tools that a step needs and installs by itself.

use std::{path::Path, process::Command};

use anyhow::{Context, Result, anyhow};
use evenstride_testkit::{ensure_packages, has_program};

use crate::command::{cargo, succeed};

/// Installs a subcommand of cargo if it is missing. Any version that is present will do.
pub(crate) fn ensure_subcommand(name: &str, version: &str) -> Result<()> {
    let present = cargo(&[name, "--version"]).output().is_ok_and(|output| output.status.success());
    if present {
        return Ok(());
    }
    let package = format!("cargo-{name}");
    println!("installing {package} {version}");
    succeed(&mut cargo(&["install", &package, "--locked", "--version", version]))
}

/// Installs the nightly compiler and components of it, if they are missing.
pub(crate) fn ensure_nightly(components: &[&str]) -> Result<()> {
    let missing = "rustup is needed for the nightly compiler; install it, then run this again";
    let present =
        Command::new("rustup").args(["run", "nightly", "rustc", "--version"]).output().context(missing)?;
    if !present.status.success() {
        succeed(Command::new("rustup").args(["toolchain", "install", "nightly", "--profile", "minimal"]))?;
    }
    let listed = ["component", "list", "--installed", "--toolchain", "nightly"];
    let listed = Command::new("rustup").args(listed).output()?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let is_missing = |component: &&&str| !listed.lines().any(|line| line.starts_with(**component));
    let missing: Vec<&str> = components.iter().filter(is_missing).copied().collect();
    if missing.is_empty() {
        return Ok(());
    }
    succeed(Command::new("rustup").args(["component", "add", "--toolchain", "nightly"]).args(missing))
}

/// Installs the Debian packages of programs that are missing, and of other files by path.
pub(crate) fn ensure_programs(needed: &[[&str; 2]]) -> Result<()> {
    let is_there = |what: &str| what.starts_with('/') && Path::new(what).exists() || has_program(what);
    let missing = || needed.iter().filter(|[what, _]| !is_there(what));
    let packages: Vec<&str> = missing().map(|[_, package]| *package).collect();
    let names: Vec<&str> = missing().map(|[what, _]| *what).collect();
    ensure_packages(&packages, || missing().next().is_none())
        .map_err(|said| anyhow!("{} {said}", names.join(", ")))
}
