//! Layers of crates: the crates that each one may use. `cargo xtask docs` writes the table into
//! ARCHITECTURE.md.

use std::{collections::BTreeSet, fmt::Write as _};

use anyhow::Result;
use cargo_metadata::{DependencyKind, MetadataCommand};

use crate::root;

/// A crate, and the crates of this project it may use. Tests may use more, because dev-dependencies
/// are not checked.
struct CrateRule {
    name: &'static str,
    folder: &'static str,
    what: &'static str,
    may_use: &'static [&'static str],
}

const CRATES: &[CrateRule] = &[
    CrateRule {
        name: "evenstride_types",
        folder: "crates/core",
        what: "cells, poses, headings, stamps, time and update types. `no_std`. Start at `lib.rs`",
        may_use: &[],
    },
    CrateRule {
        name: "evenstride",
        folder: "crates/core",
        what: "the motion core, with `MotionWorld` and all its parts. `no_std`. Start at `lib.rs`, then `world.rs`",
        may_use: &["evenstride_types"],
    },
    CrateRule {
        name: "evenstride_wire",
        folder: "crates/core",
        what: "a codec for messages and packets, byte for byte, with fragments, key stream and checksum. `no_std`",
        may_use: &["evenstride_types"],
    },
    CrateRule {
        name: "evenstride_capture",
        folder: "crates/data",
        what: "a streaming reader of pcap, pcapng and JSON lines, which delivers messages in order",
        may_use: &["evenstride_wire"],
    },
    CrateRule {
        name: "evenstride_dat",
        folder: "crates/data",
        what: "a reader and writer of the game's archives, which also converts records for the core. Builds for wasm32",
        may_use: &["evenstride_types", "evenstride"],
    },
    CrateRule {
        name: "evenstride_page",
        folder: "crates/data",
        what: "single HTML files with foreign text in them, which are one-pass templates, escaping and a content-security policy",
        may_use: &[],
    },
    CrateRule {
        name: "evenstride_session",
        folder: "crates/data",
        what: "both ends of a session, which are handshake, key streams, acknowledgements, retransmission and login, without sockets or clocks. Start at `lib.rs`",
        may_use: &["evenstride_wire"],
    },
    CrateRule {
        name: "evenstride_relay",
        folder: "crates/data",
        what: "a relay that alters no byte, without sockets or clocks, and what it notices on the way",
        may_use: &["evenstride_session", "evenstride_wire"],
    },
    CrateRule {
        name: "evenstride_tables",
        folder: "crates/data",
        what: "a reader of motion tables and animations as text, whose errors name the line",
        may_use: &["evenstride_types", "evenstride"],
    },
    CrateRule {
        name: "evenstride_link",
        folder: "crates/sim",
        what: "a simulated bad network that repeats exactly from a seed, with latency, jitter, loss, bursts, reordering, duplicates and limited bandwidth. Datagrams are opaque bytes",
        may_use: &[],
    },
    CrateRule {
        name: "evenstride_replay",
        folder: "crates/sim",
        what: "the replay of captures through a world, frame by frame, for any number of `ReplayObserver`s. `sample` generates the project's own capture",
        may_use: &["evenstride_types", "evenstride", "evenstride_wire", "evenstride_capture"],
    },
    CrateRule {
        name: "evenstride_moments",
        folder: "crates/sim",
        what: "what a person would notice in a replay, ranked, with cause, correction and remedy, and readable decision logs. Start at `lib.rs`",
        may_use: &["evenstride_types", "evenstride", "evenstride_replay"],
    },
    CrateRule {
        name: "evenstride_arena",
        folder: "crates/sim",
        what: "scenarios (TOML), a simulated server that plays them, rival methods and the scorecard",
        may_use: &[
            "evenstride_types",
            "evenstride",
            "evenstride_wire",
            "evenstride_capture",
            "evenstride_link",
            "evenstride_replay",
        ],
    },
    CrateRule {
        name: "evenstride_viewer",
        folder: "crates/sim",
        what: "what a viewer asks of a recording, which is bodies at any time, tracks, errors, moments and what-ifs, each computed in parts. Start at `lib.rs`",
        may_use: &[
            "evenstride_types",
            "evenstride",
            "evenstride_wire",
            "evenstride_arena",
            "evenstride_link",
            "evenstride_moments",
            "evenstride_replay",
        ],
    },
    CrateRule {
        name: "evenstride_swarm",
        folder: "crates/sim",
        what: "random hosts and servers that play against the core, a check of every promise, and the program that plays many runs. Start at `lib.rs`",
        may_use: &["evenstride_types", "evenstride", "evenstride_link", "evenstride_testkit"],
    },
    CrateRule {
        name: "evenstride_testkit",
        folder: "crates/sim",
        what: "helpers for tests, which are a stage with a virtual clock, actors that make a server's messages, a rig with one body, and checks of restored worlds",
        may_use: &["evenstride_types", "evenstride"],
    },
    CrateRule {
        name: "evenstride_damage",
        folder: "crates/sim",
        what: "damaged files for tests, which damages bytes and tells what must still be read, with the peak memory of a test",
        may_use: &["evenstride_capture", "evenstride_dat", "evenstride_link"],
    },
    CrateRule {
        name: "evenstride_trials",
        folder: "crates/sim",
        what: "trials for games of any kind, which are movers, lines, snapshot buffers and a score. Its examples print the tables of `docs/positions-only.md` and `docs/recipes.md`",
        may_use: &["evenstride", "evenstride_link"],
    },
    CrateRule {
        name: "evenstride_trace",
        folder: "crates/sim",
        what: "a reader of reference traces, which compares answers with them and reports the first difference. Independent of the core",
        may_use: &["evenstride_types"],
    },
    CrateRule {
        name: "evenstride_conformance",
        folder: "crates/sim",
        what: "a program that answers the traces with the core, through its private feature. It is not a default member, and `cargo xtask conform` runs it",
        may_use: &["evenstride_types", "evenstride", "evenstride_trace", "evenstride_wire"],
    },
    CrateRule {
        name: "evenstride_parallel",
        folder: "crates/edge",
        what: "rounds of steps on the threads of `rayon`, with the bits of one thread",
        may_use: &["evenstride"],
    },
    CrateRule {
        name: "evenstride_report",
        folder: "crates/edge",
        what: "a writer of replays and contests as single HTML files with the core inside. `assets/page` has the files of the page",
        may_use: &[
            "evenstride_types",
            "evenstride_arena",
            "evenstride_page",
            "evenstride_replay",
            "evenstride_viewer",
        ],
    },
    CrateRule {
        name: "evenstride_archive",
        folder: "crates/edge",
        what: "captures as typed tables, which are Parquet files or columns in memory, and archives of captures as folders of them. Start at `table.rs`",
        may_use: &[
            "evenstride_types",
            "evenstride",
            "evenstride_wire",
            "evenstride_arena",
            "evenstride_capture",
            "evenstride_moments",
            "evenstride_replay",
        ],
    },
    CrateRule {
        name: "evenstride_live",
        folder: "crates/edge",
        what: "relay, server and client on real sockets, with recordings. One thread runs each host",
        may_use: &[
            "evenstride_wire",
            "evenstride_capture",
            "evenstride_arena",
            "evenstride_link",
            "evenstride_relay",
            "evenstride_session",
        ],
    },
    CrateRule {
        name: "evenstride_watch",
        folder: "crates/edge",
        what: "live views of sessions, which are replays that go on while they are recorded, the pages that follow them, and metrics. Start at `lib.rs`",
        may_use: &[
            "evenstride_types",
            "evenstride",
            "evenstride_capture",
            "evenstride_moments",
            "evenstride_replay",
        ],
    },
    CrateRule {
        name: "evenstride_referee",
        folder: "crates/edge",
        what: "a runner of other programs against reference traces, which explains the first difference. Start at `lib.rs`",
        may_use: &["evenstride_page", "evenstride_trace"],
    },
    CrateRule {
        name: "evenstride_cli",
        folder: "crates/edge",
        what: "the `evenstride` program",
        may_use: &[
            "evenstride_types",
            "evenstride",
            "evenstride_wire",
            "evenstride_capture",
            "evenstride_archive",
            "evenstride_arena",
            "evenstride_dat",
            "evenstride_link",
            "evenstride_live",
            "evenstride_moments",
            "evenstride_referee",
            "evenstride_relay",
            "evenstride_replay",
            "evenstride_report",
            "evenstride_session",
            "evenstride_tables",
            "evenstride_trace",
            "evenstride_viewer",
            "evenstride_watch",
        ],
    },
    CrateRule {
        name: "evenstride_golden",
        folder: "crates/core",
        what: "fixed workloads with pinned fingerprints, built natively and for wasm32",
        may_use: &["evenstride_types", "evenstride", "evenstride_dat"],
    },
    CrateRule {
        name: "evenstride_adapter",
        folder: "adapters/rust",
        what: "a program that answers the conformance kit with the core's public API. It is not a default member, and its tests run the adapters in all languages",
        may_use: &["evenstride_types", "evenstride"],
    },
    CrateRule {
        name: "evenstride_ffi",
        folder: "bindings/c",
        what: "the core for C, C++ and C#. It is not a default member, and `cargo xtask header` writes its header. Start at `lib.rs`",
        may_use: &["evenstride_types", "evenstride", "evenstride_wire", "evenstride_dat"],
    },
    CrateRule {
        name: "evenstride_web",
        folder: "bindings/web",
        what: "core and replays for JavaScript. It is not a default member, and `cargo xtask web` builds it. Start at `lib.rs`",
        may_use: &[
            "evenstride_types",
            "evenstride",
            "evenstride_wire",
            "evenstride_capture",
            "evenstride_arena",
            "evenstride_link",
            "evenstride_moments",
            "evenstride_replay",
            "evenstride_viewer",
        ],
    },
    CrateRule {
        name: "evenstride_fuzz_targets",
        folder: "fuzz/targets",
        what: "the bodies of the fuzz targets, without a fuzzing engine. It is not a default member, and a test runs the kept corpora",
        may_use: &[
            "evenstride_types",
            "evenstride",
            "evenstride_wire",
            "evenstride_capture",
            "evenstride_dat",
            "evenstride_tables",
            "evenstride_replay",
            "evenstride_arena",
            "evenstride_swarm",
            "evenstride_testkit",
            "evenstride_damage",
            "evenstride_trace",
            "evenstride_conformance",
            "evenstride_ffi",
        ],
    },
    CrateRule {
        name: "xtask",
        folder: "xtask",
        what: "the project's commands, which are `cargo xtask test`, `conform`, `docs`, `kit`, `bench`, `fuzz`, `sbom`, `make-archive`, `archive-bench`, `web`, `header`, `native-bench` and `keep-corpora`",
        may_use: &["evenstride", "evenstride_golden", "evenstride_testkit", "evenstride_trace"],
    },
];

