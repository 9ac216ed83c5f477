//! What a received message does.
//!
//! `dispatch.rs` finds the body of each message, and counts the answer. `stamps.rs` decides which messages are newer than what is known.
//! `position.rs` routes positions, `movement.rs` and `task.rs` take everything a body is told to do, `create.rs` and `describe.rs` make
//! bodies, `hold.rs` puts them into hands.

mod create;
mod describe;
mod dispatch;
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
