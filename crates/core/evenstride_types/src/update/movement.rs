//! What an entity is doing.

use alloc::vec::Vec;

use bitflags::bitflags;
use glam::Vec3;

use super::{CommandIndex, MotionCommand};
use crate::{EntityId, Stamp};

/// What an entity is doing from now on. Opcode F74C.
#[derive(Clone, Debug, PartialEq)]
pub struct MovementUpdate {
    /// Who.
    pub entity: EntityId,
    /// Which life of the entity.
    pub instance: Stamp,
    /// What.
    pub movement: Movement,
}

/// A movement with its gates.
///
/// Retail: `CPhysics::SetObjectMovement` (11.4186 @ 0x00509690)
#[derive(Clone, Debug, PartialEq)]
pub struct Movement {
    /// Order among movements.
    pub stamp: Stamp,
    /// Order among moves the server controls.
    pub server_control: Stamp,
    /// Non-zero when the entity's own player asked for it: an echo, to that player.
    pub autonomous: u8,
    /// The movement itself.
    pub body: MovementBody,
}

/// The part of a movement that also stands in create messages.
///
/// Retail: `MovementManager::unpack_movement` (11.4186 @ 0x00524440)
#[derive(Clone, Debug, PartialEq)]
pub struct MovementBody {
    /// Stance to be in. ACE sends index 0 for "as it is".
    pub style: CommandIndex,
    /// Whether the entity charges a jump while standing.
    pub standing_long_jump: bool,
    /// Flag bits besides "stick" and "standing long jump".
    pub other_flags: u8,
    /// What to do.
    pub kind: MovementKind,
}

impl MovementBody {
    /// Commands and speeds, in the peace stance.
    pub fn interpreted(state: InterpretedState) -> Self {
        Self {
            style: MotionCommand::NON_COMBAT.index(),
            standing_long_jump: false,
            other_flags: 0,
            kind: MovementKind::Interpreted { state, stick_to: None },
        }
    }
}

/// What to do.
#[derive(Clone, Debug, PartialEq)]
pub enum MovementKind {
    /// Commands and speeds, type 0.
    Interpreted {
        /// The commands.
        state: InterpretedState,
        /// Whom to follow from then on.
        stick_to: Option<EntityId>,
    },
    /// Go to an entity, type 6.
    MoveToObject {
        /// Whom.
        target: EntityId,
        /// Cell of where the target was.
        cell: u32,
        /// Where the target was.
        origin: Vec3,
        /// How.
        params: MoveToParams,
        /// Running speed factor of the mover.
        run_rate: f32,
    },
    /// Go to a place, type 7.
    MoveToPosition {
        /// Cell of the place.
        cell: u32,
        /// The place.
        origin: Vec3,
        /// How.
        params: MoveToParams,
        /// Running speed factor of the mover.
        run_rate: f32,
    },
    /// Face an entity, type 8.
    TurnToObject {
        /// Whom.
        target: EntityId,
        /// Which way, in degrees, if the target is unknown.
        heading_deg: f32,
        /// How.
        params: TurnToParams,
    },
    /// Face a direction, type 9.
    TurnToHeading(TurnToParams),
    /// A type the client refuses.
    Other {
        /// The type number.
        number: u8,
        /// Everything after it.
        bytes: Vec<u8>,
    },
}

impl MovementKind {
    /// The type number on the wire.
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

/// Commands and speeds of the three axes, and actions to be done once. What is absent has its default.
///
/// Retail: `InterpretedMotionState::UnPack` (11.4186 @ 0x0051F400)
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(alias = "InterpretedMotionState")]
pub struct InterpretedState {
    /// Stance; default non-combat.
    pub style: Option<CommandIndex>,
    /// Forward axis; default ready.
    pub forward: Option<CommandIndex>,
    /// Sideways axis; default none.
    pub sidestep: Option<CommandIndex>,
    /// Turning axis; default none.
    pub turn: Option<CommandIndex>,
    /// Speed of the forward axis; default 1.
    pub forward_speed: Option<f32>,
    /// Speed of the sideways axis; default 1.
    pub sidestep_speed: Option<f32>,
    /// Speed of the turning axis; default 1.
    pub turn_speed: Option<f32>,
    /// Up to 31 actions.
    pub actions: Vec<ActionItem>,
    /// Flag bits above the twelve that have a meaning.
    pub other_flags: u32,
}

