//! Messages about the existence of entities, their holders and their physical properties.
//!
//! A description carries everything at once. The other messages change one property each, guarded
//! by a stamp of its own.

use alloc::{boxed::Box, vec::Vec};

use bitflags::bitflags;
use glam::Vec3;

use super::MovementBody;
use crate::{EntityId, Placement, RawPlacement, Stamp, StampTable};

/// An entity appears, or is described again (opcodes F745 and F7DB).
///
/// It holds only the part that concerns motion. Appearance and game data are other parts of the
/// message on the wire.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct CreateUpdate {
    /// The described entity.
    pub entity: EntityId,
    /// Motion, place, size and all nine stamps.
    ///
    /// It is boxed, so that other updates need not be as large as this one.
    pub physics: Box<PhysicsDescription>,
    /// Kind of object, which decides whether the ground rules apply (see
    /// [`ItemType::is_creature`]).
    pub item_type: ItemType,
}

impl CreateUpdate {
    /// Makes the description of a creature.
    pub fn new(entity: EntityId, physics: PhysicsDescription) -> Self {
        Self { entity, physics: Box::new(physics), item_type: ItemType::CREATURE }
    }

    /// Returns the description with another item type.
    #[must_use]
    pub fn of_type(self, item_type: ItemType) -> Self {
        Self { item_type, ..self }
    }
}

/// Kind of an entity, as a bit set of the game. Motion reads only the creature bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ItemType(pub u32);

impl ItemType {
    /// Creatures, players included.
    pub const CREATURE: Self = Self(0x10);
    /// Missile weapons and their ammunition.
    pub const MISSILE_WEAPON: Self = Self(0x100);

    /// Returns whether the ground rules of the motion interpreter apply, which are falling, landing
    /// and taking off.
    ///
    /// Retail: `ACCWeenieObject::IsCreature`, asked by `CMotionInterp::LeaveGround` (11.4186 @ 0x00528B00)
    pub const fn is_creature(self) -> bool {
        self.0 & Self::CREATURE.0 != 0
    }
}

/// All physical properties of an entity. `None` means that the message did not contain the
/// property.
///
/// Retail: `CPhysicsObj::set_description` (11.4186 @ 0x00514F40)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[doc(alias = "PhysicsDesc")]
pub struct PhysicsDescription {
    /// Physics state bits.
    pub state: PhysicsState,
    /// Motion of the entity. A message has either this or `placement_frame`.
    pub movement: Option<DescribedMovement>,
    /// Index of the pose for an object without animations.
    pub placement_frame: Option<u32>,
    /// Place of the entity. `None` or cell 0 means outside the world.
    pub position: Option<RawPlacement>,
    /// Archive records for drawing and moving the entity.
    pub resources: Resources,
    /// Holder of the entity, and the place on it.
    pub parent: Option<Attachment>,
    /// Entities that it holds, and the places on it. Absent and empty differ on the wire.
    pub children: Option<Vec<Attachment>>,
    /// Size factor (default: 1).
    pub scale: Option<f32>,
    /// Fraction of speed that a sliding body loses per second, 0 to 1 (default: 0.95).
    pub friction: Option<f32>,
    /// Bounciness, which the client clamps to 0 to 0.1 (default: 0.05).
    pub elasticity: Option<f32>,
    /// Translucency, for drawing only.
    pub translucency: Option<f32>,
    /// Velocity in metres per second, world axes.
    pub velocity: Option<Vec3>,
    /// Acceleration, world axes. The client reads and ignores it.
    pub acceleration: Option<Vec3>,
    /// Spin in radians per second, world axes.
    pub omega: Option<Vec3>,
    /// Script that plays at rest.
    pub default_script: Option<u32>,
    /// Intensity of that script.
    pub default_script_intensity: Option<f32>,
    /// The newest stamp of each kind.
    pub stamps: StampTable,
    /// Presence bits that have no field above.
    pub other_flags: u32,
}

impl PhysicsDescription {
    /// Makes the description of an entity outside the world, with the client's defaults.
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

    /// Makes the description of an entity that stands at `at`, with the client's defaults.
    pub fn standing(at: &Placement, stamps: StampTable) -> Self {
        Self { position: Some(RawPlacement::from(at)), ..Self::nowhere(stamps) }
    }
}

/// A movement as a create message carries it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum DescribedMovement {
    /// The block has length 0, and changes nothing.
    Empty,
    /// The entity performs this movement.
    Doing {
        /// The movement, without the stamps that stand elsewhere in the description.
        body: MovementBody,
        /// Non-zero if the entity's own player asked for it.
        autonomous: u32,
    },
}

/// Numbers of the archive records for drawing and moving an entity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
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

