//! Who may depend on whom. The arrows of ARCHITECTURE.md, checked.

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, MetadataCommand};

use crate::root;

/// A crate and the crates of this project it may use. Tests may use more (dev-dependencies are not looked at).
const ALLOWED: &[(&str, &[&str])] = &[
    ("evenstride_types", &[]),
    ("evenstride", &["evenstride_types"]),
    ("evenstride_wire", &["evenstride_types"]),
    ("evenstride_capture", &["evenstride_wire"]),
    ("evenstride_golden", &["evenstride_types", "evenstride", "evenstride_dat"]),
    ("evenstride_trace", &["evenstride_types"]),
    ("evenstride_conformance", &["evenstride_types", "evenstride", "evenstride_trace", "evenstride_wire"]),
    ("evenstride_tables", &["evenstride_types", "evenstride"]),
    ("evenstride_dat", &["evenstride_types", "evenstride"]),
    ("evenstride_link", &[]),
    (
        "evenstride_arena",
        &[
            "evenstride_types",
            "evenstride",
            "evenstride_wire",
            "evenstride_capture",
            "evenstride_link",
            "evenstride_replay",
        ],
    ),
    ("evenstride_replay", &["evenstride_types", "evenstride", "evenstride_wire", "evenstride_capture"]),
    ("evenstride_report", &["evenstride_types", "evenstride", "evenstride_replay"]),
    (
        "evenstride_cli",
        &[
            "evenstride_types",
            "evenstride",
            "evenstride_wire",
            "evenstride_capture",
            "evenstride_arena",
            "evenstride_dat",
            "evenstride_replay",
            "evenstride_report",
            "evenstride_tables",
        ],
    ),
    ("xtask", &["evenstride", "evenstride_golden"]),
];

/// What the core may use from outside. Everything here is `no_std` and has no clock, IO or randomness.
const CORE: &[&str] = &["evenstride_types", "evenstride", "evenstride_wire"];
const CORE_OUTSIDE: &[&str] = &["bitflags", "glam", "hashbrown", "libm", "thiserror"];

/// The one crate that may turn a private feature of the core on. Nothing that ships depends on it.
const CONFORMANCE: &str = "evenstride_conformance";

pub(super) fn check() -> Vec<String> {
    let metadata = match MetadataCommand::new().current_dir(root()).no_deps().exec() {
        Ok(metadata) => metadata,
        Err(error) => return vec![format!("cargo metadata: {error}")],
    };
    let ours: BTreeSet<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let name = package.name.as_str();
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
            problems.push(format!("{name}: a new crate; say in xtask/src/tidy/layers.rs what it may use"));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|d| d.kind == DependencyKind::Normal) {
            let used = dependency.name.as_str();
            if ours.contains(used) && !allowed.contains(&used) {
                problems.push(format!("{name} must not depend on {used} (ARCHITECTURE.md)"));
            }
            // A private feature of one of ours begins with an underscore.
            let private = dependency.features.iter().find(|feature| feature.starts_with('_'));
            if let Some(feature) = private.filter(|_| ours.contains(used) && name != CONFORMANCE) {
                problems.push(format!("{name} turns the private feature {feature} of {used} on"));
            }
            if CORE.contains(&name) && !ours.contains(used) && !CORE_OUTSIDE.contains(&used) {
                problems.push(format!("{name} is core and must not depend on {used}"));
            }
        }
    }
    problems
}
