//! Places at which bodies are drawn.
//!
//! A body is drawn where its last step left it, or between its last two steps. A held body is drawn
//! with its holder. Drawing reads the world and never changes how bodies move. With the list of
//! changed bodies, a host can skip all others.

mod gate;
mod gliding;
mod tracked;

use core::ops::ControlFlow::{self, Break, Continue};

use evenstride_types::{EntityId, Placement, Pose, SimTime};

pub use self::{
    gate::{FrameOutcome, RenderGate},
    tracked::Tracked,
};
use crate::{
    body::{
        changed::{mark_changed, mark_drawn},
        flags::Flags,
        rows::HotRow,
    },
    config::{DrawMode, Gate, MIN_STEP_SECS},
    inbound::hold::UNSEEN,
    storage::keys::BodyKey,
    view::AnimationView,
    world::MotionWorld,
};

/// A body to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Drawn {
    /// Entity of the body.
    pub entity: EntityId,
    /// Key of the body, for later calls without a lookup by entity.
    pub key: BodyKey,
    /// Place to draw it at. A held body has the place of its holder, and
    /// [`animation`](MotionWorld::animation) tells which hand holds it.
    pub place: Placement,
    /// Whether the body is invisible, by its own state or by that of a holder.
    pub is_hidden: bool,
}

/// A body to be animated.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Animated {
    /// Entity of the body.
    pub entity: EntityId,
    /// Key of the body.
    pub key: BodyKey,
    /// Everything needed to animate it.
    pub animation: AnimationView,
}

impl Animated {
    /// An entry to be filled by [`MotionWorld::animations_into`]. Its key belongs to no body.
    pub const EMPTY: Self =
        Self { entity: Drawn::EMPTY.entity, key: Drawn::EMPTY.key, animation: AnimationView::EMPTY };
}

impl Drawn {
    /// An entry to be filled by [`MotionWorld::drawn_into`]. Its key belongs to no body.
    pub const EMPTY: Self = Self {
        entity: EntityId::new(0),
        key: BodyKey { index: u32::MAX, generation: u32::MAX },
        place: crate::body::rows::NOWHERE,
        is_hidden: true,
    };

    /// Returns the pose in world axes, measured from `viewpoint`.
    ///
    /// Coordinates near the viewpoint are small, so `f32` is precise enough anywhere on the map.
    pub fn seen_from(&self, viewpoint: &Placement) -> Pose {
        seen_from(&self.place, viewpoint)
    }
}

impl MotionWorld {
    /// Returns the place to draw an entity at, or `None` if it is unknown or outside the world.
    ///
    /// With [`DrawMode::Interpolated`] the place lies between the last two steps, never ahead of
    /// the last one. The cell is that of the last step, so coordinates may lie outside its
    /// landblock. A held entity is drawn where its holder is drawn.
    pub fn drawn(&self, entity: EntityId, now: SimTime) -> Option<Placement> {
        self.drawn_slot(self.slot(entity)?, now)
    }

    /// Returns the pose of an entity in world axes, measured from the viewpoint.
    ///
    /// Returns `None` if the entity is unknown or outside the world, or if there is no viewpoint.
    pub fn drawn_from_viewpoint(&self, entity: EntityId, now: SimTime) -> Option<Pose> {
        Some(seen_from(&self.drawn(entity, now)?, &self.viewpoint()?))
    }

