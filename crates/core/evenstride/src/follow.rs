//! Following: for a second, a body keeps up with another, facing it.

use alloc::vec::Vec;

use evenstride_types::{Cylinder, EPSILON, EntityId, Heading, Placement, Pose, SimTime, Vec3, unit_vector};

use crate::{
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
}

/// All follows, and who follows whom in order.
#[derive(Clone, Debug)]
pub(crate) struct Follows {
    pub(crate) pool: Pool<Follow>,
    /// Target and follower, sorted: few follow at any one time, and whoever leaves must tell its followers at once.
    pub(crate) pairs: Vec<(EntityId, EntityId)>,
}

impl Follows {
    pub(crate) const fn new() -> Self {
        Self { pool: Pool::new(), pairs: Vec::new() }
    }

    #[inline]
    pub(crate) fn get(&self, link: Link) -> Option<&Follow> {
        self.pool.get(link)
    }

    pub(crate) fn begin(&mut self, follower: EntityId, follow: Follow) -> Link {
        let pair = (follow.target, follower);
        if let Err(index) = self.pairs.binary_search(&pair) {
            self.pairs.insert(index, pair);
        }
        self.pool.insert(follow)
    }

    pub(crate) fn end(&mut self, link: &mut Link, follower: EntityId) {
        let Some(follow) = self.pool.get(*link) else { return };
        if let Ok(index) = self.pairs.binary_search(&(follow.target, follower)) {
            self.pairs.remove(index);
        }
        self.pool.remove(link);
    }

    /// Time went back to `now`: no follow lasts longer than one that begins now.
    pub(crate) fn bring_forward(&mut self, now: SimTime) {
        self.pool.for_each_mut(|follow| follow.until = follow.until.min(now.as_secs() + FOLLOW_SECS));
    }

    /// Somebody who follows `target`.
    pub(crate) fn follower_of(&self, target: EntityId) -> Option<EntityId> {
        let first = self.pairs.partition_point(|pair| pair.0 < target);
        self.pairs.get(first).filter(|pair| pair.0 == target).map(|pair| pair.1)
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
        Self { target, target_radius, heard: None, until: now.as_secs() + FOLLOW_SECS }
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
