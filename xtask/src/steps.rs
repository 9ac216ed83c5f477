//! The steps of `cargo xtask test`, in the order that finds mistakes soonest.

use std::{process::ExitCode, time::Instant};

use crate::{
    bench,
    command::{cargo, count_tests, succeed},
    deny, engines, fuzz, long, miri, native, package, python,
    report::Findings,
    semver, tidy, wasm, web,
};

struct Step {
    name: &'static str,
    what: &'static str,
    when: When,
    run: fn() -> Findings,
}

#[derive(PartialEq)]
enum When {
    Always,
    /// With `--long`, or by name.
    Long,
    /// Only by name, because it needs the network, or a decision about its findings.
    OnDemand,
}

/// The packages a user gets. The crates that enable the core's private feature are excluded, so that
/// the feature stays off.
const SHIPPED: [&str; 5] =
    ["--workspace", "--exclude", "evenstride_conformance", "--exclude", "evenstride_fuzz_targets"];

/// The core with the private feature that reference traces need.
const WITH_PRIVATE_FEATURE: [&str; 6] =
    ["-p", "evenstride", "-p", "evenstride_conformance", "--features", "evenstride/_conformance"];

/// The types with every optional feature.
const WITH_OPTIONAL_FEATURES: [&str; 4] = ["-p", "evenstride_types", "--features", "serde,arbitrary"];

/// Seed of property tests. A run that fails can then be repeated, and a run that passes stays so until
/// the code changes.
const PROPERTY_SEED: &str = "20130918";

const STEPS: &[Step] = &[
    Step { name: "fmt", what: "formatting", when: When::Always, run: fmt },
    Step {
        name: "tidy",
        what: "layers, provenance, file sizes, reasons",
        when: When::Always,
        run: tidy::run,
    },
    Step { name: "clippy", what: "lints, warnings are errors", when: When::Always, run: clippy },
    Step { name: "test", what: "unit, integration and doc tests", when: When::Always, run: test },
    Step {
        name: "conformance",
        what: "lints and tests with the core's private feature, and 352 reference traces",
        when: When::Always,
        run: conformance,
    },
    Step {
        name: "corpora",
        what: "every kept input of the fuzz targets, without a fuzzer",
        when: When::Always,
        run: fuzz::run_corpora,
    },
    Step { name: "docs", what: "documentation, warnings are errors", when: When::Always, run: docs },
    Step {
        name: "package",
        what: "every crate packed and built from its package; the oldest compiler",
        when: When::Always,
        run: package::run,
    },
    Step {
        name: "wasm",
        what: "core for wasm32, golden hashes run there",
        when: When::Always,
        run: wasm::run,
    },
    Step {
        name: "native",
        what: "the library for C, C++ and C#: header, C11, C++17, Mono, Valgrind, 32-bit Windows",
        when: When::Always,
        run: native::run,
    },
    Step {
        name: "bevy",
        what: "the plugin for Bevy, without a window",
        when: When::Always,
        run: engines::run_bevy,
    },
    Step {
        name: "native-asan",
        what: "the C functions and the C tests with the address sanitiser",
        when: When::Long,
        run: native::run_with_address_sanitizer,
    },
    Step {
        name: "soak",
        what: "every property test with 50 to 1000 times the cases",
        when: When::Long,
        run: long::soak,
    },
    Step {
        name: "swarm",
        what: "random hosts and servers against the core for a hundred million steps",
        when: When::Long,
        run: long::swarm,
    },
    Step {
        name: "damage",
        what: "a hundred thousand damaged captures, archives and saves; nothing undamaged lost, no panic, no hang, memory bounded",
        when: When::Long,
        run: long::damage,
    },
    Step {
        name: "relay",
        what: "a million datagrams through a relay, with faults, compared byte by byte",
        when: When::Long,
        run: long::relay,
    },
    Step { name: "fuzz", what: "a minute of fuzzing each target", when: When::Long, run: fuzz::run },
    Step {
        name: "peers",
        what: "the comparison with other libraries builds, and its contestants move entities",
        when: When::Long,
        run: bench::check_peers,
    },
    Step {
        name: "godot",
        what: "the extension for Godot, built and never loaded",
        when: When::Long,
        run: engines::run_godot,
    },
    Step {
        name: "deny",
        what: "licences, sources, banned crates, and no C",
        when: When::Long,
        run: deny::run,
    },
    Step {
        name: "miri",
        what: "tests of types, codec and archives under Miri",
        when: When::Long,
        run: miri::run,
    },
    Step {
        name: "python",
        what: "the wheel for Python: lints, build, tests",
        when: When::Long,
        run: python::run,
    },
    Step {
        name: "engines",
        what: "one question over an archive by DuckDB, Spark, Dask, Ray and one machine",
        when: When::OnDemand,
        run: python::run_engines,
    },
    Step {
        name: "bevy-window",
        what: "the examples of Bevy in a window, with pictures of it, and physics by avian",
        when: When::OnDemand,
        run: engines::run_bevy_window,
    },
    Step {
        name: "advisories",
        what: "published security advisories, fetched",
        when: When::OnDemand,
        run: deny::advisories,
    },
    Step {
        name: "semver",
        what: "breaking changes since the last release",
        when: When::OnDemand,
        run: semver::run,
    },
];

