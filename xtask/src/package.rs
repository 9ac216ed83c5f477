//! Packages: every crate that can be published is packed and built from its own package, and builds
//! with the oldest supported compiler.

use std::process::Command;

use anyhow::{Context, Result};
use cargo_metadata::{MetadataCommand, Package};

use crate::{
    command::{cargo, succeed},
    report::Findings,
    root,
};

pub(crate) fn run() -> Findings {
    let mut findings = Findings::from_result(pack());
    findings.absorb(Findings::from_result(check_oldest_compiler()));
    findings
}

/// Packs every crate that can be published and builds it from the package, without the checkout.
fn pack() -> Result<()> {
    let names = published()?;
    let mut command = cargo(&["package", "--allow-dirty", "--quiet"]);
    for name in &names {
        command.args(["-p", name]);
    }
    println!("packing {}", names.join(", "));
    succeed(&mut command)
}

/// Builds the workspace with the oldest supported compiler, unless that is the present one.
fn check_oldest_compiler() -> Result<()> {
    let metadata = MetadataCommand::new().current_dir(root()).no_deps().exec()?;
    let version = metadata
        .packages
        .iter()
        .find_map(|package| package.rust_version.as_ref())
        .context("no crate states its rust-version")?;
    let present = Command::new("rustc").current_dir(root()).arg("--version").output()?;
    let present = String::from_utf8_lossy(&present.stdout).into_owned();
    if present.contains(&format!(" {}.{}.", version.major, version.minor)) {
        println!("rust-version {version} is the present compiler: {}", present.trim());
        return Ok(());
    }
    let toolchain = version.to_string();
    succeed(Command::new("rustup").args(["toolchain", "install", &toolchain, "--profile", "minimal"]))?;
    succeed(&mut cargo(&[&format!("+{toolchain}"), "check", "--workspace", "--quiet"]))
}

/// Returns the names of the crates that can be published, in order.
fn published() -> Result<Vec<String>> {
    let metadata = MetadataCommand::new().current_dir(root()).no_deps().exec()?;
    let can_be = metadata.packages.iter().filter(|package| can_be_published(package));
    let mut names: Vec<String> = can_be.map(|package| package.name.to_string()).collect();
    names.sort_unstable();
    Ok(names)
}

/// Returns whether a crate can be published. One that cannot has `publish = false`.
pub(crate) fn can_be_published(package: &Package) -> bool {
    package.publish.as_ref().is_none_or(|registries| !registries.is_empty())
}
