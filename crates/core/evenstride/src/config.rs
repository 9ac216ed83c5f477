//! What can be chosen, and the three choices that have names.

use crate::clock::{MAX_STEP_SECS, MIN_STEP_SECS};

/// Every difference between the profiles. A plain value: take a profile, change a field.
///
/// ```
/// use evenstride::{Config, Drawing};
/// let config = Config { drawing: Drawing::Interpolated, ..Config::RETAIL };
/// assert_ne!(config, Config::RETAIL);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// When bodies are stepped (default: the client's shared gate).
    pub gate: Gate,
    /// Longest single step, in seconds (default: 0.2).
    pub max_step_secs: f64,
    /// When a body takes on the orientation it hears (default: on its way).
    pub orientation: Orientation,
    /// What lands a body that is in the air (default: the surroundings alone).
    pub landing: Landing,
    /// What becomes of an impulse when a walking body leaves the ground (default: the gait replaces it).
    pub takeoff: Takeoff,
    /// Where a body is drawn (default: where it is).
    pub drawing: Drawing,
}

impl Config {
    /// The 2013 client, quirks included.
    pub const RETAIL: Self = Self {
        gate: Gate::Shared,
        max_step_secs: MAX_STEP_SECS,
        orientation: Orientation::OnTheWay,
        landing: Landing::BySurroundings,
        takeoff: Takeoff::GaitReplacesImpulse,
        drawing: Drawing::AsSimulated,
    };

    /// The same pipeline with the choices that the acdream notes document.
    pub const ACDREAM: Self = Self {
        gate: Gate::PerBody,
        max_step_secs: 0.1,
        orientation: Orientation::OnReceipt,
        landing: Landing::OnGroundedUpdate,
        ..Self::RETAIL
    };

    /// Retail decisions, modern stepping and drawing.
    pub const SMOOTH: Self = Self {
        gate: Gate::Fixed,
        max_step_secs: MIN_STEP_SECS,
        takeoff: Takeoff::ImpulseKeepsItsRise,
        drawing: Drawing::Interpolated,
        ..Self::RETAIL
    };

    /// The profiles by name.
    pub const PROFILES: [(&'static str, Self); 3] =
        [("RETAIL", Self::RETAIL), ("ACDREAM", Self::ACDREAM), ("SMOOTH", Self::SMOOTH)];
}

impl Default for Config {
    fn default() -> Self {
        Self::RETAIL
    }
}

/// When bodies are stepped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// All together, once at least 1/30 s passed since the last time; each by the time since *its* last step.
    ///
    /// Retail: `CPhysics::UseTime` (11.4186 @ 0x00509950)
    Shared,
    /// Each by itself, once at least 1/30 s passed since its last step.
    PerBody,
    /// All together by exactly 1/30 s, as often as that fits since the start: the frame rate does not matter.
    Fixed,
}

/// When a body takes on the orientation it hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// In the first step towards the position it came with.
    OnTheWay,
    /// At once.
    OnReceipt,
}

/// What lands a body that is in the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// The ground, as the surroundings know it. [`OpenField`](crate::OpenField) knows none and takes the first grounded update.
    BySurroundings,
    /// The first update that says the body touches the ground: it is placed there, its velocity cleared.
    OnGroundedUpdate,
}

/// What becomes of an impulse when a walking or running body leaves the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takeoff {
    /// The velocity becomes that of the gait, which is flat; only a standing body keeps its impulse.
    ///
    /// Retail: `CMotionInterp::get_leave_ground_velocity` (11.4186 @ 0x005280C0)
    GaitReplacesImpulse,
    /// The gait's velocity, with the rise of the impulse.
    ImpulseKeepsItsRise,
}

/// Where a body is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// Where its last step left it.
    AsSimulated,
    /// Between where its last two steps left it, so that motion is even at any frame rate.
    Interpolated,
}
