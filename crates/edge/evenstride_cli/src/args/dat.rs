//! Arguments of `evenstride dat`.

use std::path::PathBuf;

use clap::Subcommand;
use evenstride_dat::{RecordId, RecordKind};
use evenstride_types::update::MotionCommand;

use crate::output::nearest_first;

/// Read the game's archives: client_portal.dat, client_cell_1.dat and their older forms.
///
/// Reads only the necessary parts. Listing an archive of 500 MB reads its directory, and showing a
/// record reads the blocks of that record.
///
/// The exit code is 0 on success. It is 1 if a part of the archive is invalid, in which case the
/// rest is read. It is 2 if nothing could be done. A reference to a missing record is reported, but
/// is not an error.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride dat client_portal.dat ls --type motion-table\n  evenstride dat client_portal.dat show 0x09000001\n  evenstride dat client_portal.dat root-motion 0x09000001 --command Run --speed 1.5 -o run.svg\n  evenstride dat client_cell_1.dat show 0xA9B4FFFF --portal client_portal.dat\n  evenstride dat client_portal.dat check"
)]
pub(crate) struct DatArgs {
    /// Archive to read
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(subcommand)]
    pub(crate) command: DatCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DatCommand {
    /// List records with number, kind and size
    Ls(DatLsArgs),
    /// Show the contents of a record
    Show(DatShowArgs),
    /// Play a motion of a motion table and show the path of the root
    RootMotion(DatRootMotionArgs),
    /// Read everything and count the errors
    Check(DatCheckArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct DatLsArgs {
    /// List only records of this kind: setup, animation, motion-table, landblock, or any other kind
    /// in the list (repeat the flag, or separate kinds with commas)
    #[arg(long = "type", value_name = "KIND", value_delimiter = ',', value_parser = parse_kind)]
    pub(crate) kinds: Vec<&'static str>,

    /// Print one JSON object per record
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DatShowArgs {
    /// Record to show, like 0x09000001
    #[arg(value_name = "ID", value_parser = parse_record)]
    pub(crate) id: RecordId,

    /// Portal archive that converts the height steps of a landblock to metres
    #[arg(long, value_name = "FILE")]
    pub(crate) portal: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long, conflicts_with = "raw")]
    pub(crate) json: bool,

    /// Write the raw bytes to standard output, which must not be a terminal
    #[arg(long)]
    pub(crate) raw: bool,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "`show TABLE` lists the stances and motions of a table. The columns of CSV are time in seconds, metres to the right, ahead and up from the start (x, y, z), heading in degrees clockwise, metres and degrees per second in this step (speed, turn), animation and keyframe at the end of the step, keyframes passed (left, without the last of a cycle, where the client does nothing), number of animations finished (ended), and hooks as type:value.\n\nExamples:\n  evenstride dat client_portal.dat root-motion 0x09000001\n  evenstride dat client_portal.dat root-motion 0x09000001 --from Run --command Ready --format csv\n  evenstride dat client_portal.dat root-motion 0x09000001 --style HandCombat --command TurnRight --speed 1.5 -o turn.svg"
)]
pub(crate) struct DatRootMotionArgs {
    /// Motion table, like 0x09000001
    #[arg(value_name = "TABLE", value_parser = parse_record)]
    pub(crate) table: RecordId,

    /// Stance: a name, like HandCombat, or a number (default: the table's default stance)
    #[arg(long, value_name = "STANCE", value_parser = parse_stance)]
    pub(crate) style: Option<MotionCommand>,

    /// Motion: a name, like Walk or TurnRight, or a number (default: Run, or else Walk or Ready)
    #[arg(long, value_name = "MOTION", value_parser = parse_motion)]
    pub(crate) command: Option<MotionCommand>,

    /// Motion to start from (default: the stance's default motion)
    #[arg(long, value_name = "MOTION", value_parser = parse_motion)]
    pub(crate) from: Option<MotionCommand>,

    /// Speed factor, -100 to 100 (negative values play backwards)
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = parse_speed, allow_negative_numbers = true)]
    pub(crate) speed: f32,

    /// Length in seconds, up to 3600, rounded to whole steps
    #[arg(long, value_name = "N", default_value_t = 3.0, value_parser = parse_play_seconds)]
    pub(crate) seconds: f64,

    /// Length of a step in seconds, 0.001 to 1 (default: 1/30, as in the game)
    #[arg(long, value_name = "SECONDS", value_parser = parse_step)]
    pub(crate) step: Option<f64>,

    /// Output format (default: by the extension of the output file, else a table)
    #[arg(long, value_enum, ignore_case = true)]
    pub(crate) format: Option<MotionFormat>,

    /// Output file: .csv, .svg, .json, or .txt for a table (`-` is standard output)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DatCheckArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Output format of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MotionFormat {
    /// A table for people
    Table,
    /// Comma-separated values for programs
    Csv,
    /// A picture: the path from above, speed over time, keyframes
    Svg,
    /// One JSON object
    Json,
}

/// Parses `0x09000001` or `09000001`. Records are hexadecimal everywhere.
fn parse_record(text: &str) -> Result<RecordId, String> {
    let digits = text.trim_start_matches("0x").trim_start_matches("0X");
    u32::from_str_radix(digits, 16).map(RecordId).map_err(|_| {
        format!("`{text}` is not a record id; use up to eight hexadecimal digits, like 0x09000001")
    })
}

/// Parses a kind of record, by any name that `ls` prints.
fn parse_kind(text: &str) -> Result<&'static str, String> {
    // Archives call models setups.
    let text = if text.eq_ignore_ascii_case("model") { "setup" } else { text };
    let names = RecordKind::names();
    let known = names.iter().find(|name| name.eq_ignore_ascii_case(text));
    known.copied().ok_or_else(|| {
        let names = nearest_first(text, names.iter().copied());
        format!("`{text}` is not a kind of record; use one of {}", names.join(", "))
    })
}

/// Parses a motion by name, or by hexadecimal number: whole (`0x44000007`) or as in messages
/// (`0x07`).
fn parse_motion(text: &str) -> Result<MotionCommand, String> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let is_number = text.starts_with(|first: char| first.is_ascii_digit());
    match u32::from_str_radix(digits, 16).ok().filter(|_| is_number) {
        Some(index @ 0..=0xFFFF) => {
            let name = evenstride_tables::index_name(index as u16);
            let motion = name.and_then(|name| evenstride_tables::motion(name).ok());
            motion.ok_or_else(|| {
                format!("`{text}` is not the number of a motion; use one like 0x07 or 0x44000007")
            })
        }
        Some(number) => Ok(MotionCommand(number)),
        None => evenstride_tables::motion(text),
    }
}

fn parse_stance(text: &str) -> Result<MotionCommand, String> {
    match parse_motion(text) {
        Ok(stance) if stance.is_style() => Ok(stance),
        _ => Err(format!(
            "`{text}` is not a stance; an example is NonCombat, and `show TABLE` lists those of a table"
        )),
    }
}

fn parse_speed(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(speed) if (-100.0..=100.0).contains(&speed) => Ok(speed),
        _ => Err(format!("`{text}` is not a speed from -100 to 100")),
    }
}

fn parse_play_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3_600.0 => Ok(seconds),
        _ => Err(format!("`{text}` is not a number of seconds above 0 and up to 3600")),
    }
}

fn parse_step(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=1.0).contains(&seconds) => Ok(seconds),
        _ => Err(format!("`{text}` is not a step from 0.001 to 1 second")),
    }
}
