//! The five tables, with the name, type and meaning of every column.

use std::fmt::Write as _;

/// A table.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableSpec {
    /// Name, which is also that of its folder in an archive.
    pub name: &'static str,
    /// Meaning of a row, as a phrase.
    pub row: &'static str,
    /// Columns in order.
    pub columns: &'static [ColumnSpec],
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnSpec {
    /// Name.
    pub name: &'static str,
    /// Type of the values.
    pub kind: ColumnKind,
    /// Whether a value may be missing.
    pub is_optional: bool,
    /// Meaning and unit, as a phrase.
    pub what: &'static str,
}

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnKind {
    /// A float of 64 bits.
    Double,
    /// A float of 32 bits.
    Float,
    /// An unsigned integer of 32 bits.
    Number,
    /// Yes or no.
    Flag,
    /// Text. Few of them differ.
    Text,
}

impl ColumnKind {
    /// Returns the name of the type in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Double => "float64",
            Self::Float => "float32",
            Self::Number => "uint32",
            Self::Flag => "bool",
            Self::Text => "string",
        }
    }
}

impl TableSpec {
    /// Returns the index of a column.
    pub fn index_of(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|spec| spec.name == column)
    }
}

const fn column(name: &'static str, kind: ColumnKind, what: &'static str) -> ColumnSpec {
    ColumnSpec { name, kind, is_optional: false, what }
}

const fn optional(name: &'static str, kind: ColumnKind, what: &'static str) -> ColumnSpec {
    ColumnSpec { name, kind, is_optional: true, what }
}

use ColumnKind::{Double, Flag, Float, Number, Text};

const CAPTURE: ColumnSpec = column(
    "capture",
    Text,
    "the first 16 hexadecimal digits of the capture's SHA-256, or empty if it has none. A connection that is not its largest adds its number, like `-3`",
);
const ENTITY: ColumnSpec = column("entity", Number, "entity id");

/// One row per entity and frame.
pub const TRACKS: TableSpec = TableSpec {
    name: "tracks",
    row: "an entity in a frame",
    columns: &[
        CAPTURE,
        column("time", Double, "seconds on the recording's clock"),
        ENTITY,
        column("cell", Number, "cell of the entity"),
        column("x", Float, "position after its last step, in metres east in the cell's landblock"),
        column("y", Float, "the same, in metres north"),
        column("z", Float, "the same, in metres up"),
        column("qw", Float, "rotation after its last step, as a unit quaternion"),
        column("qx", Float, "the same"),
        column("qy", Float, "the same"),
        column("qz", Float, "the same"),
        column("drawn_cell", Number, "cell in which it is drawn"),
        column("drawn_x", Float, "position at which it is drawn, in metres in the drawn cell's landblock"),
        column("drawn_y", Float, "the same"),
        column("drawn_z", Float, "the same"),
        column("drawn_qw", Float, "rotation with which it is drawn"),
        column("drawn_qx", Float, "the same"),
        column("drawn_qy", Float, "the same"),
        column("drawn_qz", Float, "the same"),
        column("vx", Float, "velocity of its last step, in metres per second"),
        column("vy", Float, "the same"),
        column("vz", Float, "the same"),
        column("moved_by", Text, "source of its motion: nothing, route, follow, legs, flight or holder"),
        column("route", Number, "number of waypoints on its route"),
        column("last_update", Text, "outcome of the last update about it, or empty before the first"),
    ],
};

/// One row per message about motion.
pub const UPDATES: TableSpec = TableSpec {
    name: "updates",
    row: "a message about motion, from the server or the client",
    columns: &[
        CAPTURE,
        column(
            "time",
            Double,
            "seconds on the recording's clock, in the frame that handled it, as in `tracks`",
        ),
        column("arrived", Double, "seconds at which it arrived"),
        optional("entity", Number, "entity that it is about"),
        column("from_server", Flag, "whether the server sent it"),
        column("kind", Text, "kind of message, such as position, movement, vector, create or delete"),
        column("outcome", Text, "how the world handled it, in words, or empty for the client's own messages"),
        column("accepted", Flag, "whether the world accepted it. The client's own messages always are"),
        optional("gap", Double, "seconds since the last accepted position of the entity"),
        optional("moved", Float, "horizontal distance from that position, in metres"),
        optional("cell", Number, "received cell"),
        optional("x", Float, "received position, in metres in the cell's landblock"),
        optional("y", Float, "the same"),
        optional("z", Float, "the same"),
        optional("error", Float, "distance from the drawn body just before an accepted position, in metres"),
        optional("command", Number, "index of the entity's forward motion: 3 stands, 5 walks, 7 runs"),
        optional("command_speed", Float, "speed factor of that motion"),
        optional("steady", Flag, "whether that motion has not changed since the last accepted position"),
        optional("motion_table", Number, "motion table that the entity's description at that time names"),
        optional("scale", Float, "size factor of the entity at that time, which its speed is multiplied by"),
    ],
};

