//! Views of a plain world in the game's own ids, axes and units.

use evenstride_types::SimTime;

use crate::{
    drawing::{Drawn, write},
    explain::Explanation,
    generic::{PlainPose, PlainWorld},
    journal::Happening,
    storage::keys::BodyKey,
};

/// An entity to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlainDrawn {
    /// The game's entity.
    pub entity: u64,
    /// Key of its body.
    pub key: BodyKey,
    /// Pose to draw it in.
    pub pose: PlainPose,
}

impl PlainDrawn {
    /// An entry to be filled by [`PlainWorld::drawn_into`].
    pub const EMPTY: Self = Self { entity: 0, key: Drawn::EMPTY.key, pose: PlainPose::IDENTITY };
}

/// Something that happened to an entity of the game.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlainEvent {
    /// Time of the step or the update that caused it.
    pub at: SimTime,
    /// The game's entity. It may be gone by the time of the poll.
    pub entity: u64,
    /// The happening. Distances are in game units, and speeds in game units per second.
    pub kind: Happening,
}

impl PlainWorld {
    /// Returns the pose in which to draw an entity, or `None` if the entity is unknown.
    pub fn drawn(&self, entity: u64, now: SimTime) -> Option<PlainPose> {
        self.motion.drawn(self.ids.find(entity)?, now).map(|place| self.pose(&place))
    }

    /// Writes every entity to be drawn into `out`, as many as fit. Returns the number written.
    ///
    /// ```
    /// use evenstride::generic::{PlainConfig, PlainDrawn, PlainPose, PlainUpdate, PlainWorld};
    /// use evenstride::types::SimTime;
    ///
    /// let now = SimTime::ZERO;
    /// let mut world = PlainWorld::new(PlainConfig::default(), now);
    /// let ship = 0xFEED_0000_0000_0001;
    /// let _ = world.update(now, ship, &PlainUpdate::new(PlainPose::at([1.0, 2.0, 3.0])))?;
    ///
    /// let mut buffer = vec![PlainDrawn::EMPTY; world.len()];
    /// let drawn = world.drawn_into(now, &mut buffer);
    /// assert_eq!((buffer[..drawn][0].entity, buffer[0].pose.position), (ship, [1.0, 2.0, 3.0]));
    /// assert!(world.changed().eq([ship]));
    /// world.advance(now);
    /// world.forget_changed();
    /// assert_eq!(world.changed_into(now, &mut buffer), 0);
    /// assert_eq!(world.poll_event().map(|event| event.entity), Some(ship));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drawn_into(&self, now: SimTime, out: &mut [PlainDrawn]) -> usize {
        let mut written = 0;
        self.motion.each_drawn(now, |drawn| write(out, &mut written, self.plain(&drawn)));
        written
    }

    /// Calls `draw` for every entity to be drawn. Needs no buffer.
    pub fn drawn_each(&self, now: SimTime, mut draw: impl FnMut(PlainDrawn)) {
        self.motion.drawn_each(now, |drawn| draw(self.plain(&drawn)));
    }

    /// Writes every [changed](Self::changed) entity into `out`, as many as fit. Returns the number
    /// written.
    pub fn changed_into(&self, now: SimTime, out: &mut [PlainDrawn]) -> usize {
        let mut written = 0;
        self.motion.each_changed(now, |drawn| write(out, &mut written, self.plain(&drawn)));
        written
    }

    /// Returns the entities that may be drawn differently since
    /// [`forget_changed`](Self::forget_changed) was last called.
    pub fn changed(&self) -> impl Iterator<Item = u64> {
        self.motion.changed().filter_map(|key| self.ids.outer(self.motion.entity(key)?))
    }

    /// Clears the list of changed entities. See
    /// [`MotionWorld::forget_changed`](crate::MotionWorld::forget_changed).
    pub fn forget_changed(&mut self) {
        self.motion.forget_changed();
    }

    /// Returns every entity in storage order, which changes when one is removed.
    pub fn entities(&self) -> impl Iterator<Item = u64> {
        self.motion.entities().filter_map(|entity| self.ids.outer(entity))
    }

    /// Returns the number of entities.
    pub fn len(&self) -> usize {
        self.motion.len()
    }

    /// Returns whether there are no entities.
    pub fn is_empty(&self) -> bool {
        self.motion.is_empty()
    }

    /// Returns the key of an entity's body, or `None` if the entity is unknown.
    pub fn key(&self, entity: u64) -> Option<BodyKey> {
        self.motion.key(self.ids.find(entity)?)
    }

    /// Returns the entity of a key, or `None` if its body was removed.
    pub fn entity(&self, key: BodyKey) -> Option<u64> {
        self.ids.outer(self.motion.entity(key)?)
    }

    /// Removes and returns the oldest event.
    #[must_use]
    pub fn poll_event(&mut self) -> Option<PlainEvent> {
        self.events.pop_front().or_else(|| self.next_event())
    }

    /// Takes the oldest event of the motion world, in the game's ids and units.
    fn next_event(&mut self) -> Option<PlainEvent> {
        loop {
            let event = self.motion.poll_event()?;
            if let Some(entity) = self.ids.outer(event.entity) {
                let kind = in_units(event.kind, self.units_per_metre as f32);
                return Some(PlainEvent { at: event.at, entity, kind });
            }
        }
    }

    /// Translates all queued events before an id is freed. If there are too many, the oldest are
    /// dropped.
    pub(super) fn keep_events(&mut self) {
        let max = self.motion.config().limits.events as usize;
        while let Some(event) = self.next_event() {
            self.events.push_back(event);
            if self.events.len() > max {
                let _ = self.events.pop_front();
                self.motion.record.events_dropped += 1;
            }
        }
    }

    /// Returns the decisions about a [traced](Self::trace) entity, oldest first. Distances in their
    /// sentences are metres.
    pub fn explain(&self, entity: u64) -> impl DoubleEndedIterator<Item = Explanation> {
        self.ids.find(entity).into_iter().flat_map(|inner| self.motion.explain(inner))
    }

    /// Returns the time at which [`advance`](Self::advance) next changes something. See
    /// [`MotionWorld::next_due`](crate::MotionWorld::next_due).
    pub fn next_due(&self) -> Option<SimTime> {
        let coasting = self.coasting.first().and_then(|secs| SimTime::from_secs(secs).ok());
        let due = [self.motion.next_due(), coasting].into_iter().flatten();
        due.min_by(|one, other| one.as_secs().total_cmp(&other.as_secs()))
    }

    /// Converts a body to be drawn.
    #[inline(always)]
    fn plain(&self, drawn: &Drawn) -> PlainDrawn {
        PlainDrawn {
            entity: self.ids.outer_of_known(drawn.entity),
            key: drawn.key,
            pose: self.pose(&drawn.place),
        }
    }
}

/// Converts distances and speeds of a happening to game units.
const fn in_units(kind: Happening, units: f32) -> Happening {
    match kind {
        Happening::Snapped { reason, metres } => Happening::Snapped { reason, metres: metres * units },
        Happening::TookOff { rise } => Happening::TookOff { rise: rise * units },
        Happening::Landed { speed } => Happening::Landed { speed: speed * units },
        other => other,
    }
}
