//! One step of one body.
//!
//! Root motion → route → follow → tether → velocity, gravity, spin → sweep → commit, contact edges → route recovery, follow
//! timeout. The order is the client's, and every later phase sees what the earlier ones left.

use evenstride_types::{Heading, Placement, Pose, Vec3, nearly_equal, update::PhysicsState};

use crate::{
    config::Takeoff,
    flight::{Drag, Flight},
    gait::{chase_speed, follow_speed},
    intake::Door,
    journal::{Journal, Note},
    route::{HeadingMode, Leg, Recovery, leg_offset},
    store::{Flags, Store},
    surroundings::{Contact, Footing, Surroundings, Sweep, Swept, WALKABLE_NORMAL_Z},
    tether::hold_back,
};

impl Store {
    /// Moves a body by `secs`. `target_now` is where the one it follows is, if it follows one that is known.
    ///
    /// Retail: `CPhysicsObj::UpdateObjectInternal` (11.4186 @ 0x005156B0)
    #[inline]
    pub(crate) fn step(
        &mut self,
        slot: usize,
        secs: f32,
        target_now: Option<Placement>,
        door: Door<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        if !self.flags[slot].contains(Flags::ACTIVE | Flags::HAS_CELL) {
            return;
        }
        let here = self.place[slot];
        self.previous[slot] = here;
        match self.trial(slot, &here, secs, target_now, journal) {
            Some(trial) => self.sweep(slot, &here, trial, secs, door, journal),
            None => {
                self.stats.steps_out_of_bounds += 1;
                self.stand(slot, here.pose);
            }
        }
        if self.links[slot].route.is_some() {
            self.recover(slot, door, journal);
        }
        if self.follows.get(self.links[slot].follow).is_some_and(|follow| follow.is_over(door.now)) {
            journal.note(Note::FollowTimedOut);
            self.end_follow(slot);
        }
    }

    /// Where the body wants to be; `None` when that cannot be said in numbers.
    ///
    /// Retail: `CPhysicsObj::UpdatePositionInternal` (11.4186 @ 0x00512C30)
    #[inline]
    fn trial(
        &mut self,
        slot: usize,
        here: &Placement,
        secs: f32,
        target_now: Option<Placement>,
        journal: &mut impl Journal,
    ) -> Option<Pose> {
        let links = self.links[slot];
        let flags = self.flags[slot];
        let is_hidden = self.state[slot].contains(PhysicsState::HIDDEN);
        let in_contact = flags.contains(Flags::CONTACT);
        let leg = if links.route.is_some() && in_contact {
            let speed = chase_speed(&self.gait[slot]);
            self.routes.chase(&mut self.links[slot].route, here, speed, secs, links.follow.is_some(), journal)
        } else {
            None
        };
        let trial = match leg {
            // The common case by far: nothing but a waypoint, whose orientation is simply taken on. Composing the offset in
            // the body's own axes and applying it would give the same up to rounding (a few 10⁻⁷ of the distance).
            Some(leg) if !links.follow.is_some() && self.heading_mode(slot) == HeadingMode::Adopt => {
                self.walk_leg(slot, here, &leg, in_contact)?
            }
            leg => self.compose(slot, here, leg, secs, target_now)?,
        };
        if is_hidden { Some(trial) } else { self.fly(slot, trial, secs) }
    }

    /// The whole way: root motion or leg, then follow, then tether, as an offset in the body's own axes.
    #[inline(never)]
    fn compose(
        &mut self,
        slot: usize,
        here: &Placement,
        leg: Option<Leg>,
        secs: f32,
        target_now: Option<Placement>,
    ) -> Option<Pose> {
        let is_hidden = self.state[slot].contains(PhysicsState::HIDDEN);
        let in_contact = self.flags[slot].contains(Flags::CONTACT);
        let mut offset = match leg {
            Some(leg) => leg_offset(&leg, &here.pose, self.heading_mode(slot)),
            None if is_hidden => Pose::IDENTITY,
            None => self.root_motion(slot, secs)?,
        };
        if let Some(follow) = self.follows.get(self.links[slot].follow) {
            let (radius, speed) = (self.build[slot].radius, follow_speed(&self.gait[slot]));
            if let Some(follows) = follow.offset(here, radius, target_now.as_ref(), speed, secs, &offset) {
                offset = follows;
            }
        }
        if offset == Pose::IDENTITY {
            return Some(here.pose);
        }
        hold_back(&mut self.tether[slot], in_contact, &mut offset);
        Some(here.pose.combine(&offset))
    }

