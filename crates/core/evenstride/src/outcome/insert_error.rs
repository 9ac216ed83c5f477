//! Why a body cannot be put into the world.

use evenstride_types::EntityId;

use crate::outcome::InvalidSpeed;

/// Why a body cannot be put into the world.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InsertError {
    /// It is there already.
    #[error("entity {entity} is in the world already")]
    Exists {
        /// Which.
        entity: EntityId,
    },
    /// The world holds as many bodies as it may.
    #[error("entity {entity}: the world is full, {limit} bodies are in it (`Limits::bodies`)")]
    Full {
        /// Which.
        entity: EntityId,
        /// How many there may be.
        limit: u32,
    },
    /// A number of it cannot be.
    #[error(
        "entity {entity}: {field} {value} is not a finite number (scale, radius and height: of 0 or more)"
    )]
    Number {
        /// Which.
        entity: EntityId,
        /// Which number.
        field: &'static str,
        /// As given.
        value: f32,
    },
    /// A speed of its motion is invalid.
    #[error("entity {entity}: {reason}")]
    Motion {
        /// Which.
        entity: EntityId,
        /// What is wrong with it.
        reason: InvalidSpeed,
    },
}
