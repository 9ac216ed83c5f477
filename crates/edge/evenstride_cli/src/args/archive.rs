//! Arguments of `archive`.

use std::{num::NonZeroUsize, ops::RangeInclusive, path::PathBuf};

use super::{Profile, parse_fps, parse_ports};

/// Convert many captures to typed tables (Parquet), on all cores, and go on where an earlier run stopped.
///
/// Each capture becomes one file in each of five tables: tracks, updates, decisions, moments and entities. Their
/// folders are named by server and date, as DuckDB, Spark and others expect. docs/archives.md lists all columns.
///
/// Captures that are done are skipped, unless they have changed. A run that was killed loses nothing but the
/// captures it was working on. A capture that cannot be read never stops the run, and is listed at the end. A
/// capture of several connections has tables for each of them.
///
/// The exit code is 0 if everything was converted. It is 1 if a capture, a part of one, or a folder could not be
/// read. It is 2 if the archive could not be written.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride archive 'captures/**/*.pcap.gz' -o tables\n  evenstride archive captures -o tables --jobs 4 --changed\n  duckdb -c \"select server, count(*) from read_parquet('tables/moments/**/*.parquet') group by all\""
)]
pub(crate) struct ArchiveArgs {
    /// Captures, folders of captures, or patterns in quotation marks
    #[arg(required = true, value_name = "CAPTURES")]
    pub(crate) captures: Vec<String>,

    /// Folder of the tables, made if it is missing
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,

    /// Number of captures to convert at once (default: the number of cores)
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Profile, which decides how entities move and are drawn
    #[arg(long, value_enum, default_value_t = Profile::Glide, ignore_case = true)]
    pub(crate) profile: Profile,

    /// Frames per second, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = super::DEFAULT_FPS, value_parser = parse_fps)]
    pub(crate) fps: f64,

    /// Leave out rows of tracks in which nothing about the entity changes (the rows before and after each rest
    /// stay)
    #[arg(long)]
    pub(crate) changed: bool,

    /// UDP ports that servers use, like 12000-12001 (default: 9000-10013)
    #[arg(long, value_name = "FIRST-LAST", value_parser = parse_ports)]
    pub(crate) server_ports: Option<RangeInclusive<u16>>,

    /// Text file (TOML) with motion tables and animations, in addition to the built-in ones
    #[arg(long, value_name = "FILE")]
    pub(crate) tables: Option<PathBuf>,

    /// Print the summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
