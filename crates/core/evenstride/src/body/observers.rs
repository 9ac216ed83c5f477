//! Which body observes which, and what is to be told: lists, without any rule.

use alloc::vec::Vec;

use evenstride_types::{EntityId, Placement, SimTime};

use crate::{
    outcome::TargetUpdate,
    storage::{
        memory::MemoryPart,
        pool::{Pool, PoolIndex},
    },
};

/// How far ahead, in seconds, a follower wants to know where its target will be.
///
/// Retail: `StickyManager::StickTo` (11.4186 @ 0x00555710)
pub(crate) const FOLLOW_QUANTUM: f64 = 0.5;

/// Whom a body keeps an eye on. It has one at a time, whatever it is for.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "TargetInfo")]
pub struct Target {
    pub entity: EntityId,
    /// How far ahead the observer wants to know where it will be, in seconds.
    pub quantum: f64,
    pub is_heard: bool,
    /// When it was last heard of, or when the watch began.
    pub since: f64,
    /// Where it last said that it would be.
    pub said: Placement,
    pub listed: ListPosition,
}

/// Where a target stands in the lists. Not saved but for one thing, whether it is on the target's: the rest can be told from that.
#[derive(Clone, Copy, Debug)]
pub struct ListPosition {
    pub observer: EntityId,
    /// The observation of the observed body; none if that body is not told.
    pub observation: PoolIndex,
    /// In the list of all targets.
    index: u32,
    /// The next and the one before on the list of the one who is watched.
    pub next: PoolIndex,
    before: PoolIndex,
}

impl ListPosition {
    /// On no list yet; this observation's it belongs on.
    pub const fn known_to(observation: PoolIndex) -> Self {
        Self { observation, ..Self::NOWHERE }
    }

    const NOWHERE: Self = Self {
        observer: EntityId::new(0),
        observation: PoolIndex::NONE,
        index: 0,
        next: PoolIndex::NONE,
        before: PoolIndex::NONE,
    };
}

/// What a body needs to watch or be watched. Once it has one it keeps it: its clock goes on.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "TargetManager")]
pub struct Observation {
    /// When it last asked itself whether there is anything to tell, in its own time.
    pub checked: f64,
    /// Whom it watches.
    pub target: PoolIndex,
    /// The first of those who watch it.
    pub first: PoolIndex,
}

impl Observation {
    /// Its clock begins at zero, as in the client; but ours may be before that, and then it has waited long enough.
    pub fn new(clock: f64) -> Self {
        Self::unlisted(if clock < 0.0 { clock - TARGET_CHECK_SECS } else { 0.0 }, PoolIndex::NONE)
    }

    /// The same without what can be told from the targets.
    pub const fn unlisted(checked: f64, target: PoolIndex) -> Self {
        Self { checked, target, first: PoolIndex::NONE }
    }
}

/// Everybody who watches and is watched.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    pub pool: Pool<Target>,
    pub observations: Pool<Observation>,
    /// Targets in use, in no particular order.
    active: Vec<PoolIndex>,
    pub changed: ChangedLinks,
}

/// For whom something has changed since the last round: who watches or is watched, or did or was. Some may be named more than once.
#[derive(Clone, Debug, Default)]
pub struct ChangedLinks {
    pub who: Vec<EntityId>,
    pub is_everybody: bool,
}

/// Beyond so many changes it is quicker to look at everybody.
const MAX_CHANGED: usize = 4096;

/// What is to be told to others, and what bodies want that takes others to do.
#[derive(Clone, Debug, Default)]
pub struct NoticeQueue {
    notices: Vec<Notice>,
    requests: Vec<FollowRequest>,
}

/// What an observer is to be told.
#[derive(Clone, Copy, Debug)]
pub struct Notice {
    pub observer: EntityId,
    pub news: TargetUpdate,
}

/// A body wants to follow somebody.
#[derive(Clone, Copy, Debug)]
pub struct FollowRequest {
    pub follower: EntityId,
    pub target: EntityId,
    pub target_radius: f32,
}

impl NoticeQueue {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.notices.is_empty() && self.requests.is_empty()
    }

    pub fn request(&mut self, request: FollowRequest) {
        self.requests.push(request);
    }

    pub fn next_request(&mut self) -> Option<FollowRequest> {
        self.requests.pop()
    }

    /// Takes the next notice to deliver. Notices of one round come in order of observer, because lists have no order of their own.
    pub fn next_notice(&mut self) -> Option<Notice> {
        self.notices.pop()
    }

    pub fn sort(&mut self) {
        self.notices.sort_unstable_by_key(|notice| core::cmp::Reverse(notice.observer));
    }
}

impl Targets {
    pub fn restored(pool: Pool<Target>, observations: Pool<Observation>) -> Self {
        Self { pool, observations, active: Vec::new(), changed: ChangedLinks::default() }
    }

