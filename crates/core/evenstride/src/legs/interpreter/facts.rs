//! What the interpreter must know of its body, and what it does to it.

use evenstride_types::{Rotation, Vec3};

/// What the interpreter must know of its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyFacts {
    pub(crate) parts: PartSupport,
    pub(crate) contact: bool,
    pub(crate) walkable: bool,
    pub(crate) has_gravity: bool,
    pub(crate) has_cell: bool,
    /// What the game knows of the body, if anything.
    pub(crate) game: Option<GameFacts>,
    /// Whether the last movement came from the body's own player.
    pub(crate) last_was_autonomous: bool,
    /// Whether the body is at the end of its tether.
    pub(crate) is_constrained: bool,
    pub(crate) rotation: Rotation,
    /// World axes.
    pub(crate) velocity: Vec3,
}

/// What there is to animate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartSupport {
    /// No parts.
    None,
    /// Parts that nothing animates.
    Unmoved,
    /// Parts and animations.
    Moved,
}

/// What the game knows of a body. The last four are known of the local player only.
///
/// Retail: `ACCWeenieObject::InqRunRate` and its neighbours, asked by `CMotionInterp::jump_is_allowed` (11.4186 @ 0x005282B0)
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GameFacts {
    pub(crate) is_creature: bool,
    pub(crate) is_player: bool,
    /// Run rate by skill.
    pub(crate) run_rate: Option<f32>,
    pub(crate) can_jump: bool,
    /// Metres per second upwards of a jump with the charged extent.
    pub(crate) jump_rise: Option<f32>,
    pub(crate) has_stamina: bool,
}

/// What the interpreter asks of the rest of its body.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effects {
    /// The velocity of a body that left the ground, world axes.
    pub(crate) velocity: Option<Vec3>,
    /// Number of times that a move-to was to end.
    pub(crate) cancels: u32,
    /// Number of times that a follow was to end.
    pub(crate) unsticks: u32,
}
