//! `evenstride dat`: what is in the game's archives.

mod check;
mod list;
mod motion;
mod plot;
mod show;

use std::process::ExitCode;

use anyhow::Result;
use evenstride_dat::RecordKind;

use crate::{
    args::{DatArgs, DatCommand, DatKind},
    library,
};

pub(crate) fn run(args: &DatArgs) -> Result<ExitCode> {
    let archive = library::open(&args.file)?;
    match &args.command {
        DatCommand::Ls(ls) => list::run(&archive, ls),
        DatCommand::Show(show) => show::run(&archive, show),
        DatCommand::RootMotion(motion) => motion::run(&archive, motion),
        DatCommand::Check(check) => check::run(&archive, check),
    }
}

impl DatKind {
    const fn is(self, kind: RecordKind) -> bool {
        matches!(
            (self, kind),
            (Self::Setup, RecordKind::Setup)
                | (Self::Animation, RecordKind::Animation)
                | (Self::MotionTable, RecordKind::MotionTable)
                | (Self::Region, RecordKind::Region)
                | (Self::Landblock, RecordKind::LandBlock)
                | (Self::LandblockInfo, RecordKind::LandBlockInfo)
                | (Self::Room, RecordKind::EnvCell)
                | (Self::Other, RecordKind::Iterations | RecordKind::Other(_))
        )
    }
}
