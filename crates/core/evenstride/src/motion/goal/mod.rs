//! A goal that the server has set, and how far a body is with it: what a move-to keeps, and its arithmetic.
//!
//! `state.rs` holds one body's way, `choice.rs` which command it comes to, `steering.rs` which way to turn, `turns.rs` arithmetic of headings,
//! `progress.rs` the audit. What carries a goal out is in [`moveto`](crate::moveto).

pub(crate) mod choice;
pub(crate) mod progress;
pub(crate) mod state;
pub(crate) mod steering;
pub(crate) mod turns;

#[cfg(feature = "_conformance")]
pub use choice::{Choice, facing};
use evenstride_types::{Cylinder, EntityId, Placement};
pub use progress::Progress;
pub use state::{MoveTo, MoveToView, Step, Steps};
#[cfg(feature = "_conformance")]
pub use turns::{is_past, turn_left_to_do};

/// Where a body is to go, or what it is to face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MoveToGoal {
    /// To another body, type 6. The holder stands for a held thing, but the thing's own size counts.
    Entity { target: EntityId, size: Cylinder },
    /// To a place, type 7.
    Place(Placement),
    /// Facing another body, type 8.
    FaceEntity(EntityId),
    /// Facing a heading, type 9.
    Face,
}

impl MoveToGoal {
    /// Returns the body that the goal is about.
    pub const fn entity(&self) -> Option<EntityId> {
        match self {
            Self::Entity { target, .. } | Self::FaceEntity(target) => Some(*target),
            Self::Place(_) | Self::Face => None,
        }
    }

    /// Returns the client's number for it.
    pub const fn number(&self) -> u8 {
        match self {
            Self::Entity { .. } => 6,
            Self::Place(_) => 7,
            Self::FaceEntity(_) => 8,
            Self::Face => 9,
        }
    }

    /// Returns the size of the target, nothing if there is none to reach.
    pub const fn size(&self) -> Cylinder {
        match self {
            Self::Entity { size, .. } => *size,
            _ => Cylinder { radius: 0.0, height: 0.0 },
        }
    }
}
