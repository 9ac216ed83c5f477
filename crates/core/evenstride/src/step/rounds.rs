//! Rounds of steps over all bodies, and tasks of each frame.
//!
//! A call of `advance` runs as follows.
//!
//! 1. Updates that waited for an inserted body are handled.
//! 2. The gate (`clock.rs`) decides whether rounds are due.
//! 3. Each round removes expired entities, steps all bodies, and may return control to held keys.
//! 4. The local player reports its position. With the fixed gate it does so in each round.
//! 5. If time went back or leaped, clocks and deadlines are repaired.
//!
//! A round passes over the bodies once, updates their distances and activity, and skips bodies at rest.
//! Bodies that neither observe nor are observed cannot influence each other, and are stepped within the
//! pass, in blocks of 64. Short steps of a block come first (`rows.rs`), then its other steps in storage
//! order. All linked bodies follow in order of id.

use alloc::vec::Vec;
use core::{hint::black_box, ops::Range};

use evenstride_types::{EPSILON, EntityId, Placement, SimTime};

use crate::{
    body::{
        changed::mark_changed,
        context::Context,
        cull::Cull,
        flags::Flags,
        local_player::{LocalPlayer, body_of},
        locomotion::Locomotion,
        rows::HotRow,
        store::{SliceTime, Store},
    },
    clock::{Advanced, LOST_TIME_SECS, Opening, Sliced, slices},
    config::{CatchUp, Config, Gate, MIN_STEP_SECS},
    explain::Record,
    journal::{Happening, Journal},
    motion::animator::AnimationPools,
    outcome::RemoveReason,
    step::{
        rows::{Pass, Unended, Walked, touch_rows},
        short::{Short, Slice, is_ordinary},
    },
    storage::{ids::IdMap, keys::BodyKeys, parking::PARKING_SECS, pool::PoolIndex},
    surroundings::Surroundings,
    world::MotionWorld,
};

impl MotionWorld {
    /// Moves time to `now` and steps every body that is due.
    ///
    /// Call it once per frame, normally before messages are handled. `now` may be any time. If it
    /// is before the last time, no body is stepped and the result says so.
    ///
    /// Updates that waited for a body from [`insert`](Self::insert) are handled first, since they
    /// need surroundings.
    pub fn advance(&mut self, now: SimTime, surroundings: &(impl Surroundings + ?Sized)) -> Advanced {
        let advanced = self.advance_steps(now, surroundings);
        self.move_poses(now, surroundings);
        advanced
    }

    /// Moves the poses of all bodies to `now`, if bodies glide.
    pub(super) fn move_poses(&mut self, now: SimTime, surroundings: &(impl Surroundings + ?Sized)) {
        if self.store.glides.is_on {
            self.glide(now, surroundings);
        }
    }

    /// Moves time to `now` and steps every body that is due. Poses stay where they are.
    fn advance_steps(&mut self, now: SimTime, surroundings: &(impl Surroundings + ?Sized)) -> Advanced {
        self.replay_all(now, surroundings);
        self.advance_by(now, |world, now, by| {
            let (mut stepper, record) = world.stepper();
            stepper.step_all(now, surroundings, by, record);
        })
    }

