//! Observation of targets.
//!
//! A body that moves to, turns to or follows another is told where that target is. The target does
//! the telling, from its own steps. It tells a new observer at once. After that it predicts its
//! place twice per second, and tells each observer if that place has moved by more than half a
//! metre. The cost is proportional to the number of observers.
//!
//! A step tells other bodies nothing directly. It queues notices, which are delivered before the
//! next body is stepped. The lists themselves are in `body/observers.rs`, and a body that has never
//! observed or been observed has no entry there.
//!
//! A target that is not stepped tells nothing. Its observers keep the last place that they
//! received.

use evenstride_types::{EntityId, Placement, SimTime, Vec3};

use crate::{
    body::{
        body_mut::BodyMut,
        flags::Flags,
        locomotion::Locomotion,
        observers::{Observation, TARGET_CHECK_SECS, Target},
        store::Store,
    },
    journal::{Call, Journal},
    motion::follow::FOLLOW_SECS,
    outcome::{TargetStatus, TargetUpdate},
    storage::pool::PoolIndex,
};

/// Distance in metres between the last announced place of a target and its newly predicted one,
/// beyond which it notifies the observer again.
///
/// Retail: `MoveToManager::MoveToObject` (11.4186 @ 0x00529680)
#[doc(alias = "TargetManager")]
pub const TARGET_RADIUS: f32 = 0.5;

/// Time in seconds after which a target is given up if it has sent no update.
///
/// Retail: `TargetManager::HandleTargetting` (11.4186 @ 0x0051AA90)
pub const TARGET_TIMEOUT_SECS: f64 = 10.0;

impl<L: Locomotion> Store<L> {
    /// Adjusts deadlines after time went back to `now`.
    ///
    /// Every follow ends at the latest when one that begins at `now` would end. Times of updates,
    /// checks and measured distances are limited to `now`.
    pub fn bring_deadlines_forward(&mut self, now: SimTime) {
        self.targets.bring_forward(now);
        self.follows.for_each_mut(|follow| follow.until = follow.until.min(now.as_secs() + FOLLOW_SECS));
        self.moves.for_each_mut(|way| {
            if let Some(progress) = &mut way.progress {
                progress.bring_forward(now.as_secs());
            }
        });
    }

    /// Lets a body observe `entity`, in place of any earlier target. Returns the first update.
    ///
    /// `target` is the slot of the entity. The result is `None` if the entity is unknown or outside
    /// the world. The observer then waits for the timeout. Entity 0 times out at once. `quantum` is
    /// the look-ahead, in seconds, of the predicted place that the observer asks for.
    ///
    /// Retail: `TargetManager::SetTarget` (11.4186 @ 0x0051AC30)
    /// Retail: `TargetManager::AddVoyeur` (11.4186 @ 0x0051A830)
    pub fn set_target(
        &mut self,
        observer: usize,
        entity: EntityId,
        target: Option<usize>,
        quantum: f64,
        now: SimTime,
        journal: &mut impl Journal,
    ) -> Option<TargetUpdate> {
        journal.call(Call::SetTarget { entity, quantum });
        let mut body = self.body_mut(observer);
        body.clear_target(journal);
        let said = body.hot.place;
        if entity.raw() == 0 {
            let news =
                TargetUpdate { about: entity, status: TargetStatus::TimedOut, at: said, expected: said };
            journal.call(Call::Tell { to: body.hot.id, news, quantum: 0.0 });
            return Some(news);
        }
        let own = body.observation();
        let id = body.hot.id;
        let link = self.targets.begin(id, entity, quantum, now.as_secs(), said);
        if let Some(own) = self.targets.observations.get_mut(own) {
            own.target = link;
        }
        let target = target.filter(|slot| self.hot[*slot].flags.contains(Flags::HAS_CELL))?;
        let mut observed = self.body_mut(target);
        let (observation, at) = (observed.observation(), observed.hot.place);
        self.targets.register(link, observation);
        if let Some(target) = self.targets.pool.get_mut(link) {
            target.said = at;
        }
        let news = TargetUpdate { about: entity, status: TargetStatus::Ok, at, expected: at };
        journal.call(Call::Tell { to: id, news, quantum: quantum as f32 });
        Some(news)
    }

    /// Registers the observers of an entity with its new body, after an adopted body was replaced.
    pub fn take_over_observers(&mut self, slot: usize) {
        let entity = self.hot[slot].id;
        let is_observed = self.targets.pairs().any(|[_, observed]| observed == entity);
        if is_observed {
            let observation = self.body_mut(slot).observation();
            self.targets.register_all(entity, observation);
        }
    }

    /// Queues a notice to every observer that a body left the world or was teleported.
    ///
    /// The caller delivers the notices.
    ///
    /// Retail: `TargetManager::NotifyVoyeurOfEvent` (11.4186 @ 0x0051A6F0)
    pub fn notify_all_observers(&mut self, slot: usize, status: TargetStatus, journal: &mut impl Journal) {
        let (about, at) = (self.hot[slot].id, self.hot[slot].place);
        let news = TargetUpdate { about, status, at, expected: at };
        self.targets.post_to_observers(self.cold[slot].observation, &mut self.notices, |target| {
            target.said = at;
            let (to, quantum) = (target.listed.observer, target.quantum as f32);
            journal.call(Call::Tell { to, news, quantum });
            Some(news)
        });
    }
}

