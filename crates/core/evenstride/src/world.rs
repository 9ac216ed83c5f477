//! [`MotionWorld`], the one object a host holds.
//!
//! This file defines the parts of a world. It has the commands and views for hosts, and adds and
//! removes rows. Other folders add methods of their own. `step/` advances time, `inbound/` handles
//! messages, `player/` takes keys, `drawing/` says where to draw, and `save/` writes and reads
//! bytes.

use alloc::{collections::VecDeque, sync::Arc, vec::Vec};

use evenstride_types::{
    EntityId, Placement, SimTime, Vec3,
    update::{PhysicsState, PlayerAction, Update},
};

use crate::{
    body::{
        body_mut::{BodyMut, run_rate},
        flags::Flags,
        hold_links::{HeldBy, Loose},
        local_player::{LocalPlayer, body_of},
        locomotion::Locomotion,
        rows::{HotRow, NOWHERE, NewBody, ResourceIds},
        setup::BodySetup,
        store::Store,
    },
    clock::{Clock, checked_max_step},
    config::{Config, MissingViewpoint},
    explain::{Event, Explanation, Record},
    journal::{Happening, Journal, Stats},
    motion::{
        InterpretedMotion, MotionLibrary,
        animator::{AnimationPools, Animator},
        gait::Gait,
        playing::PlayingView,
    },
    outcome::{InsertError, MoveToEnd, RemoveReason, TargetStatus},
    storage::{
        ids::IdMap,
        keys::{BodyKey, BodyKeys},
        memory::MemoryPart,
        parking::Parking,
        timeouts::Timeouts,
    },
    view::{AnimationView, BodyView, MovedBy},
};

/// All bodies of a world. Messages and time go in, and motion and explanations come out.
///
/// The methods form five groups. Call them in this order each frame, as the client does.
///
/// 1. [`advance`](Self::advance) moves time and steps bodies.
/// 2. [`handle`](Self::handle) takes a message and returns how it was handled.
/// 3. [`set_input`](Self::set_input), [`jump`](Self::jump) and similar methods take the local
///    player's actions. [`insert`](Self::insert), [`remove`](Self::remove),
///    [`set_viewpoint`](Self::set_viewpoint) and [`trace`](Self::trace) are commands of the host.
/// 4. [`poll_event`](Self::poll_event) returns events, and [`poll_action`](Self::poll_action)
///    returns messages to send to the server.
/// 5. [`drawn`](Self::drawn), [`drawn_into`](Self::drawn_into), [`changed`](Self::changed),
///    [`body`](Self::body) and [`explain`](Self::explain) only read.
///
/// Hosts may handle messages before they advance. An update then takes effect one step earlier
/// than in the client.
///
/// Distances are measured from the viewpoint, or else from the local player. Without either,
/// [`Config::no_viewpoint`] decides. With [`MissingViewpoint::AllFar`], all bodies count as far
/// away, and every received position places its body at once. Call
/// [`set_viewpoint`](Self::set_viewpoint) first, or choose [`MissingViewpoint::AllNear`], as
/// [`Config::SMOOTH`] does.
///
/// Between two positions, a body moves by root motion from its animations. A body with a goal
/// steers there by itself.
///
/// A world is plain data. `Clone` copies it and [`save`](Self::save) writes it to bytes. The copy
/// and the restored world both continue bit for bit like the original.
#[derive(Clone, Debug)]
#[doc(alias = "SmartBox")]
#[doc(alias = "CPhysics")]
#[doc(alias = "CObjectMaint")]
pub struct MotionWorld {
    /// Settings, fixed when the world is made.
    pub(crate) config: Config,
    /// The gate that decides when a round of steps is due, and the latest time.
    pub(crate) clock: Clock,
    /// Viewpoint that the host set. `None` means the local player's place.
    pub(crate) viewpoint: Option<Placement>,
    /// Whether the viewpoint has changed since the last round.
    pub(crate) is_viewpoint_new: bool,
    /// All rows and pools. A slot is an index into every column.
    pub(crate) store: Store,
    /// Slot of each entity. It changes when another body is removed.
    pub(crate) slots: IdMap<u32>,
    /// Slot of each key. Keys stay valid when rows move.
    pub(crate) keys: BodyKeys,
    /// Data that only the local player has. It may be set before its body exists.
    pub(crate) player: Option<LocalPlayer>,
    /// Messages of the local player that the host has not polled yet, oldest first.
    pub(crate) outbox: VecDeque<PlayerAction>,
    /// Messages that wait for their entity.
    pub(crate) parking: Parking,
    /// Stack of messages whose entity has been created. The last one is handled next.
    pub(crate) replay: Vec<Update>,
    /// Deadlines at which bodies with neither place nor holder are removed.
    pub(crate) leaving: Timeouts,
    /// Events and decisions, bounded by the limits of the configuration.
    pub(crate) record: Record,
    /// Entities whose decisions are kept, sorted. They need not be in the world.
    pub(crate) traced: Vec<EntityId>,
    /// Whether decisions about every entity are kept.
    pub(crate) traces_all: bool,
    /// Entity and slot of bodies that observe or are observed, in order of entity. The next round
    /// brings it up to date after a change.
    pub(crate) linked: Vec<(EntityId, u32)>,
    /// Buffer for rebuilding `linked`, kept so that a round allocates nothing. Empty otherwise.
    pub(crate) relinked: Vec<(EntityId, u32)>,
}

