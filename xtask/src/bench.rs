//! Benchmarks: wall time by size, then instruction counts, which do not depend on what else the machine is doing.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{
    command::{cargo, succeed},
    root,
};

const SCENES: [&str; 11] = [
    "idle", "chasing", "routing", "flying", "sparse", "watched", "churning", "drawn", "blended", "saved",
    "restored",
];
const BODIES: u64 = 1_000;
/// Two runs of different length: their difference has no start-up in it.
const ROUNDS: [u64; 2] = [20, 60];

pub(crate) fn run(only_count: bool) -> Result<()> {
    if !only_count {
        succeed(&mut cargo(&["bench", "-p", "evenstride", "--bench", "step"]))?;
    }
    count_instructions()
}

fn count_instructions() -> Result<()> {
    let valgrind = Command::new("valgrind").arg("--version").output();
    if !valgrind.is_ok_and(|output| output.status.success()) {
        bail!("valgrind is needed to count instructions; install your system's package `valgrind`");
    }
    succeed(&mut cargo(&["build", "--release", "--quiet", "-p", "evenstride", "--example", "workload"]))?;
    println!("\nInstructions per body and round ({BODIES} bodies, callgrind):");
    for scene in SCENES {
        let [short, long] = [instructions(scene, ROUNDS[0])?, instructions(scene, ROUNDS[1])?];
        let each = (long - short) as f64 / (BODIES * (ROUNDS[1] - ROUNDS[0])) as f64;
        println!("{scene:<10} {each:>8.0}");
    }
    Ok(())
}

fn instructions(scene: &str, rounds: u64) -> Result<u64> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(target.join("release/examples/workload"))
        .args([scene, &BODIES.to_string(), &rounds.to_string()])
        .output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = text.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    count.with_context(|| format!("callgrind did not count {scene}:\n{text}"))
}
