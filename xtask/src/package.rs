//! Packages: every crate that can be published is packed and built from its own package, and builds
//! with the oldest supported compiler.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

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
    let mut command = cargo(&["package", "--allow-dirty", "--quiet", "--target-dir", FOLDER]);
    for name in &names {
        command.args(["-p", name]);
    }
    println!("packing {}", names.join(", "));
    forget_earlier_packages(&names)?;
    succeed(&mut command)
}

/// Deletes what cargo has unpacked and built of earlier packages. Cargo takes two packages of one version
/// for the same, and would build with the earlier one.
fn forget_earlier_packages(names: &[String]) -> Result<()> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo"))).context("no home folder")?;
    // Registries without a host are those that `cargo package` makes.
    let registries = entries(&home.join("registry/src"), &["-".to_owned()]).into_iter();
    let unpacked = registries.flat_map(|registry| entries(&registry, names));
    let built = entries(&root().join(FOLDER).join("debug/.fingerprint"), names);
    for folder in unpacked.chain(built) {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    Ok(())
}

/// Returns the entries of a folder whose names begin like one of these. A missing folder has none.
fn entries(folder: &Path, beginnings: &[String]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let paths = entries.map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        beginnings.iter().any(|beginning| name.starts_with(beginning.as_str()))
    });
    paths.collect()
}

/// Folder in which packages are built, apart from the workspace.
const FOLDER: &str = "target/packed";

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
