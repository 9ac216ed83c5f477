//! Going somewhere, or to somebody, or turning, because the server said so.
//!
//! ```text
//! movement of type 6–9 ─► order.rs ─► start.rs ─► steps.rs ─► drive.rs ─► end.rs
//!                         who is      what has    turn, walk  every step:  arrived,
//!                         meant       to be done  or run      steer, audit  given up
//! ```
//!
//! The server says where to, and leaves the rest to the client: turn there, walk or run, steer within 20°, notice arrival. Whoever goes to
//! somebody keeps an eye on that one ([`target`](crate::target)); whoever arrives may follow for a second ([`follow`](crate::follow)).
//!
//! `how.rs` holds what was asked for and the choice of command, `steering.rs` which way to turn, `turns.rs` arithmetic of headings, `progress.rs` the audit, `feet.rs` what is
//! done to the legs.

mod drive;
mod end;
mod feet;
mod how;
mod order;
#[cfg(feature = "_conform")]
#[expect(missing_docs, reason = "traces only")]
pub(crate) mod probe;
mod progress;
mod start;
mod state;
mod steering;
mod steps;
#[cfg(test)]
mod tests;
mod turns;

pub use self::end::MoveToEnd;
#[cfg(feature = "_conform")]
pub(crate) use self::feet::Double;
pub(crate) use self::{
    how::How,
    order::Order,
    progress::Progress,
    state::{Goal, MoveTo, Step, Steps},
};
pub use self::{
    how::InvalidMoveTo,
    state::{MoveToView, Steering},
};
