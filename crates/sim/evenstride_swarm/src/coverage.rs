//! The record of what runs have covered.

use std::{collections::BTreeMap, fmt::Write as _};

use evenstride::{
    Config, Disposition, Happening,
    config::Switch,
    outcome::{
        CodeTable, CreateHow, DropReason, Enqueued, IgnoreReason, MoveToEnd, ParkReason, PlaceReason,
        RefuseReason, RemoveReason,
    },
};
use evenstride_types::update::{PlayerAction, Update};

use crate::{ground::Ground, world::Op};

/// Counts of what has happened, by group and name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    counts: BTreeMap<(&'static str, &'static str), u64>,
}

impl Coverage {
    /// Counts one more.
    pub fn count(&mut self, group: &'static str, name: &'static str) {
        *self.counts.entry((group, name)).or_default() += 1;
    }

    /// Adds the counts of another record.
    pub fn absorb(&mut self, other: Self) {
        for (key, count) in other.counts {
            *self.counts.entry(key).or_default() += count;
        }
    }

    /// Returns how often something happened.
    pub fn of(&self, group: &'static str, name: &'static str) -> u64 {
        self.counts.get(&(group, name)).copied().unwrap_or_default()
    }

    /// Counts the kind of a message.
    pub fn message(&mut self, update: &Update) {
        self.code("message", MESSAGES, update.opcode());
    }

    /// Counts the kind of a message that a client sent.
    pub fn action(&mut self, action: &PlayerAction) {
        self.code("action", ACTIONS, action.action());
    }

    /// Counts the fate of a message, and its reason.
    pub fn disposition(&mut self, disposition: &Disposition) {
        self.outcome(Disposition::CODES, disposition.code());
        let reasons = match disposition {
            Disposition::Ignored(_) => IgnoreReason::CODES,
            Disposition::Parked(_) => ParkReason::CODES,
            Disposition::Dropped(_) => DropReason::CODES,
            Disposition::Refused(_) => RefuseReason::CODES,
            Disposition::Placed { .. } => PlaceReason::CODES,
            Disposition::Created { .. } => CreateHow::CODES,
            Disposition::Queued(_) => Enqueued::CODES,
            _ => return,
        };
        self.outcome(reasons, disposition.reason_code());
    }

    /// Counts an event or a decision, and its reason.
    pub fn happening(&mut self, happening: &Happening) {
        self.outcome(Happening::CODES, happening.code());
        match happening {
            Happening::Removed(reason) => self.outcome(RemoveReason::CODES, reason.code()),
            Happening::MoveToEnded { end, .. } => self.outcome(MoveToEnd::CODES, end.code()),
            Happening::Snapped { reason, .. } => self.outcome(PlaceReason::CODES, reason.code()),
            _ => {}
        }
    }

    /// Counts the value of every switch.
    pub fn config(&mut self, config: &Config) {
        for switch in switches() {
            let value = config.value(switch.name).unwrap_or_default();
            if let Some(value) = switch.values.iter().find(|known| **known == value) {
                self.count(switch.name, value);
            }
        }
    }

    fn outcome(&mut self, table: CodeTable, code: u16) {
        self.code(table.type_name, table.codes, code);
    }

    fn code<C: PartialEq>(&mut self, group: &'static str, codes: &[(&'static str, C)], code: C) {
        if let Some((name, _)) = codes.iter().find(|(_, known)| *known == code) {
            self.count(group, name);
        }
    }

    /// Returns the groups with all names that they can have, and whether each has happened.
    pub fn table(&self) -> String {
        let mut text = String::new();
        for (group, names) in everything() {
            let seen = names.iter().filter(|name| self.of(group, name) > 0).count();
            let _ = writeln!(text, "{group}: {seen} of {}", names.len());
            for name in &names {
                let _ = writeln!(text, "  {name:<28} {:>14}", self.of(group, name));
            }
        }
        text
    }

    /// Returns everything that has never happened.
    pub fn missing(&self) -> Vec<(&'static str, &'static str)> {
        let all = everything().into_iter();
        let all = all.flat_map(|(group, names)| names.into_iter().map(move |name| (group, name)));
        all.filter(|(group, name)| self.of(group, name) == 0).collect()
    }
}

/// Kinds of messages of the server, with their opcodes.
const MESSAGES: &[(&str, u32)] = &[
    ("Create", 0xF745),
    ("Recreate", 0xF7DB),
    ("LocalPlayer", 0xF746),
    ("Delete", 0xF747),
    ("Position", 0xF748),
    ("Parent", 0xF749),
    ("Pickup", 0xF74A),
    ("State", 0xF74B),
    ("Movement", 0xF74C),
    ("Vector", 0xF74E),
    ("Teleport", 0xF751),
    ("PositionAndMovement", 0xF619),
];

/// Kinds of messages of a client, with their numbers.
const ACTIONS: &[(&str, u32)] = &[
    ("MoveToState", 0xF61C),
    ("AutonomousPosition", 0xF753),
    ("Jump", 0xF61B),
    ("ServerJump", 0xF7C9),
    ("MovementCommand", 0xF61E),
    ("StopCommand", 0xF661),
    ("TurnTo", 0xF649),
    ("AutonomyLevel", 0xF752),
    ("LoginComplete", 0x00A1),
];

/// Happenings that are neither events nor decisions, because another one states their result, and the
/// fate of a kind of message that this version does not know.
const UNREPORTED: [(&str, &str); 6] = [
    ("Happening", "SnapToNewest"),
    ("Happening", "SnapToGivenUp"),
    ("Happening", "SnapBeforeVelocity"),
    ("Happening", "VelocityTaken"),
    ("Happening", "Placed"),
    ("IgnoreReason", "NotUnderstood"),
];

/// Returns the switches that have named values.
fn switches() -> impl Iterator<Item = &'static Switch> {
    Config::SWITCHES.iter().filter(|switch| !switch.values.is_empty())
}

/// Returns every group with all names that it can have.
fn everything() -> Vec<(&'static str, Vec<&'static str>)> {
    fn names<C>(codes: &[(&'static str, C)]) -> Vec<&'static str> {
        codes.iter().map(|(name, _)| *name).collect()
    }
    let mut groups = vec![
        ("operation", Op::NAMES.to_vec()),
        ("operation on a plain world", crate::plain::PlainOp::NAMES.to_vec()),
        ("surroundings", Ground::NAMES.to_vec()),
        ("message", names(MESSAGES)),
        ("action", names(ACTIONS)),
    ];
    let tables = [
        Disposition::CODES,
        IgnoreReason::CODES,
        ParkReason::CODES,
        DropReason::CODES,
        RefuseReason::CODES,
        PlaceReason::CODES,
        CreateHow::CODES,
        Enqueued::CODES,
        Happening::CODES,
        RemoveReason::CODES,
        MoveToEnd::CODES,
    ];
    groups.extend(tables.map(|table| (table.type_name, names(table.codes))));
    for (group, names) in &mut groups {
        names.retain(|name| !UNREPORTED.contains(&(*group, *name)));
    }
    groups.extend(switches().map(|switch| (switch.name, switch.values.to_vec())));
    groups
}
