//! The motion core of Evenstride. It turns sparse position updates into smooth motion.
//!
//! ```text
//! update ─► inbound/ ─────► motion/ ─────► step/ ───────────────► drawing/
//!           finds the       keeps route    adds root motion,      says where
//!           body, or parks  and motion     follow, tether and     to draw it
//!           the update                     velocity, and sweeps
//! keys ───► player/ ──────► the same steps, and messages to the server
//! ```
//!
//! [`MotionWorld`] is the one object that a host holds. [`PlainWorld`](generic::PlainWorld) offers
//! the same to games other than Asheron's Call. Time, updates and [`Surroundings`] are arguments of
//! each call.
//!
//! Every update is answered with a [`Disposition`]. Later changes, such as a landing, are reported
//! as [`Event`]s, and [`MotionWorld::explain`] gives the reasons. The crate has no clock, no IO and
//! no randomness. The same inputs therefore give the same bits on every target.
//!
//! Where to start, by task:
//!
//! | task | start at |
//! |---|---|
//! | move bodies of Asheron's Call | [`MotionWorld::handle`], [`MotionWorld::advance`] |
//! | move bodies of another game | [`PlainWorld::update`](generic::PlainWorld::update) |
//! | choose between the client's motion and smoother motion | [`Config`], [`deviation`] |
//! | describe ground and walls | [`Surroundings`] |
//! | draw bodies | [`MotionWorld::drawn_into`], [`MotionWorld::animation`] |
//! | control the local player | [`MotionWorld::set_input`], [`MotionWorld::poll_action`] |
//! | save and restore | [`MotionWorld::save`], [`MotionWorld::restore`] |
//! | test that a host is repeatable | [`SyncTest`] |
//!
//! # If code of the host panics
//!
//! [`Surroundings`] are the host's own code, which runs in the middle of a call. A host that catches
//! its panic may use the world again. The world then fits together, and its save can be restored.
//!
//! - The message that was being handled is lost. A body that was being created or replaced is
//!   removed, and messages that waited for it still wait.
//! - The body that was being stepped stays where its last step left it. Bodies that had not been
//!   stepped yet may miss the rounds of that call. Bodies of the same block of 64 may lose an unusual end
//!   of their step, such as a landing. With [`advance_with`](MotionWorld::advance_with), all bodies may
//!   lose it, and the progress of their animation.
//!
//! [`Threads`] may panic too, with the same effect. No other code of a host runs while a world changes. The closure of
//! [`handle_all`](MotionWorld::handle_all) runs between two messages.
//!
//! # Words
//!
//! These words have a special meaning here. `GLOSSARY.md` in the repository has the full list.
//!
//! | word | meaning |
//! |---|---|
//! | client | the Asheron's Call client of September 2013, build 11.4186 (`Retail:` lines name its functions) |
//! | host | the program that uses this crate |
//! | entity, body | a thing with an id, and the part of it that moves |
//! | place | a [`Placement`](types::Placement), which is a cell of the map and a pose |
//! | placement, snap | putting a body somewhere without a walk |
//! | step | the motion of one body over one span of time |
//! | round, tick | one pass of steps over all bodies, and a round that comes every 1/30 s |
//! | route, waypoint | the received places that a body has not reached yet, and one of them |
//! | move-to | a walk or a turn to a goal that the server has set |
//! | follow | keeping up with another body for one second |
//! | tether | a leash on the path since the last accepted position |
//! | stamp | a wrapping 16-bit counter that tells which message is newer |
//! | life | the time from one instance stamp of an entity to the next, with a body of its own |
//! | parked | waiting for an entity that does not exist yet |
//! | asleep | not stepped, because the body is more than 96 m from the viewpoint |
//!
//! Folders are layers. `outcome/` and `storage/` contain no rule of the game. `motion/` has the
//! state and the rules of one body's motion, independent of how bodies are stored. `body/` holds
//! the rows of all bodies. Code that needs more than one body, or the whole world, is in the
//! folders above these.
//! `ARCHITECTURE.md` in the repository lists all layers.

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
mod body_id;
mod body_ref;
mod clock;
pub mod config;
pub mod deviation;
pub mod drawing;
pub mod explain;
pub mod generic;
mod glide;
mod inbound;
mod journal;
mod motion;
mod moveto;
pub mod outcome;
pub mod player;
#[cfg(feature = "_conformance")]
#[doc(hidden)]
pub mod probe;
mod save;
mod step;
mod storage;
pub mod surroundings;
mod sync_test;
mod view;
mod world;

pub use body::{hold_links::HeldBy, setup::BodySetup};
pub use body_id::{BodyError, BodyId};
pub use body_ref::BodyRef;
pub use clock::Advanced;
pub use config::Config;
pub use drawing::Drawn;
pub use evenstride_types as types;
pub use explain::{Event, Happening};
pub use motion::goal::MoveToView;
pub use outcome::{Disposition, InsertError};
#[doc(hidden)]
pub use save::reseal;
pub use save::{RestoreError, SAVE_VERSION};
pub use step::Threads;
pub use storage::keys::BodyKey;
pub use surroundings::{FlatGround, OpenField, Surroundings};
pub use sync_test::{Desync, Difference, SyncTest, TestedWorld};
pub use view::{AnimationView, BodyView, MovedBy};
pub use world::MotionWorld;

/// Motion tables, animations, and the motions that they play.
///
/// A host with the game's archives loads a [`MotionLibrary`](animation::MotionLibrary). Other hosts
/// use the built-in one and read [`AnimationView`] to play animations of their own.
pub mod animation {
    pub use crate::{
        glide::DrawnMotion,
        motion::{
            Animation, AnimationError, BUILT_IN_CREATURE, BUILT_IN_HUMANOID, Clip, Hook, HookDirection,
            InterpretedMotion, Model, Motion, MotionAxis, MotionLibrary, MotionTable, Played, Treadmill,
            gait::Gait, playing::PlayingView,
        },
        outcome::TableOrigin,
    };
}

/// Constants of the client and of this crate, each with its source.
pub mod limits {
    pub use crate::{
        body::{cull::ACTIVE_RADIUS_M, observers::TARGET_CHECK_SECS},
        clock::LOST_TIME_SECS,
        config::{MAX_STEP_SECS, MIN_STEP_SECS},
        generic::PLAIN_REACH,
        motion::{
            BACKWARDS_FACTOR, MAX_RUN_SIDESTEP, RUN_SPEED, SIDESTEP_FACTOR, SIDESTEP_SPEED, TURN_SPEED,
            WALK_SPEED,
            flight::{GRAVITY, MAX_SPEED, MIN_SPEED},
            follow::{FALLBACK_FOLLOW_SPEED, FOLLOW_GAP_M, FOLLOW_SECS},
            route::{
                ARRIVAL_RADIUS, AUDIT_RATIO, AUDIT_STEPS, FALLBACK_CHASE_SPEED, MAX_FAR_WAYPOINTS,
                MAX_STALLED_WAYPOINTS, MAX_WAYPOINTS, STALL_ACCEPTANCE_RADIUS, player_snap_distance,
                snap_distance,
            },
        },
        moveto::observers::{TARGET_RADIUS, TARGET_TIMEOUT_SECS},
        outcome::{MAX_HOLDING_DEPTH, SPEED_LIMIT},
        player::{MAX_CHARGE_SECS, MIN_EXTENT, REPORT_SECS},
        storage::parking::{ASK_AFTER_SECS, PARKING_SECS},
        surroundings::WALKABLE_NORMAL_Z,
    };
}