impl MotionWorld {
    /// Makes an empty world whose time starts at `now`, with the built-in animation library.
    ///
    /// A `max_step_secs` below 1/30 s or above 2 s is clamped, and NaN becomes
    /// [`MAX_STEP_SECS`](crate::limits::MAX_STEP_SECS).
    pub fn new(config: Config, now: SimTime) -> Self {
        let limits = config.limits;
        Self {
            config: Config { max_step_secs: checked_max_step(config.max_step_secs), ..config },
            clock: Clock::starting_at(now),
            viewpoint: None,
            is_viewpoint_new: false,
            store: Store::new(config.drawing, Arc::new(MotionLibrary::built_in()), AnimationPools::default()),
            slots: IdMap::default(),
            keys: BodyKeys::of_world(config.world),
            player: None,
            outbox: VecDeque::new(),
            parking: Parking::default(),
            replay: Vec::new(),
            leaving: Timeouts::default(),
            record: Record::new(limits.events as usize, limits.decision_bytes as usize),
            traced: Vec::new(),
            traces_all: false,
            linked: Vec::new(),
            relinked: Vec::new(),
        }
    }

    /// Replaces the animation library. A new world has [`MotionLibrary::built_in`].
    ///
    /// All bodies stop and their move-tos end, because their animations refer to the old library.
    /// They stand until they are told to move again. The local player continues with its keys.
    pub fn set_library(&mut self, library: Arc<MotionLibrary>) {
        for slot in 0..self.store.len() {
            self.with_body(self.clock.now, slot, |body, _, journal| {
                body.cancel_move_to(MoveToEnd::Interrupted, journal);
                body.set_drift(Vec3::ZERO, Vec3::ZERO);
                body.with_driver(journal, |driver| driver.stop_completely());
            });
        }
        self.store.library_mark = library.fingerprint();
        self.store.library = library;
        if let Some(player) = &mut self.player {
            player.charging_since = None;
        }
        self.apply_keys(self.clock.now);
    }

    /// Returns the animation library.
    pub const fn library(&self) -> &Arc<MotionLibrary> {
        &self.store.library
    }

    /// Returns the settings of the world. `max_step_secs` is already clamped.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the latest time given to the world.
    pub const fn now(&self) -> SimTime {
        self.clock.now
    }

    // Commands of the host.

    /// Sets the place from which distances are measured, such as a camera. Bodies more than 96 m
    /// away are not stepped.
    ///
    /// With `None`, distances are measured from the local player, as in the client. If there is no
    /// local player either, [`Config::no_viewpoint`] decides the distance of all bodies. With
    /// [`MissingViewpoint::AllFar`], bodies that are asleep then stay asleep.
    pub fn set_viewpoint(&mut self, viewpoint: Option<Placement>) {
        self.is_viewpoint_new |= self.viewpoint != viewpoint;
        self.viewpoint = viewpoint;
        if self.viewpoint().is_none() {
            let distance = match self.config.no_viewpoint {
                MissingViewpoint::AllFar => f32::MAX,
                MissingViewpoint::AllNear => 0.0,
            };
            self.store.settle_all();
            self.store.hot.iter_mut().for_each(|body| body.distance = distance);
        }
    }