    /// Moves time to `now` with the round of steps as an argument.
    ///
    /// [`advance`](Self::advance) passes the normal round. Reference traces pass one with their own
    /// journal.
    ///
    /// With the fixed gate, each tick is a complete frame at its own time, with deadlines and
    /// reports. With the other gates the player reports in every call, even if no round was due.
    ///
    /// After time went back, nothing is interpolated and no deadline lies too far ahead. After
    /// dropped time, every body continues from the present.
    pub(crate) fn advance_by(
        &mut self,
        now: SimTime,
        mut step_all: impl FnMut(&mut Self, SimTime, StepBy),
    ) -> Advanced {
        if self.config.gate == Gate::Fixed && self.clock.is_lost(now) {
            // A host that slept until something was due has lost nothing.
            self.clock.skip_quiet(now, self.due_by_itself());
        }
        let advanced = match self.clock.advance(now, self.config.gate) {
            Opening::Closed(why) => why,
            Opening::Elapsed => {
                self.expire(now);
                step_all(self, now, StepBy::Elapsed);
                self.take_control_back(now);
                Advanced::Stepped { rounds: 1 }
            }
            Opening::Ticks(rounds) => {
                for round in 1..=rounds {
                    // Each tick has its own time, whichever frame catches up with it.
                    let tick = self.clock.tick_time(rounds - round);
                    self.expire(tick);
                    step_all(self, tick, StepBy::Tick);
                    self.take_control_back(tick);
                    self.report(tick);
                }
                Advanced::Stepped { rounds }
            }
        };
        if self.config.gate != Gate::Fixed {
            self.report(now);
        }
        match advanced {
            Advanced::WentBack => {
                self.store.stats.time_went_back += 1;
                self.forget_previous();
                self.bring_deadlines_forward(now);
                if self.config.gate == Gate::Fixed {
                    // With the other gates each body notices in its own next step, as in the
                    // client.
                    self.store.start_clocks_at(now.as_secs());
                }
            }
            Advanced::Dropped => {
                self.store.stats.time_dropped += 1;
                self.store.restart_clocks(now.as_secs());
                self.forget_previous();
            }
            Advanced::Stepped { .. } => self.is_viewpoint_new = false,
            Advanced::NotYet => {}
        }
        advanced
    }

    /// Borrows the parts of a world that a round changes, and the record beside them.
    pub(crate) fn stepper(&mut self) -> (Stepper<'_>, &mut Record) {
        let viewpoint = self.viewpoint();
        let stepper = Stepper {
            config: &self.config,
            viewpoint,
            store: &mut self.store,
            player: &mut self.player,
            slots: &self.slots,
            keys: &self.keys,
            linked: &mut self.linked,
            relinked: &mut self.relinked,
        };
        (stepper, &mut self.record)
    }

    /// Steps up to `now` before a message or a key takes effect, with the fixed gate only.
    ///
    /// The effect then comes after exactly the ticks before it, regardless of the host's frames.
    /// The other gates step in `advance` alone, as the client does.
    #[inline]
    pub(crate) fn catch_up(&mut self, now: SimTime, surroundings: &(impl Surroundings + ?Sized)) {
        if self.config.gate == Gate::Fixed && now > self.clock.now {
            self.advance_steps(now, surroundings);
        }
    }

    /// Handles every deadline that has passed, before the bodies are stepped.
    ///
    /// - The parking reports entities whose description the client would request from the server.
    /// - Parked updates that waited for 25 s are dropped and counted.
    /// - Entities outside the world for 25 s are removed.
    ///
    /// Retail: `CObjectMaint::UseTime` (11.4186 @ 0x005089B0)
    fn expire(&mut self, now: SimTime) {
        if self.parking.len() > 0 {
            while let Some(entity) = self.parking.next_wanted(now) {
                self.record.event((now, entity, Happening::DescriptionWanted));
            }
            while let Some((entity, count)) = self.parking.next_expired(now, &self.config.limits) {
                self.store.stats.parked_expired += u64::from(count);
                self.record.event((now, entity, Happening::ParkedExpired { count }));
            }
        }
        if self.leaving.len() > 0 {
            while let Some(entity) = self.leaving.next_due(now.as_secs()) {
                self.take_out(now, entity, RemoveReason::Forgotten);
            }
        }
    }

    /// Limits every deadline and recorded time, as if it had been set at `now`.
    ///
    /// Without this, a deadline from before time went back could lie arbitrarily far ahead.
    fn bring_deadlines_forward(&mut self, now: SimTime) {
        self.parking.bring_forward(now.as_secs());
        self.leaving.bring_forward(now.as_secs() + PARKING_SECS);
        self.store.bring_deadlines_forward(now);
        if let Some(player) = &mut self.player {
            player.sent = if player.sent > now { now } else { player.sent };
            player.charging_since = player.charging_since.map(|since| if since > now { now } else { since });
        }
    }

