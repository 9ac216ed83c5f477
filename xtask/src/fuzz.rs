//! Fuzzing, which runs only with `--long` because it needs nightly and cargo-fuzz.

use std::{fs, path::PathBuf, process::Command};

use anyhow::{Context, Result, bail};

use crate::{
    command::{cargo, succeed},
    report::Findings,
    root,
};

/// Folder of the kept corpora, one archive per target. As single files they would number thousands.
const CORPORA: &str = "fuzz/corpora";

const SECONDS_A_TARGET: &str = "-max_total_time=60";

/// Fuzzes every target for a minute, starting from its kept corpus.
pub(crate) fn run() -> Findings {
    let targets = match ensure_tools().and_then(|()| targets()) {
        Ok(targets) => targets,
        Err(error) => return Findings::one_failure(format!("{error:#}")),
    };
    let mut findings = Findings::default();
    for target in targets {
        let args = ["+nightly", "fuzz", "run", &target, "--", SECONDS_A_TARGET, "-rss_limit_mb=2048"];
        let result = unpack(&target).and_then(|()| succeed(cargo(&args).env_remove("RUSTUP_TOOLCHAIN")));
        findings.absorb(Findings::from_result(result));
    }
    findings
}

/// Keeps the corpus of every target, minimised and packed.
pub(crate) fn keep() -> Result<()> {
    ensure_tools()?;
    fs::create_dir_all(root().join(CORPORA))?;
    for target in targets()? {
        // A new target has no corpus yet.
        if archive(&target).exists() {
            unpack(&target)?;
        }
        succeed(cargo(&["+nightly", "fuzz", "cmin", &target]).env_remove("RUSTUP_TOOLCHAIN"))?;
        // The same files make the same archive.
        let pack = format!(
            "tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C fuzz/corpus -cf - {target} | gzip -9n > {CORPORA}/{target}.tar.gz"
        );
        succeed(Command::new("sh").current_dir(root()).args(["-c", &pack]))?;
    }
    Ok(())
}

/// Unpacks a target's kept corpus beside the local finds.
fn unpack(target: &str) -> Result<()> {
    let archive = archive(target);
    if !archive.exists() {
        bail!("{CORPORA}/{target}.tar.gz is missing: fuzz the target, then `cargo xtask keep-corpora`");
    }
    let corpus = root().join("fuzz/corpus");
    fs::create_dir_all(&corpus)?;
    succeed(Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(&corpus))
}

fn archive(target: &str) -> PathBuf {
    root().join(CORPORA).join(format!("{target}.tar.gz"))
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

/// Returns the targets. Every file in fuzz/fuzz_targets is one.
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
