//! Where bodies are kept: one column per thing that every body has, pools for what few have.

use alloc::{sync::Arc, vec::Vec};

use bitflags::bitflags;
use evenstride_types::{
    EntityId, LANDBLOCK_SIZE, Placement, Rotation, StampTable, Vec3, update::PhysicsState,
};

use crate::config::NoViewpoint;
use crate::outcome::Disposition;
use crate::outcome::PlaceReason;
use crate::motion::flight::Flight;
use crate::motion::follow::Follow;
use crate::inbound::hold::HoldLinks;
use crate::inbound::FAR_FROM_VIEWPOINT;
use crate::storage::keys::BodyKey;
use crate::motion::InterpretedMotion;
use crate::motion::MotionLibrary;
use crate::motion::animator::AnimationPools;
use crate::body::locomotion::Locomotion;
use crate::storage::memory::MemoryPart;
use crate::moveto::MoveTo;
use crate::player::Skills;
use crate::storage::pool::Link;
use crate::storage::pool::Pool;
use crate::motion::route::HeadingMode;
use crate::motion::route::Routes;
use crate::motion::route::chase_speed;
use crate::moveto::observers::Post;
use crate::moveto::observers::Targets;
use crate::motion::tether::Tether;
use crate::explain::Counters;
use crate::explain::Journal;
use crate::explain::Stats;

bitflags! {
    /// Yes-or-no state of a body.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Flags: u32 {
        /// Is stepped. Off beyond 96 m of the viewpoint.
        const ACTIVE = 1 << 0;
        /// Is somewhere in the world.
        const HAS_CELL = 1 << 1;
        /// Touches something.
        const CONTACT = 1 << 2;
        /// What it touches can be stood on.
        const WALKABLE = 1 << 3;
        /// The normal of what it touches is known: there is friction.
        const HAS_NORMAL = 1 << 4;
        /// Gravity pulls.
        const FALLING = 1 << 5;
        /// Waypoints do not turn it.
        const KEEPS_HEADING = 1 << 6;
        /// Under server-controlled movement.
        const MOVES_TO = 1 << 7;
        /// The last step moved it, so the next one has to note that it stopped.
        const WAS_MOVING = 1 << 8;
        /// Watches somebody or is watched: stepped in order of id.
        const LINKED = 1 << 9;
        /// Is on the list of those that may be drawn differently.
        const CHANGED = 1 << 10;
        /// Somebody wants to know why it moves.
        const WATCHED = 1 << 11;
        /// Is held by another.
        const HELD = 1 << 12;
        /// Holds others.
        const HOLDS = 1 << 13;
        /// Is the local player's.
        const LOCAL = 1 << 14;
        /// Nobody described it: a position made it.
        const ADOPTED = 1 << 15;
        /// Its legs would do something if they were played on.
        const STRIDES = 1 << 16;
        /// Has a lookout: it watches somebody, or is watched, or did and was.
        const LOOKOUT = 1 << 17;
        /// Its last movement came from its own player: keys, not the server.
        const AUTONOMOUS = 1 << 18;
        /// Is an item, not a creature: the ground rules of the motion interpreter do not apply.
        const ITEM = 1 << 19;
        /// Is an item that nothing animates: it dozes while it rests.
        const INERT = 1 << 20;
        /// Dozes: its clock starts again when it is woken.
        ///
        /// Retail: `CPhysicsObj::UpdatePhysicsInternal` (11.4186 @ 0x00510700)
        const DOZES = 1 << 21;
    }
}

/// What a body is made of; set when it appears, hardly ever changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Build {
    pub scale: f32,
    pub radius: f32,
    pub height: f32,
    pub friction: f32,
    pub elasticity: f32,
}

/// Links into the pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Links {
    pub route: Link,
    pub follow: Link,
    pub flight: Link,
    pub animator: Link,
}

impl Links {
    pub const NONE: Self =
        Self { route: Link::NONE, follow: Link::NONE, flight: Link::NONE, animator: Link::NONE };

    /// Whether none of them makes a body move. An animator may stand.
    #[inline]
    pub const fn are_still(&self) -> bool {
        Link::none_of([self.route, self.follow, self.flight])
    }
}

