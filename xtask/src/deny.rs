//! The supply chain: licences, sources and banned crates by cargo-deny, and the absence of C.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use cargo_metadata::Package;

use crate::{
    bench::PEERS,
    command::{cargo, succeed},
    engines::{BEVY, BEVY_WINDOW, GODOT},
    graph::{Features, Graph},
    report::Findings,
    tools::ensure_subcommand,
};

/// Manifests and the rules for each. The fuzz targets need a C++ engine, Bevy may compile C for
/// Android, its windows link libraries of the system, and nothing else may.
const CHECKED: [[&str; 2]; 6] = [
    ["Cargo.toml", "deny.toml"],
    ["fuzz/Cargo.toml", "fuzz/deny.toml"],
    [PEERS, "benches/peers/deny.toml"],
    [BEVY, "bindings/bevy/deny.toml"],
    [BEVY_WINDOW, "bindings/bevy/window/deny.toml"],
    [GODOT, "bindings/godot/deny.toml"],
];

/// Crates named like bindings to C that only declare functions of the system or the browser.
const DECLARATIONS: [&str; 5] = ["core-foundation-sys", "js-sys", "linux-raw-sys", "web-sys", "windows-sys"];

/// Crates with a `links` key that link nothing. The key only keeps two versions of it apart. `defmt` is an
/// option of `jiff` that is off, and is never compiled.
const LINKS_NOTHING: [&str; 3] = ["defmt", "rayon-core", "wasm-bindgen-shared"];

/// Crates that only tests and the project's own commands use. The test kit drives a browser.
const FOR_TESTS: [&str; 4] = ["evenstride_testkit", "evenstride_swarm", "evenstride_fuzz_targets", "xtask"];

/// Files that are not Rust and that nothing compiles, by crate. The tests of `nix` load a kernel module.
const NEVER_COMPILED: [(&str, &str); 1] = [("nix", "hello.c")];

/// Endings of sources and objects that are not Rust.
const FOREIGN: [&str; 15] =
    ["a", "asm", "c", "cc", "cpp", "cxx", "dll", "dylib", "lib", "m", "o", "obj", "s", "S", "so"];

/// Checks everything that needs no network once cargo-deny is installed.
pub(crate) fn run() -> Findings {
    let mut findings = check(&["licenses", "bans", "sources"]);
    match foreign_code() {
        Ok(problems) if problems.is_empty() => findings.absorb(Findings::one_pass()),
        Ok(problems) => findings.failures.extend(problems),
        Err(error) => findings.failures.push(format!("{error:#}")),
    }
    findings
}

/// Checks for published advisories, whose database cargo-deny fetches.
pub(crate) fn advisories() -> Findings {
    check(&["advisories"])
}

fn check(which: &[&str]) -> Findings {
    if let Err(error) = ensure_subcommand("deny", "0.20.2") {
        return Findings::one_failure(format!("{error:#}"));
    }
    let mut findings = Findings::default();
    for [manifest, rules] in CHECKED {
        println!("{manifest}:");
        let mut command = cargo(&["deny", "--locked", "--all-features", "--manifest-path", manifest]);
        command.args(["--config", rules, "check"]).args(which);
        findings.absorb(Findings::from_result(succeed(&mut command)));
    }
    findings
}

/// Returns the signs of foreign code in the packages that the workspace needs without its tests.
fn foreign_code() -> Result<Vec<String>> {
    let graph = Graph::resolve("Cargo.toml", &Features::All)?;
    let mut problems = Vec::new();
    let shipped = graph.ours().into_iter().filter(|own| !FOR_TESTS.contains(&own.name.as_str()));
    let mut needed: Vec<&Package> = shipped.flat_map(|own| graph.brought_by(own)).collect();
    needed.retain(|package| graph.is_outside(package));
    needed.sort_by_key(|package| &package.id);
    needed.dedup_by_key(|package| &package.id);
    for package in &needed {
        let name = package.name.as_str();
        if name.ends_with("-sys") && !DECLARATIONS.contains(&name) {
            problems.push(format!("{name} is named like a binding to C; see xtask/src/deny.rs"));
        }
        if let Some(links) = package.links.as_ref().filter(|_| !LINKS_NOTHING.contains(&name)) {
            problems.push(format!("{name} links the library {links}; see xtask/src/deny.rs"));
        }
        let folder = package.manifest_path.parent().context("a manifest without a folder")?;
        let is_unused = |file: &str| NEVER_COMPILED.contains(&(name, file));
        if let Some(file) = foreign_file(folder.as_std_path(), &is_unused)? {
            problems.push(format!("{name} contains {file}, which is not Rust"));
        }
    }
    println!("no C in {} packages: {}", needed.len(), if problems.is_empty() { "ok" } else { "FAIL" });
    Ok(problems)
}

/// Returns the name of the first file in a folder that is neither Rust nor text, nor known to be unused.
fn foreign_file(folder: &Path, is_unused: &dyn Fn(&str) -> bool) -> Result<Option<String>> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let found = if path.is_dir() {
            foreign_file(&path, is_unused)?
        } else {
            let is_foreign = |ending: &std::ffi::OsStr| FOREIGN.iter().any(|foreign| ending == *foreign);
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            name.filter(|name| path.extension().is_some_and(is_foreign) && !is_unused(name))
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fuzzing_engine_would_be_found() {
        let graph = Graph::resolve("fuzz/Cargo.toml", &Features::All).unwrap();
        let engine = graph.used("libfuzzer-sys").unwrap();
        let folder = engine.manifest_path.parent().unwrap();
        assert!(foreign_file(folder.as_std_path(), &|_| false).unwrap().is_some());
        assert!(!DECLARATIONS.contains(&engine.name.as_str()));
    }

    #[test]
    fn no_dependency_of_the_product_contains_c() {
        assert_eq!(foreign_code().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn rust_alone_is_not_foreign() {
        assert_eq!(foreign_file(&crate::root().join("xtask/src"), &|_| false).unwrap(), None);
    }
}
