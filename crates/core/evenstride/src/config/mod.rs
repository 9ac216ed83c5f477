//! Settings of a world, and the named profiles.
//!
//! A configuration is given to a world when it is made, and never changes afterwards. It is saved
//! with the world.
//!
//! Each switch that departs from the client is a deviation.
//! [`DEVIATIONS`](crate::deviation::DEVIATIONS) lists them by id (D1, D2 and so on) with reason and
//! test. [`SAFETY_BOUNDS`](crate::deviation::SAFETY_BOUNDS) lists the limits that the client lacks
//! (S1, S2 and so on).

mod switches;

use bitflags::bitflags;
use evenstride_types::update::CommandTable;

pub use self::switches::{Switch, SwitchError};

/// Settings of a world. They hold every difference between the profiles.
///
/// For a profile of your own, start from one and change fields. Defaults are those of
/// [`Config::RETAIL`].
///
/// ```
/// use evenstride::{Config, config::DrawMode};
/// let config = Config::RETAIL.with(|config| config.drawing = DrawMode::Interpolated);
/// assert_ne!(config, Config::RETAIL);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Config {
    /// When bodies are stepped (default: the client's shared gate).
    pub gate: Gate,
    /// Longest single step in seconds (default: 0.2). Values outside 1/30 to 2 s are clamped when a
    /// world is made, and NaN becomes the default. The fixed gate does not use it.
    pub max_step_secs: f64,
    /// When a body takes on a received orientation (default: on its way).
    pub orientation: Orientation,
    /// How a body in the air lands (default: by the surroundings alone).
    pub landing: Landing,
    /// How an impulse, such as a velocity from the server, changes when it lifts a walking body off
    /// the ground (default: the gait replaces it).
    pub takeoff: Takeoff,
    /// When a body with a goal in its description sets out (default: before it has a place).
    pub described_goals: DescribedGoals,
    /// Speed of built-in animations that stand in for a missing motion table (default: their own).
    pub missing_tables: MissingTables,
    /// How root motion is spread over time (default: per keyframe).
    pub root_motion: RootMotionMode,
    /// Where bodies other than the local player are drawn (default: where their last step left
    /// them).
    ///
    /// Interpolation keeps a second placement for each body.
    pub drawing: DrawMode,
    /// Where the local player is drawn (default: where its last step left it).
    pub player_drawing: DrawMode,
    /// How the local player catches up after a frame longer than the longest step (default: at
    /// once).
    pub player_catch_up: CatchUp,
    /// How an update about a later life of an entity is handled while the earlier life has a body
    /// (default: lost).
    pub early_life: EarlyUpdatePolicy,
    /// How the first position of an unknown entity is handled (default: parked).
    pub unknown: UnknownEntityPolicy,
    /// Distance of all bodies while there is neither a viewpoint nor a local player (default: far).
    pub no_viewpoint: MissingViewpoint,
    /// Numbering of motion commands in messages (default: that of the last client, which current
    /// servers use).
    pub commands: CommandTable,
    /// Number of this world, which is a part of every [`BodyKey`](crate::BodyKey) (default: 0).
    ///
    /// Give each world of a program a number of its own. A key of one world then never finds a body
    /// in another.
    pub world: u8,
    /// Limits on the size of the world (default: [`Limits::DEFAULT`]).
    pub limits: Limits,
}

impl Config {
    /// The Asheron's Call client of September 2013, quirks included. This profile is the default
    /// and has no deviation.
    pub const RETAIL: Self = Self {
        gate: Gate::Shared,
        max_step_secs: MAX_STEP_SECS,
        orientation: Orientation::OnTheWay,
        landing: Landing::BySurroundings,
        takeoff: Takeoff::GaitReplacesImpulse,
        described_goals: DescribedGoals::BeforePlacement,
        missing_tables: MissingTables::BuiltInSpeed,
        root_motion: RootMotionMode::PerKeyframe,
        drawing: DrawMode::AsSimulated,
        player_drawing: DrawMode::AsSimulated,
        player_catch_up: CatchUp::AtOnce,
        early_life: EarlyUpdatePolicy::Lost,
        unknown: UnknownEntityPolicy::Park,
        no_viewpoint: MissingViewpoint::AllFar,
        commands: CommandTable::Final,
        world: 0,
        limits: Limits::DEFAULT,
    };

