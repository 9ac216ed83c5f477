//! `evenstride inspect`: reads captures and counts their messages. `summary.rs` prints the numbers.

mod summary;

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    ops::RangeInclusive,
    process::ExitCode,
};

use anyhow::{Result, anyhow, bail};
use evenstride_capture::{
    CapturedMessage, Connection, ConnectionId, Direction, Fault, Listener, SERVER_PORTS, Session, Timeline,
    Totals,
};
use evenstride_replay::{ScriptOptions, ScriptReader};
use evenstride_types::{
    EntityClass, EntityId, RawPlacement,
    update::{CommandTable, PlayerAction, Update},
};
use evenstride_wire::{Message, Pretty, decode, opcode_name};

use crate::{
    args::{InspectArgs, TimeArg},
    entity::parse_id,
    output::{self, TextOut, Tone, count, one_line, warn},
    source,
};

/// Faults that are printed in full. The others are counted.
const FAULTS_SHOWN: usize = 20;

/// Most entities that are listed. Messages about further ones are still counted.
const MAX_ENTITIES: usize = 1 << 16;

/// Entities that are named if the selected one is missing.
const NEAR_SHOWN: usize = 5;

/// Most opcodes that are listed. Messages with further ones are counted together.
const MAX_OPCODES: usize = 1 << 12;

/// Most entities of all connections whose update intervals are measured.
const MAX_POSITIONS: usize = 1 << 18;

/// Most update intervals that are kept for medians, by class.
const MAX_INTERVALS: usize = 1 << 20;

