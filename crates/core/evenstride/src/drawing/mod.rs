//! Where bodies are to be drawn.

pub(crate) mod gate;

use evenstride_types::{EntityId, Placement, Pose, SimTime};

use crate::{
    body::{changed::mark_changed, flags::Flags},
    config::{DrawMode, Gate, MIN_STEP_SECS},
    inbound::hold::UNSEEN,
    storage::keys::BodyKey,
    world::MotionWorld,
};

/// A body to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    /// Whose.
    pub entity: EntityId,
    /// Its key.
    pub key: BodyKey,
    /// Where. What is held is where its holder is: which hand, [`animation`](MotionWorld::animation) tells.
    pub place: Placement,
    /// Whether it is not to be seen: hidden itself, or in the hand of somebody who is.
    pub is_hidden: bool,
}

impl Drawn {
    /// A slot to be filled by [`MotionWorld::drawn_into`].
    pub const EMPTY: Self = Self {
        entity: EntityId::new(0),
        key: BodyKey { index: u32::MAX, generation: u32::MAX },
        place: crate::body::rows::NOWHERE,
        is_hidden: true,
    };

    /// The same in world axes, measured from a place: coordinates are small wherever on the map that is, so nothing is lost in `f32`.
    pub fn seen_from(&self, viewpoint: &Placement) -> Pose {
        seen_from(&self.place, viewpoint)
    }
}

impl MotionWorld {
    /// Where to draw an entity; `None` if it is not known, or nowhere.
    ///
    /// With [`DrawMode::Interpolated`] this lies between where the last two steps left it, never ahead of the last one. The cell
    /// is that of the last step; coordinates may reach back out of its landblock. What is held is drawn where its holder is drawn.
    pub fn drawn(&self, entity: EntityId, now: SimTime) -> Option<Placement> {
        self.drawn_slot(self.slot(entity)?, now)
    }

    /// The same by key.
    pub fn drawn_by_key(&self, key: BodyKey, now: SimTime) -> Option<Placement> {
        self.drawn_slot(self.keys.slot(key)?, now)
    }

    /// The same in world axes, measured from the viewpoint; `None` also if there is no viewpoint.
    pub fn drawn_from_viewpoint(&self, entity: EntityId, now: SimTime) -> Option<Pose> {
        Some(seen_from(&self.drawn(entity, now)?, &self.viewpoint()?))
    }

    /// Everything there is to draw, as much as fits. Says how many were written.
    pub fn drawn_into(&self, now: SimTime, out: &mut [Drawn]) -> usize {
        let part = self.part_of_tick(now);
        let mut written = 0;
        for (slot, (body, extra)) in self.store.bodies.iter().zip(&self.store.extras).enumerate() {
            let Some(to) = out.get_mut(written) else { break };
            let is_plain = body.flags & (Flags::HAS_CELL | Flags::LOCAL) == Flags::HAS_CELL;
            let place = match (is_plain, part, self.store.previous.get(slot)) {
                (true, _, None) => body.place,
                (true, Some(part), Some(previous)) => between(previous, &body.place, part),
                _ => match self.drawn_slot(slot, now) {
                    Some(place) => place,
                    None => continue,
                },
            };
            let is_held = body.flags.contains(Flags::HELD);
            let is_hidden = body.state.intersects(UNSEEN) || (is_held && self.is_hidden(slot));
            *to = Drawn { entity: body.id, key: extra.key, place, is_hidden };
            written += 1;
        }
        written
    }

    /// The bodies that may be drawn differently than when [`forget_changed`](Self::forget_changed) was last called: who was stepped,
    /// placed, turned, created or attached, and what those hold. Who is gone is not among them; events tell.
    pub fn changed(&self) -> impl Iterator<Item = BodyKey> {
        self.changed.list.iter().copied().filter(|key| self.keys.slot(*key).is_some())
    }

    /// Starts the list of changed bodies anew. Who is drawn between two steps stays on it until it stands still.
    pub fn forget_changed(&mut self) {
        let mut list = core::mem::take(&mut self.changed.list);
        list.retain(|key| {
            let Some(slot) = self.keys.slot(*key) else { return false };
            let is_between = self.bearer(slot).is_some_and(|bearer| self.is_between_steps(bearer));
            self.store.bodies[slot].flags.set(Flags::CHANGED, is_between);
            is_between
        });
        self.changed.list = list;
    }

    /// Puts a body, and what it holds, on the list of changed ones.
    #[inline]
    pub(crate) fn mark_changed(&mut self, slot: usize) {
        mark_changed(&mut self.store, &self.keys, &mut self.changed, slot);
    }

    fn drawn_slot(&self, slot: usize, now: SimTime) -> Option<Placement> {
        let slot = self.bearer(slot)?;
        let body = &self.store.bodies[slot];
        if !body.flags.contains(Flags::HAS_CELL) {
            return None;
        }
        let Some(previous) = self.previous(slot) else { return Some(body.place) };
        let part = self.part_of_tick(now).unwrap_or_else(|| part_since(body.updated, now));
        Some(between(previous, &body.place, part))
    }

    /// How far all bodies are on their way from the last tick but one to the last, if they share their ticks.
    fn part_of_tick(&self, now: SimTime) -> Option<f32> {
        (self.config.gate == Gate::Fixed).then(|| self.clock.part_of_tick(now))
    }

    /// Where the step before the last left a body, if it is drawn between the two.
    fn previous(&self, slot: usize) -> Option<&Placement> {
        let is_local = self.store.bodies[slot].flags.contains(Flags::LOCAL);
        let drawing = if is_local { self.config.player_drawing } else { self.config.drawing };
        match drawing {
            DrawMode::AsSimulated => None,
            DrawMode::Interpolated => self
                .store
                .previous
                .get(slot)
                .or_else(|| self.player.as_ref().filter(|_| is_local).map(|player| &player.previous)),
        }
    }

    fn is_between_steps(&self, slot: usize) -> bool {
        self.previous(slot).is_some_and(|previous| *previous != self.store.bodies[slot].place)
    }
}

fn seen_from(place: &Placement, viewpoint: &Placement) -> Pose {
    // Two places on the map are never farther apart than a pose can say.
    place.pose.with_origin(viewpoint.offset_to(place)).unwrap_or(place.pose)
}

/// How much of 1/30 s has passed since a moment, at most all of it.
fn part_since(moment: f64, now: SimTime) -> f32 {
    ((now.as_secs() - moment) / MIN_STEP_SECS).clamp(0.0, 1.0) as f32
}

/// Part of the way from `previous` to `current`, measured in `current`'s landblock.
#[inline]
pub(crate) fn between(previous: &Placement, current: &Placement, part: f32) -> Placement {
    if previous == current {
        return *current;
    }
    if previous.cell.landblock() == current.cell.landblock() {
        return Placement::new(current.cell, previous.pose.blended(&current.pose, part));
    }
    between_blocks(previous, current, part)
}

#[cold]
fn between_blocks(previous: &Placement, current: &Placement, part: f32) -> Placement {
    match previous.pose.with_origin(current.origin_of(previous)) {
        Ok(start) => Placement::new(current.cell, start.blended(&current.pose, part)),
        Err(_) => *current,
    }
}
