//! Server-controlled movement: to a place, to another body, or a turn.
//!
//! ```text
//! movement of type 6–9 ─► goal.rs ─► start.rs ─► begin.rs ─► step.rs ─► end.rs
//!                         what is    what has    turn, walk  every step:  arrived,
//!                         asked      to be done  or run      steer, audit  given up
//! ```
//!
//! The server says where to, and leaves the rest to the client: turn there, walk or run, steer within 20°, notice arrival. A body
//! that goes to another observes it ([`target`](crate::target)), and may follow it for a second on arrival ([`follow`](crate::follow)).
//!
//! `choice.rs` holds the choice of command, `steering.rs` which way to turn, `turns.rs` arithmetic of headings, `progress.rs` the audit,
//! `motions.rs` the motions. What plays them is behind [`Locomotion`](crate::legs::locomotion::Locomotion).

mod begin;
mod choice;
mod end;
mod goal;
mod motions;
mod progress;
mod start;
mod state;
mod steering;
mod step;
#[cfg(test)]
mod tests;
mod turns;

pub use self::end::MoveToEnd;
pub use self::state::{MoveToView, Steering};
#[cfg(feature = "_conformance")]
pub use self::{
    choice::{Choice, facing},
    turns::{is_past, turn_left_to_do},
};
pub use self::{
    goal::MoveToGoal,
    motions::Pace,
    progress::Progress,
    state::{MoveTo, Step, Steps},
};
