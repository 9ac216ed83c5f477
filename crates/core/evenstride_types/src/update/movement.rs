//! Messages about the motion of an entity.
//!
//! A movement is either a set of commands and speeds, which the motion interpreter applies, or a
//! goal, which becomes a move-to. Values are as sent. The core checks them before it applies a
//! movement.

use alloc::vec::Vec;

use bitflags::bitflags;
use glam::Vec3;

use super::{CommandIndex, MotionCommand};
use crate::{EntityId, Stamp};

/// The motion of an entity (opcode F74C).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct MovementUpdate {
    /// The entity that moves.
    pub entity: EntityId,
    /// Instance stamp, which names the life of the entity.
    pub instance: Stamp,
    /// The movement and its stamps.
    pub movement: Movement,
}

/// A movement with the stamps that guard it.
///
/// Retail: `CPhysics::SetObjectMovement` (11.4186 @ 0x00509690)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Movement {
    /// Movement stamp. It must be newer than the stored one.
    pub stamp: Stamp,
    /// Stamp of server-controlled movements. It must not be older than the stored one.
    pub server_control: Stamp,
    /// Non-zero if the entity's own player asked for it. For that player the message is an echo.
    pub autonomous: u8,
    /// The movement itself.
    pub body: MovementBody,
}

/// The part of a movement that create messages contain too.
///
/// Retail: `MovementManager::unpack_movement` (11.4186 @ 0x00524440)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct MovementBody {
    /// Stance to take. ACE sends index 0 to keep the present one.
    pub style: CommandIndex,
    /// Whether the entity charges a jump while standing.
    pub standing_long_jump: bool,
    /// Flag bits other than "stick" and "standing long jump".
    pub other_flags: u8,
    /// Commands or goal.
    pub kind: MovementKind,
}

impl MovementBody {
    /// Makes a movement of commands and speeds, in the peace stance.
    pub const fn interpreted(state: InterpretedState) -> Self {
        Self::new(MovementKind::Interpreted { state, stick_to: None })
    }

    /// Makes a movement of any kind, in the peace stance and without flags.
    pub const fn new(kind: MovementKind) -> Self {
        let style = MotionCommand::NON_COMBAT.index();
        Self { style, standing_long_jump: false, other_flags: 0, kind }
    }
}

/// The kinds of movement, by type number.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum MovementKind {
    /// Commands and speeds (type 0).
    Interpreted {
        /// The commands.
        state: InterpretedState,
        /// Entity to follow from then on, if any.
        stick_to: Option<EntityId>,
    },
    /// Move to an entity (type 6).
    MoveToObject {
        /// The entity to move to.
        target: EntityId,
        /// Cell of the target's last place, which is the goal if the target is unknown.
        cell: u32,
        /// Coordinates of the target's last place in metres.
        origin: Vec3,
        /// Distances, speed and permissions.
        params: MoveToParams,
        /// Running speed factor of the mover.
        run_rate: f32,
    },
    /// Move to a place (type 7).
    MoveToPosition {
        /// Cell of the place.
        cell: u32,
        /// Coordinates of the place in metres.
        origin: Vec3,
        /// Distances, speed and permissions.
        params: MoveToParams,
        /// Running speed factor of the mover.
        run_rate: f32,
    },
    /// Turn to an entity (type 8).
    TurnToObject {
        /// The entity to face.
        target: EntityId,
        /// Heading in degrees, which is the goal if the target is unknown.
        heading_deg: f32,
        /// Speed and permissions.
        params: TurnToParams,
    },
    /// Turn to a heading (type 9).
    TurnToHeading(TurnToParams),
    /// A type that the client rejects.
    Other {
        /// The type number.
        number: u8,
        /// All bytes after the header, so that the message can be encoded again.
        bytes: Vec<u8>,
    },
}

