//! One step of one body.
//!
//! | phase | function | effect |
//! |---|---|---|
//! | root motion | `Locomotion::root_motion` | plays animations and yields an offset |
//! | route | `trial` | a leg towards the oldest waypoint replaces root motion |
//! | follow | `compose` | a leg towards the followed body replaces both |
//! | tether | `compose`, `walk_leg` | shortens the offset after a long path without a position |
//! | flight | `fly` | adds velocity, gravity and spin |
//! | ended animations | `Locomotion::end_animations` | completes motions |
//! | sweep | `sweep` | moves the body as far as the surroundings allow |
//! | contact | `set_contact` | may let the body take off or land |
//! | observers, move-to | `update_observers_and_move_to` | queues notices, changes motions |
//! | completed motions | `Locomotion::finish_step` | completes motions that take no time |
//! | recovery | `recover` | snaps the body to the end of a failed route |
//! | end of a follow | `step` | ends a follow after its second |
//!
//! A leg is the displacement of one step towards a waypoint or a followed body. The order of the
//! phases is the client's, and each phase sees the results of the earlier ones. The phases up to
//! the flight only compute a trial pose. The body itself moves in the sweep.
//!
//! A step touches no other body. Notices to observers are queued, and `rounds.rs` delivers them.
//! `placing.rs` puts bodies somewhere without a step.
//!
//! Most functions are generic over [`Locomotion`] and the surroundings, so that each host gets one
//! compiled step without dynamic calls. Rare paths are kept out of line.

mod due;
mod owned;
mod placing;
pub(crate) mod rounds;
mod rows;
mod short;
mod threads;

use evenstride_types::{
    Heading, Placement, Pose, SimTime, Vec3, is_nearly_zero, length, length_squared, nearly_equal,
    unit_vector, update::PhysicsState,
};

pub use self::threads::Threads;
use crate::{
    body::{
        body_mut::BodyMut,
        context::Context,
        flags::Flags,
        locomotion::{Locomotion, RootMotion},
        rows::{HotRow, MotionRow},
    },
    config::Takeoff,
    journal::{Happening, Journal},
    motion::{
        flight::{Drag, Flight, Missed},
        follow::follow_speed,
        interpreter::max_speed,
        route::{HeadingMode, Leg, Recovery, leg_offset},
        tether::{Tether, hold_back},
    },
    outcome::PlaceReason,
    surroundings::{Contact, Footing, GroundBelow, Surroundings, Sweep, Swept, WALKABLE_NORMAL_Z},
};

