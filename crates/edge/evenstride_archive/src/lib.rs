//! Captures as typed tables, and archives of captures as folders of tables.
//!
//! ```text
//! capture ─► replay ─► rows/ ─► batch.rs ─► parquet_table.rs ─► archive/
//!            frame by  one file columns     one Parquet file    many captures, threads,
//!            frame     a table  in memory   for each table      manifest, partitions
//! ```
//!
//! [`TABLES`] names all tables and columns. [`convert()`] replays a capture once and writes all of them.
//! [`archive`] does so for many captures, goes on after it was killed, and never stops at a bad file.
//! Bindings keep the same [`Batch`]es in memory.
//!
//! ```
//! use evenstride_archive::{FrameScope, InMemory, TrackRows};
//! use evenstride_replay::{ReplayOptions, replay, sample};
//!
//! let mut rows = TrackRows::new(InMemory, "", FrameScope::All, []);
//! let replayed = replay(&sample::crowd(3, 1), &ReplayOptions::default(), &mut rows);
//! let tracks = rows.finish()?.batch;
//! assert_eq!(tracks.rows() as u64, 3 * replayed.frames);
//! # Ok::<(), evenstride_archive::TableError>(())
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod archive;
mod batch;
mod capture;
mod convert;
mod described;
mod error;
mod hash;
mod memory;
mod parquet_table;
mod read;
mod rows;
pub mod sample;
mod sink;
mod table;

pub use batch::{Batch, Column, Texts, Values};
pub use capture::{Capture, CaptureOptions, MAX_CONNECTIONS, ReadError, date_of, server_name};
pub use convert::{ConvertOptions, Facts, WrittenTable, convert};
pub use described::Described;
pub use error::TableError;
pub use hash::hash_of;
pub use memory::table_in_memory;
pub use parquet_table::{Codec, GROUP_ROWS, ParquetTable};
pub use read::{Cell, ForeignRows};
pub use rows::{DecisionRows, FrameScope, TrackRows, UpdateRows, entity_rows, moment_rows};
pub use sink::{BatchSink, Filled, InMemory, MAX_ROWS};
pub use table::{
    ColumnKind, ColumnSpec, DECISIONS, ENTITIES, MOMENTS, TABLES, TRACKS, TableSpec, UPDATES, schema_document,
};
