//! Messages, which travel in fragments, from the opcode to the last byte.

mod aside;
mod movement;
mod object;
mod player;
mod position;
mod weenie;

use alloc::{boxed::Box, vec::Vec};

use evenstride_types::{
    EntityId,
    update::{
        CreateUpdate, DeleteUpdate, MovementBody, MovementUpdate, ParentUpdate, PickupUpdate, PositionUpdate,
        StateUpdate, TeleportUpdate, Update, VectorUpdate,
    },
};

pub use self::{
    aside::Aside,
    object::{AppearanceUpdate, CreateMessage, Looks, PackedId, PalettePatch, PartPatch, Text, TexturePatch},
    player::{ActionMessage, OtherAction},
    weenie::{RestrictionList, WeenieDescription, WeenieField, WeenieValue},
};
use crate::{
    DecodeError,
    reader::{Read, Reader},
    writer::Writer,
};

/// A message with all its fields.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// An entity appears or is described again, with looks and game data. Opcode F745.
    Create(Box<CreateMessage>),
    /// An entity is removed and created from scratch. Opcode F7DB.
    Recreate(Box<CreateMessage>),
    /// The looks of an entity change. Opcode F625.
    Appearance(AppearanceUpdate),
    /// Any other motion message from the server.
    Update(Update),
    /// An action of a player's client. Opcode F7B1.
    Action(ActionMessage),
    /// A message with a known layout that does not concern motion.
    Aside(Aside),
    /// Any other message, with its bytes unread.
    Other {
        /// The opcode.
        opcode: u32,
        /// All bytes after the opcode.
        bytes: Vec<u8>,
    },
}

impl From<Update> for Message {
    /// Converts an update to a message. A create message gets unchanged looks, and no game data
    /// except its item type.
    fn from(update: Update) -> Self {
        match update {
            Update::Create(create) => Self::Create(Box::new(CreateMessage::plain(create))),
            Update::Recreate(create) => Self::Recreate(Box::new(CreateMessage::plain(create))),
            update => Self::Update(update),
        }
    }
}

impl Message {
    /// Returns the opcode.
    pub const fn opcode(&self) -> u32 {
        match self {
            Self::Create(_) => 0xF745,
            Self::Recreate(_) => 0xF7DB,
            Self::Appearance(_) => 0xF625,
            Self::Update(update) => update.opcode(),
            Self::Action(_) => crate::ACTION_WRAPPER,
            Self::Aside(aside) => aside.opcode(),
            Self::Other { opcode, .. } => *opcode,
        }
    }

    /// Returns the entity that the message concerns, which is the held entity for
    /// [`Update::Parent`].
    ///
    /// An action concerns the client's own player and does not name it, so the result is `None`.
    pub fn entity(&self) -> Option<EntityId> {
        match self {
            Self::Create(create) | Self::Recreate(create) => Some(create.update.entity),
            Self::Appearance(update) => Some(update.entity),
            Self::Update(update) => update.entity(),
            Self::Aside(aside) => aside.entity(),
            Self::Action(_) | Self::Other { .. } => None,
        }
    }

    /// Converts the message to an update for a motion world. Returns `None` if it is not one.
    pub fn into_update(self) -> Option<Update> {
        match self {
            Self::Create(create) => Some(Update::Create(create.update)),
            Self::Recreate(create) => Some(Update::Recreate(create.update)),
            Self::Update(update) => Some(update),
            Self::Appearance(_) | Self::Action(_) | Self::Aside(_) | Self::Other { .. } => None,
        }
    }
}

/// A decoded message.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The message.
    pub message: Message,
    /// Offset of the first padding that is not zero, if there is any. Encoding such a message does
    /// not give the same bytes.
    pub odd_padding: Option<usize>,
}

/// Reads a whole message, from its opcode to its last byte.
///
/// # Errors
/// [`DecodeError`] if the message is truncated, too long, or has an invalid value.
pub fn decode(bytes: &[u8]) -> Result<Decoded, DecodeError> {
    read_whole(&mut Reader::new(bytes)).map_err(|error| *error)
}

/// Reads a movement without its stamps, as in a description. Returns it with its length in bytes.
///
/// Alignment counts from its first byte.
///
/// # Errors
/// [`DecodeError`] if the movement is truncated.
pub fn decode_movement(bytes: &[u8]) -> Result<(MovementBody, usize), DecodeError> {
    let mut reader = Reader::new(bytes);
    match movement::read_body(&mut reader) {
        Ok(body) => Ok((body, reader.offset())),
        Err(error) => Err(*error),
    }
}

/// Appends a whole message to a buffer. Lists that are longer than the format allows are cut off.
pub fn encode(message: &Message, bytes: &mut Vec<u8>) {
    let mut writer = Writer::new(bytes);
    writer.u32(message.opcode());
    match message {
        Message::Create(create) | Message::Recreate(create) => create.write(&mut writer),
        Message::Appearance(appearance) => appearance.write(&mut writer),
        Message::Update(update) => write_update(update, &mut writer),
        Message::Action(action) => action.write(&mut writer),
        Message::Aside(aside) => aside.write(&mut writer),
        Message::Other { bytes, .. } => writer.slice(bytes),
    }
}

