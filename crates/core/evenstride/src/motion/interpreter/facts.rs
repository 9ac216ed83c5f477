//! The properties of a body that the interpreter reads, and its effects on the body.
//!
//! The interpreter never touches a row. `body/animated.rs` fills [`BodyFacts`] before each call,
//! and applies [`Effects`] after it.

use evenstride_types::{Rotation, Vec3};

/// The properties of a body that the interpreter reads.
#[derive(Clone, Copy, Debug)]
pub struct BodyFacts {
    /// The animated parts of the body.
    pub parts: PartSupport,
    /// Whether the body touches anything.
    pub contact: bool,
    /// Whether it touches something that it can stand on.
    pub walkable: bool,
    /// Whether its state has the gravity bit. Bodies without it may do everything in the air.
    pub has_gravity: bool,
    /// Whether the body is in the world. Outside it, links are skipped.
    pub has_cell: bool,
    /// Facts from the game's own object for the body. `None` if there is no such object, which
    /// occurs only in traces.
    pub game: Option<GameFacts>,
    /// Whether the last movement came from the body's own player. Raw motion then takes precedence
    /// over interpreted motion.
    pub last_was_autonomous: bool,
    /// Whether the tether is taut, which forbids jumps.
    pub is_constrained: bool,
    /// Orientation of the body, which turns take-off velocities to world axes.
    pub rotation: Rotation,
    /// Velocity of its flight in metres per second, world axes.
    pub velocity: Vec3,
}

/// The parts of a body, as far as animations can move them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartSupport {
    /// The body has no parts. Motions fail, but whole states are still stored.
    None,
    /// The body has parts but no motion table.
    Unmoved,
    /// The body has parts and animations.
    Moved,
}

/// Facts from the game's own object for a body. The last four fields have fixed values for all
/// bodies but the local player.
///
/// Retail: `ACCWeenieObject::InqRunRate` and its neighbours, asked by `CMotionInterp::jump_is_allowed` (11.4186 @ 0x005282B0)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameFacts {
    /// Whether the body is a creature, to which the ground rules apply. Items are exempt from them.
    pub is_creature: bool,
    /// Whether the body is the local player.
    pub is_player: bool,
    /// Run rate from the skill. `None` for remote bodies, which get it from messages.
    pub run_rate: Option<f32>,
    /// Whether the load allows a jump.
    pub can_jump: bool,
    /// Upward speed of a jump with the charged extent, in metres per second. `None` for remote
    /// bodies and without a charge.
    pub jump_rise: Option<f32>,
    /// Whether there is stamina for a jump. It is always `true` here, because the host checks
    /// stamina.
    pub has_stamina: bool,
}

/// Requests of the interpreter to the rest of its body.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effects {
    /// Velocity of a body that left the ground, in metres per second, world axes. `None` if it did
    /// not.
    pub velocity: Option<Vec3>,
    /// Number of completed actions, each of which ends a follow.
    pub unsticks: u32,
}
