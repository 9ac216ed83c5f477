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
mod choice;
mod end;
mod goal;
mod motions;
pub(crate) mod observers;
mod progress;
mod start;
mod state;
mod steering;
mod step;
#[cfg(test)]
mod tests;
mod turns;

pub use crate::moveto::end::MoveToEnd;
pub use crate::moveto::state::MoveToView;
pub use crate::moveto::state::Steering;
#[cfg(feature = "_conformance")]
pub use crate::moveto::{
    choice::{Choice, facing},
    turns::{is_past, turn_left_to_do},
};
pub use crate::moveto::goal::MoveToGoal;
pub use crate::moveto::motions::Pace;
pub use crate::moveto::progress::Progress;
pub use crate::moveto::state::MoveTo;
pub use crate::moveto::state::Step;
pub use crate::moveto::state::Steps;
