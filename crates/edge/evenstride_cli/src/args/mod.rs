//! What was typed.

mod dat;

use std::{ops::RangeInclusive, path::PathBuf};

use clap::{Parser, Subcommand};
use evenstride::Config;
use evenstride_types::EntityId;

pub(crate) use dat::{
    DatArgs, DatCheckArgs, DatCommand, DatLsArgs, DatRootMotionArgs, DatShowArgs, MotionFormat,
};

/// Shows remote entities move, exactly as the Asheron's Call client of 2013 did — and checks that it does.
#[derive(Debug, Parser)]
#[command(name = "evenstride", version, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Demo(DemoArgs),
    Conform(ConformArgs),
    Inspect(InspectArgs),
    Replay(ReplayArgs),
    Explain(ExplainArgs),
    Scenarios(ScenariosArgs),
    Simulate(SimulateArgs),
    Score(ScoreArgs),
    Dat(DatArgs),
    Completions(CompletionsArgs),
}

/// Not in this program: reference traces run by `cargo xtask conform PATH…` in the project's folder.
#[derive(Debug, clap::Args)]
pub(crate) struct ConformArgs {
    /// What was to be run
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) rest: Vec<std::ffi::OsString>,
}

/// Tell what is in captures: messages, entities, intervals, and what could not be read.
///
/// Takes pcap, pcapng and JSON lines as they are, gzipped or not; several files are counted together.
///
/// Exit code 0 if everything could be read, 1 if something could not (the rest was read all the same) or there is nothing of the
/// game in it, 2 if nothing could be read.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride inspect session.pcap\n  evenstride inspect --messages --entity 0x50000002 session.pcap\n  tcpdump -w - -r session.pcap udp | evenstride inspect --json - | jq .by_opcode"
)]
pub(crate) struct InspectArgs {
    /// Captures; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Print every motion message, one a line, before the summary
    #[arg(long)]
    pub(crate) messages: bool,

    /// Only messages about this entity
    #[arg(long, value_name = "GUID", value_parser = parse_entity)]
    pub(crate) entity: Option<EntityId>,

    /// Only messages from this time on, in seconds: since the first packet of a pcap, or as a JSON recording counts them
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) from: Option<f64>,

    /// Only messages up to this time
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) to: Option<f64>,

    /// Only this connection, counted from 0
    #[arg(long, value_name = "NUMBER")]
    pub(crate) connection: Option<u32>,

    /// Ports that servers use, like 12000-12001 (default: 9000-10013)
    #[arg(long, value_name = "FIRST-LAST", value_parser = parse_ports)]
    pub(crate) server_ports: Option<RangeInclusive<u16>>,

    /// Name motion commands as the client of 2013 numbers them, not as the last one does
    #[arg(long = "2013-commands")]
    pub(crate) commands_2013: bool,

    /// Print one JSON object
    #[arg(long, conflicts_with = "messages")]
    pub(crate) json: bool,
}

/// Replay captures: see every entity move as a client would have shown it.
///
/// The first capture is the view: what its client heard is replayed, and its player says where you look from. Captures of other players'
/// clients add the truth about those players; --offset says how their clocks differ from the first one's.
///
/// Writes tracks (a row an entity and frame) to .csv or .jsonl, and a report to look at to .html. Always prints a summary.
///
/// Exit code 0 if everything could be read, 1 if something could not (the rest was replayed all the same) or --twice found a difference,
/// 2 if nothing could be done.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride replay session.pcap -o session.html\n  evenstride replay session.pcap --profile retail --fps 144 -o tracks.csv -o report.html\n  evenstride replay bex.jsonl ash.jsonl --offset=-119.05 -o ash-seen-by-bex.html"
)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,

    /// Write this: .html a report, .csv or .jsonl tracks; may be given more than once
    #[arg(short, long = "output", value_name = "FILE")]
    pub(crate) outputs: Vec<PathBuf>,

    /// Show frames from this time on, in seconds; everything before it is done all the same
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) from: Option<f64>,

    /// End at this time
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) to: Option<f64>,

    /// Only this entity's rows in tracks; may be given more than once
    #[arg(long = "entity", value_name = "GUID", value_parser = parse_entity)]
    pub(crate) entities: Vec<EntityId>,

    /// Print the summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Tell in sentences why an entity moved as it did.
