//! Where bodies are kept: one column per thing that every body has, pools for what few have.

use alloc::{sync::Arc, vec::Vec};

use evenstride_types::{LANDBLOCK_SIZE, Placement, Vec3, update::PhysicsState};

use crate::{
    body::{
        body_mut::BodyMut,
        flags::Flags,
        hold_links::HoldLinks,
        locomotion::Locomotion,
        observers::{NoticeQueue, Targets},
        rows::{ColdRow, HotRow, Links, MessageRow, MotionRow, NewBody},
    },
    config::MissingViewpoint,
    journal::{Counters, Journal, Stats},
    motion::{
        InterpretedMotion, MotionLibrary, animator::AnimationPools, flight::Flight, follow::Follow,
        goal::MoveTo, route::Routes, skills::Skills, tether::Tether,
    },
    storage::{
        memory::MemoryPart,
        pool::{Pool, PoolIndex},
    },
};

/// All bodies. A body is an index into every column; columns are as long as there are bodies, without holes.
#[derive(Clone, Debug)]
pub struct Store<L = AnimationPools> {
    pub bodies: Vec<HotRow>,
    pub details: Vec<MotionRow>,
    /// What each body is doing; only the motion interpreter changes it.
    pub motions: Vec<InterpretedMotion>,
    /// Where the step before the last left each body. Empty unless bodies are drawn between steps.
    pub previous: Vec<Placement>,
    pub keeps_previous: bool,
    pub ledgers: Vec<MessageRow>,
    pub extras: Vec<ColdRow>,

    pub routes: Routes,
    pub follows: Pool<Follow>,
    pub flights: Pool<Flight>,
    pub moves: Pool<MoveTo>,
    pub targets: Targets,
    /// Empty between steps and updates.
    pub post: NoticeQueue,
    /// What moves bodies from within.
    pub locomotion: L,
    /// How well the local player runs and jumps.
    pub skills: Skills,
    /// What can be played.
    pub library: Arc<MotionLibrary>,
    pub library_mark: u64,
    pub stats: Stats,
}

/// Between which limits the time since an idle body's last step is simply taken as passed.
#[derive(Clone, Copy, Debug)]
pub struct IdleTime {
    pub min: f64,
    pub max: f64,
}

/// A place whose distance to many others is asked for.
struct Viewpoint {
    column: f32,
    row: f32,
    origin: Vec3,
}

impl Viewpoint {
    fn new(place: &Placement) -> Self {
        let block = place.cell.landblock();
        Self { column: f32::from(block.x()), row: f32::from(block.y()), origin: place.pose.origin() }
    }

    /// In `f32` throughout: within 0.05 mm of the client's value at the distances that matter (up to 96 m).
    ///
    /// Retail: `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
    #[inline]
    fn distance(&self, place: &Placement) -> f32 {
        let block = place.cell.landblock();
        let away = place.pose.origin() - self.origin;
        let x = (f32::from(block.x()) - self.column) * LANDBLOCK_SIZE + away.x;
        let y = (f32::from(block.y()) - self.row) * LANDBLOCK_SIZE + away.y;
        libm::sqrtf(x * x + y * y + away.z * away.z)
    }
}

/// Whether a step of such a body would change nothing.
#[inline(always)]
const fn is_idle(links: &Links, flags: Flags) -> bool {
    links.are_still() && !flags.intersects(Flags::RESTLESS.union(Flags::OBSERVATION))
}