impl<L: Locomotion> BodyMut<'_, L> {
    /// Returns the body's entry in the lists of observations. Creates one if the body has none.
    fn observation(&mut self) -> PoolIndex {
        if !self.cold.observation.is_some() {
            self.cold.observation = self.targets.observations.insert(Observation::new(self.hot.updated));
            self.hot.flags.insert(Flags::OBSERVATION);
        }
        self.cold.observation
    }

    /// Returns the target that the body observes. `None` if it observes nothing.
    pub fn target(&self) -> Option<&Target> {
        let observation = self.targets.observations.get(self.cold.observation)?;
        self.targets.pool.get(observation.target)
    }

    /// Returns a mutable reference to the target, or `None` if the body observes nothing.
    fn target_mut(&mut self) -> Option<&mut Target> {
        let observation = self.targets.observations.get(self.cold.observation)?;
        self.targets.pool.get_mut(observation.target)
    }

    /// Ends the body's observation, if it has one. The target no longer sends it notices.
    ///
    /// Retail: `TargetManager::ClearTarget` (11.4186 @ 0x0051A7E0)
    pub fn clear_target(&mut self, journal: &mut impl Journal) {
        let Some(observation) = self.targets.observations.get_mut(self.cold.observation) else { return };
        let mut target = core::mem::replace(&mut observation.target, PoolIndex::NONE);
        if target.is_some() {
            journal.call(Call::ClearTarget);
            self.targets.end(&mut target);
        }
    }

    /// Sets the look-ahead, in seconds, of the predicted place that the body asks for.
    ///
    /// Retail: `TargetManager::SetTargetQuantum` (11.4186 @ 0x0051A4A0)
    pub fn set_target_quantum(&mut self, quantum: f64, journal: &mut impl Journal) {
        if let Some(target) = self.target_mut() {
            target.quantum = quantum;
            journal.call(Call::SetQuantum(quantum));
        }
    }

    /// Checks, twice per second of the body's own time, its target and its observers.
    ///
    /// A target that has sent no update times out. Each observer gets a notice if the expected
    /// place lies more than [`TARGET_RADIUS`] from the last reported one. A body far from the
    /// viewpoint is not stepped, and so it sends none.
    ///
    /// Retail: `TargetManager::HandleTargetting` (11.4186 @ 0x0051AA90)
    /// Retail: `TargetManager::CheckAndUpdateVoyeur` (11.4186 @ 0x0051A650)
    pub fn notify_observers(&mut self, now: SimTime, journal: &mut impl Journal) {
        let clock = self.hot.updated;
        let link = self.cold.observation;
        let Some(observation) = self.targets.observations.get_mut(link) else { return };
        if clock - observation.checked < TARGET_CHECK_SECS {
            return;
        }
        observation.checked = clock;
        if observation.target.is_some() {
            self.give_up_silent_target(now, journal);
        }
        let (about, at, velocity) = (self.hot.id, self.hot.place, self.moving.last_velocity);
        self.targets.post_to_observers(link, self.notices, |target| {
            let expected = ahead(&at, velocity, target.quantum as f32);
            if expected.distance(&target.said) <= f64::from(TARGET_RADIUS) {
                return None;
            }
            target.said = expected;
            let news = TargetUpdate { about, status: TargetStatus::Ok, at, expected };
            journal.call(Call::Tell { to: target.listed.observer, news, quantum: target.quantum as f32 });
            Some(news)
        });
    }

    /// Gives up a target that has sent no update for [`TARGET_TIMEOUT_SECS`].
    ///
    /// A single update prevents this for good. The body applies the result at once, without a
    /// notice.
    #[cold]
    fn give_up_silent_target(&mut self, now: SimTime, journal: &mut impl Journal) {
        let at = self.hot.place;
        let Some(target) = self.target_mut() else { return };
        if target.is_heard || target.since + TARGET_TIMEOUT_SECS >= now.as_secs() {
            return;
        }
        target.is_heard = true;
        let (about, quantum) = (target.entity, target.quantum as f32);
        let news = TargetUpdate { about, status: TargetStatus::TimedOut, at, expected: at };
        journal.call(Call::Tell { to: self.hot.id, news, quantum });
        self.apply_target_update(&news, now, journal);
    }

    /// Receives an update about the body's target. An update about any other entity is ignored.
    ///
    /// A target that left the world is no longer observed. The quantum is rounded to `f32`, because
    /// the client's updates carry it as `f32`.
    ///
    /// Retail: `TargetManager::ReceiveUpdate` (11.4186 @ 0x0051A930)
    pub fn on_target_update(&mut self, news: &TargetUpdate, now: SimTime, journal: &mut impl Journal) {
        let Some(target) = self.target_mut().filter(|target| target.entity == news.about) else { return };
        target.is_heard = true;
        target.since = now.as_secs();
        target.quantum = f64::from(target.quantum as f32);
        self.apply_target_update(news, now, journal);
        if news.status == TargetStatus::Left {
            self.clear_target(journal);
        }
    }

    /// Hands an update about a target to the move-to, and then to the follow.
    ///
    /// Retail: `CPhysicsObj::HandleUpdateTarget` (11.4186 @ 0x00512BC0)
    pub fn apply_target_update(&mut self, news: &TargetUpdate, now: SimTime, journal: &mut impl Journal) {
        self.update_move_to_target(news, now, journal);
        self.update_follow_target(news, journal);
    }
}

/// Returns the place that a body reaches in `secs` seconds at this velocity.
///
/// The cell stays the same even if the origin leaves it, because distances do not depend on that.
///
/// Retail: `TargetManager::GetInterpolatedPosition` (11.4186 @ 0x0051A5E0)
fn ahead(at: &Placement, velocity: Vec3, secs: f32) -> Placement {
    let origin = (at.pose.origin().as_dvec3() + velocity.as_dvec3() * f64::from(secs)).as_vec3();
    Placement::new(at.cell, at.pose.with_origin(origin).unwrap_or(at.pose))
}
