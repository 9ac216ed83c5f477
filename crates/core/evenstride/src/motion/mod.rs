//! One body's motion, without the body.
//!
//! This folder owns the rules for the motion of a single body. These are route, follow, tether,
//! flight, goals, the motion interpreter and the player of animations. Rows and pools of bodies are
//! in `body/`. The order of a step is in `step/`, and the execution of goals is in `moveto/`.
//!
//! ```text
//! keys     ─► raw_motion ─┐
//! messages ───────────────┼─► interpreter ─► interpreted_motion ─► playing ─► sequence ─► root
//! move-to  ───────────────┤   the only one   what the body is      which      keyframe    motion
//! generic  ───────────────┘                  doing                 animations by keyframe per step
//! API                                                              (table)    (library)
//! ```
//!
//! Several sources move a body in a step. Root motion comes first. A waypoint (`route`) replaces
//! it, and a follow (`follow`) replaces both. The tether (`tether`) shortens the result. Velocity,
//! gravity and spin (`flight`) are added last.
//!
//! `animator.rs` holds the animations of one body, and `body/animated.rs` connects them with its
//! row. A step and a move-to know animations only through the trait in `body/locomotion.rs`.
//!
//! Units are metres, seconds, radians for spin and degrees for headings. A body's own axes are +X
//! to the right, +Y forward and +Z up.

pub(crate) mod animation;
pub(crate) mod animator;
pub(crate) mod borrowed_legs;
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

pub use animation::{Animation, AnimationError, Hook, HookDirection};
pub use builtin::{BUILT_IN_CREATURE, BUILT_IN_HUMANOID};
pub use interpreted_motion::{InterpretedMotion, MotionAxis};
pub use interpreter::{
    BACKWARDS_FACTOR, MAX_RUN_SIDESTEP, RUN_SPEED, SIDESTEP_FACTOR, SIDESTEP_SPEED, TURN_SPEED, WALK_SPEED,
};
pub use library::{Model, MotionLibrary};
pub use table::{Clip, Motion, MotionTable};
pub use treadmill::{Played, Treadmill};
