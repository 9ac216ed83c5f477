//! Every motion message as plain data, complete and unchecked.
//!
//! These types hold everything that a message says, including parts that the client ignores. A
//! decoded message can therefore be encoded again to the same bytes. A field that may be absent on
//! the wire is an `Option`. Flag words keep unnamed bits. Numbers may be NaN and cells may be
//! invalid, because a message can contain such values. Code that applies an update calls
//! [`RawPlacement::check`](crate::RawPlacement::check) first.
//!
//! Messages from the server are [`Update`]s, messages to the server are [`PlayerAction`]s.
//! `evenstride_wire` converts both from and to bytes.

mod command;
mod movement;
mod object;
mod player;
mod position;
mod server_entity;

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
pub use server_entity::ServerEntity;

use crate::EntityId;

/// A motion message from the server.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[non_exhaustive]
pub enum Update {
    /// An entity appears, or a known one is described again (opcode F745).
    Create(CreateUpdate),
    /// An entity is removed and created from scratch (opcode F7DB).
    Recreate(CreateUpdate),
    /// The entity that is the local player (opcode F746).
    LocalPlayer(EntityId),
    /// An entity is deleted (opcode F747).
    Delete(DeleteUpdate),
    /// The place of an entity (opcode F748).
    Position(PositionUpdate),
    /// An entity moves into the hand of another (opcode F749).
    Parent(ParentUpdate),
    /// An entity leaves the world into a pack (opcode F74A).
    Pickup(PickupUpdate),
    /// New physics state bits (opcode F74B).
    State(StateUpdate),
    /// The motion or goal of an entity (opcode F74C).
    Movement(MovementUpdate),
    /// Velocity and spin that take effect at once (opcode F74E).
    Vector(VectorUpdate),
    /// The local player's teleport begins (opcode F751).
    Teleport(TeleportUpdate),
    /// Place and motion of an entity in one message (opcode F619). ACE never sends it.
    PositionAndMovement {
        /// The place. It is applied first, and names the entity.
        position: PositionUpdate,
        /// The motion.
        movement: Movement,
    },
}

impl Update {
    /// Returns the entity that the message is about, or `None` for the local player's teleport,
    /// which names no entity.
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

    /// Returns the number that starts the message on the wire.
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