    /// Writes every body to be drawn into `out`, as many as fit. Returns the number written.
    ///
    /// Bodies come in storage order, which changes when a body is removed. Bodies outside the world
    /// are left out, but held ones and invisible ones are written. [`len`](MotionWorld::len)
    /// entries are always enough.
    ///
    /// ```
    /// use evenstride::{BodySetup, Config, Drawn, MotionWorld};
    /// use evenstride::types::{CellId, EntityId, Placement, Pose, SimTime};
    ///
    /// let (now, place) = (SimTime::ZERO, Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY));
    /// let mut world = MotionWorld::new(Config::SMOOTH, now);
    /// world.insert(now, EntityId::new(7), &BodySetup::at(place))?;
    ///
    /// let mut buffer = vec![Drawn::EMPTY; world.len()];
    /// let drawn = world.drawn_into(now, &mut buffer);
    /// assert_eq!(buffer[..drawn][0].entity, EntityId::new(7));
    /// // The same without a buffer, and only bodies that changed since the last frame.
    /// world.drawn_each(now, |body| assert_eq!(body.place, place));
    /// assert_eq!(world.changed_into(now, &mut buffer), 1);
    /// world.forget_changed();
    /// assert_eq!(world.changed_into(now, &mut buffer), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drawn_into(&self, now: SimTime, out: &mut [Drawn]) -> usize {
        let mut written = 0;
        self.each_drawn(now, |drawn| write(out, &mut written, drawn));
        written
    }

    /// Calls `draw` for every body to be drawn, in storage order. Needs no buffer.
    pub fn drawn_each(&self, now: SimTime, mut draw: impl FnMut(Drawn)) {
        self.each_drawn(now, |drawn| {
            draw(drawn);
            Continue(())
        });
    }

    /// Writes every [changed](Self::changed) body that is to be drawn into `out`, as many as fit.
    /// Returns the number written.
    ///
    /// Call [`forget_changed`](Self::forget_changed) afterwards. Bodies that left the world are not
    /// written, and [`Happening::LeftWorld`](crate::Happening::LeftWorld) reports them.
    pub fn changed_into(&self, now: SimTime, out: &mut [Drawn]) -> usize {
        let mut written = 0;
        self.each_changed(now, |drawn| write(out, &mut written, drawn));
        written
    }

    /// Writes the animation of every body into `out`, as many as fit. Returns the number written.
    ///
    /// Bodies come in the same order as from [`drawn_into`](Self::drawn_into), but those outside the
    /// world are written too. Idle animations are played up to `now`.
    ///
    /// ```
    /// use evenstride::{BodySetup, Config, MotionWorld, drawing::Animated};
    /// use evenstride::types::{CellId, EntityId, Placement, Pose, SimTime, update::MotionCommand};
    ///
    /// let (now, place) = (SimTime::ZERO, Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY));
    /// let mut world = MotionWorld::new(Config::SMOOTH, now);
    /// world.insert(now, EntityId::new(7), &BodySetup::at(place))?;
    ///
    /// let mut buffer = vec![Animated::EMPTY; world.len()];
    /// let written = world.animations_into(now, &mut buffer);
    /// assert_eq!(buffer[..written][0].animation.gait.forward, MotionCommand::READY);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn animations_into(&self, now: SimTime, out: &mut [Animated]) -> usize {
        for (slot, (to, body)) in out.iter_mut().zip(&self.store.hot).enumerate() {
            let (key, animation) = (self.store.cold[slot].key, self.animation_slot(slot, now));
            *to = Animated { entity: body.id, key, animation };
        }
        out.len().min(self.store.len())
    }

    /// Passes every body to be drawn to `draw` in storage order, until `draw` breaks off.
    #[inline(always)]
    pub(crate) fn each_drawn(&self, now: SimTime, mut draw: impl FnMut(Drawn) -> ControlFlow<()>) {
        let part = self.part_of_tick(now);
        for (slot, (body, cold)) in self.store.hot.iter().zip(&self.store.cold).enumerate() {
            let Some(place) = self.drawn_place(slot, body, part, now) else { continue };
            let is_hidden = self.is_drawn_hidden(slot, body);
            if draw(Drawn { entity: body.id, key: cold.key, place, is_hidden }).is_break() {
                break;
            }
        }
    }

    /// Passes every changed body to be drawn to `draw` in storage order, until `draw` breaks off.
    #[inline(always)]
    pub(crate) fn each_changed(&self, now: SimTime, mut draw: impl FnMut(Drawn) -> ControlFlow<()>) {
        let part = self.part_of_tick(now);
        for slot in self.store.changed.iter() {
            let body = &self.store.hot[slot];
            let Some(place) = self.drawn_place(slot, body, part, now) else { continue };
            let (key, is_hidden) = (self.store.cold[slot].key, self.is_drawn_hidden(slot, body));
            if draw(Drawn { entity: body.id, key, place, is_hidden }).is_break() {
                break;
            }
        }
    }

    /// Returns the place that a body is drawn at. `None` if it, or its bearer, is outside the world.
    #[inline(always)]
    fn drawn_place(&self, slot: usize, body: &HotRow, part: Option<f32>, now: SimTime) -> Option<Placement> {
        let is_plain = body.flags & (Flags::HAS_CELL | Flags::LOCAL) == Flags::HAS_CELL;
        if is_plain && self.store.glides.is_on {
            return Some(self.glided(slot).unwrap_or(body.place));
        }
        match (is_plain, part, self.store.previous.get(slot)) {
            (true, _, None) => Some(body.place),
            (true, Some(part), Some(previous)) => Some(between(previous, &body.place, part)),
            _ => self.drawn_slot(slot, now),
        }
    }

    /// Returns whether a body is drawn invisible.
    #[inline(always)]
    fn is_drawn_hidden(&self, slot: usize, body: &HotRow) -> bool {
        let is_held = body.flags.contains(Flags::HELD);
        body.state.intersects(UNSEEN) || (is_held && self.is_hidden(slot))
    }

    /// Returns the bodies that may be drawn differently since
    /// [`forget_changed`](Self::forget_changed) was last called.
    ///
    /// These are bodies that were stepped, placed, turned, created or attached, and bodies in their
    /// hands. Removed bodies are not among them, because events tell of those. The order is that of
    /// storage.
    pub fn changed(&self) -> impl Iterator<Item = BodyKey> {
        self.store.changed.iter().map(|slot| self.store.cold[slot].key)
    }

    /// Clears the list of changed bodies. A body that is drawn between two steps stays on the list
    /// until it stands still.
    pub fn forget_changed(&mut self) {
        let modes = [self.config.drawing, self.config.player_drawing];
        if modes == [DrawMode::AsSimulated; 2] {
            // No body is drawn between two steps.
            self.store.changed.clear();
            return;
        }
        let mut changed = core::mem::take(&mut self.store.changed);
        changed.retain(|slot| self.bearer(slot).is_some_and(|bearer| self.is_still_drawn(bearer)));
        self.store.changed = changed;
    }

    /// Adds a body, and the bodies in its hands, to the list of changed ones.
    #[inline]
    pub(crate) fn mark_changed(&mut self, slot: usize) {
        mark_changed(&mut self.store, &self.keys, slot);
    }

    /// Returns the place to draw a body at. `None` if it, or its bearer, is outside the world.
    pub(crate) fn drawn_slot(&self, slot: usize, now: SimTime) -> Option<Placement> {
        let slot = self.bearer(slot)?;
        let body = &self.store.hot[slot];
        if !body.flags.contains(Flags::HAS_CELL) {
            return None;
        }
        if let Some(place) = self.glided(slot) {
            return Some(place);
        }
        let Some(previous) = self.previous(slot) else { return Some(body.place) };
        let part = self.part_of_tick(now).unwrap_or_else(|| part_since(self.store.updated(slot), now));
        Some(between(previous, &body.place, part))
    }

    /// Returns how far all bodies are between their last two ticks, from 0 to 1. `None` if bodies
    /// do not share their ticks.
    fn part_of_tick(&self, now: SimTime) -> Option<f32> {
        (self.config.gate == Gate::Fixed).then(|| self.clock.part_of_tick(now))
    }

    /// Returns the place before the last step of a body that is drawn between steps. `None` if it
    /// is drawn where it is.
    ///
    /// The local player has a draw mode of its own, and its previous place is kept apart if other
    /// bodies keep none.
    fn previous(&self, slot: usize) -> Option<&Placement> {
        let is_local = self.store.hot[slot].flags.contains(Flags::LOCAL);
        let drawing = if is_local { self.config.player_drawing } else { self.config.drawing };
        match drawing {
            DrawMode::AsSimulated | DrawMode::Gliding(_) => None,
            DrawMode::Interpolated => self
                .store
                .previous
                .get(slot)
                .or_else(|| self.player.as_ref().filter(|_| is_local).map(|player| &player.previous)),
        }
    }

    /// Returns whether a body is still drawn on its way to its present place.
    fn is_still_drawn(&self, slot: usize) -> bool {
        self.store.glides.awake.get(slot).copied().unwrap_or(false)
            || self.previous(slot).is_some_and(|previous| *previous != self.store.hot[slot].place)
    }

    /// Adds a body whose pose has moved, and the bodies in its hands, to the list of changed ones.
    #[inline]
    pub(crate) fn mark_drawn(&mut self, slot: usize) {
        mark_drawn(&mut self.store, &self.keys, slot);
    }
}

