//! `evenstride inspect`: what is in a capture.

use std::{
    collections::BTreeMap,
    io::{self, BufWriter, IsTerminal, Write},
    process::ExitCode,
};

use anyhow::Result;
use evenstride_capture::{
    CapturedMessage, Connection, ConnectionId, Direction, Fault, Listener, Session, Timeline, Totals,
};
use evenstride_types::{EntityClass, EntityId, update::Update};
use evenstride_wire::{Message, Pretty, decode, opcode_name};
use serde_json::json;

use crate::{args::InspectArgs, source};

/// Faults that are printed in full; the rest is counted.
const FAULTS_SHOWN: usize = 20;

/// Most entities that are listed; messages about more of them are counted all the same.
const MAX_ENTITIES: usize = 1 << 20;

/// Most update intervals that are kept for medians, by class.
const MAX_INTERVALS: usize = 1 << 20;

pub(crate) fn run(args: &InspectArgs) -> Result<ExitCode> {
    let mut session = Session::new(Inspector::new(args));
    let mut could_not_open = 0;
    for path in &args.files {
        session.listener.file = path.display().to_string();
        if let Err(error) = source::read_capture(path, &mut session) {
            // The other files are not to blame.
            eprintln!("evenstride: {error:#}");
            could_not_open += 1;
        }
    }
    let totals = session.totals();
    let mut connections: Vec<(ConnectionId, Connection)> = session.connections().collect();
    connections.sort_unstable();
    let mut inspector = session.listener;
    if let Some(error) = inspector.write_error.take() {
        return Err(error.into());
    }
    if args.json {
        inspector.write_json(&totals, &connections)?
    } else {
        inspector.write_text(&totals, &connections)?
    }
    inspector.out.flush()?;
    if could_not_open == args.files.len() {
        return Ok(ExitCode::from(2));
    }
    let is_clean = could_not_open == 0
        && totals.faults == 0
        && totals.checksum_failures == 0
        && inspector.decode_errors == 0;
    Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Counts what goes by, and prints it if it is asked to.
struct Inspector {
    out: BufWriter<io::Stdout>,
    file: String,
    prints_messages: bool,
    is_coloured: bool,
    entity: Option<EntityId>,
    from: f64,
    to: f64,
    connection: Option<u32>,
    timeline: Timeline,
    first_time: Option<f64>,
    last_time: f64,
    by_opcode: BTreeMap<u32, u64>,
    messages: u64,
    decode_errors: u64,
    entities: BTreeMap<EntityId, Sighting>,
    intervals: BTreeMap<&'static str, Vec<f64>>,
    faults: Vec<String>,
    write_error: Option<io::Error>,
}

/// What was heard of an entity.
struct Sighting {
    first: f64,
    last: f64,
    updates: u64,
    last_position: Option<f64>,
    name: String,
}

impl Inspector {
    fn new(args: &InspectArgs) -> Self {
        Self {
            out: BufWriter::new(io::stdout()),
            file: String::new(),
            prints_messages: args.messages,
            is_coloured: io::stdout().is_terminal(),
            entity: args.entity,
            from: args.from.unwrap_or(f64::NEG_INFINITY),
            to: args.to.unwrap_or(f64::INFINITY),
            connection: args.connection,
            timeline: Timeline::default(),
            first_time: None,
            last_time: f64::NEG_INFINITY,
            by_opcode: BTreeMap::new(),
            messages: 0,
            decode_errors: 0,
            entities: BTreeMap::new(),
            intervals: BTreeMap::new(),
            faults: Vec::new(),
            write_error: None,
        }
    }

    fn note_fault(&mut self, what: String) {
        if self.faults.len() < FAULTS_SHOWN {
            self.faults.push(format!("{}: {what}", self.file));
        }
    }

    /// Counts what a message says about an entity.
    fn sight(&mut self, entity: EntityId, time: f64, message: &Message) {
        if self.entities.len() >= MAX_ENTITIES && !self.entities.contains_key(&entity) {
            return;
        }
        let sighting = self.entities.entry(entity).or_insert(Sighting {
            first: time,
            last: time,
            updates: 0,
            last_position: None,
            name: String::new(),
        });
        sighting.last = time;
        sighting.updates += 1;
        match message {
            Message::Create(create) | Message::Recreate(create) => {
                sighting.name = create.weenie.name.to_string().chars().take(64).collect();
                return;
            }
            Message::Update(Update::Position(_) | Update::PositionAndMovement { .. }) => {}
            _ => return,
        }
        let class = match entity.class() {
            EntityClass::Player => "players",
            EntityClass::Dynamic => "creatures",
            EntityClass::Static | EntityClass::Other => "others",
        };
        if let Some(before) = sighting.last_position.replace(time) {
            let intervals = self.intervals.entry(class).or_default();
            if intervals.len() < MAX_INTERVALS {
                intervals.push(time - before);
            }
        }
    }

    fn print(&mut self, time: f64, direction: Direction, line: &str) {
        let arrow = match direction {
            Direction::FromServer => "<",
            Direction::FromClient => ">",
        };
        let result = if self.is_coloured {
            let colour = if direction == Direction::FromServer { 36 } else { 33 };
            writeln!(self.out, "{time:12.6} \u{1b}[{colour}m{arrow}\u{1b}[0m {line}")
        } else {
            writeln!(self.out, "{time:12.6} {arrow} {line}")
        };
        if let Err(error) = result {
            self.write_error.get_or_insert(error);
        }
    }

    fn write_text(&mut self, totals: &Totals, connections: &[(ConnectionId, Connection)]) -> Result<()> {
        let out = &mut self.out;
        let duration = self.first_time.map_or(0.0, |first| self.last_time - first);
        writeln!(out, "duration            {duration:.3} s")?;
        if let Some(start) = self.timeline.start() {
            writeln!(out, "second 0 is         {start:.3} s after 1970")?;
        }
        writeln!(out, "datagrams           {}", totals.datagrams)?;
        writeln!(out, "messages            {}", self.messages)?;
        writeln!(out, "retransmissions     {}", totals.retransmissions)?;
        writeln!(out, "sequence gaps       {}", totals.gaps)?;
        writeln!(out, "unfinished messages {}", totals.unfinished)?;
        writeln!(
            out,
            "checksum failures   {} of {} that could be checked",
            totals.checksum_failures, totals.checksums_checked
        )?;
        writeln!(out, "decode errors       {}", self.decode_errors)?;
        writeln!(out, "other faults        {}", totals.faults)?;
        writeln!(out, "\nmessages by opcode")?;
        for (opcode, count) in &self.by_opcode {
            writeln!(out, "  {opcode:04X} {:<24} {count:>8}", opcode_name(*opcode).unwrap_or(""))?;
        }
        if connections.len() > 1 {
            writeln!(out, "\nconnections")?;
            for (id, Connection { client, server, port }) in connections {
                writeln!(out, "  {:<4} {client} with {server}:{port}", id.0)?;
            }
        }
        writeln!(out, "\nseconds between positions    median      p95   intervals")?;
        for (class, intervals) in &mut self.intervals {
            let [median, p95] = quantiles(intervals);
            writeln!(out, "  {class:<24} {median:>8.3} {p95:>8.3} {:>11}", intervals.len())?;
        }
        writeln!(out, "\nentities ({})     first        last   updates  name", self.entities.len())?;
        for (entity, sighting) in &self.entities {
            let Sighting { first, last, updates, name, .. } = sighting;
            writeln!(out, "  {entity} {first:>10.3}  {last:>10.3}  {updates:>8}  {name}")?;
        }
        if !self.faults.is_empty() {
            let all = totals.faults + self.decode_errors;
            writeln!(out, "\nfaults ({} of {all})", self.faults.len())?;
            self.faults.iter().try_for_each(|fault| writeln!(out, "  {fault}"))?;
        }
        Ok(())
    }

    fn write_json(&mut self, totals: &Totals, connections: &[(ConnectionId, Connection)]) -> Result<()> {
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
            .iter_mut()
            .map(|(class, intervals)| {
                let [median, p95] = quantiles(intervals);
                (*class, json!({ "median": median, "p95": p95, "count": intervals.len() }))
            })
            .collect();
        let connections: Vec<_> = connections
            .iter()
            .map(|(id, Connection { client, server, port })| {
                json!({ "id": id.0, "client": client.to_string(), "server": format!("{server}:{port}") })
            })
            .collect();
        let report = json!({
            "duration": self.first_time.map_or(0.0, |first| self.last_time - first),
            "start": self.timeline.start(),
            "connections": connections,
            "datagrams": totals.datagrams,
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
            "position_intervals": intervals,
            "entities": entities,
        });
        serde_json::to_writer(&mut self.out, &report)?;
        writeln!(self.out)?;
        Ok(())
    }
}

impl Listener for Inspector {
    fn message(&mut self, message: &CapturedMessage<'_>) {
        let time = self.timeline.seconds(message.time);
        let is_asked_for = (self.from..=self.to).contains(&time)
            && self.connection.is_none_or(|number| number == message.connection.0);
        if !is_asked_for {
            return;
        }
        let decoded = match decode(message.bytes) {
            Ok(decoded) => decoded.message,
            Err(error) => {
                self.decode_errors += 1;
                self.note_fault(format!("{}: {error}", message.place));
                return;
            }
        };
        let entity = entity_of(&decoded);
        if self.entity.is_some() && entity != self.entity {
            return;
        }
        // Several files need not be in order.
        self.first_time = Some(self.first_time.map_or(time, |first| first.min(time)));
        self.last_time = self.last_time.max(time);
        self.messages += 1;
        *self.by_opcode.entry(decoded.opcode()).or_default() += 1;
        if let Some(entity) = entity {
            self.sight(entity, time, &decoded);
        }
        if self.prints_messages && !matches!(decoded, Message::Other { .. }) {
            self.print(time, message.direction, &Pretty::new(&decoded).to_string());
        }
    }

    fn fault(&mut self, fault: Fault) {
        self.note_fault(fault.to_string());
    }
}

fn entity_of(message: &Message) -> Option<EntityId> {
    match message {
        Message::Create(create) | Message::Recreate(create) => Some(create.update.entity),
        Message::Appearance(update) => Some(update.entity),
        Message::Update(update) => update.entity(),
        Message::Action(_) | Message::Other { .. } => None,
    }
}

/// The middle one, and the one that 95 of 100 do not exceed.
fn quantiles(numbers: &mut [f64]) -> [f64; 2] {
    numbers.sort_unstable_by(f64::total_cmp);
    [0.5, 0.95].map(|part| {
        let index = ((numbers.len() as f64 - 1.0) * part).round().max(0.0) as usize;
        numbers.get(index).copied().unwrap_or(0.0)
    })
}