    /// The client's motion with the choices that the notes of acdream document
    /// ([`ACDREAM_CHOICES`](crate::deviation::ACDREAM_CHOICES)).
    ///
    /// A body with a goal in its description sets out after its placement (D13). Built-in animations
    /// take on the speed of a creature whose motion table is missing (D20).
    pub const ACDREAM: Self = Self {
        gate: Gate::PerBody,
        max_step_secs: 0.1,
        orientation: Orientation::OnReceipt,
        landing: Landing::OnGroundedUpdate,
        described_goals: DescribedGoals::AfterPlacement,
        missing_tables: MissingTables::HeardSpeed,
        player_drawing: DrawMode::Interpolated,
        player_catch_up: CatchUp::OneStepPerFrame,
        ..Self::RETAIL
    };

    /// The client's decisions with fixed steps, continuous root motion and interpolated drawing.
    ///
    /// Three decisions that would lose information differ (D6, D8, D13). Bodies also walk without a
    /// viewpoint (D11), and built-in animations take on the speed of a creature whose motion table is
    /// missing (D20).
    pub const SMOOTH: Self = Self {
        gate: Gate::Fixed,
        max_step_secs: MIN_STEP_SECS,
        takeoff: Takeoff::ImpulseKeepsItsRise,
        described_goals: DescribedGoals::AfterPlacement,
        missing_tables: MissingTables::HeardSpeed,
        root_motion: RootMotionMode::Continuous,
        drawing: DrawMode::Interpolated,
        player_drawing: DrawMode::Interpolated,
        early_life: EarlyUpdatePolicy::Kept,
        no_viewpoint: MissingViewpoint::AllNear,
        ..Self::RETAIL
    };

    /// The decisions of [`SMOOTH`](Self::SMOOTH), drawn with poses of their own
    /// ([`DrawMode::Gliding`], D15 to D19).
    ///
    /// This is the profile for what a player sees.
    ///
    /// ```
    /// use evenstride::{BodySetup, Config, MotionWorld, OpenField};
    /// use evenstride::types::{CellId, EntityId, Placement, Pose, SimTime};
    ///
    /// let place = Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY);
    /// let mut world = MotionWorld::new(Config::GLIDE, SimTime::ZERO);
    /// world.insert(SimTime::ZERO, EntityId::new(7), &BodySetup::at(place))?;
    /// // Each call is a frame, which moves the poses on.
    /// let now = SimTime::from_secs(1.0 / 60.0)?;
    /// world.advance(now, &OpenField);
    /// assert_eq!(world.drawn(EntityId::new(7), now), Some(place));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const GLIDE: Self =
        Self { drawing: DrawMode::GLIDING, player_drawing: DrawMode::GLIDING, ..Self::SMOOTH };

    /// [`SMOOTH`](Self::SMOOTH) for a host without a player of its own, such as a replay, a server
    /// or a camera.
    ///
    /// The first position of an unknown entity creates it (D10). Like `SMOOTH`, this profile needs
    /// no viewpoint (D11).
    ///
    /// ```
    /// use evenstride::{Config, Disposition, MotionWorld, OpenField};
    /// use evenstride::types::{CellId, EntityId, Placement, Pose, SimTime, update::ServerEntity};
    ///
    /// let mut world = MotionWorld::new(Config::SPECTATOR, SimTime::ZERO);
    /// let mut runner = ServerEntity::new(EntityId::new(0x5000_0002));
    /// let at = Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY);
    /// // No description came before, and there is no viewpoint.
    /// let answer = world.handle(SimTime::ZERO, &runner.position(&at), &OpenField);
    /// assert!(matches!(answer, Disposition::Created { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const SPECTATOR: Self = Self { unknown: UnknownEntityPolicy::Adopt, ..Self::SMOOTH };

