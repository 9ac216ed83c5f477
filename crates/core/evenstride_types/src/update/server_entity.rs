//! The sending side of the stamps, with one entity as a server describes it.

use glam::Vec3;

use super::{
    ActionItem, CreateUpdate, DeleteUpdate, InterpretedState, MotionCommand, Movement, MovementBody,
    MovementKind, MovementUpdate, ParentUpdate, PhysicsDescription, PhysicsState, PickupUpdate, PositionPack,
    PositionUpdate, StateUpdate, Update, VectorUpdate,
};
use crate::{EntityId, Placement, Stamp, StampKind, StampTable};

/// Makes the messages about one entity, and counts its stamps as a server does.
///
/// Every message takes the next stamp of its kind, so a receiver accepts messages in the order in
/// which they were made. Servers, simulators and tests need this type, and a client does not.
///
/// ```
/// use evenstride_types::{
///     CellId, EntityId, Placement, Pose, Stamp,
///     update::{MotionCommand, ServerEntity, Update},
/// };
///
/// let here = Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY);
/// let mut drudge = ServerEntity::new(EntityId::new(0x8000_0001));
/// let messages = [
///     drudge.create(drudge.description(&here)),
///     drudge.runs(1.5),
///     drudge.position(&here),
///     drudge.position(&here),
/// ];
/// let Update::Position(last) = &messages[3] else { unreachable!() };
/// assert_eq!(last.pack.position, Stamp::new(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ServerEntity {
    /// The entity that all messages are about.
    pub id: EntityId,
    /// The stamp of each kind in the newest message.
    pub stamps: StampTable,
    /// The stamp of the newest action. Action stamps have 15 bits.
    action: u16,
}

impl ServerEntity {
    /// Starts an entity's first life. Its instance stamp is 1, all other stamps are 0.
    pub const fn new(id: EntityId) -> Self {
        let mut stamps = StampTable::new([Stamp::new(0); StampKind::COUNT]);
        stamps.set(StampKind::Instance, Stamp::new(1));
        Self { id, stamps, action: 0 }
    }

    /// Returns the entity in its next life. The instance stamp is the next one, and all other
    /// stamps are 0.
    #[must_use]
    pub const fn next_life(mut self) -> Self {
        let instance = self.next(StampKind::Instance);
        self = Self::new(self.id);
        self.stamps.set(StampKind::Instance, instance);
        self
    }

    /// Returns the stamp of this kind in the newest message.
    pub const fn stamp(&self, kind: StampKind) -> Stamp {
        self.stamps.seen(kind)
    }

    /// Advances the counter of this kind, and returns the new stamp.
    pub const fn next(&mut self, kind: StampKind) -> Stamp {
        let stamp = self.stamps.seen(kind).next();
        self.stamps.set(kind, stamp);
        stamp
    }

    /// Returns a description of the entity standing at `place`, with its stamps and the client's
    /// defaults.
    pub fn description(&self, place: &Placement) -> PhysicsDescription {
        PhysicsDescription::standing(place, self.stamps)
    }

    /// Makes a create message (F745) of a creature.
    pub fn create(&self, physics: PhysicsDescription) -> Update {
        Update::Create(CreateUpdate::new(self.id, physics))
    }

    /// Makes a delete message (F747).
    pub const fn delete(&self) -> Update {
        Update::Delete(DeleteUpdate { entity: self.id, instance: self.stamp(StampKind::Instance) })
    }

    /// Makes a position message (F748) of the entity standing at `place`.
    pub fn position(&mut self, place: &Placement) -> Update {
        let pack = self.position_pack(place);
        Update::Position(PositionUpdate { entity: self.id, pack })
    }

    /// Makes the body of a position message, for callers that change it before they send it.
    pub fn position_pack(&mut self, place: &Placement) -> PositionPack {
        let position = self.next(StampKind::Position);
        PositionPack {
            teleport: self.stamp(StampKind::Teleport),
            force_position: self.stamp(StampKind::ForcePosition),
            ..PositionPack::standing(place, self.stamp(StampKind::Instance), position)
        }
    }

    /// Makes a position message that teleports the entity to `place`.
    pub fn teleport(&mut self, place: &Placement) -> Update {
        self.next(StampKind::Teleport);
        self.position(place)
    }

    /// Makes a movement message (F74C) that the entity's own player caused.
    pub fn autonomous(&mut self, kind: MovementKind) -> Update {
        self.movement(kind, 1)
    }

    /// Makes a movement message (F74C) by which the server takes control of the entity.
    pub fn ordered(&mut self, kind: MovementKind) -> Update {
        self.next(StampKind::ServerControlledMove);
        self.movement(kind, 0)
    }

    /// Makes a movement message (F74C) of a player that runs ahead at `speed` times the usual speed.
    pub fn runs(&mut self, speed: f32) -> Update {
        self.does(InterpretedState::doing(MotionCommand::RUN_FORWARD, speed))
    }

    /// Makes a movement message (F74C) of a player that stands.
    pub fn stands(&mut self) -> Update {
        self.does(InterpretedState::default())
    }

    /// Makes a movement message (F74C) of a player in this motion state.
    pub fn does(&mut self, state: InterpretedState) -> Update {
        self.autonomous(MovementKind::Interpreted { state, stick_to: None })
    }

    /// Makes a movement message (F74C) without advancing the stamp of server control.
    ///
    /// `autonomous` is the byte on the wire, which is non-zero if the entity's own player caused
    /// the movement.
    pub fn movement(&mut self, kind: MovementKind, autonomous: u8) -> Update {
        let movement = Movement {
            stamp: self.next(StampKind::Movement),
            server_control: self.stamp(StampKind::ServerControlledMove),
            autonomous,
            body: MovementBody::new(kind),
        };
        let instance = self.stamp(StampKind::Instance);
        Update::Movement(MovementUpdate { entity: self.id, instance, movement })
    }

    /// Makes the entry of a motion state that plays an action once, with the next action stamp.
    pub const fn action(&mut self, command: MotionCommand) -> ActionItem {
        self.action = self.action.wrapping_add(1) & 0x7FFF;
        ActionItem { command: command.index(), stamp: self.action, autonomous: false, speed: 1.0 }
    }

    /// Makes a vector message (F74E) without spin. The velocity is in metres per second, world
    /// axes.
    pub fn velocity(&mut self, velocity: impl Into<Vec3>) -> Update {
        let velocity = velocity.into();
        let stamp = self.next(StampKind::Vector);
        let instance = self.stamp(StampKind::Instance);
        Update::Vector(VectorUpdate { entity: self.id, velocity, omega: Vec3::ZERO, instance, stamp })
    }

    /// Makes a state message (F74B).
    pub const fn state(&mut self, state: PhysicsState) -> Update {
        let stamp = self.next(StampKind::State);
        Update::State(StateUpdate {
            entity: self.id,
            state,
            instance: self.stamp(StampKind::Instance),
            stamp,
        })
    }

    /// Makes a pickup message (F74A).
    pub const fn pickup(&mut self) -> Update {
        let position = self.next(StampKind::Position);
        let instance = self.stamp(StampKind::Instance);
        Update::Pickup(PickupUpdate { entity: self.id, instance, position })
    }

    /// Makes a parent message (F749) that attaches the entity to the place `location` on `holder`.
    pub const fn held_by(&mut self, holder: &Self, location: u32) -> Update {
        Update::Parent(ParentUpdate {
            holder: holder.id,
            held: self.id,
            location,
            placement_frame: 1,
            holder_instance: holder.stamp(StampKind::Instance),
            held_position: self.next(StampKind::Position),
        })
    }
}
