//! Time moves: rounds of steps over all bodies, and what is done once a frame.

use alloc::vec::Vec;

use evenstride_types::{EPSILON, EntityId, Placement, SimTime};

use crate::{
    body::{
        changed::{Changed, mark_changed},
        context::Context,
        flags::Flags,
        local_player::{LocalPlayer, body_of},
        locomotion::Locomotion,
        rows::HotRow,
        store::{IdleTime, Store},
    },
    clock::{Advanced, LOST_TIME_SECS, Opening, Sliced, slices},
    config::{CatchUp, Config, Gate, MIN_STEP_SECS},
    explain::Record,
    journal::{Happening, Journal},
    motion::animator::AnimationPools,
    outcome::RemoveReason,
    storage::{ids::IdMap, keys::BodyKeys, parking::PARKING_SECS},
    surroundings::Surroundings,
    world::MotionWorld,
};

impl MotionWorld {
    /// Moves time to `now` and steps every body that is due.
    pub fn advance(&mut self, now: SimTime, surroundings: &(impl Surroundings + ?Sized)) -> Advanced {
        self.replay_all(now, surroundings);
        self.advance_by(now, |world, now, by| {
            let (mut stepper, record) = world.stepper();
            stepper.step_all(now, surroundings, by, record);
        })
    }