    /// The four profiles that tools and documents compare, by name. [`SPECTATOR`](Self::SPECTATOR)
    /// is not among them.
    pub const PROFILES: [(&'static str, Self); 4] = [
        ("RETAIL", Self::RETAIL),
        ("ACDREAM", Self::ACDREAM),
        ("SMOOTH", Self::SMOOTH),
        ("GLIDE", Self::GLIDE),
    ];

    /// Returns the configuration with some fields changed.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::RETAIL
    }
}

/// Decides when bodies are stepped.
///
/// No gate catches up with a gap of more than [`LOST_TIME_SECS`](crate::limits::LOST_TIME_SECS).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gate {
    /// All bodies are stepped together, once at least 1/30 s has passed since the last round. Each
    /// body is stepped by the time since *its* last step.
    ///
    /// Retail: `CPhysics::UseTime` (11.4186 @ 0x00509950)
    Shared,
    /// Each body is stepped by itself, once at least 1/30 s has passed since its last step.
    PerBody,
    /// All bodies are stepped together, by exactly 1/30 s at a time. Steps are counted from the
    /// start, so the frame rate does not matter.
    Fixed,
}

/// Decides how root motion is spread over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RootMotionMode {
    /// Each keyframe moves the body by its whole displacement. One step may contain several
    /// keyframes or none.
    ///
    /// Retail: `CSequence::update_internal` (11.4186 @ 0x005255D0)
    PerKeyframe,
    /// A fraction of a keyframe moves the body by that fraction of its displacement.
    Continuous,
}

/// Decides when a body takes on a received orientation.
///
/// Neither choice turns a body during a move-to, which steers by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Orientation {
    /// In the first step towards the position that came with the orientation.
    OnTheWay,
    /// When the position is handled, in the air too.
    OnReceipt,
}

/// Decides how a body in the air lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Landing {
    /// The surroundings land the body where its flight meets the ground.
    /// [`OpenField`](crate::OpenField) knows no ground, and uses the height of a grounded update.
    BySurroundings,
    /// The first update with ground contact places the body and clears its velocity.
    OnGroundedUpdate,
}

/// Decides how an impulse changes when a walking or running body leaves the ground.
///
/// An impulse is a velocity that lifts the body, such as one from the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Takeoff {
    /// The velocity becomes that of the gait, which is horizontal. Only a standing body keeps its
    /// impulse.
    ///
    /// Retail: `CMotionInterp::get_leave_ground_velocity` (11.4186 @ 0x005280C0)
    GaitReplacesImpulse,
    /// The velocity becomes that of the gait, plus the upward part of the impulse.
    ImpulseKeepsItsRise,
}

/// Decides when a body sets out if its description contains a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DescribedGoals {
    /// Before the body has a place. It then sets out from the corner of the map. A move-to whose
    /// target is another body ends at the placement.
    ///
    /// Retail: `CPhysicsObj::set_description` (11.4186 @ 0x00514F40)
    BeforePlacement,
    /// After the placement, from the place of the body.
    AfterPlacement,
}

/// Decides how fast the built-in animations move a creature whose own motion table is missing.
///
/// Tables from archives or text are always played at their own speed. So are the built-in animations
/// of players, which have the client's speeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingTables {
    /// At the client's speeds for people. The client itself always has the creature's own table.
    BuiltInSpeed,
    /// At the speed that received positions show, from the second one on.
    HeardSpeed,
}

/// Decides where a body is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DrawMode {
    /// Where its last step left it.
    AsSimulated,
    /// Between the results of its last two steps, so that motion is even at any frame rate. This
    /// delays the picture by at most one step.
    Interpolated,
    /// At a pose of its own, which follows the place where the entity is believed to be now. It never
    /// stops and goes with each position, and does not lag behind.
    ///
    /// The pose depends on the calls of [`advance`](crate::MotionWorld::advance), which are its
    /// frames. Decisions do not depend on it.
    Gliding(GlideParts),
}

impl DrawMode {
    /// Gliding with all its parts.
    pub const GLIDING: Self = Self::Gliding(GlideParts::all());

