//! One step of one body.
//!
//! Root motion → route → follow → tether → velocity, gravity, spin → animations that ended → sweep → commit, contact edges → targets →
//! move-to → motions that take no time → route recovery, follow timeout. The order is the client's, and every later phase sees what the earlier ones left.

mod placing;
pub(crate) mod rounds;

use evenstride_types::{
    Heading, Placement, Pose, SimTime, Vec3, is_nearly_zero, length, nearly_equal, update::PhysicsState,
};

use crate::{
    body::{
        body_mut::BodyMut,
        context::Context,
        flags::Flags,
        locomotion::{Locomotion, RootMotion},
    },
    config::Takeoff,
    journal::{Happening, Journal},
    motion::{
        flight::{Drag, Flight, Missed},
        follow::follow_speed,
        interpreter::max_speed,
        route::{HeadingMode, Leg, Recovery, leg_offset},
        tether::hold_back,
    },
    outcome::PlaceReason,
    surroundings::{Contact, Footing, GroundBelow, Surroundings, Sweep, Swept, WALKABLE_NORMAL_Z},
};

impl<L: Locomotion> BodyMut<'_, L> {
    /// Moves a body by `secs`. `target_now` is where the one it follows is, if it follows one that is known.
    ///
    /// Retail: `CPhysicsObj::UpdateObjectInternal` (11.4186 @ 0x005156B0)
    #[inline(always)]
    pub fn step(
        &mut self,
        secs: f32,
        target_now: Option<Placement>,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        if !self.body.flags.contains(Flags::ACTIVE | Flags::HAS_CELL) {
            return;
        }
        let here = self.body.place;
        if let Some(previous) = &mut self.previous {
            **previous = here;
        }
        let root =
            if self.body.flags.contains(Flags::STRIDES) && !self.body.state.contains(PhysicsState::HIDDEN) {
                L::root_motion(self, secs, context.config.root_motion, journal)
            } else {
                RootMotion::NONE
            };
        let trial = self.trial(&here, &root.way, secs, target_now, journal);
        if root.ended > 0 {
            L::end_animations(self, root.ended, journal);
        }
        match trial {
            Some(trial) => self.sweep(&here, trial, secs, context, journal),
            None => {
                self.stats.steps_out_of_bounds += 1;
                self.stand(here.pose);
            }
        }
        if self.body.flags.intersects(Flags::OBSERVATION | Flags::MOVES_TO) {
            self.update_observers_and_move_to(context.now, journal);
        }
        if self.body.flags.contains(Flags::STRIDES) {
            L::finish_step(self, journal);
        }
        if self.routes.wants_recovery(self.body.links.route) {
            self.recover(context, journal);
        }
        if self.follows.get(self.body.links.follow).is_some_and(|follow| follow.is_over(context.now)) {
            journal.note(Happening::FollowTimedOut);
            self.end_follow(journal);
        }
    }

    /// Tells those who watch it where it is, and goes on to where the server has sent it.
    #[inline(never)]
    pub fn update_observers_and_move_to(&mut self, now: SimTime, journal: &mut impl Journal) {
        self.notify_observers(now, journal);
        if self.body.flags.contains(Flags::MOVES_TO) {
            self.step_move_to(now, journal);
        }
    }

    /// Where the body wants to be; `None` when that cannot be said in numbers.
    ///
    /// Retail: `CPhysicsObj::UpdatePositionInternal` (11.4186 @ 0x00512C30)
    #[inline(always)]
    fn trial(
        &mut self,
        here: &Placement,
        root: &Pose,
        secs: f32,
        target_now: Option<Placement>,
        journal: &mut impl Journal,
    ) -> Option<Pose> {
        let links = self.body.links;
        let flags = self.body.flags;
        let is_hidden = self.body.state.contains(PhysicsState::HIDDEN);
        let in_contact = flags.contains(Flags::CONTACT);
        let leg = if links.route.is_some() && in_contact {
            let speed = f64::from(self.detail.chase_speed);
            let leg = self.routes.chase(
                &mut self.body.links.route,
                here,
                speed,
                secs,
                links.follow.is_some(),
                journal,
            );
            if !self.body.links.route.is_some() {
                self.note_dry_route(journal);
            }
            leg
        } else {
            None
        };
        let trial = match leg {
            // The common case by far: nothing but a waypoint, whose orientation is simply taken on. Composing the offset in
            // the body's own axes and applying it would give the same up to rounding.
            Some(leg) if !links.follow.is_some() && self.heading_mode() == HeadingMode::Adopt => {
                self.walk_leg(here, &leg, in_contact)?
            }
            leg => self.compose(*here, leg, root, secs, target_now)?,
        };
        if is_hidden { Some(trial) } else { self.fly(trial, secs) }
    }

    /// The last waypoint was reached: is that all there is to do?
    #[cold]
    fn note_dry_route(&mut self, journal: &mut impl Journal) {
        // A move-to knows where to go on to.
        let is_sent = self.body.flags.contains(Flags::MOVES_TO);
        if !is_sent && !is_nearly_zero(self.motion.state_velocity(self.run_rate())) {
            self.count_starved();
            journal.note(Happening::RanDry);
        }
    }

    /// The whole way: root motion or leg, then follow, then tether, as an offset in the body's own axes.
    #[inline(never)]
    fn compose(
        &mut self,
        here: Placement,
        leg: Option<Leg>,
        root: &Pose,
        secs: f32,
        target_now: Option<Placement>,
    ) -> Option<Pose> {
        let in_contact = self.body.flags.contains(Flags::CONTACT);
        let mut offset = match leg {
            Some(leg) => leg_offset(&leg, &here.pose, self.heading_mode()),
            None => *root,
        };
        if let Some(follow) = self.follows.get(self.body.links.follow) {
            let (radius, speed) = (self.detail.dimensions.radius, follow_speed(max_speed(self.run_rate())));
            if let Some(follows) = follow.offset(&here, radius, target_now.as_ref(), speed, secs, &offset) {
                offset = follows;
            }
        }
        if offset == Pose::IDENTITY {
            return Some(here.pose);
        }
        hold_back(&mut self.detail.tether, in_contact, &mut offset);
        Some(here.pose.combine(&offset))
    }

    /// A leg, shortened by what the tether allows.
    #[inline(always)]
    fn walk_leg(&mut self, here: &Placement, leg: &Leg, in_contact: bool) -> Option<Pose> {
        let tether = &mut self.detail.tether;
        let part = if tether.is_on { tether.allow(leg.length, in_contact) } else { 1.0 };
        let way = if part < 1.0 { (leg.displacement.as_dvec3() * part).as_vec3() } else { leg.displacement };
        Pose::new(here.pose.origin() + way, leg.rotation).ok()
    }

    /// Adds velocity, gravity and spin.
    #[inline(always)]
    fn fly(&mut self, trial: Pose, secs: f32) -> Option<Pose> {
        let flags = self.body.flags;
        let is_falling = flags.contains(Flags::FALLING);
        if !self.body.links.flight.is_some() && !is_falling {
            return Some(trial);
        }
        self.carry(trial, secs, is_falling)
    }

    #[inline(never)]
    fn carry(&mut self, trial: Pose, secs: f32, is_falling: bool) -> Option<Pose> {
        let flags = self.body.flags;
        let rubs = flags.contains(Flags::WALKABLE | Flags::HAS_NORMAL);
        let drag =
            rubs.then_some(Drag { normal: self.detail.normal, friction: self.detail.dimensions.friction });
        let mut flight = self.flight();
        let (origin, spun) = flight.carry(trial, secs, is_falling, drag, self.body.state);
        self.set_flight(flight);
        spun.with_origin(origin).ok()
    }

    /// Asks the surroundings how far the body gets, and commits that.
    #[inline(always)]
    fn sweep(
        &mut self,
        here: &Placement,
        mut trial: Pose,
        secs: f32,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        if nearly_equal(trial.origin(), here.pose.origin()) {
            self.stand(trial);
            return;
        }
        let Flight { velocity, ground, .. } = self.flight();
        if self.body.state.intersects(PhysicsState::ALIGN_PATH | PhysicsState::SLEDDING) {
            trial = trial.with_rotation(self.aligned(*here, trial, velocity));
        }
        let sweep = Sweep {
            entity: self.body.id,
            from: *here,
            to: Placement::new(here.cell, trial),
            footing: self.footing(velocity),
            ground,
            state: self.body.state,
            radius: self.detail.dimensions.radius,
            is_local_player: self.body.flags.contains(Flags::LOCAL),
        };
        match context.surroundings.sweep(&sweep) {
            Swept::Moved { at, contact, ran_into } if at.pose.is_in_bounds() => {
                self.detail.last_velocity = here.offset_to(&at) / secs;
                self.body.flags.insert(Flags::WAS_MOVING);
                self.body.place = at;
                let stood = self.body.flags.contains(Flags::WALKABLE);
                self.set_contact(contact, Some(here.pose.origin().z), context, journal);
                if let Some(normal) = ran_into {
                    self.bounce(normal, stood);
                }
                if self.body.flags.contains(Flags::FALLING) {
                    self.land_if_overdue(secs, context, journal);
                }
            }
            Swept::Moved { .. } => {
                self.stats.steps_out_of_bounds += 1;
                self.stand(trial);
            }
            Swept::Blocked => self.stand(trial),
        }
    }

    /// Stays in place; turning is always allowed.
    #[inline]
    fn stand(&mut self, trial: Pose) {
        let pose = &mut self.body.place.pose;
        // A body that turned has one more step to take, or it would be drawn turning for ever.
        self.body.flags.set(Flags::WAS_MOVING, pose.rotation() != trial.rotation());
        *pose = pose.with_rotation(trial.rotation());
        self.detail.last_velocity = Vec3::ZERO;
    }

    /// Arrows point where they fly, sleds where they slide.
    #[cold]
    fn aligned(&self, here: Placement, trial: Pose, velocity: Vec3) -> evenstride_types::Rotation {
        let rotation = trial.rotation();
        if self.body.state.contains(PhysicsState::ALIGN_PATH) {
            return rotation.looking_along(trial.origin() - here.pose.origin());
        }
        Heading::of_direction(velocity).map_or(rotation, |heading| rotation.with_heading(heading))
    }

    /// Retail: `CPhysicsObj::check_contact` (11.4186 @ 0x0050F5B0)
    #[inline(always)]
    fn footing(&self, velocity: Vec3) -> Footing {
        let flags = self.body.flags;
        if !flags.contains(Flags::CONTACT) {
            return Footing::Airborne;
        }
        if !self.body.links.flight.is_some() {
            return Footing::Grounded;
        }
        let away = velocity.as_dvec3().dot(self.detail.normal.as_dvec3());
        if away > f64::from(evenstride_types::EPSILON) { Footing::Leaving } else { Footing::Grounded }
    }

    /// Takes note of what the body touches, and of leaving or reaching walkable ground. `from_z` is how high it was before; `None` if it
    /// was nowhere: appearing on the ground is no landing.
    ///
    /// Retail: `CPhysicsObj::SetPositionInternal` (11.4186 @ 0x00515330)
    #[inline(always)]
    pub fn set_contact(
        &mut self,
        contact: Contact,
        from_z: Option<f32>,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        match contact {
            Contact::Kept => self.settle_acceleration(),
            Contact::Lost => self.change_contact(None, from_z, context, journal),
            Contact::On(normal) => self.change_contact(Some(normal), from_z, context, journal),
        }
    }

    #[inline(never)]
    fn change_contact(
        &mut self,
        touched: Option<Vec3>,
        from_z: Option<f32>,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        let stood = self.body.flags.contains(Flags::WALKABLE);
        let stands = touched.is_some_and(|normal| normal.z >= WALKABLE_NORMAL_Z);
        self.body.flags.set(Flags::CONTACT | Flags::HAS_NORMAL, touched.is_some());
        self.body.flags.set(Flags::WALKABLE, stands);
        if let Some(normal) = touched {
            self.detail.normal = normal;
        }
        if stood && !stands {
            self.take_off(None, from_z, context.now, context.config.takeoff, journal);
        } else if !stood && stands {
            if from_z.is_some() {
                journal.note(Happening::Landed { speed: length(self.flight().velocity) as f32 });
            }
            self.set_flight(Flight { ground: GroundBelow::Unknown, missed: None, ..self.flight() });
            L::hit_ground(self, journal);
            self.move_to_hits_ground(context.now, journal);
        }
        self.settle_acceleration();
    }

    /// Leaves walkable ground, with all consequences at once. `said` is the velocity a recording says, world axes; `from_z` is the height
    /// of the ground.
    ///
    /// Retail: `CPhysicsObj::set_on_walkable`, called by `CMotionInterp::jump` (11.4186 @ 0x00528780)
    pub fn take_off(
        &mut self,
        said: Option<Vec3>,
        from_z: Option<f32>,
        now: SimTime,
        takeoff: Takeoff,
        journal: &mut impl Journal,
    ) {
        self.settle_acceleration();
        self.leave_ground(now, takeoff, journal);
        if let Some(velocity) = said {
            self.set_velocity(velocity, now.as_secs());
        }
        let flight = self.flight();
        journal.note(Happening::TookOff { rise: flight.velocity.z });
        let ground = from_z.map_or(GroundBelow::Unknown, GroundBelow::TookOff);
        self.set_flight(Flight { ground, missed: None, ..flight });
    }

    /// Lets the motion interpreter notice that the ground is gone, and takes on the velocity it decides.
    pub fn leave_ground(&mut self, now: SimTime, takeoff: Takeoff, journal: &mut impl Journal) {
        if let Some(velocity) = L::leave_ground(self, takeoff, journal) {
            self.set_velocity(velocity, now.as_secs());
        }
    }

    /// Places a body that fell past the ground it should have landed on: past a height that was heard of at once, past its take-off height
    /// after a second without a word of it. It is placed where it passed that height.
    ///
    /// The client needs no such rule, because it knows the ground.
    #[inline(never)]
    fn land_if_overdue(
        &mut self,
        secs: f32,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        /// How long a body may be silent after its expected landing, in seconds. Ours.
        const MAX_SILENT_SECS: f32 = 1.0;
        let (flight, here) = (self.flight(), self.body.place);
        let (z, patience) = match flight.ground {
            GroundBelow::Unknown => return,
            GroundBelow::TookOff(z) => (z, MAX_SILENT_SECS),
            GroundBelow::Heard(z) => (z, 0.0),
        };
        let (below, fall) = (z - here.pose.origin().z, -flight.velocity.z);
        if below <= 0.0 || fall <= 0.0 {
            return;
        }
        let missed = match flight.missed {
            // It passed that height somewhere in this step.
            None => Missed { secs: below / fall, silent_secs: 0.0 },
            Some(missed) => Missed { secs: missed.secs + secs, silent_secs: missed.silent_secs + secs },
        };
        self.set_flight(Flight { missed: Some(missed), ..flight });
        if missed.silent_secs < patience || !context.surroundings.lands_by_update(&here) {
            return;
        }
        // Nothing but gravity has changed its velocity since.
        let back = here.pose.origin() - flight.velocity * missed.secs;
        let Ok(pose) = here.pose.with_origin(back.with_z(z)) else { return };
        if self.land(Placement::new(here.cell, pose), context, journal) {
            let (reason, metres) = (PlaceReason::LandingOverdue, here.distance(&self.body.place) as f32);
            self.count_snap(reason);
            journal.note(Happening::Snapped { reason, metres });
        }
    }

    /// Retail: `CPhysicsObj::handle_all_collisions` (11.4186 @ 0x00514780)
    fn bounce(&mut self, normal: Vec3, stood: bool) {
        let state = self.body.state;
        let stands = self.body.flags.contains(Flags::WALKABLE);
        if stood && stands && !state.contains(PhysicsState::SLEDDING) {
            return;
        }
        let mut flight = self.flight();
        flight.bounce(normal, self.detail.dimensions.elasticity, state);
        self.set_flight(flight);
    }

    /// Puts the body at the end of a route that has failed, and does what other waypoints ask for.
    #[inline(never)]
    fn recover(&mut self, context: Context<'_, impl Surroundings + ?Sized>, journal: &mut impl Journal) {
        let here = self.body.place;
        match self.routes.recover(&mut self.body.links.route, &here, journal) {
            Recovery::Snap { to, velocity } => {
                let done = match to {
                    Some(to) => self.put(to, true, context, journal),
                    None => {
                        journal.note(Happening::PlacementRefused);
                        false
                    }
                };
                if done {
                    let had_waypoints =
                        self.routes.get(self.body.links.route).is_some_and(|route| !route.list.is_empty());
                    let reason = if had_waypoints { PlaceReason::GaveUp } else { PlaceReason::GaveUpLast };
                    let metres = here.distance(&self.body.place) as f32;
                    self.count_snap(reason);
                    journal.note(Happening::Snapped { reason, metres });
                    self.routes.stop(&mut self.body.links.route);
                    if let Some(velocity) = velocity {
                        self.set_velocity(velocity, context.now.as_secs());
                    }
                }
            }
            Recovery::TakeVelocity(velocity) => self.set_velocity(velocity, context.now.as_secs()),
            Recovery::Nothing => {}
        }
    }
}
