//! Entities coming, going, being held, and what they are made of.

use alloc::{boxed::Box, vec::Vec};

use bitflags::bitflags;
use glam::Vec3;

use super::MovementBody;
use crate::{EntityId, Placement, RawPlacement, Stamp, StampTable};

/// An entity appears, or is described again. Opcodes F745 and F7DB.
///
/// Only what concerns motion: looks and game data stand beside the physics description on the wire and are not motion.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateUpdate {
    /// Who.
    pub entity: EntityId,
    /// How it moves, where it is, and all nine stamps.
    ///
    /// Apart, so that other updates need not be as large as this one.
    pub physics: Box<PhysicsDescription>,
    /// What sort of thing it is.
    pub item_type: ItemType,
}

impl CreateUpdate {
    /// Describes a creature.
    pub fn new(entity: EntityId, physics: PhysicsDescription) -> Self {
        Self { entity, physics: Box::new(physics), item_type: ItemType::CREATURE }
    }

    /// Changes the item type.
    #[must_use]
    pub fn of_type(self, item_type: ItemType) -> Self {
        Self { item_type, ..self }
    }
}

/// What sort of thing an entity is, as a bit set of the game. Motion asks one question of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItemType(pub u32);

impl ItemType {
    /// Creatures, players among them.
    pub const CREATURE: Self = Self(0x10);
    /// Weapons that shoot, and what they shoot.
    pub const MISSILE_WEAPON: Self = Self(0x100);

    /// Returns whether the ground rules of the motion interpreter apply: falling, landing, taking off.
    ///
    /// Retail: `ACCWeenieObject::IsCreature`, asked by `CMotionInterp::LeaveGround` (11.4186 @ 0x00528B00)
    pub const fn is_creature(self) -> bool {
        self.0 & Self::CREATURE.0 != 0
    }
}

/// Everything physical about an entity. What is absent was not sent.
///
/// Retail: `CPhysicsObj::set_description` (11.4186 @ 0x00514F40)
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "PhysicsDesc")]
pub struct PhysicsDescription {
    /// Physics state bits.
    pub state: PhysicsState,
    /// What it is doing; excludes `placement_frame`.
    pub movement: Option<DescribedMovement>,
    /// Pose of a thing without animation.
    pub placement_frame: Option<u32>,
    /// Where it is.
    pub position: Option<RawPlacement>,
    /// Archive records it is drawn and moved with.
    pub resources: Resources,
    /// Who holds it, and where.
    pub parent: Option<Attachment>,
    /// Whom it holds, and where; absent and empty differ on the wire.
    pub children: Option<Vec<Attachment>>,
    /// Size factor.
    pub scale: Option<f32>,
    /// Friction.
    pub friction: Option<f32>,
    /// Bounciness.
    pub elasticity: Option<f32>,
    /// Translucency.
    pub translucency: Option<f32>,
    /// Velocity, world axes.
    pub velocity: Option<Vec3>,
    /// Acceleration, world axes. The client reads and ignores it.
    pub acceleration: Option<Vec3>,
    /// Spin, world axes, radians a second.
    pub omega: Option<Vec3>,
    /// Script to play at rest.
    pub default_script: Option<u32>,
    /// How strongly to play it.
    pub default_script_intensity: Option<f32>,
    /// The newest stamp of each kind.
    pub stamps: StampTable,
    /// Presence bits that have no field above.
    pub other_flags: u32,
}

impl PhysicsDescription {
    /// Nothing but stamps: an entity of the client's defaults that is nowhere. Fill in what is known.
    pub fn nowhere(stamps: StampTable) -> Self {
        Self {
            state: PhysicsState::default(),
            movement: None,
            placement_frame: None,
            position: None,
            resources: Resources::default(),
            parent: None,
            children: None,
            scale: None,
            friction: None,
            elasticity: None,
            translucency: None,
            velocity: None,
            acceleration: None,
            omega: None,
            default_script: None,
            default_script_intensity: None,
            stamps,
            other_flags: 0,
        }
    }

    /// An entity of the client's defaults that stands here.
    pub fn standing(at: &Placement, stamps: StampTable) -> Self {
        Self { position: Some(RawPlacement::from(at)), ..Self::nowhere(stamps) }
    }
}

/// A movement as a create message carries it.
#[derive(Clone, Debug, PartialEq)]
pub enum DescribedMovement {
    /// The block is announced with length 0: nothing to do.
    Empty,
    /// The entity is doing this.
    Doing {
        /// What.
        body: MovementBody,
        /// Non-zero when the entity's own player asked for it.
        autonomous: u32,
    },
}

/// Archive records an entity is drawn and moved with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Model, `0x02……`.
    pub setup: Option<u32>,
    /// Motion table, `0x09……`.
    pub motion_table: Option<u32>,
    /// Sound table, `0x20……`.
    pub sound_table: Option<u32>,
    /// Physics script table, `0x34……`.
    pub script_table: Option<u32>,
}