/// A link between a holder and a held entity, seen from one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Attachment {
    /// The entity at the other end of the link.
    pub entity: EntityId,
    /// Place on the holder, such as a hand or a belt.
    pub location: u32,
}

/// An entity is deleted (opcode F747).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct DeleteUpdate {
    /// The deleted entity.
    pub entity: EntityId,
    /// Instance stamp, which names the life of the entity.
    pub instance: Stamp,
}

/// An entity moves into the hand of another (opcode F749).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ParentUpdate {
    /// The entity that holds.
    pub holder: EntityId,
    /// The entity that is held.
    pub held: EntityId,
    /// Place on the holder, such as a hand or a belt.
    pub location: u32,
    /// Index of the held object's pose.
    pub placement_frame: u32,
    /// Instance stamp of the *holder*, which names its life.
    pub holder_instance: Stamp,
    /// Position stamp of the *held* entity.
    pub held_position: Stamp,
}

/// An entity leaves the world into a pack (opcode F74A). It stays known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct PickupUpdate {
    /// The entity that is picked up.
    pub entity: EntityId,
    /// Instance stamp, which names the life of the entity.
    pub instance: Stamp,
    /// Position stamp. A pickup counts as a position.
    pub position: Stamp,
}

/// New physics state bits (opcode F74B).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct StateUpdate {
    /// The entity that changes.
    pub entity: EntityId,
    /// All 32 bits, which replace the old ones.
    pub state: PhysicsState,
    /// Instance stamp, which names the life of the entity.
    pub instance: Stamp,
    /// State stamp.
    pub stamp: Stamp,
}

/// Velocity and spin that take effect at once, such as a jump or a stop (opcode F74E).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct VectorUpdate {
    /// The entity that changes.
    pub entity: EntityId,
    /// Velocity in metres per second, world axes.
    pub velocity: Vec3,
    /// Spin in radians per second, world axes.
    pub omega: Vec3,
    /// Instance stamp, which names the life of the entity.
    pub instance: Stamp,
    /// Vector stamp.
    pub stamp: Stamp,
}

/// The local player's teleport begins (opcode F751). Nothing moves until a position with this stamp
/// follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct TeleportUpdate {
    /// Teleport stamp.
    pub teleport: Stamp,
}

bitflags! {
    /// Bits that say how an entity takes part in the physical world. Unknown bits are kept.
    ///
    /// Retail: `PhysicsState`, replaced whole by `CPhysicsObj::set_state` (11.4186 @ 0x00514DD0)
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(transparent))]
    #[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
    pub struct PhysicsState: u32 {
        /// The entity never moves.
        const STATIC = 0x1;
        /// Others pass through it.
        const ETHEREAL = 0x4;
        /// It reports collisions.
        const REPORT_COLLISIONS = 0x8;
        /// It collides with nothing.
        const IGNORE_COLLISIONS = 0x10;
        /// It is not drawn.
        const NO_DRAW = 0x20;
        /// It is a missile, such as an arrow.
        const MISSILE = 0x40;
        /// It can be pushed.
        const PUSHABLE = 0x80;
        /// It points where it flies.
        const ALIGN_PATH = 0x100;
        /// Its path is clipped.
        const PATH_CLIPPED = 0x200;
        /// Gravity pulls it.
        const GRAVITY = 0x400;
        /// It gives light.
        const LIGHTING_ON = 0x800;
        /// It emits particles.
        const PARTICLE_EMITTER = 0x1000;
        /// It is hidden, as during a teleport. Velocity and gravity do not move it.
        const HIDDEN = 0x4000;
        /// It collides by script.
        const SCRIPTED_COLLISION = 0x8000;
        /// It has a collision model.
        const HAS_PHYSICS_BSP = 0x1_0000;
        /// It stops where others bounce.
        const INELASTIC = 0x2_0000;
        /// It has an animation at rest.
        const HAS_DEFAULT_ANIM = 0x4_0000;
        /// It has a script at rest.
        const HAS_DEFAULT_SCRIPT = 0x8_0000;
        /// It is cloaked.
        const CLOAKED = 0x10_0000;
        /// It reports collisions as the environment does.
        const REPORT_COLLISIONS_AS_ENVIRONMENT = 0x20_0000;
        /// It slides along edges instead of falling off.
        const EDGE_SLIDE = 0x40_0000;
        /// It slides downhill.
        const SLEDDING = 0x80_0000;
        /// It is not stepped, so its time stands still.
        const FROZEN = 0x100_0000;
        /// Unknown bits are data too.
        const _ = !0;
    }
}

/// The bits of a new entity until a message changes them.
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