impl<L: Locomotion> Store<L> {
    pub fn new(keeps_previous: bool, library: Arc<MotionLibrary>, locomotion: L) -> Self {
        Self {
            bodies: Vec::new(),
            details: Vec::new(),
            motions: Vec::new(),
            previous: Vec::new(),
            keeps_previous,
            ledgers: Vec::new(),
            extras: Vec::new(),
            routes: Routes::new(),
            follows: Pool::new(),
            flights: Pool::new(),
            moves: Pool::new(),
            targets: Targets::default(),
            post: NoticeQueue::default(),
            locomotion,
            skills: Skills::default(),
            library_mark: library.fingerprint(),
            library,
            stats: Stats::NONE,
        }
    }

    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    pub fn push(&mut self, new: NewBody) -> usize {
        self.bodies.push(HotRow {
            place: new.place,
            updated: new.updated,
            links: Links::NONE,
            // Unknown until the first tick that has a viewpoint: farther than everything.
            distance: f32::MAX,
            state: new.state,
            id: new.id,
            flags: new.flags,
        });
        self.details.push(MotionRow {
            tether: Tether::default(),
            chase_speed: 0.0,
            dimensions: new.dimensions,
            normal: Vec3::Z,
            last_velocity: Vec3::ZERO,
            move_to: PoolIndex::NONE,
            observation: PoolIndex::NONE,
        });
        self.motions.push(new.motion);
        if self.keeps_previous {
            self.previous.push(new.place);
        }
        self.ledgers.push(MessageRow { stamps: new.stamps, counters: Counters::NONE });
        self.extras.push(ColdRow {
            key: new.key,
            resources: new.resources,
            hold: HoldLinks::NONE,
            idle_since: new.updated,
        });
        let slot = self.len() - 1;
        let mut body = self.body_mut(slot);
        body.update_chase_speed();
        if new.flags.contains(Flags::HAS_CELL) {
            body.settle_acceleration();
        }
        slot
    }

    /// Where a body is, if it is anywhere.
    pub fn place_of(&self, slot: usize) -> Option<Placement> {
        let body = &self.bodies[slot];
        body.flags.contains(Flags::HAS_CELL).then_some(body.place)
    }

    /// Takes a body out; the last body moves into its slot.
    pub fn swap_remove(&mut self, slot: usize) {
        let HotRow { mut links, .. } = self.bodies.swap_remove(slot);
        self.routes.stop(&mut links.route);
        self.follows.remove(&mut links.follow);
        self.flights.remove(&mut links.flight);
        self.locomotion.remove(&mut links.animator);
        let MotionRow { mut move_to, mut observation, .. } = self.details.swap_remove(slot);
        self.moves.remove(&mut move_to);
        self.targets.remove(&mut observation);
        self.motions.swap_remove(slot);
        if self.keeps_previous {
            self.previous.swap_remove(slot);
        }
        self.ledgers.swap_remove(slot);
        self.extras.swap_remove(slot);
    }

    /// Puts to sleep what is far from the viewpoint, frozen or nowhere, wakes what came near, and notes all distances.
    ///
    /// One pass over the bodies, and all that an idle one costs: its clock is moved on here too, if the time since its last step
    /// lies within `idle_time`, where one step is all there would be. Everybody else who is awake is put on the list.
    pub fn wake_and_cull(
        &mut self,
        viewpoint: Option<&Placement>,
        no_viewpoint: MissingViewpoint,
        now: f64,
        idle_time: IdleTime,
        awake: &mut Vec<u32>,
        journal: &mut impl Journal,
    ) {
        let viewpoint = viewpoint.map(Viewpoint::new);
        for (slot, body) in (0u32..).zip(&mut self.bodies) {
            let HotRow { place, updated, links, distance, state, id, flags } = body;
            let was_active = flags.contains(Flags::ACTIVE);
            let mut is_active = was_active;
            if state.contains(PhysicsState::FROZEN) || !flags.contains(Flags::HAS_CELL) {
                is_active = false;
            } else if let Some(viewpoint) = &viewpoint {
                *distance = viewpoint.distance(place);
                let is_near = *distance <= ACTIVE_RADIUS_M || flags.contains(Flags::LOCAL);
                is_active = is_near && (was_active || !state.contains(PhysicsState::STATIC));
            } else if no_viewpoint == MissingViewpoint::AllNear {
                *distance = 0.0;
                is_active = was_active || !state.contains(PhysicsState::STATIC);
            }
            if is_active != was_active {
                flags.set(Flags::ACTIVE, is_active);
                if is_active {
                    self.extras[slot as usize].idle_since += now - *updated;
                    *updated = now;
                } else if let Some(previous) = self.previous.get_mut(slot as usize) {
                    // What is not stepped is drawn where it is.
                    *previous = *place;
                }
            }
            if !is_active {
                continue;
            }
            let passed = now - *updated;
            if is_idle(links, *flags) && passed > idle_time.min && passed <= idle_time.max {
                *updated += passed;
                if flags.contains(Flags::INERT | Flags::WALKABLE) {
                    // A step puts it to sleep, and the next tick wakes it without one.
                    flags.toggle(Flags::DOZES);
                    if !flags.contains(Flags::DOZES) {
                        continue;
                    }
                }
                journal.slice(*id, passed as f32);
            } else {
                awake.push(slot);
            }
        }
    }

