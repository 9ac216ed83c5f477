//! `evenstride scenarios`: lists the scenarios of the library.

use std::{io::Write, process::ExitCode};

use anyhow::{Result, bail};
use evenstride_arena::{DEFAULT_SCENARIO, LIBRARY, Scenario};

use crate::args::ScenariosArgs;

pub(crate) fn run(args: &ScenariosArgs) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    if let Some(name) = &args.name {
        let Some(entry) = LIBRARY.iter().find(|entry| entry.name == name) else {
            bail!("there is no scenario \"{name}\"; `evenstride scenarios` lists all scenarios");
        };
        out.write_all(entry.text.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    for entry in LIBRARY {
        let scenario = Scenario::parse(entry.text)?;
        let mark = if entry.name == DEFAULT_SCENARIO { " (the default)" } else { "" };
        writeln!(out, "{:<20} {:>4.0} s  {}{mark}", entry.name, scenario.seconds, scenario.title)?;
    }
    Ok(ExitCode::SUCCESS)
}
