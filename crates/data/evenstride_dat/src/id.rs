//! Numbers and kinds of records.

use std::fmt;

use evenstride_types::LandblockId;

use crate::Contents;

/// The number of a record in its archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub u32);

/// Serialised in the usual notation, such as `"0x09000001"`.
impl serde::Serialize for RecordId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl RecordId {
    /// The record that lists the patches of an archive.
    pub const ITERATIONS: Self = Self(0xFFFF_0001);
    /// The region, of which the game has one.
    pub const REGION: Self = Self(0x1300_0000);

    /// Returns the number of the record with a landblock's heights.
    pub const fn of_land(block: LandblockId) -> Self {
        Self((block.raw() as u32) << 16 | 0xFFFF)
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}

/// The kind of a record. It follows from the record's number and the archive's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RecordKind {
    /// A model, with its parts, its size and its own motion table.
    Setup,
    /// Keyframes.
    Animation,
    /// The animations of each motion.
    MotionTable,
    /// Sizes and heights of the map.
    Region,
    /// Heights of a landblock, which is 192 m wide.
    LandBlock,
    /// Objects on a landblock.
    LandBlockInfo,
    /// A room.
    EnvCell,
    /// Patches of the archive.
    Iterations,
    /// Any other kind, by the first byte of the number.
    Other(u8),
}

impl RecordKind {
    /// Returns the kind of a record.
    pub const fn of(id: RecordId, contents: Contents) -> Self {
        if id.0 == RecordId::ITERATIONS.0 {
            return Self::Iterations;
        }
        match (contents, id.0 >> 24) {
            (Contents::Cell, _) => match id.0 & 0xFFFF {
                0xFFFF => Self::LandBlock,
                0xFFFE => Self::LandBlockInfo,
                _ => Self::EnvCell,
            },
            (_, 0x02) => Self::Setup,
            (_, 0x03) => Self::Animation,
            (_, 0x09) => Self::MotionTable,
            (_, 0x13) => Self::Region,
            (_, class) => Self::Other(class as u8),
        }
    }

    /// Returns every result of [`RecordKind::name`], each once.
    pub fn names() -> Vec<&'static str> {
        let named = [
            Self::Setup,
            Self::Animation,
            Self::MotionTable,
            Self::Region,
            Self::LandBlock,
            Self::LandBlockInfo,
            Self::EnvCell,
            Self::Iterations,
        ];
        let mut names: Vec<&str> =
            named.into_iter().chain((0..=255).map(Self::Other)).map(Self::name).collect();
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(*name));
        names
    }

    /// Returns a short name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Animation => "animation",
            Self::MotionTable => "motion-table",
            Self::Region => "region",
            Self::LandBlock => "landblock",
            Self::LandBlockInfo => "landblock-info",
            Self::EnvCell => "room",
            Self::Iterations => "iterations",
            Self::Other(class) => other_name(class),
        }
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

const fn other_name(class: u8) -> &'static str {
    match class {
        0x01 => "mesh",
        0x04 => "palette",
        0x05 => "surface-texture",
        0x06 => "texture",
        0x08 => "surface",
        0x0A => "wave",
        0x0D => "environment",
        0x0E => "table",
        0x0F => "palette-set",
        0x10 => "clothing",
        0x11 => "degrade-info",
        0x12 => "scene",
        0x14 => "key-map",
        0x15..=0x18 => "render-data",
        0x20 => "sound-table",
        0x21 => "ui-layout",
        0x22 => "enum-mapper",
        0x23 => "string-table",
        0x25..=0x27 => "map",
        0x30 => "combat-table",
        0x31 => "string",
        0x32 => "particle-emitter",
        0x33 => "script",
        0x34 => "script-table",
        0x39 => "master-property",
        0x40 => "font",
        0x41 => "string-state",
        0x78 => "properties",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_means_another_thing_in_another_archive() {
        let kind = |id, contents| RecordKind::of(RecordId(id), contents);
        assert_eq!(kind(0x0900_0001, Contents::Portal), RecordKind::MotionTable);
        assert_eq!(kind(0x0900_0001, Contents::Cell), RecordKind::EnvCell);
        assert_eq!(kind(0xA9B4_FFFF, Contents::Cell), RecordKind::LandBlock);
        assert_eq!(kind(0xA9B4_FFFE, Contents::Cell), RecordKind::LandBlockInfo);
        assert_eq!(kind(0xFFFF_0001, Contents::Cell), RecordKind::Iterations);
        assert_eq!(kind(0x0100_0001, Contents::Portal).name(), "mesh");
        assert_eq!(kind(0x7700_0001, Contents::Portal).name(), "unknown");
    }
}
