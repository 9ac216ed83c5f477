//! `evenstride scenarios`: lists the scenarios of the library.

use std::{io::Write, process::ExitCode};

use anyhow::{Result, bail};
use evenstride_arena::{DEFAULT_SCENARIO, LIBRARY, Scenario};

use crate::{
    args::ScenariosArgs,
    command::simulate::perhaps,
    output::{self, Cell, Column, Table, Tone, width},
};

pub(crate) fn run(args: &ScenariosArgs) -> Result<ExitCode> {
    let mut out = output::text();
    if let Some(name) = &args.name {
        let Some(entry) = LIBRARY.iter().find(|entry| entry.name == name) else {
            let perhaps = perhaps(name);
            bail!("there is no scenario \"{name}\"{perhaps}; `evenstride scenarios` lists all scenarios");
        };
        out.write_all(entry.text.as_bytes())?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let (name, length, title) =
        (Column::text("").at_least(20), Column::number("").at_least(6), Column::text(""));
    let mut table = Table::new([name, length.gap(1), title]);
    for entry in LIBRARY {
        let scenario = Scenario::parse(entry.text)?;
        let mark = if entry.name == DEFAULT_SCENARIO { " (the default)" } else { "" };
        let length = format!("{:.0} s", scenario.seconds);
        let name = Cell::from(entry.name).tone(Tone::Heading);
        table.row([name, length.into(), format!("{}{mark}", scenario.title).into()]);
    }
    table.write(&mut out, width(), "`evenstride scenarios NAME` prints one")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
