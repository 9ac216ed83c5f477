//! Updates that arrived before the entity they are about.
//!
//! They wait in the order of their arrival until the entity is created. Creating it moves them to
//! the replay stack of the world, from which they are handled like new messages. Updates for an
//! entity that is not created in time are dropped.
//!
//! `inbound/dispatch.rs` decides which updates wait. The parking knows nothing of their contents
//! except their size. An update about a held entity may also wait for the holder.
//!
//! The client limits neither number nor size of waiting messages. Here both are limited, per entity
//! and in total ([`Limits`]). The oldest update makes room.
//!
//! Parking copies an update. The heap parts of earlier copies are used again (`spares.rs`).

use alloc::vec::Vec;

use evenstride_types::{
    EntityId, SimTime,
    update::{DescribedMovement, MovementBody, MovementKind, PhysicsDescription, Update},
};

use crate::{
    config::Limits,
    storage::{
        ids::IdMap,
        list::{List, Neighbours, linked},
        memory::MemoryPart,
        pool::Pool,
        spares::Spares,
        timeouts::Timeouts,
    },
};

/// Time in seconds that updates wait for an entity, counted from the last update that arrived for
/// it.
///
/// Entities outside the world are removed after the same time.
///
/// Retail: `CObjectMaint::QueueBlobForObject` (11.4186 @ 0x005092D0)
pub const PARKING_SECS: f64 = 25.0;

/// Time in seconds after which the client asks the server about a missing entity.
///
/// The client asks again every 20 s. The core reports each of these moments as an event and sends
/// nothing itself.
///
/// Retail: `CObjectMaint::UseTime` (11.4186 @ 0x005089B0)
pub const ASK_AFTER_SECS: f64 = 20.0;

/// All waiting updates, with their queues and deadlines.
///
/// Each update stands in two lists at once. One contains all updates by age, the other those of one
/// entity. Making room takes from the front of either.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parking {
    /// Updates by the index of their place, `None` where that place is free.
    ///
    /// They are kept apart from `places`, because pools hold only types that are `Copy`.
    updates: Vec<Option<Update>>,
    /// Positions of the updates in both lists.
    places: Pool<Place>,
    /// Queues by the entity that is awaited. An entity without updates has no queue.
    queues: IdMap<Queue>,
    /// All updates, oldest first.
    all: List<ByAge>,
    /// Bytes of all waiting updates, at most `Limits::parked_bytes`.
    bytes: u64,
    /// Deadlines at which the updates of an entity are dropped. Each new update renews it.
    expiry: Timeouts,
    /// Deadlines at which the client would ask the server. New updates do not renew them.
    asking: Timeouts,
    /// Heap parts of updates that waited before, at most `Limits::parked_bytes`.
    spares: Spares,
}

/// Position of one update in the two lists it stands in.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Entity whose creation releases the update.
    waits_for: EntityId,
    /// Size of the update as counted by `bytes_of`, so that removing subtracts the same number.
    bytes: u32,
    /// Neighbours among all updates.
    by_age: Neighbours,
    /// Neighbours among the updates for the same entity.
    by_entity: Neighbours,
}

/// The list of all updates.
#[derive(Clone, Copy, Debug)]
struct ByAge;

/// The lists of the updates for one entity.
#[derive(Clone, Copy, Debug)]
struct ByEntity;

linked!(Place, ByAge, by_age);
linked!(Place, ByEntity, by_entity);

/// Updates that wait for one entity.
#[derive(Clone, Copy, Debug, Default)]
struct Queue {
    /// The updates, oldest first, from 1 to `Limits::parked_per_entity`.
    updates: List<ByEntity>,
    /// Bytes of these updates, at most `Limits::parked_bytes_per_entity`.
    bytes: u64,
}

/// Result of parking an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parked {
    /// The update waits. `dropped` older updates were removed to make room.
    Waits { dropped: u64 },
    /// The update was not stored, because it alone exceeds a limit or the limits allow none.
    NoRoom,
}

