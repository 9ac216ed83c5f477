//! The `evenstride` program: argument parsing and exit codes. The work is in `command/`.

mod args;
mod command;
mod drawn_track;
mod entity;
mod library;
mod live;
mod output;
mod scene;
mod scorecard;
mod source;
mod sync_test;
mod track_tables;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::args::{Args, Command, GlobalArgs};

fn main() -> ExitCode {
    let args = parse();
    output::choose(args.global.color);
    if args.global.quiet {
        output::silence();
    }
    let result = match args.command {
        Command::Conform(args) => command::conform::run(&args),
        Command::Inspect(args) => command::inspect::run(&args),
        Command::Replay(args) => command::replay::run(&args),
        Command::Archive(args) => command::archive::run(&args),
        Command::Moments(args) => command::moments::run(&args),
        Command::Explain(args) => command::explain::run(&args),
        Command::Demo(args) => command::demo::run(&args),
        Command::Scenarios(args) => command::scenarios::run(&args),
        Command::Simulate(args) => command::simulate::run(&args),
        Command::Score(args) => command::score::run(&args),
        Command::Watch(args) => command::watch::run(&args),
        Command::Relay(args) => command::relay::run(&args),
        Command::Serve(args) => command::serve::run(&args),
        Command::Join(args) => command::join::run(&args),
        Command::Dat(args) => command::dat::run(&args),
        Command::Completions(args) => command::man::completions(&args),
        Command::Man(args) => command::man::run(&args),
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
            output::warn(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Parses the arguments. A message about an argument with control characters is printed without
/// them, and without colours.
fn parse() -> Args {
    let color = GlobalArgs::early_color(std::env::args_os());
    let mut command = Args::command().color(color);
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    let args = matches.and_then(|matches| Args::from_arg_matches(&matches));
    args.unwrap_or_else(|error| {
        let error = error.format(&mut command);
        let is_plain = std::env::args_os().all(|argument| output::is_plain(&argument.to_string_lossy()));
        if !is_plain && error.use_stderr() {
            error.to_string().lines().for_each(output::insist);
            std::process::exit(error.exit_code());
        }
        error.exit()
    })
}