/// What every tick reads of a body, side by side: 72 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub place: Placement,
    /// When it was last stepped, in seconds.
    pub updated: f64,
    pub links: Links,
    /// From the viewpoint, as of the last tick.
    pub distance: f32,
    pub state: PhysicsState,
    pub id: EntityId,
    pub flags: Flags,
}

/// What only bodies that move need.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    pub tether: Tether,
    /// How fast it is on a route; follows from what it is doing.
    pub chase_speed: f32,
    pub build: Build,
    /// Of what it touches.
    pub normal: Vec3,
    /// How fast the last step moved it.
    pub last_velocity: Vec3,
    /// Where the server has sent it.
    pub move_to: Link,
    /// Whom it keeps an eye on, and who keeps an eye on it.
    pub lookout: Link,
}

/// What messages are compared with, and what became of them.
#[derive(Clone, Copy, Debug)]
pub struct Ledger {
    pub stamps: StampTable,
    pub counters: Counters,
}

/// What no step reads.
#[derive(Clone, Copy, Debug)]
pub struct Extra {
    pub key: BodyKey,
    pub looks: Looks,
    pub hold: HoldLinks,
    /// Until when the animations of a resting body are played, by its own clock, in seconds. They are played on when something depends on
    /// how far they have come.
    pub idle_since: f64,
}

impl Extra {
    /// Returns how long the animation of a resting body has gone on since it was last played; 0 if it is played every step, or never.
    pub fn idle_secs(&self, body: &Body) -> f64 {
        let is_played = body.flags.contains(Flags::STRIDES);
        if is_played || body.state.contains(PhysicsState::HIDDEN) {
            0.0
        } else {
            body.updated - self.idle_since
        }
    }
}

/// Archive records a body is drawn and moved with; zero where none was named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    pub setup: u32,
    pub motion_table: u32,
    pub placement_frame: u32,
}

/// All bodies. A body is an index into every column; columns are as long as there are bodies, without holes.
#[derive(Clone, Debug)]
pub struct Store<L = AnimationPools> {
    pub bodies: Vec<Body>,
    pub details: Vec<Detail>,
    /// What each body is doing; only the motion interpreter changes it.
    pub motions: Vec<InterpretedMotion>,
    /// Where the step before the last left each body. Empty unless bodies are drawn between steps.
    pub previous: Vec<Placement>,
    pub keeps_previous: bool,
    pub ledgers: Vec<Ledger>,
    pub extras: Vec<Extra>,

    pub routes: Routes,
    pub follows: Pool<Follow>,
    pub flights: Pool<Flight>,
    pub moves: Pool<MoveTo>,
    pub targets: Targets,
    /// Empty between steps and updates.
    pub post: Post,
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
    links.are_still() && !flags.intersects(RESTLESS.union(Flags::LOOKOUT))
}

/// What moves a body, or may, besides what it has links to.
const RESTLESS: Flags = Flags::FALLING.union(Flags::WAS_MOVING).union(Flags::STRIDES).union(Flags::MOVES_TO);

