//! Messages beside motion that have a known layout: sounds, scripts, events, properties that are places.

use alloc::vec::Vec;

use evenstride_types::{EntityId, RawPlacement};

use crate::{
    reader::{Read, Reader},
    writer::Writer,
};

/// A message that moves nothing, but whose layout is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Aside {
    /// An entity makes a sound. Opcode F750.
    Sound {
        /// Who.
        entity: EntityId,
        /// Which.
        sound: u32,
        /// How loud.
        volume: f32,
    },
    /// An entity plays a script of effects. Opcode F754.
    Script {
        /// Who.
        entity: EntityId,
        /// Its record.
        script: u32,
    },
    /// An entity plays a script from its own table. Opcode F755.
    ScriptType {
        /// Who.
        entity: EntityId,
        /// Which.
        kind: u32,
        /// How strongly.
        intensity: f32,
    },
    /// Something else happened in the game; kept whole. Opcode F7B0.
    GameEvent {
        /// To whom.
        entity: EntityId,
        /// Order among events.
        sequence: u32,
        /// What.
        event: u32,
        /// Everything after that.
        bytes: Vec<u8>,
    },
    /// A place that is a property, such as where a recall leads: it moves nobody. Opcode 02DB, or 02DC with an entity.
    PositionProperty {
        /// Order among properties.
        sequence: u8,
        /// Whose; `None` for the player's own.
        entity: Option<EntityId>,
        /// Which.
        kind: u32,
        /// Where.
        place: RawPlacement,
    },
}

impl Aside {
    /// The number it begins with.
    pub const fn opcode(&self) -> u32 {
        match self {
            Self::Sound { .. } => 0xF750,
            Self::Script { .. } => 0xF754,
            Self::ScriptType { .. } => 0xF755,
            Self::GameEvent { .. } => 0xF7B0,
            Self::PositionProperty { entity: None, .. } => 0x02DB,
            Self::PositionProperty { entity: Some(_), .. } => 0x02DC,
        }
    }

    /// Whom it is about.
    pub const fn entity(&self) -> Option<EntityId> {
        match self {
            Self::Sound { entity, .. }
            | Self::Script { entity, .. }
            | Self::ScriptType { entity, .. }
            | Self::GameEvent { entity, .. } => Some(*entity),
            Self::PositionProperty { entity, .. } => *entity,
        }
    }

    /// `None` if the opcode is none of these.
    pub(super) fn read(opcode: u32, reader: &mut Reader<'_>) -> Read<Option<Self>> {
        Ok(Some(match opcode {
            0xF750 => Self::Sound {
                entity: reader.entity("entity")?,
                sound: reader.u32("sound")?,
                volume: reader.f32("volume")?,
            },
            0xF754 => Self::Script { entity: reader.entity("entity")?, script: reader.u32("script")? },
            0xF755 => Self::ScriptType {
                entity: reader.entity("entity")?,
                kind: reader.u32("script type")?,
                intensity: reader.f32("intensity")?,
            },
            0xF7B0 => Self::GameEvent {
                entity: reader.entity("entity")?,
                sequence: reader.u32("event sequence")?,
                event: reader.u32("event type")?,
                bytes: reader.rest().to_vec(),
            },
            0x02DB | 0x02DC => Self::PositionProperty {
                sequence: reader.u8("property sequence")?,
                entity: if opcode == 0x02DC { Some(reader.entity("entity")?) } else { None },
                kind: reader.u32("property")?,
                place: reader.placement("place")?,
            },
            _ => return Ok(None),
        }))
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        match self {
            Self::Sound { entity, sound: number, volume: strength }
            | Self::ScriptType { entity, kind: number, intensity: strength } => {
                writer.entity(*entity);
                writer.u32(*number);
                writer.f32(*strength);
            }
            Self::Script { entity, script } => {
                writer.entity(*entity);
                writer.u32(*script);
            }
            Self::GameEvent { entity, sequence, event, bytes } => {
                writer.entity(*entity);
                writer.u32(*sequence);
                writer.u32(*event);
                writer.slice(bytes);
            }
            Self::PositionProperty { sequence, entity, kind, place } => {
                writer.slice(&[*sequence]);
                entity.iter().for_each(|entity| writer.entity(*entity));
                writer.u32(*kind);
                writer.placement(place);
            }
        }
    }
}