    /// Draws every body where it is, and none between two steps.
    fn forget_previous(&mut self) {
        self.store.forget_previous();
        if let Some((slot, player)) =
            self.player.as_ref().and_then(|player| self.slot(player.entity)).zip(self.player.as_mut())
        {
            player.previous = self.store.hot[slot].place;
        }
    }
}

/// Parts of a world that a round reads and changes.
///
/// The record of notes is not among them, so that it can be passed as the journal.
pub struct Stepper<'a, L = AnimationPools> {
    /// Switches of the world.
    pub config: &'a Config,
    /// Place from which distances are measured in this round.
    pub viewpoint: Option<Placement>,
    /// Rows and pools of all bodies.
    pub store: &'a mut Store<L>,
    /// The local player, whose own previous place a step may have to update.
    pub player: &'a mut Option<LocalPlayer>,
    /// Slots by entity. A round never adds or removes bodies.
    pub slots: &'a IdMap<u32>,
    /// Keys, by which held bodies are found.
    pub keys: &'a BodyKeys,
    /// Bodies that observe or are observed, with their slots, in ascending order of id.
    pub linked: &'a mut Vec<(EntityId, u32)>,
    /// Scratch space for rebuilding `linked`, empty between rounds.
    pub relinked: &'a mut Vec<(EntityId, u32)>,
}

