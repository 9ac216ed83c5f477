//! What the local player's client says to the server.

use alloc::vec::Vec;

use glam::Vec3;

use super::{ActionItem, MotionCommand};
use crate::{RawPlacement, Stamp};

/// A message from a player's client about its own movement.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlayerAction {
    /// A movement key went down or up. Action F61C.
    MoveToState(MoveToState),
    /// Still moving: where I am. Action F753.
    AutonomousPosition(AutonomousPosition),
    /// Jumped. Action F61B.
    Jump(Jump),
    /// Jump, when the server moves the player. Action F7C9.
    ServerJump {
        /// How far the jump was charged, 0.001 to 1.
        extent: f32,
    },
    /// Start a motion, when the server moves the player. Action F61E.
    MovementCommand(MovementCommand),
    /// Stop a motion, when the server moves the player. Action F661.
    StopCommand(StopCommand),
    /// Turn to a heading. Action F649.
    TurnTo {
        /// Degrees.
        heading_deg: f32,
        /// Hold key word.
        run: u32,
    },
    /// Who decides where the player is. Action F752.
    AutonomyLevel(u32),
    /// The world has been loaded. Action 00A1.
    LoginComplete,
}

impl PlayerAction {
    /// Where the player says it is; `None` for actions that do not say.
    pub const fn position(&self) -> Option<&RawPlacement> {
        match self {
            Self::MoveToState(said) => Some(&said.position),
            Self::AutonomousPosition(said) => Some(&said.position),
            Self::Jump(said) => Some(&said.position),
            _ => None,
        }
    }

    /// The number that names the action on the wire.
    pub const fn action(&self) -> u32 {
        match self {
            Self::MoveToState(_) => 0xF61C,
            Self::AutonomousPosition(_) => 0xF753,
            Self::Jump(_) => 0xF61B,
            Self::ServerJump { .. } => 0xF7C9,
            Self::MovementCommand(_) => 0xF61E,
            Self::StopCommand(_) => 0xF661,
            Self::TurnTo { .. } => 0xF649,
            Self::AutonomyLevel(_) => 0xF752,
            Self::LoginComplete => 0x00A1,
        }
    }
}

/// The keys that are down, and where the player was when they changed.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveToState {
    /// The keys.
    pub state: RawState,
    /// Where.
    pub position: RawPlacement,
    /// The stamps the client had applied.
    pub stamps: PlayerStamps,
    /// On the ground, and whether charging a jump.
    pub contact: Contact,
}

/// Where the player is.
#[derive(Clone, Debug, PartialEq)]
pub struct AutonomousPosition {
    /// Where.
    pub position: RawPlacement,
    /// The stamps the client had applied.
    pub stamps: PlayerStamps,
    /// On the ground or not.
    pub contact: Contact,
}

/// A jump the player made.
///
/// ACE and some protocol notes leave the position out; the client sends it, and recordings show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Jump {
    /// How far it was charged, 0.001 to 1.
    pub extent: f32,
    /// Velocity in the **player's own** axes.
    pub local_velocity: Vec3,
    /// From where.
    pub position: RawPlacement,
    /// The stamps the client had applied.
    pub stamps: PlayerStamps,
}

/// Start a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovementCommand {
    /// Which.
    pub motion: MotionCommand,
    /// How fast.
    pub speed: f32,
    /// Walking or running.
    pub hold_key: HoldKey,
}

/// Stop a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopCommand {
    /// Which.
    pub motion: MotionCommand,
    /// Walking or running.
    pub hold_key: HoldKey,
}

/// The newest stamps the client has applied, echoed so that the server knows what it has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerStamps {
    /// Which life of the player.
    pub instance: Stamp,
    /// Newest move controlled by the server.
    pub server_control: Stamp,
    /// Newest teleport.
    pub teleport: Stamp,
    /// Newest correction.
    pub force_position: Stamp,
}

/// Keys and their speeds. What is absent has its default.
///
/// Retail: `RawMotionState::Pack` (11.4186 @ 0x0051ED10)
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(alias = "RawMotionState")]
pub struct RawState {
    /// Walking or running; default walking.
    pub hold_key: Option<HoldKey>,
    /// Stance; default non-combat.
    pub style: Option<MotionCommand>,
    /// Forward and backward; default ready.
    pub forward: RawAxis,
    /// Sideways; default none.
    pub sidestep: RawAxis,
    /// Turning; default none.
    pub turn: RawAxis,
    /// Up to 31 actions.
    pub actions: Vec<ActionItem>,
    /// Flag bits above the sixteen that have a meaning; the client does not initialise them.
    pub other_flags: u32,
}

/// One axis of the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RawAxis {
    /// Which key.
    pub command: Option<MotionCommand>,
    /// Walking or running, on this axis alone.
    pub hold_key: Option<HoldKey>,
    /// Speed; default 1.
    pub speed: Option<f32>,
}

/// The walk-or-run key as sent: 1 walks, 2 runs, 0 means "not said".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HoldKey(pub u32);

impl HoldKey {
    /// Nothing said.
    pub const INVALID: Self = Self(0);
    /// Walks.
    pub const NONE: Self = Self(1);
    /// Runs.
    pub const RUN: Self = Self(2);
}

/// The contact byte as sent: bit 0 on the ground, bit 1 charging a jump while standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contact(pub u8);

impl Contact {
    /// Whether the player stands on something.
    pub const fn is_grounded(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether the player charges a jump while standing.
    pub const fn is_charging_jump(self) -> bool {
        self.0 & 2 != 0
    }
}
