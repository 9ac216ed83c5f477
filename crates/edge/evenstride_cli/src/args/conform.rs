//! Arguments of `evenstride conform`.

use std::{path::PathBuf, time::Duration};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use evenstride_trace::{Behaviour, DriverName};

/// Run another program against reference traces, and explain the first difference.
///
/// Starts COMMAND, writes the inputs of traces to its standard input and compares its answers, one
/// JSON object per line. docs/conformance-protocol.md describes the lines. Expected values stay in
/// this process. A program that hangs, floods, writes rubbish or ends fails the present trace. It is
/// started again for the next one. Sessions, whose answers are Evenstride's own, are left out.
///
/// Without --against, prints the `cargo xtask conform` command that runs traces through this
/// project's own core.
///
/// The exit code is 0 if at least one trace passed and none failed. It is 1 if a trace failed, or if
/// the program supports none of them. It is 2 if there was nothing to run.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  evenstride conform --against 'python3 adapters/python/adapter.py'\n  evenstride conform --against './my-client --conform' --driver math_calls\n  evenstride conform --against 'node adapter.mjs' --behaviour tether traces --html score.html --junit score.xml"
)]
pub(crate) struct ConformArgs {
    /// Program to run, with its arguments (the system's shell starts it)
    #[arg(long, value_name = "COMMAND")]
    pub(crate) against: Option<String>,

    /// Run only traces of this driver (repeat the flag, or separate names with commas)
    #[arg(long = "driver", value_name = "NAME", value_delimiter = ',', value_parser = driver_parser())]
    pub(crate) drivers: Vec<DriverName>,

    /// Run only traces that pin this behaviour, by its id in docs/conformance.md (repeat for
    /// several)
    #[arg(long = "behaviour", value_name = "ID", value_parser = parse_behaviour, requires = "against")]
    pub(crate) behaviours: Vec<&'static Behaviour>,

    /// Longest time for a trace, and for the handshake, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_timeout, requires = "against")]
    pub(crate) timeout: Duration,

    /// Start the program for each trace, write everything at once and close its input
    #[arg(long, requires = "against")]
    pub(crate) batch: bool,

    /// Print one JSON object per trace, then one with the summary
    #[arg(long)]
    pub(crate) json: bool,

    /// Also write the score as JUnit, for build servers
    #[arg(long, value_name = "FILE", requires = "against")]
    pub(crate) junit: Option<PathBuf>,

    /// Also write the score as a page with a badge and tables
    #[arg(long, value_name = "FILE", requires = "against")]
    pub(crate) html: Option<PathBuf>,

    /// Trace files (*.jsonl, *.jsonl.gz), or folders that contain them (default: `traces`, else
    /// `testdata/golden`)
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

fn driver_parser() -> impl TypedValueParser<Value = DriverName> {
    PossibleValuesParser::new(DriverName::ALL.map(DriverName::name)).try_map(|name| {
        // The parser above accepts only known names.
        DriverName::from_name(&name).ok_or_else(|| format!("unknown driver {name}"))
    })
}

fn parse_behaviour(id: &str) -> Result<&'static Behaviour, String> {
    Behaviour::from_id(id).ok_or_else(|| {
        let near = crate::output::similar(id, Behaviour::all().map(|behaviour| behaviour.id));
        let hint = near.first().map_or_else(String::new, |near| format!("; did you mean {near}?"));
        format!("no behaviour has this id, docs/conformance.md lists them{hint}")
    })
}

fn parse_timeout(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if (0.01..=3600.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("use 0.01 to 3600 seconds".to_owned())
    }
}
