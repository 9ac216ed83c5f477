//! Goals that the server sets, and the progress of a body towards its goal.
//!
//! This folder owns the state of a move-to and its arithmetic. It changes no body.
//! [`moveto`](crate::moveto) carries goals out, and `inbound/task.rs` makes them from messages.
//!
//! - `state.rs` holds the move-to of one body.
//! - `choice.rs` chooses the command by distance.
//! - `steering.rs` chooses the turn that corrects the course.
//! - `turns.rs` holds the arithmetic of headings.
//! - `progress.rs` checks the headway.

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

/// The goal of a move-to, which is a place to reach or a direction to face. Only movement messages
/// of type 6 to 9 set a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MoveToGoal {
    /// To another body, type 6. For a held item, `target` is its outermost holder, and `size` is
    /// the item's own size.
    Entity { target: EntityId, size: Cylinder },
    /// To a place, type 7, or type 6 with an unknown entity.
    Place(Placement),
    /// To face another body, type 8. A held item is represented by its outermost holder.
    FaceEntity(EntityId),
    /// To face the heading in `MovementParams`, type 9, or type 8 with an unknown entity.
    Face,
}

impl MoveToGoal {
    /// Returns the target body, which must be observed, or `None` for a place or a heading.
    pub const fn entity(&self) -> Option<EntityId> {
        match self {
            Self::Entity { target, .. } | Self::FaceEntity(target) => Some(*target),
            Self::Place(_) | Self::Face => None,
        }
    }

    /// Returns the client's movement type, 6 to 9.
    pub const fn number(&self) -> u8 {
        match self {
            Self::Entity { .. } => 6,
            Self::Place(_) => 7,
            Self::FaceEntity(_) => 8,
            Self::Face => 9,
        }
    }

    /// Returns the size of the target. It is zero unless the goal is to reach another body.
    pub const fn size(&self) -> Cylinder {
        match self {
            Self::Entity { size, .. } => *size,
            _ => Cylinder { radius: 0.0, height: 0.0 },
        }
    }
}