pub(crate) fn names() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.name).collect()
}

/// Runs the selected steps and prints their results.
pub(crate) fn run(long: bool, only: &[String]) -> ExitCode {
    let wanted = |step: &&Step| match only {
        [] => step.when == When::Always || (long && step.when == When::Long),
        names => names.iter().any(|name| name == step.name),
    };
    let mut total = Findings::default();
    let mut lines = Vec::new();
    for step in STEPS.iter().filter(wanted) {
        println!("\n== {}: {} ==", step.name, step.what);
        let start = Instant::now();
        let findings = (step.run)();
        for failure in &findings.failures {
            println!("FAIL {}: {failure}", step.name);
        }
        let verdict = if findings.failures.is_empty() { "ok" } else { "FAILED" };
        lines.push(format!(
            "{:<11} {verdict:<6} {:>5} passed {:>3} failed {:>6.1} s",
            step.name,
            findings.passed,
            findings.failures.len(),
            start.elapsed().as_secs_f64()
        ));
        total.absorb(findings);
    }
    println!("\n{}", lines.join("\n"));
    println!("\n{} passed, {} failed", total.passed, total.failures.len());
    if total.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn fmt() -> Findings {
    let mut findings = Findings::from_result(succeed(&mut cargo(&["fmt", "--all", "--check"])));
    let apart = [bench::PEERS, web::BINDGEN, native::HEADER_MAKER, python::MANIFEST];
    for manifest in apart.into_iter().chain([engines::BEVY, engines::BEVY_WINDOW, engines::GODOT]) {
        let apart = ["fmt", "--check", "--manifest-path", manifest];
        findings.absorb(Findings::from_result(succeed(&mut cargo(&apart))));
    }
    findings
}

fn clippy() -> Findings {
    let args = ["--all-targets", "--quiet", "--", "-D", "warnings"];
    Findings::from_result(succeed(cargo(&["clippy"]).args(SHIPPED).args(args)))
}

/// Runs tests of these packages. Snapshots are compared and never written, and property tests get the
/// same inputs in every run. `soak` is the leg that draws new ones.
fn tests_of(packages: &[&str]) -> Findings {
    let mut command = cargo(&["test"]);
    command.args(packages).args(["--no-fail-fast", "--quiet"]);
    count_tests(command.env("INSTA_UPDATE", "no").env("PROPTEST_RNG_SEED", PROPERTY_SEED))
}

fn test() -> Findings {
    let mut findings = tests_of(&SHIPPED);
    findings.absorb(tests_of(&WITH_OPTIONAL_FEATURES));
    findings
}

fn conformance() -> Findings {
    let lints = ["--all-targets", "--quiet", "--", "-D", "warnings"];
    let mut findings =
        Findings::from_result(succeed(cargo(&["clippy"]).args(WITH_PRIVATE_FEATURE).args(lints)));
    findings.absorb(tests_of(&WITH_PRIVATE_FEATURE));
    findings
}

fn docs() -> Findings {
    let mut command = cargo(&["doc"]);
    command.args(SHIPPED).args(["--no-deps", "--document-private-items", "--quiet"]);
    Findings::from_result(succeed(command.env("RUSTDOCFLAGS", "-D warnings")))
}