impl<L: Locomotion> BodyMut<'_, L> {
    /// Moves a body by `secs` seconds. Does nothing if it is inactive or outside the world.
    ///
    /// `target_now` is the present place of the followed body, or `None` if there is none in the
    /// world. `context.now` is the time of the whole round, while the body's own clock shows the
    /// end of the slice.
    ///
    /// The place before the step is kept first, for drawing between steps. A hidden body plays no
    /// animations. A trial out of bounds leaves the body where it is and is counted.
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
        if !self.hot.flags.contains(Flags::ACTIVE | Flags::HAS_CELL) {
            return;
        }
        let here = self.hot.place;
        if let Some(previous) = &mut self.previous {
            **previous = here;
        }
        let root =
            if self.hot.flags.contains(Flags::STRIDES) && !self.hot.state.contains(PhysicsState::HIDDEN) {
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
        self.conclude(context, journal);
    }

    /// Does everything that follows the motion of a step.
    #[inline(always)]
    fn conclude(&mut self, context: Context<'_, impl Surroundings + ?Sized>, journal: &mut impl Journal) {
        if self.hot.flags.intersects(Flags::OBSERVATION | Flags::MOVES_TO) {
            self.update_observers_and_move_to(context.now, journal);
        }
        if self.hot.flags.contains(Flags::STRIDES) {
            L::finish_step(self, journal);
        }
        if self.hot.flags.contains(Flags::ROUTED) && self.route.wants_recovery() {
            self.recover(context, journal);
        }
        if self.hot.flags.contains(Flags::FOLLOWS)
            && self.follows.get(self.cold.follow).is_some_and(|follow| follow.is_over(context.now))
        {
            journal.note(Happening::FollowTimedOut);
            self.end_follow(journal);
        }
    }

    /// Tells observers where the body is, and continues its move-to.
    ///
    /// Bodies at rest that are observed run only this part of a step.
    #[inline(never)]
    pub fn update_observers_and_move_to(&mut self, now: SimTime, journal: &mut impl Journal) {
        self.notify_observers(now, journal);
        if self.hot.flags.contains(Flags::MOVES_TO) {
            self.step_move_to(now, journal);
        }
    }

    /// Returns the pose that the body tries to reach, or `None` if it would be out of bounds.
    ///
    /// Waypoints need contact, so a body in the air keeps its route and does not follow it. A
    /// hidden body walks its route but does not fly. Velocity is added to the leg of a route and
    /// does not replace it.
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
        let flags = self.hot.flags;
        let follows = flags.contains(Flags::FOLLOWS);
        let is_hidden = self.hot.state.contains(PhysicsState::HIDDEN);
        let in_contact = flags.contains(Flags::CONTACT);
        let leg = if flags.contains(Flags::ROUTED) && in_contact {
            let speed = f64::from(self.moving.chase_speed);
            let leg = self.route.chase(self.waypoints, here, speed, secs, follows, journal);
            self.mirror_route();
            if !self.route.is_on() {
                self.note_dry_route(journal);
            }
            leg
        } else {
            None
        };
        let trial = match leg {
            // Most bodies only walk to a waypoint and take on its orientation. Composing the offset
            // in the body's own axes and applying it would give the same up to rounding.
            Some(leg) if !follows && self.heading_mode() == HeadingMode::Adopt => {
                walk_leg(&mut self.moving.tether, &here.pose, &leg, in_contact)?
            }
            leg => self.compose(*here, leg, root, secs, target_now)?,
        };
        if is_hidden { Some(trial) } else { self.fly(trial, secs) }
    }

    /// Notes that the last waypoint was reached while the interpreted motion still moves the body.
    ///
    /// That means that positions arrive too rarely. A body with a move-to is not counted, because
    /// it knows its destination.
    #[cold]
    fn note_dry_route(&mut self, journal: &mut impl Journal) {
        // A move-to continues without waypoints.
        let is_sent = self.hot.flags.contains(Flags::MOVES_TO);
        if !is_sent && !is_nearly_zero(self.motion.state_velocity(self.run_rate())) {
            self.count_starved();
            journal.note(Happening::RanDry);
        }
    }

    /// Composes the offset of a step in the body's own axes and applies it to the pose.
    ///
    /// A leg replaces root motion, a follow replaces both, and the tether shortens the result. A
    /// zero offset leaves the tether alone.
    #[inline(never)]
    fn compose(
        &mut self,
        here: Placement,
        leg: Option<Leg>,
        root: &Pose,
        secs: f32,
        target_now: Option<Placement>,
    ) -> Option<Pose> {
        let in_contact = self.hot.flags.contains(Flags::CONTACT);
        let mut offset = match leg {
            Some(leg) => leg_offset(&leg, &here.pose, self.heading_mode()),
            None => *root,
        };
        if let Some(follow) = self.follows.get(self.cold.follow) {
            let (radius, speed) = (self.moving.dimensions.radius, follow_speed(max_speed(self.run_rate())));
            if let Some(follows) = follow.offset(&here, radius, target_now.as_ref(), speed, secs, &offset) {
                offset = follows;
            }
        }
        Some(apply_offset(&mut self.moving.tether, &here.pose, offset, in_contact))
    }

    /// Adds velocity, gravity and spin. A body with neither flight nor gravity skips that.
    #[inline(always)]
    fn fly(&mut self, trial: Pose, secs: f32) -> Option<Pose> {
        if !self.hot.flags.intersects(Flags::FLIES | Flags::FALLING) {
            return Some(trial);
        }
        self.carry(trial, secs)
    }

    /// Integrates the flight over the step, with friction on walkable ground.
    ///
    /// The body's velocity and spin are updated even if the sweep blocks the motion later.
    #[inline(never)]
    fn carry(&mut self, trial: Pose, secs: f32) -> Option<Pose> {
        let flags = self.hot.flags;
        let is_falling = flags.contains(Flags::FALLING);
        let rubs = flags.contains(Flags::WALKABLE | Flags::HAS_NORMAL);
        let drag =
            rubs.then_some(Drag { normal: self.moving.normal, friction: self.moving.dimensions.friction });
        let mut flight = self.flight();
        let (origin, spun) = flight.carry(trial, secs, is_falling, drag, self.hot.state);
        self.set_flight(flight);
        spun.with_origin(origin).ok()
    }

    /// Asks the surroundings how far the body gets, and moves it there.
    ///
    /// - A trial that does not change the origin is not swept, and only turns the body.
    /// - A body that moved takes on the place and the contact of the answer. It bounces if it ran
    ///   into something, and may be overdue for a landing.
    /// - A blocked body stays at its origin and may turn.
    /// - An answer that is out of bounds is treated like a blocked sweep and counted.
    ///
    /// The velocity that observers see is the distance covered, divided by the length of the step.
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
        if self.hot.state.intersects(PhysicsState::ALIGN_PATH | PhysicsState::SLEDDING) {
            trial = trial.with_rotation(self.aligned(*here, trial, velocity));
        }
        let swept = context.surroundings.sweep(&question(
            self.hot,
            self.moving,
            trial,
            self.footing(velocity),
            ground,
        ));
        self.take_answer(here, trial, swept, secs, context, journal);
    }

    /// Moves a body as far as the surroundings answered.
    #[inline(always)]
    fn take_answer(
        &mut self,
        here: &Placement,
        trial: Pose,
        swept: Swept,
        secs: f32,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        match swept {
            Swept::Moved { at, contact, ran_into } if at.pose.is_in_bounds() => {
                arrive(self.hot, self.moving, at, secs);
                let stood = self.hot.flags.contains(Flags::WALKABLE);
                self.set_contact(contact, Some(here.pose.origin().z), context, journal);
                if let Some(normal) = ran_into.and_then(checked_normal) {
                    self.bounce(normal, stood);
                }
                if self.hot.flags.contains(Flags::FALLING) {
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

    /// Keeps the body at its origin and turns it to the trial rotation. Turning is always allowed.
    #[inline]
    fn stand(&mut self, trial: Pose) {
        stand(self.hot, self.moving, trial);
    }

    /// Returns the rotation of a body that points where it moves.
    ///
    /// With `ALIGN_PATH`, arrows point along their displacement. Sleds take the heading of their
    /// velocity, and a velocity without a horizontal part leaves it unchanged.
    #[cold]
    fn aligned(&self, here: Placement, trial: Pose, velocity: Vec3) -> evenstride_types::Rotation {
        let rotation = trial.rotation();
        if self.hot.state.contains(PhysicsState::ALIGN_PATH) {
            return rotation.looking_along(trial.origin() - here.pose.origin());
        }
        Heading::of_direction(velocity).map_or(rotation, |heading| rotation.with_heading(heading))
    }

    /// Returns the contact that a sweep starts with.
    ///
    /// A body whose velocity points away from its surface counts as leaving. This is how an upward
    /// velocity from the server lifts a body off the ground.
    ///
    /// Retail: `CPhysicsObj::check_contact` (11.4186 @ 0x0050F5B0)
    #[inline(always)]
    fn footing(&self, velocity: Vec3) -> Footing {
        let flags = self.hot.flags;
        if !flags.contains(Flags::CONTACT) {
            return Footing::Airborne;
        }
        if !flags.contains(Flags::FLIES) {
            return Footing::Grounded;
        }
        let away = velocity.as_dvec3().dot(self.moving.normal.as_dvec3());
        if away > f64::from(evenstride_types::EPSILON) { Footing::Leaving } else { Footing::Grounded }
    }

    /// Stores the contact from an answer of the surroundings, and handles take-off and landing.
    ///
    /// `from_z` is the height before the motion in metres. `None` means that the body was outside
    /// the world, where appearing on the ground is not a landing.
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
            Contact::On(normal) => match checked_normal(normal) {
                Some(normal) => self.change_contact(Some(normal), from_z, context, journal),
                // Surroundings that answer with an invalid normal change nothing.
                None => self.settle_acceleration(),
            },
        }
    }

    /// Stores a new contact, or its loss, and detects the edges of walkable ground.
    ///
    /// Losing walkable ground is a take-off, even onto a steep slope. Reaching walkable ground is a
    /// landing, and the interpreter and the move-to are told. Velocity is not cleared, since
    /// friction and bounces reduce it.
    #[inline(never)]
    fn change_contact(
        &mut self,
        touched: Option<Vec3>,
        from_z: Option<f32>,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        let stood = self.hot.flags.contains(Flags::WALKABLE);
        let stands = touched.is_some_and(|normal| normal.z >= WALKABLE_NORMAL_Z);
        self.hot.flags.set(Flags::CONTACT | Flags::HAS_NORMAL, touched.is_some());
        self.hot.flags.set(Flags::WALKABLE, stands);
        if let Some(normal) = touched {
            self.moving.normal = normal;
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

    /// Leaves walkable ground, with all consequences at once.
    ///
    /// `said` is a velocity from a recording, world axes, which replaces the computed one. `from_z`
    /// is the height of the ground in metres, at which a later landing is expected.
    ///
    /// Steps call this when contact is lost, and the local player's jump calls it directly.
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

    /// Tells the interpreter that the ground is gone, and takes on the velocity it decides.
    pub fn leave_ground(&mut self, now: SimTime, takeoff: Takeoff, journal: &mut impl Journal) {
        if let Some(velocity) = L::leave_ground(self, takeoff, journal) {
            self.set_velocity(velocity, now.as_secs());
        }
    }

    /// Places a body that fell past the ground on which it should have landed.
    ///
    /// A height that the server sent takes effect at once. The height of the take-off takes effect
    /// after one second without a message about the flight. The body is placed where it passed that
    /// height.
    ///
    /// Only surroundings that do not know the ground need this rule
    /// (`Surroundings::lands_by_update`). The client always knows the ground. Time is counted in
    /// the body's own steps, so no clock matters.
    #[inline(never)]
    fn land_if_overdue(
        &mut self,
        secs: f32,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) {
        /// Time in seconds that may pass without a message after the expected landing. Not from the
        /// client.
        const MAX_SILENT_SECS: f32 = 1.0;
        let (flight, here) = (self.flight(), self.hot.place);
        let (z, patience) = match flight.ground {
            _ if !flight.is_below_ground(&here.pose) => return,
            GroundBelow::Unknown => return,
            GroundBelow::TookOff(z) => (z, MAX_SILENT_SECS),
            GroundBelow::Heard(z) => (z, 0.0),
        };
        let (below, fall) = (z - here.pose.origin().z, -flight.velocity.z);
        let missed = match flight.missed {
            // The body passed that height within this step. A body that was moved there, and has
            // hardly begun to fall, did not fall for longer than that.
            None => Missed { secs: (below / fall).min(secs), silent_secs: 0.0 },
            Some(missed) => Missed { secs: missed.secs + secs, silent_secs: missed.silent_secs + secs },
        };
        self.set_flight(Flight { missed: Some(missed), ..flight });
        if missed.silent_secs < patience || !context.surroundings.lands_by_update(&here) {
            return;
        }
        // Only gravity has changed the velocity since then.
        let back = here.pose.origin() - flight.velocity * missed.secs;
        let Ok(pose) = here.pose.with_origin(back.with_z(z)) else { return };
        if self.land(Placement::new(here.cell, pose), context, journal) {
            let (reason, metres) = (PlaceReason::LandingOverdue, here.distance(&self.hot.place) as f32);
            self.count_snap(reason);
            journal.note(Happening::Snapped { reason, metres });
        }
    }

    /// Reflects the velocity at a surface that the body ran into.
    ///
    /// A body that walks on walkable ground before and after the step does not bounce, unless it
    /// sleds. `stood` tells whether it stood before the step.
    ///
    /// Retail: `CPhysicsObj::handle_all_collisions` (11.4186 @ 0x00514780)
    fn bounce(&mut self, normal: Vec3, stood: bool) {
        let state = self.hot.state;
        let stands = self.hot.flags.contains(Flags::WALKABLE);
        if stood && stands && !state.contains(PhysicsState::SLEDDING) {
            return;
        }
        let mut flight = self.flight();
        flight.bounce(normal, self.moving.dimensions.elasticity, state);
        self.set_flight(flight);
    }

    /// Handles a route that has failed, or whose oldest waypoint is not a place.
    ///
    /// A failed route snaps the body to its newest place, or to the place given up last if none is
    /// left. The route ends with that. If the surroundings refuse the place, the route stays and
    /// the next step tries again, as in the client.
    #[inline(never)]
    fn recover(&mut self, context: Context<'_, impl Surroundings + ?Sized>, journal: &mut impl Journal) {
        let here = self.hot.place;
        let recovery = self.route.recover(self.waypoints, &here, journal);
        self.mirror_route();
        match recovery {
            Recovery::Snap { to, velocity } => {
                let done = match to {
                    Some(to) => self.put(to, true, context, journal),
                    None => {
                        journal.note(Happening::PlacementRefused);
                        false
                    }
                };
                if done {
                    let had_waypoints = self.route.len() > 0;
                    let reason = if had_waypoints { PlaceReason::GaveUp } else { PlaceReason::GaveUpLast };
                    let metres = here.distance(&self.hot.place) as f32;
                    self.count_snap(reason);
                    journal.note(Happening::Snapped { reason, metres });
                    self.stop_route();
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

/// Returns the pose after a leg, shortened as far as the tether demands. The orientation is that of
/// the waypoint. `None` if the pose is out of bounds.
#[inline(always)]
fn walk_leg(tether: &mut Tether, here: &Pose, leg: &Leg, in_contact: bool) -> Option<Pose> {
    let part = if tether.is_on { tether.allow(leg.length, in_contact) } else { 1.0 };
    let way = if part < 1.0 { (leg.displacement.as_dvec3() * part).as_vec3() } else { leg.displacement };
    Pose::new(here.origin() + way, leg.rotation).ok()
}

/// Returns the pose after an offset in its own axes, shortened as far as the tether demands. A zero
/// offset leaves the tether alone.
#[inline(always)]
fn apply_offset(tether: &mut Tether, here: &Pose, mut offset: Pose, in_contact: bool) -> Pose {
    if offset == Pose::IDENTITY {
        return *here;
    }
    hold_back(tether, in_contact, &mut offset);
    here.combine(&offset)
}

/// Returns the question how far a body gets.
#[inline(always)]
fn question(hot: &HotRow, moving: &MotionRow, trial: Pose, footing: Footing, ground: GroundBelow) -> Sweep {
    Sweep {
        entity: hot.id,
        from: hot.place,
        to: Placement::new(hot.place.cell, trial),
        footing,
        ground,
        state: hot.state,
        radius: moving.dimensions.radius,
        height: moving.dimensions.height,
        scale: moving.dimensions.scale,
        last_normal: hot.flags.contains(Flags::HAS_NORMAL).then_some(moving.normal),
        is_local_player: hot.flags.contains(Flags::LOCAL),
    }
}

/// Moves a body to the place that it has reached.
#[inline(always)]
fn arrive(hot: &mut HotRow, moving: &mut MotionRow, at: Placement, secs: f32) {
    moving.last_velocity = hot.place.offset_to(&at) / secs;
    hot.flags.insert(Flags::WAS_MOVING);
    hot.place = at;
}

/// Keeps a body at its origin and turns it to the trial rotation.
#[inline(always)]
fn stand(hot: &mut HotRow, moving: &mut MotionRow, trial: Pose) {
    let pose = &mut hot.place.pose;
    // A body that turned needs one more step, which ends the interpolation of the turn.
    hot.flags.set(Flags::WAS_MOVING, pose.rotation() != trial.rotation());
    *pose = pose.with_rotation(trial.rotation());
    moving.last_velocity = Vec3::ZERO;
}

/// Returns a normal that surroundings gave, at unit length. `None` if it has no direction.
///
/// A normal of about unit length is taken as it is, as the client does.
#[inline]
fn checked_normal(normal: Vec3) -> Option<Vec3> {
    if (length_squared(normal) - 1.0).abs() < 1e-4 {
        return Some(normal);
    }
    unit_vector(normal).filter(|normal| normal.is_finite())
}
