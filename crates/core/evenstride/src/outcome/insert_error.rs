//! Why a body cannot be inserted into the world.

use evenstride_types::EntityId;

use crate::outcome::SpeedError;

/// Why a body cannot be inserted. The world is unchanged.
///
/// Hosts get it from [`MotionWorld::insert`](crate::MotionWorld::insert). Create messages report it
/// as [`RefuseReason::Setup`](crate::outcome::RefuseReason::Setup).
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InsertError {
    /// The entity already has a body. Remove it first.
    #[error("entity {entity} is already in the world")]
    Exists {
        /// The entity that was to be inserted.
        entity: EntityId,
    },
    /// The world holds [`Limits::bodies`](crate::config::Limits::bodies) bodies.
    #[error("entity {entity}: the world is full with {limit} bodies; raise `Limits::bodies`")]
    Full {
        /// The entity that was to be inserted.
        entity: EntityId,
        /// Largest number of bodies.
        limit: u32,
    },
    /// A value is not finite, a size is negative, or the place is out of bounds.
    #[error(
        "entity {entity}: {field} {value} is invalid; use finite numbers, and 0 or more for scale, radius and height"
    )]
    Number {
        /// The entity that was to be inserted.
        entity: EntityId,
        /// Name of the invalid field, such as `scale` or `velocity.x`.
        field: &'static str,
        /// The rejected value. For `place` it is the largest coordinate.
        value: f32,
    },
    /// A speed of the initial motion is invalid.
    #[error("entity {entity}: {reason}")]
    Motion {
        /// The entity that was to be inserted.
        entity: EntityId,
        /// The invalid field and its value.
        reason: SpeedError,
    },
}
