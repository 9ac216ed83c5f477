//! Breaking changes of the public API, by cargo-semver-checks.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use cargo_metadata::MetadataCommand;

use crate::{
    command::{cargo, succeed},
    package::can_be_published,
    report::Findings,
    root,
    tools::ensure_subcommand,
};

/// Names another baseline, such as `main`.
const BASELINE: &str = "EVENSTRIDE_SEMVER_BASELINE";

/// Compares every published library with the last release, or with the parent commit if there is
/// none.
pub(crate) fn run() -> Findings {
    let prepared =
        ensure_subcommand("semver-checks", "0.51.0").and_then(|()| Ok((baseline()?, libraries()?)));
    let (baseline, libraries) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return Findings::one_failure(format!("{error:#}")),
    };
    println!("baseline: {baseline}");
    let mut findings = Findings::default();
    for library in libraries {
        let mut command = cargo(&["semver-checks", "--package", &library, "--baseline-rev", &baseline]);
        // The version does not change with each commit, so a change that breaks callers always counts.
        command.args(["--release-type", "minor", "--color", "never"]);
        findings.absorb(Findings::from_result(succeed(&mut command)));
    }
    findings
}

/// Returns the revision to compare with.
fn baseline() -> Result<String> {
    if let Ok(revision) = std::env::var(BASELINE) {
        return Ok(revision);
    }
    let tag = git(&["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"]);
    tag.or_else(|_| git(&["rev-parse", "HEAD~1"]))
}

fn git(args: &[&str]) -> Result<String> {
    let output = Command::new("git").current_dir(root()).args(args).output().context("git")?;
    ensure!(output.status.success(), "`git {}` failed", args.join(" "));
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Returns the names of the published crates that are libraries.
fn libraries() -> Result<Vec<String>> {
    let metadata = MetadataCommand::new().current_dir(root()).no_deps().exec()?;
    let is_library = |package: &&cargo_metadata::Package| {
        can_be_published(package) && package.targets.iter().any(|target| target.is_lib())
    };
    let mut names: Vec<String> =
        metadata.packages.iter().filter(is_library).map(|package| package.name.to_string()).collect();
    names.sort_unstable();
    Ok(names)
}
