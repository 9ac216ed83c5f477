//! Arguments of the program.

mod archive;
mod conform;
mod dat;
mod global;
mod live;
mod time;
mod track;
mod watch;

use std::{num::NonZeroU32, ops::RangeInclusive, path::PathBuf};

use clap::{Parser, Subcommand};
use evenstride::{Config, config::DrawMode};
use evenstride_moments::MomentKind;
use evenstride_types::EntityId;

use crate::entity::{EntityArg, parse_id};

pub(crate) use archive::ArchiveArgs;
pub(crate) use conform::ConformArgs;
pub(crate) use dat::{
    DatArgs, DatCheckArgs, DatCommand, DatLsArgs, DatRootMotionArgs, DatShowArgs, MotionFormat,
};
pub(crate) use global::{CompletionsArgs, GlobalArgs, ManArgs};
pub(crate) use live::{JoinArgs, RelayArgs, ServeArgs, ThroughArgs};
use time::parse_seconds;
pub(crate) use time::{RangeArg, TimeArg, TimeRange, parse_range, parse_time};
pub(crate) use track::TrackArgs;
pub(crate) use watch::WatchArgs;

/// Replay, explain and score the motion of remote entities in Asheron's Call.
#[derive(Debug, Parser)]
#[command(
    name = "evenstride",
    version,
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride demo                                               # no files needed\n  evenstride inspect session.pcap                               # what is in a capture\n  evenstride replay session.pcap -o session.html                # watch it\n  evenstride explain session.pcap --entity 0x50000002 --at 19.5 # why did it do that?\n  evenstride score run-1hz                                      # compare methods\n\n`evenstride COMMAND --help` has more, and `evenstride man` prints a manual page."
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Demo(DemoArgs),
    Conform(ConformArgs),
    Inspect(InspectArgs),
    Replay(ReplayArgs),
    Archive(ArchiveArgs),
    Moments(MomentsArgs),
    Explain(ExplainArgs),
    Scenarios(ScenariosArgs),
    Simulate(SimulateArgs),
    Score(ScoreArgs),
    Watch(WatchArgs),
    Relay(RelayArgs),
    Serve(ServeArgs),
    Join(JoinArgs),
    Dat(DatArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Summarize captures: messages, entities, intervals, and unreadable parts.
///
/// Reads pcap, pcapng and JSON lines, gzipped or not. Several files are counted together.
///
/// The exit code is 0 if everything could be read. It is 1 if a part could not be read, in which
/// case the rest is counted, or if there are no messages of the game. It is 2 if nothing could be
/// read.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride inspect session.pcap\n  evenstride inspect --messages --entity 0x50000002 session.pcap\n  tcpdump -w - -r session.pcap udp | evenstride inspect --json - | jq .by_opcode"
)]
pub(crate) struct InspectArgs {
    /// Captures (`-` is standard input)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Print every motion message, one per line, before the summary
    #[arg(long)]
    pub(crate) messages: bool,

    /// Include only messages about this entity, by id or name
    #[arg(long, value_name = "GUID|NAME", value_parser = EntityArg::parse)]
    pub(crate) entity: Option<EntityArg>,

    /// Include only messages from this time on, in seconds since the first packet of a pcap, or on
    /// the clock of a JSON recording (also 1:23.5, PT83.5S, or a date like 2013-09-18T12:34:56Z)
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_negative_numbers = true)]
    pub(crate) from: Option<TimeArg>,

    /// Include only messages up to this time
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_negative_numbers = true)]
    pub(crate) to: Option<TimeArg>,

    /// Include only this connection, counted from 0
    #[arg(long, value_name = "NUMBER")]
    pub(crate) connection: Option<u32>,

    /// UDP ports that servers use, like 12000-12001 (default: 9000-10013)
    #[arg(long, value_name = "FIRST-LAST", value_parser = parse_ports)]
    pub(crate) server_ports: Option<RangeInclusive<u16>>,

    /// Decode motion commands with the numbers of the 2013 client instead of those of the last
    /// client
    #[arg(long = "2013-commands")]
    pub(crate) commands_2013: bool,

    /// Print one JSON object
    #[arg(long, conflicts_with = "messages")]
    pub(crate) json: bool,
}

