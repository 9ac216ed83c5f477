//! Keeping an eye on another: whoever goes to somebody, turns to somebody or follows somebody is told where that one is.
//!
//! The one who is watched does the telling, from its own steps: at once when it begins, then whenever it has gone half a metre, asked twice a
//! second. What it costs is proportional to those who watch; whoever neither watches nor is watched has no [`Lookout`] at all.
//!
//! A step tells nobody directly: it posts what is to be told ([`Post`]), and whoever runs the step delivers it before anybody else is
//! stepped.

use alloc::vec::Vec;

use evenstride_types::{EntityId, Placement, SimTime, Vec3};

use crate::motion::follow::FOLLOW_SECS;
use crate::body::locomotion::Locomotion;
use crate::storage::memory::MemoryPart;
use crate::storage::pool::Link;
use crate::storage::pool::Pool;
use crate::body::store::BodyMut;
use crate::body::store::Flags;
use crate::body::store::Store;
use crate::explain::Call;
use crate::explain::Journal;

/// A target that has come this far from where it was last said to be says so.
///
/// Retail: `MoveToManager::MoveToObject` (11.4186 @ 0x00529680)
pub const TARGET_RADIUS: f32 = 0.5;

/// How often, in seconds, a target asks itself that.
///
/// Retail: `TargetManager::HandleTargetting` (11.4186 @ 0x0051AA90)
pub const TARGET_CHECK_SECS: f64 = 0.5;

/// A target of which nothing is heard for longer than this is given up.
///
/// Retail: `TargetManager::HandleTargetting` (11.4186 @ 0x0051AA90)
pub const TARGET_TIMEOUT_SECS: f64 = 10.0;

/// How far ahead, in seconds, a follower wants to know where its target will be.
///
/// Retail: `StickyManager::StickTo` (11.4186 @ 0x00555710)
pub(crate) const FOLLOW_QUANTUM: f64 = 0.5;

/// Whom a body keeps an eye on. It has one at a time, whatever it is for.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "TargetInfo")]
pub struct Target {
    pub entity: EntityId,
    /// How far ahead the watcher wants to know where it will be, in seconds.
    pub quantum: f64,
    pub is_heard: bool,
    /// When it was last heard of, or when the watch began.
    pub since: f64,
    /// Where it last said that it would be.
    pub said: Placement,
    pub listed: Listed,
}

/// Where a target stands in the lists. Not saved but for one thing, whether it is on the target's: the rest can be told from that.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    pub watcher: EntityId,
    /// The lookout of the one who is watched; none if that one does not know.
    pub lookout: Link,
    /// In the list of all targets.
    index: u32,
    /// The next and the one before on the list of the one who is watched.
    pub next: Link,
    before: Link,
}

impl Listed {
    /// On no list yet; this lookout's it belongs on.
    pub const fn known_to(lookout: Link) -> Self {
        Self { lookout, ..Self::NOWHERE }
    }

    const NOWHERE: Self = Self {
        watcher: EntityId::new(0),
        lookout: Link::NONE,
        index: 0,
        next: Link::NONE,
        before: Link::NONE,
    };
}

/// What a body needs to watch or be watched. Once it has one it keeps it: its clock goes on.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "TargetManager")]
pub struct Lookout {
    /// When it last asked itself whether there is anything to tell, in its own time.
    pub checked: f64,
    /// Whom it watches.
    pub target: Link,
    /// The first of those who watch it.
    pub first: Link,
}

impl Lookout {
    /// Its clock begins at zero, as in the client; but ours may be before that, and then it has waited long enough.
    fn new(clock: f64) -> Self {
        Self::unlisted(if clock < 0.0 { clock - TARGET_CHECK_SECS } else { 0.0 }, Link::NONE)
    }

    /// The same without what can be told from the targets.
    pub const fn unlisted(checked: f64, target: Link) -> Self {
        Self { checked, target, first: Link::NONE }
    }
}

/// Everybody who watches and is watched.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    pub pool: Pool<Target>,
    pub lookouts: Pool<Lookout>,
    /// Targets in use, in no particular order.
    active: Vec<Link>,
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
pub struct Post {
    notices: Vec<Notice>,
    wishes: Vec<Wish>,
}

/// News for somebody.
#[derive(Clone, Copy, Debug)]
pub struct Notice {
    pub watcher: EntityId,
    pub news: News,
}

/// What a watcher is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct News {
    pub about: EntityId,
    pub status: Status,
    /// Where it is.
    pub at: Placement,
    /// Where it will be, as far ahead as the watcher wants to know.
    pub expected: Placement,
}

