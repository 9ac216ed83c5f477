//! The one object a host holds.

use alloc::{collections::VecDeque, sync::Arc, vec::Vec};

use evenstride_types::{
    EntityId, Placement, SimTime, Vec3,
    update::{PhysicsState, PlayerAction, Update},
};

use crate::{
    body::{
        body_mut::{BodyMut, run_rate},
        changed::Changed,
        flags::Flags,
        hold_links::{HeldBy, Loose},
        local_player::{LocalPlayer, body_of},
        locomotion::Locomotion,
        rows::{HotRow, NOWHERE, NewBody, ResourceIds},
        setup::BodySetup,
        store::Store,
    },
    clock::{Clock, checked_max_step},
    config::{Config, DrawMode, MissingViewpoint},
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
        parking::Parking,
        timeouts::Timeouts,
    },
    view::{AnimationView, BodyView, MovedBy},
};

/// Bodies that move: updates in, motion and reasons out.
///
/// Five families of methods, to be called in this order every frame (the client's: physics first, then what arrived):
///
/// 1. [`advance`](Self::advance) moves time;
/// 2. [`handle`](Self::handle) takes what arrived, and answers what became of it;
/// 3. [`set_input`](Self::set_input), [`jump`](Self::jump) and their like take what the local player does; [`insert`](Self::insert),
///    [`remove`](Self::remove), [`set_viewpoint`](Self::set_viewpoint), [`trace`](Self::trace) are commands of the host;
/// 4. [`poll_event`](Self::poll_event) and [`poll_action`](Self::poll_action) give what happened and what is to be sent;
/// 5. [`drawn`](Self::drawn), [`drawn_into`](Self::drawn_into), [`changed`](Self::changed), [`body`](Self::body),
///    [`explain`](Self::explain) only look.
///
/// Hosts may handle before they advance; then an update takes effect one step earlier than in the client.
///
/// Distances are measured from the viewpoint, or else from the local player. With neither, every body counts as far away and every
/// position is a placement: call [`set_viewpoint`](Self::set_viewpoint) first, or choose
/// [`MissingViewpoint::AllNear`].
///
/// Between two positions its legs carry a body on; where the server sends it, it goes by itself.
///
/// A world is plain data: `Clone` copies it, [`save`](Self::save) writes it to bytes, and both continue bit for bit like the original.
#[derive(Clone, Debug)]
#[doc(alias = "SmartBox")]
#[doc(alias = "CPhysics")]
#[doc(alias = "CObjectMaint")]
pub struct MotionWorld {
    pub(crate) config: Config,
    pub(crate) clock: Clock,
    pub(crate) viewpoint: Option<Placement>,
    pub(crate) store: Store,
    pub(crate) slots: IdMap<u32>,
    pub(crate) keys: BodyKeys,
    pub(crate) player: Option<LocalPlayer>,
    /// What the local player has to send.
    pub(crate) outbox: VecDeque<PlayerAction>,
    pub(crate) parking: Parking,
    /// Updates whose entity has come, to be handled next; the last one first.
    pub(crate) replay: Vec<Update>,
    /// Entities that are nowhere, and when they are forgotten.
    pub(crate) leaving: Timeouts,
    pub(crate) changed: Changed,
    pub(crate) record: Record,
    pub(crate) traced: Vec<EntityId>,
    pub(crate) traces_all: bool,
    /// Bodies that watch or are watched, in order of id; brought up to date by the step after that has changed.
    pub(crate) linked: Vec<(EntityId, u32)>,
    /// The same while it is made anew; empty otherwise.
    pub(crate) relinked: Vec<(EntityId, u32)>,
    /// Bodies that have something to do; filled by every step.
    pub(crate) awake: Vec<u32>,
}