    /// Returns the place from which distances are measured.
    ///
    /// This is the host's viewpoint, or else the local player's place. Returns `None` if there is
    /// no viewpoint and no local player in the world.
    pub fn viewpoint(&self) -> Option<Placement> {
        self.viewpoint.or_else(|| {
            let slot = self.slot(self.player.as_ref()?.entity)?;
            let body = &self.store.hot[slot];
            body.flags.contains(Flags::HAS_CELL).then_some(body.place)
        })
    }

    /// Inserts a body at the place of its setup. A cell that does not match the coordinates is kept
    /// until the body moves.
    ///
    /// This is for hosts without create messages. The call steps no body, so advance to the same
    /// time first. Parked messages for the entity are handled by the next
    /// [`advance`](Self::advance) or [`handle`](Self::handle).
    ///
    /// The distance of the body is unknown until the next round. A position that arrives before
    /// then places the body at once, as in the client.
    ///
    /// # Errors
    /// [`InsertError`] if the entity is already present, a value is invalid, or the world is full.
    pub fn insert(
        &mut self,
        now: SimTime,
        entity: EntityId,
        setup: &BodySetup,
    ) -> Result<BodyKey, InsertError> {
        if self.slots.contains_key(&entity) {
            return Err(InsertError::Exists { entity });
        }
        setup.check(entity)?;
        self.check_room(entity)?;
        let slot = self.push(now, entity, setup, ResourceIds::default(), Flags::HAS_CELL | Flags::ACTIVE);
        self.on_inserted(now, slot);
        Ok(self.store.cold[slot].key)
    }

    /// Removes a body. Followers and pursuers stop, and held items are released. Returns `false` if
    /// the entity is unknown.
    pub fn remove(&mut self, entity: EntityId) -> bool {
        self.take_out(self.clock.now, entity, RemoveReason::ByHost)
    }

    /// Starts to keep the decisions about an entity, for [`explain`](Self::explain). The entity
    /// need not be in the world yet.
    ///
    /// Tracing does not affect motion.
    pub fn trace(&mut self, entity: EntityId) {
        if let Err(index) = self.traced.binary_search(&entity) {
            self.traced.insert(index, entity);
        }
        self.refresh_trace(entity);
    }

    /// Stops keeping decisions about an entity. Earlier decisions stay until newer ones displace
    /// them.
    pub fn untrace(&mut self, entity: EntityId) {
        if let Ok(index) = self.traced.binary_search(&entity) {
            self.traced.remove(index);
        }
        self.refresh_trace(entity);
    }

    /// Starts to keep the decisions about all entities.
    pub fn trace_all(&mut self) {
        self.set_traces_all(true);
    }

    /// Keeps only the decisions about entities passed to [`trace`](Self::trace).
    pub fn untrace_all(&mut self) {
        self.set_traces_all(false);
    }

    fn set_traces_all(&mut self, traces_all: bool) {
        self.traces_all = traces_all;
        for slot in 0..self.store.len() {
            let is_traced = self.is_traced(self.store.hot[slot].id);
            self.store.hot[slot].flags.set(Flags::TRACED, is_traced);
        }
    }

    // Events and decisions.

    /// Removes and returns the oldest event.
    ///
    /// Events that are not polled in time are dropped and counted ([`Stats::events_dropped`]).
    #[must_use]
    pub fn poll_event(&mut self) -> Option<Event> {
        self.record.events.queue.pop_front()
    }

    /// Removes and returns the oldest decision about any traced entity. [`MotionWorld::explain`] no
    /// longer finds it.
    ///
    /// This is for tools that record every decision. The world itself holds only the newest ones
    /// ([`Limits::decision_bytes`](crate::config::Limits::decision_bytes)).
    #[must_use]
    pub fn poll_decision(&mut self) -> Option<(EntityId, Explanation)> {
        self.record.decisions.pop().map(|entry| (entry.entity, Explanation::from(&entry)))
    }

