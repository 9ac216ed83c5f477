//! One body with everything that a rule may touch.
//!
//! Steps, messages and goals all work on a [`BodyMut`]. `MotionWorld::with_body` lends it for a
//! message, and `step/rounds.rs` for a step. Both set the subject of the journal first and deliver
//! notices afterwards, so rules need not.
//!
//! Methods in this file keep derived state consistent, such as flags, clocks and pool entries.
//! Rules are methods of the same type in `step/`, `inbound/`, `moveto/` and `player/`.

use evenstride_types::{Placement, Rotation, Vec3, update::PhysicsState};

use crate::{
    body::{
        flags::Flags,
        locomotion::Locomotion,
        observers::{NoticeQueue, Targets},
        rows::{ColdRow, HotRow, MessageRow, MotionRow},
    },
    journal::Stats,
    motion::{
        InterpretedMotion, MotionLibrary,
        animator::AnimationPools,
        flight::Flight,
        follow::Follow,
        goal::MoveTo,
        route::{HeadingMode, Route, Waypoints, chase_speed},
        skills::Skills,
    },
    outcome::PlaceReason,
    storage::pool::Pool,
};

/// One body with everything that a rule may touch.
///
/// The rows belong to the body. The pools belong to all bodies, and a rule follows only the links
/// of its own.
pub struct BodyMut<'a, L = AnimationPools> {
    /// Place, clock and flags.
    pub hot: &'a mut HotRow,
    /// Tether, dimensions and contact normal.
    pub moving: &'a mut MotionRow,
    /// Oldest waypoint, and progress towards it.
    pub route: &'a mut Route,
    /// Interpreted motion. Only the interpreter changes it (`with_driver`).
    pub motion: &'a mut InterpretedMotion,
    /// Place before the last step, or `None` if the body is not drawn between steps.
    pub previous: Option<&'a mut Placement>,
    /// Stamps and counters.
    pub messages: &'a mut MessageRow,
    /// Later waypoints of all bodies.
    pub waypoints: &'a mut Waypoints,
    /// Follows of all bodies.
    pub follows: &'a mut Pool<Follow>,
    /// Velocities and spins of all bodies.
    pub flights: &'a mut Pool<Flight>,
    /// Goals of all bodies.
    pub moves: &'a mut Pool<MoveTo>,
    /// Observations of all bodies.
    pub targets: &'a mut Targets,
    /// Queue for notices to other bodies, which the caller delivers.
    pub notices: &'a mut NoticeQueue,
    /// Animations of all bodies.
    pub locomotion: &'a mut L,
    /// Skills of the local player. Other bodies ignore them.
    pub skills: &'a Skills,
    /// Motion tables and animations that can be played.
    pub library: &'a MotionLibrary,
    /// Key, resources, holding, links to follow, goal and observation, and the time up to which idle
    /// animations are played.
    pub cold: &'a mut ColdRow,
    /// Counters over the whole world.
    pub stats: &'a mut Stats,
}

