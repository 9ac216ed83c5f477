//! Server-controlled movement to a place or to another body, and turns to a heading or to a body.
//!
//! ```text
//! movement of type 6–9 ─► goal.rs ─► start.rs ─► begin.rs ─► step.rs ─► end.rs
//!                         goal       steps to    turn, walk  steer,     arrived,
//!                                    be done     or run      audit      given up
//! ```
//!
//! The server names a goal and leaves the rest to the client. The body turns towards the goal,
//! walks or runs, and corrects its course once it is off by more than 20°. It also detects its own
//! arrival. A body that goes to another observes it (`observers.rs`), and may follow it for a
//! second on arrival (`follow.rs`).
//!
//! The state and arithmetic of a goal are in [`motion::goal`](crate::motion::goal). The work on
//! bodies is here. `motions.rs` begins and ends single motions. Animations are used only through
//! [`Locomotion`](crate::body::locomotion::Locomotion), so that reference traces can supply their
//! own.
//!
//! In code, `way` is the `MoveTo` of a body, which lives in a pool. A body has one while its flag
//! `MOVES_TO` is set.

mod begin;
mod end;
mod follow;
mod goal;
mod motions;
pub(crate) mod observers;
mod start;
mod step;
#[cfg(test)]
mod tests;
