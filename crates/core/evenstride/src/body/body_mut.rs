//! One body with everything it may touch: what a step or an update works on.

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
        route::{HeadingMode, Routes, chase_speed},
        skills::Skills,
    },
    outcome::PlaceReason,
    storage::pool::Pool,
};

/// One body, with everything it may touch: what a step or an update works on.
pub struct BodyMut<'a, L = AnimationPools> {
    pub body: &'a mut HotRow,
    pub detail: &'a mut MotionRow,
    pub motion: &'a mut InterpretedMotion,
    pub previous: Option<&'a mut Placement>,
    pub ledger: &'a mut MessageRow,
    pub routes: &'a mut Routes,
    pub follows: &'a mut Pool<Follow>,
    pub flights: &'a mut Pool<Flight>,
    pub moves: &'a mut Pool<MoveTo>,
    pub targets: &'a mut Targets,
    pub post: &'a mut NoticeQueue,
    pub locomotion: &'a mut L,
    pub skills: &'a Skills,
    pub library: &'a MotionLibrary,
    pub extra: &'a mut ColdRow,
    pub stats: &'a mut Stats,
}

impl<L: Locomotion> BodyMut<'_, L> {
    /// Whether a step would move nothing, and at most tell others where it is.
    #[inline]
    pub fn is_at_rest(&self) -> bool {
        self.body.links.are_still() && !self.body.flags.intersects(Flags::RESTLESS)
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

/// Returns the run rate in force: the local player's skill, or else what was last heard.
#[inline]
pub(crate) fn run_rate(flags: Flags, skills: &Skills, motion: &InterpretedMotion) -> f32 {
    if flags.contains(Flags::LOCAL) { skills.run_rate() } else { motion.run_rate }
}
