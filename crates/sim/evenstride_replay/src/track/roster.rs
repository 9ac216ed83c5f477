//! The bodies of a frame in order of entity, and the last update about each of them.

use std::{collections::BTreeMap, fmt::Write as _, mem};

use evenstride::{MovedBy, drawing::Tracked};
use evenstride_types::{EntityId, Placement, Vec3};

use crate::{
    recording::Said,
    replay::{Frame, Heard},
};

/// The bodies of a frame in order of entity.
///
/// Bodies are fetched all at once, in the order in which the world stores them. That order rarely
/// changes, so entities are sorted and looked up only after a change.
#[derive(Debug)]
pub(super) struct Roster {
    /// Entities to show in order, or empty for all.
    only: Vec<EntityId>,
    /// Bodies of the last frame, in storage order.
    bodies: Vec<ShownBody>,
    /// Index in `bodies` of every body, in order of entity.
    order: Vec<u32>,
    /// A seat for every entry of `order`.
    seats: Vec<Seat>,
    /// Buffer for the next seats, kept so that a change allocates nothing.
    spare: Vec<Seat>,
    /// Numbers below `numbers` that no seat has.
    free: Vec<u32>,
    numbers: u32,
    updates: LastUpdates,
}

/// A body in one frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownBody {
    pub(super) entity: EntityId,
    /// Place after its last step.
    pub(super) place: Placement,
    /// Place at which it is drawn.
    pub(super) drawn: Placement,
    pub(super) velocity: Vec3,
    pub(super) moved_by: MovedBy,
    /// Number of waypoints on its route.
    pub(super) route: usize,
}

/// The seat of an entity while it is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    pub(super) entity: EntityId,
    /// Number that no other seat has. A later entity may get it.
    pub(super) number: u32,
    /// Index of its last update.
    update: u32,
}

impl Roster {
    /// Creates a roster of the given entities, or of all if there are none.
    pub(super) fn new(only: impl IntoIterator<Item = EntityId>) -> Self {
        let mut only: Vec<_> = only.into_iter().collect();
        only.sort_unstable();
        only.dedup();
        Self {
            only,
            bodies: Vec::new(),
            order: Vec::new(),
            seats: Vec::new(),
            spare: Vec::new(),
            free: Vec::new(),
            numbers: 0,
            updates: LastUpdates::default(),
        }
    }

    /// Notes the outcome of an update.
    pub(super) fn hear(&mut self, heard: &Heard<'_>) {
        if let (Said::Server(update), Some(disposition)) = (heard.said, heard.disposition)
            && let Some(entity) = update.entity()
            && (self.only.is_empty() || self.only.binary_search(&entity).is_ok())
        {
            self.updates.note(entity, disposition);
        }
    }

    /// Fetches the bodies of a frame.
    pub(super) fn fetch(&mut self, frame: &Frame<'_>) {
        let bodies = &mut self.bodies;
        let (mut count, mut is_same) = (0, true);
        let mut take = |body: ShownBody| {
            match bodies.get_mut(count) {
                Some(before) => {
                    is_same &= before.entity == body.entity;
                    *before = body;
                }
                None => {
                    is_same = false;
                    bodies.push(body);
                }
            }
            count += 1;
        };
        if self.only.is_empty() {
            frame.world.tracked_each(frame.now, |body| take(ShownBody::from(body)));
        } else {
            let found = self.only.iter().filter_map(|entity| ShownBody::find(frame, *entity));
            found.for_each(take);
        }
        if !is_same || count < self.bodies.len() {
            self.bodies.truncate(count);
            self.seat();
        }
    }

    /// Returns the number of bodies.
    pub(super) const fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Returns the bodies in order of entity.
    pub(super) fn bodies(&self) -> impl ExactSizeIterator<Item = &ShownBody> {
        self.order.iter().map(|index| &self.bodies[*index as usize])
    }

    /// Returns the seat of every body and the last update about it, in the same order.
    pub(super) fn seats(&self) -> impl ExactSizeIterator<Item = (&Seat, &LastUpdate)> {
        self.seats.iter().map(|seat| (seat, &self.updates.all[seat.update as usize]))
    }

    /// Sorts the bodies. Entities that were there before keep their seats.
    fn seat(&mut self) {
        self.order.clear();
        self.order.extend(0..self.bodies.len() as u32);
        self.order.sort_unstable_by_key(|index| self.bodies[*index as usize].entity);
        let before = mem::take(&mut self.seats);
        let mut seats = mem::take(&mut self.spare);
        let mut left = before.iter().peekable();
        for index in &self.order {
            let entity = self.bodies[*index as usize].entity;
            while let Some(gone) = left.next_if(|seat| seat.entity < entity) {
                self.free.push(gone.number);
            }
            let seat = left.next_if(|seat| seat.entity == entity).copied();
            seats.push(seat.unwrap_or_else(|| {
                let number = self.free.pop().unwrap_or_else(|| {
                    self.numbers += 1;
                    self.numbers - 1
                });
                Seat { entity, number, update: self.updates.index_of(entity) }
            }));
        }
        self.free.extend(left.map(|gone| gone.number));
        self.seats = seats;
        self.spare = before;
        self.spare.clear();
    }
}

impl ShownBody {
    fn find(frame: &Frame<'_>, entity: EntityId) -> Option<Self> {
        let body = frame.world.get(entity)?;
        let (view, drawn) = (body.view(), body.drawn(frame.now)?);
        Some(Self {
            entity,
            place: view.place.unwrap_or(drawn),
            drawn: settled(drawn),
            velocity: view.velocity,
            moved_by: view.moved_by,
            route: view.waypoints,
        })
    }
}

impl From<Tracked> for ShownBody {
    #[inline]
    fn from(body: Tracked) -> Self {
        Self {
            entity: body.entity,
            place: body.place.unwrap_or(body.drawn),
            drawn: settled(body.drawn),
            velocity: body.velocity,
            moved_by: body.moved_by,
            route: body.waypoints,
        }
    }
}

/// Returns a drawn place in its own cell. Between two steps a body may be in the cell of either.
#[inline]
fn settled(drawn: Placement) -> Placement {
    drawn.settled().unwrap_or(drawn)
}

/// The last update about each entity that was ever shown or heard of.
#[derive(Debug, Default)]
struct LastUpdates {
    all: Vec<LastUpdate>,
    /// Index in `all` of each entity.
    indices: BTreeMap<EntityId, u32>,
    /// Buffer for a new text.
    text: String,
}

/// The last update about an entity.
#[derive(Debug, Default)]
pub(super) struct LastUpdate {
    /// Outcome, or empty before the first.
    pub(super) text: String,
    /// Number of changes of the text.
    pub(super) version: u32,
}

impl LastUpdates {
    fn note(&mut self, entity: EntityId, outcome: &impl std::fmt::Display) {
        let index = self.index_of(entity);
        self.text.clear();
        // Writing to a string never fails.
        let _ = write!(self.text, "{outcome}");
        let update = &mut self.all[index as usize];
        if update.text != self.text {
            mem::swap(&mut update.text, &mut self.text);
            update.version = update.version.wrapping_add(1);
        }
    }

    fn index_of(&mut self, entity: EntityId) -> u32 {
        *self.indices.entry(entity).or_insert_with(|| {
            self.all.push(LastUpdate::default());
            self.all.len() as u32 - 1
        })
    }
}