/// How it is with a target.
///
/// Retail: `TargetManager::SendVoyeurUpdate` (11.4186 @ 0x0051A4F0)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is where it says.
    Ok = 1,
    /// It left the world.
    Left = 2,
    /// It was put elsewhere.
    Teleported = 3,
    /// Nothing was heard of it for too long.
    TimedOut = 6,
}

/// A body wants to follow somebody.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    pub follower: EntityId,
    pub target: EntityId,
    pub target_radius: f32,
}

impl Post {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.notices.is_empty() && self.wishes.is_empty()
    }

    pub fn wish(&mut self, wish: Wish) {
        self.wishes.push(wish);
    }

    pub fn next_wish(&mut self) -> Option<Wish> {
        self.wishes.pop()
    }

    /// The next news to deliver. Those of one round come in order of watcher: lists have no order of their own.
    pub fn next_notice(&mut self) -> Option<Notice> {
        self.notices.pop()
    }

    fn sort(&mut self) {
        self.notices.sort_unstable_by_key(|notice| core::cmp::Reverse(notice.watcher));
    }
}

impl Targets {
    pub fn restored(pool: Pool<Target>, lookouts: Pool<Lookout>) -> Self {
        Self { pool, lookouts, active: Vec::new(), changed: ChangedLinks::default() }
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
    pub fn is_linked(&self, lookout: Link) -> bool {
        self.lookouts.get(lookout).is_some_and(|lookout| lookout.target.is_some() || lookout.first.is_some())
    }

    /// Everybody who watches, and whom, in no particular order.
    pub fn pairs(&self) -> impl Iterator<Item = [EntityId; 2]> {
        self.active
            .iter()
            .filter_map(|link| self.pool.get(*link).map(|target| [target.listed.watcher, target.entity]))
    }

    /// Begins to keep an eye on somebody. Nobody is told yet.
    fn begin(
        &mut self,
        watcher: EntityId,
        entity: EntityId,
        quantum: f64,
        now: f64,
        said: Placement,
    ) -> Link {
        let index = self.active.len() as u32;
        let listed = Listed { watcher, index, ..Listed::NOWHERE };
        let link = self.pool.insert(Target { entity, quantum, is_heard: false, since: now, said, listed });
        self.active.push(link);
        self.mark_changed(watcher);
        link
    }

    /// Puts a restored target on the list of all.
    pub fn list(&mut self, link: Link, watcher: EntityId) {
        let index = self.active.len() as u32;
        if let Some(target) = self.pool.get_mut(link) {
            target.listed = Listed { watcher, index, ..Listed::NOWHERE };
            self.active.push(link);
            self.mark_changed(watcher);
        }
    }

    /// Puts a target on the list of the one who is watched.
    pub fn register(&mut self, link: Link, lookout: Link) {
        let Some(watched) = self.lookouts.get_mut(lookout) else { return };
        let next = core::mem::replace(&mut watched.first, link);
        if let Some(next) = self.pool.get_mut(next) {
            next.listed.before = link;
        }
        if let Some(target) = self.pool.get_mut(link) {
            target.listed = Listed { lookout, next, before: Link::NONE, ..target.listed };
            let watched = target.entity;
            self.mark_changed(watched);
        }
    }

    /// Puts every target that is this entity, and on no list, on one.
    fn register_all(&mut self, entity: EntityId, lookout: Link) {
        for index in 0..self.active.len() {
            let link = self.active[index];
            let is_loose = |target: &Target| target.entity == entity && !target.listed.lookout.is_some();
            if self.pool.get(link).is_some_and(is_loose) {
                self.register(link, lookout);
            }
        }
    }

    fn end(&mut self, link: &mut Link) {
        let Some(&Target { entity, listed, .. }) = self.pool.get(*link) else { return };
        let Listed { watcher, lookout, index, next, before } = listed;
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
        } else if let Some(watched) = self.lookouts.get_mut(lookout) {
            watched.first = next;
        }
        self.pool.remove(link);
        self.mark_changed(watcher);
        self.mark_changed(entity);
    }

    /// Takes a body's lookout away: it watches nobody, and who watches it is no longer told.
    pub fn remove(&mut self, link: &mut Link) {
        let Some(&Lookout { mut target, first, .. }) = self.lookouts.get(*link) else { return };
        self.end(&mut target);
        let mut next = first;
        while let Some(watching) = self.pool.get_mut(next) {
            next = watching.listed.next;
            watching.listed =
                Listed { lookout: Link::NONE, next: Link::NONE, before: Link::NONE, ..watching.listed };
        }
        self.lookouts.remove(link);
    }