/// External crates that the core may use. All are `no_std` and have no clock, IO or randomness.
const CORE: &[&str] = &["evenstride_types", "evenstride", "evenstride_wire"];
const CORE_OUTSIDE: &[&str] = &["bitflags", "glam", "hashbrown", "libm", "thiserror"];

/// External crates that the types may use besides, behind features that are off by default.
const OPTIONAL_OUTSIDE: &[&str] = &["arbitrary", "serde"];

/// The one crate that may enable a private feature of the core. Nothing that ships depends on it.
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
        let Some(rule) = CRATES.iter().find(|rule| rule.name == name) else {
            problems.push(format!("{name}: a new crate; say in xtask/src/tidy/layers.rs what it may use"));
            continue;
        };
        let folder = package.manifest_path.parent().map(|folder| folder.as_str().replace('\\', "/"));
        if !folder.is_some_and(|folder| folder.contains(rule.folder)) {
            problems.push(format!("{name} is not in {}", rule.folder));
        }
        for dependency in package.dependencies.iter().filter(|d| d.kind == DependencyKind::Normal) {
            let used = dependency.name.as_str();
            if ours.contains(used) && !rule.may_use.contains(&used) {
                problems.push(format!("{name} must not depend on {used} (ARCHITECTURE.md)"));
            }
            // Private features of the project's crates begin with an underscore.
            let private = dependency.features.iter().find(|feature| feature.starts_with('_'));
            if let Some(feature) = private.filter(|_| ours.contains(used) && name != CONFORMANCE) {
                problems.push(format!("{name} turns the private feature {feature} of {used} on"));
            }
            let may_use =
                CORE_OUTSIDE.contains(&used) || (dependency.optional && OPTIONAL_OUTSIDE.contains(&used));
            if CORE.contains(&name) && !ours.contains(used) && !may_use {
                problems.push(format!("{name} is core and must not depend on {used}"));
            }
        }
    }
    problems
}

/// Returns the crates as a table of ARCHITECTURE.md.
pub(crate) fn table() -> Result<String> {
    let mut text = String::from("| crate | folder | what it is | may use |\n|---|---|---|---|\n");
    for CrateRule { name, folder, what, may_use } in CRATES {
        let short = |name: &&str| match *name {
            "evenstride" => "core".to_owned(),
            name => name.trim_start_matches("evenstride_").to_owned(),
        };
        let uses: Vec<String> = may_use.iter().map(short).collect();
        let uses = if uses.is_empty() { "–".to_owned() } else { uses.join(", ") };
        writeln!(text, "| `{name}` | `{folder}` | {what} | {uses} |")?;
    }
    Ok(text)
}
