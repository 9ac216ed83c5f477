//! Where bodies are kept: one column per thing that every body has, pools for what few have.

use alloc::vec::Vec;

use bitflags::bitflags;
use evenstride_types::{EntityId, LANDBLOCK_SIZE, Placement, Rotation, StampTable, Vec3, update::PhysicsState};

use crate::{
    flight::Flight,
    follow::Follow,
    gait::Gait,
    intake::FAR_FROM_VIEWPOINT,
    journal::Journal,
    pool::{Link, Pool},
    route::{HeadingMode, Routes},
    stats::Stats,
    tether::Tether,
};

bitflags! {
    /// Yes-or-no state of a body.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Flags: u16 {
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
        /// Follows or is followed: stepped in order of id.
        const LINKED = 1 << 9;
    }
}

/// What a body is made of; set when it appears, hardly ever changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Build {
    pub(crate) scale: f32,
    pub(crate) radius: f32,
    pub(crate) friction: f32,
    pub(crate) elasticity: f32,
}

/// Links into the pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Links {
    pub(crate) route: Link,
    pub(crate) follow: Link,
    pub(crate) flight: Link,
    pub(crate) drift: Link,
}

impl Links {
    pub(crate) const NONE: Self =
        Self { route: Link::NONE, follow: Link::NONE, flight: Link::NONE, drift: Link::NONE };

    #[inline]
    pub(crate) const fn is_none(&self) -> bool {
        Link::none_of([self.route, self.follow, self.flight, self.drift])
    }
}

/// Root motion of a body without animations: a velocity and a spin, its own axes.
///
/// Retail: `CSequence::update` (11.4186 @ 0x00525B80)
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Drift {
    pub(crate) velocity: Vec3,
    pub(crate) omega: Vec3,
}

/// All bodies. A body is an index into every column; columns are as long as there are bodies, without holes.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    // Read every tick.
    pub(crate) flags: Vec<Flags>,
    pub(crate) place: Vec<Placement>,
    pub(crate) updated: Vec<f64>,
    pub(crate) distance: Vec<f32>,
    pub(crate) links: Vec<Links>,
    // Read by bodies that move.
    pub(crate) tether: Vec<Tether>,
    pub(crate) gait: Vec<Gait>,
    pub(crate) state: Vec<PhysicsState>,
    pub(crate) build: Vec<Build>,
    pub(crate) normal: Vec<Vec3>,
    pub(crate) moved_at: Vec<Vec3>,
    /// Where the step before the last left each body; only kept where drawing needs it.
    pub(crate) previous: Vec<Placement>,
    // Read at the door.
    pub(crate) id: Vec<EntityId>,
    pub(crate) stamps: Vec<StampTable>,

    pub(crate) routes: Routes,
    pub(crate) follows: Pool<Follow>,
    pub(crate) flights: Pool<Flight>,
    pub(crate) drifts: Pool<Drift>,
    pub(crate) stats: Stats,
}

/// Between which limits the time since an idle body's last step is simply taken as passed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdleTime {
    pub(crate) min: f64,
    pub(crate) max: f64,
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

/// A body as it is first put in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewBody {
    pub(crate) id: EntityId,
    pub(crate) place: Placement,
    pub(crate) flags: Flags,
    pub(crate) state: PhysicsState,
    pub(crate) build: Build,
    pub(crate) gait: Gait,
    pub(crate) stamps: StampTable,
    pub(crate) updated: f64,
}