    /// Starts the clock of every body that is ahead of `now` anew.
    pub fn start_clocks_at(&mut self, now: f64) {
        for slot in 0..self.len() {
            if self.bodies[slot].updated > now {
                self.body_mut(slot).restart_clock(now);
            }
        }
    }

    /// Starts every clock from now: the time since each body's last step is dropped.
    pub fn restart_clocks(&mut self, now: f64) {
        for slot in 0..self.len() {
            self.body_mut(slot).restart_clock(now);
        }
    }

    /// Draws every body where it is, and none on its way there.
    pub fn forget_previous(&mut self) {
        for (previous, body) in self.previous.iter_mut().zip(&self.bodies) {
            *previous = body.place;
        }
    }

    /// One body, with everything it may touch.
    #[inline(always)]
    pub fn body_mut(&mut self, slot: usize) -> BodyMut<'_, L> {
        BodyMut {
            body: &mut self.bodies[slot],
            detail: &mut self.details[slot],
            motion: &mut self.motions[slot],
            previous: self.previous.get_mut(slot),
            ledger: &mut self.ledgers[slot],
            routes: &mut self.routes,
            follows: &mut self.follows,
            flights: &mut self.flights,
            moves: &mut self.moves,
            targets: &mut self.targets,
            post: &mut self.post,
            locomotion: &mut self.locomotion,
            skills: &self.skills,
            library: &self.library,
            extra: &mut self.extras[slot],
            stats: &mut self.stats,
        }
    }
}

impl Store {
    /// What each column and pool holds.
    pub fn memory(&self) -> [MemoryPart; 16] {
        let [routes, waypoints] = self.routes.memory();
        let [legs, nodes, items] = self.locomotion.memory();
        let [targets, observations] = self.targets.memory();
        [
            MemoryPart::column("hot rows", &self.bodies),
            MemoryPart::column("motion rows", &self.details),
            MemoryPart::column("interpreted motions", &self.motions),
            MemoryPart::column("previous places", &self.previous),
            MemoryPart::column("message rows", &self.ledgers),
            MemoryPart::column("cold rows", &self.extras),
            routes,
            waypoints,
            self.follows.memory("follows"),
            self.flights.memory("flights"),
            self.moves.memory("move-to goals"),
            targets,
            observations,
            legs,
            nodes,
            items,
        ]
    }
}

/// From here on a body is put where it is heard of instead of walking there; farther than this it is not stepped at all.
///
/// Retail: `CPhysicsObj::MoveOrTeleport` (11.4186 @ 0x00516330)
pub const ACTIVE_RADIUS_M: f32 = 96.0;

#[cfg(test)]
mod tests {
    use evenstride_types::{CellId, Pose};

    use super::*;

    /// The client computes this distance in wider numbers; ours may differ by 0.05 mm where it decides anything.
    #[test]
    fn distances_in_f32_are_within_their_stated_bound() {
        let at = |cell: u32, origin: Vec3| {
            Placement::new(CellId::new(cell).unwrap(), Pose::IDENTITY.with_origin(origin).unwrap())
        };
        let mut compared = 0;
        for step in 0..4_000u32 {
            let (x, y) =
                ((step * 7_919 % 192_000) as f32 / 1_000.0, (step * 104_729 % 192_000) as f32 / 1_000.0);
            let z = (step % 211) as f32 * 0.37 - 40.0;
            let here = at(0xA9B4_0001, Vec3::new(192.0 - x, y, 10.0));
            for cell in [0xA9B4_0001, 0xAAB4_0001, 0xA9B3_0001, 0xA8B5_0001] {
                let there = at(cell, Vec3::new(y, x, z));
                let exact = here.distance(&there);
                if exact <= 100.0 {
                    let apart = (f64::from(Viewpoint::new(&here).distance(&there)) - exact).abs();
                    assert!(apart < 5e-5, "{here} {there}: {apart}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 1_000, "{compared}");
    }
}
