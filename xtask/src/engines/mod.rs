//! The bindings for game engines, which have workspaces and lock files of their own.

mod godot;
mod plugin;
mod scene;
mod window;

use std::path::PathBuf;

pub(crate) use self::{godot::run as run_godot, plugin::run as run_bevy, window::run as run_bevy_window};
use crate::{
    command::{cargo, count_tests, succeed},
    report::Findings,
    root,
};

/// Manifest of the plugin for Bevy.
pub(crate) const BEVY: &str = "bindings/bevy/Cargo.toml";

/// Manifest of its examples in a window.
pub(crate) const BEVY_WINDOW: &str = "bindings/bevy/window/Cargo.toml";

/// Manifest of the extension for Godot.
pub(crate) const GODOT: &str = "bindings/godot/Cargo.toml";

/// Returns a target folder apart from the workspace's, because other features of shared crates would
/// rebuild it.
fn target(name: &str) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from).join(name)
}

/// Lints, tests and documents the crate of a manifest.
fn check(manifest: &str, folder: &str) -> Findings {
    let at = ["--manifest-path", manifest, "--locked", "--quiet"];
    let run = |command: &str| {
        let mut cargo = cargo(&[command]);
        cargo.args(at).env("CARGO_TARGET_DIR", target(folder));
        cargo
    };
    let mut findings =
        Findings::from_result(succeed(run("clippy").args(["--all-targets", "--", "-D", "warnings"])));
    findings.absorb(count_tests(run("test").arg("--no-fail-fast")));
    let documentation = succeed(run("doc").arg("--no-deps").env("RUSTDOCFLAGS", "-D warnings"));
    findings.absorb(Findings::from_result(documentation));
    findings
}