/// One end of a holding: who, and at which place of the holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The entity at the other end.
    pub entity: EntityId,
    /// Place on the holder: a hand, a belt.
    pub location: u32,
}

/// An entity is gone. Opcode F747.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeleteUpdate {
    /// Who.
    pub entity: EntityId,
    /// Which life of the entity.
    pub instance: Stamp,
}

/// An entity is held by another from now on. Opcode F749.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParentUpdate {
    /// Who holds.
    pub holder: EntityId,
    /// Who is held.
    pub held: EntityId,
    /// Place on the holder.
    pub location: u32,
    /// Pose of the held.
    pub placement_frame: u32,
    /// Which life of the *holder*.
    pub holder_instance: Stamp,
    /// Order among positions of the *held*.
    pub held_position: Stamp,
}

/// An entity left the world into somebody's pack. Opcode F74A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickupUpdate {
    /// Who.
    pub entity: EntityId,
    /// Which life of the entity.
    pub instance: Stamp,
    /// Order among positions.
    pub position: Stamp,
}

/// New physics state bits. Opcode F74B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateUpdate {
    /// Who.
    pub entity: EntityId,
    /// All 32 bits, replacing the old ones.
    pub state: PhysicsState,
    /// Which life of the entity.
    pub instance: Stamp,
    /// Order among states.
    pub stamp: Stamp,
}

/// Velocity and spin, at once: a jump, a stop. Opcode F74E.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VectorUpdate {
    /// Who.
    pub entity: EntityId,
    /// World axes, metres a second.
    pub velocity: Vec3,
    /// World axes, radians a second.
    pub omega: Vec3,
    /// Which life of the entity.
    pub instance: Stamp,
    /// Order among vectors.
    pub stamp: Stamp,
}

/// The local player's teleport begins: nothing moves yet. Opcode F751.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeleportUpdate {
    /// Order among teleports.
    pub teleport: Stamp,
}

bitflags! {
    /// How an entity takes part in the physical world. Unknown bits are kept.
    ///
    /// Retail: `PhysicsState`, replaced whole by `CPhysicsObj::set_state` (11.4186 @ 0x00514DD0)
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PhysicsState: u32 {
        /// Never moves.
        const STATIC = 0x1;
        /// Others pass through it.
        const ETHEREAL = 0x4;
        /// Reports what it runs into.
        const REPORT_COLLISIONS = 0x8;
        /// Runs into nothing.
        const IGNORE_COLLISIONS = 0x10;
        /// Is not drawn.
        const NO_DRAW = 0x20;
        /// Flies.
        const MISSILE = 0x40;
        /// Can be pushed.
        const PUSHABLE = 0x80;
        /// Points where it flies.
        const ALIGN_PATH = 0x100;
        /// Its path is clipped.
        const PATH_CLIPPED = 0x200;
        /// Falls.
        const GRAVITY = 0x400;
        /// Gives light.
        const LIGHTING_ON = 0x800;
        /// Emits particles.
        const PARTICLE_EMITTER = 0x1000;
        /// Hidden, as while teleporting.
        const HIDDEN = 0x4000;
        /// Collides by script.
        const SCRIPTED_COLLISION = 0x8000;
        /// Has a collision model.
        const HAS_PHYSICS_BSP = 0x1_0000;
        /// Stops dead where others bounce.
        const INELASTIC = 0x2_0000;
        /// Has an animation at rest.
        const HAS_DEFAULT_ANIM = 0x4_0000;
        /// Has a script at rest.
        const HAS_DEFAULT_SCRIPT = 0x8_0000;
        /// Cloaked.
        const CLOAKED = 0x10_0000;
        /// Reports collisions as the environment does.
        const REPORT_COLLISIONS_AS_ENVIRONMENT = 0x20_0000;
        /// Slides along edges instead of falling off.
        const EDGE_SLIDE = 0x40_0000;
        /// Slides downhill.
        const SLEDDING = 0x80_0000;
        /// Stands still in time.
        const FROZEN = 0x100_0000;
        /// Unknown bits are data too.
        const _ = !0;
    }
}

/// What a new entity has until a message says otherwise.
impl Default for PhysicsState {
    fn default() -> Self {
        Self::EDGE_SLIDE | Self::LIGHTING_ON | Self::GRAVITY | Self::REPORT_COLLISIONS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_state_has_the_clients_bits() {
        assert_eq!(PhysicsState::default().bits(), 0x40_0C08);
    }

    #[test]
    fn unknown_state_bits_survive() {
        assert_eq!(PhysicsState::from_bits_retain(0xFE00_0002).bits(), 0xFE00_0002);
    }
}
