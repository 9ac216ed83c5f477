//! Arguments of every command, and of the commands about the program itself.

use std::{ffi::OsString, path::PathBuf};

use clap::{ColorChoice, ValueEnum};

/// Arguments of every command.
#[derive(Debug, clap::Args)]
pub(crate) struct GlobalArgs {
    /// When to use colours (default: auto, which is on terminals unless NO_COLOR is set)
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t = ColorChoice::Auto,
        hide_default_value = true,
        ignore_case = true
    )]
    pub(crate) color: ColorChoice,

    /// Print no notes and no progress, only results, warnings and errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

impl GlobalArgs {
    /// Returns the choice of `--color` among arguments that are not parsed yet. Help and messages
    /// about arguments follow it too.
    pub(crate) fn early_color(arguments: impl IntoIterator<Item = OsString>) -> ColorChoice {
        let mut arguments = arguments.into_iter().map(|argument| argument.to_string_lossy().into_owned());
        let mut choice = ColorChoice::Auto;
        while let Some(argument) = arguments.next().filter(|argument| argument != "--") {
            let value = match argument.strip_prefix("--color") {
                Some("") => arguments.next().unwrap_or_default(),
                Some(value) => value.trim_start_matches('=').to_owned(),
                None => continue,
            };
            choice = ColorChoice::from_str(&value, true).unwrap_or(choice);
        }
        choice
    }
}

/// Print the manual page of the program, or write the pages of all commands.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  evenstride man | man -l -\n  evenstride man -o ~/.local/share/man/man1    # then: man evenstride-replay"
)]
pub(crate) struct ManArgs {
    /// Folder for one page per command, made if it is missing
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride completions bash > ~/.local/share/bash-completion/completions/evenstride\n  evenstride completions fish | source"
)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_of_colours_is_known_before_parsing() {
        let choice = |text: &str| GlobalArgs::early_color(text.split(' ').map(OsString::from));
        assert_eq!(choice("evenstride --color never demo"), ColorChoice::Never);
        assert_eq!(choice("evenstride demo --color=ALWAYS"), ColorChoice::Always);
        assert_eq!(choice("evenstride demo --colour"), ColorChoice::Auto);
        assert_eq!(choice("evenstride conform -- --color always"), ColorChoice::Auto);
    }
}