/// One row per recorded decision.
pub const DECISIONS: TableSpec = TableSpec {
    name: "decisions",
    row: "a decision about an entity, as `evenstride explain` lists them",
    columns: &[
        CAPTURE,
        column("time", Double, "seconds on the recording's clock"),
        ENTITY,
        column("kind", Text, "kind of decision, as in docs/codes.md"),
        column("code", Number, "number of the kind"),
        column("words", Text, "the decision as a sentence"),
    ],
};

/// One row per moment.
pub const MOMENTS: TableSpec = TableSpec {
    name: "moments",
    row: "a moment that a person would notice",
    columns: &[
        CAPTURE,
        ENTITY,
        column("name", Text, "name of the entity, or empty"),
        optional("motion_table", Number, "motion table that the entity's description at that time names"),
        column("kind", Text, "kind of moment, as in docs/moments.md"),
        column("start", Double, "start in seconds on the recording's clock"),
        column("end", Double, "end in seconds"),
        column("rank", Double, "badness. A pull-back of one metre has 1"),
        column("metres", Double, "size of the fault in metres, or 0"),
        column("seconds", Double, "duration of the fault, or 0"),
        column("degrees", Double, "angle of the fault, or 0"),
        column("reason", Text, "the fact that explains it best"),
        optional("gap", Double, "seconds between the positions around it"),
        optional("usual_gap", Double, "median of the seconds between earlier positions"),
        optional("ahead", Double, "metres by which the drawn body was ahead of the position that arrived"),
        optional("aside", Double, "metres by which it was beside the path"),
        column("words", Text, "what happened and why, in sentences"),
    ],
};

/// One row per entity.
pub const ENTITIES: TableSpec = TableSpec {
    name: "entities",
    row: "an entity of a capture, with its numbers over the whole capture",
    columns: &[
        CAPTURE,
        ENTITY,
        column("name", Text, "name, or empty"),
        column("class", Text, "player, static, dynamic or other, by its id"),
        column("is_viewer", Flag, "whether its client recorded the capture"),
        optional("setup", Number, "model that its last description names"),
        optional("motion_table", Number, "motion table that its last description names"),
        column("updates", Number, "number of messages of the server about it"),
        column("snaps", Number, "number of placements without a teleport"),
        column("jumps", Number, "number of take-offs"),
        optional("error_median", Double, "median distance of the drawn body from each position, in metres"),
        optional("error_p95", Double, "95 % of these distances are within this one"),
        optional("worst_behind", Double, "largest distance behind a position along the path, in metres"),
        optional("worst_ahead", Double, "largest distance ahead"),
        column("moments", Number, "number of moments"),
        column("badness", Double, "sum of the ranks of all moments"),
        optional(
            "gap_median",
            Double,
            "median of the seconds between received positions that are 5 cm to 20 m apart",
        ),
        column(
            "heard_metres",
            Double,
            "length of the way through all received positions in metres, without steps under 5 cm and from 20 m on",
        ),
    ],
};

/// All tables.
pub const TABLES: [&TableSpec; 5] = [&TRACKS, &UPDATES, &DECISIONS, &MOMENTS, &ENTITIES];

/// Returns all tables and columns as Markdown, as `docs/archives.md` has them.
pub fn schema_document() -> String {
    let mut text = String::new();
    for table in TABLES {
        // Writing to a string never fails.
        let _ = writeln!(text, "### {}\n\nA row is {}.\n", table.name, table.row);
        let _ = writeln!(text, "| column | type | meaning |\n|---|---|---|");
        for column in table.columns {
            let may_be_missing = if column.is_optional { ", may be missing" } else { "" };
            let _ = writeln!(
                text,
                "| `{}` | {}{may_be_missing} | {} |",
                column.name,
                column.kind.name(),
                column.what
            );
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_table_has_two_columns_of_a_name() {
        for table in TABLES {
            for (index, column) in table.columns.iter().enumerate() {
                assert_eq!(table.index_of(column.name), Some(index), "{} of {}", column.name, table.name);
            }
        }
    }
}
