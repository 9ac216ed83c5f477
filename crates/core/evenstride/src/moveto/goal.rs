//! Start of move-tos and follows, and delivery of notices.
//!
//! These functions need two bodies, the mover and its target, and so they work on the [`Store`]
//! instead of one body. `slots` finds the slot of an entity.

use evenstride_types::{Cylinder, EntityId, SimTime};

use crate::{
    body::{
        flags::Flags,
        locomotion::Locomotion,
        observers::{FOLLOW_QUANTUM, FollowRequest},
        store::Store,
    },
    journal::{Call, Happening, Journal},
    motion::{
        follow::Follow,
        goal::{MoveToGoal, MoveToView},
        movement_params::MovementParams,
    },
    outcome::MoveToEnd,
    storage::ids::IdMap,
};

impl<L: Locomotion> Store<L> {
    /// Sends a body to a goal. Its earlier move-to and its follow end.
    ///
    /// If the goal is a body in the world, the first update about it is applied before this
    /// function returns. The mover has then already set out.
    ///
    /// Retail: `MoveToManager::PerformMovement` (11.4186 @ 0x0052A900)
    pub fn perform(
        &mut self,
        slot: usize,
        goal: &MoveToGoal,
        params: &MovementParams,
        slots: &IdMap<u32>,
        now: SimTime,
        journal: &mut impl Journal,
    ) {
        let mut body = self.body_mut(slot);
        body.wake(now.as_secs());
        body.cancel_move_to(MoveToEnd::Interrupted, journal);
        body.end_follow(journal);
        L::prepare(&mut body, journal);
        journal.note(Happening::SetOut { target: goal.entity() });
        let looks_for = body.set_out(goal, params, now, journal);
        if let Some(target) = looks_for {
            self.observe(slot, target, 0.0, slots, now, journal);
        }
        self.deliver(slots, now, journal);
    }

    /// Lets a body follow another for a second. An earlier follow ends first.
    ///
    /// The follower asks its target to predict its place `FOLLOW_QUANTUM` seconds ahead.
    ///
    /// Retail: `StickyManager::StickTo` (11.4186 @ 0x00555710)
    pub fn begin_follow(
        &mut self,
        slot: usize,
        request: &FollowRequest,
        slots: &IdMap<u32>,
        now: SimTime,
        journal: &mut impl Journal,
    ) {
        let FollowRequest { target, target_radius, .. } = *request;
        let mut body = self.body_mut(slot);
        body.end_follow(journal);
        body.wake(now.as_secs());
        journal.call(Call::Stick { entity: target, radius: target_radius });
        let follow = Follow::begin(target, target_radius, now);
        body.cold.follow = body.follows.insert(follow);
        body.hot.flags.insert(Flags::FOLLOWS);
        journal.note(Happening::FollowBegan { target });
        self.observe(slot, target, FOLLOW_QUANTUM, slots, now, journal);
    }

    /// Lets a body observe another. The first update is applied at once.
    ///
    /// If the target is unknown or outside the world, there is no first update.
    fn observe(
        &mut self,
        slot: usize,
        target: EntityId,
        quantum: f64,
        slots: &IdMap<u32>,
        now: SimTime,
        journal: &mut impl Journal,
    ) {
        let target_slot = slots.get(&target).map(|slot| *slot as usize);
        let Some(news) = self.set_target(slot, target, target_slot, quantum, now, journal) else { return };
        // A body whose description is being handled is in no table yet, so the first update does
        // not reach it.
        if !slots.contains_key(&self.hot[slot].id) {
            return;
        }
        let mut body = self.body_mut(slot);
        if target.raw() == 0 {
            body.apply_target_update(&news, now, journal);
        } else {
            body.on_target_update(&news, now, journal);
        }
    }

    /// Delivers every queued notice and follow request.
    ///
    /// Requests come first. Delivery terminates, because a notice may request a follow, but a
    /// follow queues no further notices.
    #[inline]
    pub fn deliver(&mut self, slots: &IdMap<u32>, now: SimTime, journal: &mut impl Journal) {
        if !self.notices.is_empty() {
            self.deliver_all(slots, now, journal);
        }
    }

    /// Delivers everything in the queues. It is separate from `deliver`, so that the check for
    /// empty queues is inlined.
    #[inline(never)]
    fn deliver_all(&mut self, slots: &IdMap<u32>, now: SimTime, journal: &mut impl Journal) {
        loop {
            if let Some(request) = self.notices.next_request() {
                if let Some(slot) = self.introduce(request.follower, slots, now, journal) {
                    self.begin_follow(slot, &request, slots, now, journal);
                }
            } else if let Some(notice) = self.notices.next_notice() {
                if let Some(slot) = self.introduce(notice.observer, slots, now, journal) {
                    self.body_mut(slot).on_target_update(&notice.news, now, journal);
                }
            } else {
                return;
            }
        }
    }

    /// Returns the slot of an entity and makes it the subject of the journal. Returns `None` if the
    /// entity is unknown, in which case its notice is lost.
    fn introduce(
        &self,
        entity: EntityId,
        slots: &IdMap<u32>,
        now: SimTime,
        journal: &mut impl Journal,
    ) -> Option<usize> {
        let slot = *slots.get(&entity)? as usize;
        journal.about(entity, now, self.hot[slot].flags.contains(Flags::TRACED));
        Some(slot)
    }
}

impl<L: Locomotion> Store<L> {
    /// Returns a view of a body's move-to, or `None` if the body has none.
    pub fn move_to_view(&self, slot: usize) -> Option<MoveToView> {
        let dimensions = &self.moving[slot].dimensions;
        let own = Cylinder { radius: dimensions.radius, height: dimensions.height };
        let way = self.moves.get(self.cold[slot].move_to)?;
        Some(way.view(&self.hot[slot].place, own, &self.motions[slot]))
    }
}
