//! An actor is an entity from the server's point of view, in home coordinates.

use std::ops::{Deref, DerefMut};

use evenstride_types::{
    EntityId, Placement, RawPlacement, Stamp, StampKind, Vec3,
    update::{
        Attachment, DescribedMovement, InterpretedState, MoveToParams, MovementBody, MovementKind,
        PhysicsDescription, Resources, ServerEntity, TurnToParams, Update,
    },
};

use crate::{HOME, at};

/// A [`ServerEntity`] whose places are two home coordinates, with verbs for the messages that tests
/// need most.
#[derive(Clone, Copy, Debug)]
pub struct Actor(ServerEntity);

impl Deref for Actor {
    type Target = ServerEntity;

    fn deref(&self) -> &ServerEntity {
        &self.0
    }
}

impl DerefMut for Actor {
    fn deref_mut(&mut self) -> &mut ServerEntity {
        &mut self.0
    }
}

impl Actor {
    /// Creates an actor with all stamps 0, like a body that was inserted without stamps.
    pub const fn new(id: u32) -> Self {
        let mut entity = ServerEntity::new(EntityId::new(id));
        entity.stamps.set(StampKind::Instance, Stamp::new(0));
        Self(entity)
    }

    /// Returns the actor in its next life.
    #[must_use]
    pub const fn reborn(self) -> Self {
        Self(self.0.next_life())
    }

    /// Describes a person at a place, or outside the world.
    pub fn description(&self, position: Option<&Placement>) -> PhysicsDescription {
        PhysicsDescription {
            position: position.map(RawPlacement::from),
            resources: Resources { motion_table: Some(0x0900_0001), ..Resources::default() },
            ..PhysicsDescription::nowhere(self.stamps)
        }
    }

    /// Makes a create message for a person who stands at this place.
    pub fn created(&self, x: f32, y: f32) -> Update {
        self.create(self.description(Some(&at(x, y))))
    }

    /// Makes a create message for an item that is held at this location of its holder.
    pub fn created_held(&self, holder: EntityId, location: u32) -> Update {
        let parent = Some(Attachment { entity: holder, location });
        self.create(PhysicsDescription { parent, ..self.description(None) })
    }

    /// Makes a position message.
    pub fn position(&mut self, x: f32, y: f32) -> Update {
        self.0.position(&at(x, y))
    }

    /// Makes a position message that teleports the actor.
    pub fn teleport(&mut self, x: f32, y: f32) -> Update {
        self.0.teleport(&at(x, y))
    }

    /// Makes a position message that corrects the local player.
    pub fn forced(&mut self, x: f32, y: f32) -> Update {
        self.next(StampKind::ForcePosition);
        self.position(x, y)
    }

    /// Makes a movement message. `autonomous` is the byte in the message. If it is 0, the server
    /// takes control.
    pub fn moves(&mut self, state: InterpretedState, autonomous: u8) -> Update {
        self.told(MovementKind::Interpreted { state, stick_to: None }, autonomous)
    }

    /// Makes a movement message that has the actor stand and follow a target.
    pub fn follows(&mut self, target: EntityId) -> Update {
        let stick_to = Some(target);
        self.ordered(MovementKind::Interpreted { state: InterpretedState::default(), stick_to })
    }

    /// Makes a move-to message to an entity. The message gives a place near the corner of the
    /// landblock.
    pub fn sent_to(&mut self, target: EntityId, params: MoveToParams) -> Update {
        let (cell, origin, run_rate) = (HOME, Vec3::new(1.0, 1.0, 10.0), 1.0);
        self.ordered(MovementKind::MoveToObject { target, cell, origin, params, run_rate })
    }

    /// Makes a move-to message to a place.
    pub fn sent_to_place(&mut self, x: f32, y: f32, params: MoveToParams) -> Update {
        let place = at(x, y);
        let (cell, origin, run_rate) = (place.cell.raw(), place.pose.origin(), 1.0);
        self.ordered(MovementKind::MoveToPosition { cell, origin, params, run_rate })
    }

    /// Makes a turn-to message. `heading` is in degrees, clockwise from north.
    pub fn told_to_face(&mut self, heading: f32) -> Update {
        let params = TurnToParams { desired_heading_deg: heading, ..TurnToParams::default() };
        self.ordered(MovementKind::TurnToHeading(params))
    }

    /// Makes any movement message. `autonomous` is the byte in the message. If it is 0, the server
    /// takes control.
    pub fn told(&mut self, kind: MovementKind, autonomous: u8) -> Update {
        match autonomous {
            0 => self.ordered(kind),
            autonomous => self.movement(kind, autonomous),
        }
    }
}

/// Returns a movement in progress that the server ordered, in the form that a create message
/// carries.
pub const fn under_way(kind: MovementKind) -> Option<DescribedMovement> {
    Some(DescribedMovement::Doing { body: MovementBody::new(kind), autonomous: 0 })
}
