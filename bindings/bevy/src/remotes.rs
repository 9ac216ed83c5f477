//! The world of all remotes, as a resource.

use std::collections::HashMap;

use bevy_ecs::{entity::EntityHashSet, prelude::*};
use evenstride::{
    Disposition, Happening, OpenField, Surroundings,
    generic::{PlainConfig, PlainDrawn, PlainError, PlainEvent, PlainLimits, PlainUpdate, PlainWorld},
    outcome::IgnoreReason,
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
    /// Remotes whose `Transform` was inserted since the last frame, also in place of another one.
    pub(crate) inserted: EntityHashSet,
    /// What happened since the last notices, in this order.
    pub(crate) notices: Vec<Notice>,
    stalled: EntityHashSet,
    ids: HashMap<u64, Entity>,
    surroundings: Box<dyn Surroundings + Send + Sync>,
}

/// Something to tell of a remote.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Notice {
    Happened(PlainEvent),
    /// An update arrived after a stall.
    Resumed(Entity),
}

/// Counters of bad input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemoteStats {
    /// Number of updates and throws that were refused.
    pub refused_updates: u64,
    /// Number of updates that were ignored, because a newer one was there, or an equal one. A few are
    /// usual. A number that grows with every update tells that a sender's numbers began again.
    pub ignored_updates: u64,
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
            inserted: EntityHashSet::default(),
            notices: Vec::new(),
            stalled: EntityHashSet::default(),
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
        self.inserted.remove(&entity);
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
        self.take_events();
    }

    /// Handles an update of a remote.
    pub(crate) fn update(&mut self, entity: Entity, update: &PlainUpdate) -> Result<(), RefuseReason> {
        let answer = self.world.update_in(self.now, entity.to_bits(), update, &*self.surroundings);
        let answer = answer.map_err(RefuseReason::Invalid)?;
        if matches!(answer, Disposition::Ignored(IgnoreReason::StalePosition)) {
            self.stats.ignored_updates += 1;
        } else if self.stalled.remove(&entity) {
            self.notices.push(Notice::Resumed(entity));
        }
        self.take_events();
        Ok(())
    }

    /// Takes the events of the world. A stall is known from then on, so that an update in the same frame
    /// ends it.
    pub(crate) fn take_events(&mut self) {
        while let Some(event) = self.world.poll_event() {
            // The event may be older than the removal of its entity.
            let is_there = self.world.key(event.entity).is_some();
            if let Some(entity) = Entity::try_from_bits(event.entity).filter(|_| is_there)
                && event.kind == Happening::WentSilent
            {
                self.stalled.insert(entity);
            }
            self.notices.push(Notice::Happened(event));
        }
    }

    /// Throws a remote.
    pub(crate) fn throw(&mut self, entity: Entity, velocity: [f32; 3]) -> Result<(), PlainError> {
        self.world.throw_in(self.now, entity.to_bits(), velocity, &*self.surroundings)
    }
}

#[cfg(test)]
mod tests {
    use evenstride::generic::PlainPose;

    use super::*;

    #[test]
    fn a_remote_that_goes_as_it_stalls_is_not_remembered() {
        let mut remotes = Remotes::new(PlainConfig::default(), false);
        let rover = Entity::from_raw_u32(7).expect("a small number");
        let moving = PlainUpdate::new(PlainPose::IDENTITY).moving([1.0, 0.0, 0.0]);
        remotes.update(rover, &moving).expect("a valid update");
        // Its stall waits in the world when it is despawned.
        let _ = remotes.world.advance(SimTime::from_secs(60.0).expect("a valid time"));
        remotes.remove(rover);
        remotes.take_events();
        let told = |notice: &Notice| match notice {
            Notice::Happened(event) => event.kind == Happening::WentSilent,
            Notice::Resumed(_) => false,
        };
        assert!(remotes.notices.iter().any(told), "it stalled");
        assert!(remotes.stalled.is_empty());
    }
}
