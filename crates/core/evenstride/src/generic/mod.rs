//! The generic API, for games that are not Asheron's Call.
//!
//! It uses flat coordinates in the game's own axes and units. There are no cells, stamps or motion
//! tables. [`PlainWorld`] converts each update to a position message with matching stamps, and
//! passes it to a [`MotionWorld`].
//!
//! A game sends what it has. Each of these makes an entity nearer to the truth, and none is needed.
//!
//! | it sends | call | effect |
//! |---|---|---|
//! | positions | [`PlainUpdate::new`] | velocities are estimated, and entities glide |
//! | headings | [`PlainPose::rotation`] | entities go on where they face |
//! | velocities | [`PlainUpdate::moving`] | starts, turns and stops are known at once |
//! | numbers | [`PlainUpdate::numbered`] | old and repeated updates are ignored |
//! | times of sending | [`PlainUpdate::sent_at`], [`SenderClock`] | the latency is compensated |
//!
//! [`PlainLimits`] keep outliers from being drawn. The repository's `docs/positions-only.md` tells what to
//! expect of each, and `docs/recipes.md` has programs for five kinds of game.
//!
//! The plain world itself handles the order of updates, the coasting of silent entities, and the
//! conversion of units. Everything else happens in the motion world (decision 14 in
//! `docs/decisions`).

mod axes;
mod config;
mod ids;
mod limits;
mod looks;
mod save;
mod timing;
mod update;

use alloc::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    vec::Vec,
};

use evenstride_types::{
    COORDINATE_LIMIT, EPSILON, EntityId, Placement, Rotation, SimTime, StampKind, Vec3, length,
    update::{MotionCommand, PositionPack, PositionUpdate, Update, VectorUpdate},
};

pub use self::{
    axes::{Axes, PLAIN_REACH},
    config::{PlainConfig, PlainError},
    limits::PlainLimits,
    looks::{PlainDrawn, PlainEvent},
    timing::SenderClock,
    update::{FlatPose, Order, PlainPose, PlainUpdate},
};
use crate::{
    body::{body_mut::BodyMut, setup::BodySetup},
    clock::Advanced,
    generic::{
        axes::{place_at, point_of},
        ids::PlainIds,
        save::{PlainParts, restore_plain, save_plain},
        timing::checked_lead,
    },
    glide::Arriving,
    journal::Happening,
    motion::{InterpretedMotion, MotionAxis, MotionLibrary, RUN_SPEED, SIDESTEP_SPEED, WALK_SPEED},
    outcome::{CreateHow, Disposition, SPEED_LIMIT},
    save::RestoreError,
    step::Threads,
    storage::{ids::IdMap, timeouts::Timeouts},
    surroundings::{OpenField, Surroundings},
    world::MotionWorld,
};

/// A [`MotionWorld`] for games that are not Asheron's Call.
///
/// ```
/// use evenstride::{generic::{Axes, PlainConfig, PlainPose, PlainUpdate, PlainWorld}, types::SimTime};
///
/// let config = PlainConfig::default().with(|config| config.axes = Axes::YUpMinusZForward);
/// let mut world = PlainWorld::new(config, SimTime::ZERO);
/// let rover = 7;
/// for tick in 0..=120u32 {
///     let now = SimTime::from_secs(f64::from(tick) / 60.0)?;
///     world.advance(now);
///     // Two updates a second of something that rolls to the right at 3 m/s.
///     if tick % 30 == 0 {
///         let pose = PlainPose::at([f64::from(tick) / 20.0, 0.0, 0.0]);
///         let update = PlainUpdate::new(pose).moving([3.0, 0.0, 0.0]).numbered(u64::from(tick));
///         let _ = world.update(now, rover, &update)?;
///     }
///     let drawn = world.drawn(rover, now).ok_or("gone")?;
///     assert!((drawn.position[0] - f64::from(tick) / 20.0).abs() < 0.2);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlainWorld {
    /// World that makes the motion.
    motion: MotionWorld,
    /// The game's ids of its entities.
    pub(crate) ids: PlainIds,
    /// Events in the game's ids, older than those in `motion`.
    pub(crate) events: VecDeque<PlainEvent>,
    /// Axes for every conversion.
    axes: Axes,
    /// Game units per metre, positive and finite.
    units_per_metre: f64,
    /// Seconds of coasting, 0 to 10⁹.
    max_coast_secs: f64,
    /// Meaning of the times of sending.
    sender_clock: SenderClock,
    /// Seconds by which an entity is drawn ahead of its last update, 0 to 10.
    max_lead_secs: f64,
    /// Limits of entities without their own.
    limits: PlainLimits,
    /// Limits of entities with their own, by the game's ids.
    own_limits: BTreeMap<u64, PlainLimits>,
    /// Last accepted update of each entity. Entries of entities that the motion world has lost are
    /// ignored.
    heard: IdMap<Heard>,
    /// Deadlines at which coasting entities stop.
    coasting: Timeouts,
}