///
/// Replays the captures and prints every decision about one entity. With --at, what it was doing then and the decisions around it.
///
/// Exit codes are those of `replay`; an entity that no message mentions is 2.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride explain session.pcap --entity 0x50000002\n  evenstride explain session.pcap --entity 0x50000002 --at 19.5\n  evenstride explain session.pcap --entity 50000002 --json | jq .decisions[].words"
)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,

    /// Whom to explain
    #[arg(long, value_name = "GUID", value_parser = parse_entity)]
    pub(crate) entity: EntityId,

    /// Only around this time, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) at: Option<f64>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// See what it is all about: no files, no network, a few seconds.
///
/// Plays a scenario over a bad network, lets our profiles and what people use today draw it, prints the scorecard, and writes a page on which
/// all of them can be watched side by side.
///
/// Exit code 0, or 2 if the page could not be written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  evenstride demo\n  evenstride demo chase-5hz -o chase.html")]
pub(crate) struct DemoArgs {
    /// A scenario of the library, or a file of your own (.toml)
    #[arg(value_name = "SCENARIO", default_value = evenstride_arena::DEFAULT_SCENARIO)]
    pub(crate) scenario: String,

    /// Where to write the page
    #[arg(short, long, value_name = "FILE", default_value = "demo.html")]
    pub(crate) output: PathBuf,

    /// Another roll of the dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// List the scenarios that come with the program.
///
/// How to write one of your own: docs/scenarios.md.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  evenstride scenarios\n  evenstride scenarios chase-5hz > mine.toml    # a start for one of your own"
)]
pub(crate) struct ScenariosArgs {
    /// Print this one as it is written
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// Play a scenario, and write what its viewer's client would have recorded.
///
/// The capture is a pcap like any other: `inspect`, `replay` and `explain` take it. The same scenario and seed give the same bytes.
///
/// Exit code 0, or 2 if it could not be done.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride simulate chase-5hz -o chase.pcap\n  evenstride simulate mine.toml -o mine.pcap --seed 7\n  evenstride replay chase.pcap -o chase.html"
)]
pub(crate) struct SimulateArgs {
    /// A scenario of the library, or a file of your own (.toml)
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenario: String,

    /// Where to write the capture
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Another roll of the dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Score how well everybody shows it: our profiles beside what people use today.
///
/// Takes scenarios, which know the truth, or captures: the first is the view, the others say where their players truly were (--offset as
/// for `replay`). What the columns mean is in docs/scorecard.md.
///
/// Exit code 0, 1 if something of an archive could not be read, or 2 if something could not be scored.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  evenstride score run-1hz\n  evenstride score --all\n  evenstride score mine.toml --seed 7 --json\n  evenstride score bex.jsonl ash.jsonl --offset=-119.05"
)]
pub(crate) struct ScoreArgs {
    /// Scenarios (names, or .toml files), or captures (default: town-square)
    #[arg(value_name = "SCENARIO|CAPTURE")]
    pub(crate) what: Vec<String>,

    /// The whole library
    #[arg(long, conflicts_with = "what")]
    pub(crate) all: bool,

    /// Another roll of the dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Frames a second for captures, 1 to 1000 (default: 60)
    #[arg(long, value_name = "N", value_parser = parse_fps)]
    pub(crate) fps: Option<f64>,

    /// Seconds to add to the times of the second capture, then of the third, and so on
    #[arg(long = "offset", value_name = "SECONDS", value_parser = parse_offset, allow_negative_numbers = true)]
    pub(crate) offsets: Vec<f64>,

    /// Motion tables, animations and models of the game's own archive for our profiles; rivals have no legs
    #[arg(long, value_name = "FILE")]
    pub(crate) dat: Option<PathBuf>,

    /// Motion tables and animations as text (TOML) for our profiles; wins over --dat
    #[arg(long, value_name = "FILE")]
    pub(crate) tables: Option<PathBuf>,

    /// Print one JSON object per scenario
    #[arg(long)]
    pub(crate) json: bool,
}

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride completions bash > ~/.local/share/bash-completion/completions/evenstride\n  evenstride completions fish | source"
)]
pub(crate) struct CompletionsArgs {
    /// Which shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

/// What is replayed, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct SceneArgs {
    /// Captures: pcap, pcapng or JSON lines, gzipped or not; `-` is standard input
    #[arg(required = true, value_name = "CAPTURE")]
    pub(crate) captures: Vec<PathBuf>,

