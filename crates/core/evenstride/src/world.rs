//! The one object a host holds.

use alloc::vec::Vec;
use core::hash::{BuildHasherDefault, Hasher};

use evenstride_types::{
    EPSILON, EntityId, Placement, SimTime, StampTable, Vec3,
    update::{CommandTable, MovementKind, MovementUpdate, PhysicsState, PositionUpdate, VectorUpdate},
};
use hashbrown::HashMap;

use crate::{
    clock::{Advanced, Clock, MIN_STEP_SECS, Opening, Sliced, slices},
    config::{Config, Drawing, Gate},
    disposition::{Disposition, EarlyReason},
    gait::Gait,
    intake::Door,
    journal::Journal,
    store::{Build, Flags, IdleTime, NewBody, Store},
    surroundings::Surroundings,
};

/// Bodies that move: updates in, motion and reasons out.
///
/// Four families of methods, to be called in this order every frame (the client's: physics first, then what arrived):
///
/// 1. [`advance`](Self::advance) moves time;
/// 2. `handle_*` take what arrived, and answer what became of it;
/// 3. [`insert`](Self::insert), [`remove`](Self::remove), [`set_viewpoint`](Self::set_viewpoint) are commands;
/// 4. [`drawn`](Self::drawn), [`body`](Self::body), [`stats`](Self::stats) only look.
///
/// Hosts may handle before they advance; then an update takes effect one step earlier than in the client.
///
/// Without a viewpoint every body counts as far away, and every position is a placement: call
/// [`set_viewpoint`](Self::set_viewpoint) first.
#[derive(Clone, Debug)]
pub struct MotionWorld {
    config: Config,
    pub(crate) clock: Clock,
    pub(crate) viewpoint: Option<Placement>,
    pub(crate) store: Store,
    slots: HashMap<EntityId, u32, BuildHasherDefault<IdHasher>>,
    /// Bodies that follow or are followed, in order of id; filled and emptied by every step.
    linked: Vec<(EntityId, u32)>,
    /// Bodies that have something to do; filled by every step.
    awake: Vec<u32>,
}

/// A body to be put into the world. Start from [`BodySetup::at`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySetup {
    /// Where.
    pub place: Placement,
    /// How it takes part in the physical world.
    pub state: PhysicsState,
    /// Whether it stands on the ground.
    pub grounded: bool,
    /// What its legs do.
    pub gait: Gait,
    /// The newest stamp of each kind.
    pub stamps: StampTable,
    /// Size factor, of root motion too.
    pub scale: f32,
    /// Width, in metres.
    pub radius: f32,
    /// Part of its speed a sliding body loses in a second, 0 to 1.
    pub friction: f32,
    /// Bounciness, 0 to 0.1.
    pub elasticity: f32,
}

impl BodySetup {
    /// A body of the client's defaults, standing here.
    pub fn at(place: Placement) -> Self {
        Self {
            place,
            state: PhysicsState::default(),
            grounded: true,
            gait: Gait::STANDING,
            stamps: StampTable::default(),
            scale: 1.0,
            radius: 0.5,
            friction: 0.95,
            elasticity: 0.05,
        }
    }
}

/// Why a body cannot be put into the world.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InsertError {
    /// It is there already.
    #[error("entity {entity} is in the world already")]
    Exists {
        /// Which.
        entity: EntityId,
    },
    /// A number of its build is none.
    #[error("entity {entity}: {field} {value} is not a finite number of 0 or more")]
    Build {
        /// Which.
        entity: EntityId,
        /// Which number.
        field: &'static str,
        /// As given.
        value: f32,
    },
}

/// A look at one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyView {
    /// Where its last step left it.
    pub place: Placement,
    /// How fast its last step moved it, world axes.
    pub velocity: Vec3,
    /// Waypoints it has not reached yet.
    pub waypoints: usize,
    /// Whether it touches something.
    pub in_contact: bool,
    /// Whether it is stepped: within 96 m of the viewpoint.
    pub is_active: bool,
    /// What its legs do.
    pub gait: Gait,
}