    /// Tells everybody who watches a body something, or what `tells` makes of it.
    fn post_to_watchers(
        &mut self,
        lookout: Link,
        post: &mut Post,
        mut tells: impl FnMut(&mut Target) -> Option<News>,
    ) {
        let mut next = self.lookouts.get(lookout).map_or(Link::NONE, |lookout| lookout.first);
        let had = post.notices.len();
        while let Some(target) = self.pool.get_mut(next) {
            next = target.listed.next;
            if let Some(news) = tells(target) {
                post.notices.push(Notice { watcher: target.listed.watcher, news });
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
        self.lookouts.for_each_mut(|lookout| lookout.checked = lookout.checked.min(now));
    }

    pub fn memory(&self) -> [MemoryPart; 2] {
        [self.pool.memory("targets"), self.lookouts.memory("lookouts")]
    }
}

impl<L: Locomotion> Store<L> {
    /// Time went back to `now`: no follow lasts longer than one that begins now, and nothing was heard or measured later.
    pub fn bring_deadlines_forward(&mut self, now: SimTime) {
        self.targets.bring_forward(now);
        self.follows.for_each_mut(|follow| follow.until = follow.until.min(now.as_secs() + FOLLOW_SECS));
        self.moves.for_each_mut(|way| {
            if let Some(progress) = &mut way.progress {
                progress.bring_forward(now.as_secs());
            }
        });
    }

    /// Lets a body keep an eye on somebody, in place of anybody else. Answers what it is told at once.
    ///
    /// Retail: `TargetManager::SetTarget` (11.4186 @ 0x0051AC30)
    /// Retail: `TargetManager::AddVoyeur` (11.4186 @ 0x0051A830)
    pub fn set_target(
        &mut self,
        watcher: usize,
        entity: EntityId,
        target: Option<usize>,
        quantum: f64,
        now: SimTime,
        journal: &mut impl Journal,
    ) -> Option<News> {
        journal.call(Call::SetTarget { entity, quantum });
        let mut body = self.at(watcher);
        body.clear_target(journal);
        let said = body.body.place;
        if entity.raw() == 0 {
            let news = News { about: entity, status: Status::TimedOut, at: said, expected: said };
            journal.call(Call::Tell { to: body.body.id, news, quantum: 0.0 });
            return Some(news);
        }
        let own = body.lookout();
        let id = body.body.id;
        let link = self.targets.begin(id, entity, quantum, now.as_secs(), said);
        if let Some(own) = self.targets.lookouts.get_mut(own) {
            own.target = link;
        }
        let target = target.filter(|slot| self.bodies[*slot].flags.contains(Flags::HAS_CELL))?;
        let mut watched = self.at(target);
        let (lookout, at) = (watched.lookout(), watched.body.place);
        self.targets.register(link, lookout);
        if let Some(target) = self.targets.pool.get_mut(link) {
            target.said = at;
        }
        let news = News { about: entity, status: Status::Ok, at, expected: at };
        journal.call(Call::Tell { to: id, news, quantum: quantum as f32 });
        Some(news)
    }

    /// Whoever watched an entity that was made anew watches the new body.
    pub fn take_watchers_over(&mut self, slot: usize) {
        let entity = self.bodies[slot].id;
        let is_watched = self.targets.pairs().any(|[_, watched]| watched == entity);
        if is_watched {
            let lookout = self.at(slot).lookout();
            self.targets.register_all(entity, lookout);
        }
    }

    /// Posts to everybody who watches a body that something happened to it.
    ///
    /// Retail: `TargetManager::NotifyVoyeurOfEvent` (11.4186 @ 0x0051A6F0)
    pub fn notify_watchers(&mut self, slot: usize, status: Status, journal: &mut impl Journal) {
        let (about, at) = (self.bodies[slot].id, self.bodies[slot].place);
        let news = News { about, status, at, expected: at };
        self.targets.post_to_watchers(self.details[slot].lookout, &mut self.post, |target| {
            target.said = at;
            let (to, quantum) = (target.listed.watcher, target.quantum as f32);
            journal.call(Call::Tell { to, news, quantum });
            Some(news)
        });
    }
}

impl<L: Locomotion> BodyMut<'_, L> {
    /// The body's lookout, which it gets if it has none.
    fn lookout(&mut self) -> Link {
        if !self.detail.lookout.is_some() {
            self.detail.lookout = self.targets.lookouts.insert(Lookout::new(self.body.updated));
            self.body.flags.insert(Flags::LOOKOUT);
        }
        self.detail.lookout
    }

    /// Whom the body keeps an eye on.
    pub fn target(&self) -> Option<&Target> {
        let lookout = self.targets.lookouts.get(self.detail.lookout)?;
        self.targets.pool.get(lookout.target)
    }

    fn target_mut(&mut self) -> Option<&mut Target> {
        let lookout = self.targets.lookouts.get(self.detail.lookout)?;
        self.targets.pool.get_mut(lookout.target)
    }

    /// Keeps an eye on nobody any more.
    ///
    /// Retail: `TargetManager::ClearTarget` (11.4186 @ 0x0051A7E0)
    pub fn clear_target(&mut self, journal: &mut impl Journal) {
        let Some(lookout) = self.targets.lookouts.get_mut(self.detail.lookout) else { return };
        let mut target = core::mem::replace(&mut lookout.target, Link::NONE);
        if target.is_some() {
            journal.call(Call::ClearTarget);
            self.targets.end(&mut target);
        }
    }

    /// Wants to know where its target will be so many seconds from now.
    ///
    /// Retail: `TargetManager::SetTargetQuantum` (11.4186 @ 0x0051A4A0)
    pub fn set_target_quantum(&mut self, quantum: f64, journal: &mut impl Journal) {
        if let Some(target) = self.target_mut() {
            target.quantum = quantum;
            journal.call(Call::SetQuantum(quantum));
        }
    }

    /// Asks itself, twice a second, whether its target has been silent for too long and whether those who watch it are to be told anything.
    ///
    /// Retail: `TargetManager::HandleTargetting` (11.4186 @ 0x0051AA90)
    /// Retail: `TargetManager::CheckAndUpdateVoyeur` (11.4186 @ 0x0051A650)
    pub fn look_around(&mut self, now: SimTime, journal: &mut impl Journal) {
        let clock = self.body.updated;
        let link = self.detail.lookout;
        let Some(lookout) = self.targets.lookouts.get_mut(link) else { return };
        if clock - lookout.checked < TARGET_CHECK_SECS {
            return;
        }
        lookout.checked = clock;
        if lookout.target.is_some() {
            self.give_up_silent_target(now, journal);
        }
        let (about, at, velocity) = (self.body.id, self.body.place, self.detail.last_velocity);
        self.targets.post_to_watchers(link, self.post, |target| {
            let expected = ahead(&at, velocity, target.quantum as f32);
            if expected.distance(&target.said) <= f64::from(TARGET_RADIUS) {
                return None;
            }
            target.said = expected;
            let news = News { about, status: Status::Ok, at, expected };
            journal.call(Call::Tell { to: target.listed.watcher, news, quantum: target.quantum as f32 });
            Some(news)
        });
    }

    #[cold]
    fn give_up_silent_target(&mut self, now: SimTime, journal: &mut impl Journal) {
        let at = self.body.place;
        let Some(target) = self.target_mut() else { return };
        if target.is_heard || target.since + TARGET_TIMEOUT_SECS >= now.as_secs() {
            return;
        }
        target.is_heard = true;
        let (about, quantum) = (target.entity, target.quantum as f32);
        let news = News { about, status: Status::TimedOut, at, expected: at };
        journal.call(Call::Tell { to: self.body.id, news, quantum });
        self.take_news(&news, now, journal);
    }

    /// Hears of its target.
    ///
    /// Retail: `TargetManager::ReceiveUpdate` (11.4186 @ 0x0051A930)
    pub fn hear_of_target(&mut self, news: &News, now: SimTime, journal: &mut impl Journal) {
        let Some(target) = self.target_mut().filter(|target| target.entity == news.about) else { return };
        target.is_heard = true;
        target.since = now.as_secs();
        target.quantum = f64::from(target.quantum as f32);
        self.take_news(news, now, journal);
        if news.status == Status::Left {
            self.clear_target(journal);
        }
    }

    /// Retail: `CPhysicsObj::HandleUpdateTarget` (11.4186 @ 0x00512BC0)
    pub fn take_news(&mut self, news: &News, now: SimTime, journal: &mut impl Journal) {
        self.move_to_hears(news, now, journal);
        self.follow_hears(news, journal);
    }
}

/// Where something will be, if it goes on like this. Its cell is not looked at: distances do not need it.
///
/// Retail: `TargetManager::GetInterpolatedPosition` (11.4186 @ 0x0051A5E0)
fn ahead(at: &Placement, velocity: Vec3, secs: f32) -> Placement {
    let origin = (at.pose.origin().as_dvec3() + velocity.as_dvec3() * f64::from(secs)).as_vec3();
    Placement::new(at.cell, at.pose.with_origin(origin).unwrap_or(at.pose))
}