/// Replay captures and show every entity as a client would have drawn it.
///
/// The first capture is the view. Its client's messages are replayed, and its player is the
/// viewpoint. Captures of other players' clients add the true positions of those players. --offset
/// corrects their clocks.
///
/// Writes tracks (one row per entity and frame) to .csv, .jsonl or .parquet, and a report to .html.
/// Always prints a summary.
///
/// Output files appear whole or not at all. Earlier files of the same name stay as they are until
/// then.
///
/// The exit code is 0 if everything could be read. It is 1 if a part could not be read, in which
/// case the rest is replayed, if tracks reached their size limit, or if --twice or --synctest found
/// a difference. It is 2 if nothing could be done.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride replay session.pcap -o session.html\n  evenstride replay session.pcap --synctest 1\n  evenstride replay session.pcap --profile retail --fps 144 -o tracks.csv -o report.html\n  evenstride replay session.pcap -o tracks.parquet --changed\n  evenstride replay bex.jsonl ash.jsonl --offset=-119.05 -o ash-seen-by-bex.html"
)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,

    /// Output file: .html for a report, .csv, .jsonl or .parquet for tracks (repeat for several; `-`
    /// is standard output, and the summary then goes to standard error)
    #[arg(short, long = "output", value_name = "FILE")]
    pub(crate) outputs: Vec<PathBuf>,

    /// Format of outputs whose name has no extension that tells it, like `-` (default: csv for `-`)
    #[arg(long, value_enum, value_name = "FORMAT", ignore_case = true)]
    pub(crate) format: Option<OutputFormat>,

    /// Show frames from this time on (everything before it is replayed too)
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_negative_numbers = true)]
    pub(crate) from: Option<TimeArg>,

    /// End at this time
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_negative_numbers = true)]
    pub(crate) to: Option<TimeArg>,

    /// Write only this entity's rows to tracks, by id or name (repeat for several)
    #[arg(long = "entity", value_name = "GUID|NAME", value_parser = EntityArg::parse)]
    pub(crate) entities: Vec<EntityArg>,

    /// Leave out rows of .parquet tracks in which nothing about the entity changes (the rows before
    /// and after each rest stay)
    #[arg(long)]
    pub(crate) changed: bool,

    /// Write tracks of any size (default: each ends at 2 GB, or 200 million rows of .parquet)
    #[arg(long)]
    pub(crate) no_limit: bool,

    /// Save and restore the world every N frames, 1 to 1000000, and compare it with the restored one
    /// after every frame
    #[arg(long, value_name = "N", value_parser = parse_sync_test)]
    pub(crate) synctest: Option<NonZeroU32>,

    /// Print the summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// List what a person would notice in a replay, worst first, with cause and remedy.
///
/// Replays the captures as `replay` does and finds pull-backs, snaps, stalls, frozen bodies, slides,
/// gaps in updates and more (docs/moments.md lists all kinds).
///
/// Exit codes are those of `replay`. An entity, name or kind that is not there gives 2.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride moments session.pcap\n  evenstride moments session.pcap --kind pull-back --entity Chicken\n  evenstride moments session.pcap --profile retail --top 3 --brief\n  evenstride moments session.pcap --json | jq -r '[.kind, .from, .severity.metres] | @tsv'"
)]
pub(crate) struct MomentsArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,

    /// Print the N worst moments (default: 10, or all with --json)
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,

    /// Include only this entity, by id or name (repeat for several)
    #[arg(long = "entity", value_name = "GUID|NAME", value_parser = EntityArg::parse)]
    pub(crate) entities: Vec<EntityArg>,

    /// Include only this kind, like pull-back, snap or frozen (repeat for several)
    #[arg(long = "kind", value_name = "KIND", value_parser = crate::command::moments::parse_kind)]
    pub(crate) kinds: Vec<MomentKind>,

    /// Look only from this time on
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_negative_numbers = true)]
    pub(crate) from: Option<TimeArg>,

    /// Look only up to this time
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_negative_numbers = true)]
    pub(crate) to: Option<TimeArg>,

    /// Print one line per moment instead of a paragraph
    #[arg(long)]
    pub(crate) brief: bool,

    /// Print one JSON object per moment and line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Explain in sentences why an entity moved as it did.
///
/// Begins with a paragraph that answers, with cause and effect. The decisions about the entity
/// follow, and ordinary ones are folded. Without --at, the answer is about the worst moment. Without
/// --entity, it is about the entity that moved worst.
///
/// Exit codes are those of `replay`. An entity that no message mentions gives 2.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride explain session.pcap\n  evenstride explain session.pcap --entity Chicken --at 19.3\n  evenstride explain session.pcap --entity 0x50000002 --at 18..21\n  evenstride explain session.pcap --entity 50000002 --json | jq -r .answer"
)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,

    /// Entity to explain, by id or name (default: the one with the worst moment)
    #[arg(long, value_name = "GUID|NAME", value_parser = EntityArg::parse)]
    pub(crate) entity: Option<EntityArg>,

    /// Explain this time or range, like 19.3, 18..21 or 0:18..0:21 (decisions are shown from 5
    /// seconds before to 5 seconds after)
    #[arg(long, value_name = "TIME", value_parser = parse_range, allow_hyphen_values = true)]
    pub(crate) at: Option<RangeArg>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Run a demonstration that needs no files and no network and takes a few seconds.
