//! Messages with a known layout that do not concern motion, such as sounds, effect scripts, game
//! events and places stored as properties.

use alloc::vec::Vec;

use evenstride_types::{EntityId, RawPlacement};

use crate::{
    reader::{Read, Reader},
    writer::Writer,
};

/// A message that moves no entity, but has a known layout.
#[derive(Clone, Debug, PartialEq)]
pub enum Aside {
    /// An entity makes a sound. Opcode F750.
    Sound {
        /// The entity.
        entity: EntityId,
        /// Number of the sound.
        sound: u32,
        /// Volume.
        volume: f32,
    },
    /// An entity plays a script of effects. Opcode F754.
    Script {
        /// The entity.
        entity: EntityId,
        /// Record of the script.
        script: u32,
    },
    /// An entity plays a script from its own table. Opcode F755.
    ScriptType {
        /// The entity.
        entity: EntityId,
        /// Number of the script in the table.
        kind: u32,
        /// Intensity.
        intensity: f32,
    },
    /// Another event of the game, with its bytes unread. Opcode F7B0.
    GameEvent {
        /// The entity that receives the event.
        entity: EntityId,
        /// Order among events.
        sequence: u32,
        /// Number of the event.
        event: u32,
        /// All bytes after the event number.
        bytes: Vec<u8>,
    },
    /// A place that is a property, such as the target of a recall. It moves no entity. Opcode 02DB,
    /// or 02DC with an entity.
    PositionProperty {
        /// Order among properties.
        sequence: u8,
        /// The owner, or `None` for the player's own property.
        entity: Option<EntityId>,
        /// Number of the property.
        kind: u32,
        /// The place.
        place: RawPlacement,
    },
}

impl Aside {
    /// Returns the opcode.
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

    /// Returns the entity that the message concerns.
    pub const fn entity(&self) -> Option<EntityId> {
        match self {
            Self::Sound { entity, .. }
            | Self::Script { entity, .. }
            | Self::ScriptType { entity, .. }
            | Self::GameEvent { entity, .. } => Some(*entity),
            Self::PositionProperty { entity, .. } => *entity,
        }
    }

    /// Reads the rest of a message. Returns `None` if the opcode belongs to no message of this
    /// type.
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