impl<L: Locomotion> BodyMut<'_, L> {
    /// Activates a body, so that the next round steps it.
    ///
    /// The clock of a body that was inactive or dozing starts at `now`. Static bodies stay
    /// inactive, and an active body is left alone.
    ///
    /// Retail: `CPhysicsObj::set_active`, called by `CPhysicsObj::update_object` (11.4186 @ 0x00515D10)
    #[inline]
    pub fn wake(&mut self, now: f64) {
        let is_awake = self.hot.flags & (Flags::ACTIVE | Flags::DOZES) == Flags::ACTIVE;
        if self.hot.state.contains(PhysicsState::STATIC) || is_awake {
            return;
        }
        self.hot.flags.insert(Flags::ACTIVE);
        self.hot.flags.remove(Flags::DOZES);
        self.restart_clock(now);
    }

    /// Sets the body's clock to `now` without a step for the time between.
    ///
    /// An idle animation does not continue during that time either.
    pub const fn restart_clock(&mut self, now: f64) {
        self.cold.idle_since += now - self.hot.updated;
        self.hot.updated = now;
    }

    /// Turns a body on the spot at once.
    ///
    /// The previous place is turned too, so the body is not drawn turning between two steps.
    pub fn turn(&mut self, rotation: Rotation) {
        self.hot.place.pose = self.hot.place.pose.with_rotation(rotation);
        if let Some(previous) = &mut self.previous {
            previous.pose = previous.pose.with_rotation(rotation);
        }
    }

    /// Returns velocity and spin, or `Flight::REST` for a body without an entry.
    #[inline]
    pub fn flight(&self) -> Flight {
        self.flights.get(self.hot.flight).copied().unwrap_or(Flight::REST)
    }

    /// Stores velocity and spin. A flight equal to `Flight::REST` frees the entry.
    ///
    /// A known ground below the body keeps the entry too, even without velocity.
    pub fn set_flight(&mut self, flight: Flight) {
        let link = &mut self.hot.flight;
        if flight == Flight::REST {
            self.flights.remove(link);
        } else if let Some(stored) = self.flights.get_mut(*link) {
            *stored = flight;
        } else {
            *link = self.flights.insert(flight);
        }
        self.hot.flags.set(Flags::FLIES, flight != Flight::REST);
    }

    /// Sets the velocity in metres per second, world axes, and wakes the body.
    ///
    /// The speed is limited to 50 m/s. A body that is woken starts its clock at `now`.
    ///
    /// Retail: `CPhysicsObj::set_velocity` (11.4186 @ 0x005113F0)
    pub fn set_velocity(&mut self, velocity: Vec3, now: f64) {
        let mut flight = self.flight();
        flight.set_velocity(velocity);
        self.set_flight(flight);
        self.wake(now);
    }

    /// Sets the spin in radians per second, world axes. Does not wake the body.
    pub fn set_omega(&mut self, omega: Vec3) {
        let flight = Flight { omega, ..self.flight() };
        self.set_flight(flight);
    }

    /// Decides from contact and state whether gravity accelerates the body.
    ///
    /// A body that stands on walkable ground and does not sled also stops spinning. Callers do this
    /// after each change of contact, and not in each step.
    ///
    /// Retail: `CPhysicsObj::calc_acceleration` (11.4186 @ 0x00510950)
    /// Disputed: ACE does not exempt sledding.
    #[inline(always)]
    pub fn settle_acceleration(&mut self) {
        let state = self.hot.state;
        let stands = self.hot.flags.contains(Flags::CONTACT | Flags::WALKABLE);
        if stands && !state.contains(PhysicsState::SLEDDING) {
            self.hot.flags.remove(Flags::FALLING);
            if self.hot.flags.contains(Flags::FLIES) {
                self.set_omega(Vec3::ZERO);
            }
        } else {
            self.hot.flags.set(Flags::FALLING, state.contains(PhysicsState::GRAVITY));
        }
    }

    /// Ends the route, if the body is on one.
    pub fn stop_route(&mut self) {
        if self.hot.flags.contains(Flags::ROUTED) {
            self.route.stop(self.waypoints);
            self.hot.flags.remove(Flags::ROUTED);
        }
    }

    /// Mirrors in the flags whether the body is on a route, after a change of the route.
    #[inline]
    pub fn mirror_route(&mut self) {
        self.hot.flags.set(Flags::ROUTED, self.route.is_on());
    }

    /// Returns the run rate in force, as a multiple of the slowest runner's speed.
    #[inline]
    pub fn run_rate(&self) -> f32 {
        run_rate(self.hot.flags, self.skills, self.motion)
    }

    /// Recomputes the speed on a route from the interpreted motion and the run rate.
    ///
    /// Each change of either must be followed by this call.
    #[inline]
    pub fn update_chase_speed(&mut self) {
        self.moving.chase_speed = chase_speed(self.motion.adjusted_max_speed(self.run_rate()));
    }

    /// Returns whether waypoints turn the body.
    pub fn heading_mode(&self) -> HeadingMode {
        if self.hot.flags.contains(Flags::KEEPS_HEADING) { HeadingMode::Keep } else { HeadingMode::Adopt }
    }

    /// Counts a snap that no message asked for. The dispatch counts the others.
    pub const fn count_snap(&mut self, reason: PlaceReason) {
        self.messages.counters.count_snap(reason);
        self.stats.heard.count_snap(reason);
    }

    /// Counts a body that reached its last waypoint while its motion goes on.
    pub const fn count_starved(&mut self) {
        let counters = &mut self.messages.counters;
        counters.starved = counters.starved.saturating_add(1);
        self.stats.heard.starved = self.stats.heard.starved.saturating_add(1);
    }
}

/// Returns the run rate in force.
///
/// The rate of the local player follows from its skill. The rate of other bodies is the last
/// received one.
#[inline]
pub(crate) fn run_rate(flags: Flags, skills: &Skills, motion: &InterpretedMotion) -> f32 {
    if flags.contains(Flags::LOCAL) { skills.run_rate() } else { motion.run_rate }
}
