//! The plain door: for games that are not Asheron's Call. Flat coordinates, no cells, no stamps, no motion tables.

mod axes;
mod save;

use alloc::vec::Vec;

use evenstride_types::{
    COORDINATE_LIMIT, EPSILON, EntityId, InvalidRotation, Placement, Rotation, SimTime, StampKind, Vec3,
    length,
    update::{MotionCommand, PositionPack, PositionUpdate, Update, VectorUpdate},
};

pub use self::axes::{Axes, PLAIN_REACH};
use crate::{
    Advanced, BodySetup, Config, CreateHow, Disposition, Happening, InsertError, InterpretedMotion,
    MissingViewpoint, MotionAxis, MotionWorld, OpenField, RUN_SPEED, RestoreError, SIDESTEP_SPEED,
    SPEED_LIMIT, Surroundings, WALK_SPEED,
    body::body_mut::BodyMut,
    generic::{
        axes::{place_at, point_of},
        save::{PlainParts, restore_plain, save_plain},
    },
    storage::{ids::IdMap, timeouts::Timeouts},
};

/// What a plain world is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainConfig {
    /// How motion is made. Default: [`Config::SMOOTH`], and nobody is far away as long as there is no viewpoint.
    pub motion: Config,
    /// How the game names its directions.
    pub axes: Axes,
    /// How many of the game's units make a metre: 1, or 100 in Unreal. Distances of the core are metres (it snaps at 100 m and sleeps
    /// beyond 96 m of a viewpoint), so this also says how large the world is.
    pub units_per_metre: f64,
    /// How long an entity moves on by itself after the last word about it; then it stops, and [`Happening::WentSilent`] tells. Default: 3 s.
    pub max_coast_secs: f64,
}

impl Default for PlainConfig {
    fn default() -> Self {
        Self {
            motion: Config { no_viewpoint: MissingViewpoint::AllNear, ..Config::SMOOTH },
            axes: Axes::default(),
            units_per_metre: 1.0,
            max_coast_secs: 3.0,
        }
    }
}

/// Where something is, in the game's own axes and units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainPose {
    /// Position.
    pub position: [f64; 3],
    /// Unit quaternion, `[x, y, z, w]`.
    pub rotation: [f32; 4],
}

/// What a game hears about an entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainUpdate {
    /// Where it is, or was when the update was made.
    pub pose: PlainPose,
    /// How fast its legs or wheels carry it, game axes and units a second; zero when it stands. It moves on with this velocity when it
    /// has reached the last position heard of, and catches up at twice this speed. So when it stops, it may have gone too far, and comes
    /// back: send an update when the velocity changes.
    ///
    /// `None` if the game does not send it: then it waits at the last position heard of, and catches up at twice the speed at which positions
    /// come.
    pub velocity: Option<[f32; 3]>,
    /// How new the update is. A sender that begins to count anew must be [removed](PlainWorld::remove) first.
    pub order: Order,
    /// Whether it jumped here instead of moving: it is placed at once.
    pub teleports: bool,
}

/// How new an update is, in whatever way the game counts. Use one way for one entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// As it comes: the link keeps the order.
    Arrival,
    /// A number that grows.
    Sequence(u64),
    /// When it was sent, by the sender's clock.
    Time(SimTime),
}

impl Order {
    fn is_newer_than(self, newest: Self) -> bool {
        match (newest, self) {
            (Self::Sequence(newest), Self::Sequence(this)) => this > newest,
            (Self::Time(newest), Self::Time(this)) => this > newest,
            _ => true,
        }
    }
}