/// Writes an item into a buffer after those that are there. Breaks off if the buffer is full.
#[inline(always)]
pub(crate) fn write<T>(out: &mut [T], written: &mut usize, item: T) -> ControlFlow<()> {
    let Some(to) = out.get_mut(*written) else { return Break(()) };
    *to = item;
    *written += 1;
    Continue(())
}

/// Returns a place in world axes, measured from a viewpoint.
fn seen_from(place: &Placement, viewpoint: &Placement) -> Pose {
    // Two places on the map are never farther apart than a pose can express.
    place.pose.with_origin(viewpoint.offset_to(place)).unwrap_or(place.pose)
}

/// Returns the part of 1/30 s that has passed since `moment`, at most 1.
fn part_since(moment: f64, now: SimTime) -> f32 {
    ((now.as_secs() - moment) / MIN_STEP_SECS).clamp(0.0, 1.0) as f32
}

/// Returns the place at a part of the way from `previous` to `current`, in the cell of `current`.
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

/// Returns the same across a border of landblocks, by expressing `previous` in the landblock of
/// `current`.
#[cold]
fn between_blocks(previous: &Placement, current: &Placement, part: f32) -> Placement {
    match previous.pose.with_origin(current.origin_of(previous)) {
        Ok(start) => Placement::new(current.cell, start.blended(&current.pose, part)),
        Err(_) => *current,
    }
}