///
/// Simulates a scenario over a bad network and draws it with Evenstride's profiles and with other
/// common methods. Prints the scorecard and writes a page that plays all of them side by side.
///
/// The exit code is 0, or 2 if the page could not be written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  evenstride demo\n  evenstride demo chase-5hz -o chase.html")]
pub(crate) struct DemoArgs {
    /// Built-in scenario, or your own file (.toml)
    #[arg(value_name = "SCENARIO", default_value = evenstride_arena::DEFAULT_SCENARIO)]
    pub(crate) scenario: String,

    /// Output file for the page (`-` is standard output)
    #[arg(short, long, value_name = "FILE", default_value = "demo.html")]
    pub(crate) output: PathBuf,

    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// List the scenarios that come with the program.
///
/// To write your own, see docs/scenarios.md.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  evenstride scenarios\n  evenstride scenarios chase-5hz > mine.toml    # a start for one of your own"
)]
pub(crate) struct ScenariosArgs {
    /// Print the text of this scenario
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// Simulate a scenario and write a capture, as its viewer's client would record it.
///
/// The capture is a pcap, which `inspect`, `replay` and `explain` read. The same scenario and seed
/// give the same bytes.
///
/// The exit code is 0, or 2 on failure.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride simulate chase-5hz -o chase.pcap\n  evenstride simulate mine.toml -o mine.pcap --seed 7\n  evenstride simulate chase-5hz -o chase.pcap --truth chase.csv\n  evenstride replay chase.pcap -o chase.html"
)]
pub(crate) struct SimulateArgs {
    /// Built-in scenario, or your own file (.toml)
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenario: String,

    /// Output file for the capture (`-` is standard output)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Output file for the true places of all actors (CSV), which `score --truth` reads
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,

    /// Factor on the duration of the actors' starts and stops, 0 to 4 (default: the scenario's)
    #[arg(long, value_name = "FACTOR", value_parser = parse_ramps)]
    pub(crate) ramps: Option<f32>,

    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Score Evenstride's profiles against other common methods.
///
/// Takes scenarios, for which the truth is known, or captures. The first capture is the view. True
/// positions come from captures of other players' clients, whose clocks --offset corrects, or from
/// a file (--truth). Without any truth, drawings are compared with the received positions.
/// docs/scorecard.md explains the columns.
///
/// The exit code is 0 on success and 1 if a part of an archive or a capture could not be read. It is 2 if an
/// input could not be scored.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  evenstride score run-1hz\n  evenstride score --all\n  evenstride score --all --seeds 2-7 --ramps 1.4\n  evenstride score mine.toml --seed 7 --json\n  evenstride score YOUR.pcap\n  evenstride score bex.jsonl ash.jsonl --offset=-119.05\n  evenstride score chase.pcap --truth chase.csv"
)]
pub(crate) struct ScoreArgs {
    /// Scenarios (names, or .toml files), or captures (default: town-square)
    #[arg(value_name = "SCENARIO|CAPTURE")]
    pub(crate) what: Vec<String>,

    /// Score every built-in scenario
    #[arg(long, conflicts_with = "what")]
    pub(crate) all: bool,

    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Seeds to score one after the other, like 2-7, with the mean at the end
    #[arg(long, value_name = "FIRST-LAST", value_parser = parse_seeds, conflicts_with = "seed")]
    pub(crate) seeds: Option<RangeInclusive<u64>>,

    /// Factor on the duration of the actors' starts and stops, 0 to 4 (default: the scenario's)
    #[arg(long, value_name = "FACTOR", value_parser = parse_ramps)]
    pub(crate) ramps: Option<f32>,

    /// Print only the mean over all scenarios and seeds
    #[arg(long)]
    pub(crate) mean: bool,

