//! Arguments about the places that another program drew.

use std::path::PathBuf;

/// The drawn places of another program.
#[derive(Debug, clap::Args)]
pub(crate) struct TrackArgs {
    /// Places that another program drew for the same capture or scenario, which are scored beside
    /// the others (CSV with a header, JSON lines, or Parquet)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "mean", "seeds"])]
    pub(crate) track: Option<PathBuf>,

    /// Seconds to add to the times of the track (default: those that match best). Second 0 is the
    /// first packet of a capture, whose date `inspect` tells, or the start of a scenario
    #[arg(long, value_name = "SECONDS", value_parser = parse_track_offset, allow_negative_numbers = true, requires = "track")]
    pub(crate) track_offset: Option<f64>,

    /// Name of the track in the scorecard (default: that of its file)
    #[arg(long, value_name = "NAME", requires = "track")]
    pub(crate) track_name: Option<String>,

    /// Columns of the track whose names are not usual ones, like time=Clock,x=PosX (parts: time, ms,
    /// entity, cell, x, y, z, heading, qw, qx, qy, qz)
    #[arg(long, value_name = "PART=COLUMN", value_delimiter = ',', value_parser = parse_column, requires = "track")]
    pub(crate) track_columns: Vec<(String, String)>,
}

/// Parses an offset to the clock of a track, which may count from any year.
fn parse_track_offset(text: &str) -> Result<f64, String> {
    match super::time::parse_seconds(text)? {
        seconds if seconds.abs() <= MAX_OFFSET_SECS => Ok(seconds),
        _ => Err(format!(
            "`{text}` is too large for an offset; use seconds, like --track-offset=-1379509932.5"
        )),
    }
}

/// Largest offset of a track in seconds, which is 30,000 years.
const MAX_OFFSET_SECS: f64 = 1e12;

fn parse_column(text: &str) -> Result<(String, String), String> {
    let (part, column) = text.split_once('=').ok_or("use PART=COLUMN, like x=PosX")?;
    Ok((part.trim().to_owned(), column.trim().to_owned()))
}