    /// Somebody may have begun or ceased to watch or to be watched, or is kept elsewhere.
    pub fn mark_changed(&mut self, entity: EntityId) {
        // Whoever is told much between two steps must not fill the memory: then everybody may have.
        if self.changed.who.len() >= MAX_CHANGED {
            self.changed.is_everybody = true;
        } else {
            self.changed.who.push(entity);
        }
    }

    /// Whether a body watches somebody or is watched.
    pub fn is_linked(&self, observation: PoolIndex) -> bool {
        self.observations
            .get(observation)
            .is_some_and(|observation| observation.target.is_some() || observation.first.is_some())
    }

    /// Everybody who watches, and whom, in no particular order.
    pub fn pairs(&self) -> impl Iterator<Item = [EntityId; 2]> {
        self.active
            .iter()
            .filter_map(|link| self.pool.get(*link).map(|target| [target.listed.observer, target.entity]))
    }

    /// Begins to keep an eye on somebody. Nobody is told yet.
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

    /// Puts a restored target on the list of all.
    pub fn list(&mut self, link: PoolIndex, observer: EntityId) {
        let index = self.active.len() as u32;
        if let Some(target) = self.pool.get_mut(link) {
            target.listed = ListPosition { observer, index, ..ListPosition::NOWHERE };
            self.active.push(link);
            self.mark_changed(observer);
        }
    }

    /// Puts a target on the list of the one who is watched.
    pub fn register(&mut self, link: PoolIndex, observation: PoolIndex) {
        let Some(watched) = self.observations.get_mut(observation) else { return };
        let next = core::mem::replace(&mut watched.first, link);
        if let Some(next) = self.pool.get_mut(next) {
            next.listed.before = link;
        }
        if let Some(target) = self.pool.get_mut(link) {
            target.listed = ListPosition { observation, next, before: PoolIndex::NONE, ..target.listed };
            let watched = target.entity;
            self.mark_changed(watched);
        }
    }

    /// Puts every target that is this entity, and on no list, on one.
    pub fn register_all(&mut self, entity: EntityId, observation: PoolIndex) {
        for index in 0..self.active.len() {
            let link = self.active[index];
            let is_loose = |target: &Target| target.entity == entity && !target.listed.observation.is_some();
            if self.pool.get(link).is_some_and(is_loose) {
                self.register(link, observation);
            }
        }
    }

    pub fn end(&mut self, link: &mut PoolIndex) {
        let Some(&Target { entity, listed, .. }) = self.pool.get(*link) else { return };
        let ListPosition { observer, observation, index, next, before } = listed;
        self.active.swap_remove(index as usize);
        if let Some(&moved) = self.active.get(index as usize)
            && let Some(moved) = self.pool.get_mut(moved)
        {
            moved.listed.index = index;
        }
        if let Some(next) = self.pool.get_mut(next) {
            next.listed.before = before;
        }
        if let Some(before) = self.pool.get_mut(before) {
            before.listed.next = next;
        } else if let Some(watched) = self.observations.get_mut(observation) {
            watched.first = next;
        }
        self.pool.remove(link);
        self.mark_changed(observer);
        self.mark_changed(entity);
    }

    /// Removes a body's observation: it observes nothing, and its observers are no longer told.
    pub fn remove(&mut self, link: &mut PoolIndex) {
        let Some(&Observation { mut target, first, .. }) = self.observations.get(*link) else { return };
        self.end(&mut target);
        let mut next = first;
        while let Some(watching) = self.pool.get_mut(next) {
            next = watching.listed.next;
            watching.listed = ListPosition {
                observation: PoolIndex::NONE,
                next: PoolIndex::NONE,
                before: PoolIndex::NONE,
                ..watching.listed
            };
        }
        self.observations.remove(link);
    }

    /// Tells everybody who watches a body something, or what `tells` makes of it.
    pub fn post_to_observers(
        &mut self,
        observation: PoolIndex,
        post: &mut NoticeQueue,
        mut tells: impl FnMut(&mut Target) -> Option<TargetUpdate>,
    ) {
        let mut next =
            self.observations.get(observation).map_or(PoolIndex::NONE, |observation| observation.first);
        let had = post.notices.len();
        while let Some(target) = self.pool.get_mut(next) {
            next = target.listed.next;
            if let Some(news) = tells(target) {
                post.notices.push(Notice { observer: target.listed.observer, news });
            }
        }
        if post.notices.len() > had + 1 {
            post.sort();
        }
    }

    /// Time went back to `now`: nothing was heard, and nobody asked, later than that.
    pub fn bring_forward(&mut self, now: SimTime) {
        let now = now.as_secs();
        self.pool.for_each_mut(|target| target.since = target.since.min(now));
        self.observations.for_each_mut(|observation| observation.checked = observation.checked.min(now));
    }

    pub fn memory(&self) -> [MemoryPart; 2] {
        [self.pool.memory("targets"), self.observations.memory("observations")]
    }
}

/// How often, in seconds, a target asks itself that.
///
/// Retail: `TargetManager::HandleTargetting` (11.4186 @ 0x0051AA90)
pub const TARGET_CHECK_SECS: f64 = 0.5;
