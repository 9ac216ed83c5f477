//! Columns and pools of all bodies.
//!
//! State that every body has is in columns, and state that few bodies have is in pools.
//! `MotionWorld` owns one store. Tests and reference traces make stores of their own with another
//! [`Locomotion`].
//!
//! Row numbers are called slots. Removing a body moves the last row into its slot, so a slot is
//! valid only until the next removal. The table of slots by entity belongs to the world.

use alloc::{sync::Arc, vec::Vec};

use evenstride_types::{Placement, Vec3};

use crate::{
    body::{
        body_mut::BodyMut,
        changed::Changed,
        cull::Cull,
        flags::Flags,
        hold_links::HoldLinks,
        locomotion::{AnimationProgress, Locomotion},
        observers::{NoticeQueue, Targets},
        rest::Rest,
        rows::{ColdRow, HotRow, MessageRow, MotionRow, NewBody},
    },
    config::DrawMode,
    glide::Glides,
    journal::{Counters, Journal, Stats},
    motion::{
        InterpretedMotion, MotionLibrary,
        animator::AnimationPools,
        flight::Flight,
        follow::Follow,
        goal::MoveTo,
        route::{Route, Waypoints},
        skills::Skills,
        tether::Tether,
    },
    storage::{
        memory::MemoryPart,
        pool::{Pool, PoolIndex},
    },
};

/// All bodies of a world. A body is one index into every column.
///
/// All columns have the same length and no holes. `previous` may be empty instead.
#[derive(Clone, Debug)]
pub struct Store<L = AnimationPools> {
    /// Data that every round reads, unless the body rests.
    pub hot: Vec<HotRow>,
    /// Data that steps of moving bodies read.
    pub moving: Vec<MotionRow>,
    /// Route of each body.
    pub routes: Vec<Route>,
    /// Motion of each body. Only the motion interpreter changes it.
    pub motions: Vec<InterpretedMotion>,
    /// Place of each body before its last step. Empty unless bodies are drawn between steps.
    pub previous: Vec<Placement>,
    /// Whether `previous` is kept. It follows from the configuration and never changes.
    pub keeps_previous: bool,
    /// Ghosts and poses. Empty unless bodies glide. Not saved.
    pub glides: Glides,
    /// Bodies that rounds do not look at. Not saved.
    pub rest: Rest,
    /// Bodies that a host has to draw again. Not saved.
    pub changed: Changed,
    /// Stamps and counters, which only messages read.
    pub messages: Vec<MessageRow>,
    /// Keys, resources and holding.
    pub cold: Vec<ColdRow>,

    /// Waypoints behind the oldest of each route.
    pub waypoints: Waypoints,
    /// Follows, each for at most a second.
    pub follows: Pool<Follow>,
    /// Velocities and spins of bodies that have any.
    pub flights: Pool<Flight>,
    /// Goals that are being carried out.
    pub moves: Pool<MoveTo>,
    /// Observers and observed bodies.
    pub targets: Targets,
    /// Notices to be delivered. Empty between steps and between messages.
    pub notices: NoticeQueue,
    /// State of the locomotion, which normally consists of animations.
    pub locomotion: L,
    /// Progress of animations by part of a round on several threads, kept so that rounds need not allocate
    /// it. Empty between rounds.
    pub progress: Vec<Vec<(PoolIndex, AnimationProgress)>>,
    /// Skills of the local player, from which its run rate and jumps follow.
    pub skills: Skills,
    /// Motion tables and animations. Shared and not saved.
    pub library: Arc<MotionLibrary>,
    /// Fingerprint of the library. It is saved, so that a restore with another library is detected.
    pub library_mark: u64,
    /// Counters over the whole world.
    pub stats: Stats,
}

/// Range of seconds since a body's last step that make one slice.
///
/// In this range, an idle body needs no step. One slice would only advance its clock.
#[derive(Clone, Copy, Debug)]
pub struct SliceTime {
    /// Lower limit in seconds, exclusive.
    pub min: f64,
    /// Upper limit in seconds, inclusive.
    pub max: f64,
}

/// Flags of a body whose step changes more than its clock.
///
/// A body with an observation is never idle, because its step may have to tell observers something.
const NOT_IDLE: Flags = Flags::RESTLESS.union(Flags::OBSERVATION);

