//! `evenstride dat`: reads the game's archives.

mod check;
mod list;
mod motion;
mod motion_text;
mod plot;
mod show;

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::{
    args::{DatArgs, DatCommand},
    library,
};

pub(crate) fn run(args: &DatArgs) -> Result<ExitCode> {
    let (archive, cut_short) = library::open(&args.file)?;
    let faults = match &args.command {
        DatCommand::Ls(ls) => list::run(&archive, ls),
        DatCommand::Show(show) => show::run(&archive, show),
        DatCommand::RootMotion(motion) => motion::run(&archive, motion, &args.file),
        DatCommand::Check(check) => check::run(&archive, check),
    };
    let faults = faults.with_context(|| args.file.display().to_string())?;
    Ok(if faults + cut_short == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
