//! Holding: swords in hands, hats on heads. What is held is nowhere itself and is drawn where its holder is drawn.

use evenstride_types::{SimTime, update::PhysicsState};

use crate::{
    body::{
        flags::Flags,
        hold_links::{HoldLinks, Loose},
    },
    journal::{Happening, Journal},
    outcome::RefuseReason,
    storage::{parking::PARKING_SECS, pool::PoolIndex},
    world::MotionWorld,
};

/// How deep held things may be nested. A safety bound: the game's go one deep, the client follows any chain.
///
/// Nothing is put into the hand of what is nested so deep already. Whatever gets deeper all the same, together with what holds it, is
/// not drawn.
pub const MAX_HOLDING_DEPTH: usize = 8;

/// State bits of what is not to be seen.
pub(crate) const UNSEEN: PhysicsState = PhysicsState::HIDDEN.union(PhysicsState::NO_DRAW);

impl MotionWorld {
    /// Whether one may hold the other.
    pub(crate) fn may_hold(&self, holder: usize, held: Option<usize>) -> Result<(), RefuseReason> {
        let mut slot = holder;
        for _ in 0..MAX_HOLDING_DEPTH {
            if Some(slot) == held {
                return Err(RefuseReason::HoldsItself);
            }
            match self.holder_slot(slot) {
                Some(above) => slot = above,
                None => return Ok(()),
            }
        }
        Err(RefuseReason::HeldTooDeep)
    }

    /// Puts a body into another's hand: it leaves the world and is drawn with its holder.
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    pub(crate) fn attach(&mut self, now: SimTime, held: usize, holder: usize, location: u32) {
        self.detach(now, held, Loose::GoesElsewhere);
        self.leave(now, held);
        let [held_key, holder_key] = [held, holder].map(|slot| self.store.extras[slot].key);
        let first = self.store.extras[holder].hold.first;
        self.store.extras[held].hold = HoldLinks {
            holder: PoolIndex::to(holder_key.index),
            location,
            next: first,
            before: PoolIndex::NONE,
            ..self.store.extras[held].hold
        };
        if let Some(second) = self.slot_of_index(first) {
            self.store.extras[second].hold.before = PoolIndex::to(held_key.index);
        }
        self.store.extras[holder].hold.first = PoolIndex::to(held_key.index);
        self.store.bodies[held].flags.insert(Flags::HELD);
        self.store.bodies[holder].flags.insert(Flags::HOLDS);
        let holder = self.store.bodies[holder].id;
        self.tell(now, held, Happening::Attached { holder, location });
        self.leaving.clear(self.store.bodies[held].id);
        self.mark_changed(held);
    }

    /// Takes a body out of the hand it is in, if it is in one.
    pub(crate) fn detach(&mut self, now: SimTime, held: usize, then: Loose) {
        if !self.store.bodies[held].flags.contains(Flags::HELD) {
            return;
        }
        let HoldLinks { holder, next, before, first, .. } = self.store.extras[held].hold;
        self.store.extras[held].hold = HoldLinks { first, ..HoldLinks::NONE };
        self.store.bodies[held].flags.remove(Flags::HELD);
        if let Some(next) = self.slot_of_index(next) {
            self.store.extras[next].hold.before = before;
        }
        match self.slot_of_index(before) {
            Some(before) => self.store.extras[before].hold.next = next,
            None => {
                if let Some(holder) = self.slot_of_index(holder) {
                    self.store.extras[holder].hold.first = next;
                    self.store.bodies[holder].flags.set(Flags::HOLDS, next.is_some());
                }
            }
        }
        self.tell(now, held, Happening::Detached);
        self.mark_changed(held);
        if then == Loose::GoesNowhere {
            // Nobody has it and it is nowhere: unless something is heard of it, it is forgotten.
            self.leaving.set(self.store.bodies[held].id, now.as_secs() + PARKING_SECS);
        }
    }

    /// Takes everything out of a body's hands.
    pub(crate) fn let_go_of_all(&mut self, now: SimTime, holder: usize) {
        while let Some(held) = self.slot_of_index(self.store.extras[holder].hold.first) {
            self.detach(now, held, Loose::GoesNowhere);
        }
    }

    /// Who holds a body.
    pub(crate) fn holder_slot(&self, slot: usize) -> Option<usize> {
        if !self.store.bodies[slot].flags.contains(Flags::HELD) {
            return None;
        }
        self.slot_of_index(self.store.extras[slot].hold.holder)
    }

    /// The body at whose place this one is drawn: itself, or who holds it, or who holds that.
    #[inline]
    pub(crate) fn bearer(&self, slot: usize) -> Option<usize> {
        if !self.store.bodies[slot].flags.contains(Flags::HELD) {
            return Some(slot);
        }
        self.bearer_of_held(slot)
    }

    fn bearer_of_held(&self, slot: usize) -> Option<usize> {
        let mut slot = slot;
        for _ in 0..=MAX_HOLDING_DEPTH {
            match self.holder_slot(slot) {
                Some(above) => slot = above,
                None => return Some(slot),
            }
        }
        None
    }

    pub(crate) fn slot_of_index(&self, index: PoolIndex) -> Option<usize> {
        self.keys.slot_of_index(index)
    }

    /// Whether a body is not to be seen: hidden itself, or in the hand of somebody who is.
    pub(crate) fn is_hidden(&self, slot: usize) -> bool {
        let mut slot = slot;
        for _ in 0..=MAX_HOLDING_DEPTH {
            if self.store.bodies[slot].state.intersects(UNSEEN) {
                return true;
            }
            match self.holder_slot(slot) {
                Some(above) => slot = above,
                None => return false,
            }
        }
        true
    }

    /// Notes something about one body.
    pub(crate) fn tell(&mut self, now: SimTime, slot: usize, what: Happening) {
        let body = &self.store.bodies[slot];
        self.record.about(body.id, now, body.flags.contains(Flags::TRACED));
        self.record.note(what);
    }
}
