//! The summary of captures, as text and as JSON.

use std::{collections::BTreeMap, io::Write};

use anyhow::Result;
use evenstride_capture::{Connection, ConnectionId, Totals};
use evenstride_replay::quantile;
use evenstride_types::EntityId;
use evenstride_wire::opcode_name;
use serde_json::json;

use super::{Inspector, Sighting};
use crate::output::{Cell, Column, Table, Tone, count, one_line, thousands, width};

impl Inspector {
    /// Prints the summary for people.
    pub(super) fn write_text(
        &mut self,
        totals: &Totals,
        connections: &[(ConnectionId, Connection)],
    ) -> Result<()> {
        let is_everything = self.wanted.is_everything();
        let (first, last) = self.whole_span().unwrap_or_default();
        let out = &mut self.out;
        if !is_everything {
            writeln!(out, "the whole capture")?;
        }
        writeln!(out, "duration            {:.3} s, from {first:.3} to {last:.3}", last - first)?;
        if let Some(start) = self.timeline.start() {
            writeln!(out, "start               {start:.3} s after 1970")?;
            if let Some(date) = date_of(start) {
                writeln!(out, "date                {date}")?;
            }
        }
        writeln!(out, "datagrams           {}", thousands(totals.datagrams))?;
        writeln!(out, "other frames        {}", thousands(totals.skipped))?;
        writeln!(out, "retransmissions     {}", thousands(totals.retransmissions))?;
        writeln!(out, "sequence gaps       {}", thousands(totals.gaps))?;
        writeln!(out, "unfinished          {}", thousands(totals.unfinished))?;
        writeln!(
            out,
            "checksum failures   {} of {} that could be checked",
            thousands(totals.checksum_failures),
            thousands(totals.checksums_checked)
        )?;
        writeln!(out, "faults              {}", thousands(totals.faults))?;
        if totals.forgotten > 0 {
            let times = count(totals.forgotten, "time", "times");
            writeln!(out, "forgotten           {times} the state of a connection")?;
        }
        if !is_everything {
            let (first, last) = self.wanted_span.unwrap_or_default();
            writeln!(out, "\nthe selected messages")?;
            writeln!(out, "duration            {:.3} s, from {first:.3} to {last:.3}", last - first)?;
        }
        writeln!(out, "messages            {}", thousands(self.messages))?;
        writeln!(out, "decode errors       {}", thousands(self.decode_errors))?;
        writeln!(out)?;
        out.paint(Tone::Heading, "messages by opcode\n")?;
        for (opcode, count) in &self.by_opcode {
            let (name, count) = (opcode_name(*opcode).unwrap_or(""), thousands(*count));
            writeln!(out, "  {opcode:04X} {name:<24} {count:>8}")?;
        }
        if self.left_out.by_opcode > 0 {
            writeln!(out, "  other opcodes                 {:>8}", thousands(self.left_out.by_opcode))?;
        }
        if connections.len() > 1 {
            writeln!(out)?;
            out.paint(Tone::Heading, "connections\n")?;
            for (id, Connection { client, server, port }) in connections {
                let player = self.owners.get(id).and_then(|owner| owner.entity);
                let player = player.map_or(String::new(), |entity| format!(", player {entity}"));
                writeln!(out, "  {:<4} {client} with {server}:{port}{player}", id.0)?;
            }
        }
        writeln!(out)?;
        let (width, instead) = (width(), "--json has all columns");
        intervals_table(&self.intervals).write(out, width, instead)?;
        if self.left_out.intervals > 0 {
            writeln!(out, "  not measured             {:>29}", thousands(self.left_out.intervals))?;
        }
        writeln!(out)?;
        entities_table(&self.entities).write(out, width, instead)?;
        if self.left_out.by_entity > 0 {
            let messages = count(
                self.left_out.by_entity,
                "message is about a further entity",
                "messages are about further entities",
            );
            writeln!(out, "  {messages}")?;
        }
        if !self.faults.is_empty() {
            let title = format!("faults ({} of {})\n", self.faults.len(), thousands(self.fault_lines));
            writeln!(out)?;
            out.paint(Tone::Heading, &title)?;
            self.faults.iter().try_for_each(|fault| writeln!(out, "  {}", one_line(fault)))?;
        }
        Ok(())
    }