impl Parking {
    /// Stores a copy of an update until `waits_for` is created.
    ///
    /// Room is made first among the updates of the same entity and then among all. The deadline for
    /// dropping starts again, and the deadline for asking starts with the first update of an
    /// entity.
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
            if queue.updates.len() < limits.parked_per_entity && queue.bytes + u64::from(bytes) <= per_entity
            {
                break;
            }
            self.drop_first(waits_for, limits);
            dropped += 1;
        }
        while self.len() >= limits.parked as usize || self.bytes + u64::from(bytes) > total {
            let Some(oldest) = self.all.front(&self.places) else { break };
            self.drop_first(oldest.waits_for, limits);
            dropped += 1;
        }
        if !self.queues.contains_key(&waits_for) {
            self.asking.set(waits_for, now.as_secs() + ASK_AFTER_SECS);
        }
        self.expiry.set(waits_for, now.as_secs() + PARKING_SECS);
        let copy = self.spares.copy(update);
        self.append(waits_for, copy, bytes);
        Parked::Waits { dropped }
    }

    /// Moves all updates for an entity to `stack`, the oldest on top. Returns their number.
    ///
    /// The stack makes replay depth first. If a replayed update creates another entity, the updates
    /// for that entity are handled before the rest.
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

    /// Removes the updates of the next entity whose time is up. Returns the entity and their
    /// number.
    ///
    /// The caller repeats the call until it returns `None`.
    pub(crate) fn next_expired(&mut self, now: SimTime, limits: &Limits) -> Option<(EntityId, u32)> {
        let entity = self.expiry.next_due(now.as_secs())?;
        let mut count = 0;
        while self.drop_first(entity, limits) {
            count += 1;
        }
        Some((entity, count))
    }

    /// Returns the next entity that the client would ask the server about, and sets its next
    /// deadline.
    ///
    /// The caller repeats the call until it returns `None`.
    pub(crate) fn next_wanted(&mut self, now: SimTime) -> Option<EntityId> {
        let entity = self.asking.next_due(now.as_secs())?;
        self.asking.set(entity, now.as_secs() + ASK_AFTER_SECS);
        Some(entity)
    }

    /// Returns the number of waiting updates, over all entities.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns every waiting update with the entity it waits for, oldest first.
    ///
    /// This is the order in which [`restore`](Self::restore) expects them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (EntityId, &Update)> {
        self.all.indexed(&self.places).filter_map(|(index, place)| {
            let update = self.updates.get(index.index())?.as_ref()?;
            Some((place.waits_for, update))
        })
    }

    /// Returns the deadlines for dropping, then those for asking.
    pub(crate) const fn deadlines(&self) -> [&Timeouts; 2] {
        [&self.expiry, &self.asking]
    }

    /// Measures the updates themselves, without the heap data they point to.
    pub(crate) fn memory(&self) -> MemoryPart {
        MemoryPart { in_use: self.len(), ..MemoryPart::column("parked updates", &self.updates) }
    }

    /// Adds a saved update. Updates must come in the order of [`iter`](Self::iter).
    ///
    /// No deadline is set. [`restore_deadlines`](Self::restore_deadlines) follows once all updates
    /// are in.
    pub(crate) fn restore(&mut self, waits_for: EntityId, update: Update) {
        let bytes = bytes_of(&update);
        self.append(waits_for, update, bytes);
    }

    /// Limits every deadline to the time that an update parked at `now` would get.
    ///
    /// The world calls this after time went back.
    pub(crate) fn bring_forward(&mut self, now: f64) {
        self.expiry.bring_forward(now + PARKING_SECS);
        self.asking.bring_forward(now + ASK_AFTER_SECS);
    }

    /// Sets the saved deadlines. Each entity with updates must have one of each kind.
    ///
    /// `save/mod.rs` checks that before it calls.
    pub(crate) fn restore_deadlines(&mut self, [expiry, asking]: [Timeouts; 2]) {
        (self.expiry, self.asking) = (expiry, asking);
    }

    /// Returns the number of updates that wait for an entity, and their bytes.
    pub(crate) fn waiting_for(&self, entity: EntityId) -> (u32, u64) {
        self.queues.get(&entity).map_or((0, 0), |queue| (queue.updates.len(), queue.bytes))
    }

    /// Returns the number of entities that updates wait for.
    pub(crate) fn awaited(&self) -> usize {
        self.queues.len()
    }

    /// Returns whether an update waits for an entity.
    pub(crate) fn is_awaited(&self, entity: EntityId) -> bool {
        self.queues.contains_key(&entity)
    }

    /// Adds an update at the end of both lists, without checking limits.
    fn append(&mut self, waits_for: EntityId, update: Update, bytes: u32) {
        let (by_age, by_entity) = (Neighbours::NONE, Neighbours::NONE);
        let link = self.all.push_back(&mut self.places, Place { waits_for, bytes, by_age, by_entity });
        let queue = self.queues.entry(waits_for).or_default();
        queue.updates.link_back(&mut self.places, link);
        queue.bytes += u64::from(bytes);
        self.bytes += u64::from(bytes);
        if self.updates.len() <= link.index() {
            self.updates.resize(link.index() + 1, None);
        }
        self.updates[link.index()] = Some(update);
    }

    /// Keeps the heap parts of an update that [`take`](Self::take) moved out and that was handled.
    pub(crate) fn recycle(&mut self, update: Update, limits: &Limits) {
        self.spares.keep(update, u64::from(limits.parked_bytes));
    }

    /// Drops the oldest update for an entity. Returns `false` if none waits.
    fn drop_first(&mut self, entity: EntityId, limits: &Limits) -> bool {
        let Some(update) = self.take_first(entity) else { return false };
        self.recycle(update, limits);
        true
    }

    /// Removes and returns the oldest update for an entity.
    ///
    /// Removing the last update also removes the queue of the entity and both deadlines.
    fn take_first(&mut self, entity: EntityId) -> Option<Update> {
        let queue = self.queues.get_mut(&entity)?;
        let link = queue.updates.head;
        let place = *self.places.get(link)?;
        queue.updates.unlink(&mut self.places, link);
        queue.bytes -= u64::from(place.bytes);
        if queue.updates.is_empty() {
            self.queues.remove(&entity);
            self.expiry.clear(entity);
            self.asking.clear(entity);
        }
        self.all.remove(&mut self.places, link);
        self.bytes -= u64::from(place.bytes);
        self.updates.get_mut(link.index())?.take()
    }
}

