//! Server-controlled movement: to a place, to another body, or a turn.
//!
//! ```text
//! movement of type 6–9 ─► goal.rs ─► start.rs ─► begin.rs ─► step.rs ─► end.rs
//!                         what is    what has    turn, walk  every step:  arrived,
//!                         asked      to be done  or run      steer, audit  given up
//! ```
//!
//! The server says where to, and leaves the rest to the client: turn there, walk or run, steer within 20°, notice arrival. A body
//! that goes to another observes it ([`target`](crate::moveto::observers)), and may follow it for a second on arrival ([`follow`](crate::motion::follow)).
//!
//! `choice.rs` holds the choice of command, `steering.rs` which way to turn, `turns.rs` arithmetic of headings, `progress.rs` the audit,
//! `motions.rs` the motions. What plays them is behind [`Locomotion`](crate::body::locomotion::Locomotion).

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