/// Why an update cannot be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PlainError {
    /// Too far from the game's origin, or not a number.
    #[error("position.{axis}: {value} is not a number within {limit} of the origin, either way")]
    OffMap {
        /// Which, in the game's axes.
        axis: &'static str,
        /// As given.
        value: f64,
        /// How far the world reaches, in the game's units.
        limit: f64,
    },
    /// No rotation.
    #[error(transparent)]
    Rotation(#[from] InvalidRotation),
    /// Too fast, or not a number.
    #[error("velocity: {metres_a_second} m/s is not a number of at most {}", RUN_SPEED * SPEED_LIMIT)]
    Velocity {
        /// As given, in metres.
        metres_a_second: f64,
    },
    /// No body can be like this, or the world is full.
    #[error(transparent)]
    Insert(#[from] InsertError),
}

/// A [`MotionWorld`] for games that are not Asheron's Call.
///
/// ```
/// use evenstride::{Axes, Order, PlainConfig, PlainPose, PlainUpdate, PlainWorld, types::{EntityId, SimTime}};
/// let mut world = PlainWorld::new(PlainConfig { axes: Axes::YUpMinusZForward, ..PlainConfig::default() }, SimTime::ZERO);
/// let rover = EntityId::new(7);
/// let at = |x: f64| PlainPose { position: [x, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0] };
/// for tick in 0..=120u32 {
///     let now = SimTime::from_secs(f64::from(tick) / 60.0)?;
///     world.advance(now);
///     // Two updates a second of something that rolls to the right at 3 m/s.
///     if tick % 30 == 0 {
///         let update = PlainUpdate {
///             pose: at(f64::from(tick) / 20.0),
///             velocity: Some([3.0, 0.0, 0.0]),
///             order: Order::Sequence(u64::from(tick)),
///             teleports: false,
///         };
///         let _ = world.update(now, rover, &update)?;
///     }
///     let drawn = world.drawn(rover, now).ok_or("gone")?;
///     assert!((drawn.position[0] - f64::from(tick) / 20.0).abs() < 0.2);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlainWorld {
    motion: MotionWorld,
    axes: Axes,
    units_per_metre: f64,
    max_coast_secs: f64,
    /// The last word about each entity.
    heard: IdMap<Heard>,
    /// When those that move on by themselves are stopped.
    coasting: Timeouts,
}

/// The last word about an entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heard {
    pub(crate) order: Order,
    pub(crate) at: SimTime,
    pub(crate) place: Placement,
}

impl PlainWorld {
    /// An empty world whose time starts at `now`. Units that are none (zero, negative, not a number) count as metres.
    pub fn new(config: PlainConfig, now: SimTime) -> Self {
        let units = config.units_per_metre;
        Self {
            motion: MotionWorld::new(config.motion, now),
            axes: config.axes,
            units_per_metre: if units.is_finite() && units > 0.0 { units } else { 1.0 },
            // Not a number is no limit worth having.
            max_coast_secs: if config.max_coast_secs >= 0.0 { config.max_coast_secs.min(1e9) } else { 0.0 },
            heard: IdMap::default(),
            coasting: Timeouts::default(),
        }
    }

    /// Moves time to `now`, over open ground.
    pub fn advance(&mut self, now: SimTime) -> Advanced {
        self.advance_in(now, &OpenField)
    }

