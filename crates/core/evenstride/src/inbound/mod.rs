//! Handling of received messages.
//!
//! This folder takes an `Update` from `MotionWorld::handle`, changes the rows of its body, and
//! returns a `Disposition`. It does not decode bytes and it does not move time. Bodies react in the
//! next round of steps, except for placements, which take effect at once.
//!
//! - `dispatch.rs` finds the body of each message and counts the disposition.
//! - `batch.rs` handles many messages at once.
//! - `stamps.rs` decides whether a message is newer than the known state.
//! - `position.rs` leads positions to the route, to a placement or to nothing.
//! - `fast_path.rs` leads most positions to the route, with the result of `position.rs`.
//! - `movement.rs` and `task.rs` apply movements, velocities and state bits.
//! - `create.rs` and `describe.rs` make bodies from descriptions.
//! - `hold.rs` puts bodies into hands and takes them out.
//!
//! ```text
//! position ─► dispatch ─► fast_path.rs ─► stamps ─► route ─► tether
//!                         position.rs ─► stamps ─► route, placement or nothing ─► tether
//! movement ─► dispatch ─► task.rs ─► movement.rs ─► stamps ─► interpreter ─► follow or move-to
//! ```
//!
//! The values of each part of a message are checked before its first stamp is stored. A refused
//! part therefore changes nothing but a counter.

mod batch;
mod create;
mod describe;
mod dispatch;
mod fast_path;
pub(crate) mod hold;
mod movement;
mod position;
pub(crate) mod stamps;
pub(crate) mod task;

pub use self::position::ContactWord;
pub(crate) use self::{
    describe::{Described, describe, place_of},
    movement::GatedMovement,
    position::checked_place,
};