    /// True places for one capture (CSV), as `simulate --truth` writes them
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) track: TrackArgs,

    /// Frames per second, 1 to 1000 (default: 60 for captures, the scenario's own for scenarios)
    #[arg(long, value_name = "N", value_parser = parse_fps)]
    pub(crate) fps: Option<f64>,

    /// Seconds to add to the times of the second capture, then of the third, and so on
    #[arg(long = "offset", value_name = "SECONDS", value_parser = parse_offset, allow_negative_numbers = true)]
    pub(crate) offsets: Vec<f64>,

    /// Archive with motion tables, animations and models for Evenstride's profiles (other methods
    /// use no animations)
    #[arg(long, value_name = "FILE")]
    pub(crate) dat: Option<PathBuf>,

    /// Text file (TOML) with motion tables and animations for Evenstride's profiles (overrides
    /// --dat)
    #[arg(long, value_name = "FILE")]
    pub(crate) tables: Option<PathBuf>,

    /// Output file for a page that plays the methods side by side, for one scenario or capture (`-` is
    /// standard output)
    #[arg(short, long, value_name = "FILE.html", conflicts_with_all = ["all", "mean", "seeds"])]
    pub(crate) output: Option<PathBuf>,

    /// Print the computing time of each method too, in nanoseconds for each entity and frame (it
    /// differs from run to run)
    #[arg(long)]
    pub(crate) timing: bool,

    /// Print one JSON object per scenario
    #[arg(long)]
    pub(crate) json: bool,
}

/// The captures of a replay, and its options.
#[derive(Debug, clap::Args)]
pub(crate) struct SceneArgs {
    /// Captures: pcap, pcapng or JSON lines, gzipped or not (`-` is standard input)
    #[arg(required = true, value_name = "CAPTURE")]
    pub(crate) captures: Vec<PathBuf>,

    /// Seconds to add to the times of the second capture, then of the third, and so on
    #[arg(long = "offset", value_name = "SECONDS", value_parser = parse_offset, allow_negative_numbers = true)]
    pub(crate) offsets: Vec<f64>,

    /// Player whose client recorded the first capture (default: found in the capture)
    #[arg(long, value_name = "GUID", value_parser = parse_entity)]
    pub(crate) player: Option<EntityId>,

    /// Profile, which decides how entities move and are drawn
    #[arg(long, value_enum, default_value_t = Profile::Glide, ignore_case = true)]
    pub(crate) profile: Profile,

    /// How entities are drawn, whatever the profile (default: as the profile says)
    #[arg(long, value_enum, value_name = "MODE", ignore_case = true)]
    pub(crate) draw: Option<Draw>,

    /// Frames per second, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = DEFAULT_FPS, value_parser = parse_fps)]
    pub(crate) fps: f64,

    /// Connection to take from captures that have several, counted from 0 (default: the one with
    /// the most messages about motion)
    #[arg(long, value_name = "NUMBER")]
    pub(crate) connection: Option<u32>,

    /// UDP ports that servers use, like 12000-12001 (default: 9000-10013)
    #[arg(long, value_name = "FIRST-LAST", value_parser = parse_ports)]
    pub(crate) server_ports: Option<RangeInclusive<u16>>,

    /// Text file (TOML) with motion tables and animations, in addition to the built-in ones
    /// (overrides --dat)
    #[arg(long, value_name = "FILE")]
    pub(crate) tables: Option<PathBuf>,

    /// Archive, like client_portal.dat, with the motion tables, animations and models that the
    /// captures refer to
    #[arg(long, value_name = "FILE")]
    pub(crate) dat: Option<PathBuf>,

    /// Replay twice and compare the world after every frame
    #[arg(long)]
    pub(crate) twice: bool,
}

/// Format of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OutputFormat {
    /// Tracks, comma-separated
    Csv,
    /// Tracks, one JSON object per line
    Jsonl,
    /// Tracks, as a typed table
    Parquet,
    /// A report
    Html,
}

/// A named configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Profile {
    /// The client of 2013, quirks included
    Retail,
    /// The client of 2013 with the choices in the notes of OpenAC, formerly acdream
    Acdream,
    /// Decisions of the client in fixed steps, drawn between steps
    Smooth,
    /// The client's decisions and fixed steps, drawn without stop and go
    Glide,
}

impl Profile {
    pub(crate) const fn config(self) -> Config {
        match self {
            Self::Retail => Config::RETAIL,
            Self::Acdream => Config::ACDREAM,
            Self::Smooth => Config::SMOOTH,
            Self::Glide => Config::GLIDE,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Retail => "retail",
            Self::Acdream => "acdream",
            Self::Smooth => "smooth",
            Self::Glide => "glide",
        }
    }
}

/// A way to draw entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Draw {
    /// Where their last steps left them
    Simulated,
    /// Between their last two steps
    Between,
    /// At poses of their own, without stop and go
    Glide,
}

