//! Tools that a step needs and installs by itself.

use std::process::Command;

use anyhow::{Context, Result, bail};

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

/// Installs the Debian packages of programs that are missing, and other packages besides if any is.
///
/// Another installation may hold the lock, and a mirror may fail once.
pub(crate) fn ensure_programs(programs: &[[&str; 2]], besides: &[&str]) -> Result<()> {
    let missing = || -> Vec<&str> {
        let absent = programs.iter().filter(|[program, _]| !is_program(program));
        absent.map(|[_, package]| *package).collect()
    };
    let packages = [missing().as_slice(), besides].concat();
    if missing().is_empty() && besides.iter().all(|package| is_installed(package)) {
        return Ok(());
    }
    println!("installing {}", packages.join(" "));
    for _ in 0..3 {
        let install = [&["install", "-y", "-qq", "--no-install-recommends"], packages.as_slice()].concat();
        for arguments in [["update", "-qq"].as_slice(), &install] {
            let mut command = Command::new("apt-get");
            command.env("DEBIAN_FRONTEND", "noninteractive").args(["-o", "DPkg::Lock::Timeout=300"]);
            // A failure shows in the programs that are missing afterwards.
            let _ = command.args(arguments).status();
        }
        if missing().is_empty() {
            return Ok(());
        }
    }
    bail!("{} could not be installed; install them, then run this again", missing().join(" "))
}

fn is_program(name: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(name).is_file())
}

fn is_installed(package: &str) -> bool {
    Command::new("dpkg").args(["-s", package]).output().is_ok_and(|output| output.status.success())
}
