//! Holding, such as weapons in hands and hats on heads.
//!
//! A held body is outside the world and is drawn where its holder is drawn. Each holder has a list
//! of its held bodies, linked through the cold rows of the bodies themselves. Messages and the
//! removal of bodies change these lists, and drawing reads them.

use evenstride_types::{SimTime, update::PhysicsState};

use crate::{
    body::{
        flags::Flags,
        hold_links::{HoldLinks, Loose},
    },
    journal::{Happening, Journal},
    outcome::{MAX_HOLDING_DEPTH, RefuseReason},
    storage::{parking::PARKING_SECS, pool::PoolIndex},
    world::MotionWorld,
};

/// State bits that make a body invisible.
pub(crate) const UNSEEN: PhysicsState = PhysicsState::HIDDEN.union(PhysicsState::NO_DRAW);

impl MotionWorld {
    /// Checks whether `holder` may hold `held`. `held` is `None` for an entity without a body.
    ///
    /// Follows the chain of holders upwards, at most [`MAX_HOLDING_DEPTH`] links.
    ///
    /// # Errors
    /// [`RefuseReason::HoldsItself`] if the holder is the held body or is in its hand, directly or
    /// through others. [`RefuseReason::HeldTooDeep`] if the holder is nested too deep.
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

    /// Puts a body into another's hand.
    ///
    /// The body leaves its previous hand and the world, and joins the front of the holder's list.
    /// It is drawn with its holder from then on, and its removal timeout ends. The caller has
    /// checked [`may_hold`](Self::may_hold).
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    pub(crate) fn attach(&mut self, now: SimTime, held: usize, holder: usize, location: u32) {
        self.detach(now, held, Loose::GoesElsewhere);
        self.leave(now, held);
        let [held_key, holder_key] = [held, holder].map(|slot| self.store.cold[slot].key);
        let first = self.store.cold[holder].hold.first;
        self.store.cold[held].hold = HoldLinks {
            holder: PoolIndex::to(holder_key.index),
            location,
            next: first,
            before: PoolIndex::NONE,
            ..self.store.cold[held].hold
        };
        if let Some(second) = self.slot_of_index(first) {
            self.store.cold[second].hold.before = PoolIndex::to(held_key.index);
        }
        self.store.cold[holder].hold.first = PoolIndex::to(held_key.index);
        self.store.hot_mut(held).flags.insert(Flags::HELD);
        self.store.hot_mut(holder).flags.insert(Flags::HOLDS);
        let holder = self.store.hot[holder].id;
        self.tell(now, held, Happening::Attached { holder, location });
        self.leaving.clear(self.store.hot[held].id);
        self.mark_changed(held);
    }

    /// Takes a body out of the hand that holds it. A body that is not held stays as it is.
    ///
    /// Bodies in its own hands stay there. `then` says whether a new place follows. If none does,
    /// the body is removed after 25 s.
    pub(crate) fn detach(&mut self, now: SimTime, held: usize, then: Loose) {
        if !self.store.hot[held].flags.contains(Flags::HELD) {
            return;
        }
        let HoldLinks { holder, next, before, first, .. } = self.store.cold[held].hold;
        self.store.cold[held].hold = HoldLinks { first, ..HoldLinks::NONE };
        self.store.hot_mut(held).flags.remove(Flags::HELD);
        if let Some(next) = self.slot_of_index(next) {
            self.store.cold[next].hold.before = before;
        }
        match self.slot_of_index(before) {
            Some(before) => self.store.cold[before].hold.next = next,
            None => {
                if let Some(holder) = self.slot_of_index(holder) {
                    self.store.cold[holder].hold.first = next;
                    self.store.hot_mut(holder).flags.set(Flags::HOLDS, next.is_some());
                }
            }
        }
        self.tell(now, held, Happening::Detached);
        self.mark_changed(held);
        if then == Loose::GoesNowhere {
            // The body has neither holder nor place. It is removed unless a message gives it one.
            self.leaving.set(self.store.hot[held].id, now.as_secs() + PARKING_SECS);
        }
    }

    /// Takes everything out of a body's hands. Runs when the holder is removed.
    pub(crate) fn let_go_of_all(&mut self, now: SimTime, holder: usize) {
        while let Some(held) = self.slot_of_index(self.store.cold[holder].hold.first) {
            self.detach(now, held, Loose::GoesNowhere);
        }
    }

    /// Returns the slot of the body's holder. `None` if the body is not held.
    pub(crate) fn holder_slot(&self, slot: usize) -> Option<usize> {
        if !self.store.hot[slot].flags.contains(Flags::HELD) {
            return None;
        }
        self.slot_of_index(self.store.cold[slot].hold.holder)
    }

    /// Returns the body at whose place this one is drawn.
    ///
    /// A body that is not held is its own bearer. A held body is drawn with the last holder of the
    /// chain. `None` if the body is nested too deep.
    #[inline]
    pub(crate) fn bearer(&self, slot: usize) -> Option<usize> {
        if !self.store.hot[slot].flags.contains(Flags::HELD) {
            return Some(slot);
        }
        self.bearer_of_held(slot)
    }

    /// Follows the chain of holders to its end. It is separate from `bearer`, whose common case is
    /// inlined.
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

    /// Returns the slot of a body by the index of its key. `None` for an empty link.
    pub(crate) fn slot_of_index(&self, index: PoolIndex) -> Option<usize> {
        self.keys.slot_of_index(index)
    }

    /// Returns whether a body is invisible, by its own state bits or by those of a holder.
    ///
    /// A body that is nested too deep counts as invisible.
    pub(crate) fn is_hidden(&self, slot: usize) -> bool {
        let mut slot = slot;
        for _ in 0..=MAX_HOLDING_DEPTH {
            if self.store.hot[slot].state.intersects(UNSEEN) {
                return true;
            }
            match self.holder_slot(slot) {
                Some(above) => slot = above,
                None => return false,
            }
        }
        true
    }

    /// Notes a happening about one body.
    ///
    /// The body becomes the subject of the record, so that events and decisions name the right
    /// entity.
    pub(crate) fn tell(&mut self, now: SimTime, slot: usize, what: Happening) {
        let body = &self.store.hot[slot];
        self.record.about(body.id, now, body.flags.contains(Flags::TRACED));
        self.record.note(what);
    }
}
