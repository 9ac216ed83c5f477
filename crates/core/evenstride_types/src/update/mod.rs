//! What was said: every motion message as plain data, with nothing left out and nothing judged.
//!
//! These types hold what a message *says*, including what the client ignores, so that a decoded message can be encoded again
//! to the same bytes. A field that may be absent on the wire is an `Option` here; flag words keep bits nobody has named;
//! numbers may be NaN and cells may not exist, because that is what arrived. Whoever applies an update asks
//! [`RawPlacement::check`](crate::RawPlacement::check) first.
//!
//! Messages from the server are [`Update`]s, messages to it [`PlayerAction`]s.

mod command;
mod movement;
mod object;
mod player;
mod position;

pub use command::{CommandIndex, CommandTable, MotionCommand};
pub use movement::{
    ActionItem, InterpretedState, MoveToFlags, MoveToParams, Movement, MovementBody, MovementKind,
    MovementUpdate, TurnToParams,
};
pub use object::{
    Attachment, CreateUpdate, DeleteUpdate, DescribedMovement, ItemType, ParentUpdate, PhysicsDescription,
    PhysicsState, PickupUpdate, Resources, StateUpdate, TeleportUpdate, VectorUpdate,
};
pub use player::{
    AutonomousPosition, Contact, HoldKey, Jump, MoveToState, MovementCommand, PlayerAction, PlayerStamps,
    RawAxis, RawState, StopCommand,
};
pub use position::{PositionPack, PositionUpdate, SparseQuaternion};

use crate::EntityId;

/// A motion message from the server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Update {
    /// An entity appears, or one already known is described again. Opcode F745.
    Create(CreateUpdate),
    /// An entity is to be thrown away and made anew. Opcode F7DB.
    Recreate(CreateUpdate),
    /// Which entity the local player is. Opcode F746.
    LocalPlayer(EntityId),
    /// An entity is gone. Opcode F747.
    Delete(DeleteUpdate),
    /// Where an entity is. Opcode F748.
    Position(PositionUpdate),
    /// An entity is held by another from now on. Opcode F749.
    Parent(ParentUpdate),
    /// An entity left the world into somebody's pack. Opcode F74A.
    Pickup(PickupUpdate),
    /// New physics state bits. Opcode F74B.
    State(StateUpdate),
    /// What an entity is doing. Opcode F74C.
    Movement(MovementUpdate),
    /// Velocity and spin, at once. Opcode F74E.
    Vector(VectorUpdate),
    /// The local player's teleport begins. Opcode F751.
    Teleport(TeleportUpdate),
    /// Where an entity is and what it is doing, in one message. Opcode F619.
    PositionAndMovement {
        /// Where.
        position: PositionUpdate,
        /// What.
        movement: Movement,
    },
}

impl Update {
    /// The entity the message is about; `None` for the local player's teleport, which names nobody.
    ///
    /// For [`Update::Parent`] it is the held entity.
    pub const fn entity(&self) -> Option<EntityId> {
        Some(match self {
            Self::Create(update) | Self::Recreate(update) => update.entity,
            Self::LocalPlayer(entity) => *entity,
            Self::Delete(update) => update.entity,
            Self::Position(update) => update.entity,
            Self::Parent(update) => update.held,
            Self::Pickup(update) => update.entity,
            Self::State(update) => update.entity,
            Self::Movement(update) => update.entity,
            Self::Vector(update) => update.entity,
            Self::PositionAndMovement { position, .. } => position.entity,
            Self::Teleport(_) => return None,
        })
    }

    /// The number that starts the message on the wire.
    pub const fn opcode(&self) -> u32 {
        match self {
            Self::Create(_) => 0xF745,
            Self::Recreate(_) => 0xF7DB,
            Self::LocalPlayer(_) => 0xF746,
            Self::Delete(_) => 0xF747,
            Self::Position(_) => 0xF748,
            Self::Parent(_) => 0xF749,
            Self::Pickup(_) => 0xF74A,
            Self::State(_) => 0xF74B,
            Self::Movement(_) => 0xF74C,
            Self::Vector(_) => 0xF74E,
            Self::Teleport(_) => 0xF751,
            Self::PositionAndMovement { .. } => 0xF619,
        }
    }
}
