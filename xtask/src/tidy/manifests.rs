//! Checks that every external dependency has a reason above it, and the name of a replacement.

use std::fs;

use crate::{
    bench::PEERS,
    dependencies::{MANIFESTS, explained},
    engines::{BEVY, BEVY_WINDOW, GODOT},
    native::HEADER_MAKER,
    python::MANIFEST as PYTHON,
    root,
    web::BINDGEN,
};

pub(super) fn check() -> Vec<String> {
    let mut problems = Vec::new();
    // These manifests are only read. To resolve them, each test run would have to fetch what they need.
    let apart =
        [PEERS, BINDGEN, HEADER_MAKER, BEVY, BEVY_WINDOW, GODOT, PYTHON].map(|path| (path, "[dependencies]"));
    for (path, table) in MANIFESTS.into_iter().chain(apart) {
        match fs::read_to_string(root().join(path)) {
            Ok(text) => problems.extend(unexplained(path, &text, table)),
            Err(error) => problems.push(format!("{path}: {error}")),
        }
    }
    problems
}

/// Returns the external entries of a table that lack a comment.
fn unexplained(path: &str, manifest: &str, table: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for dependency in explained(manifest, table) {
        if dependency.reason.is_empty() {
            problems.push(format!("{path}: no reason above `{}`", dependency.name));
        }
        if dependency.instead.is_empty() {
            problems.push(format!("{path}: no line `# Instead: …` above `{}`", dependency.name));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::unexplained;

    #[test]
    fn a_dependency_needs_a_reason_and_a_replacement() {
        let manifest = "[table]\nown = { path = \"x\" }\n\n# Why.\n# Instead: std.\na = \"1\"\n\n# Why.\nb = \"1\"\n# Instead: std.\nc = \"1\"\n[other]\nd = \"1\"";
        assert_eq!(
            unexplained("Cargo.toml", manifest, "[table]"),
            ["Cargo.toml: no line `# Instead: …` above `b`", "Cargo.toml: no reason above `c`"]
        );
    }
}
