//! Messages from the local player's client to the server.
//!
//! The core makes them (`player/report.rs`) for a host to send, and replays them from captures.
//! Their positions are those of the client's own player, which may differ from the server's.

use alloc::vec::Vec;

use glam::Vec3;

use super::{ActionItem, MotionCommand};
use crate::{RawPlacement, Stamp};

/// A message from a player's client about its own movement.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[non_exhaustive]
pub enum PlayerAction {
    /// A movement key was pressed or released (action F61C).
    MoveToState(MoveToState),
    /// The player's place, reported at intervals (action F753).
    AutonomousPosition(AutonomousPosition),
    /// The player jumped (action F61B).
    Jump(Jump),
    /// A request to jump while the server moves the player (action F7C9).
    ServerJump {
        /// Charge of the jump, 0.001 to 1.
        extent: f32,
    },
    /// A request to start a motion while the server moves the player (action F61E).
    MovementCommand(MovementCommand),
    /// A request to stop a motion while the server moves the player (action F661).
    StopCommand(StopCommand),
    /// A request to turn to a heading (action F649).
    TurnTo {
        /// Heading in degrees.
        heading_deg: f32,
        /// Walk or run, as the number of a [`HoldKey`].
        run: u32,
    },
    /// The side that decides the player's place (action F752). 0 is the server, 2 the player.
    AutonomyLevel(u32),
    /// The client has loaded the world (action 00A1).
    LoginComplete,
}

impl PlayerAction {
    /// Returns the place that the player reports, or `None` for actions without a place.
    pub const fn position(&self) -> Option<&RawPlacement> {
        match self {
            Self::MoveToState(said) => Some(&said.position),
            Self::AutonomousPosition(said) => Some(&said.position),
            Self::Jump(said) => Some(&said.position),
            _ => None,
        }
    }

    /// Returns the number that names the action on the wire.
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

/// Keys that are down, and the player's place when they changed.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct MoveToState {
    /// The keys as raw motion.
    pub state: RawState,
    /// Place of the player.
    pub position: RawPlacement,
    /// Stamps that the client had applied.
    pub stamps: PlayerStamps,
    /// Ground contact, and whether a jump is being charged.
    pub contact: Contact,
}

/// A report of the player's place.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct AutonomousPosition {
    /// Place of the player.
    pub position: RawPlacement,
    /// Stamps that the client had applied.
    pub stamps: PlayerStamps,
    /// Ground contact.
    pub contact: Contact,
}

/// A jump that the player made.
///
/// ACE and some protocol notes leave out the position. The client sends it, and recordings show it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Jump {
    /// Charge of the jump, 0.001 to 1.
    pub extent: f32,
    /// Velocity in metres per second, in the **player's own** axes.
    pub local_velocity: Vec3,
    /// Place of the take-off.
    pub position: RawPlacement,
    /// Stamps that the client had applied.
    pub stamps: PlayerStamps,
}

/// A motion to start.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct MovementCommand {
    /// The motion.
    pub motion: MotionCommand,
    /// Speed factor.
    pub speed: f32,
    /// Walk or run.
    pub hold_key: HoldKey,
}

/// A motion to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct StopCommand {
    /// The motion.
    pub motion: MotionCommand,
    /// Walk or run.
    pub hold_key: HoldKey,
}

/// The newest stamps that the client has applied, echoed so that the server can tell old reports
/// from new ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct PlayerStamps {
    /// Life of the player.
    pub instance: Stamp,
    /// Newest movement under server control.
    pub server_control: Stamp,
    /// Newest teleport.
    pub teleport: Stamp,
    /// Newest correction.
    pub force_position: Stamp,
}

/// Keys and their speeds. Absent fields have their defaults.
///
/// Retail: `RawMotionState::Pack` (11.4186 @ 0x0051ED10)
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[doc(alias = "RawMotionState")]
pub struct RawState {
    /// Walk or run (default: walk).
    pub hold_key: Option<HoldKey>,
    /// Stance (default: non-combat).
    pub style: Option<MotionCommand>,
    /// Forward and backward (default: ready).
    pub forward: RawAxis,
    /// Sideways (default: none).
    pub sidestep: RawAxis,
    /// Turning (default: none).
    pub turn: RawAxis,
    /// Actions in order, at most 31.
    pub actions: Vec<ActionItem>,
    /// Flag bits above the sixteen that have a meaning. The client does not initialise them.
    pub other_flags: u32,
}

/// One axis of the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct RawAxis {
    /// Motion of the key that is down.
    pub command: Option<MotionCommand>,
    /// Walk or run, on this axis alone.
    pub hold_key: Option<HoldKey>,
    /// Speed factor (default: 1).
    pub speed: Option<f32>,
}

/// The walk-or-run key as sent. 1 walks, 2 runs, and 0 leaves the choice open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct HoldKey(pub u32);

impl HoldKey {
    /// The choice is left open.
    pub const INVALID: Self = Self(0);
    /// The player walks.
    pub const NONE: Self = Self(1);
    /// The player runs.
    pub const RUN: Self = Self(2);
}

/// The contact byte as sent. Bit 0 means on the ground, bit 1 charging a jump while standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Contact(pub u8);

impl Contact {
    /// Returns whether the player stands on a surface.
    pub const fn is_grounded(self) -> bool {
        self.0 & 1 != 0
    }

    /// Returns whether the player charges a jump while standing.
    pub const fn is_charging_jump(self) -> bool {
        self.0 & 2 != 0
    }
}