    /// Returns the parts of gliding, or `None` for another mode.
    pub const fn glide_parts(self) -> Option<GlideParts> {
        match self {
            Self::Gliding(parts) => Some(parts),
            Self::AsSimulated | Self::Interpolated => None,
        }
    }
}

bitflags! {
    /// Parts of [`DrawMode::Gliding`] that can be left out, to see what they do.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct GlideParts: u8 {
        /// Velocity that frequent positions show beyond the animation (D16).
        const BIAS = 1;
        /// Headings that frequent positions show of an entity that was sent somewhere (D17).
        const HEADING = 2;
        /// Braking of an entity near its goal whose positions have ceased (D18).
        const BRAKE = 4;
        /// Arrival at a goal before the body has arrived (D19).
        const ARRIVAL = 8;
    }
}

/// Decides how the local player catches up after a frame longer than the longest step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatchUp {
    /// It takes all its steps in that frame.
    ///
    /// Retail: `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
    AtOnce,
    /// It takes one step per frame until it has caught up, as
    /// [`RenderGate`](crate::drawing::RenderGate) does. This has no effect with the fixed gate.
    OneStepPerFrame,
}

/// Decides how an update about a later life of an entity is handled while the earlier life has a
/// body.
///
/// A new life begins when a description with a newer instance stamp creates the entity again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EarlyUpdatePolicy {
    /// The update is lost. The client attaches it to the earlier body, and discards it together
    /// with that body.
    ///
    /// Retail: `CObjectMaint::QueueBlobForObject` (11.4186 @ 0x005092D0)
    Lost,
    /// The update is parked for the later life, like any other early update.
    Kept,
}

/// Decides how the first position of an unknown entity is handled. Other messages are always
/// parked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownEntityPolicy {
    /// The position waits for the entity to be created.
    Park,
    /// The position creates the entity. This suits captures that begin in the middle of a session.
    Adopt,
}

/// Decides the distance of bodies while there is neither a viewpoint nor a local player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingViewpoint {
    /// Farther than every limit. Every position is then a placement, as in the client before it has
    /// a player.
    AllFar,
    /// Zero. All bodies walk and none sleeps.
    AllNear,
}

/// Limits on the size of a world, so that no input makes it grow without end.
///
/// The client has none of them (S8 to S10 of [`SAFETY_BOUNDS`](crate::deviation::SAFETY_BOUNDS)).
/// Dropped items are counted in [`Stats`](crate::explain::Stats).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Largest number of bodies (default: 4,194,304). Further bodies are refused.
    pub bodies: u32,
    /// Number of events that wait to be polled (default: 4,096). The oldest is dropped first.
    pub events: u32,
    /// Number of player messages that wait to be polled (default: 256). The oldest is dropped
    /// first.
    pub actions: u32,
    /// Number of messages parked for one entity (default: 64). The oldest is dropped first.
    pub parked_per_entity: u32,
    /// Bytes of messages parked for one entity (default: 64 KiB). The oldest is dropped first.
    pub parked_bytes_per_entity: u32,
    /// Number of all parked messages (default: 8,192). The oldest is dropped first, whichever
    /// entity it waits for.
    pub parked: u32,
    /// Bytes of all parked messages (default: 8 MiB). The oldest is dropped first.
    ///
    /// Memory of messages that were parked before is kept for the next ones, up to as many bytes
    /// again.
    pub parked_bytes: u32,
    /// Bytes of decisions kept for explanations (default: 1 MiB). The oldest is dropped first.
    pub decision_bytes: u32,
}

impl Limits {
    /// Returns the limits with some fields changed.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Room for millions of bodies, and a few megabytes for everything that waits.
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

/// Shortest time between two rounds of the shared gate in seconds, and the step of the fixed gate.
///
/// Retail: `CPhysics::UseTime` (11.4186 @ 0x00509950)
pub const MIN_STEP_SECS: f64 = 1.0 / 30.0;

/// Longest single step in seconds. Longer gaps are cut into several steps.
///
/// Retail: `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
/// Disputed: ACE uses 0.1, a change of its own; acdream follows it.
pub const MAX_STEP_SECS: f64 = 0.2;
