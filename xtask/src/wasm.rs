//! The core as wasm32: it builds, it imports nothing from its host, and it computes the same bits.

use std::{fs, process::Command};

use anyhow::{Context, Result, bail, ensure};
use evenstride_golden::{WORKLOADS, Workload};
use wasmi::{Engine, Linker, Module, Store};

use crate::{
    command::{cargo, succeed},
    report::Findings,
    root,
};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

pub(crate) fn run() -> Findings {
    let built = ensure_target().and_then(|()| build()).and_then(|()| check_for_browsers());
    if built.is_err() {
        return Findings::from_result(built);
    }
    let mut findings = Findings::one_pass();
    for workload in WORKLOADS {
        findings.absorb(Findings::from_result(compare(workload)));
    }
    findings
}

/// Adds the target if it is missing, because rustup may be configured not to.
pub(crate) fn ensure_target() -> Result<()> {
    let missing = "rustup is needed to add the wasm32 target; install it, then run this again";
    let listed = Command::new("rustup").args(["target", "list", "--installed"]).output().context(missing)?;
    if String::from_utf8_lossy(&listed.stdout).lines().any(|line| line == TARGET) {
        return Ok(());
    }
    succeed(Command::new("rustup").args(["target", "add", TARGET]))
}

fn build() -> Result<()> {
    let core =
        ["-p", "evenstride_types", "-p", "evenstride", "-p", "evenstride_dat", "-p", "evenstride_golden"];
    let args = [&["build", "--release", "--quiet", "--target", TARGET], core.as_slice()].concat();
    succeed(&mut cargo(&args))
}

/// The crate that browsers run. It needs replays, moments, links and the arena.
const IN_BROWSERS: [&str; 2] = ["-p", "evenstride_web"];

/// Checks that everything a browser runs builds for wasm32.
fn check_for_browsers() -> Result<()> {
    let args = [&["check", "--release", "--quiet", "--target", TARGET], IN_BROWSERS.as_slice()].concat();
    succeed(&mut cargo(&args))
}

fn compare(workload: &Workload) -> Result<()> {
    let native = (workload.run)();
    let wasm = call(workload.export)?;
    println!(
        "{:<16} native 0x{native:016X}  wasm32 0x{wasm:016X}  pinned 0x{:016X}",
        workload.export, workload.pinned
    );
    if native != workload.pinned || wasm != workload.pinned {
        bail!("{}: the three fingerprints differ", workload.export);
    }
    Ok(())
}

/// Calls an export of the golden module. The linker has no imports, which proves that the core
/// needs nothing from its host.
fn call(export: &str) -> Result<u64> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let path = target.join(TARGET).join("release/evenstride_golden.wasm");
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    let engine = Engine::default();
    let module = Module::new(&engine, &bytes)?;
    let imports: Vec<_> =
        module.imports().map(|import| format!("{}.{}", import.module(), import.name())).collect();
    ensure!(imports.is_empty(), "the core asks its host for {}", imports.join(", "));
    let mut store = Store::new(&engine, ());
    let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module)?;
    let function = instance.get_typed_func::<(), u64>(&store, export)?;
    Ok(function.call(&mut store, ())?)
}