/// The last accepted update of an entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heard {
    /// Order to compare the next update with.
    pub(crate) order: Order,
    /// Time at which the entity was there, from which the speed of entities without a velocity is
    /// computed. It is the time of arrival if the time of sending means nothing.
    pub(crate) at: SimTime,
    /// Smallest recent difference between the times of arrival and of sending, in seconds. `None`
    /// until one is known.
    pub(crate) clock_offset: Option<f64>,
    /// Place in the update. The body itself may still be on its way there.
    pub(crate) place: Placement,
}

impl PlainWorld {
    /// Makes an empty world whose time starts at `now`. Invalid settings are replaced as
    /// [`PlainConfig`] says.
    pub fn new(config: PlainConfig, now: SimTime) -> Self {
        let units = config.units_per_metre;
        // NaN fails the comparison, and gives no coasting.
        let max_coast_secs = if config.max_coast_secs >= 0.0 { config.max_coast_secs.min(1e9) } else { 0.0 };
        let mut motion = MotionWorld::new(config.motion, now);
        motion.store.glides.coast_secs = Some(max_coast_secs as f32);
        Self {
            motion,
            ids: PlainIds::default(),
            events: VecDeque::new(),
            axes: config.axes,
            units_per_metre: if units.is_finite() && units > 0.0 { units } else { 1.0 },
            max_coast_secs,
            sender_clock: config.sender_clock,
            max_lead_secs: checked_lead(config.max_lead_secs),
            limits: config.limits.checked(),
            own_limits: BTreeMap::new(),
            heard: IdMap::default(),
            coasting: Timeouts::default(),
        }
    }

    /// Moves time to `now`. The ground is known only from updates, as with [`OpenField`].
    pub fn advance(&mut self, now: SimTime) -> Advanced {
        self.advance_in(now, &OpenField)
    }

    /// Moves time to `now`, and stops entities that have coasted too long.
    ///
    /// Surroundings see the core's own places, in metres and with z up. Bodies are stepped first,
    /// so an entity stops at the first frame after its deadline.
    pub fn advance_in(&mut self, now: SimTime, surroundings: &(impl Surroundings + ?Sized)) -> Advanced {
        let advanced = self.motion.advance(now, surroundings);
        self.stop_coasting(now, advanced)
    }

    /// Moves time to `now` like [`advance_in`](Self::advance_in), with several threads. The result has the
    /// same bits, as [`MotionWorld::advance_with`] says.
    pub fn advance_with(
        &mut self,
        now: SimTime,
        surroundings: &(impl Surroundings + Sync + ?Sized),
        threads: &impl Threads,
    ) -> Advanced {
        let advanced = self.motion.advance_with(now, surroundings, threads);
        self.stop_coasting(now, advanced)
    }

    /// Stops entities that have coasted too long.
    fn stop_coasting(&mut self, now: SimTime, advanced: Advanced) -> Advanced {
        if advanced == Advanced::WentBack {
            self.coasting.bring_forward(now.as_secs() + self.max_coast_secs);
        }
        while let Some(entity) = self.coasting.next_due(now.as_secs()) {
            if let Some(slot) = self.motion.slot(entity) {
                self.halt(slot);
                self.motion.tell(now, slot, Happening::WentSilent);
            }
        }
        advanced
    }

    /// Handles an update of an entity. The first update creates the entity.
    ///
    /// An update that is not newer than the last one is answered with [`Disposition::Ignored`].
    /// [`SenderClock`] tells which times of sending are newer although they are smaller.
    ///
    /// # Errors
    /// [`PlainError`] if a value is invalid. Nothing has changed then.
    pub fn update(
        &mut self,
        now: SimTime,
        entity: u64,
        update: &PlainUpdate,
    ) -> Result<Disposition, PlainError> {
        self.update_in(now, entity, update, &OpenField)
    }