impl<L: Locomotion> Store<L> {
    /// Returns an empty store. Nothing is allocated before the first body.
    ///
    /// `drawing` decides which columns are kept for drawing.
    pub fn new(drawing: DrawMode, library: Arc<MotionLibrary>, locomotion: L) -> Self {
        Self {
            hot: Vec::new(),
            moving: Vec::new(),
            routes: Vec::new(),
            motions: Vec::new(),
            previous: Vec::new(),
            keeps_previous: drawing == DrawMode::Interpolated,
            glides: Glides::new(drawing.glide_parts()),
            rest: Rest::default(),
            changed: Changed::default(),
            messages: Vec::new(),
            cold: Vec::new(),
            waypoints: Waypoints::new(),
            follows: Pool::new(),
            flights: Pool::new(),
            moves: Pool::new(),
            targets: Targets::default(),
            notices: NoticeQueue::default(),
            locomotion,
            progress: Vec::new(),
            skills: Skills::default(),
            library_mark: library.fingerprint(),
            library,
            stats: Stats::NONE,
        }
    }

    pub fn len(&self) -> usize {
        self.hot.len()
    }

    /// Adds a body to every column and returns its slot.
    ///
    /// The caller has made its key, and adds it to the table of slots. The body has no links yet.
    pub fn push(&mut self, new: NewBody) -> usize {
        self.hot.push(HotRow {
            place: new.place,
            updated: new.updated,
            flight: PoolIndex::NONE,
            animator: PoolIndex::NONE,
            // The distance is unknown until the first round that has a viewpoint.
            distance: f32::MAX,
            state: new.state,
            id: new.id,
            flags: new.flags,
        });
        self.moving.push(MotionRow {
            tether: Tether::default(),
            chase_speed: 0.0,
            dimensions: new.dimensions,
            normal: Vec3::Z,
            last_velocity: Vec3::ZERO,
        });
        self.routes.push(Route::NONE);
        self.motions.push(new.motion);
        if self.keeps_previous {
            self.previous.push(new.place);
        }
        self.glides.push();
        self.messages.push(MessageRow { stamps: new.stamps, counters: Counters::NONE });
        self.cold.push(ColdRow {
            key: new.key,
            resources: new.resources,
            hold: HoldLinks::NONE,
            follow: PoolIndex::NONE,
            move_to: PoolIndex::NONE,
            observation: PoolIndex::NONE,
            idle_since: new.updated,
        });
        let slot = self.len() - 1;
        self.rest.push(slot);
        self.changed.push(slot);
        let mut body = self.body_mut(slot);
        body.update_chase_speed();
        if new.flags.contains(Flags::HAS_CELL) {
            body.settle_acceleration();
        }
        slot
    }

    /// Returns the place of a body, or `None` if it is outside the world.
    pub fn place_of(&self, slot: usize) -> Option<Placement> {
        let body = &self.hot[slot];
        body.flags.contains(Flags::HAS_CELL).then_some(body.place)
    }

    /// Removes a body from every column and frees everything it has in pools.
    ///
    /// The last body moves into its slot. The caller updates the key and the slot of that body.
    pub fn swap_remove(&mut self, slot: usize) {
        let last = self.len() - 1;
        self.settle(slot);
        self.settle(last);
        self.changed.swap_remove(slot, last);
        let HotRow { mut flight, mut animator, .. } = self.hot.swap_remove(slot);
        self.flights.remove(&mut flight);
        self.locomotion.remove(&mut animator);
        self.moving.swap_remove(slot);
        self.routes.swap_remove(slot).stop(&mut self.waypoints);
        let ColdRow { mut follow, mut move_to, mut observation, .. } = self.cold.swap_remove(slot);
        self.follows.remove(&mut follow);
        self.moves.remove(&mut move_to);
        self.targets.remove(&mut observation);
        self.motions.swap_remove(slot);
        if self.keeps_previous {
            self.previous.swap_remove(slot);
        }
        self.glides.swap_remove(slot);
        self.messages.swap_remove(slot);
    }

    /// Updates distance and activity of a body at the beginning of a round. Returns whether the body
    /// needs a step.
    ///
    /// The clock of a body that becomes active starts at `now`. The clock of an idle body is advanced
    /// here, if the time since its last step is that of one slice.
    #[inline(always)]
    pub fn wake_or_cull(
        &mut self,
        slot: usize,
        cull: &Cull,
        now: f64,
        slice: SliceTime,
        journal: &mut impl Journal,
    ) -> bool {
        let body = &mut self.hot[slot];
        let (distance, is_active) = cull.look_at(body);
        body.distance = distance;
        if is_active != body.flags.contains(Flags::ACTIVE) {
            self.set_active(slot, is_active, now);
        }
        let HotRow { updated, flags, .. } = &self.hot[slot];
        if !is_active {
            self.let_rest(slot);
            return false;
        }
        let passed = now - *updated;
        if !(passed > slice.min && passed <= slice.max) {
            return true;
        }
        if !flags.intersects(NOT_IDLE) {
            self.idle(slot, now, passed, journal);
            return false;
        }
        true
    }

