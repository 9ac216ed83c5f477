//! The world of all remotes, as a resource.

use std::collections::HashMap;

use bevy_ecs::{entity::EntityHashSet, prelude::*};
use evenstride::{
    Disposition, OpenField, Surroundings,
    generic::{PlainConfig, PlainDrawn, PlainError, PlainLimits, PlainUpdate, PlainWorld},
    types::SimTime,
};

use crate::{RefuseReason, RemoteName};

/// The motion of all remotes.
///
/// [`world`](Self::world) gives access to explanations, counters and the list of changed entities.
/// Entities have the ids of [`Entity::to_bits`] there.
#[derive(Resource)]
pub struct Remotes {
    pub(crate) world: PlainWorld,
    pub(crate) is_flat: bool,
    pub(crate) now: SimTime,
    pub(crate) stats: RemoteStats,
    pub(crate) drawn: Vec<PlainDrawn>,
    pub(crate) stalled: EntityHashSet,
    /// Remotes that got an update after a stall, for the next notices.
    pub(crate) resumed: Vec<Entity>,
    ids: HashMap<u64, Entity>,
    surroundings: Box<dyn Surroundings + Send + Sync>,
}

/// Counters of bad input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemoteStats {
    /// Number of updates and throws that were refused.
    pub refused_updates: u64,
    /// Number of frames without a valid time. Remotes stand still in them.
    pub refused_times: u64,
}

impl Remotes {
    pub(crate) fn new(config: PlainConfig, is_flat: bool) -> Self {
        Self {
            world: PlainWorld::new(config, SimTime::ZERO),
            is_flat,
            now: SimTime::ZERO,
            stats: RemoteStats::default(),
            drawn: Vec::new(),
            stalled: EntityHashSet::default(),
            resumed: Vec::new(),
            ids: HashMap::new(),
            surroundings: Box::new(OpenField),
        }
    }

    /// Returns the world underneath.
    pub const fn world(&self) -> &PlainWorld {
        &self.world
    }

    /// Returns the world underneath, to trace entities or to set a viewpoint.
    ///
    /// Write updates as messages. Updates that are given to this world directly reach no remote that
    /// is despawned in the same frame.
    pub const fn world_mut(&mut self) -> &mut PlainWorld {
        &mut self.world
    }

    /// Returns the counters of bad input.
    pub const fn stats(&self) -> RemoteStats {
        self.stats
    }

    /// Returns the remote with this number.
    pub fn entity(&self, id: u64) -> Option<Entity> {
        self.ids.get(&id).copied()
    }

    /// Sets the ground and the walls that remotes meet (default: an open field).
    ///
    /// Surroundings see places of the core, in metres and with z up.
    pub fn set_surroundings(&mut self, surroundings: impl Surroundings + Send + Sync + 'static) {
        self.surroundings = Box::new(surroundings);
    }

    /// Notes the number of a remote. Returns another remote that had it.
    pub(crate) fn claim(&mut self, id: u64, entity: Entity) -> Option<Entity> {
        self.ids.insert(id, entity).filter(|earlier| *earlier != entity)
    }

    /// Forgets the number of a remote, unless it is another one's by now.
    pub(crate) fn release(&mut self, id: u64, entity: Entity) {
        if self.ids.get(&id) == Some(&entity) {
            self.ids.remove(&id);
        }
    }

    /// Gives a remote its limits, or those of all remotes.
    pub(crate) fn limit(&mut self, entity: Entity, limits: Option<PlainLimits>) {
        match limits {
            Some(limits) => self.world.set_limits(entity.to_bits(), limits),
            None => self.world.reset_limits(entity.to_bits()),
        }
    }

    /// Removes the motion of a remote.
    pub(crate) fn remove(&mut self, entity: Entity) {
        self.world.remove(entity.to_bits());
        self.stalled.remove(&entity);
    }

    /// Returns the entity that a message names, which may lack a remote.
    pub(crate) fn find(&self, name: RemoteName) -> Option<Entity> {
        match name {
            RemoteName::Entity(entity) => Some(entity),
            RemoteName::Id(id) => self.entity(id),
        }
    }

    /// Moves time on. A time that is missing or invalid leaves everything as it is.
    pub(crate) fn advance(&mut self, now: Option<SimTime>) {
        let Some(now) = now else {
            self.stats.refused_times += 1;
            return;
        };
        self.now = now;
        let _ = self.world.advance_in(now, &*self.surroundings);
    }

    /// Handles an update of a remote.
    pub(crate) fn update(&mut self, entity: Entity, update: &PlainUpdate) -> Result<(), RefuseReason> {
        let answer = self.world.update_in(self.now, entity.to_bits(), update, &*self.surroundings);
        let answer = answer.map_err(RefuseReason::Invalid)?;
        let is_old = matches!(answer, Disposition::Ignored(_));
        if !is_old && self.stalled.remove(&entity) {
            self.resumed.push(entity);
        }
        Ok(())
    }

    /// Throws a remote.
    pub(crate) fn throw(&mut self, entity: Entity, velocity: [f32; 3]) -> Result<(), PlainError> {
        self.world.throw_in(self.now, entity.to_bits(), velocity, &*self.surroundings)
    }
}
