//! What was typed.

use std::path::PathBuf;

use clap::{Parser, Subcommand, builder::PossibleValuesParser, builder::TypedValueParser};
use evenstride_conform::DriverName;

/// Shows remote entities move, exactly as the Asheron's Call client of 2013 did — and checks that it does.
#[derive(Debug, Parser)]
#[command(name = "evenstride", version, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Conform(ConformArgs),
}

/// Run reference traces and name the first difference in each.
///
/// Traces record what models of the 2013 client were told and answered.
///
/// Prints one line per file, a summary by driver, and last `N passed, M failed`.
/// Exit code 0 if none failed, 1 if any did, 2 if there was nothing to run or it could not be read.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride conform testdata/golden\n  evenstride conform --driver math_calls testdata/golden\n  evenstride conform --json my_trace.jsonl | jq 'select(.type == \"file\").result'"
)]
pub(crate) struct ConformArgs {
    /// Trace files (*.jsonl, *.jsonl.gz), or folders that hold some at any depth
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Run only traces of this driver; may be given more than once, or as a list with commas
    #[arg(long = "driver", value_name = "NAME", value_delimiter = ',', value_parser = driver_parser())]
    pub(crate) drivers: Vec<DriverName>,

    /// Print one JSON object per file, then one with the summary
    #[arg(long)]
    pub(crate) json: bool,
}

fn driver_parser() -> impl TypedValueParser<Value = DriverName> {
    PossibleValuesParser::new(DriverName::ALL.map(DriverName::name)).try_map(|name| {
        // The parser above lets known names through only.
        DriverName::from_name(&name).ok_or_else(|| format!("no driver {name}"))
    })
}