/// Bytes that an update and a description count as.
///
/// Their sizes differ between targets. With fixed numbers, every target drops the same updates and
/// accepts the same saves.
const UPDATE_BYTES: usize = 192;
const DESCRIPTION_BYTES: usize = 336;

const _: () = assert!(
    size_of::<Option<Update>>() <= UPDATE_BYTES && size_of::<PhysicsDescription>() <= DESCRIPTION_BYTES,
    "these types have grown; raise the numbers above"
);

/// Returns the bytes that an update counts as, including heap data it points to.
pub(crate) fn bytes_of(update: &Update) -> u32 {
    let beyond = match update {
        Update::Create(create) | Update::Recreate(create) => {
            let children = create.physics.children.as_ref().map_or(0, |list| size_of_val(list.as_slice()));
            let body = match &create.physics.movement {
                Some(DescribedMovement::Doing { body, .. }) => bytes_beyond(body),
                _ => 0,
            };
            DESCRIPTION_BYTES + children + body
        }
        Update::Movement(movement) => bytes_beyond(&movement.movement.body),
        Update::PositionAndMovement { movement, .. } => bytes_beyond(&movement.body),
        _ => 0,
    };
    u32::try_from(UPDATE_BYTES + beyond).unwrap_or(u32::MAX)
}

/// Returns the heap bytes of a movement, which are its list of actions or its unknown body.
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
        assert_eq!(parking.next_expired(at(44.9), &LIMITS), None);
        assert_eq!(parking.next_wanted(at(44.9)), Some(who));
        assert_eq!(parking.next_expired(at(45.0), &LIMITS), Some((who, 2)));
        assert_eq!((parking.len(), parking.next_wanted(at(1e6))), (0, None));
    }
}
