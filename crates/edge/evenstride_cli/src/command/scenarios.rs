//! `evenstride scenarios`: lists the scenarios of the library.

use std::{io::Write, process::ExitCode};

use anyhow::{Result, bail};
use evenstride_arena::{DEFAULT_SCENARIO, LIBRARY, Scenario};

use crate::{
    args::ScenariosArgs,
    command::simulate::perhaps,
    output::{self, Column, Table, width},
};

pub(crate) fn run(args: &ScenariosArgs) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    if let Some(name) = &args.name {
        let Some(entry) = LIBRARY.iter().find(|entry| entry.name == name) else {
            let perhaps = perhaps(name);
            bail!("there is no scenario \"{name}\"{perhaps}; `evenstride scenarios` lists all scenarios");
        };
        out.write_all(entry.text.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    drop(out);
    let mut table = Table::new([
        Column::text("name").at_least(20),
        Column::number("length").at_least(6).gap(1).rank(1),
        Column::text("title"),
    ]);
    for entry in LIBRARY {
        let scenario = Scenario::parse(entry.text)?;
        let mark = if entry.name == DEFAULT_SCENARIO { " (the default)" } else { "" };
        let length = format!("{:.0} s", scenario.seconds);
        table.row([entry.name.into(), length.into(), format!("{}{mark}", scenario.title).into()]);
    }
    let mut out = output::text();
    table.write(&mut out, width(), "`evenstride scenarios NAME` prints one")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