    /// Seconds to add to the times of the second capture, then of the third, and so on
    #[arg(long = "offset", value_name = "SECONDS", value_parser = parse_offset, allow_negative_numbers = true)]
    pub(crate) offsets: Vec<f64>,

    /// Whose client recorded the first capture; usually it tells itself
    #[arg(long, value_name = "GUID", value_parser = parse_entity)]
    pub(crate) player: Option<EntityId>,

    /// How to decide: as the client of 2013, as the acdream notes say, or evenly at any frame rate
    #[arg(long, value_enum, default_value_t = Profile::Smooth)]
    pub(crate) profile: Profile,

    /// Frames a second, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = 60.0, value_parser = parse_fps)]
    pub(crate) fps: f64,

    /// The connection to take from captures that have several, counted from 0 (default: the one with most to say)
    #[arg(long, value_name = "NUMBER")]
    pub(crate) connection: Option<u32>,

    /// Ports that servers use, like 12000-12001 (default: 9000-10013)
    #[arg(long, value_name = "FIRST-LAST", value_parser = parse_ports)]
    pub(crate) server_ports: Option<RangeInclusive<u16>>,

    /// Motion tables and animations as text (TOML), beside the built-in ones; wins over --dat
    #[arg(long, value_name = "FILE")]
    pub(crate) tables: Option<PathBuf>,

    /// Motion tables, animations and models of the game's own archive, like client_portal.dat: those that the captures name
    #[arg(long, value_name = "FILE")]
    pub(crate) dat: Option<PathBuf>,

    /// Do everything twice and compare the world after every frame
    #[arg(long)]
    pub(crate) twice: bool,
}

/// A named way to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Profile {
    /// The client of 2013, quirks included
    Retail,
    /// The same with the choices the acdream notes document
    Acdream,
    /// Retail decisions, fixed steps, drawn between them
    Smooth,
}

impl Profile {
    pub(crate) const fn config(self) -> Config {
        match self {
            Self::Retail => Config::RETAIL,
            Self::Acdream => Config::ACDREAM,
            Self::Smooth => Config::SMOOTH,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Retail => "retail",
            Self::Acdream => "acdream",
            Self::Smooth => "smooth",
        }
    }
}

/// Clocks of recordings are never farther apart than three years: dates count from the first packet.
fn parse_offset(text: &str) -> Result<f64, String> {
    match parse_seconds(text)? {
        seconds if seconds.abs() <= 1e8 => Ok(seconds),
        _ => Err(format!("`{text}` is more than two clocks can differ by; 119.05, or -119.05 with `=`")),
    }
}

fn parse_fps(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(fps) if (1.0..=1_000.0).contains(&fps) => Ok(fps),
        _ => Err(format!("`{text}` is no number of frames a second from 1 to 1000")),
    }
}

/// `0x50000002` or `50000002`: entities are written in hexadecimal everywhere.
fn parse_entity(text: &str) -> Result<EntityId, String> {
    let digits = text.trim_start_matches("0x").trim_start_matches("0X");
    u32::from_str_radix(digits, 16)
        .map(EntityId::new)
        .map_err(|_| format!("`{text}` is no entity: up to eight hexadecimal digits, like 0x50000002"))
}

/// A time that can be compared with others.
fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('s').parse::<f64>() {
        Ok(seconds) if seconds.is_finite() => Ok(seconds),
        _ => Err(format!("`{text}` is no number of seconds, like 12.5")),
    }
}

/// `12000-12001`, or `12000` for a port and the one after it.
fn parse_ports(text: &str) -> Result<RangeInclusive<u16>, String> {
    let problem = || format!("`{text}` is no range of ports, like 12000-12001");
    let (first, last) = text.split_once('-').unwrap_or((text, ""));
    let first: u16 = first.parse().map_err(|_| problem())?;
    let last: u16 =
        if last.is_empty() { first.saturating_add(1) } else { last.parse().map_err(|_| problem())? };
    if first <= last { Ok(first..=last) } else { Err(problem()) }
}
