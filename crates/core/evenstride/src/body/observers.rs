//! Lists of observers and their targets, and notices that wait for delivery.
//!
//! This file holds lists and no rule. `moveto/observers.rs` decides when a target tells its
//! observers something, and `moveto/goal.rs` delivers the notices.
//!
//! A body that observes or is observed has an [`Observation`]. It refers to at most one [`Target`]
//! of its own. It also heads the list of the targets through which other bodies observe this one.
//!
//! ```text
//! observer ─► Observation ─► Target ─► (listed) ─► Observation ◄─ observed body
//!                              │ next
//!                              ▼
//!                            Target of another observer of the same body
//! ```
//!
//! Lists have no meaningful order. Everything that depends on an order is sorted by entity first. A
//! restored world, whose lists are built from scratch, therefore behaves the same.

use alloc::vec::Vec;

use evenstride_types::{EntityId, Placement, SimTime};

use crate::{
    outcome::TargetUpdate,
    storage::{
        list::{List, Neighbours, OneList, linked},
        memory::MemoryPart,
        pool::{Pool, PoolIndex},
    },
};

/// Look-ahead, in seconds, of the predicted place that a follower asks for.
///
/// Retail: `StickyManager::StickTo` (11.4186 @ 0x00555710)
pub(crate) const FOLLOW_QUANTUM: f64 = 0.5;

/// The observation of one body by another, owned by the observer.
///
/// A body has at most one, whether it moves to the target, turns to it or follows it.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "TargetInfo")]
pub struct Target {
    /// The observed entity. It need not be in the world.
    pub entity: EntityId,
    /// Look-ahead, in seconds, of the predicted place that the observer asks for (0 for a new
    /// move-to).
    pub quantum: f64,
    /// Whether a notice has arrived, or the wait for the first one has timed out.
    pub is_heard: bool,
    /// Time in seconds of the last notice, or of the beginning of the observation.
    pub since: f64,
    /// Place that the target last announced. The next notice is due when the predicted place is
    /// more than half a metre from it.
    pub said: Placement,
    /// Position in the lists of this file.
    pub listed: ListPosition,
}

/// Position of a target in the lists.
///
/// Only `observation` is saved. The others are rebuilt from the bodies when a world is restored.
#[derive(Clone, Copy, Debug)]
pub struct ListPosition {
    /// Entity of the body that owns the target.
    pub observer: EntityId,
    /// Observation of the observed body, or `NONE` if that body does not know of the observer.
    pub observation: PoolIndex,
    /// Position in `Targets::active`.
    index: u32,
    /// Neighbours on the list of the observed body.
    neighbours: Neighbours,
}

linked!(Target, OneList, listed.neighbours);

impl ListPosition {
    /// Returns the position of a saved target that is on no list yet and belongs to `observation`.
    pub const fn known_to(observation: PoolIndex) -> Self {
        Self { observation, ..Self::NOWHERE }
    }

    /// Position of a target that is on no list.
    const NOWHERE: Self = Self {
        observer: EntityId::new(0),
        observation: PoolIndex::NONE,
        index: 0,
        neighbours: Neighbours::NONE,
    };
}

/// The observation state of one body, as an observer and as a target.
///
/// A body gets it when it first observes or is observed, and keeps it until it is removed. Its
/// half-second clock keeps running, as in the client, and decides when observers are checked next.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "TargetManager")]
pub struct Observation {
    /// Time of the last check for notices, in seconds of the body's own clock.
    pub checked: f64,
    /// Target that the body observes, or `NONE`.
    pub target: PoolIndex,
    /// Targets through which other bodies observe this one, newest first.
    pub observers: List,
}

impl Observation {
    /// Returns an observation without target and observers.
    ///
    /// The client's clock begins at zero, so `checked` is 0 and the first check is due from 0.5 s
    /// on. A world's clock may be negative, and then the first check is due at once.
    pub fn new(clock: f64) -> Self {
        Self::unlisted(if clock < 0.0 { clock - TARGET_CHECK_SECS } else { 0.0 }, PoolIndex::NONE)
    }

    /// Returns an observation with a target, without its list of observers.
    pub fn unlisted(checked: f64, target: PoolIndex) -> Self {
        Self { checked, target, observers: List::default() }
    }
}

/// All targets and observations of a world.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// Targets, each owned by the observation of its observer.
    pub pool: Pool<Target>,
    /// Observations, each owned by the cold row of its body.
    pub observations: Pool<Observation>,
    /// Targets in use, in no particular order.
    active: Vec<PoolIndex>,
    /// Bodies whose flag `LINKED` the next round has to check.
    pub changed: ChangedLinks,
}

