//! The rows of a body: what each column of the store holds.

use evenstride_types::{CellId, EntityId, Placement, Pose, StampTable, Vec3, update::PhysicsState};

use crate::{
    body::{flags::Flags, hold_links::HoldLinks},
    journal::Counters,
    motion::{InterpretedMotion, tether::Tether},
    storage::{keys::BodyKey, pool::PoolIndex},
};

/// What a body is made of; set when it appears, hardly ever changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dimensions {
    pub scale: f32,
    pub radius: f32,
    pub height: f32,
    pub friction: f32,
    pub elasticity: f32,
}

/// Links into the pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Links {
    pub route: PoolIndex,
    pub follow: PoolIndex,
    pub flight: PoolIndex,
    pub animator: PoolIndex,
}

impl Links {
    pub const NONE: Self = Self {
        route: PoolIndex::NONE,
        follow: PoolIndex::NONE,
        flight: PoolIndex::NONE,
        animator: PoolIndex::NONE,
    };

    /// Whether none of them makes a body move. An animator may stand.
    #[inline]
    pub const fn are_still(&self) -> bool {
        PoolIndex::none_of([self.route, self.follow, self.flight])
    }
}

/// What every tick reads of a body, side by side: 72 bytes.
#[derive(Clone, Copy, Debug)]
pub struct HotRow {
    pub place: Placement,
    /// When it was last stepped, in seconds.
    pub updated: f64,
    pub links: Links,
    /// From the viewpoint, as of the last tick.
    pub distance: f32,
    pub state: PhysicsState,
    pub id: EntityId,
    pub flags: Flags,
}

/// What only bodies that move need.
#[derive(Clone, Copy, Debug)]
pub struct MotionRow {
    pub tether: Tether,
    /// How fast it is on a route; follows from what it is doing.
    pub chase_speed: f32,
    pub dimensions: Dimensions,
    /// Of what it touches.
    pub normal: Vec3,
    /// How fast the last step moved it.
    pub last_velocity: Vec3,
    /// Where the server has sent it.
    pub move_to: PoolIndex,
    /// Whom it keeps an eye on, and who keeps an eye on it.
    pub observation: PoolIndex,
}

/// What messages are compared with, and what became of them.
#[derive(Clone, Copy, Debug)]
pub struct MessageRow {
    pub stamps: StampTable,
    pub counters: Counters,
}

/// What no step reads.
#[derive(Clone, Copy, Debug)]
pub struct ColdRow {
    pub key: BodyKey,
    pub resources: ResourceIds,
    pub hold: HoldLinks,
    /// Until when the animations of a resting body are played, by its own clock, in seconds. They are played on when something depends on
    /// how far they have come.
    pub idle_since: f64,
}

impl ColdRow {
    /// Returns how long the animation of a resting body has gone on since it was last played; 0 if it is played every step, or never.
    pub fn idle_secs(&self, body: &HotRow) -> f64 {
        let is_played = body.flags.contains(Flags::STRIDES);
        if is_played || body.state.contains(PhysicsState::HIDDEN) {
            0.0
        } else {
            body.updated - self.idle_since
        }
    }
}

/// Archive records a body is drawn and moved with; zero where none was named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceIds {
    pub setup: u32,
    pub motion_table: u32,
    pub placement_frame: u32,
}

/// A body as it is first put in.
#[derive(Clone, Copy, Debug)]
pub struct NewBody {
    pub id: EntityId,
    pub place: Placement,
    pub flags: Flags,
    pub state: PhysicsState,
    pub dimensions: Dimensions,
    pub motion: InterpretedMotion,
    pub stamps: StampTable,
    pub resources: ResourceIds,
    pub key: BodyKey,
    pub updated: f64,
}

/// Where a body is while it is nowhere.
pub(crate) const NOWHERE: Placement = Placement::new(CellId::CORNER, Pose::IDENTITY);