    /// Returns the decisions about a [traced](Self::trace) entity, oldest first. Only the newest
    /// decisions are held ([`Limits::decision_bytes`](crate::config::Limits::decision_bytes)).
    ///
    /// The search takes time proportional to the number of all decisions held.
    pub fn explain(&self, entity: EntityId) -> impl DoubleEndedIterator<Item = Explanation> {
        self.record.decisions.about(entity).map(Explanation::from)
    }

    // Views.

    /// Returns a view of a body, or `None` if the entity is unknown.
    pub fn body(&self, entity: EntityId) -> Option<BodyView> {
        self.slot(entity).map(|slot| self.view(slot))
    }

    /// Returns everything needed to animate a body, or `None` if the entity is unknown.
    ///
    /// Animations that move the body are as of its last step. Idle animations are played up to the
    /// latest time given to the world. [`BodyRef::animation`](crate::BodyRef::animation) takes any
    /// time.
    pub fn animation(&self, entity: EntityId) -> Option<AnimationView> {
        self.slot(entity).map(|slot| self.animation_slot(slot, self.clock.now))
    }

    /// Returns everything needed to animate a body, with idle animations played up to `now`.
    pub(crate) fn animation_slot(&self, slot: usize, now: SimTime) -> AnimationView {
        let ResourceIds { setup, motion_table, placement_frame } = self.store.cold[slot].resources;
        let flags = self.store.hot[slot].flags;
        AnimationView {
            setup: (setup != 0).then_some(setup),
            motion_table: (motion_table != 0).then_some(motion_table),
            placement_frame,
            gait: self.gait(slot),
            drawn: self.drawn_motion(slot),
            playing: self.playing(slot, now),
            is_airborne: flags.contains(Flags::HAS_CELL)
                && !flags.contains(Flags::CONTACT | Flags::WALKABLE)
                && self.store.hot[slot].state.contains(PhysicsState::GRAVITY),
            held_by: self.held_by(slot),
        }
    }

    /// Returns the view of a body's interpreted motion, with the run rate in force.
    pub(crate) fn gait(&self, slot: usize) -> Gait {
        let (motion, flags) = (&self.store.motions[slot], self.store.hot[slot].flags);
        Gait::of(motion, run_rate(flags, &self.store.skills, motion))
    }

    /// Returns the velocity of a body's animation at its last step, in world axes, or 0 if it is absurd.
    pub(crate) fn root_velocity(&self, slot: usize) -> Vec3 {
        let AnimationPools { animators, nodes, .. } = &self.store.locomotion;
        let body = &self.store.hot[slot];
        let Some(animator) = animators.get(body.animator) else { return Vec3::ZERO };
        if !body.flags.contains(Flags::STRIDES | Flags::WALKABLE) {
            return Vec3::ZERO;
        }
        let own = animator.playing.sequence.velocity_now(nodes, &self.store.library);
        let scaled = own * (self.store.moving[slot].dimensions.scale * animator.borrowed.factor);
        let velocity = body.place.pose.rotation().basis().to_global(scaled);
        if velocity.is_finite() { velocity } else { Vec3::ZERO }
    }

    /// Returns the current animation of a body, or `None` if it has no animator.
    ///
    /// A resting body is not played each step. Its keyframe is computed here, on a copy.
    fn playing(&self, slot: usize, now: SimTime) -> Option<PlayingView> {
        let AnimationPools { animators, nodes, .. } = &self.store.locomotion;
        let body = &self.store.row(slot);
        let Animator { mut playing, table, borrowed, .. } = *animators.get(body.animator)?;
        // A body that is not stepped is not animated either.
        let is_active = body.flags.contains(Flags::ACTIVE);
        let until = if is_active { now.as_secs().max(body.updated) } else { body.updated };
        playing.sequence.idle(nodes, self.store.cold[slot].idle_secs(body, until));
        let view = playing.view(table, nodes, &self.store.library)?;
        // Only strides are played slower. A blow takes its own time.
        let strides = playing.sequence.velocity_now(nodes, &self.store.library) != Vec3::ZERO;
        Some(if strides { PlayingView { rate: view.rate * borrowed.factor, ..view } } else { view })
    }

