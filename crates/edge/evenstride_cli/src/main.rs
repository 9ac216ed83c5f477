//! The `evenstride` program: argument parsing and exit codes. The work is in `command/`.

mod args;
mod command;
mod entity;
mod library;
mod output;
mod scene;
mod source;
mod sync_test;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::args::{Args, Command};

fn main() -> ExitCode {
    let result = match parse().command {
        Command::Conform(args) => command::conform::run(&args),
        Command::Inspect(args) => command::inspect::run(&args),
        Command::Replay(args) => command::replay::run(&args),
        Command::Moments(args) => command::moments::run(&args),
        Command::Explain(args) => command::explain::run(&args),
        Command::Demo(args) => command::demo::run(&args),
        Command::Scenarios(args) => command::scenarios::run(&args),
        Command::Simulate(args) => command::simulate::run(&args),
        Command::Score(args) => command::score::run(&args),
        Command::Dat(args) => command::dat::run(&args),
        Command::Completions(args) => {
            let mut command = Args::command();
            clap_complete::generate(args.shell, &mut command, "evenstride", &mut std::io::stdout());
            Ok(ExitCode::SUCCESS)
        }
    };
    match result {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => {
            // The reader of the output has closed it (`| head`). This deserves no message, but it
            // is no success. The unread part may have reported a failure. 141 is the code a shell
            // reports for a program that a closed pipe ended.
            ExitCode::from(141)
        }
        Err(error) => {
            output::tell(&format!("evenstride: {error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Parses the arguments. A message about an argument with control characters is printed without
/// them, and without colours.
fn parse() -> Args {
    Args::try_parse().unwrap_or_else(|error| {
        let is_plain = std::env::args_os().all(|argument| output::is_plain(&argument.to_string_lossy()));
        if !is_plain && error.use_stderr() {
            error.to_string().lines().for_each(output::tell);
            std::process::exit(error.exit_code());
        }
        error.exit()
    })
}