impl<L: Locomotion> Stepper<'_, L> {
    /// Steps every body that needs it.
    ///
    /// Bodies without observers and targets come first. Their order has no effect on the result, and
    /// their notes are in storage order. The others follow in order of id, because they see each other.
    /// The client steps all bodies in the order of its hash table.
    ///
    /// `by` also decides how long an idle body may have waited for its clock to be advanced without
    /// a step. A tick always advances it.
    pub fn step_all(
        &mut self,
        now: SimTime,
        surroundings: &(impl Surroundings + ?Sized),
        by: StepBy,
        journal: &mut impl Journal,
    ) {
        let pass = self.begin(now, by, journal);
        let context = Context { now, config: self.config, surroundings };
        self.pass(&pass, context, journal);
        self.end(context, by, journal);
    }

    /// Begins a round.
    pub(super) fn begin(&mut self, now: SimTime, by: StepBy, journal: &impl Journal) -> Pass {
        self.store.notices.forget_interrupted();
        self.link_observers();
        let slice = match by {
            StepBy::Tick => SliceTime { min: 0.0, max: f64::INFINITY },
            StepBy::Elapsed if self.config.gate == Gate::PerBody => {
                SliceTime { min: MIN_STEP_SECS, max: self.config.max_step_secs }
            }
            StepBy::Elapsed => SliceTime { min: f64::from(EPSILON), max: self.config.max_step_secs },
        };
        let cull = Cull::new(self.viewpoint, self.config.no_viewpoint);
        let may_rest = self.config.gate != Gate::PerBody && !journal.keeps_slices();
        self.store.begin_round(cull, now.as_secs(), slice, may_rest);
        Pass { cull, slice, by }
    }

    /// Ends a round, after the bodies that are not linked. Steps all linked ones.
    pub(super) fn end(
        &mut self,
        context: Context<'_, impl Surroundings + ?Sized>,
        by: StepBy,
        journal: &mut impl Journal,
    ) {
        self.store.rest.end_round();
        for index in 0..self.linked.len() {
            if index % TOUCHED == 0 {
                self.touch_linked(index);
            }
            let slot = self.linked[index].1 as usize;
            let target = self.store.follows.get(self.store.cold[slot].follow).map(|follow| follow.target);
            let target_slot = target.and_then(|target| self.slots.get(&target)).map(|slot| *slot as usize);
            self.step_one(slot, target_slot, Attempt::Untried, context, by, journal);
        }
    }

    /// Touches the rows of linked bodies that are stepped next. In order of id, neighbours are far apart in
    /// memory.
    #[inline(never)]
    fn touch_linked(&self, from: usize) {
        let Store { hot, moving, cold, routes, moves, targets, locomotion, .. } = &*self.store;
        let (mut rows, mut animators) =
            ([(PoolIndex::NONE, PoolIndex::NONE); TOUCHED], [PoolIndex::NONE; TOUCHED]);
        let linked = &self.linked[from..self.linked.len().min(from + TOUCHED)];
        for ((row, animator), (_, slot)) in rows.iter_mut().zip(&mut animators).zip(linked) {
            let slot = *slot as usize;
            *row = (cold[slot].move_to, cold[slot].observation);
            *animator = hot[slot].animator;
            black_box((moving[slot].chase_speed, routes[slot].is_on()));
        }
        locomotion.touch(&animators[..linked.len()]);
        for (move_to, observation) in &rows[..linked.len()] {
            black_box(moves.get(*move_to).map(|move_to| move_to.params.near));
            black_box(targets.observations.get(*observation).map(|observation| observation.checked));
        }
    }

    /// Steps all bodies that are not linked, in blocks of 64. The short steps of a block come first.
    pub(super) fn pass(
        &mut self,
        pass: &Pass,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        let (mut unended, mut touched) = ([const { None }; 64], 0);
        for block in 0..self.store.len().div_ceil(64) {
            if block == touched {
                let Store { hot, moving, routes, rest, locomotion, .. } = &*self.store;
                let touch = |animators: &[PoolIndex]| locomotion.touch(animators);
                touched = touch_rows(block, rest.awake(), (hot, moving, routes), touch);
            }
            let slots = block * 64..self.store.len().min(block * 64 + 64);
            let awake = self.store.rest.reach_block(block) & u64::MAX >> (64 - slots.len());
            if awake == 0 {
                continue;
            }
            if journal.keeps_slices() {
                slots.for_each(|slot| self.step_alone(slot, pass, context, journal));
                continue;
            }
            let mut walked = Walked::default();
            if journal.takes_short_steps() {
                let keep = |of: Unended| {
                    let place = of.slot % 64;
                    unended[place] = Some(of);
                };
                walked = self.store.rows(slots.clone()).walk(0, awake, pass, context, keep);
            }
            if awake & !walked.done() != 0 {
                let ending = |slot: usize| unended[slot % 64].take();
                self.finish_block(slots, walked, ending, pass, context, journal);
            }
        }
    }

    /// Steps a body that is not linked, for a journal that keeps its slice.
    fn step_alone(
        &mut self,
        slot: usize,
        pass: &Pass,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        let (HotRow { id, updated, .. }, mut unended) = (self.store.hot[slot], None);
        let mut walked = Walked::default();
        if journal.takes_short_steps() {
            let (first, bit) = (slot / 64 * 64, 1 << (slot % 64));
            walked = self.store.rows(first..slot + 1).walk(0, bit, pass, context, |of| unended = Some(of));
        }
        self.finish_block(slot..slot + 1, walked, |_| unended.take(), pass, context, journal);
        if walked.stepped != 0 && pass.by == StepBy::Elapsed {
            journal.slice(id, (context.now.as_secs() - updated) as f32);
        }
    }

    /// Ends the short steps of a block that other threads have taken, and steps the other bodies.
    pub(super) fn finish_reached(
        &mut self,
        block: usize,
        walked: Walked,
        ending: impl FnMut(usize) -> Option<Unended>,
        pass: &Pass,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        let slots = block * 64..self.store.len().min(block * 64 + 64);
        let awake = self.store.rest.reach_block(block) & u64::MAX >> (64 - slots.len());
        if awake & !walked.done() != 0 {
            self.finish_block(slots, walked, ending, pass, context, journal);
        }
    }

    /// Ends the short steps of some bodies of a block, and steps the others, in storage order.
    ///
    /// `ending` returns the step of a body that has not ended.
    #[inline(never)]
    fn finish_block(
        &mut self,
        slots: Range<usize>,
        walked: Walked,
        mut ending: impl FnMut(usize) -> Option<Unended>,
        pass: &Pass,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        let mut next = slots.start;
        while let Some(slot) =
            self.store.rest.next_in_block(next, walked.done()).filter(|slot| *slot < slots.end)
        {
            let bit = 1 << (slot % 64);
            if walked.stepped & bit == 0 {
                let attempt = if walked.gave_up & bit == 0 { Attempt::Untried } else { Attempt::GaveUp };
                self.step_generally(slot, attempt, pass, context, journal);
            } else if walked.unended & bit != 0
                && let Some(Unended { slot, secs, answer }) = ending(slot)
            {
                let HotRow { id, flags, .. } = self.store.hot[slot];
                journal.about(id, context.now, flags.contains(Flags::TRACED));
                self.store.end_short_step(slot, answer, secs, context, journal);
            }
            next = slot + 1;
            if next == slots.end {
                break;
            }
        }
    }

    /// Updates the activity of a body, and steps it if it is due and not linked.
    #[inline(never)]
    fn step_generally(
        &mut self,
        slot: usize,
        attempt: Attempt,
        pass: &Pass,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        let is_due = self.store.wake_or_cull(slot, &pass.cull, context.now.as_secs(), pass.slice, journal);
        if is_due && !self.store.hot[slot].flags.contains(Flags::LINKED) {
            self.step_one(slot, None, attempt, context, pass.by, journal);
        }
    }

    /// Updates the list of linked bodies, if any body began or ceased to observe or to be observed.
    ///
    /// This happens once at the beginning of a round. A body that begins to observe during the
    /// round is stepped in order of id from the next round on.
    fn link_observers(&mut self) {
        let mut changed = core::mem::take(&mut self.store.targets.changed);
        if changed.is_all {
            changed.who.clear();
            changed.who.extend(self.linked.iter().map(|(entity, _)| *entity));
            changed.who.extend(self.store.targets.pairs().flatten());
        }
        if !changed.who.is_empty() {
            changed.who.sort_unstable();
            changed.who.dedup();
            self.relink(&changed.who);
        }
        changed.who.clear();
        changed.is_all = false;
        self.store.targets.changed = changed;
    }

    /// Merges changed entities, sorted by id, into the list of linked bodies.
    ///
    /// Only the changed ones are looked up. The cost is linear in the number of linked bodies.
    #[inline(never)]
    fn relink(&mut self, changed: &[EntityId]) {
        let mut old = core::mem::take(self.linked);
        let mut kept = old.iter().copied().peekable();
        self.relinked.clear();
        for &entity in changed {
            while let Some(before) = kept.next_if(|(id, _)| *id < entity) {
                self.relinked.push(before);
            }
            let _ = kept.next_if(|(id, _)| *id == entity);
            let Some(&slot) = self.slots.get(&entity) else { continue };
            let is_linked = self.store.targets.is_linked(self.store.cold[slot as usize].observation);
            self.store.hot[slot as usize].flags.set(Flags::LINKED, is_linked);
            if is_linked {
                self.relinked.push((entity, slot));
            }
        }
        self.relinked.extend(kept);
        old.clear();
        *self.linked = core::mem::replace(self.relinked, old);
    }

    /// Steps one body up to `now`, unless it is inactive.
    ///
    /// - In a tick, the body takes one step of 1/30 s if it appeared or woke before that tick.
    /// - With a gate per body, nothing happens before 1/30 s has passed since its last step.
    /// - Otherwise the time since its last step is cut into slices (`clock.rs`).
    /// - A local player that catches up frame by frame takes one slice and leaves the rest.
    ///
    /// `target` is the slot of the followed body. Its place is read once and stays the same for all
    /// slices. A short step that has given up is not tried again. A body that was stepped is added to
    /// the list of changed bodies.
    ///
    /// Retail: `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
    #[inline(never)]
    pub fn step_one(
        &mut self,
        slot: usize,
        target: Option<usize>,
        attempt: Attempt,
        context: Context<'_, impl Surroundings + ?Sized>,
        by: StepBy,
        journal: &mut impl Journal,
    ) {
        let HotRow { flags, mut updated, .. } = self.store.hot[slot];
        if !flags.contains(Flags::ACTIVE) {
            return;
        }
        let (target_now, now) = (target.and_then(|target| self.store.place_of(target)), context.now);
        if by == StepBy::Tick {
            // Ticks before the body appeared or woke do not count for it.
            if now.as_secs() > updated {
                let secs = MIN_STEP_SECS as f32;
                self.step_slice(
                    slot,
                    target_now,
                    attempt,
                    Slice { secs, clock: now.as_secs() },
                    context,
                    journal,
                );
            }
            return;
        }
        // A negative span means that time went back. The slicing below then restarts the body's
        // clock.
        if self.config.gate == Gate::PerBody && (0.0..MIN_STEP_SECS).contains(&(now.as_secs() - updated)) {
            return;
        }
        let entity = self.store.hot[slot].id;
        let is_somewhere = flags.contains(Flags::HAS_CELL);
        let max_step = self.config.max_step_secs;
        let gap = now.as_secs() - updated;
        let is_slow = flags.contains(Flags::LOCAL)
            && self.config.player_catch_up == CatchUp::OneStepPerFrame
            && gap > max_step
            && gap <= LOST_TIME_SECS;
        let until = if is_slow { updated + max_step } else { now.as_secs() };
        let sliced = slices(until, &mut updated, max_step, |secs, clock| {
            if is_somewhere {
                journal.slice(entity, secs);
            }
            self.step_slice(slot, target_now, attempt, Slice { secs, clock }, context, journal);
        });
        if sliced == Sliced::Stepped {
            self.store.hot[slot].updated = updated;
        } else {
            self.store.body_mut(slot).restart_clock(updated);
        }
        if sliced == Sliced::Dropped {
            self.store.stats.time_dropped += 1;
            // The body continues from its place and is drawn there.
            let body = body_of(self.store, self.player, slot);
            if let Some(previous) = body.previous {
                *previous = body.hot.place;
            }
        }
    }

    /// Steps one slice of a body's time and delivers its notices.
    ///
    /// A body at rest is not stepped. If it has an observation, its observers are still told. A body
    /// that moves is listed as changed before it is stepped, because surroundings may panic.
    #[inline(always)]
    fn step_slice(
        &mut self,
        slot: usize,
        target_now: Option<Placement>,
        attempt: Attempt,
        slice: Slice,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        let hot = &mut self.store.hot[slot];
        let (id, flags) = (hot.id, hot.flags);
        if !hot.is_at_rest() {
            mark_changed(self.store, self.keys, slot);
            let (mut answer, secs) = (None, slice.secs);
            let may_be_short = attempt == Attempt::Untried && journal.takes_short_steps();
            let short = if may_be_short && is_ordinary(&self.store.hot[slot]) {
                let first = slot / 64 * 64;
                self.store.rows(first..slot + 1).short_step(slot - first, slice, context, &mut answer)
            } else {
                Short::GaveUp
            };
            match short {
                Short::Moved | Short::Answered => {
                    journal.about(id, context.now, flags.contains(Flags::TRACED));
                    self.store.end_short_step(slot, answer, secs, context, journal);
                }
                Short::GaveUp => {
                    self.store.hot[slot].updated = slice.clock;
                    journal.about(id, context.now, flags.contains(Flags::TRACED));
                    body_of(self.store, self.player, slot).step(secs, target_now, context, journal);
                }
            }
            if flags.contains(Flags::OBSERVATION) {
                self.store.deliver(self.slots, context.now, journal);
            }
            return;
        }
        hot.updated = slice.clock;
        if flags.contains(Flags::OBSERVATION) {
            journal.about(id, context.now, flags.contains(Flags::TRACED));
            body_of(self.store, self.player, slot).update_observers_and_move_to(context.now, journal);
        }
        // A body without an observation has no notices to deliver.
        if flags.contains(Flags::OBSERVATION) {
            self.store.deliver(self.slots, context.now, journal);
        }
    }
}

/// Number of linked bodies that are touched at once.
const TOUCHED: usize = 16;

/// Result of the pass for a body that takes the general step.
#[derive(Clone, Copy, PartialEq)]
pub enum Attempt {
    /// The short step has not been tried.
    Untried,
    /// The short step has given up.
    GaveUp,
}

/// Length of the steps of a round.
#[derive(Clone, Copy, PartialEq)]
pub enum StepBy {
    /// The time since each body's own last step.
    Elapsed,
    /// Exactly 1/30 s.
    Tick,
}
