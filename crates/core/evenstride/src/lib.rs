//! The motion core, which turns sparse position updates into smooth motion.
//!
//! ```text
//! update ─► inbound/ ─► motion/ ─► step/ ─► drawing/
//!           finds the   routes,    legs, follow, tether,  where it is drawn
//!           body, or    motions    velocity, sweep, move-to
//!           parks
//! keys ───► player/ ──► the same step; messages to the server out
//! ```
//!
//! [`MotionWorld`] is the one object a host holds. [`PlainWorld`] offers the same to games that are
//! not Asheron's Call. Time, updates and [`Surroundings`] are arguments of each call.
//!
//! Every update is answered with a [`Disposition`]. [`Event`]s tell what happened later, and
//! [`MotionWorld::explain`] tells why. The crate has no clock, no IO and no randomness, so the same
//! inputs give the same bits on every target.
//!
//! Where to start, by task:
//!
//! | task | start at |
//! |---|---|
//! | move bodies of Asheron's Call | [`MotionWorld::handle`], [`MotionWorld::advance`] |
//! | move bodies of another game | [`PlainWorld::update`], [`PlainWorld::advance`] |
//! | choose between the client and smoother motion | [`Config`], [`DEVIATIONS`] |
//! | tell bodies about ground and walls | [`Surroundings`] |
//! | draw | [`MotionWorld::drawn_into`], [`MotionWorld::animation`] |
//! | play the local player | [`MotionWorld::set_input`], [`MotionWorld::poll_action`] |
//! | save and restore | [`MotionWorld::save`], [`MotionWorld::restore`] |
//!
//! Folders are layers. `outcome/` and `storage/` know no rule of the game. `motion/` is one body's
//! motion without the body, and `body/` holds the rows. Everything that needs more than one body or
//! the whole world stands above. ARCHITECTURE.md has the table of all layers.

#![no_std]
#![forbid(unsafe_code)]
// Public items must be documented. Internals are `pub` only where `probe.rs` re-exports them.
#![cfg_attr(not(feature = "_conformance"), deny(missing_docs))]
#![cfg_attr(
    not(feature = "_conformance"),
    expect(unreachable_pub, reason = "`probe.rs` re-exports these with the private feature")
)]
#![cfg_attr(
    feature = "_conformance",
    expect(
        missing_docs,
        unnameable_types,
        private_interfaces,
        clippy::len_without_is_empty,
        clippy::new_without_default,
        reason = "internals, for reference traces only"
    )
)]

extern crate alloc;

mod acdream;
mod body;
mod clock;
mod config;
mod deviation;
mod drawing;
mod explain;
mod generic;
mod inbound;
mod journal;
mod motion;
mod moveto;
mod outcome;
mod player;
#[cfg(feature = "_conformance")]
#[doc(hidden)]
pub mod probe;
mod save;
mod step;
mod storage;
mod surroundings;
mod view;
mod world;

pub use acdream::{ACDREAM_CHOICES, AcdreamChoice, AcdreamProfile, AcdreamSource};
pub use body::{
    hold_links::HeldBy,
    local_player::{Autonomy, Controller},
    observers::TARGET_CHECK_SECS,
    setup::BodySetup,
    store::ACTIVE_RADIUS_M,
};
pub use clock::{Advanced, LOST_TIME_SECS};
pub use config::{
    CatchUp, Config, DescribedGoals, DrawMode, EarlyUpdatePolicy, Gate, Landing, Limits, MAX_STEP_SECS,
    MIN_STEP_SECS, MissingViewpoint, Orientation, RootMotionMode, Takeoff, UnknownEntityPolicy,
};
pub use deviation::{DEVIATIONS, Deviation, SAFETY_BOUNDS, SafetyBound};
pub use drawing::{
    Drawn,
    gate::{FrameOutcome, RenderGate},
};
pub use evenstride_types as types;
pub use explain::{Event, Explanation};
pub use generic::{Axes, Order, PLAIN_REACH, PlainConfig, PlainError, PlainPose, PlainUpdate, PlainWorld};
pub use inbound::hold::MAX_HOLDING_DEPTH;
pub use journal::{Counters, Happening, Stats};
pub use motion::{
    Animation, BACKWARDS_FACTOR, BUILT_IN_CREATURE, BUILT_IN_HUMANOID, Clip, Hook, HookDirection,
    InterpretedMotion, AnimationError, MAX_RUN_SIDESTEP, Model, Motion, MotionAxis, MotionLibrary,
    MotionTable, Played, RUN_SPEED, SIDESTEP_FACTOR, SIDESTEP_SPEED, TURN_SPEED, Treadmill, WALK_SPEED,
    controls::{Ahead, Input, Side},
    flight::{GRAVITY, MAX_SPEED, MIN_SPEED},
    follow::{FALLBACK_FOLLOW_SPEED, FOLLOW_GAP_M, FOLLOW_SECS},
    gait::Gait,
    goal::MoveToView,
    playing::PlayingView,
    route::{
        ARRIVAL_RADIUS, AUDIT_RATIO, AUDIT_STEPS, FALLBACK_CHASE_SPEED, MAX_FAR_WAYPOINTS,
        MAX_STALLED_WAYPOINTS, MAX_WAYPOINTS, STALL_ACCEPTANCE_RADIUS, snap_distance,
    },
    skills::Skills,
};
pub use moveto::observers::{TARGET_RADIUS, TARGET_TIMEOUT_SECS};
pub use outcome::{
    CreateHow, Disposition, DropReason, Enqueued, Heard, IgnoreReason, InsertError, MoveToError,
    SpeedError, MergedParts, MotionError, MoveToEnd, Outcome, ParkReason, PartReason, PlaceReason,
    RefuseReason, RemoveReason, SPEED_LIMIT, Steering, TableOrigin,
};
pub use player::{JumpError, MAX_CHARGE_SECS, MIN_EXTENT, NoPlayerError, PlayerView, REPORT_SECS};
#[doc(hidden)]
pub use save::reseal;
pub use save::{RestoreError, SAVE_VERSION};
pub use storage::{
    keys::BodyKey,
    memory::MemoryPart,
    parking::{ASK_AFTER_SECS, PARKING_SECS},
};
pub use surroundings::{
    Contact, Cut, Cuts, FlatGround, Footing, GroundBelow, Heightfield, HeightfieldError, OpenField, Placed,
    Placing, Surroundings, Sweep, Swept, WALKABLE_NORMAL_Z,
};
pub use view::{AnimationView, BodyView, MovedBy};
pub use world::MotionWorld;

/// Runs the code of the README as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../../../../README.md")]
struct Readme;
