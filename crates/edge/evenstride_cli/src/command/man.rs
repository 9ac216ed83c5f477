//! `evenstride man` and `evenstride completions`: texts about the program, made from its arguments.

use std::{fs, io::Write, process::ExitCode};

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_mangen::Man;

use crate::{
    args::{Args, CompletionsArgs, ManArgs},
    output::{OutputFile, count, is_dash, tell},
};

pub(crate) fn run(args: &ManArgs) -> Result<ExitCode> {
    let mut program = Args::command();
    program.build();
    let Some(folder) = args.output.as_ref().filter(|folder| !is_dash(folder)) else {
        write(&page(program)?)?;
        return Ok(ExitCode::SUCCESS);
    };
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let commands = with_subcommands(program);
    for command in &commands {
        let path = folder.join(format!("{}.1", page_name(command)));
        OutputFile::write_whole(&path, &page(command.clone())?)?;
    }
    tell(&format!("{}: {}", folder.display(), count(commands.len() as u64, "page", "pages")));
    Ok(ExitCode::SUCCESS)
}

/// Prints completions for a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<ExitCode> {
    // The generator panics if it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "evenstride", &mut script);
    write(&script)?;
    Ok(ExitCode::SUCCESS)
}

fn write(bytes: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}

fn page(command: clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}

fn page_name(command: &clap::Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).replace(' ', "-")
}

/// Returns a command, and all commands below it.
fn with_subcommands(command: clap::Command) -> Vec<clap::Command> {
    let below: Vec<clap::Command> =
        command.get_subcommands().filter(|below| below.get_name() != "help").cloned().collect();
    std::iter::once(command).chain(below.into_iter().flat_map(with_subcommands)).collect()
}
