//! Fuzzing: only with `--long`, because it wants nightly and cargo-fuzz.

use std::{fs, process::Command};

use anyhow::{Context, Result, bail};

use crate::{
    command::{cargo, succeed},
    report::Findings,
    root,
};

const SECONDS_A_TARGET: &str = "-max_total_time=60";

pub(crate) fn run() -> Findings {
    let targets = match ensure_tools().and_then(|()| targets()) {
        Ok(targets) => targets,
        Err(error) => return Findings::one_failure(format!("{error:#}")),
    };
    let mut findings = Findings::default();
    for target in targets {
        let args = ["+nightly", "fuzz", "run", &target, "--", SECONDS_A_TARGET, "-rss_limit_mb=2048"];
        findings.absorb(Findings::from_result(succeed(cargo(&args).env_remove("RUSTUP_TOOLCHAIN"))));
    }
    findings
}

fn ensure_tools() -> Result<()> {
    for (program, args, remedy) in [
        ("rustup", &["run", "nightly", "rustc", "--version"] as &[&str], "rustup toolchain install nightly"),
        ("cargo", &["fuzz", "--version"], "cargo install cargo-fuzz"),
    ] {
        let works = Command::new(program).args(args).output().is_ok_and(|output| output.status.success());
        if !works {
            bail!("`{program} {}` does not work; install it with `{remedy}`", args.join(" "));
        }
    }
    Ok(())
}

/// Every file in fuzz/fuzz_targets is a target.
fn targets() -> Result<Vec<String>> {
    let folder = root().join("fuzz/fuzz_targets");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}
