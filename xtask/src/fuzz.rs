//! Fuzzing with cargo-fuzz, which needs nightly, and the kept corpora.

use std::{fs, path::PathBuf, process::Command};

use anyhow::{Context, Result, bail, ensure};

use crate::{
    command::{cargo, count_tests, succeed},
    report::Findings,
    root,
};

/// Folder of the kept corpora, one archive per target. As single files they would number thousands.
const CORPORA: &str = "fuzz/corpora";

/// Largest kept archive in bytes. The repository holds every version of it.
const MAX_ARCHIVE_BYTES: u64 = 300_000;

/// Largest memory of a target in megabytes.
const MAX_MEGABYTES: u32 = 2_048;

/// Longest time for one input in seconds.
const MAX_INPUT_SECS: u32 = 20;

/// Fuzzes every target for a minute.
pub(crate) fn run() -> Findings {
    match targets().and_then(|targets| fuzz(&targets, 1.0)) {
        Ok(findings) => findings,
        Err(error) => Findings::one_failure(format!("{error:#}")),
    }
}

/// Fuzzes the named targets, or all of them, and prints the results. Returns whether nothing was found.
pub(crate) fn run_targets(names: &[String], minutes: f64) -> Result<bool> {
    let targets = named(names)?;
    ensure!(
        minutes > 0.0 && minutes <= 10_000.0,
        "--minutes {minutes} is invalid; use more than 0, up to 10000"
    );
    let findings = fuzz(&targets, minutes)?;
    findings.failures.iter().for_each(|failure| println!("FAIL {failure}"));
    println!("\n{} passed, {} failed", findings.passed, findings.failures.len());
    Ok(findings.failures.is_empty())
}

/// Fuzzes targets one after the other, each from its kept corpus and earlier local inputs.
fn fuzz(targets: &[String], minutes: f64) -> Result<Findings> {
    ensure_tools()?;
    let seconds = format!("-max_total_time={:.0}", (minutes * 60.0).max(1.0));
    let memory = format!("-rss_limit_mb={MAX_MEGABYTES}");
    let timeout = format!("-timeout={MAX_INPUT_SECS}");
    let mut findings = Findings::default();
    for target in targets {
        println!("-- {target}");
        let args = ["+nightly", "fuzz", "run", target, "--", &seconds, &memory, &timeout];
        let result = unpack(target).and_then(|()| succeed(cargo(&args).env_remove("RUSTUP_TOOLCHAIN")));
        findings.absorb(Findings::from_result(result));
    }
    Ok(findings)
}

/// Runs every input of the kept corpora as a test, on the present toolchain.
pub(crate) fn run_corpora() -> Findings {
    let lints =
        ["clippy", "-p", "evenstride_fuzz_targets", "--all-targets", "--quiet", "--", "-D", "warnings"];
    let mut findings = Findings::from_result(succeed(&mut cargo(&lints)));
    findings.absorb(count_tests(&mut cargo(&["test", "-p", "evenstride_fuzz_targets", "--quiet"])));
    findings
}

/// Keeps the corpora of the named targets, or of all, minimised and packed.
pub(crate) fn keep(names: &[String]) -> Result<()> {
    let targets = named(names)?;
    ensure_tools()?;
    fs::create_dir_all(root().join(CORPORA))?;
    for target in targets {
        // A new target has no corpus yet.
        if archive(&target).exists() {
            unpack(&target)?;
        }
        succeed(cargo(&["+nightly", "fuzz", "cmin", &target]).env_remove("RUSTUP_TOOLCHAIN"))?;
        pack(&target)?;
    }
    Ok(())
}

/// Packs the local corpus of a target. The largest inputs are left out if the archive becomes too large.
fn pack(target: &str) -> Result<()> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(root().join("fuzz/corpus").join(target))? {
        let entry = entry?;
        inputs.push((entry.metadata()?.len(), format!("{target}/{}", entry.file_name().to_string_lossy())));
    }
    inputs.sort();
    let list = format!("fuzz/corpus/{target}.list");
    // The same files make the same archive.
    let command = format!(
        "tar --mtime=@0 --owner=0 --group=0 --numeric-owner -C fuzz/corpus -T {list} -cf - | gzip -9n > {CORPORA}/{target}.tar.gz"
    );
    let found = inputs.len();
    loop {
        let mut names: Vec<&str> = inputs.iter().map(|(_, name)| name.as_str()).collect();
        names.sort_unstable();
        fs::write(root().join(&list), names.join("\n") + "\n")?;
        succeed(Command::new("sh").current_dir(root()).args(["-c", &command]))?;
        let size = fs::metadata(archive(target))?.len();
        if size <= MAX_ARCHIVE_BYTES {
            println!("{target}: {} of {found} inputs, {size} bytes", inputs.len());
            return Ok(fs::remove_file(root().join(&list))?);
        }
        inputs.truncate(inputs.len() - inputs.len().div_ceil(20));
    }
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

/// Installs nightly and cargo-fuzz if they are missing.
fn ensure_tools() -> Result<()> {
    let tools: [[&[&str]; 2]; 2] = [
        [
            &["rustup", "run", "nightly", "rustc", "--version"],
            &["rustup", "toolchain", "install", "nightly", "--profile", "minimal"],
        ],
        [&["cargo", "fuzz", "--version"], &["cargo", "install", "cargo-fuzz", "--locked"]],
    ];
    for [check, install] in tools {
        let command = |words: &[&str]| {
            let mut command = Command::new(words[0]);
            command.args(&words[1..]).env_remove("RUSTUP_TOOLCHAIN");
            command
        };
        if !command(check).output().is_ok_and(|output| output.status.success()) {
            println!("`{}` does not work; running `{}`", check.join(" "), install.join(" "));
            succeed(&mut command(install))?;
        }
    }
    Ok(())
}

/// Returns the named targets, or all of them if no name is given.
fn named(names: &[String]) -> Result<Vec<String>> {
    let known = targets()?;
    match names.iter().find(|name| !known.contains(name)) {
        Some(unknown) => bail!("`{unknown}` is not a target; use {}", known.join(", ")),
        None if names.is_empty() => Ok(known),
        None => Ok(names.to_vec()),
    }
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
