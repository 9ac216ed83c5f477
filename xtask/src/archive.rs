//! Archives of simulated captures, and what it takes to convert them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use crate::{
    command::{cargo, succeed},
    root,
};

/// Writes an archive of simulated captures.
pub(crate) fn make(number: u64, folder: &Path) -> Result<()> {
    let mut command = example("make_archive");
    succeed(command.arg(number.to_string()).arg(absolute(folder)?))
}

/// Measures archives of several sizes, then the compressions of their tables.
pub(crate) fn bench(numbers: &[u64], jobs: u32) -> Result<()> {
    let folder = root().join("target/archive-bench");
    let mut command = example("measure");
    succeed(command.arg(&folder).arg(jobs.to_string()).args(numbers.iter().map(u64::to_string)))?;
    println!();
    let captures = folder.join(format!("captures-{}", numbers.first().context("no number of captures")?));
    let mut command = example("codecs");
    for capture in ["server-0/town-square-00000.pcap.gz", "server-1/chase-5hz-00001.pcap.gz"] {
        command.arg(captures.join(capture));
    }
    succeed(&mut command)?;
    fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())
}

fn example(name: &str) -> std::process::Command {
    cargo(&["run", "--quiet", "--release", "-p", "evenstride_archive", "--example", name, "--"])
}

/// Returns a path that does not depend on the folder in which cargo runs.
fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| path.display().to_string())
}