    /// Activates a body, whose clock then starts at `now`, or deactivates it.
    #[inline(never)]
    fn set_active(&mut self, slot: usize, is_active: bool, now: f64) {
        let HotRow { place, updated, flags, .. } = &mut self.hot[slot];
        flags.set(Flags::ACTIVE, is_active);
        if is_active {
            self.cold[slot].idle_since += now - *updated;
            *updated = now;
        } else if let Some(previous) = self.previous.get_mut(slot) {
            // A body that is not stepped is drawn where it is.
            *previous = *place;
        }
    }

    /// Advances the clock of an idle body to `now`, after `passed` seconds.
    #[inline(never)]
    fn idle(&mut self, slot: usize, now: f64, passed: f64, journal: &mut impl Journal) {
        let HotRow { updated, id, flags, .. } = &mut self.hot[slot];
        // The clock is set and not incremented, so that skipped rounds lead to the same clock.
        *updated = now;
        let is_inert = flags.contains(Flags::INERT | Flags::WALKABLE);
        if is_inert {
            // One step deactivates an inert item, and the next round activates it without a step.
            flags.toggle(Flags::DOZES);
        }
        if !is_inert || flags.contains(Flags::DOZES) {
            journal.slice(*id, passed as f32);
        }
        self.let_rest(slot);
    }

    /// Restarts the clock of every body that is ahead of `now`, after time went back.
    pub fn start_clocks_at(&mut self, now: f64) {
        self.settle_all();
        for slot in 0..self.len() {
            if self.hot[slot].updated > now {
                self.body_mut(slot).restart_clock(now);
            }
        }
    }

    /// Restarts every clock at `now`. The time since each body's last step is dropped.
    pub fn restart_clocks(&mut self, now: f64) {
        for slot in 0..self.len() {
            self.body_mut(slot).restart_clock(now);
        }
    }

    /// Sets every previous place to the present one, so that no body is drawn between two steps.
    pub fn forget_previous(&mut self) {
        for (previous, body) in self.previous.iter_mut().zip(&self.hot) {
            *previous = body.place;
        }
    }

    /// Returns one body with everything that a rule may touch.
    ///
    /// Pools are lent as a whole, so a rule must only follow the links of its own body. A body at rest
    /// is settled first.
    #[inline(always)]
    pub fn body_mut(&mut self, slot: usize) -> BodyMut<'_, L> {
        self.settle(slot);
        BodyMut {
            hot: &mut self.hot[slot],
            moving: &mut self.moving[slot],
            route: &mut self.routes[slot],
            motion: &mut self.motions[slot],
            previous: self.previous.get_mut(slot),
            messages: &mut self.messages[slot],
            waypoints: &mut self.waypoints,
            follows: &mut self.follows,
            flights: &mut self.flights,
            moves: &mut self.moves,
            targets: &mut self.targets,
            notices: &mut self.notices,
            locomotion: &mut self.locomotion,
            skills: &self.skills,
            library: &self.library,
            cold: &mut self.cold[slot],
            stats: &mut self.stats,
        }
    }
}

impl Store {
    /// Measures every column and pool.
    pub fn memory(&self) -> [MemoryPart; 18] {
        let [legs, nodes, items] = self.locomotion.memory();
        let [targets, observations] = self.targets.memory();
        [
            MemoryPart::column("hot rows", &self.hot),
            MemoryPart::column("motion rows", &self.moving),
            MemoryPart::column("routes", &self.routes),
            MemoryPart::column("interpreted motions", &self.motions),
            MemoryPart::column("previous places", &self.previous),
            self.changed.memory(),
            MemoryPart::column("message rows", &self.messages),
            MemoryPart::column("cold rows", &self.cold),
            self.waypoints.later.memory("later waypoints"),
            self.follows.memory("follows"),
            self.flights.memory("flights"),
            self.moves.memory("move-to goals"),
            targets,
            observations,
            legs,
            nodes,
            items,
            self.glides.pool.memory("ghosts and poses"),
        ]
    }
}
