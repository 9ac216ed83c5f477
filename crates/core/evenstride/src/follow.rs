//! Following: for a second, a body keeps up with another, facing it.

use alloc::vec::Vec;

use evenstride_types::{Cylinder, EPSILON, EntityId, Heading, Placement, Pose, SimTime, Vec3, unit_vector};

use crate::{
    ids::IdMap,
    memory::MemoryPart,
    pool::{Link, Pool},
};

/// Gap that a follower keeps, in metres between surfaces.
///
/// Retail: `StickyManager::adjust_offset` (11.4186 @ 0x00555430)
pub const STANDOFF: f32 = 0.3;

/// How long a follow lasts. It is never extended, only begun anew.
///
/// Retail: `StickyManager::StickTo` (11.4186 @ 0x00555710)
pub const FOLLOW_SECS: f64 = 1.0;

/// Whom a body follows.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "StickyManager")]
pub(crate) struct Follow {
    pub(crate) target: EntityId,
    pub(crate) target_radius: f32,
    /// Where the target was when the follow began or the target was last heard of; while the target is in the world, its own
    /// place is used instead.
    pub(crate) heard: Option<Placement>,
    pub(crate) until: f64,
    pub(crate) listed: Listed,
}

/// All follows, by follower and by target: whoever leaves must tell its followers at once, however many others there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Follows {
    pub(crate) pool: Pool<Follow>,
    /// Those in use, in no particular order.
    active: Vec<Link>,
    /// The first follow of each target.
    first: IdMap<Link>,
}

/// Where a follow stands in the lists of [`Follows`]. Not saved: the lists can be told from the bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed {
    follower: EntityId,
    /// In `active`.
    index: u32,
    /// The next and the one before with the same target.
    next: Link,
    before: Link,
}

impl Listed {
    pub(crate) const NOWHERE: Self =
        Self { follower: EntityId::new(0), index: 0, next: Link::NONE, before: Link::NONE };
}

impl Follows {
    pub(crate) fn restored(pool: Pool<Follow>) -> Self {
        Self { pool, ..Self::default() }
    }

    #[inline]
    pub(crate) fn get(&self, link: Link) -> Option<&Follow> {
        self.pool.get(link)
    }

    pub(crate) fn begin(&mut self, follower: EntityId, follow: Follow) -> Link {
        let link = self.pool.insert(follow);
        self.list(link, follower);
        link
    }

    /// Puts a follow on the lists.
    pub(crate) fn list(&mut self, link: Link, follower: EntityId) {
        let Some(&Follow { target, .. }) = self.pool.get(link) else { return };
        let index = self.active.len() as u32;
        self.active.push(link);
        let next = self.first.insert(target, link).unwrap_or(Link::NONE);
        if let Some(next) = self.pool.get_mut(next) {
            next.listed.before = link;
        }
        if let Some(follow) = self.pool.get_mut(link) {
            follow.listed = Listed { follower, index, next, before: Link::NONE };
        }
    }

    pub(crate) fn end(&mut self, link: &mut Link) {
        let Some(&Follow { target, listed, .. }) = self.pool.get(*link) else { return };
        let Listed { index, next, before, .. } = listed;
        self.active.swap_remove(index as usize);
        if let Some(&moved) = self.active.get(index as usize)
            && let Some(moved) = self.pool.get_mut(moved)
        {
            moved.listed.index = index;
        }
        if let Some(next) = self.pool.get_mut(next) {
            next.listed.before = before;
        }
        match self.pool.get_mut(before) {
            Some(before) => before.listed.next = next,
            None if next.is_some() => _ = self.first.insert(target, next),
            None => _ = self.first.remove(&target),
        }
        self.pool.remove(link);
    }

    /// Time went back to `now`: no follow lasts longer than one that begins now.
    pub(crate) fn bring_forward(&mut self, now: SimTime) {
        self.pool.for_each_mut(|follow| follow.until = follow.until.min(now.as_secs() + FOLLOW_SECS));
    }

    /// Everybody who follows `target`, in no particular order.
    pub(crate) fn followers_of(&self, target: EntityId) -> impl Iterator<Item = EntityId> {
        let mut next = self.first.get(&target).copied().unwrap_or(Link::NONE);
        core::iter::from_fn(move || {
            let listed = self.pool.get(next)?.listed;
            next = listed.next;
            Some(listed.follower)
        })
    }

    /// Whether anybody follows anybody.
    pub(crate) fn is_empty(&self) -> bool {
        self.active.is_empty()
    }

    /// Everybody who follows, and whom, in no particular order.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = [EntityId; 2]> {
        self.active
            .iter()
            .filter_map(|link| self.pool.get(*link).map(|follow| [follow.listed.follower, follow.target]))
    }

    pub(crate) fn memory(&self) -> MemoryPart {
        self.pool.memory("follows")
    }
}

impl Follow {
    /// Begins; nothing happens until the target was heard of.
    ///
    /// Retail: `StickyManager::StickTo` (11.4186 @ 0x00555710)
    pub(crate) fn begin(target: EntityId, target_radius: f32, now: SimTime) -> Self {
        let until = now.as_secs() + FOLLOW_SECS;
        Self { target, target_radius, heard: None, until, listed: Listed::NOWHERE }
    }

    /// Whether time has run out.
    ///
    /// Retail: `StickyManager::UseTime` (11.4186 @ 0x00555610)
    pub(crate) fn is_over(&self, now: SimTime) -> bool {
        now.as_secs() > self.until
    }

    /// Overwrites an offset with a step towards (or away from) the target and a turn to face it; `None` before the target was
    /// heard of. `target_now` is where the target is, if it is known.
    ///
    /// Retail: `StickyManager::adjust_offset` (11.4186 @ 0x00555430)
    pub(crate) fn offset(
        &self,
        here: &Placement,
        radius: f32,
        target_now: Option<&Placement>,
        speed: f64,
        secs: f32,
        offset: &Pose,
    ) -> Option<Pose> {
        let heard = self.heard?;
        let target = target_now.unwrap_or(&heard);
        let gap = Cylinder::reach(radius, here, self.target_radius, target) - f64::from(STANDOFF);
        let towards = here.pose.rotation().basis().to_local(here.offset_to(target)).with_z(0.0);
        let reach = speed * f64::from(secs);
        // A gap within reach is closed exactly, backwards too; one farther off is always approached, even from inside.
        let step = if reach >= gap.abs() { gap } else { reach };
        let origin = unit_vector(towards).map_or(Vec3::ZERO, |unit| (unit.as_dvec3() * step).as_vec3());
        let turned = Pose::new(origin, offset.rotation()).unwrap_or(Pose::IDENTITY);
        Some(turned.with_heading(turn_between(here.pose.heading(), here.heading_to(target))))
    }
}

/// The heading, relative to `from`, at which `to` lies.
fn turn_between(from: Heading, to: Heading) -> Heading {
    let turn = to.degrees() - from.degrees();
    let turn = if turn.abs() < EPSILON { 0.0 } else { turn };
    Heading::from_degrees(turn).unwrap_or(Heading::NORTH)
}