    /// A leg, shortened by what the tether allows.
    #[inline]
    fn walk_leg(&mut self, slot: usize, here: &Placement, leg: &Leg, in_contact: bool) -> Option<Pose> {
        let tether = &mut self.tether[slot];
        let part = if tether.is_on { tether.allow(leg.length, in_contact) } else { 1.0 };
        let origin = (here.pose.origin().as_dvec3() + leg.displacement.as_dvec3() * part).as_vec3();
        Pose::new(origin, leg.rotation).ok()
    }

    /// Root motion of this step, scaled on walkable ground and without translation elsewhere.
    fn root_motion(&self, slot: usize, secs: f32) -> Option<Pose> {
        let Some(drift) = self.drifts.get(self.links[slot].drift) else { return Some(Pose::IDENTITY) };
        let scale = if self.flags[slot].contains(Flags::WALKABLE) { self.build[slot].scale } else { 0.0 };
        let moved = (drift.velocity.as_dvec3() * f64::from(secs)).as_vec3() * scale;
        let spin = (drift.omega.as_dvec3() * f64::from(secs)).as_vec3();
        Some(Pose::IDENTITY.with_origin(moved).ok()?.spun_locally(spin))
    }

    /// Adds velocity, gravity and spin.
    #[inline]
    fn fly(&mut self, slot: usize, trial: Pose, secs: f32) -> Option<Pose> {
        let flags = self.flags[slot];
        let is_falling = flags.contains(Flags::FALLING);
        if !self.links[slot].flight.is_some() && !is_falling {
            return Some(trial);
        }
        self.carry(slot, trial, secs, is_falling)
    }

    #[inline(never)]
    fn carry(&mut self, slot: usize, trial: Pose, secs: f32, is_falling: bool) -> Option<Pose> {
        let flags = self.flags[slot];
        let rubs = flags.contains(Flags::WALKABLE | Flags::HAS_NORMAL);
        let drag = rubs.then_some(Drag { normal: self.normal[slot], friction: self.build[slot].friction });
        let mut flight = self.flight(slot);
        let (origin, spun) = flight.carry(trial, secs, is_falling, drag, self.state[slot]);
        self.set_flight(slot, flight);
        spun.with_origin(origin).ok()
    }

    /// Asks the surroundings how far the body gets, and commits that.
    #[inline]
    fn sweep(
        &mut self,
        slot: usize,
        here: &Placement,
        mut trial: Pose,
        secs: f32,
        door: Door<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        if nearly_equal(trial.origin(), here.pose.origin()) {
            self.stand(slot, trial);
            return;
        }
        let Flight { velocity, took_off_z, .. } = self.flight(slot);
        if self.state[slot].intersects(PhysicsState::ALIGN_PATH | PhysicsState::SLEDDING) {
            trial = trial.with_rotation(self.aligned(slot, here, &trial, velocity));
        }
        let sweep = Sweep {
            entity: self.id[slot],
            from: *here,
            to: Placement::new(here.cell, trial),
            footing: self.footing(slot, velocity),
            took_off_z,
            state: self.state[slot],
            radius: self.build[slot].radius,
        };
        match door.surroundings.sweep(&sweep) {
            Swept::Moved { at, contact, ran_into } if at.pose.is_in_bounds() => {
                let moved = here.offset_to(&at).as_dvec3() / f64::from(secs);
                self.moved_at[slot] = moved.as_vec3();
                self.flags[slot].insert(Flags::WAS_MOVING);
                self.place[slot] = at;
                let stood = self.flags[slot].contains(Flags::WALKABLE);
                self.set_contact(slot, contact, door, journal);
                if let Some(normal) = ran_into {
                    self.bounce(slot, normal, stood);
                }
            }
            Swept::Moved { .. } => {
                self.stats.steps_out_of_bounds += 1;
                self.stand(slot, trial);
            }
            Swept::Blocked => self.stand(slot, trial),
        }
    }

    /// Stays in place; turning is always allowed.
    #[inline]
    fn stand(&mut self, slot: usize, trial: Pose) {
        let pose = &mut self.place[slot].pose;
        *pose = pose.with_rotation(trial.rotation());
        self.moved_at[slot] = Vec3::ZERO;
        self.flags[slot].remove(Flags::WAS_MOVING);
    }

    /// Arrows point where they fly, sleds where they slide.
    #[cold]
    fn aligned(
        &self,
        slot: usize,
        here: &Placement,
        trial: &Pose,
        velocity: Vec3,
    ) -> evenstride_types::Rotation {
        let state = self.state[slot];
        if state.contains(PhysicsState::ALIGN_PATH) {
            trial.rotation().looking_along(trial.origin() - here.pose.origin())
        } else if state.contains(PhysicsState::SLEDDING) {
            Heading::of_direction(velocity)
                .map_or(trial.rotation(), |heading| trial.rotation().with_heading(heading))
        } else {
            trial.rotation()
        }
    }

