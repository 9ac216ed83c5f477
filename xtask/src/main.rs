//! The project's own commands. `cargo xtask test` runs the same checks as CI.

mod archive;
mod bench;
mod command;
mod conform;
mod conformance;
mod deny;
mod dependencies;
mod engines;
mod fuzz;
mod generated;
mod graph;
mod kit;
mod long;
mod miri;
mod native;
mod package;
mod provenance;
mod python;
mod report;
mod sbom;
mod semver;
mod steps;
mod tidy;
mod tools;
mod wasm;
mod web;

use std::{ffi::OsString, fs, path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

/// Run the project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check formatting, lints, tests, docs, wasm32 and the house rules. Ends with
    /// `N passed, M failed`.
    #[command(
        after_help = "Examples:\n  cargo xtask test\n  cargo xtask test --only tidy --only docs\n  cargo xtask test --long\n  cargo xtask test --only semver"
    )]
    Test {
        /// Also check the supply chain, run Miri, play the swarm, fuzz each target for a minute, run the
        /// property tests with at least 50 times the cases, and read 100,000 damaged captures, archives and
        /// saves each
        #[arg(long)]
        long: bool,
        /// Run only this step (repeat for several)
        #[arg(long, value_name = "STEP", value_parser = clap::builder::PossibleValuesParser::new(steps::names()))]
        only: Vec<String>,
    },
    /// Run reference traces through the motion core, in a release build (`--help` lists its
    /// options)
    #[command(
        disable_help_flag = true,
        after_help = "Examples:\n  cargo xtask conform testdata/golden\n  cargo xtask conform --driver moveto testdata/golden"
    )]
    Conform {
        /// Options and paths of traces
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        args: Vec<OsString>,
    },
    /// Write the generated documents: provenance, deviations, safety bounds, codes, dependencies,
    /// conformance, tables of ARCHITECTURE.md
    Docs,
    /// Measure wall time of steps, received positions, captures and archives, then instructions and
    /// memory traffic (needs valgrind)
    #[command(
        after_help = "Examples:\n  cargo xtask bench chasing\n  cargo xtask bench --count chasing trailing\n  cargo xtask bench --peers --size 10000"
    )]
    Bench {
        /// Only count instructions and memory traffic
        #[arg(long)]
        count: bool,
        /// Only compare with other libraries, in one run (builds a part of Bevy)
        #[arg(long, conflicts_with = "count")]
        peers: bool,
        /// Number of entities in the comparison, instead of 100, 10,000 and 1,000,000
        #[arg(long, value_name = "N", requires = "peers")]
        size: Option<u32>,
        /// Scenes or libraries to measure, instead of all
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Fuzz targets, each from its kept corpus (installs nightly and cargo-fuzz if they are missing)
    #[command(
        arg_required_else_help = true,
        after_help = "Examples:\n  cargo xtask fuzz session restore --minutes 30\n  cargo xtask fuzz --all\n\nAn input that fails is in fuzz/artifacts. Mend the fault, and add a test named for its symptom."
    )]
    Fuzz {
        /// Targets, which are the files in fuzz/fuzz_targets
        #[arg(value_name = "TARGET", required_unless_present = "all")]
        targets: Vec<String>,
        /// Minutes for each target
        #[arg(long, value_name = "N", default_value_t = 1.0)]
        minutes: f64,
        /// Fuzz every target
        #[arg(long, conflicts_with = "targets")]
        all: bool,
    },
    /// Minimise the fuzzing corpora and pack them into `fuzz/corpora`, up to 300 kB each (needs GNU
    /// tar, and installs nightly and cargo-fuzz if they are missing)
    #[command(
        after_help = "Examples:\n  cargo xtask keep-corpora\n  cargo xtask keep-corpora restore plain_restore"
    )]
    KeepCorpora {
        /// Targets, instead of all
        #[arg(value_name = "TARGET")]
        targets: Vec<String>,
    },
    /// Write the bill of materials of the program (CycloneDX 1.5, JSON)
    #[command(after_help = "Examples:\n  cargo xtask sbom -o evenstride.cdx.json")]
    Sbom {
        /// File to write instead of the standard output
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Pack the conformance kit: traces, protocol, adapters, licences and checksums (the same bytes on
    /// every machine)
    #[command(after_help = "Examples:\n  cargo xtask kit\n  cargo xtask kit -o kits")]
    Kit {
        /// Folder for the archive
        #[arg(short, long, value_name = "FOLDER", default_value = "target")]
        output: PathBuf,
    },
    /// Write the C header of `bindings/c`, which `cargo xtask test` compares
    Header,
    /// Measure nanoseconds per entity in Rust, C and C#, in one run (installs a C compiler and Mono if they
    /// are missing)
    NativeBench,
    /// Write an archive of simulated captures, whose dates and servers vary (the same number gives the same
    /// bytes)
    #[command(
        after_help = "Examples:\n  cargo xtask make-archive 100\n  cargo xtask make-archive 1000 -o /var/tmp/captures"
    )]
    MakeArchive {
        /// Number of captures
        #[arg(value_name = "N")]
        number: u64,
        /// Folder for them, made if it is missing
        #[arg(short, long, value_name = "FOLDER", default_value = "target/captures")]
        output: PathBuf,
    },
    /// Measure `evenstride archive` on archives of several sizes, and the compressions of tables
    #[command(
        after_help = "Examples:\n  cargo xtask archive-bench\n  cargo xtask archive-bench 10 100 --jobs 2"
    )]
    ArchiveBench {
        /// Numbers of captures
        #[arg(value_name = "N", default_values_t = [10, 100, 1000])]
        numbers: Vec<u64>,
        /// Number of captures at once
        #[arg(long, value_name = "N", default_value_t = 1)]
        jobs: u32,
    },
    /// Build the core for browsers, and replace the blob that the program embeds
    #[command(
        after_help = "Examples:\n  cargo xtask web\n  cargo xtask web --unpack\n\nRun it after a change of the core, or of another crate that runs in browsers."
    )]
    Web {
        /// Only complete the npm package in `bindings/js` from the kept blob
        #[arg(long)]
        unpack: bool,
    },
}

fn main() -> ExitCode {
    match run(Args::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Test { long, only } => Ok(steps::run(long, &only)),
        Command::Conform { args } => conform::run(&args),
        Command::Web { unpack } => {
            if unpack {
                web::unpack()?
            } else {
                web::build()?
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::MakeArchive { number, output } => {
            archive::make(number, &output)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::ArchiveBench { numbers, jobs } => {
            archive::bench(&numbers, jobs)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Kit { output } => {
            kit::write(&output)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Header => {
            native::write_header()?;
            Ok(ExitCode::SUCCESS)
        }
        Command::NativeBench => {
            native::bench()?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Docs => {
            generated::write_all()?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Bench { count, peers, size, names } => {
            let what = match (count, peers) {
                (true, _) => bench::What::Counts,
                (_, true) => bench::What::Peers { size },
                _ => bench::What::All,
            };
            bench::run(what, &names)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Fuzz { targets, minutes, .. } => {
            let is_clean = fuzz::run_targets(&targets, minutes)?;
            Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::from(1) })
        }
        Command::KeepCorpora { targets } => {
            fuzz::keep(&targets)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Sbom { output } => {
            let document = sbom::document()?;
            match output {
                Some(path) => fs::write(&path, document).with_context(|| path.display().to_string())?,
                None => print!("{document}"),
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Returns the project's folder.
fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or(here.clone(), PathBuf::from)
}