impl MovementKind {
    /// Returns the type number on the wire.
    pub const fn number(&self) -> u8 {
        match self {
            Self::Interpreted { .. } => 0,
            Self::MoveToObject { .. } => 6,
            Self::MoveToPosition { .. } => 7,
            Self::TurnToObject { .. } => 8,
            Self::TurnToHeading(_) => 9,
            Self::Other { number, .. } => *number,
        }
    }
}

/// Commands and speeds of the three axes, and actions to be performed once. Absent fields have
/// their defaults.
///
/// Retail: `InterpretedMotionState::UnPack` (11.4186 @ 0x0051F400)
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[doc(alias = "InterpretedMotionState")]
pub struct InterpretedState {
    /// Stance (default: non-combat).
    pub style: Option<CommandIndex>,
    /// Command of the forward axis (default: ready).
    pub forward: Option<CommandIndex>,
    /// Command of the sideways axis (default: none).
    pub sidestep: Option<CommandIndex>,
    /// Command of the turning axis (default: none).
    pub turn: Option<CommandIndex>,
    /// Speed factor of the forward axis (default: 1).
    pub forward_speed: Option<f32>,
    /// Speed factor of the sideways axis (default: 1).
    pub sidestep_speed: Option<f32>,
    /// Speed factor of the turning axis (default: 1).
    pub turn_speed: Option<f32>,
    /// Actions in order, at most [`InterpretedState::MAX_ACTIONS`].
    pub actions: Vec<ActionItem>,
    /// Flag bits above the twelve that have a meaning.
    pub other_flags: u32,
}

impl InterpretedState {
    /// Makes a state with one command on the forward axis.
    pub fn doing(forward: MotionCommand, speed: f32) -> Self {
        Self { forward: Some(forward.index()), forward_speed: Some(speed), ..Self::default() }
    }

    /// Largest number of actions in one state, which five bits count.
    pub const MAX_ACTIONS: usize = 31;
}

/// A motion to be performed once.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ActionItem {
    /// Index of the motion.
    pub command: CommandIndex,
    /// Order among actions, in 15 bits.
    pub stamp: u16,
    /// Whether the entity's own player asked for it.
    pub autonomous: bool,
    /// Speed factor.
    pub speed: f32,
}

bitflags! {
    /// Permissions and side effects of a move-to. Real traffic has junk above bit 17, which is kept
    /// here. [`MoveToFlags::meaningful`] masks it.
    ///
    /// Retail: `MovementParameters::UnPackNet` (11.4186 @ 0x0052AC50)
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(transparent))]
    #[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
    pub struct MoveToFlags: u32 {
        /// The body may walk.
        const CAN_WALK = 0x1;
        /// The body may run.
        const CAN_RUN = 0x2;
        /// The body may step sideways. The client never reads this bit.
        const CAN_SIDESTEP = 0x4;
        /// The body may walk backwards. The client never reads this bit.
        const CAN_WALK_BACKWARDS = 0x8;
        /// The body always runs.
        const CAN_CHARGE = 0x10;
        /// The body should give up rather than walk. The client never reads this bit.
        const FAIL_WALK = 0x20;
        /// The body turns to the wanted heading at the end.
        const USE_FINAL_HEADING = 0x40;
        /// The body follows the target after its arrival.
        const STICKY = 0x80;
        /// The body moves away until it is `min_distance` from the target.
        const MOVE_AWAY = 0x100;
        /// The body moves to within `distance_to_object` of the target.
        const MOVE_TOWARDS = 0x200;
        /// Distances are measured between surfaces, not origins.
        const USE_SPHERES = 0x400;
        /// The motion sets the hold key.
        const SET_HOLD_KEY = 0x800;
        /// The mover's own player asked for it.
        const AUTONOMOUS = 0x1000;
        /// The motion changes the raw state.
        const MODIFY_RAW_STATE = 0x2000;
        /// The motion changes the interpreted state.
        const MODIFY_INTERPRETED_STATE = 0x4000;
        /// The motion cancels a move-to under way.
        const CANCEL_MOVE_TO = 0x8000;
        /// A turn stops all other motion first.
        const STOP_COMPLETELY = 0x1_0000;
        /// The body cannot jump while the link animation plays.
        const DISABLE_JUMP_DURING_LINK = 0x2_0000;
        /// Junk is data too.
        const _ = !0;
    }
}

