//! The messages that a game writes.

use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3};
use evenstride::{
    generic::{Order, PlainUpdate},
    types::SimTime,
};

use crate::{RefuseReason, RemotePose};

/// Names a remote in a message, by its entity or by the number of [`Remote::with_id`](crate::Remote::with_id).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RemoteName {
    /// The entity that has the component.
    Entity(Entity),
    /// The number of the entity in the game's protocol.
    Id(u64),
}

impl From<Entity> for RemoteName {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

impl From<u64> for RemoteName {
    fn from(id: u64) -> Self {
        Self::Id(id)
    }
}

/// A message about a remote that arrived from the network.
///
/// ```
/// use bevy_evenstride::RemoteUpdate;
/// use bevy_math::Vec3;
///
/// let update = RemoteUpdate::new(42, Vec3::X).moving(Vec3::new(3.0, 0.0, 0.0)).numbered(7);
/// assert_eq!(update.velocity, Some(Vec3::new(3.0, 0.0, 0.0)));
/// ```
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct RemoteUpdate {
    /// Remote that the update is about.
    pub remote: RemoteName,
    /// Pose when the update was made.
    pub pose: RemotePose,
    /// Velocity in game units per second (default: unknown). Zero means that the entity stands.
    pub velocity: Option<Vec3>,
    /// Number of the update, which grows (default: none). It decides the order if there is no time of
    /// sending.
    pub number: Option<u64>,
    /// Time of sending in seconds by the sender's clock (default: unknown). It decides the order, and
    /// the clock of the settings tells what else it means
    /// ([`PlainConfig::sender_clock`](evenstride::generic::PlainConfig::sender_clock)).
    pub sent_secs: Option<f64>,
    /// Whether the entity was moved without travelling (default: `false`).
    pub teleports: bool,
}

impl RemoteUpdate {
    /// Makes an update with a pose alone. Its order is that of arrival.
    pub fn new(remote: impl Into<RemoteName>, pose: impl Into<RemotePose>) -> Self {
        let (remote, pose) = (remote.into(), pose.into());
        Self { remote, pose, velocity: None, number: None, sent_secs: None, teleports: false }
    }

    /// Adds a velocity in game units per second.
    #[must_use]
    pub const fn moving(self, velocity: Vec3) -> Self {
        Self { velocity: Some(velocity), ..self }
    }

    /// Adds a velocity of a flat game.
    #[must_use]
    pub const fn moving_2d(self, velocity: Vec2) -> Self {
        Self { velocity: Some(Vec3::new(velocity.x, velocity.y, 0.0)), ..self }
    }

    /// Adds a number, such as the tick of the server. Old and repeated updates are then ignored.
    #[must_use]
    pub const fn numbered(self, number: u64) -> Self {
        Self { number: Some(number), ..self }
    }

    /// Adds the time of sending in seconds by the sender's clock.
    #[must_use]
    pub const fn sent_at(self, secs: f64) -> Self {
        Self { sent_secs: Some(secs), ..self }
    }

    /// Marks the update as a teleport.
    #[must_use]
    pub const fn teleporting(self) -> Self {
        Self { teleports: true, ..self }
    }

    /// Returns the update for the core.
    pub(crate) fn plain(&self, is_flat: bool) -> Result<PlainUpdate, RefuseReason> {
        let sent = match self.sent_secs {
            Some(secs) => Some(SimTime::from_secs(secs).map_err(|_| RefuseReason::SendTime { secs })?),
            None => None,
        };
        let mut plain = PlainUpdate::new(self.pose.plain(is_flat));
        plain.velocity = self.velocity.map(|velocity| {
            let height = if is_flat { 0.0 } else { velocity.z };
            [velocity.x, velocity.y, height]
        });
        plain.teleports = self.teleports;
        plain.order = match (self.number, sent) {
            (_, Some(time)) => Order::Time(time),
            (Some(number), None) => Order::Sequence(number),
            (None, None) => Order::Arrival,
        };
        Ok(plain)
    }
}

/// A message that throws a remote, such as the start of a jump.
///
/// The remote flies, falls, and lands at the height of the next update.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct RemoteThrow {
    /// Remote to throw.
    pub remote: RemoteName,
    /// Velocity in game units per second.
    pub velocity: Vec3,
}

impl RemoteThrow {
    /// Throws a remote with a velocity in game units per second.
    pub fn new(remote: impl Into<RemoteName>, velocity: Vec3) -> Self {
        Self { remote: remote.into(), velocity }
    }
}