    /// Returns the key of an entity's body, or `None` if the entity is unknown.
    ///
    /// Access by key needs no hash lookup. A key never finds a later body of the same entity.
    pub fn key(&self, entity: EntityId) -> Option<BodyKey> {
        self.slot(entity).map(|slot| self.store.cold[slot].key)
    }

    /// Returns the entity of a key, or `None` if the body was removed.
    pub fn entity(&self, key: BodyKey) -> Option<EntityId> {
        self.keys.slot(key).map(|slot| self.store.hot[slot].id)
    }

    /// Returns the counters of the whole world since it was made.
    pub fn stats(&self) -> Stats {
        let mut stats = self.store.stats;
        stats.events_dropped += self.record.events_dropped;
        stats
    }

    /// Returns every known entity in storage order, which changes when a body is removed.
    pub fn entities(&self) -> impl ExactSizeIterator<Item = EntityId> {
        self.store.hot.iter().map(|body| body.id)
    }

    /// Returns the number of bodies, including those outside the world.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Returns whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of messages that wait for their entity.
    pub fn parked(&self) -> usize {
        self.parking.len()
    }

    /// Returns the bytes that parked messages take up.
    pub const fn parked_bytes(&self) -> u64 {
        self.parking.bytes()
    }

    /// Returns the size of each column, pool and queue.
    ///
    /// Hash tables, deadlines, scratch lists of rounds, and the heap data of parked updates, present
    /// and past, are not included. [`MotionWorld::parked_bytes`] counts parked updates completely.
    pub fn memory(&self) -> Vec<MemoryPart> {
        let mut parts = Vec::from(self.store.memory());
        parts.push(MemoryPart::column("keys", &self.keys.entries));
        parts.push(self.parking.memory());
        parts.push(MemoryPart::queue("events", &self.record.events.queue));
        parts.push(self.record.decisions.memory());
        parts.push(MemoryPart::queue("messages to be sent", &self.outbox));
        parts
    }

    // For the rest of the crate.

    /// Returns the row of an entity. It is valid until a body is removed.
    #[inline]
    pub(crate) fn slot(&self, entity: EntityId) -> Option<usize> {
        self.slots.get(&entity).map(|slot| *slot as usize)
    }

    /// Checks that the world has room for one more body.
    pub(crate) fn check_room(&self, entity: EntityId) -> Result<(), InsertError> {
        let limit = self.config.limits.bodies;
        if self.store.len() >= limit as usize { Err(InsertError::Full { entity, limit }) } else { Ok(()) }
    }

    /// Adds the row of a body, and returns its slot. `where_it_is` says whether it has a place and
    /// is stepped.
    ///
    /// The row starts standing, and the setup's motion then goes through the interpreter like any
    /// other. Callers complete the body and then call [`Self::on_inserted`].
    pub(crate) fn push(
        &mut self,
        now: SimTime,
        entity: EntityId,
        setup: &BodySetup,
        resources: ResourceIds,
        where_it_is: Flags,
    ) -> usize {
        let mut flags = where_it_is;
        let is_item = !setup.item_type.is_creature();
        flags.set(Flags::ITEM, is_item);
        flags.set(Flags::INERT, is_item && resources.motion_table == 0);
        flags.set(Flags::CONTACT | Flags::WALKABLE | Flags::HAS_NORMAL, setup.grounded);
        flags.set(Flags::TRACED, self.is_traced(entity));
        let key = self.keys.insert(self.store.len() as u32);
        let slot = self.store.push(NewBody {
            id: entity,
            place: setup.place,
            flags,
            state: setup.state,
            dimensions: setup.dimensions(),
            // The motion begins below, through the interpreter.
            motion: InterpretedMotion {
                run_rate: setup.motion.run_rate,
                speed_factor: setup.motion.speed_factor,
                ..InterpretedMotion::STANDING
            },
            stamps: setup.stamps,
            resources,
            key,
            updated: now.as_secs(),
        });
        self.slots.insert(entity, slot as u32);
        if !setup.motion.is_default() {
            self.with_body(now, slot, |body, _, journal| {
                AnimationPools::prepare(body, journal);
                body.with_driver(journal, |driver| driver.on_state(&setup.motion, core::iter::empty()));
            });
        }
        if setup.velocity != Vec3::ZERO || setup.omega != Vec3::ZERO {
            let mut body = self.store.body_mut(slot);
            body.set_velocity(setup.velocity, now.as_secs());
            body.set_omega(setup.omega);
        }
        self.tell(now, slot, Happening::Appeared);
        slot
    }