impl MoveToFlags {
    /// The bits that have a meaning.
    pub const MEANINGFUL: Self = Self::from_bits_retain(0x3_FFFF);

    /// The flags of a move-to with the client's default parameters.
    ///
    /// Retail: `MovementParameters::MovementParameters` (11.4186 @ 0x00524380)
    pub const CLIENT_DEFAULT: Self = Self::CAN_WALK
        .union(Self::CAN_RUN)
        .union(Self::CAN_SIDESTEP)
        .union(Self::CAN_WALK_BACKWARDS)
        .union(Self::MOVE_TOWARDS)
        .union(Self::USE_SPHERES)
        .union(Self::SET_HOLD_KEY)
        .union(Self::MODIFY_RAW_STATE)
        .union(Self::MODIFY_INTERPRETED_STATE)
        .union(Self::CANCEL_MOVE_TO)
        .union(Self::STOP_COMPLETELY);

    /// Returns the flags without junk.
    #[must_use]
    pub const fn meaningful(self) -> Self {
        self.intersection(Self::MEANINGFUL)
    }
}

/// Parameters of a movement to an entity or a place.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[doc(alias = "MovementParameters")]
pub struct MoveToParams {
    /// Permissions and side effects.
    pub flags: MoveToFlags,
    /// Arrival distance in metres (default: 0.6).
    pub distance_to_object: f32,
    /// Distance in metres at which a body that moves away has arrived (default: 0).
    pub min_distance: f32,
    /// Distance from the start in metres beyond which the body gives up (default: unlimited).
    pub fail_distance: f32,
    /// Speed factor of every motion (default: 1).
    pub speed: f32,
    /// The body runs while it is more than this many metres beyond the arrival distance (default:
    /// 15).
    pub walk_run_threshold: f32,
    /// Heading at the end in degrees, if [`MoveToFlags::USE_FINAL_HEADING`] is set (default: 0).
    pub desired_heading_deg: f32,
}

impl Default for MoveToParams {
    /// Returns the client's defaults. A body arrives within 0.6 m, runs while more than 15 m beyond
    /// that, and never gives up.
    fn default() -> Self {
        Self {
            flags: MoveToFlags::CLIENT_DEFAULT,
            distance_to_object: 0.6,
            min_distance: 0.0,
            fail_distance: f32::MAX,
            speed: 1.0,
            walk_run_threshold: 15.0,
            desired_heading_deg: 0.0,
        }
    }
}

/// Parameters of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct TurnToParams {
    /// Permissions and side effects.
    pub flags: MoveToFlags,
    /// Speed factor of the turn (default: 1).
    pub speed: f32,
    /// Heading to face in degrees (default: 0). It is used only for a turn to a heading, not for a
    /// turn to an entity.
    pub desired_heading_deg: f32,
}

impl Default for TurnToParams {
    /// Returns the client's defaults, which face north at the usual speed.
    fn default() -> Self {
        Self { flags: MoveToFlags::CLIENT_DEFAULT, speed: 1.0, desired_heading_deg: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clients_default_flags_are_0x1ee0f() {
        assert_eq!(MoveToFlags::CLIENT_DEFAULT.bits(), 0x1_EE0F);
    }

    #[test]
    fn junk_above_bit_17_is_kept_and_can_be_masked() {
        let recorded = MoveToFlags::from_bits_retain(0x1F09_EFF0);
        assert_eq!(recorded.bits(), 0x1F09_EFF0);
        assert_eq!(recorded.meaningful().bits(), 0x1_EFF0);
        assert!(recorded.contains(MoveToFlags::STICKY | MoveToFlags::STOP_COMPLETELY));
    }
}
