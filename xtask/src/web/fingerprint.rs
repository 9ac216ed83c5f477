//! A fingerprint of everything from which the core for browsers is made.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use anyhow::{Context, Result};

use super::{read, sha256};
use crate::{
    graph::{Features, Graph},
    root,
};

/// Folders of a crate that are no part of its library.
const APART: [&str; 5] = ["benches", "examples", "snapshots", "target", "tests"];

/// Files of the program that makes the JavaScript.
const BINDGEN: [&str; 3] =
    ["bindings/bindgen/Cargo.toml", "bindings/bindgen/Cargo.lock", "bindings/bindgen/src/main.rs"];

/// Returns the fingerprint. It covers the sources of the project's crates in the module, name and version of
/// all others with their lines in the manifest, and the settings of the compiler.
pub(super) fn of_sources() -> Result<String> {
    let graph = Graph::resolve("Cargo.toml", &Features::Default)?;
    let web = graph.own("evenstride_web")?;
    let mut names = BTreeSet::new();
    let mut files = BTreeMap::new();
    let mut text = String::new();
    for package in graph.brought_by(web).into_iter().chain([web]) {
        names.insert(package.name.to_string());
        if graph.is_outside(package) {
            text += &format!("{} {}\n", package.name, package.version);
        } else if let Some(folder) = package.manifest_path.parent() {
            collect(folder.as_std_path(), &mut files)?;
        }
    }
    for path in BINDGEN {
        add(&root().join(path), &mut files)?;
    }
    for (path, hash) in files {
        text += &format!("{path} {hash}\n");
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    text += &settings(&manifest, &names);
    Ok(sha256(text.as_bytes()))
}

/// Returns the lines of the manifest that settle how the module is built.
fn settings(manifest: &str, names: &BTreeSet<String>) -> String {
    let mut is_profile = false;
    let is_setting = |line: &&str| {
        if line.starts_with('[') {
            is_profile = matches!(*line, "[profile.web]" | "[profile.release]" | "[workspace.package]");
        }
        let name = line.split(" = ").next().unwrap_or_default();
        !line.starts_with('#') && (is_profile || names.contains(name))
    };
    manifest.lines().filter(is_setting).map(|line| line.to_owned() + "\n").collect()
}

/// Adds the files of a folder, except for documents and [`APART`].
fn collect(folder: &Path, files: &mut BTreeMap<String, String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !APART.contains(&name.as_str()) {
                collect(&path, files)?;
            }
        } else if !name.ends_with(".md") && !name.starts_with("LICENSE") && !name.starts_with('.') {
            add(&path, files)?;
        }
    }
    Ok(())
}

/// Adds a file by its path from the project's folder, with forward slashes.
fn add(path: &Path, files: &mut BTreeMap<String, String>) -> Result<()> {
    let relative = path.strip_prefix(root())?.components();
    let name = relative.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
    // A checkout may end lines in another way.
    let text = String::from_utf8_lossy(&read(path)?).replace("\r\n", "\n");
    files.insert(name, sha256(text.as_bytes()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_the_profile_and_the_lines_of_used_crates() {
        let manifest = "# Why.\nglam = \"1\"\nclap = \"4\"\n[profile.dev]\nopt-level = 1\n[profile.web]\nlto = \"fat\"\n";
        let names = BTreeSet::from(["glam".to_owned()]);
        assert_eq!(settings(manifest, &names), "glam = \"1\"\n[profile.web]\nlto = \"fat\"\n");
    }

    #[test]
    fn documents_and_tests_do_not_make_the_module_stale() {
        let mut files = BTreeMap::new();
        collect(&root().join("crates/sim/evenstride_replay"), &mut files).unwrap();
        assert!(files.contains_key("crates/sim/evenstride_replay/src/playback.rs"));
        assert!(!files.keys().any(|path| path.contains("/tests/") || path.ends_with(".md")));
    }
}