impl InterpretedState {
    /// Doing this on the forward axis, at this speed, and nothing else.
    pub fn doing(forward: MotionCommand, speed: f32) -> Self {
        Self { forward: Some(forward.index()), forward_speed: Some(speed), ..Self::default() }
    }

    /// Most actions one state can carry: five bits count them.
    pub const MAX_ACTIONS: usize = 31;
}

/// A motion to be done once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionItem {
    /// Which.
    pub command: CommandIndex,
    /// Order among actions: 15 bits.
    pub stamp: u16,
    /// Whether the entity's own player asked for it.
    pub autonomous: bool,
    /// How fast.
    pub speed: f32,
}

bitflags! {
    /// How to go somewhere. Real traffic has junk above bit 17: it is kept here and masked where it is used.
    ///
    /// Retail: `MovementParameters::UnPackNet` (11.4186 @ 0x0052AC50)
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct MoveToFlags: u32 {
        /// May walk.
        const CAN_WALK = 0x1;
        /// May run.
        const CAN_RUN = 0x2;
        /// May step sideways.
        const CAN_SIDESTEP = 0x4;
        /// May walk backwards.
        const CAN_WALK_BACKWARDS = 0x8;
        /// May charge.
        const CAN_CHARGE = 0x10;
        /// Gives up rather than walk.
        const FAIL_WALK = 0x20;
        /// Turns to the wanted heading at the end.
        const USE_FINAL_HEADING = 0x40;
        /// Follows the target after arriving.
        const STICKY = 0x80;
        /// Keeps away from the target.
        const MOVE_AWAY = 0x100;
        /// Comes to the target.
        const MOVE_TOWARDS = 0x200;
        /// Measures between surfaces, not origins.
        const USE_SPHERES = 0x400;
        /// Sets the hold key.
        const SET_HOLD_KEY = 0x800;
        /// The mover's own player asked for it.
        const AUTONOMOUS = 0x1000;
        /// Changes the raw state.
        const MODIFY_RAW_STATE = 0x2000;
        /// Changes the interpreted state.
        const MODIFY_INTERPRETED_STATE = 0x4000;
        /// Cancels a move-to under way.
        const CANCEL_MOVE_TO = 0x8000;
        /// Stops everything else.
        const STOP_COMPLETELY = 0x1_0000;
        /// No jumping while a link animation plays.
        const DISABLE_JUMP_DURING_LINK = 0x2_0000;
        /// Junk is data too.
        const _ = !0;
    }
}

impl MoveToFlags {
    /// The bits that have a meaning.
    pub const MEANINGFUL: Self = Self::from_bits_retain(0x3_FFFF);

    /// Without the junk.
    #[must_use]
    pub const fn meaningful(self) -> Self {
        self.intersection(Self::MEANINGFUL)
    }
}

/// How to go somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "MovementParameters")]
pub struct MoveToParams {
    /// Yes-or-no choices.
    pub flags: MoveToFlags,
    /// How near is there.
    pub distance_to_object: f32,
    /// How near is too near.
    pub min_distance: f32,
    /// After how many metres to give up.
    pub fail_distance: f32,
    /// Speed factor.
    pub speed: f32,
    /// Farther than this: run.
    pub walk_run_threshold: f32,
    /// Which way to face at the end, in degrees.
    pub desired_heading_deg: f32,
}

/// How to turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnToParams {
    /// Yes-or-no choices.
    pub flags: MoveToFlags,
    /// Speed factor.
    pub speed: f32,
    /// Which way to face, in degrees.
    pub desired_heading_deg: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junk_above_bit_17_is_kept_and_can_be_masked() {
        let recorded = MoveToFlags::from_bits_retain(0x1F09_EFF0);
        assert_eq!(recorded.bits(), 0x1F09_EFF0);
        assert_eq!(recorded.meaningful().bits(), 0x1_EFF0);
        assert!(recorded.contains(MoveToFlags::STICKY | MoveToFlags::STOP_COMPLETELY));
    }
}
