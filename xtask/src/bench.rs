//! Benchmarks: wall time by size, then instruction counts, which do not depend on the machine's
//! load.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{
    command::{cargo, succeed},
    root,
};

/// An example program whose instructions are counted. It takes a name, a number of things and a
/// number of rounds.
struct Program {
    package: &'static str,
    example: &'static str,
    things: &'static str,
    names: &'static [&'static str],
}

const PROGRAMS: [Program; 4] = [
    Program {
        package: "evenstride",
        example: "workload",
        things: "body",
        names: &[
            "idle",
            "chasing",
            "routing",
            "flying",
            "striding",
            "sent",
            "pursuing",
            "sparse",
            "watched",
            "churning",
            "drawn",
            "blended",
            "changed",
            "animated",
            "plain",
            "gliding",
            "gliding-sent",
            "gliding-idle",
            "glided",
            "saved",
            "restored",
        ],
    },
    Program {
        package: "evenstride_capture",
        example: "traffic",
        things: "message",
        names: &["decode", "encode", "capture", "decoded", "copy"],
    },
    Program {
        package: "evenstride_dat",
        example: "shelf",
        things: "record",
        names: &["parse", "motion", "read", "find", "cached", "copy"],
    },
    Program {
        package: "evenstride_replay",
        example: "crowd",
        things: "runner",
        names: &[
            "nothing",
            "summary",
            "csv",
            "jsonl",
            "columns",
            "nothing-glide",
            "summary-glide",
            "csv-glide",
            "jsonl-glide",
            "columns-glide",
        ],
    },
];
const THINGS: u64 = 1_000;
/// Rounds of two runs. Their difference excludes the start-up.
const ROUNDS: [u64; 2] = [20, 60];

pub(crate) fn run(only_count: bool) -> Result<()> {
    if !only_count {
        succeed(&mut cargo(&["bench", "-p", "evenstride", "--bench", "step"]))?;
        succeed(&mut cargo(&["bench", "-p", "evenstride_capture", "--bench", "read"]))?;
        succeed(&mut cargo(&["bench", "-p", "evenstride_dat", "--bench", "records"]))?;
        succeed(&mut cargo(&["bench", "-p", "evenstride_replay", "--bench", "replay"]))?;
    }
    PROGRAMS.iter().try_for_each(count_instructions)
}

fn count_instructions(program: &Program) -> Result<()> {
    let valgrind = Command::new("valgrind").arg("--version").output();
    if !valgrind.is_ok_and(|output| output.status.success()) {
        bail!("valgrind is needed to count instructions; install your system's package `valgrind`");
    }
    let Program { package, example, things, names } = program;
    succeed(&mut cargo(&["build", "--profile", "dist", "--quiet", "-p", package, "--example", example]))?;
    println!("\nInstructions per {things} and round ({THINGS} of them, callgrind):");
    for name in *names {
        let [short, long] =
            [instructions(example, name, ROUNDS[0])?, instructions(example, name, ROUNDS[1])?];
        let each = (long - short) as f64 / (THINGS * (ROUNDS[1] - ROUNDS[0])) as f64;
        println!("{name:<13} {each:>8.0}");
    }
    Ok(())
}

fn instructions(example: &str, name: &str, rounds: u64) -> Result<u64> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(target.join("dist/examples").join(example))
        .args([name, &THINGS.to_string(), &rounds.to_string()])
        .output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = text.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    count.with_context(|| format!("callgrind did not count {name}:\n{text}"))
}
