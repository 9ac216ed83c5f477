//! The server's own world, in which creatures move.
//!
//! Servers carry out their own orders. A creature turns, sets out, follows its target and arrives
//! as the motion core does it, without a network in between. Players are only copied in, so that
//! creatures can chase them.

use std::sync::Arc;

use evenstride::{Config, MotionWorld, animation::MotionLibrary};
use evenstride_types::{EntityId, Placement, SimTime, update::Update};

use crate::scenario::Ground;

pub(crate) struct ServerWorld {
    world: MotionWorld,
    pub(super) ground: Ground,
}

impl ServerWorld {
    pub(crate) fn new(ground: Ground, library: &Arc<MotionLibrary>) -> Self {
        let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
        world.set_library(Arc::clone(library));
        Self { world, ground }
    }

    pub(crate) fn advance(&mut self, now: SimTime) {
        self.world.advance(now, &self.ground);
    }

    /// Carries out a message that the server sends.
    pub(super) fn carry_out(&mut self, now: SimTime, update: &Update) {
        let _ = self.world.handle(now, update, &self.ground);
    }

    /// Stops moving an entity, whose place is set from outside from then on.
    pub(super) fn copy_from_outside(&mut self, now: SimTime, entity: EntityId) {
        let _ = self.world.suspend(now, entity, &self.ground);
    }

    /// Sets the place of an entity.
    pub(super) fn put(&mut self, now: SimTime, entity: EntityId, place: Placement) {
        let _ = self.world.set_place(now, entity, place, &self.ground);
    }

    pub(super) fn place(&self, entity: EntityId) -> Option<Placement> {
        self.world.body(entity)?.place
    }

    /// Returns whether a creature is on its way to a goal.
    pub(super) fn is_sent(&self, entity: EntityId) -> bool {
        self.world.body(entity).is_some_and(|body| body.move_to.is_some())
    }
}
