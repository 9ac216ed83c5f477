//! What was typed after `evenstride dat`.

use std::path::PathBuf;

use clap::Subcommand;
use evenstride_dat::{RecordId, RecordKind};
use evenstride_types::update::MotionCommand;

/// Look into the game's own archives: client_portal.dat, client_cell_1.dat and their ancestors.
///
/// Reads what it needs and no more: listing 500 MB takes the directory, showing a record its blocks.
///
/// Exit code 0 if all is well, 1 if something in the archive is wrong (the rest was read all the same), 2 if nothing could be done. A record that
/// another one names and that is not there is told, and is nothing wrong.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride dat client_portal.dat ls --type motion-table\n  evenstride dat client_portal.dat show 0x09000001\n  evenstride dat client_portal.dat root-motion 0x09000001 --command Run --speed 1.5 -o run.svg\n  evenstride dat client_cell_1.dat show 0xA9B4FFFF --portal client_portal.dat\n  evenstride dat client_portal.dat check"
)]
pub(crate) struct DatArgs {
    /// The archive
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(subcommand)]
    pub(crate) command: DatCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DatCommand {
    /// List records: number, kind, size
    Ls(DatLsArgs),
    /// Show what a record says
    Show(DatShowArgs),
    /// Play a motion of a motion table, and show where it carries the root
    RootMotion(DatRootMotionArgs),
    /// Read everything, and count what is wrong
    Check(DatCheckArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct DatLsArgs {
    /// Only records of this kind: setup, animation, motion-table, landblock, or any other that is listed; may be given more than once, or
    /// as a list with commas
    #[arg(long = "type", value_name = "KIND", value_delimiter = ',', value_parser = parse_kind)]
    pub(crate) kinds: Vec<&'static str>,

    /// Print one JSON object a record
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DatShowArgs {
    /// Which record, like 0x09000001
    #[arg(value_name = "ID", value_parser = parse_record)]
    pub(crate) id: RecordId,

    /// The portal archive that says how high the steps of a landblock are
    #[arg(long, value_name = "FILE")]
    pub(crate) portal: Option<PathBuf>,

    /// Print it as one JSON object
    #[arg(long, conflicts_with = "raw")]
    pub(crate) json: bool,

    /// Write its bytes as they are, to a file or another program
    #[arg(long)]
    pub(crate) raw: bool,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "`show TABLE` lists the stances and motions a table has. Columns of CSV: seconds, metres to the right, ahead and up of where it began, degrees clockwise, metres and degrees a second in this step, animation and keyframe at its end, keyframes it left (not the last of a round, where the client does nothing), animations it finished, hooks as type:value.\n\nExamples:\n  evenstride dat client_portal.dat root-motion 0x09000001\n  evenstride dat client_portal.dat root-motion 0x09000001 --from Run --command Ready --format csv\n  evenstride dat client_portal.dat root-motion 0x09000001 --style HandCombat --command TurnRight --speed 1.5 -o turn.svg"
)]
pub(crate) struct DatRootMotionArgs {
    /// Which motion table, like 0x09000001
    #[arg(value_name = "TABLE", value_parser = parse_record)]
    pub(crate) table: RecordId,

    /// In which stance: a name, like HandCombat, or a number (default: the table's own)
    #[arg(long, value_name = "STANCE", value_parser = parse_stance)]
    pub(crate) style: Option<MotionCommand>,

    /// Which motion: a name, like Walk or TurnRight, or a number (default: Run, or the first the table has of Walk and Ready)
    #[arg(long, value_name = "MOTION", value_parser = parse_motion)]
    pub(crate) command: Option<MotionCommand>,

    /// From which motion it is begun (default: the stance's own posture)
    #[arg(long, value_name = "MOTION", value_parser = parse_motion)]
    pub(crate) from: Option<MotionCommand>,

    /// How fast, -100 to 100; backward if negative
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = parse_speed, allow_negative_numbers = true)]
    pub(crate) speed: f32,

    /// For how long, in seconds, up to 3600; rounded to whole steps
    #[arg(long, value_name = "N", default_value_t = 3.0, value_parser = parse_play_seconds)]
    pub(crate) seconds: f64,

    /// Seconds of a step, 0.001 to 1 (default: 1/30, as in the game)
    #[arg(long, value_name = "SECONDS", value_parser = parse_step)]
    pub(crate) step: Option<f64>,

    /// How it is shown (default: a table, or as the name of the output ends)
    #[arg(long, value_enum)]
    pub(crate) format: Option<MotionFormat>,

    /// Write it here: .csv, .svg, .json, or .txt for a table; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DatCheckArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// How a motion is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MotionFormat {
    /// Lines for people
    Table,
    /// Lines for programs
    Csv,
    /// A picture: the path from above, speed over time, keyframes
    Svg,
    /// One object
    Json,
}

/// `0x09000001` or `09000001`: records are written in hexadecimal everywhere.
fn parse_record(text: &str) -> Result<RecordId, String> {
    let digits = text.trim_start_matches("0x").trim_start_matches("0X");
    u32::from_str_radix(digits, 16)
        .map(RecordId)
        .map_err(|_| format!("`{text}` is no record: up to eight hexadecimal digits, like 0x09000001"))
}

/// A kind of record, by any name that `ls` prints.
fn parse_kind(text: &str) -> Result<&'static str, String> {
    // Models are called setups in archives.
    let text = if text.eq_ignore_ascii_case("model") { "setup" } else { text };
    let names = RecordKind::names();
    let known = names.iter().find(|name| name.eq_ignore_ascii_case(text));
    known.copied().ok_or_else(|| format!("`{text}` is none of {}", names.join(", ")))
}

/// A motion by name, or by number in hexadecimal: whole (`0x44000007`) or as messages have it (`0x07`).
fn parse_motion(text: &str) -> Result<MotionCommand, String> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let is_number = text.starts_with(|first: char| first.is_ascii_digit());
    match u32::from_str_radix(digits, 16).ok().filter(|_| is_number) {
        Some(index @ 0..=0xFFFF) => {
            let name = evenstride_tables::index_name(index as u16);
            let motion = name.and_then(|name| evenstride_tables::motion(name).ok());
            motion.ok_or_else(|| format!("`{text}` is the number of no motion, like 0x07 or 0x44000007"))
        }
        Some(number) => Ok(MotionCommand(number)),
        None => evenstride_tables::motion(text),
    }
}

fn parse_stance(text: &str) -> Result<MotionCommand, String> {
    match parse_motion(text) {
        Ok(stance) if stance.is_style() => Ok(stance),
        _ => Err(format!("`{text}` is no stance, like NonCombat; `show TABLE` lists those of a table")),
    }
}

fn parse_speed(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(speed) if (-100.0..=100.0).contains(&speed) => Ok(speed),
        _ => Err(format!("`{text}` is no speed from -100 to 100")),
    }
}

fn parse_play_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3_600.0 => Ok(seconds),
        _ => Err(format!("`{text}` is no number of seconds above 0 and up to 3600")),
    }
}

fn parse_step(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=1.0).contains(&seconds) => Ok(seconds),
        _ => Err(format!("`{text}` is no step from 0.001 to 1 second")),
    }
}
