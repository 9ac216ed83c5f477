//! The project's own commands. `cargo xtask test` is the one door: what it says is what CI says.

mod command;
mod fuzz;
mod provenance;
mod report;
mod steps;
mod tidy;
mod wasm;

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::{Parser, Subcommand};

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check everything: formatting, lints, tests, docs, wasm32 and the house rules. Ends with `N passed, M failed`.
    #[command(
        after_help = "Examples:\n  cargo xtask test\n  cargo xtask test --only tidy --only docs\n  cargo xtask test --long"
    )]
    Test {
        /// Also fuzz for a minute a target and run the property tests with 100 times the cases
        #[arg(long)]
        long: bool,
        /// Run only this step; may be given more than once
        #[arg(long, value_name = "STEP", value_parser = clap::builder::PossibleValuesParser::new(steps::names()))]
        only: Vec<String>,
    },
    /// Write the documents that are generated from the code: docs/provenance.md
    Docs,
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
        Command::Docs => {
            provenance::write()?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The folder that holds the whole project.
fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or(here.clone(), PathBuf::from)
}
