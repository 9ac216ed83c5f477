//! Server-controlled movement to a place, to another body, or into a heading.
//!
//! ```text
//! movement of type 6–9 ─► goal.rs ─► start.rs ─► begin.rs ─► step.rs ─► end.rs
//!                         goal       steps to    turn, walk  steer,     arrived,
//!                                    be done     or run      audit      given up
//! ```
//!
//! The server names a goal and leaves the rest to the client. The body turns there, walks or runs,
//! steers within 20° and notices its arrival. A body that goes to another observes it
//! (`observers.rs`), and may follow it for a second on arrival (`follow.rs`).
//!
//! The state and arithmetic of a goal are in [`motion::goal`](crate::motion::goal), the work on
//! bodies is here. `motions.rs` begins and ends single motions. Animations are known only as
//! [`Locomotion`](crate::body::locomotion::Locomotion), so that reference traces can bring their
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
