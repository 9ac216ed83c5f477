//! Rows of a body, one for each column of the store.
//!
//! Data is split by frequency of use and not by topic. Each round reads the hot rows of all bodies
//! that do not rest in one pass, so hot rows contain only data that the pass needs. All types are plain data, and
//! `save/records.rs` lists every field.

use evenstride_types::{CellId, EntityId, Placement, Pose, StampTable, Vec3, update::PhysicsState};

use crate::{
    body::{flags::Flags, hold_links::HoldLinks},
    journal::Counters,
    motion::{InterpretedMotion, tether::Tether},
    storage::{keys::BodyKey, pool::PoolIndex},
};

/// Physical constants of a body. They are set when it appears, and rarely change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dimensions {
    /// Size factor, which also multiplies root motion (at least 0, default: 1).
    pub scale: f32,
    /// Radius in metres, for sweeps, placements and gaps between bodies (at least 0, default: 0.5).
    pub radius: f32,
    /// Height in metres from the origin upwards (at least 0, default: 1.8).
    pub height: f32,
    /// Fraction of its speed that a sliding body loses per second (0 to 1, default: 0.95).
    pub friction: f32,
    /// Fraction of its impact speed that a bouncing body keeps (0 to 0.1, default: 0.05).
    pub elasticity: f32,
}

/// Data of a body that every round reads unless the body rests, in one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct HotRow {
    /// Place after the last step or placement. It is `NOWHERE` while the body is outside the world.
    pub place: Placement,
    /// Time up to which the body has been stepped, in seconds of the world's clock. Out of date while
    /// the body rests (`Store::row`).
    pub updated: f64,
    /// Velocity and spin in `Store::flights`. It is set if and only if `Flags::FLIES` is.
    pub flight: PoolIndex,
    /// Animator in `Store::locomotion`. A body that has only ever stood has none.
    ///
    /// It may only play a standing animation. `Flags::STRIDES` tells whether it moves the body.
    pub animator: PoolIndex,
    /// Metres from the viewpoint at the last round (default: `f32::MAX`, which means unknown). Out of
    /// date while the body rests (`Store::row`).
    ///
    /// From 96 m on, a received position places the body instead of extending its route. A position
    /// that arrives before the body's first round therefore places it too.
    pub distance: f32,
    /// State bits as the server last set them.
    pub state: PhysicsState,
    /// Entity of the body. Each entity has at most one body.
    pub id: EntityId,
    /// Boolean state, including everything that decides whether the body is stepped.
    pub flags: Flags,
}

impl HotRow {
    /// Returns whether a step would not move the body. The body may still have to notify its
    /// observers.
    #[inline]
    pub const fn is_at_rest(&self) -> bool {
        !self.flags.intersects(Flags::RESTLESS)
    }
}

/// Data that only steps of moving bodies read, in one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct MotionRow {
    /// Limit of the path since the last accepted position.
    pub tether: Tether,
    /// Speed on a route in metres per second, derived from the interpreted motion and the run rate.
    ///
    /// `BodyMut::update_chase_speed` refreshes it after each change, so that a step need not.
    pub chase_speed: f32,
    /// Velocity of the last step in metres per second, world axes. Zero if the step did not move
    /// the body.
    ///
    /// It is computed from the distance actually covered, and not from the flight. The place that
    /// observers expect is predicted with it.
    pub last_velocity: Vec3,
    /// Unit normal of the surface last touched (default: up). Valid only with `Flags::HAS_NORMAL`.
    pub normal: Vec3,
    /// Constants that sweeps, friction and bounces use.
    pub dimensions: Dimensions,
}

const _: () = assert!(size_of::<HotRow>() == 64 && size_of::<MotionRow>() == 64);

/// Data that only messages read and write.
#[derive(Clone, Copy, Debug)]
pub struct MessageRow {
    /// Newest stamp of each kind. `inbound/stamps.rs` compares messages with it.
    pub stamps: StampTable,
    /// Counts of the dispositions of this body's messages.
    pub counters: Counters,
}

/// Data that an ordinary step does not read, and links to state that few bodies have.
#[derive(Clone, Copy, Debug)]
pub struct ColdRow {
    /// Key by which hosts name the body.
    pub key: BodyKey,
    /// Numbers of the archive records of the body.
    pub resources: ResourceIds,
    /// Holder and held bodies.
    pub hold: HoldLinks,
    /// Follow in `Store::follows`, for at most a second. It is set if and only if `Flags::FOLLOWS` is.
    pub follow: PoolIndex,
    /// Goal set by the server, in `Store::moves`. It is set if and only if `Flags::MOVES_TO` is.
    pub move_to: PoolIndex,
    /// Entry in `Store::targets`, for observing and for being observed. It is set if and only if
    /// `Flags::OBSERVATION` is.
    pub observation: PoolIndex,
    /// Time up to which the animation of a resting body has been played, in seconds of its own
    /// clock.
    ///
    /// A cycle that moves nothing is not played every step. It is played up to the present when
    /// something depends on its keyframe.
    pub idle_since: f64,
}

impl ColdRow {
    /// Returns how many seconds of a resting body's animation are still to be played, up to `until`
    /// on the body's own clock.
    ///
    /// Returns 0 for a body whose animations are played every step, and for a hidden one.
    pub fn idle_secs(&self, body: &HotRow, until: f64) -> f64 {
        let is_played = body.flags.contains(Flags::STRIDES);
        if is_played || body.state.contains(PhysicsState::HIDDEN) { 0.0 } else { until - self.idle_since }
    }
}

/// Numbers of the archive records that a body uses. A number is 0 if the description names none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceIds {
    /// Model of the body. Hosts draw it, and the core only passes it on.
    pub setup: u32,
    /// Motion table. A body without one uses a built-in table once it moves.
    pub motion_table: u32,
    /// Pose of a body that nothing animates, such as an item in a hand.
    pub placement_frame: u32,
}

/// Values of all columns of a body that is added to the store.
#[derive(Clone, Copy, Debug)]
pub struct NewBody {
    /// Entity of the new body. The caller checks that it has no body yet.
    pub id: EntityId,
    /// First place, or `NOWHERE` for a body that is still outside the world.
    pub place: Placement,
    /// First flags. `HAS_CELL` decides whether gravity is settled at once.
    pub flags: Flags,
    /// State bits from the description.
    pub state: PhysicsState,
    /// Constants, already limited to their ranges.
    pub dimensions: Dimensions,
    /// First motion. The caller passes a standing one and lets the interpreter begin the real one.
    pub motion: InterpretedMotion,
    /// First stamps. A kind without a received stamp accepts any first message.
    pub stamps: StampTable,
    /// Archive records from the description.
    pub resources: ResourceIds,
    /// Key that already refers to the new row.
    pub key: BodyKey,
    /// Time in seconds at which the body's clock starts.
    pub updated: f64,
}

/// Place of a body outside the world. `Flags::HAS_CELL` tells whether a body is in the world, and
/// this value only fills the field.
pub(crate) const NOWHERE: Placement = Placement::new(CellId::CORNER, Pose::IDENTITY);