    /// Completes the insertion of a body. The local player's body is marked as such, and parked
    /// messages move to the replay stack.
    ///
    /// Callers with surroundings handle the stack at once.
    pub(crate) fn on_inserted(&mut self, now: SimTime, slot: usize) {
        self.mark_changed(slot);
        let entity = self.store.hot[slot].id;
        if self.player.as_ref().is_some_and(|player| player.entity == entity) {
            self.meet_player(now, slot);
        }
        let count = self.parking.take(entity, &mut self.replay);
        if count > 0 {
            self.store.stats.parked_replayed += u64::from(count);
            let counters = &mut self.store.messages[slot].counters;
            counters.parked = counters.parked.saturating_add(count);
            self.decide(now, slot, Happening::Replayed { count });
        }
    }

    /// Removes a body and notifies all bodies that it concerns. Returns `false` if it was not
    /// present.
    ///
    /// The body is taken out of its holder's hand first, and drops everything it holds. Then its
    /// own motions end, observers are told, and the row goes last.
    pub(crate) fn take_out(&mut self, now: SimTime, entity: EntityId, reason: RemoveReason) -> bool {
        let Some(slot) = self.slot(entity) else { return false };
        self.detach(now, slot, Loose::GoesElsewhere);
        self.let_go_of_all(now, slot);
        self.with_body(now, slot, |body, _, journal| {
            body.end_follow(journal);
            body.clear_target(journal);
            body.with_driver(journal, |driver| driver.exit_world());
        });
        // An adopted body that is described has not left. Its observers keep observing.
        let is_described = reason == RemoveReason::Described;
        if !is_described {
            self.tell_observers(now, slot, TargetStatus::Left);
        }
        self.leaving.clear(entity);
        self.tell(now, slot, Happening::Removed(reason));
        self.drop_row(slot);
        true
    }

    /// Removes the row of a body without notifying anything.
    ///
    /// The last row takes its slot, so that columns stay dense. Slot table and keys follow.
    pub(crate) fn drop_row(&mut self, slot: usize) {
        let HotRow { id, flags, .. } = self.store.hot[slot];
        if flags.contains(Flags::LINKED) {
            self.store.targets.mark_changed(id);
        }
        self.slots.remove(&id);
        self.keys.remove(self.store.cold[slot].key);
        self.store.swap_remove(slot);
        if let Some(moved) = self.store.hot.get(slot) {
            if moved.flags.contains(Flags::LINKED) {
                self.store.targets.mark_changed(moved.id);
            }
            self.slots.insert(moved.id, slot as u32);
            self.keys.moved(self.store.cold[slot].key, slot as u32);
        }
    }

    /// Sends a notice with `status` to all observers of a body, and delivers it at once.
    ///
    /// Retail: `TargetManager::NotifyVoyeurOfEvent`, called by `CPhysicsObj::teleport_hook` (11.4186 @ 0x00514ED0)
    pub(crate) fn tell_observers(&mut self, now: SimTime, slot: usize, status: TargetStatus) {
        self.store.notices.forget_interrupted();
        self.store.notify_all_observers(slot, status, &mut self.record);
        self.store.deliver(&self.slots, now, &mut self.record);
    }

