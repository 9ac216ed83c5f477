//! `cargo xtask web`: the core for browsers, as the npm package `evenstride` and as the blob that the
//! program embeds.
//!
//! ```text
//! bindings/web ─► wasm32 ─► bindings/bindgen ─► crates/edge/evenstride_report/assets/core.*   kept
//!                                             └► bindings/js                                  d.ts kept
//! ```

mod fingerprint;

use std::{
    env, fs,
    io::Read,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{
    command::{cargo, succeed},
    root,
    wasm::{TARGET, ensure_target},
};

/// Manifest of the program that makes the JavaScript.
pub(crate) const BINDGEN: &str = "bindings/bindgen/Cargo.toml";

const PACKAGE: &str = "bindings/js";
const BLOB: &str = "crates/edge/evenstride_report/assets/core.wasm.gz";
const SCRIPT: &str = "crates/edge/evenstride_report/assets/core.js";
const TYPES: &str = "bindings/js/evenstride.d.ts";
const ABOUT: &str = "crates/edge/evenstride_report/assets/core.json";

/// Builds the core for browsers and replaces the kept files.
pub(crate) fn build() -> Result<()> {
    ensure_target()?;
    succeed(
        cargo(&["build", "--package", "evenstride_web", "--profile", "web", "--target", TARGET, "--locked"])
            .env("CARGO_ENCODED_RUSTFLAGS", remapped()?.join("\x1f")),
    )?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let built = target.join(TARGET).join("web/evenstride_web.wasm");
    let made = target.join("web");
    succeed(
        cargo(&["run", "--release", "--quiet", "--locked", "--manifest-path", BINDGEN, "--"])
            .arg(&built)
            .arg(&made),
    )?;
    let wasm = read(&made.join("evenstride_bg.wasm"))?;
    check_paths(&wasm)?;
    let mut blob = Vec::new();
    zopfli::compress(zopfli::Options::default(), zopfli::Format::Gzip, wasm.as_slice(), &mut blob)?;
    let kept = [
        (BLOB, blob.clone()),
        (SCRIPT, read(&made.join("evenstride.js"))?),
        (TYPES, read(&made.join("evenstride.d.ts"))?),
    ];
    for (path, bytes) in &kept {
        fs::write(root().join(path), bytes).with_context(|| (*path).to_owned())?;
    }
    let rustc = Command::new("rustc").current_dir(root()).arg("--version").output()?;
    let about = json!({
        "fingerprint": fingerprint::of_sources()?,
        "toolchain": String::from_utf8_lossy(&rustc.stdout).trim(),
        "wasm_bytes": wasm.len(),
        "gzipped_bytes": blob.len(),
        "files": kept.iter().map(|(path, bytes)| ((*path).to_owned(), sha256(bytes).into())).collect::<serde_json::Map<_, Value>>(),
    });
    fs::write(root().join(ABOUT), serde_json::to_string_pretty(&about)? + "\n")?;
    println!("{} bytes, {} gzipped", wasm.len(), blob.len());
    unpack()
}

/// Completes the npm package from the kept files. It needs no compiler for wasm32.
pub(crate) fn unpack() -> Result<()> {
    let mut wasm = Vec::new();
    GzDecoder::new(read(&root().join(BLOB))?.as_slice()).read_to_end(&mut wasm)?;
    let package = root().join(PACKAGE);
    fs::write(package.join("evenstride_bg.wasm"), wasm)?;
    fs::write(package.join("evenstride.js"), read(&root().join(SCRIPT))?)?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(root().join(licence), package.join(licence))?;
    }
    println!("{PACKAGE} is complete");
    Ok(())
}

/// Returns the problems of the kept files. They are of other sources, or were changed.
pub(crate) fn problems() -> Vec<String> {
    stale().unwrap_or_else(|error| vec![format!("{error:#}; run `cargo xtask web`")])
}

fn stale() -> Result<Vec<String>> {
    let about: Value = serde_json::from_slice(&read(&root().join(ABOUT))?)?;
    let mut problems = Vec::new();
    if about["fingerprint"] != json!(fingerprint::of_sources()?) {
        problems.push(format!("{BLOB} is made of other sources than these; run `cargo xtask web`"));
    }
    for path in [BLOB, SCRIPT, TYPES] {
        if about["files"][path] != json!(sha256(&read(&root().join(path))?)) {
            problems.push(format!("{path} is not the file that {ABOUT} describes; run `cargo xtask web`"));
        }
    }
    Ok(problems)
}

/// Returns the compiler's options that replace the folders of this machine in messages of panics.
fn remapped() -> Result<Vec<String>> {
    let mut options = vec![format!("--remap-path-prefix={}=/evenstride", root().display())];
    for registry in registries()? {
        options.push(format!("--remap-path-prefix={}=/crates", registry.display()));
    }
    let sysroot = Command::new("rustc").current_dir(root()).args(["--print", "sysroot"]).output()?;
    let sysroot = String::from_utf8_lossy(&sysroot.stdout).trim().to_owned();
    options.push(format!("--remap-path-prefix={sysroot}/lib/rustlib/src/rust=/rustc"));
    Ok(options)
}

/// Returns the folders into which cargo unpacks crates, one for each registry.
fn registries() -> Result<Vec<PathBuf>> {
    let sources = cargo_home()?.join("registry/src");
    let entries = fs::read_dir(&sources).with_context(|| sources.display().to_string())?;
    entries.map(|entry| Ok(entry?.path())).collect()
}

fn cargo_home() -> Result<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    home.or_else(|| Some(env::home_dir()?.join(".cargo"))).context("no home folder")
}

/// Checks that a module names no folder of this machine.
fn check_paths(wasm: &[u8]) -> Result<()> {
    let mut names = vec![root(), cargo_home()?];
    names.extend(registries()?.iter().filter_map(|registry| registry.file_name()).map(PathBuf::from));
    for name in names {
        let name = name.to_string_lossy().into_owned();
        let is_there = wasm.windows(name.len()).any(|window| window == name.as_bytes());
        ensure!(!is_there, "the module names `{name}`; add it to `remapped` in xtask/src/web/mod.rs");
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| path.display().to_string())
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
