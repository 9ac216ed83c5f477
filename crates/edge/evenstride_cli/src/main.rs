//! The `evenstride` program: argument parsing and exit codes. The work is in `command/`.

mod args;
mod command;
mod output;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::Conform(args) => command::conform::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => {
            // Whoever reads us has heard enough (`| head`): not an error of ours.
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("evenstride: {error:#}");
            ExitCode::from(2)
        }
    }
}
