//! How calls name bodies, and the answer for a body that is not there.

use evenstride_types::EntityId;

use crate::{storage::keys::BodyKey, world::MotionWorld};

/// Names a body, by its entity or by its key.
///
/// Calls that take a body accept `impl Into<BodyId>`, so either can be passed as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyId {
    /// The body of this entity.
    Entity(EntityId),
    /// The body of this key.
    Key(BodyKey),
}

impl From<EntityId> for BodyId {
    fn from(entity: EntityId) -> Self {
        Self::Entity(entity)
    }
}

impl From<BodyKey> for BodyId {
    fn from(key: BodyKey) -> Self {
        Self::Key(key)
    }
}

/// Why a call about a body was refused. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// The world has no body of this entity.
    #[error("entity {0}: the world has no such body")]
    UnknownEntity(EntityId),
    /// The key's body was removed, or the key comes from another world.
    #[error("key {:#018x}: its body was removed, or it is a key of another world", .0.to_bits())]
    UnknownKey(BodyKey),
    /// The body is the local player's, which its keys and the server move.
    #[error("entity {0}: the local player cannot be suspended")]
    LocalPlayer(EntityId),
    /// The surroundings refused the place.
    #[error("entity {0}: the surroundings refused the place")]
    Refused(EntityId),
}

impl MotionWorld {
    /// Returns the row of a body.
    ///
    /// # Errors
    /// [`BodyError`] if there is no such body.
    pub(crate) fn find_body(&self, body: BodyId) -> Result<usize, BodyError> {
        match body {
            BodyId::Entity(entity) => self.slot(entity).ok_or(BodyError::UnknownEntity(entity)),
            BodyId::Key(key) => self.keys.slot(key).ok_or(BodyError::UnknownKey(key)),
        }
    }
}
