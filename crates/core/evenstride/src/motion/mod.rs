//! Animations that move a body, and what decides which.
//!
//! ```text
//! keys      ─► raw_motion ─┐
//! messages  ───────────────┼─► interpreter ─► interpreted_motion ─► playing ─► sequence ─► root motion
//! move-to   ───────────────┤   the only one    what the body is     which       keyframe by   of one step
//! generic   ───────────────┘                   doing                animations  keyframe
//! API                                                               (table)     (library)
//! ```
//!
//! `animator.rs` connects all of it with a body. A step and a move-to see it as `locomotion.rs` only.

pub(crate) mod animation;
pub(crate) mod animator;
pub(crate) mod builtin;
pub(crate) mod controls;
pub(crate) mod flight;
pub(crate) mod follow;
pub(crate) mod gait;
pub(crate) mod goal;
pub(crate) mod interpreted_motion;
pub(crate) mod interpreter;
pub(crate) mod items;
pub(crate) mod library;
pub(crate) mod movement_params;
pub(crate) mod playing;
pub(crate) mod raw_motion;
pub(crate) mod route;
pub(crate) mod sequence;
pub(crate) mod skills;
pub(crate) mod table;
#[cfg(test)]
mod tests;
pub(crate) mod tether;
pub(crate) mod treadmill;

pub use animation::{Animation, Hook, HookDirection, InvalidAnimation};
pub use builtin::{BUILT_IN_CREATURE, BUILT_IN_HUMANOID};
pub use interpreted_motion::{InterpretedMotion, MotionAxis};
pub use interpreter::{
    BACKWARDS_FACTOR, MAX_RUN_SIDESTEP, RUN_SPEED, SIDESTEP_FACTOR, SIDESTEP_SPEED, TURN_SPEED, WALK_SPEED,
};
pub use library::{Model, MotionLibrary};
pub use table::{Clip, Motion, MotionTable};
pub use treadmill::{Played, Treadmill};