impl MotionWorld {
    /// An empty world whose time starts at `now`.
    ///
    /// A longest step that is none (below 1/30 s, above 2 s, not a number) is brought into that range.
    pub fn new(config: Config, now: SimTime) -> Self {
        let limits = config.limits;
        Self {
            config: Config { max_step_secs: checked_max_step(config.max_step_secs), ..config },
            clock: Clock::starting_at(now),
            viewpoint: None,
            store: Store::new(
                matches!(config.drawing, DrawMode::Interpolated),
                Arc::new(MotionLibrary::built_in()),
                AnimationPools::default(),
            ),
            slots: IdMap::default(),
            keys: BodyKeys::default(),
            player: None,
            outbox: VecDeque::new(),
            parking: Parking::default(),
            replay: Vec::new(),
            leaving: Timeouts::default(),
            changed: Changed::default(),
            record: Record::new(limits.events as usize, limits.decision_bytes as usize),
            traced: Vec::new(),
            traces_all: false,
            linked: Vec::new(),
            relinked: Vec::new(),
            awake: Vec::new(),
        }
    }

    /// Sets what can be played. Bodies that are there already stand until they are told to move again; the local player goes on by its
    /// keys. A new world has [`MotionLibrary::built_in`].
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

    /// What legs can play.
    pub const fn library(&self) -> &Arc<MotionLibrary> {
        &self.store.library
    }

    /// What was chosen when the world was made.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// The latest time it was told.
    pub const fn now(&self) -> SimTime {
        self.clock.now
    }

    // Commands of the host.

    /// Whence distances are measured: a camera. Bodies more than 96 m away are not stepped.
    ///
    /// With `None` they are measured from the local player, as the client does. Without one of those either, every body counts as far
    /// away again, and whoever sleeps goes on sleeping.
    pub fn set_viewpoint(&mut self, viewpoint: Option<Placement>) {
        self.viewpoint = viewpoint;
        if self.viewpoint().is_none() {
            let distance = match self.config.no_viewpoint {
                MissingViewpoint::AllFar => f32::MAX,
                MissingViewpoint::AllNear => 0.0,
            };
            self.store.bodies.iter_mut().for_each(|body| body.distance = distance);
        }
    }

    /// Whence distances are measured at the moment.
    pub fn viewpoint(&self) -> Option<Placement> {
        self.viewpoint.or_else(|| {
            let slot = self.slot(self.player.as_ref()?.entity)?;
            let body = &self.store.bodies[slot];
            body.flags.contains(Flags::HAS_CELL).then_some(body.place)
        })
    }

