//! The one object a host holds.

use alloc::vec::Vec;
use core::hash::{BuildHasherDefault, Hasher};

use evenstride_types::{
    EPSILON, EntityId, Placement, SimTime, Vec3,
    update::{CommandTable, MovementKind, MovementUpdate, PositionUpdate, VectorUpdate},
};
use hashbrown::HashMap;

use crate::{
    clock::{Advanced, Clock, MIN_STEP_SECS, Opening, Sliced, checked_max_step, slices},
    config::{Config, Drawing, Gate},
    disposition::{Disposition, EarlyReason, PlaceReason},
    gait::Gait,
    intake::Context,
    journal::Journal,
    setup::{BodySetup, InsertError},
    store::{Flags, IdleTime, NewBody, Store},
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
///
/// So far the world takes three kinds of [`Update`](evenstride_types::update::Update): positions, vectors and movements. And so far
/// bodies have no animations: a gait says how fast a body catches up with what it hears, but does not move it by itself.
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
    ///
    /// A longest step that is none (below 1/30 s, above 2 s, not a number) is brought into that range.
    pub fn new(config: Config, now: SimTime) -> Self {
        Self {
            config: Config { max_step_secs: checked_max_step(config.max_step_secs), ..config },
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
    ///
    /// Without one every body counts as far away again; whoever sleeps goes on sleeping.
    pub fn set_viewpoint(&mut self, viewpoint: Option<Placement>) {
        self.viewpoint = viewpoint;
        if viewpoint.is_none() {
            self.store.bodies.iter_mut().for_each(|body| body.distance = f32::MAX);
        }
    }

    /// Puts a body into the world, where it says: a cell that does not fit the coordinates is kept until the body moves.
    ///
    /// Until its first step nobody has measured how far away it is, so a position that comes before that is a placement, as in the
    /// client.
    ///
    /// # Errors
    /// [`InsertError`] when it is there already or one of its numbers cannot be.
    pub fn insert(&mut self, now: SimTime, entity: EntityId, setup: &BodySetup) -> Result<(), InsertError> {
        if self.slots.contains_key(&entity) {
            return Err(InsertError::Exists { entity });
        }
        setup.check(entity)?;
        let mut flags = Flags::ACTIVE | Flags::HAS_CELL;
        if setup.grounded {
            flags |= Flags::CONTACT | Flags::WALKABLE | Flags::HAS_NORMAL;
        }
        let slot = self.store.push(NewBody {
            id: entity,
            place: setup.place,
            flags,
            state: setup.state,
            build: setup.build(),
            gait: setup.gait,
            stamps: setup.stamps,
            updated: now.as_secs(),
        });
        self.slots.insert(entity, slot as u32);
        if setup.velocity != Vec3::ZERO || setup.omega != Vec3::ZERO {
            let mut body = self.store.at(slot);
            body.set_velocity(setup.velocity, now.as_secs());
            body.set_omega(setup.omega);
        }
        Ok(())
    }

    /// Takes a body out of the world; whoever follows it stops. Says whether it was there.
    pub fn remove(&mut self, entity: EntityId) -> bool {
        let was_there = self.take_out(entity);
        if was_there {
            self.dismiss_followers(entity);
        }
        was_there
    }

    /// Takes a body out without telling anybody.
    pub(crate) fn take_out(&mut self, entity: EntityId) -> bool {
        let Some(slot) = self.slots.remove(&entity) else { return false };
        self.store.swap_remove(slot as usize);
        if let Some(moved) = self.store.bodies.get(slot as usize) {
            self.slots.insert(moved.id, slot);
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
        let context = Context { now, config: &self.config, surroundings };
        let disposition = self.store.at(slot).receive_position(&update.pack, context, &mut ());
        if let Disposition::Placed { reason: PlaceReason::Teleport | PlaceReason::EntersWorld, .. } =
            disposition
        {
            self.dismiss_followers(update.entity);
        }
        disposition
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

    /// A received movement: what the body is doing, how fast, whom it follows.
    ///
    /// It sets the gait, and with it how fast the body catches up with positions. It does not move the body by itself: that is root
    /// motion, which comes with animations.
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
                self.step_all(now, surroundings, StepBy::Elapsed, journal);
                Advanced::Stepped { rounds: 1 }
            }
            Opening::Ticks(rounds) => {
                for round in 1..=rounds {
                    // Each tick has a time of its own, whatever frame it happens to be caught up in.
                    let tick = self.clock.tick_time(rounds - round);
                    self.step_all(tick, surroundings, StepBy::Tick, journal);
                }
                Advanced::Stepped { rounds }
            }
        };
        match advanced {
            Advanced::WentBack => {
                self.store.stats.time_went_back += 1;
                self.store.forget_previous();
                if self.config.gate == Gate::Fixed {
                    // The other gates find out body by body, as the client does.
                    self.store.start_clocks_at(now.as_secs());
                }
            }
            Advanced::Dropped => {
                self.store.stats.time_dropped += 1;
                self.store.forget_previous();
            }
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
                let part = match self.config.gate {
                    Gate::Fixed => self.clock.part_of_tick(now),
                    Gate::Shared | Gate::PerBody => part_since(self.store.bodies[slot].updated, now),
                };
                Some(between(self.store.previous.get(slot).unwrap_or(&current), &current, part))
            }
        }
    }

    /// A look at a body; `None` if it is not in the world.
    pub fn body(&self, entity: EntityId) -> Option<BodyView> {
        let slot = self.slot(entity)?;
        let store = &self.store;
        Some(BodyView {
            place: store.bodies[slot].place,
            velocity: store.details[slot].last_velocity,
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

    /// Every entity in the world, in the order they are stored.
    pub fn entities(&self) -> impl ExactSizeIterator<Item = EntityId> {
        self.store.bodies.iter().map(|body| body.id)
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A fingerprint of all bodies: where they are, what they do and what they have heard. The same on every target.
    pub fn state_hash(&self) -> u64 {
        let mut order: Vec<_> = self.store.bodies.iter().map(|body| body.id).zip(0usize..).collect();
        order.sort_unstable();
        let mut hash = evenstride_types::StateHash::new();
        hash.long(self.clock.ticks());
        for (entity, slot) in order {
            hash.word(entity.raw());
            self.store.hash(slot, &mut hash);
        }
        hash.finish()
    }

    pub(crate) fn slot(&self, entity: EntityId) -> Option<usize> {
        self.slots.get(&entity).map(|slot| *slot as usize)
    }

    /// Ends every follow of an entity that left or teleported: its followers are told at once.
    ///
    /// Retail: `TargetManager::NotifyVoyeurOfEvent`, called by `CPhysicsObj::teleport_hook` (11.4186 @ 0x00514ED0)
    fn dismiss_followers(&mut self, entity: EntityId) {
        if self.store.follows.len() == 0 {
            return;
        }
        for slot in 0..self.store.len() {
            let mut body = self.store.at(slot);
            if body.follows.get(body.body.links.follow).is_some_and(|follow| follow.target == entity) {
                body.end_follow();
            }
        }
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
        now: SimTime,
        surroundings: &(impl Surroundings + ?Sized),
        by: StepBy,
        journal: &mut impl Journal,
    ) {
        self.link_followers();
        let idle_time = match by {
            StepBy::Tick => IdleTime { min: 0.0, max: f64::INFINITY },
            StepBy::Elapsed if self.config.gate == Gate::PerBody => {
                IdleTime { min: MIN_STEP_SECS, max: self.config.max_step_secs }
            }
            StepBy::Elapsed => IdleTime { min: f64::from(EPSILON), max: self.config.max_step_secs },
        };
        self.awake.clear();
        self.store.wake_and_cull(self.viewpoint.as_ref(), now.as_secs(), idle_time, &mut self.awake, journal);
        for index in 0..self.awake.len() {
            let slot = self.awake[index] as usize;
            if !self.store.bodies[slot].flags.contains(Flags::LINKED) {
                self.step_one(slot, None, now, surroundings, by, journal);
            }
        }
        for index in 0..self.linked.len() {
            let slot = self.linked[index].1 as usize;
            self.store.bodies[slot].flags.remove(Flags::LINKED);
            let target =
                self.store.follows.get(self.store.bodies[slot].links.follow).map(|follow| follow.target);
            let target_slot = target.and_then(|target| self.slot(target));
            self.step_one(slot, target_slot, now, surroundings, by, journal);
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
                    self.linked.push((self.store.bodies[slot as usize].id, slot));
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
        now: SimTime,
        surroundings: &(impl Surroundings + ?Sized),
        by: StepBy,
        journal: &mut impl Journal,
    ) {
        let target_now = target.map(|target| self.store.bodies[target].place);
        let context = Context { now, config: &self.config, surroundings };
        let mut body = self.store.at(slot);
        if !body.body.flags.contains(Flags::ACTIVE) {
            return;
        }
        if by == StepBy::Tick {
            // Ticks before it appeared or woke are not the body's.
            if now.as_secs() <= body.body.updated {
                return;
            }
            body.body.updated = now.as_secs();
            if !body.is_idle() {
                body.step(MIN_STEP_SECS as f32, target_now, context, journal);
            }
            return;
        }
        let mut updated = body.body.updated;
        // A negative span goes on: time went back, and the slicing below starts the body's clock anew.
        if self.config.gate == Gate::PerBody && (0.0..MIN_STEP_SECS).contains(&(now.as_secs() - updated)) {
            return;
        }
        let sliced = slices(now.as_secs(), &mut updated, self.config.max_step_secs, |secs| {
            journal.slice(secs);
            if !body.is_idle() {
                body.step(secs, target_now, context, journal);
            }
        });
        body.body.updated = updated;
        if sliced == Sliced::Dropped {
            body.stats.time_dropped += 1;
        }
    }
}

/// How much of 1/30 s has passed since a moment, at most all of it.
fn part_since(moment: f64, now: SimTime) -> f32 {
    ((now.as_secs() - moment) / MIN_STEP_SECS).clamp(0.0, 1.0) as f32
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