    /// Moves time to `now`. Surroundings see the core's own places: metres, z up.
    pub fn advance_in(&mut self, now: SimTime, surroundings: &(impl Surroundings + ?Sized)) -> Advanced {
        let advanced = self.motion.advance(now, surroundings);
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

    /// Takes what was heard about an entity. The first update makes it.
    ///
    /// # Errors
    /// [`PlainError`] when a number cannot be; nothing has changed then.
    pub fn update(
        &mut self,
        now: SimTime,
        entity: EntityId,
        update: &PlainUpdate,
    ) -> Result<Disposition, PlainError> {
        self.update_in(now, entity, update, &OpenField)
    }

    /// The same for a world whose time is moved by [`advance_in`](Self::advance_in).
    ///
    /// # Errors
    /// [`PlainError`] when a number cannot be; nothing has changed then.
    pub fn update_in(
        &mut self,
        now: SimTime,
        entity: EntityId,
        update: &PlainUpdate,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<Disposition, PlainError> {
        let place = self.place(&update.pose)?;
        let velocity = update.velocity.map(|velocity| self.velocity(velocity)).transpose()?;
        let heard = Heard { order: update.order, at: now, place };
        let Some(slot) = self.motion.slot(entity) else {
            self.motion.insert(now, entity, &BodySetup::at(place))?;
            self.heard.insert(entity, heard);
            self.roll(now, entity, velocity, None);
            return Ok(Disposition::Created { how: CreateHow::New });
        };
        let before = self.heard.get(&entity).copied();
        if before.is_some_and(|before| !update.order.is_newer_than(before.order)) {
            return Ok(self.motion.ignore_old_position(now, slot));
        }
        self.heard.insert(entity, heard);
        let stamps = self.motion.store.ledgers[slot].stamps;
        let next = |kind| stamps.seen(kind).next();
        let teleport =
            if update.teleports { next(StampKind::Teleport) } else { stamps.seen(StampKind::Teleport) };
        let instance = stamps.seen(StampKind::Instance);
        let pack =
            PositionPack { teleport, ..PositionPack::standing(&place, instance, next(StampKind::Position)) };
        let answer =
            self.motion.handle(now, &Update::Position(PositionUpdate { entity, pack }), surroundings);
        self.roll(now, entity, velocity, before.filter(|_| !update.teleports));
        Ok(answer)
    }

    /// Throws an entity: it flies with this velocity, game axes and units per second, falls, and lands at the height of the next
    /// update: by its own flight if it is above that, at once if it is below.
    ///
    /// # Errors
    /// [`PlainError`] when a number cannot be. An entity nobody has heard of is not thrown.
    pub fn throw(&mut self, now: SimTime, entity: EntityId, velocity: [f32; 3]) -> Result<(), PlainError> {
        self.throw_in(now, entity, velocity, &OpenField)
    }

    /// The same for a world whose time is moved by [`advance_in`](Self::advance_in); where there is ground, it lands on that.
    ///
    /// # Errors
    /// [`PlainError`] when a number cannot be. An entity nobody has heard of is not thrown.
    pub fn throw_in(
        &mut self,
        now: SimTime,
        entity: EntityId,
        velocity: [f32; 3],
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<(), PlainError> {
        let velocity = self.velocity(velocity)?;
        let Some(slot) = self.motion.slot(entity) else { return Ok(()) };
        // What is thrown flies as it is thrown: its wheels have no say.
        self.halt(slot);
        self.coasting.clear(entity);
        let stamps = self.motion.store.ledgers[slot].stamps;
        let (instance, stamp) = (stamps.seen(StampKind::Instance), stamps.seen(StampKind::Vector).next());
        let vector = VectorUpdate { entity, velocity, omega: Vec3::ZERO, instance, stamp };
        let _ = self.motion.handle(now, &Update::Vector(vector), surroundings);
        Ok(())
    }

    /// Takes an entity out of the world. Says whether it was there.
    pub fn remove(&mut self, entity: EntityId) -> bool {
        self.heard.remove(&entity);
        self.coasting.clear(entity);
        self.motion.remove(entity)
    }

    /// Whence distances are measured: who is more than 96 m away is not stepped. With `None` nobody is far away.
    ///
    /// # Errors
    /// [`PlainError`] when the position cannot be.
    pub fn set_viewpoint(&mut self, position: Option<[f64; 3]>) -> Result<(), PlainError> {
        let rotation = [0.0, 0.0, 0.0, 1.0];
        let viewpoint = position.map(|position| self.place(&PlainPose { position, rotation })).transpose()?;
        self.motion.set_viewpoint(viewpoint);
        Ok(())
    }

    /// Where to draw an entity; `None` if nobody has heard of it.
    pub fn drawn(&self, entity: EntityId, now: SimTime) -> Option<PlainPose> {
        self.motion.drawn(entity, now).map(|place| self.pose(&place))
    }

    /// Everything that matters for going on, as bytes: see [`MotionWorld::save`].
    pub fn save(&self) -> Vec<u8> {
        let heard = self.motion.entities().filter_map(|entity| Some((entity, *self.heard.get(&entity)?)));
        let units = [self.units_per_metre, self.max_coast_secs];
        save_plain(
            &PlainParts { axes: self.axes, units, heard: heard.collect(), coasting: &self.coasting },
            &self.motion,
        )
    }

    /// A world from what [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// [`RestoreError`] when the bytes are anything else.
    pub fn restore(bytes: &[u8]) -> Result<Self, RestoreError> {
        let (PlainParts { axes, units: [units_per_metre, max_coast_secs], heard, coasting }, motion) =
            restore_plain(bytes)?;
        let config = PlainConfig { motion: *motion.config(), axes, units_per_metre, max_coast_secs };
        let mut world = Self::new(config, motion.now());
        world.motion = motion;
        world.heard = heard.into_iter().collect();
        world.coasting = coasting;
        Ok(world)
    }

    /// The world underneath: for events, explanations, counters.
    pub const fn motion(&self) -> &MotionWorld {
        &self.motion
    }

    /// The same, to take events and to watch entities.
    pub const fn motion_mut(&mut self) -> &mut MotionWorld {
        &mut self.motion
    }

    /// A place of the core in the game's axes and units.
    pub fn pose(&self, place: &Placement) -> PlainPose {
        let point = point_of(place).map(|metres| metres * self.units_per_metre);
        PlainPose {
            position: self.axes.outward(point),
            rotation: self.axes.rotation_outward(place.pose.rotation()),
        }
    }

    /// A pose of the game as a place of the core.
    ///
    /// # Errors
    /// [`PlainError`] when a number cannot be.
    pub fn place(&self, pose: &PlainPose) -> Result<Placement, PlainError> {
        let rotation = self.axes.rotation_inward(pose.rotation)?;
        let point = self.axes.inward(pose.position).map(|units| units / self.units_per_metre);
        place_at(point, rotation).map_err(|axis| {
            let reach = if axis == 2 { f64::from(COORDINATE_LIMIT) } else { PLAIN_REACH };
            let units = self.units_per_metre;
            PlainError::OffMap {
                axis: self.axes.name_of(axis),
                value: point[axis] * units,
                limit: reach * units,
            }
        })
    }

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

    /// Lets a body move on by itself, with this velocity, world axes; without one, only its speed is told from the positions.
    fn roll(&mut self, now: SimTime, entity: EntityId, velocity: Option<Vec3>, before: Option<Heard>) {
        let Some(slot) = self.motion.slot(entity) else { return };
        let moving = velocity.filter(|velocity| length(*velocity) > f64::from(EPSILON));
        let Some(velocity) = moving else {
            self.halt(slot);
            self.coasting.clear(entity);
            if velocity.is_none() {
                self.catch_up_as_fast_as_positions_come(now, slot, before);
            }
            return;
        };
        let place = self.heard.get(&entity).map_or(Rotation::IDENTITY, |heard| heard.place.pose.rotation());
        let local = place.basis().to_local(velocity);
        // The drift below is exact. These speeds only decide how fast the body catches up and takes off.
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
        self.coasting.set(entity, now.as_secs() + self.max_coast_secs);
    }

    /// Stands still; still catches up as fast as it went before.
    fn halt(&mut self, slot: usize) {
        let mut body = self.motion.store.body_mut(slot);
        let standing = InterpretedMotion { run_rate: body.motion.run_rate, ..InterpretedMotion::STANDING };
        body.set_motion(&standing);
        body.set_drift(Vec3::ZERO, Vec3::ZERO);
    }

    fn catch_up_as_fast_as_positions_come(&mut self, now: SimTime, slot: usize, before: Option<Heard>) {
        let Some(before) = before else { return };
        let secs = (now - before.at).as_secs();
        let Some(heard) = self.heard.get(&self.motion.store.bodies[slot].id) else { return };
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
    /// Lets a body without animations do something, and run at a rate.
    fn set_motion(&mut self, motion: &InterpretedMotion) {
        self.with_driver(&mut (), |driver| {
            driver.motion.run_rate = motion.run_rate;
            driver.on_state(motion, core::iter::empty());
        });
    }
}
