//! Bodies that a host moves itself.
//!
//! A physics engine, a cut scene or a ragdoll may own a body for a while. The host suspends it, sets
//! its place each frame, and resumes it at the end.

use evenstride_types::{Placement, SimTime};

use crate::{
    body::{context::Context, flags::Flags, hold_links::Loose},
    body_id::{BodyError, BodyId},
    outcome::TargetStatus,
    surroundings::Surroundings,
    world::MotionWorld,
};

impl MotionWorld {
    /// Places a body at once, as a teleport does. Its route, follow and move-to end.
    ///
    /// Velocity and motion stay, so a running body runs on from there. A body outside the world
    /// enters it, and leaves the hand that held it. The surroundings see the body as grounded, and
    /// may move the placement or refuse it. A body in the air therefore lands.
    ///
    /// Bodies that chase or follow this one lose it, as after a teleport. They keep chasing a
    /// suspended body.
    ///
    /// ```
    /// use evenstride::{BodySetup, Config, MotionWorld, OpenField};
    /// use evenstride::types::{CellId, EntityId, Placement, Pose, Rotation, SimTime};
    ///
    /// let cell = CellId::new(0xA9B4_0001)?;
    /// let at = |x| Pose::new([x, 10.0, 0.0], Rotation::IDENTITY).map(|pose| Placement::new(cell, pose));
    /// let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
    /// let ragdoll = world.insert(SimTime::ZERO, EntityId::new(7), &BodySetup::at(at(10.0)?))?;
    ///
    /// world.suspend(SimTime::ZERO, ragdoll, &OpenField)?;
    /// for frame in 1..=30u8 {
    ///     let now = SimTime::from_secs(f64::from(frame) / 60.0)?;
    ///     world.advance(now, &OpenField);
    ///     world.set_place(now, ragdoll, at(10.0 + f32::from(frame) / 10.0)?, &OpenField)?;
    /// }
    /// world.resume(world.now(), ragdoll, &OpenField)?;
    /// assert_eq!(world.get(ragdoll).and_then(|body| body.placement()), Some(at(13.0)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BodyError`] if there is no such body, or the surroundings refuse the place. The body then
    /// stays where it was.
    pub fn set_place(
        &mut self,
        now: SimTime,
        body: impl Into<BodyId>,
        place: Placement,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<(), BodyError> {
        // First, because steps may remove bodies.
        self.catch_up(now, surroundings);
        let slot = self.find_body(body.into())?;
        let is_placed = self.with_body(now, slot, |body, config, journal| {
            let context = Context { now, config, surroundings };
            let is_placed = body.put(place, true, context, journal);
            if is_placed {
                body.abandon_course(journal);
            }
            is_placed
        });
        if !is_placed {
            return Err(BodyError::Refused(self.store.hot[slot].id));
        }
        self.detach(now, slot, Loose::GoesElsewhere);
        self.leaving.clear(self.store.hot[slot].id);
        // Drawn there at once, as after a teleport.
        self.store.glides.release(slot);
        // A body that the host carries along is still chased. Any other has been teleported.
        let is_carried = self.store.hot[slot].flags.contains(Flags::SUSPENDED);
        let status = if is_carried { TargetStatus::Ok } else { TargetStatus::Teleported };
        self.tell_observers(now, slot, status);
        self.mark_changed(slot);
        Ok(())
    }

    /// Stops stepping a body from `now` on, until [`resume`](Self::resume). The host moves the body
    /// meanwhile.
    ///
    /// Its route, follow and move-to end. Positions and teleports are answered with
    /// [`IgnoreReason::Suspended`](crate::outcome::IgnoreReason::Suspended), but their stamps are
    /// stored. Other messages, such as a motion or a new move-to, are applied as usual. A held body
    /// stays in the hand.
    ///
    /// # Errors
    /// [`BodyError`] if there is no such body, or it is the local player's.
    pub fn suspend(
        &mut self,
        now: SimTime,
        body: impl Into<BodyId>,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<(), BodyError> {
        self.catch_up(now, surroundings);
        let slot = self.find_body(body.into())?;
        if self.store.hot[slot].flags.contains(Flags::LOCAL) {
            return Err(BodyError::LocalPlayer(self.store.hot[slot].id));
        }
        self.with_body(now, slot, |body, _, journal| body.abandon_course(journal));
        let body = self.store.hot_mut(slot);
        body.flags.insert(Flags::SUSPENDED);
        body.flags.remove(Flags::ACTIVE);
        if let Some(previous) = self.store.previous.get_mut(slot) {
            *previous = self.store.hot[slot].place;
        }
        self.mark_changed(slot);
        Ok(())
    }

    /// Lets a suspended body move by itself again, from `now` on and from where the host left it.
    ///
    /// A body that is not suspended is left alone.
    ///
    /// # Errors
    /// [`BodyError`] if there is no such body.
    pub fn resume(
        &mut self,
        now: SimTime,
        body: impl Into<BodyId>,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<(), BodyError> {
        self.catch_up(now, surroundings);
        let slot = self.find_body(body.into())?;
        if self.store.hot[slot].flags.contains(Flags::SUSPENDED) {
            self.store.hot_mut(slot).flags.remove(Flags::SUSPENDED);
            if self.store.hot[slot].flags.contains(Flags::HAS_CELL) {
                self.store.body_mut(slot).wake(now.as_secs());
            }
        }
        Ok(())
    }
}