impl MotionWorld {
    /// An empty world whose time starts at `now`.
    pub const fn new(config: Config, now: SimTime) -> Self {
        Self {
            config,
            clock: Clock::starting_at(now),
            viewpoint: None,
            store: Store::new(matches!(config.drawing, Drawing::Interpolated)),
            slots: HashMap::with_hasher(BuildHasherDefault::new()),
            linked: Vec::new(),
            awake: Vec::new(),
        }
    }

    /// What was chosen when the world was made.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Whence distances are measured: the local player, or a camera. Bodies more than 96 m away are not stepped.
    pub const fn set_viewpoint(&mut self, viewpoint: Option<Placement>) {
        self.viewpoint = viewpoint;
    }

    /// Puts a body into the world. Until its first step nobody has measured how far away it is, so a position that comes before
    /// that is a placement, as in the client.
    ///
    /// # Errors
    /// [`InsertError`] when it is there already or a number of its build is none.
    pub fn insert(&mut self, entity: EntityId, setup: &BodySetup) -> Result<(), InsertError> {
        if self.slots.contains_key(&entity) {
            return Err(InsertError::Exists { entity });
        }
        let BodySetup { scale, radius, friction, elasticity, .. } = *setup;
        let numbers =
            [("scale", scale), ("radius", radius), ("friction", friction), ("elasticity", elasticity)];
        if let Some(&(field, value)) = numbers.iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0))
        {
            return Err(InsertError::Build { entity, field, value });
        }
        let mut flags = Flags::ACTIVE | Flags::HAS_CELL;
        if setup.grounded {
            flags |= Flags::CONTACT | Flags::WALKABLE | Flags::HAS_NORMAL;
        }
        let slot = self.store.push(NewBody {
            id: entity,
            place: setup.place,
            flags,
            state: setup.state,
            build: Build { scale, radius, friction: friction.min(1.0), elasticity: elasticity.min(0.1) },
            gait: setup.gait,
            stamps: setup.stamps,
            updated: self.clock.now.as_secs(),
        });
        self.slots.insert(entity, slot as u32);
        Ok(())
    }

    /// Takes a body out of the world. Says whether it was there.
    pub fn remove(&mut self, entity: EntityId) -> bool {
        let Some(slot) = self.slots.remove(&entity) else { return false };
        self.store.swap_remove(slot as usize);
        if let Some(moved) = self.store.id.get(slot as usize) {
            self.slots.insert(*moved, slot);
        }
        true
    }

    /// A received position.
    pub fn handle_position(
        &mut self,
        now: SimTime,
        update: &PositionUpdate,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        let Some(slot) = self.slot(update.entity) else { return UNKNOWN };
        self.catch_up(now, surroundings);
        let door = Door { now, config: &self.config, surroundings };
        self.store.at(slot).receive_position(&update.pack, door, &mut ())
    }

    /// A received velocity and spin.
    pub fn handle_vector(
        &mut self,
        now: SimTime,
        update: &VectorUpdate,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        let Some(slot) = self.slot(update.entity) else { return UNKNOWN };
        self.catch_up(now, surroundings);
        self.store.at(slot).receive_vector(update, now)
    }

    /// A received movement.
    pub fn handle_movement(
        &mut self,
        now: SimTime,
        update: &MovementUpdate,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        let Some(slot) = self.slot(update.entity) else { return UNKNOWN };
        self.catch_up(now, surroundings);
        let target = match &update.movement.body.kind {
            MovementKind::Interpreted { stick_to, .. } => stick_to.and_then(|target| self.slot(target)),
            _ => None,
        };
        let target =
            target.map(|target| (self.store.bodies[target].place, self.store.details[target].build.radius));
        let table = CommandTable::Final;
        self.store.at(slot).receive_movement(update.instance, &update.movement, table, target, now)
    }

    /// Moves time to `now` and steps every body that is due.
    pub fn advance(&mut self, now: SimTime, surroundings: &(impl Surroundings + ?Sized)) -> Advanced {
        self.advance_noting(now, surroundings, &mut ())
    }

    pub(crate) fn advance_noting(
        &mut self,
        now: SimTime,
        surroundings: &(impl Surroundings + ?Sized),
        journal: &mut impl Journal,
    ) -> Advanced {
        let advanced = match self.clock.advance(now, self.config.gate) {
            Opening::Closed(why) => why,
            Opening::Elapsed => {
                self.step_all(surroundings, StepBy::Elapsed, journal);
                Advanced::Stepped { rounds: 1 }
            }
            Opening::Ticks(rounds) => {
                for _ in 0..rounds {
                    self.step_all(surroundings, StepBy::Tick, journal);
                }
                Advanced::Stepped { rounds }
            }
        };
        match advanced {
            Advanced::WentBack => self.store.stats.time_went_back += 1,
            Advanced::Dropped => self.store.stats.time_dropped += 1,
            Advanced::Stepped { .. } | Advanced::NotYet => {}
        }
        advanced
    }

    /// Where to draw a body; `None` if it is not in the world.
    ///
    /// With [`Drawing::Interpolated`] this lies between where the last two steps left it, never ahead of the last one. The cell
    /// is that of the last step; coordinates may reach back out of its landblock.
    pub fn drawn(&self, entity: EntityId, now: SimTime) -> Option<Placement> {
        let slot = self.slot(entity)?;
        let current = self.store.bodies[slot].place;
        match self.config.drawing {
            Drawing::AsSimulated => Some(current),
            Drawing::Interpolated => {
                let previous = self.store.previous.get(slot).unwrap_or(&current);
                Some(between(previous, &current, self.clock.part_of_tick(now)))
            }
        }
    }

    /// A look at a body; `None` if it is not in the world.
    pub fn body(&self, entity: EntityId) -> Option<BodyView> {
        let slot = self.slot(entity)?;
        let store = &self.store;
        Some(BodyView {
            place: store.bodies[slot].place,
            velocity: store.details[slot].moved_at,
            waypoints: store
                .routes
                .get(store.bodies[slot].links.route)
                .map_or(0, |route| usize::from(route.count)),
            in_contact: store.bodies[slot].flags.contains(Flags::CONTACT),
            is_active: store.bodies[slot].flags.contains(Flags::ACTIVE),
            gait: store.gaits[slot],
        })
    }

    /// How often something happened that should be rare.
    pub const fn stats(&self) -> &crate::Stats {
        &self.store.stats
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A fingerprint of where everything is and where it is going, the same on every target.
    pub fn state_hash(&self) -> u64 {
        let mut order: Vec<_> = self.store.id.iter().copied().zip(0usize..).collect();
        order.sort_unstable();
        let mut hash = evenstride_types::StateHash::new();
        for (entity, slot) in order {
            let store = &self.store;
            hash.word(entity.raw());
            hash.word(u32::from(store.bodies[slot].flags.bits()));
            hash.placement(&store.bodies[slot].place);
            hash.double(store.bodies[slot].updated);
            hash.single(store.details[slot].tether.travelled);
            let flight = store.flight(slot);
            hash.vector(flight.velocity);
            hash.vector(flight.omega);
            if let Some(route) = store.routes.get(store.bodies[slot].links.route) {
                hash.word(u32::from(route.count));
                hash.single(route.audit_secs);
                hash.single(route.audit_distance);
            }
        }
        hash.finish()
    }

    pub(crate) fn slot(&self, entity: EntityId) -> Option<usize> {
        self.slots.get(&entity).map(|slot| *slot as usize)
    }

    /// With the fixed gate, an update takes effect after exactly the ticks before it, whatever frames the host draws.
    fn catch_up(&mut self, now: SimTime, surroundings: &(impl Surroundings + ?Sized)) {
        if self.config.gate == Gate::Fixed && now > self.clock.now {
            self.advance(now, surroundings);
        }
    }

    /// Steps every body: first those that nobody follows and that follow nobody, in the order they are stored, which cannot matter;
    /// then the others in order of id, because they see each other.
    fn step_all(
        &mut self,
        surroundings: &(impl Surroundings + ?Sized),
        by: StepBy,
        journal: &mut impl Journal,
    ) {
        self.link_followers();
        let now = self.clock.now.as_secs();
        let idle_time = match by {
            StepBy::Tick => IdleTime { min: f64::NEG_INFINITY, max: f64::INFINITY },
            StepBy::Elapsed if self.config.gate == Gate::PerBody => {
                IdleTime { min: MIN_STEP_SECS, max: self.config.max_step_secs }
            }
            StepBy::Elapsed => IdleTime { min: f64::from(EPSILON), max: self.config.max_step_secs },
        };
        self.awake.clear();
        self.store.sort_out(self.viewpoint.as_ref(), now, idle_time, &mut self.awake, journal);
        for index in 0..self.awake.len() {
            let slot = self.awake[index] as usize;
            if !self.store.bodies[slot].flags.contains(Flags::LINKED) {
                self.step_one(slot, None, surroundings, by, journal);
            }
        }
        for index in 0..self.linked.len() {
            let slot = self.linked[index].1 as usize;
            self.store.bodies[slot].flags.remove(Flags::LINKED);
            let target =
                self.store.follows.get(self.store.bodies[slot].links.follow).map(|follow| follow.target);
            let target_slot = target.and_then(|target| self.slot(target));
            self.step_one(slot, target_slot, surroundings, by, journal);
        }
        self.linked.clear();
    }

    /// Finds the bodies that follow or are followed.
    fn link_followers(&mut self) {
        if self.store.follows.len() == 0 {
            return;
        }
        for slot in 0..self.store.len() {
            let Some(follow) = self.store.follows.get(self.store.bodies[slot].links.follow) else { continue };
            let target = self.slots.get(&follow.target).copied();
            for slot in [Some(slot as u32), target].into_iter().flatten() {
                if !self.store.bodies[slot as usize].flags.contains(Flags::LINKED) {
                    self.store.bodies[slot as usize].flags.insert(Flags::LINKED);
                    self.linked.push((self.store.id[slot as usize], slot));
                }
            }
        }
        self.linked.sort_unstable();
    }

    /// Brings one body up to now, unless it sleeps.
    ///
    /// Retail: `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
    #[inline]
    pub(crate) fn step_one(
        &mut self,
        slot: usize,
        target: Option<usize>,
        surroundings: &(impl Surroundings + ?Sized),
        by: StepBy,
        journal: &mut impl Journal,
    ) {
        let now = self.clock.now;
        let target_now = target.map(|target| self.store.bodies[target].place);
        let door = Door { now, config: &self.config, surroundings };
        let mut body = self.store.at(slot);
        if !body.body.flags.contains(Flags::ACTIVE) {
            return;
        }
        if by == StepBy::Tick {
            body.body.updated = now.as_secs();
            if !body.is_idle() {
                body.step(MIN_STEP_SECS as f32, target_now, door, journal);
            }
            return;
        }
        let mut updated = body.body.updated;
        if self.config.gate == Gate::PerBody && now.as_secs() - updated < MIN_STEP_SECS {
            return;
        }
        let sliced = slices(now.as_secs(), &mut updated, self.config.max_step_secs, |secs| {
            journal.slice(secs);
            if !body.is_idle() {
                body.step(secs, target_now, door, journal);
            }
        });
        body.body.updated = updated;
        if sliced == Sliced::Dropped {
            body.stats.time_dropped += 1;
        }
    }
}

const UNKNOWN: Disposition = Disposition::Early(EarlyReason::UnknownEntity);

/// By how much bodies are stepped.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum StepBy {
    /// By the time since each one's last step.
    Elapsed,
    /// By 1/30 s.
    Tick,
}

/// Part of the way from `previous` to `current`, measured in `current`'s landblock.
pub(crate) fn between(previous: &Placement, current: &Placement, part: f32) -> Placement {
    if previous == current {
        return *current;
    }
    match previous.pose.with_origin(current.origin_of(previous)) {
        Ok(start) => Placement::new(current.cell, start.blended(&current.pose, part)),
        Err(_) => *current,
    }
}

/// Spreads entity numbers, always alike. The table is looked up in, never walked, so its order cannot matter.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, word: u32) {
        let mixed = (self.0 ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}
