//! Updates that came before the entity they are about. They wait, in order, until it is created, or until it is too late.

use alloc::vec::Vec;

use evenstride_types::{
    EntityId, SimTime,
    update::{DescribedMovement, MovementBody, MovementKind, Update},
};

use crate::{
    config::Limits,
    storage::{
        ids::IdMap,
        memory::MemoryPart,
        pool::{Pool, PoolIndex},
        timeouts::Timeouts,
    },
};

/// How long updates wait for an entity, counted from the last one that came for it.
///
/// Retail: `CObjectMaint::QueueBlobForObject` (11.4186 @ 0x005092D0)
pub const PARKING_SECS: f64 = 25.0;

/// How long an entity may be missing before the client asks the server about it, and again as often.
///
/// Retail: `CObjectMaint::UseTime` (11.4186 @ 0x005089B0)
pub const ASK_AFTER_SECS: f64 = 20.0;

/// What waits, for whom, and until when.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parking {
    /// Updates by link; `None` where free.
    updates: Vec<Option<Update>>,
    places: Pool<Place>,
    queues: IdMap<Queue>,
    /// All that wait, oldest first.
    everybody: Ends,
    bytes: u64,
    expiry: Timeouts,
    asking: Timeouts,
}

/// One update's place in the two queues it stands in: all that wait, and all that wait for the same entity.
#[derive(Clone, Copy, Debug)]
struct Place {
    waits_for: EntityId,
    bytes: u32,
    before: PoolIndex,
    after: PoolIndex,
    next_of_entity: PoolIndex,
}

/// What waits for one entity.
#[derive(Clone, Copy, Debug, Default)]
struct Queue {
    ends: Ends,
    count: u32,
    bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Ends {
    first: PoolIndex,
    last: PoolIndex,
}

impl Default for Ends {
    fn default() -> Self {
        Self { first: PoolIndex::NONE, last: PoolIndex::NONE }
    }
}

/// Whether an update found a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parked {
    /// Yes, and so many others had to make room.
    Waits { dropped: u64 },
    /// No: it is larger than everything that may wait.
    NoRoom,
}

impl Parking {
    /// Lets an update wait for an entity.
    pub(crate) fn park(
        &mut self,
        now: SimTime,
        waits_for: EntityId,
        update: &Update,
        limits: &Limits,
    ) -> Parked {
        let bytes = bytes_of(update);
        let (per_entity, total) = (u64::from(limits.parked_bytes_per_entity), u64::from(limits.parked_bytes));
        if u64::from(bytes) > per_entity.min(total) || limits.parked_per_entity.min(limits.parked) == 0 {
            return Parked::NoRoom;
        }
        let mut dropped = 0;
        while let Some(queue) = self.queues.get(&waits_for) {
            if queue.count < limits.parked_per_entity && queue.bytes + u64::from(bytes) <= per_entity {
                break;
            }
            self.drop_first(waits_for);
            dropped += 1;
        }
        while self.len() >= limits.parked as usize || self.bytes + u64::from(bytes) > total {
            let Some(oldest) = self.places.get(self.everybody.first) else { break };
            self.drop_first(oldest.waits_for);
            dropped += 1;
        }
        if !self.queues.contains_key(&waits_for) {
            self.asking.set(waits_for, now.as_secs() + ASK_AFTER_SECS);
        }
        self.expiry.set(waits_for, now.as_secs() + PARKING_SECS);
        self.append(waits_for, update.clone(), bytes);
        Parked::Waits { dropped }
    }

    /// Takes everything that waits for an entity, and puts it on a stack so that the oldest comes off first.
    pub(crate) fn take(&mut self, entity: EntityId, stack: &mut Vec<Update>) -> u32 {
        if self.queues.is_empty() {
            return 0;
        }
        let bottom = stack.len();
        while let Some(update) = self.take_first(entity) {
            stack.push(update);
        }
        stack[bottom..].reverse();
        (stack.len() - bottom) as u32
    }

    /// The next entity that is given up, and how many updates for it are gone.
    pub(crate) fn next_expired(&mut self, now: SimTime) -> Option<(EntityId, u32)> {
        let entity = self.expiry.next_due(now.as_secs())?;
        let mut count = 0;
        while self.take_first(entity).is_some() {
            count += 1;
        }
        Some((entity, count))
    }