    /// Runs a function on one body. Its notes are about that body, and its notices to other bodies
    /// are delivered afterwards.
    ///
    /// Rules that change a body go through here, so that notes and notices are never forgotten.
    #[inline(always)]
    pub(crate) fn with_body<T>(
        &mut self,
        now: SimTime,
        slot: usize,
        run: impl FnOnce(&mut BodyMut<'_>, &Config, &mut Record) -> T,
    ) -> T {
        let Self { store, player, record, config, slots, .. } = self;
        store.notices.forget_interrupted();
        let mut body = body_of(store, player, slot);
        record.about(body.hot.id, now, body.hot.flags.contains(Flags::TRACED));
        let answer = run(&mut body, config, record);
        store.deliver(slots, now, record);
        answer
    }

    /// Takes a body out of the world, into a pack or a hand, and keeps its row. Does nothing if the
    /// body is already outside.
    pub(crate) fn leave(&mut self, now: SimTime, slot: usize) {
        if !self.store.hot[slot].flags.contains(Flags::HAS_CELL) {
            return;
        }
        self.with_body(now, slot, |body, config, journal| body.leave_world(now, config.takeoff, journal));
        self.store.hot_mut(slot).place = NOWHERE;
        if let Some(previous) = self.store.previous.get_mut(slot) {
            *previous = NOWHERE;
        }
        self.tell(now, slot, Happening::LeftWorld);
        self.mark_changed(slot);
    }

    /// Keeps a decision about an entity that may not be in the world, if the entity is traced.
    pub(crate) fn decide_about(&mut self, now: SimTime, entity: EntityId, decision: Happening) {
        if self.is_traced(entity) {
            self.record.decisions.push(now, entity, decision);
        }
    }

    /// Keeps a decision about a body, if it is traced.
    pub(crate) fn decide(&mut self, now: SimTime, slot: usize, decision: Happening) {
        let body = &self.store.hot[slot];
        if body.flags.contains(Flags::TRACED) {
            self.record.decisions.push(now, body.id, decision);
        }
    }

    /// Copies the traced state of an entity to the flag of its body, which steps read.
    fn refresh_trace(&mut self, entity: EntityId) {
        let is_traced = self.is_traced(entity);
        if let Some(slot) = self.slot(entity) {
            self.store.hot[slot].flags.set(Flags::TRACED, is_traced);
        }
    }

    /// Returns whether decisions about an entity are kept.
    pub(crate) fn is_traced(&self, entity: EntityId) -> bool {
        self.traces_all || self.traced.binary_search(&entity).is_ok()
    }

    /// Copies the state of one body into a view.
    pub(crate) fn view(&self, slot: usize) -> BodyView {
        let store = &self.store;
        let (body, row) = (&store.row(slot), &store.moving[slot]);
        BodyView {
            place: body.flags.contains(Flags::HAS_CELL).then_some(body.place),
            velocity: row.last_velocity,
            moved_by: self.moved_by(slot),
            move_to: store.move_to_view(slot),
            waypoints: store.routes[slot].len() as usize,
            in_contact: body.flags.contains(Flags::CONTACT),
            is_active: body.flags.contains(Flags::ACTIVE),
            distance: (body.distance < f32::MAX).then_some(body.distance),
            state: body.state,
            is_hidden: self.is_hidden(slot),
            held_by: self.held_by(slot),
            radius: row.dimensions.radius,
            height: row.dimensions.height,
            counters: store.messages[slot].counters,
        }
    }

    /// Returns the source of a body's next step. A follow replaces a route, and a route replaces
    /// root motion.
    pub(crate) fn moved_by(&self, slot: usize) -> MovedBy {
        let body = &self.store.hot[slot];
        let in_contact = body.flags.contains(Flags::CONTACT);
        if !body.flags.contains(Flags::HAS_CELL) {
            return if self.holder_slot(slot).is_some() { MovedBy::Holder } else { MovedBy::Nothing };
        }
        match body.flags {
            flags if flags.contains(Flags::FOLLOWS) => MovedBy::Follow,
            flags if flags.contains(Flags::ROUTED) && in_contact => MovedBy::Route,
            flags if flags.contains(Flags::FLIES) && !in_contact => MovedBy::Flight,
            flags if flags.contains(Flags::STRIDES) => MovedBy::Legs,
            _ => MovedBy::Nothing,
        }
    }

    /// Returns the holder of a body and its hand, or `None` if the body is not held.
    fn held_by(&self, slot: usize) -> Option<HeldBy> {
        let holder = self.holder_slot(slot)?;
        Some(HeldBy {
            holder: self.store.hot[holder].id,
            key: self.store.cold[holder].key,
            location: self.store.cold[slot].hold.location,
        })
    }
}
