//! Archives of captures as folders of tables.
//!
//! ```text
//! files ─► plan.rs ─► run.rs ─► convert ─► FOLDER/tracks/server=…/date=…/NAME.parquet
//!          what is    threads              and likewise for the other tables
//!          left to do    ├────► place.rs, names for finished tables
//!                        └────► manifest.rs, a line before and after each capture ─► lines.rs
//! ```
//!
//! A capture's tables are written under other names first. Then a line of the manifest names them, they get
//! their own names, and another line says that they are done. A run that was killed in between removes what
//! the first line names, and converts that capture again.
//!
//! Captures with equal bytes have tables once. One of them owns the tables, and the others are its copies. If
//! the owner changes, the manifest hands the tables to a copy before it notes the owner's new ones.

mod lines;
mod manifest;
mod names;
mod partition;
mod place;
mod plan;
mod report;
mod run;

pub use self::{
    manifest::{ArchivedFile, ArchivedTable, ManifestError, Settings},
    partition::escape,
    plan::{FoundCaptures, find_captures},
    report::{Event, Outcome, Report},
    run::{Archive, ArchiveError},
};