/// Entities that may have become linked or unlinked since the last round. An entity is linked while
/// it observes or is observed.
///
/// A body whose row moved is among them too, because the list of linked bodies holds row numbers.
#[derive(Clone, Debug, Default)]
pub struct ChangedLinks {
    /// The entities, in no particular order. An entity may occur more than once.
    pub who: Vec<EntityId>,
    /// Whether `who` was too long, so that every linked body and every target must be checked.
    pub is_all: bool,
}

/// Number of changes beyond which checking every linked body is cheaper.
const MAX_CHANGED: usize = 4096;

/// Notices and requests that a step leaves for other bodies.
///
/// A step may touch only its own body. The caller delivers the queue before the next body is
/// stepped.
#[derive(Clone, Debug, Default)]
pub struct NoticeQueue {
    /// Notices to be delivered, the next one last.
    notices: Vec<Notice>,
    /// Follows to be started. They are handled before any notice.
    requests: Vec<FollowRequest>,
}

/// An update about a target, for one observer.
#[derive(Clone, Copy, Debug)]
pub struct Notice {
    /// Entity of the observer. It may be removed before the delivery.
    pub observer: EntityId,
    /// State and place of the target.
    pub news: TargetUpdate,
}

/// A request to let one body follow another, for example after a move-to has arrived.
#[derive(Clone, Copy, Debug)]
pub struct FollowRequest {
    /// Entity that is going to follow.
    pub follower: EntityId,
    /// Entity to be followed.
    pub target: EntityId,
    /// Radius of the target in metres, which the gap is measured from.
    pub target_radius: f32,
}

impl NoticeQueue {
    /// Returns whether there is nothing to deliver.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.notices.is_empty() && self.requests.is_empty()
    }

    /// Drops everything that a call left behind when the surroundings panicked in it.
    #[inline]
    pub fn forget_interrupted(&mut self) {
        if !self.is_empty() {
            self.notices.clear();
            self.requests.clear();
        }
    }

    /// Adds a request to follow.
    pub fn request(&mut self, request: FollowRequest) {
        self.requests.push(request);
    }

    /// Removes and returns the newest request. Returns `None` if there is none.
    pub fn next_request(&mut self) -> Option<FollowRequest> {
        self.requests.pop()
    }

    /// Removes and returns the next notice. Returns `None` if there is none.
    ///
    /// Notices of one round come in ascending order of observer.
    pub fn next_notice(&mut self) -> Option<Notice> {
        self.notices.pop()
    }

    /// Sorts notices by descending observer, because delivery takes them from the end.
    pub fn sort(&mut self) {
        self.notices.sort_unstable_by_key(|notice| core::cmp::Reverse(notice.observer));
    }
}

impl Targets {
    /// Returns saved targets and observations, which are on no list yet.
    ///
    /// `save/check.rs` calls [`list`](Self::list) and [`register`](Self::register) for each target.
    pub fn restored(pool: Pool<Target>, observations: Pool<Observation>) -> Self {
        Self { pool, observations, active: Vec::new(), changed: ChangedLinks::default() }
    }

    /// Records that an entity may have become linked or unlinked, or that its row moved.
    pub fn mark_changed(&mut self, entity: EntityId) {
        // The list is limited, so that many messages between two rounds cannot exhaust the memory.
        if self.changed.who.len() >= MAX_CHANGED {
            self.changed.is_all = true;
        } else {
            self.changed.who.push(entity);
        }
    }

    /// Returns whether the next round has to check which bodies are linked.
    pub fn has_changes(&self) -> bool {
        !self.changed.who.is_empty() || self.changed.is_all
    }

    /// Returns whether a body observes or is observed at present.
    pub fn is_linked(&self, observation: PoolIndex) -> bool {
        self.observations
            .get(observation)
            .is_some_and(|observation| observation.target.is_some() || !observation.observers.is_empty())
    }

    /// Returns each observer with its target, in no particular order.
    pub fn pairs(&self) -> impl Iterator<Item = [EntityId; 2]> {
        self.active
            .iter()
            .filter_map(|link| self.pool.get(*link).map(|target| [target.listed.observer, target.entity]))
    }

    /// Adds a target for an observer and returns its index. The observed body does not know of the
    /// observer yet.
    ///
    /// `said` is the place that the first prediction is compared with. The caller stores the index
    /// in the observer's observation.
    pub fn begin(
        &mut self,
        observer: EntityId,
        entity: EntityId,
        quantum: f64,
        now: f64,
        said: Placement,
    ) -> PoolIndex {
        let index = self.active.len() as u32;
        let listed = ListPosition { observer, index, ..ListPosition::NOWHERE };
        let link = self.pool.insert(Target { entity, quantum, is_heard: false, since: now, said, listed });
        self.active.push(link);
        self.mark_changed(observer);
        link
    }