    /// Puts a body into the world, where it says: a cell that does not fit the coordinates is kept until the body moves.
    ///
    /// For hosts that have no create messages; updates that came before it are handled with the next call that takes surroundings.
    /// Until its first step nobody has measured how far away it is, so a position that comes before that is a placement, as in the
    /// client.
    ///
    /// # Errors
    /// [`InsertError`] when it is there already, one of its numbers cannot be, or the world is full.
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
        Ok(self.store.extras[slot].key)
    }

    /// Takes a body out of the world; whoever follows it or goes to it stops, what it holds is let go of. Says whether it was there.
    pub fn remove(&mut self, entity: EntityId) -> bool {
        self.take_out(self.clock.now, entity, RemoveReason::ByHost)
    }

    /// Remembers from now on what is decided about an entity, for [`explain`](Self::explain). It need not be in the world yet.
    pub fn trace(&mut self, entity: EntityId) {
        if let Err(index) = self.traced.binary_search(&entity) {
            self.traced.insert(index, entity);
        }
        self.refresh_trace(entity);
    }

    /// Stops remembering what is decided about an entity; what was remembered stays until it is pushed out.
    pub fn untrace(&mut self, entity: EntityId) {
        if let Ok(index) = self.traced.binary_search(&entity) {
            self.traced.remove(index);
        }
        self.refresh_trace(entity);
    }

    /// Watches everybody, or only those that were asked for.
    pub fn trace_all(&mut self, on: bool) {
        self.traces_all = on;
        for slot in 0..self.store.len() {
            let is_traced = self.is_traced(self.store.bodies[slot].id);
            self.store.bodies[slot].flags.set(Flags::TRACED, is_traced);
        }
    }

    // What happened.

    /// The next thing that happened, oldest first. Takes it off the queue; what nobody takes in time is dropped and counted
    /// ([`Stats::events_dropped`]).
    #[must_use]
    pub fn poll_event(&mut self) -> Option<Event> {
        self.record.events.queue.pop_front()
    }

    /// Takes the next decision about a traced entity, oldest first, away from [`MotionWorld::explain`].
    ///
    /// For tools that write everything down: memory holds the newest only ([`Limits::decision_bytes`](crate::Limits::decision_bytes)).
    #[must_use]
    pub fn poll_decision(&mut self) -> Option<(EntityId, Explanation)> {
        self.record.decisions.pop().map(|entry| (entry.entity, Explanation::from(&entry)))
    }

    /// What was decided about a [traced](Self::trace) entity, oldest first, as far back as memory goes.
    pub fn explain(&self, entity: EntityId) -> impl DoubleEndedIterator<Item = Explanation> {
        self.record.decisions.about(entity).map(Explanation::from)
    }

    // Looks.

    /// A look at a body; `None` if the entity is not known.
    pub fn body(&self, entity: EntityId) -> Option<BodyView> {
        self.slot(entity).map(|slot| self.view(slot))
    }

    /// A look at the body of a key; `None` if it is gone.
    pub fn body_by_key(&self, key: BodyKey) -> Option<BodyView> {
        self.keys.slot(key).map(|slot| self.view(slot))
    }

    /// What a host needs to draw a body's legs; `None` if the entity is not known.
    pub fn animation(&self, entity: EntityId) -> Option<AnimationView> {
        let slot = self.slot(entity)?;
        let ResourceIds { setup, motion_table, placement_frame } = self.store.extras[slot].resources;
        let flags = self.store.bodies[slot].flags;
        Some(AnimationView {
            setup: (setup != 0).then_some(setup),
            motion_table: (motion_table != 0).then_some(motion_table),
            placement_frame,
            gait: self.gait(slot),
            playing: self.playing(slot),
            is_airborne: flags.contains(Flags::HAS_CELL)
                && !flags.contains(Flags::CONTACT | Flags::WALKABLE)
                && self.store.bodies[slot].state.contains(PhysicsState::GRAVITY),
            held_by: self.held_by(slot),
        })
    }

    /// Returns what a body is doing.
    pub(crate) fn gait(&self, slot: usize) -> Gait {
        let (motion, flags) = (&self.store.motions[slot], self.store.bodies[slot].flags);
        Gait::of(motion, run_rate(flags, &self.store.skills, motion))
    }

    /// What a body's legs play.
    fn playing(&self, slot: usize) -> Option<PlayingView> {
        let AnimationPools { animators, nodes, .. } = &self.store.locomotion;
        let body = &self.store.bodies[slot];
        let Animator { mut playing, table, .. } = *animators.get(body.links.animator)?;
        playing.sequence.idle(nodes, self.store.extras[slot].idle_secs(body));
        playing.view(table, nodes, &self.store.library)
    }

    /// The key of an entity's body: looks by key need no lookup by hash, and never find another body.
    pub fn key(&self, entity: EntityId) -> Option<BodyKey> {
        self.slot(entity).map(|slot| self.store.extras[slot].key)
    }

    /// Whose body a key means; `None` if it is gone.
    pub fn entity(&self, key: BodyKey) -> Option<EntityId> {
        self.keys.slot(key).map(|slot| self.store.bodies[slot].id)
    }

    /// How often something happened, over the whole world.
    pub fn stats(&self) -> Stats {
        let mut stats = self.store.stats;
        stats.events_dropped += self.record.events_dropped;
        stats
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

    /// How many updates wait for an entity that is not there yet.
    pub fn parked(&self) -> usize {
        self.parking.len()
    }

    /// How many bytes those take up.
    pub const fn parked_bytes(&self) -> u64 {
        self.parking.bytes()
    }

    // For the rest of the crate.

    #[inline]
    pub(crate) fn slot(&self, entity: EntityId) -> Option<usize> {
        self.slots.get(&entity).map(|slot| *slot as usize)
    }

    pub(crate) fn check_room(&self, entity: EntityId) -> Result<(), InsertError> {
        let limit = self.config.limits.bodies;
        if self.store.len() >= limit as usize { Err(InsertError::Full { entity, limit }) } else { Ok(()) }
    }

    /// Adds the row of a body. Whoever calls tells the world about it with [`Self::on_inserted`] once it is complete.
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
            // Its motion begins below, through the interpreter.
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

    /// Tells the world about a new body: events, the local player, and updates that have waited for it.
    pub(crate) fn on_inserted(&mut self, now: SimTime, slot: usize) {
        self.mark_changed(slot);
        let entity = self.store.bodies[slot].id;
        if self.player.as_ref().is_some_and(|player| player.entity == entity) {
            self.meet_player(now, slot);
        }
        let count = self.parking.take(entity, &mut self.replay);
        if count > 0 {
            self.store.stats.parked_replayed += u64::from(count);
            let counters = &mut self.store.ledgers[slot].counters;
            counters.parked = counters.parked.saturating_add(count);
            self.decide(now, slot, Happening::Replayed { count });
        }
    }

    /// Takes a body out, and tells everybody it concerns. Says whether it was there.
    pub(crate) fn take_out(&mut self, now: SimTime, entity: EntityId, reason: RemoveReason) -> bool {
        let Some(slot) = self.slot(entity) else { return false };
        self.detach(now, slot, Loose::GoesElsewhere);
        self.let_go_of_all(now, slot);
        self.with_body(now, slot, |body, _, journal| {
            body.end_follow(journal);
            body.clear_target(journal);
            body.with_driver(journal, |driver| driver.exit_world());
        });
        // Whoever was only heard of, and is described now, has not left.
        let is_described = reason == RemoveReason::Described;
        if !is_described {
            self.tell_observers(now, slot, TargetStatus::Left);
        }
        self.leaving.clear(entity);
        self.tell(now, slot, Happening::Removed(reason));
        self.drop_row(slot);
        true
    }

    /// Takes the row of a body out without telling anybody.
    pub(crate) fn drop_row(&mut self, slot: usize) {
        let HotRow { id, flags, .. } = self.store.bodies[slot];
        if flags.contains(Flags::LINKED) {
            self.store.targets.mark_changed(id);
        }
        self.slots.remove(&id);
        self.keys.remove(self.store.extras[slot].key);
        self.store.swap_remove(slot);
        if let Some(moved) = self.store.bodies.get(slot) {
            if moved.flags.contains(Flags::LINKED) {
                self.store.targets.mark_changed(moved.id);
            }
            self.slots.insert(moved.id, slot as u32);
            self.keys.moved(self.store.extras[slot].key, slot as u32);
        }
    }

    /// Tells everybody who watches a body that it left or teleported, at once.
    ///
    /// Retail: `TargetManager::NotifyVoyeurOfEvent`, called by `CPhysicsObj::teleport_hook` (11.4186 @ 0x00514ED0)
    pub(crate) fn tell_observers(&mut self, now: SimTime, slot: usize, status: TargetStatus) {
        self.store.notify_all_observers(slot, status, &mut self.record);
        self.store.deliver(&self.slots, now, &mut self.record);
    }

    /// Runs something on a body. What it notes is about that body, and what it has to tell others is delivered.
    #[inline(always)]
    pub(crate) fn with_body<T>(
        &mut self,
        now: SimTime,
        slot: usize,
        run: impl FnOnce(&mut BodyMut<'_>, &Config, &mut Record) -> T,
    ) -> T {
        let Self { store, player, record, config, slots, .. } = self;
        let mut body = body_of(store, player, slot);
        record.about(body.body.id, now, body.body.flags.contains(Flags::TRACED));
        let answer = run(&mut body, config, record);
        store.deliver(slots, now, record);
        answer
    }

    /// Takes a body out of the world, but keeps it.
    pub(crate) fn leave(&mut self, now: SimTime, slot: usize) {
        if !self.store.bodies[slot].flags.contains(Flags::HAS_CELL) {
            return;
        }
        self.with_body(now, slot, |body, config, journal| body.leave_world(now, config.takeoff, journal));
        self.store.bodies[slot].place = NOWHERE;
        if let Some(previous) = self.store.previous.get_mut(slot) {
            *previous = NOWHERE;
        }
        self.tell(now, slot, Happening::LeftWorld);
        self.mark_changed(slot);
    }

    /// Remembers a decision about somebody who may not be in the world, if it is watched.
    pub(crate) fn decide_about(&mut self, now: SimTime, entity: EntityId, decision: Happening) {
        if self.is_traced(entity) {
            self.record.decisions.push(now, entity, decision);
        }
    }

    /// Remembers a decision about a body, if it is watched.
    pub(crate) fn decide(&mut self, now: SimTime, slot: usize, decision: Happening) {
        let body = &self.store.bodies[slot];
        if body.flags.contains(Flags::TRACED) {
            self.record.decisions.push(now, body.id, decision);
        }
    }

    fn refresh_trace(&mut self, entity: EntityId) {
        let is_traced = self.is_traced(entity);
        if let Some(slot) = self.slot(entity) {
            self.store.bodies[slot].flags.set(Flags::TRACED, is_traced);
        }
    }

    pub(crate) fn is_traced(&self, entity: EntityId) -> bool {
        self.traces_all || self.traced.binary_search(&entity).is_ok()
    }

    fn view(&self, slot: usize) -> BodyView {
        let store = &self.store;
        let (body, detail) = (&store.bodies[slot], &store.details[slot]);
        BodyView {
            place: body.flags.contains(Flags::HAS_CELL).then_some(body.place),
            velocity: detail.last_velocity,
            moved_by: self.moved_by(slot),
            move_to: store.move_to_view(slot),
            waypoints: store.routes.get(body.links.route).map_or(0, |route| route.list.len() as usize),
            in_contact: body.flags.contains(Flags::CONTACT),
            is_active: body.flags.contains(Flags::ACTIVE),
            distance: (body.distance < f32::MAX).then_some(body.distance),
            state: body.state,
            is_hidden: self.is_hidden(slot),
            held_by: self.held_by(slot),
            radius: detail.dimensions.radius,
            height: detail.dimensions.height,
            counters: store.ledgers[slot].counters,
        }
    }

    /// In the order in which a step looks at them.
    fn moved_by(&self, slot: usize) -> MovedBy {
        let body = &self.store.bodies[slot];
        let in_contact = body.flags.contains(Flags::CONTACT);
        if !body.flags.contains(Flags::HAS_CELL) {
            return if self.holder_slot(slot).is_some() { MovedBy::Holder } else { MovedBy::Nothing };
        }
        match body.links {
            links if links.follow.is_some() => MovedBy::Follow,
            links if links.route.is_some() && in_contact => MovedBy::Route,
            links if links.flight.is_some() && !in_contact => MovedBy::Flight,
            links if links.animator.is_some() && body.flags.contains(Flags::STRIDES) => MovedBy::Legs,
            _ => MovedBy::Nothing,
        }
    }

    fn held_by(&self, slot: usize) -> Option<HeldBy> {
        let holder = self.holder_slot(slot)?;
        Some(HeldBy {
            holder: self.store.bodies[holder].id,
            key: self.store.extras[holder].key,
            location: self.store.extras[slot].hold.location,
        })
    }
}