    /// The next entity the client would ask the server about.
    pub(crate) fn next_wanted(&mut self, now: SimTime) -> Option<EntityId> {
        let entity = self.asking.next_due(now.as_secs())?;
        self.asking.set(entity, now.as_secs() + ASK_AFTER_SECS);
        Some(entity)
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Everything that waits, oldest first, and for whom.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (EntityId, &Update)> {
        let mut next = self.everybody.first;
        core::iter::from_fn(move || {
            let place = self.places.get(next)?;
            let update = self.updates.get(next.index())?.as_ref()?;
            next = place.after;
            Some((place.waits_for, update))
        })
    }

    /// Deadlines: when updates are given up, and when the server would be asked.
    pub(crate) const fn deadlines(&self) -> [&Timeouts; 2] {
        [&self.expiry, &self.asking]
    }

    /// What waits, and what it weighs.
    pub(crate) fn memory(&self) -> MemoryPart {
        MemoryPart { in_use: self.len(), ..MemoryPart::column("parked updates", &self.updates) }
    }

    /// Puts back what was saved: updates in order, then deadlines in order.
    pub(crate) fn restore(&mut self, waits_for: EntityId, update: Update) {
        let bytes = bytes_of(&update);
        self.append(waits_for, update, bytes);
    }

    /// Time went back to `now`: nobody waits longer than from now on.
    pub(crate) fn bring_forward(&mut self, now: f64) {
        self.expiry.bring_forward(now + PARKING_SECS);
        self.asking.bring_forward(now + ASK_AFTER_SECS);
    }

    /// Puts back deadlines of those for whom something waits.
    pub(crate) fn restore_deadlines(&mut self, [expiry, asking]: [Timeouts; 2]) {
        (self.expiry, self.asking) = (expiry, asking);
    }

    /// For how many entities something waits.
    pub(crate) fn awaited(&self) -> usize {
        self.queues.len()
    }

    /// Whether something waits for an entity.
    pub(crate) fn is_awaited(&self, entity: EntityId) -> bool {
        self.queues.contains_key(&entity)
    }

    fn append(&mut self, waits_for: EntityId, update: Update, bytes: u32) {
        let place = Place {
            waits_for,
            bytes,
            before: self.everybody.last,
            after: PoolIndex::NONE,
            next_of_entity: PoolIndex::NONE,
        };
        let link = self.places.insert(place);
        match self.places.get_mut(self.everybody.last) {
            Some(last) => last.after = link,
            None => self.everybody.first = link,
        }
        self.everybody.last = link;
        let queue = self.queues.entry(waits_for).or_default();
        match self.places.get_mut(queue.ends.last) {
            Some(last) => last.next_of_entity = link,
            None => queue.ends.first = link,
        }
        queue.ends.last = link;
        queue.count += 1;
        queue.bytes += u64::from(bytes);
        self.bytes += u64::from(bytes);
        if self.updates.len() <= link.index() {
            self.updates.resize(link.index() + 1, None);
        }
        self.updates[link.index()] = Some(update);
    }

    fn drop_first(&mut self, entity: EntityId) {
        let _ = self.take_first(entity);
    }

    /// The oldest update that waits for an entity. With the last one the entity is forgotten.
    fn take_first(&mut self, entity: EntityId) -> Option<Update> {
        let queue = self.queues.get_mut(&entity)?;
        let mut link = queue.ends.first;
        let place = *self.places.get(link)?;
        queue.ends.first = place.next_of_entity;
        queue.count -= 1;
        queue.bytes -= u64::from(place.bytes);
        if queue.count == 0 {
            self.queues.remove(&entity);
            self.expiry.clear(entity);
            self.asking.clear(entity);
        }
        match self.places.get_mut(place.before) {
            Some(before) => before.after = place.after,
            None => self.everybody.first = place.after,
        }
        match self.places.get_mut(place.after) {
            Some(after) => after.before = place.before,
            None => self.everybody.last = place.before,
        }
        self.bytes -= u64::from(place.bytes);
        let update = self.updates.get_mut(link.index())?.take();
        self.places.remove(&mut link);
        update
    }
}

/// Bytes an update takes up, with what it points to.
fn bytes_of(update: &Update) -> u32 {
    let beyond = match update {
        Update::Create(create) | Update::Recreate(create) => {
            let children = create.physics.children.as_ref().map_or(0, |list| size_of_val(list.as_slice()));
            let body = match &create.physics.movement {
                Some(DescribedMovement::Doing { body, .. }) => bytes_beyond(body),
                _ => 0,
            };
            size_of_val(create.physics.as_ref()) + children + body
        }
        Update::Movement(movement) => bytes_beyond(&movement.movement.body),
        Update::PositionAndMovement { movement, .. } => bytes_beyond(&movement.body),
        _ => 0,
    };
    u32::try_from(size_of::<Option<Update>>() + beyond).unwrap_or(u32::MAX)
}

fn bytes_beyond(body: &MovementBody) -> usize {
    match &body.kind {
        MovementKind::Interpreted { state, .. } => size_of_val(state.actions.as_slice()),
        MovementKind::Other { bytes, .. } => bytes.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use evenstride_types::{
        Stamp,
        update::{DeleteUpdate, StateUpdate},
    };

    use super::*;

    const LIMITS: Limits = Limits { parked_per_entity: 3, parked: 5, ..Limits::DEFAULT };

    fn delete(entity: u32, number: u16) -> Update {
        Update::Delete(DeleteUpdate { entity: EntityId::new(entity), instance: Stamp::new(number) })
    }

    fn numbers(updates: &[Update]) -> Vec<u16> {
        let number = |update: &Update| match update {
            Update::Delete(delete) => delete.instance.raw(),
            _ => 0,
        };
        updates.iter().rev().map(number).collect()
    }

    #[test]
    fn the_oldest_makes_room_first_of_its_entity_then_of_all() {
        let mut parking = Parking::default();
        let [a, b, c] = [1, 2, 3].map(EntityId::new);
        for number in 1..=4 {
            let _ = parking.park(SimTime::ZERO, a, &delete(1, number), &LIMITS);
        }
        for number in 5..=7 {
            let _ = parking.park(SimTime::ZERO, b, &delete(2, number), &LIMITS);
        }
        assert_eq!(parking.len(), 5);
        let parked = parking.park(SimTime::ZERO, c, &delete(3, 8), &LIMITS);
        assert_eq!(parked, Parked::Waits { dropped: 1 });
        let mut stack = Vec::new();
        assert_eq!(parking.take(a, &mut stack), 1);
        assert_eq!(numbers(&stack), [4]);
        assert_eq!(parking.take(b, &mut stack), 3);
        assert_eq!(numbers(&stack), [5, 6, 7, 4]);
        assert_eq!(parking.take(c, &mut stack), 1);
        assert_eq!((parking.len(), parking.bytes()), (0, 0));
    }

    #[test]
    fn what_can_never_fit_is_not_let_in() {
        let mut parking = Parking::default();
        let update = Update::State(StateUpdate {
            entity: EntityId::new(1),
            state: evenstride_types::update::PhysicsState::default(),
            instance: Stamp::new(0),
            stamp: Stamp::new(0),
        });
        for limits in [Limits { parked: 0, ..LIMITS }, Limits { parked_bytes_per_entity: 8, ..LIMITS }] {
            assert_eq!(parking.park(SimTime::ZERO, EntityId::new(1), &update, &limits), Parked::NoRoom);
        }
        assert_eq!(parking.len(), 0);
    }

    #[test]
    fn every_update_for_an_entity_prolongs_the_wait_of_all() {
        let mut parking = Parking::default();
        let at = |secs: f64| SimTime::from_secs(secs).unwrap_or(SimTime::ZERO);
        let who = EntityId::new(1);
        let _ = parking.park(at(0.0), who, &delete(1, 1), &LIMITS);
        let _ = parking.park(at(20.0), who, &delete(1, 2), &LIMITS);
        assert_eq!(parking.next_wanted(at(20.0)), Some(who));
        assert_eq!(parking.next_wanted(at(39.9)), None);
        assert_eq!(parking.next_expired(at(44.9)), None);
        assert_eq!(parking.next_wanted(at(44.9)), Some(who));
        assert_eq!(parking.next_expired(at(45.0)), Some((who, 2)));
        assert_eq!((parking.len(), parking.next_wanted(at(1e6))), (0, None));
    }
}
