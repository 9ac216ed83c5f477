//! `dat FILE check`: reads everything, and counts what is wrong.

use std::{
    fs::File,
    io::{BufWriter, Write},
    process::ExitCode,
};

use anyhow::Result;
use evenstride_dat::{Archive, Checked, Contents, Version, check};
use serde_json::json;

use crate::args::DatCheckArgs;

/// Faults and missing records that are printed; `--json` has up to a thousand.
const SHOWN: usize = 20;

/// Steps of the progress bar.
const STEPS: u64 = 1_000;

pub(super) fn run(archive: &Archive<File>, args: &DatCheckArgs) -> Result<ExitCode> {
    let bar = crate::output::bar(STEPS);
    let checked = check(archive, &mut |part| bar.set_position((part * STEPS as f64) as u64));
    bar.finish_and_clear();
    if args.json {
        print_json(archive, &checked)?;
    } else {
        print_text(archive, &checked)?;
    }
    Ok(if checked.fault_count == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn print_text(archive: &Archive<File>, checked: &Checked) -> Result<()> {
    let mut out = BufWriter::new(std::io::stdout());
    let header = archive.header();
    let version = match header.version {
        Version::Old => "before 2005",
        Version::New => "2005 and later",
    };
    writeln!(out, "archive     {}, as of {version}", contents(header.contents))?;
    writeln!(
        out,
        "size        {} bytes in {} blocks of {}",
        archive.file_size(),
        checked.blocks,
        header.block_size
    )?;
    writeln!(out, "directory   {} node{}", checked.nodes, if checked.nodes == 1 { "" } else { "s" })?;
    writeln!(out, "free        {} blocks; {} more belong to nothing", checked.free, checked.lost)?;
    writeln!(out, "\nkind              records        bytes  faulty")?;
    let mut total = (0, 0, 0);
    for (kind, count) in &checked.kinds {
        writeln!(out, "{:<15} {:>9} {:>12} {:>7}", kind.name(), count.records, count.bytes, count.faulty)?;
        total = (total.0 + count.records, total.1 + count.bytes, total.2 + count.faulty);
    }
    writeln!(out, "{:<15} {:>9} {:>12} {:>7}", "all", total.0, total.1, total.2)?;
    if checked.missing_count > 0 {
        writeln!(out, "\n{} references to records that are not there:", checked.missing_count)?;
        for (from, to) in checked.missing.iter().take(SHOWN) {
            writeln!(out, "  {from} needs {to}")?;
        }
        more(&mut out, checked.missing_count)?;
    }
    if checked.fault_count == 0 {
        writeln!(out, "\nnothing is wrong with it")?;
    } else {
        writeln!(out, "\n{} things are wrong with it:", checked.fault_count)?;
        for fault in checked.faults.iter().take(SHOWN) {
            writeln!(out, "  {fault}")?;
        }
        more(&mut out, checked.fault_count)?;
    }
    out.flush()?;
    Ok(())
}

fn more(out: &mut impl Write, count: u64) -> Result<()> {
    match count.saturating_sub(SHOWN as u64) {
        0 => Ok(()),
        more => Ok(writeln!(out, "  and {more} more (--json has up to {})", evenstride_dat::MAX_FAULTS)?),
    }
}

fn print_json(archive: &Archive<File>, checked: &Checked) -> Result<()> {
    let kinds: serde_json::Map<String, serde_json::Value> =
        checked.kinds.iter().fold(serde_json::Map::new(), |mut kinds, (kind, count)| {
            // Several kinds may have one name.
            let name = match kinds.contains_key(kind.name()) {
                true => format!("{} {kind:?}", kind.name()),
                false => kind.name().to_owned(),
            };
            kinds.insert(name, json!(count));
            kinds
        });
    let texts = |faults: &[evenstride_dat::DatError]| -> Vec<String> {
        faults.iter().map(ToString::to_string).collect()
    };
    let missing: Vec<_> = checked
        .missing
        .iter()
        .map(|(from, to)| json!({ "from": from.to_string(), "to": to.to_string() }))
        .collect();
    let report = json!({
        "header": archive.header(),
        "file_size": archive.file_size(),
        "nodes": checked.nodes,
        "blocks": checked.blocks,
        "free": checked.free,
        "lost": checked.lost,
        "kinds": kinds,
        "fault_count": checked.fault_count,
        "faults": texts(&checked.faults),
        "missing_count": checked.missing_count,
        "missing": missing,
    });
    let mut out = std::io::stdout();
    serde_json::to_writer(&mut out, &report)?;
    writeln!(out)?;
    Ok(())
}

const fn contents(contents: Contents) -> &'static str {
    match contents {
        Contents::Portal => "portal",
        Contents::Cell => "cell",
        Contents::Local => "local",
        Contents::Other(_) => "of a kind that nobody knows",
    }
}