    /// Prints the summary as one JSON object.
    pub(super) fn write_json(
        &mut self,
        totals: &Totals,
        connections: &[(ConnectionId, Connection)],
        unreadable: &[String],
    ) -> Result<()> {
        let by_opcode: BTreeMap<String, u64> =
            self.by_opcode.iter().map(|(opcode, count)| (format!("{opcode:04X}"), *count)).collect();
        let entities: Vec<_> = self
            .entities
            .iter()
            .map(|(entity, sighting)| {
                json!({
                    "entity": entity.to_string(),
                    "first": sighting.first,
                    "last": sighting.last,
                    "updates": sighting.updates,
                    "name": sighting.name,
                })
            })
            .collect();
        let intervals: BTreeMap<_, _> = self
            .intervals
            .iter()
            .map(|(class, intervals)| {
                let [median, p95] = quantiles(intervals);
                (*class, json!({ "median": median, "p95": p95, "count": intervals.len() }))
            })
            .collect();
        let connections: Vec<_> = connections
            .iter()
            .map(|(id, Connection { client, server, port })| {
                let player = self.owners.get(id).and_then(|owner| owner.entity);
                json!({
                    "id": id.0,
                    "client": client.to_string(),
                    "server": format!("{server}:{port}"),
                    "player": player.map(|entity| entity.to_string()),
                })
            })
            .collect();
        let (first, last) = self.whole_span().unwrap_or_default();
        let report = json!({
            "duration": last - first,
            "first": first,
            "last": last,
            "start": self.timeline.start(),
            "date": self.timeline.start().and_then(date_of),
            "connections": connections,
            "datagrams": totals.datagrams,
            "other_frames": totals.skipped,
            "messages": self.messages,
            "by_opcode": by_opcode,
            "decode_errors": self.decode_errors,
            "checksum_failures": totals.checksum_failures,
            "checksums_checked": totals.checksums_checked,
            "retransmissions": totals.retransmissions,
            "sequence_gaps": totals.gaps,
            "unfinished": totals.unfinished,
            "faults": totals.faults,
            "fault_lines": self.faults,
            "unreadable": unreadable,
            "position_intervals": intervals,
            "entities": entities,
            "left_out": {
                "connections": totals.forgotten,
                "by_opcode": self.left_out.by_opcode,
                "by_entity": self.left_out.by_entity,
                "position_intervals": self.left_out.intervals,
            },
        });
        serde_json::to_writer(&mut self.out, &report)?;
        writeln!(self.out)?;
        Ok(())
    }
}

/// Returns the intervals between positions by class.
fn intervals_table(intervals: &BTreeMap<&'static str, Vec<f64>>) -> Table {
    let mut table = Table::new([
        Column::text("seconds between positions").at_least(26),
        Column::number("median").at_least(8).gap(1),
        Column::number("p95").at_least(8).gap(1),
        Column::number("intervals").at_least(11).gap(1).rank(1),
    ]);
    for (class, intervals) in intervals {
        let [median, p95] = quantiles(intervals).map(|seconds| format!("{seconds:.3}"));
        let count = thousands(intervals.len() as u64);
        table.row([format!("  {class}").into(), median.into(), p95.into(), count.into()]);
    }
    table
}

/// Returns the entities with their messages.
fn entities_table(entities: &BTreeMap<EntityId, Sighting>) -> Table {
    let mut table = Table::new([
        Column::text(format!("entities ({})", thousands(entities.len() as u64))).at_least(12),
        Column::number("first").at_least(10).gap(1).rank(2),
        Column::number("last").at_least(10).rank(1),
        Column::number("updates").at_least(8),
        Column::text("name"),
    ]);
    for (entity, Sighting { first, last, updates, name }) in entities {
        let [first, last] = [first, last].map(|time| Cell::from(format!("{time:.3}")));
        table.row([
            format!("  {entity}").into(),
            first,
            last,
            thousands(*updates).into(),
            name.as_str().into(),
        ]);
    }
    table
}

/// Returns a date in ISO 8601, or `None` if it is outside the calendar.
fn date_of(seconds: f64) -> Option<String> {
    let date = jiff::Timestamp::from_millisecond((seconds * 1e3) as i64).ok()?;
    Some(format!("{date:.3}"))
}

/// Returns the median and the 95th percentile.
fn quantiles(numbers: &[f64]) -> [f64; 2] {
    [0.5, 0.95].map(|part| quantile(numbers, part).unwrap_or(0.0))
}