#[inline]
fn read_whole(reader: &mut Reader<'_>) -> Read<Decoded> {
    let message = read(reader)?;
    reader.finish("message")?;
    Ok(Decoded { message, odd_padding: reader.odd_padding() })
}

/// Reads a message. Most messages are positions, so these skip the match over all other opcodes.
#[inline]
fn read(reader: &mut Reader<'_>) -> Read<Message> {
    match reader.u32("opcode")? {
        0xF748 => Ok(Message::Update(Update::Position(PositionUpdate {
            entity: reader.entity("entity")?,
            pack: position::read_pack(reader)?,
        }))),
        opcode => read_other(opcode, reader),
    }
}

#[inline(never)]
fn read_other(opcode: u32, reader: &mut Reader<'_>) -> Read<Message> {
    Ok(Message::Update(match opcode {
        0xF74C => {
            let (entity, instance) = (reader.entity("entity")?, reader.stamp("instance stamp")?);
            Update::Movement(MovementUpdate { entity, instance, movement: movement::read(reader)? })
        }
        0xF74E => Update::Vector(VectorUpdate {
            entity: reader.entity("entity")?,
            velocity: reader.vector("velocity")?,
            omega: reader.vector("omega")?,
            instance: reader.stamp("instance stamp")?,
            stamp: reader.stamp("vector stamp")?,
        }),
        0xF619 => {
            let position =
                PositionUpdate { entity: reader.entity("entity")?, pack: position::read_pack(reader)? };
            Update::PositionAndMovement { position, movement: movement::read(reader)? }
        }
        0xF746 => Update::LocalPlayer(reader.entity("entity")?),
        0xF747 => {
            let delete =
                DeleteUpdate { entity: reader.entity("entity")?, instance: reader.stamp("instance stamp")? };
            reader.align("padding")?;
            Update::Delete(delete)
        }
        0xF749 => Update::Parent(ParentUpdate {
            holder: reader.entity("holder")?,
            held: reader.entity("held")?,
            location: reader.u32("location")?,
            placement_frame: reader.u32("placement frame")?,
            holder_instance: reader.stamp("holder's instance stamp")?,
            held_position: reader.stamp("held's position stamp")?,
        }),
        0xF74A => Update::Pickup(PickupUpdate {
            entity: reader.entity("entity")?,
            instance: reader.stamp("instance stamp")?,
            position: reader.stamp("position stamp")?,
        }),
        0xF74B => Update::State(StateUpdate {
            entity: reader.entity("entity")?,
            state: object::read_state(reader)?,
            instance: reader.stamp("instance stamp")?,
            stamp: reader.stamp("state stamp")?,
        }),
        0xF751 => {
            let teleport = TeleportUpdate { teleport: reader.stamp("teleport stamp")? };
            reader.align("padding")?;
            Update::Teleport(teleport)
        }
        0xF745 => return Ok(Message::Create(Box::new(CreateMessage::read(reader)?))),
        0xF7DB => return Ok(Message::Recreate(Box::new(CreateMessage::read(reader)?))),
        0xF625 => return Ok(Message::Appearance(AppearanceUpdate::read(reader)?)),
        crate::ACTION_WRAPPER => return Ok(Message::Action(ActionMessage::read(reader)?)),
        opcode => {
            return Ok(match Aside::read(opcode, reader)? {
                Some(aside) => Message::Aside(aside),
                None => Message::Other { opcode, bytes: reader.rest().to_vec() },
            });
        }
    }))
}

fn write_update(update: &Update, writer: &mut Writer<'_>) {
    match update {
        Update::Position(update) => {
            writer.entity(update.entity);
            position::write_pack(&update.pack, writer);
        }
        Update::Movement(update) => {
            writer.entity(update.entity);
            writer.stamp(update.instance);
            movement::write(&update.movement, writer);
        }
        Update::Vector(update) => {
            writer.entity(update.entity);
            writer.vector(update.velocity);
            writer.vector(update.omega);
            writer.stamp(update.instance);
            writer.stamp(update.stamp);
        }
        Update::PositionAndMovement { position, movement } => {
            writer.entity(position.entity);
            position::write_pack(&position.pack, writer);
            movement::write(movement, writer);
        }
        Update::LocalPlayer(entity) => writer.entity(*entity),
        Update::Delete(update) => {
            writer.entity(update.entity);
            writer.stamp(update.instance);
            writer.align();
        }
        Update::Parent(update) => {
            writer.entity(update.holder);
            writer.entity(update.held);
            writer.u32(update.location);
            writer.u32(update.placement_frame);
            writer.stamp(update.holder_instance);
            writer.stamp(update.held_position);
        }
        Update::Pickup(update) => {
            writer.entity(update.entity);
            writer.stamp(update.instance);
            writer.stamp(update.position);
        }
        Update::State(update) => {
            writer.entity(update.entity);
            writer.u32(update.state.bits());
            writer.stamp(update.instance);
            writer.stamp(update.stamp);
        }
        Update::Teleport(update) => {
            writer.stamp(update.teleport);
            writer.align();
        }
        // A description alone has neither looks nor game data, so both are written empty.
        Update::Create(update) | Update::Recreate(update) => write_plain_create(update, writer),
        _ => {}
    }
}

fn write_plain_create(update: &CreateUpdate, writer: &mut Writer<'_>) {
    CreateMessage::plain(update.clone()).write(writer);
}
