//! `dat FILE ls`: every record, one per line.

use std::{fs::File, io::Write};

use anyhow::Result;
use evenstride_dat::{Archive, Version};
use serde_json::json;

use crate::{
    args::DatLsArgs,
    output::{self, Tone, count, tell, thousands, warn},
};

/// Faults that are printed in full.
const FAULTS_SHOWN: usize = 10;

pub(super) fn run(archive: &Archive<File>, args: &DatLsArgs) -> Result<u64> {
    let mut out = if args.json { output::json() } else { output::text() };
    let (mut listed, mut bytes, mut faults) = (0u64, 0u64, 0usize);
    let has_dates = archive.header().version == Version::New;
    if !args.json {
        let dates = if has_dates { "  made        patch" } else { "" };
        out.paint(Tone::Heading, &format!("id          kind                 bytes{dates}\n"))?;
    }
    for entry in archive.entries() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(fault) => {
                faults += 1;
                if faults <= FAULTS_SHOWN {
                    warn(&format!("{fault}"));
                }
                continue;
            }
        };
        let kind = archive.kind_of(entry.id);
        if !args.kinds.is_empty() && !args.kinds.contains(&kind.name()) {
            continue;
        }
        listed += 1;
        bytes += u64::from(entry.size);
        if args.json {
            let line = json!({
                "id": entry.id.to_string(),
                "kind": kind.name(),
                "bytes": entry.size,
                "made": has_dates.then(|| date(entry.date)),
                "patch": has_dates.then_some(entry.iteration),
                "first_block": entry.first_block,
                "compressed": entry.is_compressed(),
            });
            writeln!(out, "{line}")?;
        } else {
            write!(out, "{}  {:<16} {:>9}", entry.id, kind.name(), thousands(entry.size.into()))?;
            if has_dates {
                write!(out, "  {}  {:>5}", date(entry.date), entry.iteration)?;
            }
            writeln!(out)?;
        }
    }
    out.flush()?;
    tell(&format!("{}, {}", count(listed, "record", "records"), count(bytes, "byte", "bytes")));
    if faults > FAULTS_SHOWN {
        let more = count((faults - FAULTS_SHOWN) as u64, "more fault", "more faults");
        warn(&format!("{more} in the directory"));
    }
    Ok(faults as u64)
}

/// Returns a date, from seconds since 1970.
fn date(seconds: u32) -> String {
    jiff::Timestamp::from_second(seconds.into())
        .map_or_else(|_| String::new(), |time| jiff::tz::Offset::UTC.to_datetime(time).date().to_string())
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_are_counted_as_calendars_do() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(951_868_800), "2000-03-01");
        assert_eq!(date(1_378_944_000), "2013-09-12");
        assert_eq!(date(u32::MAX), "2106-02-07");
    }
}