impl Store {
    pub(crate) const fn new() -> Self {
        Self {
            flags: Vec::new(),
            place: Vec::new(),
            updated: Vec::new(),
            distance: Vec::new(),
            links: Vec::new(),
            tether: Vec::new(),
            gait: Vec::new(),
            state: Vec::new(),
            build: Vec::new(),
            normal: Vec::new(),
            moved_at: Vec::new(),
            previous: Vec::new(),
            id: Vec::new(),
            stamps: Vec::new(),
            routes: Routes::new(),
            follows: Pool::new(),
            flights: Pool::new(),
            drifts: Pool::new(),
            stats: Stats {
                refused_positions: 0,
                refused_vectors: 0,
                refused_movements: 0,
                far_waypoints_dropped: 0,
                steps_out_of_bounds: 0,
                time_went_back: 0,
                time_dropped: 0,
            },
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.flags.len()
    }

    pub(crate) fn push(&mut self, body: NewBody) -> usize {
        self.flags.push(body.flags);
        self.place.push(body.place);
        self.previous.push(body.place);
        self.updated.push(body.updated);
        // Unknown until the first tick that has a viewpoint: farther than everything.
        self.distance.push(f32::MAX);
        self.links.push(Links::NONE);
        self.tether.push(Tether::default());
        self.gait.push(body.gait);
        self.state.push(body.state);
        self.build.push(body.build);
        self.normal.push(Vec3::Z);
        self.moved_at.push(Vec3::ZERO);
        self.id.push(body.id);
        self.stamps.push(body.stamps);
        let slot = self.len() - 1;
        self.settle_acceleration(slot);
        slot
    }

    /// Takes a body out; the last body moves into its slot.
    pub(crate) fn swap_remove(&mut self, slot: usize) {
        let links = &mut self.links[slot];
        self.routes.stop(&mut links.route);
        self.follows.remove(&mut links.follow);
        self.flights.remove(&mut links.flight);
        self.drifts.remove(&mut links.drift);
        self.flags.swap_remove(slot);
        self.place.swap_remove(slot);
        self.previous.swap_remove(slot);
        self.updated.swap_remove(slot);
        self.distance.swap_remove(slot);
        self.links.swap_remove(slot);
        self.tether.swap_remove(slot);
        self.gait.swap_remove(slot);
        self.state.swap_remove(slot);
        self.build.swap_remove(slot);
        self.normal.swap_remove(slot);
        self.moved_at.swap_remove(slot);
        self.id.swap_remove(slot);
        self.stamps.swap_remove(slot);
    }

    /// Puts to sleep what is far from the viewpoint, frozen or nowhere, wakes what came near, and notes all distances.
    ///
    /// One pass over the columns, and all that an idle body costs: its clock is moved on here too, by `pass` seconds at most and
    /// only if that is what one step would have done. Everybody else who is awake is put on the list.
    pub(crate) fn sort_out(
        &mut self,
        viewpoint: Option<&Placement>,
        now: f64,
        idle_time: IdleTime,
        awake: &mut Vec<u32>,
        journal: &mut impl Journal,
    ) {
        let Self { flags, place, state, distance, updated, previous, links, .. } = self;
        let viewpoint = viewpoint.map(Viewpoint::new);
        let bodies = flags.iter_mut().zip(place).zip(state).zip(distance).zip(updated).zip(links).zip(previous);
        for (slot, ((((((flags, place), state), distance), updated), links), previous)) in (0u32..).zip(bodies) {
            let was_active = flags.contains(Flags::ACTIVE);
            let mut is_active = was_active;
            if state.contains(PhysicsState::FROZEN) || !flags.contains(Flags::HAS_CELL) {
                is_active = false;
            } else if let Some(viewpoint) = &viewpoint {
                *distance = viewpoint.distance(place);
                is_active = *distance <= FAR_FROM_VIEWPOINT && (was_active || !state.contains(PhysicsState::STATIC));
            }
            if is_active != was_active {
                flags.set(Flags::ACTIVE, is_active);
                if is_active {
                    *updated = now;
                } else {
                    // What is not stepped is drawn where it is.
                    *previous = *place;
                }
            }
            if !is_active {
                continue;
            }
            let passed = now - *updated;
            let is_idle = links.is_none() && !flags.intersects(Flags::FALLING | Flags::WAS_MOVING | Flags::LINKED);
            if is_idle && passed > idle_time.min && passed <= idle_time.max {
                *updated += passed;
                journal.slice(passed as f32);
            } else {
                awake.push(slot);
            }
        }
    }

    /// Whether a step would change nothing.
    #[inline]
    pub(crate) fn is_idle(&self, slot: usize) -> bool {
        self.links[slot].is_none() && !self.flags[slot].intersects(Flags::FALLING | Flags::WAS_MOVING)
    }

    /// Lets a body be stepped again. One that was asleep starts from now.
    ///
    /// Retail: `CPhysicsObj::set_active`, called by `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
    #[inline]
    pub(crate) fn wake(&mut self, slot: usize, now: f64) {
        if self.state[slot].contains(PhysicsState::STATIC) || self.flags[slot].contains(Flags::ACTIVE) {
            return;
        }
        self.flags[slot].insert(Flags::ACTIVE);
        self.updated[slot] = now;
    }

    /// Turns a body on the spot, now. The next step has to take note, so that it is not drawn turning for ever.
    pub(crate) fn turn(&mut self, slot: usize, rotation: Rotation) {
        self.place[slot].pose = self.place[slot].pose.with_rotation(rotation);
        self.flags[slot].insert(Flags::WAS_MOVING);
    }

    #[inline]
    pub(crate) fn flight(&self, slot: usize) -> Flight {
        self.flights.get(self.links[slot].flight).copied().unwrap_or(Flight::REST)
    }

    /// Stores velocity and spin; a body that has neither loses its entry.
    pub(crate) fn set_flight(&mut self, slot: usize, flight: Flight) {
        let link = &mut self.links[slot].flight;
        if flight == Flight::REST {
            self.flights.remove(link);
        } else if let Some(stored) = self.flights.get_mut(*link) {
            *stored = flight;
        } else {
            *link = self.flights.insert(flight);
        }
    }

    /// Retail: `CPhysicsObj::set_velocity` (11.4186 @ 0x005113F0)
    pub(crate) fn set_velocity(&mut self, slot: usize, velocity: Vec3, now: f64) {
        let mut flight = self.flight(slot);
        flight.set_velocity(velocity);
        self.set_flight(slot, flight);
        self.wake(slot, now);
    }

    pub(crate) fn set_omega(&mut self, slot: usize, omega: Vec3) {
        let flight = Flight { omega, ..self.flight(slot) };
        self.set_flight(slot, flight);
    }

    /// Decides whether gravity pulls; a body that stands firmly stops spinning.
    ///
    /// Retail: `CPhysicsObj::calc_acceleration` (11.4186 @ 0x00510950)
    /// Disputed: ACE does not exempt sledding.
    #[inline]
    pub(crate) fn settle_acceleration(&mut self, slot: usize) {
        let state = self.state[slot];
        let stands = self.flags[slot].contains(Flags::CONTACT | Flags::WALKABLE);
        if stands && !state.contains(PhysicsState::SLEDDING) {
            self.flags[slot].remove(Flags::FALLING);
            if self.links[slot].flight.is_some() {
                self.set_omega(slot, Vec3::ZERO);
            }
        } else {
            self.flags[slot].set(Flags::FALLING, state.contains(PhysicsState::GRAVITY));
        }
    }

    #[inline]
    pub(crate) fn heading_mode(&self, slot: usize) -> HeadingMode {
        if self.flags[slot].contains(Flags::KEEPS_HEADING) { HeadingMode::Keep } else { HeadingMode::Adopt }
    }

    /// Ends a follow, and with it any server-controlled movement.
    ///
    /// Retail: `StickyManager::UnStick` (11.4186 @ 0x00555400)
    pub(crate) fn end_follow(&mut self, slot: usize) {
        if self.links[slot].follow.is_some() {
            self.follows.remove(&mut self.links[slot].follow);
            self.flags[slot].remove(Flags::MOVES_TO);
        }
    }
}
