//! Names of bodies in calls, and the error for a missing body.

use evenstride_types::EntityId;

use crate::{storage::keys::BodyKey, world::MotionWorld};

/// Names a body, by its entity or by its key.
///
/// Methods that take a body accept `impl Into<BodyId>`. An [`EntityId`] or a [`BodyKey`] can
/// therefore be passed directly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyId {
    /// The body of the entity with this id.
    Entity(EntityId),
    /// The body with this key.
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

/// Why a call about a body was refused. The body is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// The world has no body of this entity.
    #[error("entity {0}: the world has no such body")]
    UnknownEntity(EntityId),
    /// The key's body was removed, or the key comes from another world.
    #[error("key {:#018x}: its body was removed, or the key belongs to another world", .0.to_bits())]
    UnknownKey(BodyKey),
    /// The body is the local player's. Its keys and the server move it, so it cannot be suspended.
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
