//! Many messages at once.
//!
//! In a large world, most of the time of a message is spent waiting for memory, because traffic comes
//! in random order. A batch touches the rows of several messages before it handles the first of them,
//! so that the waits overlap.

use core::hint::black_box;

use evenstride_types::{SimTime, update::Update};

use crate::{outcome::Disposition, storage::pool::PoolIndex, surroundings::Surroundings, world::MotionWorld};

/// Number of messages whose rows are touched together. More of them gain nothing, because a core waits
/// for about this many lines of memory at once.
const GROUP: usize = 16;

impl MotionWorld {
    /// Handles messages in order, as [`handle`](Self::handle) does for each of them, and passes each
    /// disposition to `answer`.
    ///
    /// It is faster than single calls in worlds with thousands of bodies. If the surroundings or
    /// `answer` panic, the messages after the present one are not handled.
    ///
    /// ```
    /// use evenstride::{Config, MotionWorld, OpenField};
    /// use evenstride::types::{CellId, EntityId, Placement, Pose, SimTime, update::ServerEntity};
    ///
    /// let place = Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY);
    /// let mut drudge = ServerEntity::new(EntityId::new(0x8000_0001));
    /// let updates = [drudge.create(drudge.description(&place)), drudge.position(&place)];
    ///
    /// let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
    /// world.handle_all(SimTime::ZERO, &updates, &OpenField, |update, disposition| {
    ///     println!("{:?}: {disposition}", update.entity());
    /// });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn handle_all(
        &mut self,
        now: SimTime,
        updates: &[Update],
        surroundings: &(impl Surroundings + ?Sized),
        mut answer: impl FnMut(&Update, Disposition),
    ) {
        for group in updates.chunks(GROUP) {
            self.catch_up(now, surroundings);
            let slots = self.touch(group);
            for (update, slot) in group.iter().zip(slots) {
                let disposition = self
                    .handle_position_at(now, slot, update, surroundings)
                    .unwrap_or_else(|| self.handle(now, update, surroundings));
                answer(update, disposition);
            }
        }
    }

    /// Handles a position whose body was in `slot` when the group began. Returns `None` for any other
    /// message, and if the body has moved to another slot since.
    #[inline(always)]
    fn handle_position_at(
        &mut self,
        now: SimTime,
        slot: Option<u32>,
        update: &Update,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Option<Disposition> {
        let (Update::Position(position), Some(slot)) = (update, slot) else { return None };
        let body = self.store.hot.get(slot as usize)?;
        if body.id != position.entity || !self.replay.is_empty() {
            return None;
        }
        self.on_known_position(now, slot as usize, position, surroundings)
    }

    /// Returns the slots of the bodies that messages are about. Touches everything that a position
    /// needs, one kind of row after the other.
    #[inline(always)]
    fn touch(&self, group: &[Update]) -> [Option<u32>; GROUP] {
        let mut slots = [None; GROUP];
        for (slot, update) in slots.iter_mut().zip(group) {
            *slot = update.entity().and_then(|entity| self.slots.get(&entity)).copied();
        }
        let found = || slots.iter().flatten().map(|slot| *slot as usize);
        let mut waypoints = [[PoolIndex::NONE; 2]; GROUP];
        for (waypoints, slot) in waypoints.iter_mut().zip(found()) {
            let route = &self.store.routes[slot];
            *waypoints = [route.later.tail, if route.is_full() { route.later.head } else { PoolIndex::NONE }];
            black_box(self.store.hot[slot].flags);
            black_box(self.store.messages[slot].counters);
            black_box(self.store.moving[slot].tether.is_on);
        }
        // A full route also gives its oldest waypoint up, and looks at the next one.
        let later = &self.store.waypoints.later;
        let mut next = [PoolIndex::NONE; GROUP];
        for (next, [newest, oldest]) in next.iter_mut().zip(waypoints) {
            black_box(later.get(newest).map(|later| later.waypoint.kind));
            *next = later.get(oldest).map_or(PoolIndex::NONE, |later| later.neighbours.after);
        }
        for next in next {
            black_box(later.get(next).map(|later| later.waypoint.kind));
        }
        slots
    }
}