    /// Handles an update with the host's surroundings. Use it together with
    /// [`advance_in`](Self::advance_in).
    ///
    /// The surroundings are asked only about entities that already exist. A new entity stands where
    /// the update says.
    ///
    /// # Errors
    /// [`PlainError`] if a value is invalid. Nothing has changed then.
    pub fn update_in(
        &mut self,
        now: SimTime,
        entity: u64,
        update: &PlainUpdate,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<Disposition, PlainError> {
        let known = self.ids.find(entity).and_then(|entity| Some((entity, self.motion.slot(entity)?)));
        let before = known.and_then(|(entity, _)| self.heard.get(&entity).copied());
        let limits = self.limits_of(entity);
        self.check_order(now, update.order)?;
        let age = self.age(now, update.order, before.as_ref());
        let place = self.place(&update.pose)?;
        let velocity = update.velocity.map(|velocity| self.velocity(velocity)).transpose()?;
        let velocity = velocity.map(|velocity| limits.slowed(velocity, self.units_per_metre));
        let heard = Heard {
            order: update.order,
            at: SimTime::from_secs(now.as_secs() - age.secs).unwrap_or(now),
            clock_offset: age.clock_offset,
            place,
        };
        let Some((entity, slot)) = known else {
            // A message about a known entity catches up too.
            self.motion.catch_up(now, surroundings);
            let inner = self.ids.find(entity).unwrap_or_else(|| self.ids.next());
            self.motion.insert(now, inner, &BodySetup::at(self.led(place, velocity, &age)))?;
            if self.ids.find(entity).is_none() {
                self.ids.insert(entity);
            }
            self.heard.insert(inner, heard);
            if let Some(slot) = self.motion.slot(inner).filter(|_| velocity.is_none()) {
                self.motion.glide_appeared(heard.at, slot);
            }
            self.roll(now, inner, velocity, None);
            return Ok(Disposition::Created { how: CreateHow::New });
        };
        if before.is_some_and(|before| !self.counts_as_newer(now, update.order, before.order)) {
            return Ok(self.motion.ignore_old_position(now, slot));
        }
        self.heard.insert(entity, heard);
        let snaps = self.snaps(now, slot, &place, self.way_ahead(slot, velocity, &age), &limits);
        let place = self.led(place, velocity, &age);
        let teleports = update.teleports || snaps;
        let is_near = limits.is_near(before.as_ref(), &heard, self.units_per_metre);
        let goes_on = !update.teleports && (!snaps || is_near);
        let stamps = self.motion.store.messages[slot].stamps;
        let next = |kind| stamps.seen(kind).next();
        let teleport = if teleports { next(StampKind::Teleport) } else { stamps.seen(StampKind::Teleport) };
        let instance = stamps.seen(StampKind::Instance);
        let pack =
            PositionPack { teleport, ..PositionPack::standing(&place, instance, next(StampKind::Position)) };
        self.motion.store.glides.arriving = Arriving {
            // A known velocity has already led the place.
            age: if velocity.is_none() { age.secs as f32 } else { 0.0 },
            lead: if velocity.is_none() { age.lead_secs as f32 } else { 0.0 },
            snaps,
            goes_on,
            ..limits.arriving(self.units_per_metre)
        };
        let answer =
            self.motion.handle(now, &Update::Position(PositionUpdate { entity, pack }), surroundings);
        self.motion.store.glides.arriving = Arriving::PLAIN;
        self.roll(now, entity, velocity, before.filter(|_| goes_on));
        Ok(answer)
    }

    /// Throws an entity with a velocity in game axes and units per second.
    ///
    /// The entity flies, falls, and lands at the height of the next update. It lands by its own
    /// flight if it is above that height, and is placed if it is below.
    ///
    /// # Errors
    /// [`PlainError`] if the velocity is invalid, or the entity is unknown.
    pub fn throw(&mut self, now: SimTime, entity: u64, velocity: [f32; 3]) -> Result<(), PlainError> {
        self.throw_in(now, entity, velocity, &OpenField)
    }

    /// Throws an entity with the host's surroundings, together with
    /// [`advance_in`](Self::advance_in). Where there is ground, the entity lands on it.
    ///
    /// # Errors
    /// [`PlainError`] if the velocity is invalid, or the entity is unknown.
    pub fn throw_in(
        &mut self,
        now: SimTime,
        entity: u64,
        velocity: [f32; 3],
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<(), PlainError> {
        let velocity = self.velocity(velocity)?;
        let entity = self.known(entity)?;
        let Some(slot) = self.motion.slot(entity) else { return Ok(()) };
        // The thrown velocity replaces the drive. Otherwise the take-off would use the speed of the
        // motion.
        self.halt(slot);
        self.coasting.clear(entity);
        let stamps = self.motion.store.messages[slot].stamps;
        let (instance, stamp) = (stamps.seen(StampKind::Instance), stamps.seen(StampKind::Vector).next());
        let vector = VectorUpdate { entity, velocity, omega: Vec3::ZERO, instance, stamp };
        let _ = self.motion.handle(now, &Update::Vector(vector), surroundings);
        Ok(())
    }

    /// Removes an entity with its last update and its limits. Returns `false` if it was not present.
    pub fn remove(&mut self, entity: u64) -> bool {
        self.own_limits.remove(&entity);
        let Some(inner) = self.ids.find(entity) else { return false };
        self.heard.remove(&inner);
        self.coasting.clear(inner);
        let was_present = self.motion.remove(inner);
        // Its id in the core goes to another entity, which must not inherit its decisions.
        self.motion.untrace(inner);
        self.motion.record.decisions.forget(inner);
        self.keep_events();
        self.ids.remove(entity);
        was_present
    }

    /// Keeps decisions about an entity for [`explain`](Self::explain). Tracing changes no motion.
    ///
    /// # Errors
    /// [`PlainError::UnknownEntity`] if the entity has had no update yet, or was removed.
    pub fn trace(&mut self, entity: u64) -> Result<(), PlainError> {
        let inner = self.known(entity)?;
        self.motion.trace(inner);
        Ok(())
    }

    /// Returns the core's id of an entity.
    ///
    /// # Errors
    /// [`PlainError::UnknownEntity`] if the entity has no id in the core.
    fn known(&self, entity: u64) -> Result<EntityId, PlainError> {
        self.ids.find(entity).ok_or(PlainError::UnknownEntity { entity })
    }

    /// Sets the point from which distances are measured. Entities more than 96 m away are not
    /// stepped.
    ///
    /// With `None`, all entities are near, unless the configuration says otherwise
    /// ([`Config::no_viewpoint`](crate::Config::no_viewpoint)).
    ///
    /// # Errors
    /// [`PlainError`] if the position is invalid.
    pub fn set_viewpoint(&mut self, position: Option<[f64; 3]>) -> Result<(), PlainError> {
        let rotation = [0.0, 0.0, 0.0, 1.0];
        let viewpoint = position.map(|position| self.place(&PlainPose { position, rotation })).transpose()?;
        self.motion.set_viewpoint(viewpoint);
        Ok(())
    }

    /// Writes the whole state as bytes. See [`MotionWorld::save`] for what is left out.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.save_into(&mut bytes);
        bytes
    }

    /// Appends the saved world to a buffer, which a host can reuse to avoid allocations.
    pub fn save_into(&self, bytes: &mut Vec<u8>) {
        let units = [self.units_per_metre, self.max_coast_secs];
        let (outer, free) = self.ids.parts();
        // Includes entities that the motion world has lost, because a host may put them back there.
        let inner = (1..=outer.len() as u32).map(EntityId::new);
        let heard = inner.filter_map(|entity| Some((entity, *self.heard.get(&entity)?)));
        let ids = (outer.to_vec(), free.to_vec());
        let parts = PlainParts {
            axes: self.axes,
            units,
            ids,
            heard: heard.collect(),
            coasting: &self.coasting,
            sender_clock: self.sender_clock,
            max_lead_secs: self.max_lead_secs,
            limits: self.limits,
            own_limits: self.own_limits.iter().map(|(entity, limits)| (*entity, *limits)).collect(),
        };
        save_plain(&parts, &self.motion, bytes);
    }

    /// Restores a world from the bytes that [`save`](Self::save) wrote. The restored world
    /// continues bit for bit like the original.
    ///
    /// # Errors
    /// [`RestoreError`] if the bytes are not a saved plain world, or are damaged, or if the world
    /// used a library other than the built-in one.
    pub fn restore(bytes: &[u8]) -> Result<Self, RestoreError> {
        Self::restore_with(bytes, Arc::new(MotionLibrary::built_in()))
    }

    /// Restores a world with the motion library that it used, which is not saved with it.
    ///
    /// # Errors
    /// [`RestoreError`] if the bytes are not a saved plain world, or are damaged, or if the world
    /// used another library.
    pub fn restore_with(bytes: &[u8], library: Arc<MotionLibrary>) -> Result<Self, RestoreError> {
        let (parts, motion) = restore_plain(bytes, library)?;
        let PlainParts { axes, units: [units_per_metre, max_coast_secs], ids, heard, coasting, .. } = parts;
        // Bodies without an id are allowed, because a host may put them into the inner world.
        let ids = PlainIds::from_parts(ids.0, ids.1).ok_or(RestoreError::Inconsistent {
            what: "the ids of the game's entities contradict each other",
        })?;
        let config = PlainConfig {
            motion: *motion.config(),
            axes,
            units_per_metre,
            max_coast_secs,
            sender_clock: parts.sender_clock,
            max_lead_secs: parts.max_lead_secs,
            limits: parts.limits,
        };
        let mut world = Self::new(config, motion.now());
        world.motion = motion;
        world.motion.store.glides.coast_secs = Some(world.max_coast_secs as f32);
        world.ids = ids;
        world.heard = heard.into_iter().collect();
        world.own_limits = parts.own_limits.into_iter().map(|(id, limits)| (id, limits.checked())).collect();
        world.coasting = coasting;
        Ok(world)
    }

    /// Saves the drawn poses, which [`save`](Self::save) leaves out. See
    /// [`MotionWorld::save_drawing`].
    pub fn save_drawing(&self) -> Vec<u8> {
        self.motion.save_drawing()
    }

    /// Restores drawn poses after [`restore`](Self::restore). Without them, entities are drawn where
    /// their bodies are, and glide on from there.
    ///
    /// # Errors
    /// [`RestoreError`] if the bytes are not saved poses, or are damaged.
    pub fn restore_drawing(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        self.motion.restore_drawing(bytes)
    }

    /// Returns the motion world underneath, for counters and views. Its entity ids are the core's
    /// own.
    pub const fn motion(&self) -> &MotionWorld {
        &self.motion
    }

    /// Returns the motion world underneath. Its entity ids are the core's own.
    ///
    /// Send updates through the plain world only. Messages given to the inner world directly bypass
    /// the order and the coasting deadline.
    pub const fn motion_mut(&mut self) -> &mut MotionWorld {
        &mut self.motion
    }

    /// Converts a place of the core to the game's axes and units.
    pub fn pose(&self, place: &Placement) -> PlainPose {
        let point = point_of(place).map(|metres| metres * self.units_per_metre);
        PlainPose {
            position: self.axes.outward(point),
            rotation: self.axes.rotation_outward(place.pose.rotation()),
        }
    }

    /// Converts a pose of the game to a place of the core.
    ///
    /// # Errors
    /// [`PlainError`] if the position is off the map or the rotation is invalid.
    pub fn place(&self, pose: &PlainPose) -> Result<Placement, PlainError> {
        let rotation = self.axes.rotation_inward(pose.rotation)?;
        let point = self.axes.inward(pose.position).map(|units| units / self.units_per_metre);
        place_at(point, rotation).map_err(|axis| {
            let reach = if axis == 2 { f64::from(COORDINATE_LIMIT) } else { PLAIN_REACH };
            let units = self.units_per_metre;
            let mut only = [0.0; 3];
            only[axis] = point[axis] * units;
            PlainError::OffMap {
                axis: self.axes.name_of(axis),
                // The sum picks the one coordinate, with the sign that the game gave it.
                value: self.axes.outward(only).iter().sum(),
                limit: reach * units,
            }
        })
    }

    /// Converts a velocity to metres per second in the core's axes, and checks it.
    ///
    /// The limit is the fastest speed factor at a run, because the motion stores the speed as such
    /// factors.
    fn velocity(&self, velocity: [f32; 3]) -> Result<Vec3, PlainError> {
        let metres = velocity.map(|units| (f64::from(units) / self.units_per_metre) as f32);
        let velocity = Vec3::from_array(self.axes.inward(metres));
        let speed = length(velocity);
        if speed.is_finite() && speed <= f64::from(RUN_SPEED * SPEED_LIMIT) {
            Ok(velocity)
        } else {
            Err(PlainError::Velocity { metres_a_second: speed })
        }
    }

    /// Lets a body move on by itself with a velocity in world axes, until the coasting deadline.
    ///
    /// A velocity of zero halts the body. `None` halts it too, and estimates its speed from this
    /// position and the one `before`.
    fn roll(&mut self, now: SimTime, entity: EntityId, velocity: Option<Vec3>, before: Option<Heard>) {
        let Some(slot) = self.motion.slot(entity) else { return };
        let moving = velocity.filter(|velocity| length(*velocity) > f64::from(EPSILON));
        let Some(velocity) = moving else {
            self.halt(slot);
            self.coasting.clear(entity);
            if velocity.is_none() {
                self.catch_up_as_fast_as_positions_come(slot, before);
                if self.has_moved_since(entity, before) {
                    self.expect_next(now, entity);
                }
            }
            return;
        };
        let place = self.heard.get(&entity).map_or(Rotation::IDENTITY, |heard| heard.place.pose.rotation());
        let local = place.basis().to_local(velocity);
        // The drift below is exact. These speeds only decide how fast the body catches up and takes
        // off.
        let limited = |speed: f32| speed.clamp(-SPEED_LIMIT, SPEED_LIMIT);
        let mut body = self.motion.store.body_mut(slot);
        let motion = InterpretedMotion {
            forward: MotionAxis::new(MotionCommand::WALK_FORWARD, limited(local.y / WALK_SPEED)),
            sidestep: MotionAxis::new(MotionCommand::SIDESTEP_RIGHT, limited(local.x / SIDESTEP_SPEED)),
            run_rate: (length(velocity) / f64::from(RUN_SPEED)) as f32,
            ..InterpretedMotion::STANDING
        };
        body.set_motion(&motion);
        body.set_drift(local, Vec3::ZERO);
        body.wake(now.as_secs());
        self.expect_next(now, entity);
    }

    /// Sets the time at which an entity counts as silent.
    fn expect_next(&mut self, now: SimTime, entity: EntityId) {
        // Deadlines must not go back, whatever time an update is given.
        let from = now.as_secs().max(self.motion.now().as_secs());
        self.coasting.set(entity, from + self.max_coast_secs);
    }

    /// Returns whether the last update of an entity shows another place than the one before.
    fn has_moved_since(&self, entity: EntityId, before: Option<Heard>) -> bool {
        let (Some(before), Some(heard)) = (before, self.heard.get(&entity)) else { return false };
        before.place.distance(&heard.place) > STOOD_METRES
    }

    /// Stops a body's own motion. The run rate stays, so the body still catches up with its route
    /// as fast as it went.
    fn halt(&mut self, slot: usize) {
        let mut body = self.motion.store.body_mut(slot);
        let standing = InterpretedMotion { run_rate: body.motion.run_rate, ..InterpretedMotion::STANDING };
        body.set_motion(&standing);
        body.set_drift(Vec3::ZERO, Vec3::ZERO);
    }

    /// Sets the run rate from the distance and time between the last two positions.
    ///
    /// Without an earlier position, after a teleport, or for an impossible speed, the run rate
    /// stays as it was.
    fn catch_up_as_fast_as_positions_come(&mut self, slot: usize, before: Option<Heard>) {
        let Some(before) = before else { return };
        let Some(heard) = self.heard.get(&self.motion.store.hot[slot].id) else { return };
        let secs = (heard.at - before.at).as_secs();
        let speed = before.place.distance(&heard.place) / secs;
        if secs > 0.0 && speed > 0.0 && speed <= f64::from(RUN_SPEED * SPEED_LIMIT) {
            let mut body = self.motion.store.body_mut(slot);
            let motion =
                InterpretedMotion { run_rate: (speed / f64::from(RUN_SPEED)) as f32, ..*body.motion };
            body.set_motion(&motion);
        }
    }
}

impl BodyMut<'_> {
    /// Lets a body without animations perform a motion and sets its run rate, through the motion
    /// interpreter.
    fn set_motion(&mut self, motion: &InterpretedMotion) {
        self.with_driver(&mut (), |driver| {
            driver.motion.run_rate = motion.run_rate;
            driver.on_state(motion, core::iter::empty());
        });
    }
}

/// Distance in metres between two places up to which an entity without a velocity stood.
const STOOD_METRES: f64 = 0.03;
