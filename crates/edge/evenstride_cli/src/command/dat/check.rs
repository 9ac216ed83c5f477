//! `dat FILE check`: reads everything and counts the errors.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::Write,
};

use anyhow::Result;
use evenstride_dat::{Archive, Checked, Contents, KindCount, RecordKind, Version, check};
use serde_json::json;

use crate::{
    args::DatCheckArgs,
    output::{Cell, Column, Progress, Table, Tone, count, thousands, width},
};

/// Faults and missing records that are printed. `--json` has up to a thousand.
const SHOWN: usize = 20;

pub(super) fn run(archive: &Archive<File>, args: &DatCheckArgs) -> Result<u64> {
    let progress = Progress::new("checking");
    let checked = check(archive, &mut |part| progress.set(part));
    drop(progress);
    if args.json {
        print_json(archive, &checked)?;
    } else {
        print_text(archive, &checked)?;
    }
    Ok(checked.fault_count)
}

fn print_text(archive: &Archive<File>, checked: &Checked) -> Result<()> {
    let mut out = crate::output::text();
    let header = archive.header();
    let version = match header.version {
        Version::Old => "from before 2005",
        Version::New => "from 2005 or later",
    };
    writeln!(out, "archive     {}, {version}", contents(header.contents))?;
    writeln!(
        out,
        "size        {} bytes in {} blocks of {}",
        thousands(archive.file_size()),
        thousands(checked.blocks as u64),
        thousands(header.block_size.into())
    )?;
    writeln!(out, "directory   {}", count(checked.nodes as u64, "node", "nodes"))?;
    let free = count(checked.free.into(), "block", "blocks");
    writeln!(
        out,
        "free        {free}; {}",
        count(checked.lost as u64, "more is unreachable", "more are unreachable")
    )?;
    writeln!(out)?;
    kinds_table(checked).write(&mut out, width(), "--json has all columns")?;
    let unknown = checked.kinds.keys().filter(|kind| !is_understood(**kind)).map(|kind| kind.name());
    let unknown: Vec<&str> = unknown.collect::<BTreeSet<_>>().into_iter().collect();
    if !unknown.is_empty() {
        writeln!(out, "\nread, but not parsed: {}", unknown.join(", "))?;
    }
    if checked.missing_count > 0 {
        let references = count(checked.missing_count, "reference", "references");
        writeln!(out, "\n{references} to missing records:")?;
        for (from, to) in checked.missing.iter().take(SHOWN) {
            writeln!(out, "  {from} needs {to}")?;
        }
        more(&mut out, checked.missing_count.saturating_sub(SHOWN as u64))?;
    }
    if checked.fault_count == 0 {
        let other = if checked.missing_count > 0 { " else" } else { "" };
        writeln!(out, "\nnothing{other} is wrong with it")?;
    } else {
        let (is, are) = ("thing is wrong with it:", "things are wrong with it:");
        writeln!(out, "\n{}", count(checked.fault_count, is, are))?;
        // Repeated faults are printed once.
        let mut said: Vec<(String, u64)> = Vec::new();
        for fault in checked.faults.iter().map(ToString::to_string) {
            match said.last_mut() {
                Some((last, times)) if *last == fault => *times += 1,
                _ => said.push((fault, 1)),
            }
        }
        let mut shown = 0;
        for (fault, times) in said.iter().take(SHOWN) {
            let again = if *times > 1 { format!(" ({times} times)") } else { String::new() };
            writeln!(out, "  {fault}{again}")?;
            shown += times;
        }
        more(&mut out, checked.fault_count - shown)?;
    }
    out.flush()?;
    Ok(())
}

/// Returns the numbers of records, bytes and faulty records by kind, with their sums.
fn kinds_table(checked: &Checked) -> Table {
    let mut table = Table::new([
        Column::text("kind").at_least(16),
        Column::number("records").at_least(9).gap(1),
        Column::number("bytes").at_least(12).gap(1).rank(1),
        Column::number("faulty").at_least(7).gap(1),
    ]);
    let mut all = KindCount::default();
    let mut row = |name: &str, KindCount { records, bytes, faulty }: KindCount| {
        let tone = if faulty == 0 { Tone::Plain } else { Tone::Bad };
        let faulty = Cell::from(thousands(faulty)).tone(tone);
        table.row([name.into(), thousands(records).into(), thousands(bytes).into(), faulty]);
    };
    for (name, count) in by_name(checked) {
        row(name, count);
        all.records += count.records;
        all.bytes += count.bytes;
        all.faulty += count.faulty;
    }
    row("all", all);
    table
}

/// Returns the counts of kinds by name, in order of appearance.
fn by_name(checked: &Checked) -> Vec<(&'static str, KindCount)> {
    let mut kinds: Vec<(&'static str, KindCount)> = Vec::new();
    for (kind, count) in &checked.kinds {
        match kinds.iter_mut().find(|(name, _)| *name == kind.name()) {
            Some((_, sum)) => {
                sum.records += count.records;
                sum.bytes += count.bytes;
                sum.faulty += count.faulty;
            }
            None => kinds.push((kind.name(), *count)),
        }
    }
    kinds
}

fn more(out: &mut impl Write, more: u64) -> Result<()> {
    match more {
        0 => Ok(()),
        more => Ok(writeln!(
            out,
            "  and {} more (--json lists up to {})",
            thousands(more),
            thousands(evenstride_dat::MAX_FAULTS as u64)
        )?),
    }
}

fn print_json(archive: &Archive<File>, checked: &Checked) -> Result<()> {
    let kinds: BTreeMap<&str, KindCount> = by_name(checked).into_iter().collect();
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
    crate::output::print_json(&report)
}

/// Returns whether records of this kind are parsed.
const fn is_understood(kind: RecordKind) -> bool {
    !matches!(kind, RecordKind::LandBlockInfo | RecordKind::EnvCell | RecordKind::Other(_))
}

const fn contents(contents: Contents) -> &'static str {
    match contents {
        Contents::Portal => "portal",
        Contents::Cell => "cell",
        Contents::Local => "local",
        Contents::Other(_) => "of an unknown kind",
    }
}