    /// The same, with the step itself as an argument: whoever observes takes notes of its own.
    pub(crate) fn advance_by(
        &mut self,
        now: SimTime,
        mut step_all: impl FnMut(&mut Self, SimTime, StepBy),
    ) -> Advanced {
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
                    // Each tick has a time of its own, whatever frame it happens to be caught up in.
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
                    // The other gates find out body by body, as the client does.
                    self.store.start_clocks_at(now.as_secs());
                }
            }
            Advanced::Dropped => {
                self.store.stats.time_dropped += 1;
                self.store.restart_clocks(now.as_secs());
                self.forget_previous();
            }
            Advanced::Stepped { .. } | Advanced::NotYet => {}
        }
        advanced
    }

    /// The parts of a world that a step changes, and the record beside them.
    pub(crate) fn stepper(&mut self) -> (Stepper<'_>, &mut Record) {
        let viewpoint = self.viewpoint();
        let stepper = Stepper {
            config: &self.config,
            viewpoint,
            store: &mut self.store,
            player: &mut self.player,
            slots: &self.slots,
            keys: &self.keys,
            changed: &mut self.changed,
            linked: &mut self.linked,
            relinked: &mut self.relinked,
            awake: &mut self.awake,
        };
        (stepper, &mut self.record)
    }

    /// With the fixed gate, an update takes effect after exactly the ticks before it, whatever frames the host draws.
    #[inline]
    pub(crate) fn catch_up(&mut self, now: SimTime, surroundings: &(impl Surroundings + ?Sized)) {
        if self.config.gate == Gate::Fixed && now > self.clock.now {
            self.advance(now, surroundings);
        }
    }

    /// Gives up what has waited too long.
    ///
    /// Retail: `CObjectMaint::UseTime` (11.4186 @ 0x005089B0)
    fn expire(&mut self, now: SimTime) {
        if self.parking.len() > 0 {
            while let Some(entity) = self.parking.next_wanted(now) {
                self.record.event((now, entity, Happening::DescriptionWanted));
            }
            while let Some((entity, count)) = self.parking.next_expired(now) {
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

    /// Time went back: whatever was to end some time from then ends as long from now.
    fn bring_deadlines_forward(&mut self, now: SimTime) {
        self.parking.bring_forward(now.as_secs());
        self.leaving.bring_forward(now.as_secs() + PARKING_SECS);
        self.store.bring_deadlines_forward(now);
        if let Some(player) = &mut self.player {
            player.sent = if player.sent > now { now } else { player.sent };
            player.charging_since = player.charging_since.map(|since| if since > now { now } else { since });
        }
    }

    /// Draws every body where it is, and none on its way there.
    fn forget_previous(&mut self) {
        self.store.forget_previous();
        if let Some((slot, player)) =
            self.player.as_ref().and_then(|player| self.slot(player.entity)).zip(self.player.as_mut())
        {
            player.previous = self.store.bodies[slot].place;
        }
    }
}

/// What a step changes, and what it reads.
pub struct Stepper<'a, L = AnimationPools> {
    pub config: &'a Config,
    pub viewpoint: Option<Placement>,
    pub store: &'a mut Store<L>,
    pub player: &'a mut Option<LocalPlayer>,
    pub slots: &'a IdMap<u32>,
    pub keys: &'a BodyKeys,
    pub changed: &'a mut Changed,
    pub linked: &'a mut Vec<(EntityId, u32)>,
    pub relinked: &'a mut Vec<(EntityId, u32)>,
    pub awake: &'a mut Vec<u32>,
}

impl<L: Locomotion> Stepper<'_, L> {
    /// Steps every body: first those that nobody watches and that watch nobody, in the order they are stored, which cannot matter;
    /// then the others in order of id, because they see each other.
    pub fn step_all(
        &mut self,
        now: SimTime,
        surroundings: &(impl Surroundings + ?Sized),
        by: StepBy,
        journal: &mut impl Journal,
    ) {
        self.link_observers();
        let idle_time = match by {
            StepBy::Tick => IdleTime { min: 0.0, max: f64::INFINITY },
            StepBy::Elapsed if self.config.gate == Gate::PerBody => {
                IdleTime { min: MIN_STEP_SECS, max: self.config.max_step_secs }
            }
            StepBy::Elapsed => IdleTime { min: f64::from(EPSILON), max: self.config.max_step_secs },
        };
        self.awake.clear();
        self.store.wake_and_cull(
            self.viewpoint.as_ref(),
            self.config.no_viewpoint,
            now.as_secs(),
            idle_time,
            self.awake,
            journal,
        );
        for index in 0..self.awake.len() {
            let slot = self.awake[index] as usize;
            if !self.store.bodies[slot].flags.contains(Flags::LINKED) {
                self.step_one(slot, None, now, surroundings, by, journal);
            }
        }
        for index in 0..self.linked.len() {
            let slot = self.linked[index].1 as usize;
            let target =
                self.store.follows.get(self.store.bodies[slot].links.follow).map(|follow| follow.target);
            let target_slot = target.and_then(|target| self.slots.get(&target)).map(|slot| *slot as usize);
            self.step_one(slot, target_slot, now, surroundings, by, journal);
        }
    }

    /// Finds the bodies that watch or are watched, if that has changed.
    fn link_observers(&mut self) {
        let mut changed = core::mem::take(&mut self.store.targets.changed);
        if changed.is_everybody {
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
        changed.is_everybody = false;
        self.store.targets.changed = changed;
    }

    /// Merges those for whom something has changed, in order of id, into the list of those who watch or are watched: nobody else is looked at
    /// closely.
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
            let is_linked = self.store.targets.is_linked(self.store.details[slot as usize].observation);
            self.store.bodies[slot as usize].flags.set(Flags::LINKED, is_linked);
            if is_linked {
                self.relinked.push((entity, slot));
            }
        }
        self.relinked.extend(kept);
        old.clear();
        *self.linked = core::mem::replace(self.relinked, old);
    }

    /// Brings one body up to now, unless it sleeps.
    ///
    /// Retail: `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
    #[inline]
    pub fn step_one(
        &mut self,
        slot: usize,
        target: Option<usize>,
        now: SimTime,
        surroundings: &(impl Surroundings + ?Sized),
        by: StepBy,
        journal: &mut impl Journal,
    ) {
        let HotRow { flags, mut updated, .. } = self.store.bodies[slot];
        if !flags.contains(Flags::ACTIVE) {
            return;
        }
        let target_now = target.and_then(|target| self.store.place_of(target));
        let context = Context { now, config: self.config, surroundings };
        if by == StepBy::Tick {
            // Ticks before it appeared or woke are not the body's.
            if now.as_secs() > updated {
                let secs = MIN_STEP_SECS as f32;
                if self.step_slice(slot, target_now, secs, now.as_secs(), context, journal) {
                    mark_changed(self.store, self.keys, self.changed, slot);
                }
            }
            return;
        }
        // A negative span goes on: time went back, and the slicing below starts the body's clock anew.
        if self.config.gate == Gate::PerBody && (0.0..MIN_STEP_SECS).contains(&(now.as_secs() - updated)) {
            return;
        }
        let (mut was_moved, entity) = (false, self.store.bodies[slot].id);
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
            was_moved |= self.step_slice(slot, target_now, secs, clock, context, journal);
        });
        if sliced == Sliced::Stepped {
            self.store.bodies[slot].updated = updated;
        } else {
            self.store.body_mut(slot).restart_clock(updated);
        }
        if sliced == Sliced::Dropped {
            self.store.stats.time_dropped += 1;
            // It goes on from where it is, and is drawn there.
            let body = body_of(self.store, self.player, slot);
            if let Some(previous) = body.previous {
                *previous = body.body.place;
            }
        }
        if was_moved {
            mark_changed(self.store, self.keys, self.changed, slot);
        }
    }

    /// One slice of one body's time, and what it has to tell others. Says whether the body may have moved.
    #[inline(always)]
    fn step_slice(
        &mut self,
        slot: usize,
        target_now: Option<Placement>,
        secs: f32,
        clock: f64,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> bool {
        let mut body = body_of(self.store, self.player, slot);
        body.body.updated = clock;
        let flags = body.body.flags;
        let moves = !body.is_at_rest();
        if moves {
            journal.about(body.body.id, context.now, flags.contains(Flags::TRACED));
            body.step(secs, target_now, context, journal);
        } else if flags.contains(Flags::OBSERVATION) {
            journal.about(body.body.id, context.now, flags.contains(Flags::TRACED));
            body.update_observers_and_move_to(context.now, journal);
        }
        // Whoever neither watches nor is watched has nothing to tell.
        if flags.contains(Flags::OBSERVATION) {
            self.store.deliver(self.slots, context.now, journal);
        }
        moves
    }
}

/// By how much bodies are stepped.
#[derive(Clone, Copy, PartialEq)]
pub enum StepBy {
    /// By the time since each one's last step.
    Elapsed,
    /// By 1/30 s.
    Tick,
}
