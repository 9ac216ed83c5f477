//! Orders: who is to go where, and what others have to do with it.

use evenstride_types::{Cylinder, EntityId, Placement, SimTime};

use super::{How, MoveToEnd};
use crate::{
    follow::Follow,
    ids::IdMap,
    store::{Flags, Store},
    target::{FOLLOW_QUANTUM, Wish},
    why::{Call, Journal, Note},
};

/// Where to go, or what to turn to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Order {
    /// To somebody; whoever holds a thing stands for it, but the thing's own size counts.
    Entity {
        target: EntityId,
        size: Cylinder,
        how: How,
    },
    Place {
        place: Placement,
        how: How,
    },
    FaceEntity {
        target: EntityId,
        how: How,
    },
    Face {
        how: How,
    },
}

impl Store {
    /// Sends a body somewhere. Whatever it was under way to before is over, and so is its follow.
    ///
    /// Retail: `MoveToManager::PerformMovement` (11.4186 @ 0x0052A900)
    pub(crate) fn perform(
        &mut self,
        slot: usize,
        order: &Order,
        slots: &IdMap<u32>,
        now: SimTime,
        journal: &mut impl Journal,
    ) {
        let mut body = self.at(slot);
        body.wake(now.as_secs());
        body.cancel_move_to(MoveToEnd::Interrupted, journal);
        body.end_follow(journal);
        body.grow_legs();
        journal.note(Note::SetsOut { target: order.target() });
        let looks_for = match order {
            Order::Place { place, how } => {
                body.move_to_place(*place, how, now, journal);
                None
            }
            Order::Face { how } => {
                body.turn_to_heading(how, now, journal);
                None
            }
            Order::Entity { target, size, how } => {
                body.move_to_entity(*target, *size, how, journal).then_some(*target)
            }
            Order::FaceEntity { target, how } => {
                body.turn_to_entity(*target, how, journal).then_some(*target)
            }
        };
        if let Some(target) = looks_for {
            self.watch_over(slot, target, 0.0, slots, now, journal);
        }
        self.deliver(slots, now, journal);
    }

    /// Lets a body follow somebody, for a second.
    ///
    /// Retail: `StickyManager::StickTo` (11.4186 @ 0x00555710)
    pub(crate) fn stick(
        &mut self,
        wish: &Wish,
        slots: &IdMap<u32>,
        now: SimTime,
        journal: &mut impl Journal,
    ) {
        let Some(&slot) = slots.get(&wish.follower) else { return };
        let (slot, Wish { target, target_radius, .. }) = (slot as usize, *wish);
        let mut body = self.at(slot);
        body.end_follow(journal);
        body.wake(now.as_secs());
        journal.call(Call::Stick { entity: target, radius: target_radius });
        let follow = Follow::begin(target, target_radius, now);
        body.body.links.follow = body.follows.insert(follow);
        journal.note(Note::FollowBegan { target });
        self.watch_over(slot, target, FOLLOW_QUANTUM, slots, now, journal);
    }

    /// Lets a body keep an eye on somebody, and hear of that one at once.
    fn watch_over(
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
        let mut body = self.at(slot);
        if target.raw() == 0 {
            body.take_news(&news, now, journal);
        } else {
            body.hear_of_target(&news, now, journal);
        }
    }

    /// Delivers what was posted. It comes to an end: whoever hears something may want to follow, and whoever follows wants nothing more.
    #[inline]
    pub(crate) fn deliver(&mut self, slots: &IdMap<u32>, now: SimTime, journal: &mut impl Journal) {
        if !self.post.is_empty() {
            self.deliver_all(slots, now, journal);
        }
    }

    #[inline(never)]
    fn deliver_all(&mut self, slots: &IdMap<u32>, now: SimTime, journal: &mut impl Journal) {
        loop {
            if let Some(wish) = self.post.next_wish() {
                self.introduce(wish.follower, slots, now, journal);
                self.stick(&wish, slots, now, journal);
            } else if let Some(notice) = self.post.next_notice() {
                if let Some(slot) = self.introduce(notice.watcher, slots, now, journal) {
                    self.at(slot).hear_of_target(&notice.news, now, journal);
                }
            } else {
                return;
            }
        }
    }

    /// Says whom the next notes are about.
    fn introduce(
        &self,
        entity: EntityId,
        slots: &IdMap<u32>,
        now: SimTime,
        journal: &mut impl Journal,
    ) -> Option<usize> {
        let slot = *slots.get(&entity)? as usize;
        journal.about(entity, now, self.bodies[slot].flags.contains(Flags::WATCHED));
        Some(slot)
    }
}

impl Order {
    const fn target(&self) -> Option<EntityId> {
        match self {
            Self::Entity { target, .. } | Self::FaceEntity { target, .. } => Some(*target),
            Self::Place { .. } | Self::Face { .. } => None,
        }
    }
}