pub(crate) fn run(args: &InspectArgs) -> Result<ExitCode> {
    let ports = args.server_ports.clone().unwrap_or(SERVER_PORTS);
    let entity = wanted_entity(args, &ports)?;
    let mut session = Session::with_server_ports(Inspector::new(args, entity), ports.clone());
    let mut unreadable = Vec::new();
    for path in &args.files {
        session.listener.begin_file(path.display().to_string());
        if let Err(error) = source::read_capture(path, &mut session) {
            // The other files are still read.
            warn(&format!("{error:#}"));
            unreadable.push(format!("{error:#}"));
        }
    }
    let totals = session.totals();
    let mut connections: Vec<(ConnectionId, Connection)> = session.connections().collect();
    connections.sort_unstable();
    let mut inspector = session.listener;
    if let Some(error) = inspector.write_error.take() {
        return Err(error.into());
    }
    if let Some(problem) = inspector.wanted.problem.take() {
        return Err(anyhow!("--from and --to: {problem}"));
    }
    if args.json {
        inspector.write_json(&totals, &connections, &unreadable)?;
    } else if unreadable.len() < args.files.len() {
        inspector.write_text(&totals, &connections)?;
    }
    inspector.out.flush()?;
    if let Some(hint) = inspector.hint(args, &totals, connections.len(), &ports) {
        warn(&hint);
    }
    let is_nothing = totals.datagrams == 0 && totals.messages == 0;
    let is_flawed = !unreadable.is_empty() || inspector.flaws(&totals) > 0;
    Ok(if is_nothing && is_flawed {
        ExitCode::from(2)
    } else if is_flawed || totals.messages == 0 {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

/// Returns the entity to include. A name is looked up in a first reading of the files.
fn wanted_entity(args: &InspectArgs, ports: &RangeInclusive<u16>) -> Result<Option<EntityId>> {
    let Some(wanted) = &args.entity else { return Ok(None) };
    if let Some(id) = parse_id(&wanted.0) {
        return Ok(Some(id));
    }
    if args.files.iter().any(|path| output::is_dash(path)) {
        bail!("--entity {}: standard input is read once; give an id instead of a name", wanted.0);
    }
    let mut reader =
        ScriptReader::new(ScriptOptions { player: None, connection: None, server_ports: ports.clone() });
    for path in &args.files {
        let read =
            |session: &mut _| source::read_capture(path, session).map_err(|error| format!("{error:#}"));
        // The second reading reports what is unreadable.
        let _ = reader.read(&path.display().to_string(), 0.0, read)?;
    }
    let (script, _) = reader.finish()?;
    wanted.find(&script).map(Some)
}

/// Counts messages, and prints them if requested.
struct Inspector {
    out: TextOut,
    file: String,
    prints_messages: bool,
    table: CommandTable,
    wanted: Wanted,
    timeline: Timeline,
    /// First and last time of the earlier files, in seconds.
    span: Option<(f64, f64)>,
    /// First and last time of the selected messages, in seconds.
    wanted_span: Option<(f64, f64)>,
    last_time: f64,
    by_opcode: BTreeMap<u32, u64>,
    left_out: LeftOut,
    messages: u64,
    decode_errors: u64,
    entities: BTreeMap<EntityId, Sighting>,
    /// Entities of messages that are not selected.
    others: BTreeSet<EntityId>,
    /// Time of the last position in this file, in seconds.
    positions: BTreeMap<(ConnectionId, EntityId), f64>,
    intervals: BTreeMap<&'static str, Vec<f64>>,
    owners: BTreeMap<ConnectionId, Owner>,
    faults: Vec<String>,
    fault_lines: u64,
    write_error: Option<io::Error>,
}

/// Numbers of messages beyond the limits of the lists.
#[derive(Default)]
struct LeftOut {
    by_opcode: u64,
    by_entity: u64,
    intervals: u64,
}

/// The selection of messages.
struct Wanted {
    entity: Option<EntityId>,
    from: Option<TimeArg>,
    to: Option<TimeArg>,
    connection: Option<u32>,
    /// The reason why a time cannot be compared with those of a capture.
    problem: Option<String>,
}

impl Wanted {
    const fn is_everything(&self) -> bool {
        let is_always = self.from.is_none() && self.to.is_none();
        self.entity.is_none() && self.connection.is_none() && is_always
    }

    /// Returns whether a time is selected, in seconds on a clock whose second 0 is `start` seconds
    /// after 1970.
    fn has_time(&mut self, time: f64, start: Option<f64>) -> bool {
        let mut limit = |of: Option<TimeArg>, open: f64| match of.map(|of| of.seconds(start)) {
            None => open,
            Some(Ok(seconds)) => seconds,
            Some(Err(problem)) => {
                self.problem.get_or_insert(problem);
                open
            }
        };
        (limit(self.from, f64::NEG_INFINITY)..=limit(self.to, f64::INFINITY)).contains(&time)
    }
}

/// Summary of the messages about an entity.
struct Sighting {
    first: f64,
    last: f64,
    updates: u64,
    name: String,
}

/// The player of a connection. The server names it, or sends back the position that the client
/// reported.
#[derive(Default)]
struct Owner {
    entity: Option<EntityId>,
    said: Option<RawPlacement>,
}

impl Inspector {
    fn new(args: &InspectArgs, entity: Option<EntityId>) -> Self {
        Self {
            out: if args.json { output::json() } else { output::text() },
            file: String::new(),
            prints_messages: args.messages,
            table: if args.commands_2013 { CommandTable::Client2013 } else { CommandTable::Final },
            wanted: Wanted {
                entity,
                from: args.from,
                to: args.to,
                connection: args.connection,
                problem: None,
            },
            timeline: Timeline::default(),
            span: None,
            wanted_span: None,
            last_time: 0.0,
            by_opcode: BTreeMap::new(),
            left_out: LeftOut::default(),
            messages: 0,
            decode_errors: 0,
            entities: BTreeMap::new(),
            others: BTreeSet::new(),
            positions: BTreeMap::new(),
            intervals: BTreeMap::new(),
            owners: BTreeMap::new(),
            faults: Vec::new(),
            fault_lines: 0,
            write_error: None,
        }
    }

    /// Begins a file. Intervals and players of another file do not carry over.
    fn begin_file(&mut self, name: String) {
        self.file = name;
        self.span = self.whole_span();
        self.timeline = self.timeline.for_next_capture();
        self.positions.clear();
        self.owners.clear();
    }

    /// Returns the first and the last time of all files so far, in seconds.
    fn whole_span(&self) -> Option<(f64, f64)> {
        let mut span = self.span;
        if let Some((first, last)) = self.timeline.span() {
            widen(&mut span, first);
            widen(&mut span, last);
        }
        span
    }

    /// Returns a captured time in seconds. A date far from those of most packets is replaced by the
    /// last time.
    fn seconds(&mut self, captured: f64) -> f64 {
        if self.timeline.is_usual(captured) {
            self.last_time = self.timeline.seconds(captured);
        }
        self.last_time
    }

    fn note_fault(&mut self, what: &str) {
        self.fault_lines += 1;
        if self.faults.len() < FAULTS_SHOWN {
            self.faults.push(format!("{}: {what}", self.file));
        }
    }

    /// Returns the number of errors.
    const fn flaws(&self, totals: &Totals) -> u64 {
        totals.faults + totals.checksum_failures + self.decode_errors
    }

    /// Returns advice if there is nothing to show.
    fn hint(
        &self,
        args: &InspectArgs,
        totals: &Totals,
        connections: usize,
        ports: &std::ops::RangeInclusive<u16>,
    ) -> Option<String> {
        if totals.datagrams == 0 && totals.messages == 0 {
            return (totals.skipped > 0).then(|| {
                format!(
                    "none of the {} is UDP from or to ports {} to {}; if your server uses other ports, use --server-ports, like --server-ports 12000-12001",
                    count(totals.skipped, "frame", "frames"),
                    ports.start(),
                    ports.end()
                )
            });
        }
        if self.messages > 0 || self.wanted.is_everything() {
            return None;
        }
        let (first, last) = self.whole_span()?;
        let mut hint = format!("nothing matches; times run from {first:.3} to {last:.3} s");
        if let Some(number) = args.connection {
            hint.push_str(&match connections {
                0 => format!(", and there is one connection, 0, not {number}"),
                count => format!(", and connections from 0 to {}, not {number}", count - 1),
            });
        }
        if let Some(entity) = self.wanted.entity {
            let near = self.nearest(entity);
            if !near.is_empty() {
                hint.push_str(&format!("; entities with ids like {entity}: {}", near.join(", ")));
            }
            hint.push_str("; `evenstride inspect FILE` lists the entities");
        }
        Some(hint)
    }

    /// Returns the entities of all messages with the most similar ids, nearest first.
    fn nearest(&self, wanted: EntityId) -> Vec<String> {
        let ids: Vec<String> = self.others.iter().map(ToString::to_string).collect();
        let nearest = output::nearest_first(&wanted.to_string(), ids.iter().map(String::as_str));
        nearest.into_iter().take(NEAR_SHOWN).map(str::to_owned).collect()
    }

    /// Learns the player of a connection. Returns the entity that a message is about.
    fn entity_of(&mut self, connection: ConnectionId, message: &Message) -> Option<EntityId> {
        let owner = self.owners.entry(connection).or_default();
        match message {
            Message::Update(Update::LocalPlayer(entity)) => owner.entity = Some(*entity),
            Message::Action(action) => {
                let said = action.action.as_ref().ok().and_then(PlayerAction::position);
                owner.said = said.cloned().or(owner.said.take());
                return owner.entity;
            }
            Message::Update(Update::Position(update)) if owner.entity.is_none() => {
                let is_echo =
                    |said: &RawPlacement| said.origin == update.pack.origin && said.cell == update.pack.cell;
                if owner.said.as_ref().is_some_and(is_echo) {
                    owner.entity = Some(update.entity);
                }
            }
            _ => {}
        }
        message.entity()
    }

    /// Counts a message about an entity.
    fn sight(&mut self, connection: ConnectionId, entity: EntityId, time: f64, message: &Message) {
        if self.entities.len() >= MAX_ENTITIES && !self.entities.contains_key(&entity) {
            self.left_out.by_entity += 1;
            return;
        }
        let new = Sighting { first: time, last: time, updates: 0, name: String::new() };
        let sighting = self.entities.entry(entity).or_insert(new);
        // Several files need not be in order.
        sighting.first = sighting.first.min(time);
        sighting.last = sighting.last.max(time);
        sighting.updates += u64::from(!matches!(message, Message::Action(_) | Message::Aside(_)));
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
        let key = (connection, entity);
        if self.positions.len() >= MAX_POSITIONS && !self.positions.contains_key(&key) {
            self.left_out.intervals += 1;
            return;
        }
        if let Some(before) = self.positions.insert(key, time) {
            let intervals = self.intervals.entry(class).or_default();
            if intervals.len() < MAX_INTERVALS {
                intervals.push(time - before);
            } else {
                self.left_out.intervals += 1;
            }
        }
    }

    fn print(&mut self, time: f64, message: &CapturedMessage<'_>, line: &str) {
        let (arrow, tone) = match message.direction {
            Direction::FromServer => ("<", Tone::Incoming),
            Direction::FromClient => (">", Tone::Outgoing),
        };
        let connection = match message.connection.0 {
            0 => String::new(),
            number => format!("[{number}] "),
        };
        let result = write!(self.out, "{time:12.6} {connection}")
            .and_then(|()| self.out.paint(tone, arrow))
            .and_then(|()| writeln!(self.out, " {}", one_line(line)));
        if let Err(error) = result {
            self.write_error.get_or_insert(error);
        }
    }
}

impl Listener for Inspector {
    fn packet(&mut self, time: f64) {
        self.timeline.note(time);
    }

    fn message(&mut self, message: &CapturedMessage<'_>) {
        let time = self.seconds(message.time);
        let decoded = decode(message.bytes);
        let entity = match &decoded {
            Ok(decoded) => self.entity_of(message.connection, &decoded.message),
            Err(_) => None,
        };
        let is_about = |wanted: EntityId| {
            let holder = match decoded.as_ref().map(|decoded| &decoded.message) {
                Ok(Message::Update(Update::Parent(update))) => Some(update.holder),
                _ => None,
            };
            entity == Some(wanted) || holder == Some(wanted)
        };
        let is_in_time = self.wanted.has_time(time, self.timeline.start());
        let wanted = &self.wanted;
        let is_wanted = is_in_time
            && wanted.connection.is_none_or(|number| number == message.connection.0)
            && wanted.entity.is_none_or(is_about);
        if !is_wanted {
            if self.others.len() < MAX_ENTITIES {
                self.others.extend(entity);
            }
            return;
        }
        widen(&mut self.wanted_span, time);
        self.messages += 1;
        let opcode = message.bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        if self.by_opcode.len() < MAX_OPCODES || self.by_opcode.contains_key(&opcode) {
            *self.by_opcode.entry(opcode).or_default() += 1;
        } else {
            self.left_out.by_opcode += 1;
        }
        let decoded = match decoded {
            Ok(decoded) => decoded.message,
            Err(error) => {
                self.decode_errors += 1;
                let about = match message.bytes.get(4..8).and_then(<[u8]>::first_chunk) {
                    Some(bytes) => format!(" about {}", EntityId::new(u32::from_le_bytes(*bytes))),
                    None => String::new(),
                };
                let name = opcode_name(opcode).unwrap_or("message");
                return self.note_fault(&format!("{}: {opcode:04X} {name}{about}: {error}", message.place));
            }
        };
        if let Some(entity) = entity {
            self.sight(message.connection, entity, time, &decoded);
        }
        if self.prints_messages && !matches!(decoded, Message::Aside(_) | Message::Other { .. }) {
            let line = Pretty::new(&decoded).with_table(self.table).to_string();
            self.print(time, message, &line);
        }
    }

    fn fault(&mut self, fault: Fault) {
        self.note_fault(&fault.to_string());
    }

    fn is_done(&self) -> bool {
        // The reader of the output has closed it, or the selection means nothing.
        self.write_error.is_some() || self.wanted.problem.is_some()
    }
}

fn widen(span: &mut Option<(f64, f64)>, time: f64) {
    *span = Some(span.map_or((time, time), |(first, last)| (first.min(time), last.max(time))));
}