/// A body as it is first put in.
#[derive(Clone, Copy, Debug)]
pub struct NewBody {
    pub id: EntityId,
    pub place: Placement,
    pub flags: Flags,
    pub state: PhysicsState,
    pub build: Build,
    pub motion: InterpretedMotion,
    pub stamps: StampTable,
    pub looks: Looks,
    pub key: BodyKey,
    pub updated: f64,
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
            post: Post::default(),
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
        self.bodies.push(Body {
            place: new.place,
            updated: new.updated,
            links: Links::NONE,
            // Unknown until the first tick that has a viewpoint: farther than everything.
            distance: f32::MAX,
            state: new.state,
            id: new.id,
            flags: new.flags,
        });
        self.details.push(Detail {
            tether: Tether::default(),
            chase_speed: 0.0,
            build: new.build,
            normal: Vec3::Z,
            last_velocity: Vec3::ZERO,
            move_to: Link::NONE,
            lookout: Link::NONE,
        });
        self.motions.push(new.motion);
        if self.keeps_previous {
            self.previous.push(new.place);
        }
        self.ledgers.push(Ledger { stamps: new.stamps, counters: Counters::NONE });
        self.extras.push(Extra {
            key: new.key,
            looks: new.looks,
            hold: HoldLinks::NONE,
            idle_since: new.updated,
        });
        let slot = self.len() - 1;
        let mut body = self.at(slot);
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
        let Body { mut links, .. } = self.bodies.swap_remove(slot);
        self.routes.stop(&mut links.route);
        self.follows.remove(&mut links.follow);
        self.flights.remove(&mut links.flight);
        self.locomotion.remove(&mut links.animator);
        let Detail { mut move_to, mut lookout, .. } = self.details.swap_remove(slot);
        self.moves.remove(&mut move_to);
        self.targets.remove(&mut lookout);
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
        no_viewpoint: NoViewpoint,
        now: f64,
        idle_time: IdleTime,
        awake: &mut Vec<u32>,
        journal: &mut impl Journal,
    ) {
        let viewpoint = viewpoint.map(Viewpoint::new);
        for (slot, body) in (0u32..).zip(&mut self.bodies) {
            let Body { place, updated, links, distance, state, id, flags } = body;
            let was_active = flags.contains(Flags::ACTIVE);
            let mut is_active = was_active;
            if state.contains(PhysicsState::FROZEN) || !flags.contains(Flags::HAS_CELL) {
                is_active = false;
            } else if let Some(viewpoint) = &viewpoint {
                *distance = viewpoint.distance(place);
                let is_near = *distance <= FAR_FROM_VIEWPOINT || flags.contains(Flags::LOCAL);
                is_active = is_near && (was_active || !state.contains(PhysicsState::STATIC));
            } else if no_viewpoint == NoViewpoint::EverybodyNear {
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
                journal.slice(*id, passed as f32);
                if flags.contains(Flags::INERT | Flags::WALKABLE) {
                    // A tick puts it to sleep, and the next one wakes it.
                    flags.toggle(Flags::DOZES);
                }
            } else {
                awake.push(slot);
            }
        }
    }

    /// Starts the clock of every body that is ahead of `now` anew.
    pub fn start_clocks_at(&mut self, now: f64) {
        for slot in 0..self.len() {
            if self.bodies[slot].updated > now {
                self.at(slot).restart_clock(now);
            }
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
    pub fn at(&mut self, slot: usize) -> BodyMut<'_, L> {
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
        let [targets, lookouts] = self.targets.memory();
        [
            MemoryPart::column("bodies", &self.bodies),
            MemoryPart::column("details", &self.details),
            MemoryPart::column("interpreted motions", &self.motions),
            MemoryPart::column("previous places", &self.previous),
            MemoryPart::column("ledgers", &self.ledgers),
            MemoryPart::column("extras", &self.extras),
            routes,
            waypoints,
            self.follows.memory("follows"),
            self.flights.memory("flights"),
            self.moves.memory("ways to somewhere"),
            targets,
            lookouts,
            legs,
            nodes,
            items,
        ]
    }
}

/// Returns the run rate in force: the local player's skill, or else what was last heard.
#[inline]
pub(crate) fn run_rate(flags: Flags, skills: &Skills, motion: &InterpretedMotion) -> f32 {
    if flags.contains(Flags::LOCAL) { skills.run_rate() } else { motion.run_rate }
}

/// One body, with everything it may touch: what a step or an update works on.
pub struct BodyMut<'a, L = AnimationPools> {
    pub body: &'a mut Body,
    pub detail: &'a mut Detail,
    pub motion: &'a mut InterpretedMotion,
    pub previous: Option<&'a mut Placement>,
    pub ledger: &'a mut Ledger,
    pub routes: &'a mut Routes,
    pub follows: &'a mut Pool<Follow>,
    pub flights: &'a mut Pool<Flight>,
    pub moves: &'a mut Pool<MoveTo>,
    pub targets: &'a mut Targets,
    pub post: &'a mut Post,
    pub locomotion: &'a mut L,
    pub skills: &'a Skills,
    pub library: &'a MotionLibrary,
    pub extra: &'a mut Extra,
    pub stats: &'a mut Stats,
}

