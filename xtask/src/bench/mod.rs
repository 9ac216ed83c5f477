//! Benchmarks: wall time by size, counts that do not depend on the machine's load, and other
//! libraries in the same run.

mod count;
mod peers;

use anyhow::Result;

pub(crate) use self::peers::{MANIFEST as PEERS, check as check_peers};
use crate::command::{cargo, succeed};

/// The kind of measurement that a user asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// Wall times, then counts.
    All,
    /// Instructions and memory traffic.
    Counts,
    /// Wall times of this library and of others.
    Peers {
        /// Number of entities, or `None` for each of three.
        size: Option<u32>,
    },
}

/// Measures everything, or only what is called one of `names`.
pub(crate) fn run(what: What, names: &[String]) -> Result<()> {
    match what {
        What::All => {
            wall_times("evenstride", "step", names)?;
            wall_times("evenstride_capture", "read", names)?;
            wall_times("evenstride_dat", "records", names)?;
            wall_times("evenstride_replay", "replay", names)?;
            count::run(names)
        }
        What::Counts => count::run(names),
        What::Peers { size } => peers::run(size, names),
    }
}

fn wall_times(package: &str, bench: &str, names: &[String]) -> Result<()> {
    let mut command = cargo(&["bench", "-p", package, "--bench", bench, "--"]);
    // Functions have underscores where scenes have hyphens.
    succeed(command.args(names.iter().map(|name| name.replace('-', "_"))))
}