    /// Adds a restored target to the list of all targets.
    pub fn list(&mut self, link: PoolIndex, observer: EntityId) {
        let index = self.active.len() as u32;
        if let Some(target) = self.pool.get_mut(link) {
            target.listed = ListPosition { observer, index, ..ListPosition::NOWHERE };
            self.active.push(link);
            self.mark_changed(observer);
        }
    }

    /// Adds a target to the list of the observed body, whose observation is given.
    pub fn register(&mut self, link: PoolIndex, observation: PoolIndex) {
        let Some(observed) = self.observations.get_mut(observation) else { return };
        observed.observers.link_front(&mut self.pool, link);
        if let Some(target) = self.pool.get_mut(link) {
            target.listed.observation = observation;
            let observed = target.entity;
            self.mark_changed(observed);
        }
    }

    /// Registers every target for an entity that is not on the list of an observed body.
    ///
    /// A created body takes over the observers of an earlier body of the same entity in this way.
    /// The cost is linear in the number of targets.
    pub fn register_all(&mut self, entity: EntityId, observation: PoolIndex) {
        for index in 0..self.active.len() {
            let link = self.active[index];
            let is_loose = |target: &Target| target.entity == entity && !target.listed.observation.is_some();
            if self.pool.get(link).is_some_and(is_loose) {
                self.register(link, observation);
            }
        }
    }

    /// Removes a target from all lists, frees it, and sets `link` to `NONE`.
    pub fn end(&mut self, link: &mut PoolIndex) {
        let Some(&Target { entity, listed, .. }) = self.pool.get(*link) else { return };
        let ListPosition { observer, observation, index, .. } = listed;
        self.active.swap_remove(index as usize);
        if let Some(&moved) = self.active.get(index as usize)
            && let Some(moved) = self.pool.get_mut(moved)
        {
            moved.listed.index = index;
        }
        if let Some(observed) = self.observations.get_mut(observation) {
            observed.observers.unlink(&mut self.pool, *link);
        }
        self.pool.remove(link);
        self.mark_changed(observer);
        self.mark_changed(entity);
    }

    /// Removes a body's observation. Its own target ends, and its observers get no more notices.
    ///
    /// The targets of its observers stay, so that the observers time out or find a new body of the
    /// same entity.
    pub fn remove(&mut self, link: &mut PoolIndex) {
        let Some(&Observation { mut target, .. }) = self.observations.get(*link) else { return };
        self.end(&mut target);
        while let Some(observed) = self.observations.get_mut(*link)
            && let Some(observer) = self.pool.get_mut(observed.observers.head)
        {
            observer.listed.observation = PoolIndex::NONE;
            observed.observers.unlink(&mut self.pool, observed.observers.head);
        }
        self.observations.remove(link);
    }

    /// Queues a notice for each observer of a body.
    ///
    /// `tells` returns the news for one observer, or `None` if there is nothing to tell it.
    pub fn post_to_observers(
        &mut self,
        observation: PoolIndex,
        queue: &mut NoticeQueue,
        mut tells: impl FnMut(&mut Target) -> Option<TargetUpdate>,
    ) {
        let mut next =
            self.observations.get(observation).map_or(PoolIndex::NONE, |observed| observed.observers.head);
        let had = queue.notices.len();
        while let Some(target) = self.pool.get_mut(next) {
            next = target.listed.neighbours.after;
            if let Some(news) = tells(target) {
                queue.notices.push(Notice { observer: target.listed.observer, news });
            }
        }
        if queue.notices.len() > had + 1 {
            queue.sort();
        }
    }

    /// Limits recorded times to `now`, after time went back.
    pub fn bring_forward(&mut self, now: SimTime) {
        let now = now.as_secs();
        self.pool.for_each_mut(|target| target.since = target.since.min(now));
        self.observations.for_each_mut(|observation| observation.checked = observation.checked.min(now));
    }

    /// Measures both pools.
    pub fn memory(&self) -> [MemoryPart; 2] {
        [self.pool.memory("targets"), self.observations.memory("observations")]
    }
}

/// Interval in seconds at which an observed body checks whether its observers need a notice.
///
/// The observer checks at the same interval whether its target has been silent for too long.
///
/// Retail: `TargetManager::HandleTargetting` (11.4186 @ 0x0051AA90)
pub const TARGET_CHECK_SECS: f64 = 0.5;
