//! A goal that the server has set, and the progress of a body towards it.
//!
//! This folder owns the state of a move-to and its arithmetic. It changes no body.
//! [`moveto`](crate::moveto) carries goals out, and `inbound/task.rs` makes them from messages.
//!
//! - `state.rs` holds one body's way.
//! - `choice.rs` chooses the command by distance.
//! - `steering.rs` chooses the turn on the way.
//! - `turns.rs` holds the arithmetic of headings.
//! - `progress.rs` holds the audit.

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

/// Where a body is to go, or what it is to face. Only movements of type 6 to 9 set one.
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
    /// Returns the body that the goal is about, which is the one to observe. `None` for a place or
    /// a heading.
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
