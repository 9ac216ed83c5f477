//! The body, as far as its interpreter must know it.

use evenstride_types::{Rotation, Vec3, update::MotionCommand};

use crate::flight::Flight;

/// What an interpreter must know of its body, and what it does to it.
#[derive(Clone, Debug)]
pub(crate) struct Being {
    /// Whether there is anything to move: parts, and something that moves them.
    pub(crate) parts: Parts,
    pub(crate) contact: bool,
    pub(crate) walkable: bool,
    pub(crate) has_gravity: bool,
    pub(crate) has_cell: bool,
    /// What the game knows of it, if anything.
    pub(crate) game: Option<GameBeing>,
    pub(crate) last_was_autonomous: bool,
    /// At the end of its tether.
    pub(crate) is_constrained: bool,
    pub(crate) rotation: Rotation,
    /// World axes.
    pub(crate) velocity: Vec3,
    /// Times that server-controlled movement was to end, and a follow.
    pub(crate) cancels: u32,
    pub(crate) unsticks: u32,
    /// Motions that are done, and whether they were played to their end.
    /// For traces; nobody else needs to know.
    pub(crate) done: Option<alloc::vec::Vec<(MotionCommand, bool)>>,
}

/// What there is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// Nothing.
    None,
    /// Parts, and nothing that moves them.
    Unmoved,
    /// Everything.
    Moved,
}

/// What the game knows of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GameBeing {
    pub(crate) is_creature: bool,
    pub(crate) is_player: bool,
    /// These four it knows of the local player only.
    pub(crate) run_rate: Option<f32>,
    pub(crate) can_jump: bool,
    pub(crate) jump_velocity: Option<f32>,
    pub(crate) has_stamina: bool,
}

impl Being {
    /// Takes on a velocity, as bodies do.
    pub(super) fn set_velocity(&mut self, velocity: Vec3) {
        let mut flight = Flight { velocity: self.velocity, ..Flight::REST };
        flight.set_velocity(velocity);
        self.velocity = flight.velocity;
    }
}
