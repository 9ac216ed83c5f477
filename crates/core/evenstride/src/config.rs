//! What can be chosen, and the three choices that have names.

use evenstride_types::update::CommandTable;

/// Every difference between the profiles. A plain value: take a profile, change a field.
///
/// ```
/// use evenstride::{Config, DrawMode};
/// let config = Config { drawing: DrawMode::Interpolated, ..Config::RETAIL };
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
    /// When a body sets out that is described as on its way somewhere (default: before it has a place).
    pub described_goals: DescribedGoals,
    /// When legs carry a body on (default: at keyframes).
    pub root_motion: RootMotionMode,
    /// Where a body is drawn (default: where it is).
    pub drawing: DrawMode,
    /// Where the local player is drawn (default: where it is).
    pub player_drawing: DrawMode,
    /// How the local player makes up for a frame longer than the longest step (default: at once).
    pub player_catch_up: CatchUp,
    /// What becomes of an update about a later life of an entity that is still there (default: lost).
    pub early_life: EarlyUpdatePolicy,
    /// What becomes of the first position of an entity nobody has heard of (default: it waits).
    pub unknown: UnknownEntityPolicy,
    /// How far away bodies are when there is nowhere to measure from (default: far).
    pub no_viewpoint: MissingViewpoint,
    /// Which numbering of commands the messages use (default: the last client's, which today's servers speak).
    pub commands: CommandTable,
    /// How much the world may hold.
    pub limits: Limits,
}

impl Config {
    /// The 2013 client, quirks included.
    pub const RETAIL: Self = Self {
        gate: Gate::Shared,
        max_step_secs: MAX_STEP_SECS,
        orientation: Orientation::OnTheWay,
        landing: Landing::BySurroundings,
        takeoff: Takeoff::GaitReplacesImpulse,
        described_goals: DescribedGoals::BeforePlacement,
        root_motion: RootMotionMode::PerKeyframe,
        drawing: DrawMode::AsSimulated,
        player_drawing: DrawMode::AsSimulated,
        player_catch_up: CatchUp::AtOnce,
        early_life: EarlyUpdatePolicy::Lost,
        unknown: UnknownEntityPolicy::Park,
        no_viewpoint: MissingViewpoint::AllFar,
        commands: CommandTable::Final,
        limits: Limits::DEFAULT,
    };

    /// The same pipeline with the choices that the acdream notes document.
    pub const ACDREAM: Self = Self {
        gate: Gate::PerBody,
        max_step_secs: 0.1,
        orientation: Orientation::OnReceipt,
        landing: Landing::OnGroundedUpdate,
        described_goals: DescribedGoals::AfterPlacement,
        player_drawing: DrawMode::Interpolated,
        player_catch_up: CatchUp::OneStepPerFrame,
        ..Self::RETAIL
    };

    /// Retail decisions but for two that lose something (D6, D8), modern stepping and drawing.
    pub const SMOOTH: Self = Self {
        gate: Gate::Fixed,
        max_step_secs: MIN_STEP_SECS,
        takeoff: Takeoff::ImpulseKeepsItsRise,
        described_goals: DescribedGoals::AfterPlacement,
        root_motion: RootMotionMode::Continuous,
        drawing: DrawMode::Interpolated,
        player_drawing: DrawMode::Interpolated,
        early_life: EarlyUpdatePolicy::Kept,
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

/// When legs carry a body on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootMotionMode {
    /// At each keyframe by its whole way: several in one step, or none.
    ///
    /// Retail: `CSequence::update_internal` (11.4186 @ 0x005255D0)
    PerKeyframe,
    /// All the time: a part of a keyframe's way in that part of its time.
    Continuous,
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
    /// The ground, as the surroundings know it. [`OpenField`](crate::OpenField) knows none, and goes by the height of a grounded update.
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

/// When a body sets out whose description says where it goes or what it faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DescribedGoals {
    /// Before it has a place. It then sets out from the corner of the map, and a goal that is another body ends as it is placed.
    ///
    /// Retail: `CPhysicsObj::set_description` (11.4186 @ 0x00514F40)
    BeforePlacement,
    /// From where it is placed.
    AfterPlacement,
}

/// Where a body is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawMode {
    /// Where its last step left it.
    AsSimulated,
    /// Between where its last two steps left it, so that motion is even at any frame rate.
    Interpolated,
}

/// How a body makes up for a frame longer than the longest step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatchUp {
    /// It takes all its steps in that frame.
    ///
    /// Retail: `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
    AtOnce,
    /// It takes one step in each frame until it has caught up, as [`RenderGate`](crate::RenderGate) does. With the fixed gate this has
    /// no effect.
    OneStepPerFrame,
}

/// What becomes of an update about a later life of an entity whose earlier life is still in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyUpdatePolicy {
    /// It is lost: the client hangs it on the earlier body and throws it away together with that.
    ///
    /// Retail: `CObjectMaint::QueueBlobForObject` (11.4186 @ 0x005092D0)
    Lost,
    /// It waits for the new life like any other early update.
    Kept,
}

/// What becomes of the first position of an entity nobody has heard of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownEntityPolicy {
    /// It waits for the entity to be created, as everything else does.
    Park,
    /// It creates the entity: for captures that begin in the middle of a session.
    Adopt,
}

/// How far away bodies are when there is neither a viewpoint nor a local player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingViewpoint {
    /// Farther than everything: every position is a placement, as in the client before it has a player.
    AllFar,
    /// Right here: everybody walks, nobody sleeps.
    AllNear,
}

/// How much a world may hold, so that no input makes it grow without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bodies. Descriptions of more are refused.
    pub bodies: u32,
    /// Events nobody has taken yet. The oldest makes room.
    pub events: u32,
    /// Messages of the local player nobody has taken yet. The oldest makes room.
    pub actions: u32,
    /// Updates that wait for one entity. The oldest makes room.
    pub parked_per_entity: u32,
    /// Bytes of updates that wait for one entity.
    pub parked_bytes_per_entity: u32,
    /// Updates that wait at all.
    pub parked: u32,
    /// Bytes of updates that wait at all.
    pub parked_bytes: u32,
    /// Bytes of remembered decisions. The oldest makes room.
    pub decision_bytes: u32,
}

impl Limits {
    /// Room for a million bodies and more, a few megabytes for everything that waits.
    pub const DEFAULT: Self = Self {
        bodies: 1 << 22,
        events: 4_096,
        actions: 256,
        parked_per_entity: 64,
        parked_bytes_per_entity: 64 << 10,
        parked: 8_192,
        parked_bytes: 8 << 20,
        decision_bytes: 1 << 20,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Least time between two steps of the shared gate, and the step of the fixed one.
///
/// Retail: `CPhysics::UseTime` (11.4186 @ 0x00509950)
pub const MIN_STEP_SECS: f64 = 1.0 / 30.0;

/// Longest single step.
///
/// Retail: `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
/// Disputed: ACE uses 0.1, a change of its own; acdream follows it.
pub const MAX_STEP_SECS: f64 = 0.2;
