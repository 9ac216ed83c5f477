//! What a received message does to a body.
//!
//! `position.rs` routes positions, `movement.rs` takes everything a body is told to do, `describe.rs` makes bodies. All of it is
//! behind stamps; none of it knows about other bodies.

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

// Not derived: that would ask the surroundings to be `Copy` too.