    /// Retail: `CPhysicsObj::check_contact` (11.4186 @ 0x0050F5B0)
    #[inline]
    fn footing(&self, slot: usize, velocity: Vec3) -> Footing {
        let flags = self.flags[slot];
        if !flags.contains(Flags::CONTACT) {
            return Footing::Airborne;
        }
        let away = velocity.as_dvec3().dot(self.normal[slot].as_dvec3());
        if away > f64::from(evenstride_types::EPSILON) { Footing::Leaving } else { Footing::Grounded }
    }

    /// Takes note of what the body touches, and of leaving or reaching walkable ground.
    ///
    /// Retail: `CPhysicsObj::SetPositionInternal` (11.4186 @ 0x00515330)
    #[inline]
    pub(crate) fn set_contact(
        &mut self,
        slot: usize,
        contact: Contact,
        door: Door<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        if contact == Contact::Kept {
            self.settle_acceleration(slot);
            return;
        }
        self.change_contact(slot, contact, door, journal);
    }

    #[inline(never)]
    fn change_contact(
        &mut self,
        slot: usize,
        contact: Contact,
        door: Door<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        let stood = self.flags[slot].contains(Flags::WALKABLE);
        let stands = match contact {
            Contact::Kept => stood,
            Contact::Lost => {
                self.flags[slot].remove(Flags::CONTACT | Flags::HAS_NORMAL | Flags::WALKABLE);
                false
            }
            Contact::On(normal) => {
                self.flags[slot].insert(Flags::CONTACT | Flags::HAS_NORMAL);
                self.normal[slot] = normal;
                let walkable = normal.z >= WALKABLE_NORMAL_Z;
                self.flags[slot].set(Flags::WALKABLE, walkable);
                walkable
            }
        };
        if stood && !stands {
            self.settle_acceleration(slot);
            journal.note(Note::TookOff);
            self.leave_ground(slot, door);
            // The place before this step: the step itself already rose.
            let flight = Flight { took_off_z: Some(self.previous[slot].pose.origin().z), ..self.flight(slot) };
            self.set_flight(slot, flight);
        } else if !stood && stands {
            journal.note(Note::Landed);
            let flight = Flight { took_off_z: None, ..self.flight(slot) };
            self.set_flight(slot, flight);
        }
        self.settle_acceleration(slot);
    }

    /// The gait decides the velocity with which a body leaves the ground, if it moves at all.
    ///
    /// Retail: `CMotionInterp::LeaveGround` (11.4186 @ 0x00528B00)
    fn leave_ground(&mut self, slot: usize, door: Door<'_, impl Surroundings + ?Sized>) {
        if !self.state[slot].contains(PhysicsState::GRAVITY) {
            return;
        }
        let now = door.now.as_secs();
        let had = self.flight(slot).velocity;
        let Some(local) = self.gait[slot].leave_ground_velocity() else {
            self.wake(slot, now);
            return;
        };
        let mut velocity = self.place[slot].pose.rotation().basis().to_global(local);
        if door.config.takeoff == Takeoff::ImpulseKeepsItsRise {
            velocity.z = had.z;
        }
        self.set_velocity(slot, velocity, now);
    }

    /// Retail: `CPhysicsObj::handle_all_collisions` (11.4186 @ 0x00514780)
    fn bounce(&mut self, slot: usize, normal: Vec3, stood: bool) {
        let state = self.state[slot];
        let stands = self.flags[slot].contains(Flags::WALKABLE);
        if stood && stands && !state.contains(PhysicsState::SLEDDING) {
            return;
        }
        let mut flight = self.flight(slot);
        flight.bounce(normal, self.build[slot].elasticity, state);
        self.set_flight(slot, flight);
    }

    /// Puts the body at the end of a route that has failed, and does what other waypoints ask for.
    #[inline]
    fn recover(
        &mut self,
        slot: usize,
        door: Door<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        let here = self.place[slot];
        match self.routes.recover(&mut self.links[slot].route, &here, journal) {
            Recovery::Snap { to, velocity } => {
                let done = match to {
                    Some(to) => self.put(slot, to, true, door, journal),
                    None => {
                        journal.note(Note::PlacementRefused);
                        false
                    }
                };
                if done {
                    self.routes.stop(&mut self.links[slot].route);
                    if let Some(velocity) = velocity {
                        self.set_velocity(slot, velocity, door.now.as_secs());
                    }
                }
            }
            Recovery::TakeVelocity(velocity) => self.set_velocity(slot, velocity, door.now.as_secs()),
            Recovery::Nothing => {}
        }
    }
}
