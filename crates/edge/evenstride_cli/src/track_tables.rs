//! Tracks as Parquet files, for `replay`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use evenstride_archive::{Codec, Facts, FrameScope, MAX_ROWS, ParquetTable, TRACKS, TrackRows};
use evenstride_replay::{Frame, Heard, ReplayObserver, Still};
use evenstride_types::EntityId;

use crate::{
    args::{OutputFormat, ReplayArgs},
    command::replay::format_of,
    output::OutputFile,
};

/// The tables that a replay writes.
pub(crate) struct TrackTables(Vec<(PathBuf, TrackRows<ParquetTable<OutputFile>>)>);

/// A table that was written.
pub(crate) struct Written {
    pub(crate) path: PathBuf,
    pub(crate) rows: u64,
    pub(crate) left_out: u64,
    pub(crate) bytes: u64,
}

impl TrackTables {
    /// Opens all outputs of this format.
    pub(crate) fn open(args: &ReplayArgs, entities: &[EntityId]) -> Result<Self> {
        let frames = if args.changed { FrameScope::Changed } else { FrameScope::All };
        let limit = if args.no_limit { u64::MAX } else { MAX_ROWS };
        let mut tables = Vec::new();
        for path in &args.outputs {
            if format_of(path, args.format)? == OutputFormat::Parquet {
                let file = OutputFile::create(path)?;
                let table =
                    ParquetTable::new(file, &TRACKS, Codec::default()).with_context(|| named(path))?;
                let capture = args.scene.captures.first().filter(|path| path.is_file());
                let capture =
                    capture.and_then(|path| evenstride_archive::hash_of(path).ok()).unwrap_or_default();
                let facts = Facts { capture, ..Facts::default() };
                let rows = TrackRows::new(table, &facts.capture_id(), frames, entities.iter().copied());
                tables.push((path.clone(), rows.with_limit(limit)));
            }
        }
        Ok(Self(tables))
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Ends all tables and gives them their names.
    pub(crate) fn finish(self, facts: &Facts) -> Result<Vec<Written>> {
        let finish = |(path, rows): (PathBuf, TrackRows<ParquetTable<OutputFile>>)| {
            let filled = rows.finish().with_context(|| named(&path))?;
            let file = filled.sink.finish(&facts.pairs()).with_context(|| named(&path))?;
            let bytes = file.bytes;
            file.commit()?;
            Ok(Written { path, rows: filled.rows, left_out: filled.left_out, bytes })
        };
        self.0.into_iter().map(finish).collect()
    }
}

impl ReplayObserver for TrackTables {
    fn heard(&mut self, heard: &Heard<'_>) {
        self.0.iter_mut().for_each(|(_, rows)| rows.heard(heard));
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        self.0.iter_mut().for_each(|(_, rows)| rows.frame(frame));
    }

    fn still(&mut self, still: &Still<'_>) {
        self.0.iter_mut().for_each(|(_, rows)| rows.still(still));
    }
}

fn named(path: &Path) -> String {
    path.display().to_string()
}
