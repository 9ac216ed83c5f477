//! What the interpreter must know of its body, and what it does to it.

use evenstride_types::{Rotation, Vec3};

/// What the interpreter must know of its body.
#[derive(Clone, Copy, Debug)]
pub struct BodyFacts {
    pub parts: PartSupport,
    pub contact: bool,
    pub walkable: bool,
    pub has_gravity: bool,
    pub has_cell: bool,
    /// What the game knows of the body, if anything.
    pub game: Option<GameFacts>,
    /// Whether the last movement came from the body's own player.
    pub last_was_autonomous: bool,
    /// Whether the body is at the end of its tether.
    pub is_constrained: bool,
    pub rotation: Rotation,
    /// World axes.
    pub velocity: Vec3,
}

/// What there is to animate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartSupport {
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
pub struct GameFacts {
    pub is_creature: bool,
    pub is_player: bool,
    /// Run rate by skill.
    pub run_rate: Option<f32>,
    pub can_jump: bool,
    /// Metres per second upwards of a jump with the charged extent.
    pub jump_rise: Option<f32>,
    pub has_stamina: bool,
}

/// What the interpreter asks of the rest of its body.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effects {
    /// The velocity of a body that left the ground, world axes.
    pub velocity: Option<Vec3>,
    /// Number of times that a follow was to end.
    pub unsticks: u32,
}