impl<L: Locomotion> BodyMut<'_, L> {
    /// Whether a step would move nothing, and at most tell others where it is.
    #[inline]
    pub fn is_at_rest(&self) -> bool {
        self.body.links.are_still() && !self.body.flags.intersects(RESTLESS)
    }

    /// Lets a body be stepped again. One that was asleep starts from now.
    ///
    /// Retail: `CPhysicsObj::set_active`, called by `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
    #[inline]
    pub fn wake(&mut self, now: f64) {
        let is_awake = self.body.flags & (Flags::ACTIVE | Flags::DOZES) == Flags::ACTIVE;
        if self.body.state.contains(PhysicsState::STATIC) || is_awake {
            return;
        }
        self.body.flags.insert(Flags::ACTIVE);
        self.body.flags.remove(Flags::DOZES);
        self.restart_clock(now);
    }

    /// Starts the body's clock from now, without a step for the time that has passed.
    pub const fn restart_clock(&mut self, now: f64) {
        self.extra.idle_since += now - self.body.updated;
        self.body.updated = now;
    }

    /// Turns a body on the spot, now. It is drawn so at once: this is no step that could be drawn half done.
    pub fn turn(&mut self, rotation: Rotation) {
        self.body.place.pose = self.body.place.pose.with_rotation(rotation);
        if let Some(previous) = &mut self.previous {
            previous.pose = previous.pose.with_rotation(rotation);
        }
    }

    #[inline]
    pub fn flight(&self) -> Flight {
        self.flights.get(self.body.links.flight).copied().unwrap_or(Flight::REST)
    }

    /// Stores velocity and spin; a body that has neither loses its entry.
    pub fn set_flight(&mut self, flight: Flight) {
        let link = &mut self.body.links.flight;
        if flight == Flight::REST {
            self.flights.remove(link);
        } else if let Some(stored) = self.flights.get_mut(*link) {
            *stored = flight;
        } else {
            *link = self.flights.insert(flight);
        }
    }

    /// Retail: `CPhysicsObj::set_velocity` (11.4186 @ 0x005113F0)
    pub fn set_velocity(&mut self, velocity: Vec3, now: f64) {
        let mut flight = self.flight();
        flight.set_velocity(velocity);
        self.set_flight(flight);
        self.wake(now);
    }

    pub fn set_omega(&mut self, omega: Vec3) {
        let flight = Flight { omega, ..self.flight() };
        self.set_flight(flight);
    }

    /// Decides whether gravity pulls; a body that stands firmly stops spinning.
    ///
    /// Retail: `CPhysicsObj::calc_acceleration` (11.4186 @ 0x00510950)
    /// Disputed: ACE does not exempt sledding.
    #[inline(always)]
    pub fn settle_acceleration(&mut self) {
        let state = self.body.state;
        let stands = self.body.flags.contains(Flags::CONTACT | Flags::WALKABLE);
        if stands && !state.contains(PhysicsState::SLEDDING) {
            self.body.flags.remove(Flags::FALLING);
            if self.body.links.flight.is_some() {
                self.set_omega(Vec3::ZERO);
            }
        } else {
            self.body.flags.set(Flags::FALLING, state.contains(PhysicsState::GRAVITY));
        }
    }

    /// Returns the run rate in force.
    #[inline]
    pub fn run_rate(&self) -> f32 {
        run_rate(self.body.flags, self.skills, self.motion)
    }

    /// Brings the closing speed on a route up to date with what the body is doing.
    #[inline]
    pub fn update_chase_speed(&mut self) {
        self.detail.chase_speed = chase_speed(self.motion.adjusted_max_speed(self.run_rate()));
    }

    pub fn heading_mode(&self) -> HeadingMode {
        if self.body.flags.contains(Flags::KEEPS_HEADING) { HeadingMode::Keep } else { HeadingMode::Adopt }
    }

    /// Counts what became of an update, for the body and in total.
    #[inline]
    pub const fn count(&mut self, disposition: &Disposition) {
        self.ledger.counters.count(disposition);
        self.stats.heard.count(disposition);
    }

    /// Counts a snap that no update asked for.
    pub const fn count_snap(&mut self, reason: PlaceReason) {
        self.ledger.counters.count_snap(reason);
        self.stats.heard.count_snap(reason);
    }

    /// Counts that the body reached its last waypoint while its legs go on.
    pub const fn count_starved(&mut self) {
        let counters = &mut self.ledger.counters;
        counters.starved = counters.starved.saturating_add(1);
        self.stats.heard.starved = self.stats.heard.starved.saturating_add(1);
    }
}

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