impl Draw {
    pub(crate) const fn mode(self) -> DrawMode {
        match self {
            Self::Simulated => DrawMode::AsSimulated,
            Self::Between => DrawMode::Interpolated,
            Self::Glide => DrawMode::GLIDING,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Simulated => "simulated",
            Self::Between => "between",
            Self::Glide => "glide",
        }
    }
}

impl SceneArgs {
    /// Returns the arguments that name the same replay, as a shell takes them.
    pub(crate) fn to_words(&self) -> String {
        let mut words: Vec<String> = self.captures.iter().map(|path| quoted(path)).collect();
        words.extend(self.offsets.iter().map(|offset| format!("--offset={offset}")));
        words.extend(self.player.map(|player| format!("--player {player}")));
        if self.profile != Profile::Glide {
            words.push(format!("--profile {}", self.profile.name()));
        }
        words.extend(self.draw.map(|draw| format!("--draw {}", draw.name())));
        if self.fps != DEFAULT_FPS {
            words.push(format!("--fps {}", self.fps));
        }
        words.extend(self.connection.map(|connection| format!("--connection {connection}")));
        let ports = self.server_ports.as_ref();
        words.extend(ports.map(|ports| format!("--server-ports {}-{}", ports.start(), ports.end())));
        words.extend(self.tables.as_ref().map(|path| format!("--tables {}", quoted(path))));
        words.extend(self.dat.as_ref().map(|path| format!("--dat {}", quoted(path))));
        words.join(" ")
    }

    /// Returns the configuration of the world.
    pub(crate) fn config(&self) -> Config {
        match self.draw.map(Draw::mode) {
            None => self.profile.config(),
            Some(mode) => self.profile.config().with(|config| {
                config.drawing = mode;
                config.player_drawing = mode;
            }),
        }
    }

    /// Returns the name of the profile, with the way of drawing if that differs.
    pub(crate) fn profile_name(&self) -> String {
        match self.draw {
            None => self.profile.name().to_owned(),
            Some(draw) => format!("{}, drawn {}", self.profile.name(), draw.name()),
        }
    }
}

/// Frames per second, unless the user says otherwise.
const DEFAULT_FPS: f64 = 60.0;

/// Returns a path as a shell takes it.
fn quoted(path: &std::path::Path) -> String {
    let text = path.display().to_string();
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+:@%,=".contains(letter);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// Parses an offset between clocks. It is at most about three years, because dates count from the
/// first packet.
fn parse_offset(text: &str) -> Result<f64, String> {
    match parse_seconds(text)? {
        seconds if seconds.abs() <= 1e8 => Ok(seconds),
        _ => Err(format!("`{text}` is too large for an offset; use seconds, like --offset=-119.05")),
    }
}

fn parse_fps(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(fps) if (1.0..=1_000.0).contains(&fps) => Ok(fps),
        _ => Err(format!("`{text}` is not a frame rate from 1 to 1000")),
    }
}

fn parse_sync_test(text: &str) -> Result<NonZeroU32, String> {
    match text.parse::<NonZeroU32>() {
        Ok(frames) if frames.get() <= 1_000_000 => Ok(frames),
        _ => Err(format!(
            "`{text}` is not a number of frames from 1 to 1000000; use 1 to restore after every frame"
        )),
    }
}

/// Parses `0x50000002` or `50000002`. Entities are hexadecimal everywhere.
fn parse_entity(text: &str) -> Result<EntityId, String> {
    parse_id(text).ok_or_else(|| {
        format!("`{text}` is not an entity id; use up to eight hexadecimal digits, like 0x50000002")
    })
}

/// Parses a factor on the duration of starts and stops.
fn parse_ramps(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(factor) if (0.0..=4.0).contains(&factor) => Ok(factor),
        _ => Err(format!("`{text}` is not a factor from 0 to 4")),
    }
}

/// Parses `2-7`, or `2` for one seed.
fn parse_seeds(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), Ok(last)) if first <= last && last - first < 1_000 => Ok(first..=last),
        _ => Err(format!("`{text}` is not a range of at most 1000 seeds, like 2-7")),
    }
}

/// Parses `12000-12001`, or `12000` for a port and the next one.
fn parse_ports(text: &str) -> Result<RangeInclusive<u16>, String> {
    let problem = || format!("`{text}` is not a range of ports, like 12000-12001");
    let (first, last) = text.split_once('-').unwrap_or((text, ""));
    let first: u16 = first.parse().map_err(|_| problem())?;
    let last: u16 =
        if last.is_empty() { first.saturating_add(1) } else { last.parse().map_err(|_| problem())? };
    if first <= last { Ok(first..=last) } else { Err(problem()) }
}
