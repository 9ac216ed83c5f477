//! What a received message does to a body.

use evenstride_types::{
    Placement, SimTime, Stamp, StampKind, StampOrder, Vec3,
    update::{CommandTable, Movement, MovementKind, PositionPack, VectorUpdate},
};

use crate::{
    config::{Config, Landing, Orientation},
    disposition::{Disposition, EarlyReason, IgnoreReason, PartReason, PlaceReason, RefuseReason},
    flight::Flight,
    follow::Follow,
    journal::{Journal, Note},
    route::{Enqueued, HeadingMode, snap_distance},
    store::{BodyMut, Flags},
    surroundings::{Contact, Placed, Placing, Surroundings},
    tether::Leeway,
};

/// From here on a body is put where it is heard of instead of walking there; farther than this it is not stepped at all.
///
/// Retail: `CPhysicsObj::MoveOrTeleport` (11.4186 @ 0x00516330)
pub const FAR_FROM_VIEWPOINT: f32 = 96.0;

/// The arguments that everything at the context needs.
pub(crate) struct Context<'a, S: ?Sized> {
    pub(crate) now: SimTime,
    pub(crate) config: &'a Config,
    pub(crate) surroundings: &'a S,
}

impl<S: ?Sized> Clone for Context<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

// Not derived: that would ask the surroundings to be `Copy` too.
impl<S: ?Sized> Copy for Context<'_, S> {}

impl BodyMut<'_> {
    /// A received position of a body that is not the local player's.
    ///
    /// Retail: `SmartBox::HandleReceivedPosition` (11.4186 @ 0x00453FD0)
    #[inline]
    pub(crate) fn receive_position(
        &mut self,
        pack: &PositionPack,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> Disposition {
        if let Some(answer) = self.other_instance(pack.instance) {
            return answer;
        }
        // Before any stamp is stored: what cannot be must leave no trace.
        let place = match pack.placement().check() {
            Ok(place) => place,
            Err(reason) => {
                self.stats.refused_positions += 1;
                return Disposition::Refused(reason.into());
            }
        };
        let stamps = &mut *self.stamps;
        let before = stamps.seen(StampKind::Position);
        let teleport = stamps.order(StampKind::Teleport, pack.teleport);
        if !stamps.accept(StampKind::Position, pack.position).is_newer() {
            return Disposition::Ignored(match teleport {
                StampOrder::Newer => IgnoreReason::StalePositionNewerTeleport,
                _ => IgnoreReason::StalePosition,
            });
        }
        if teleport == StampOrder::Older {
            stamps.set(StampKind::Position, before);
            return Disposition::Ignored(IgnoreReason::StaleTeleport);
        }
        let disposition = self.move_or_place(place, pack, context, journal);
        if !matches!(disposition, Disposition::Ignored(_)) {
            // Anchored at the body's own place, so the path starts at zero.
            self.wake(context.now.as_secs());
            self.detail.tether.arm(0.0, Leeway::of(self.body.place.cell));
        }
        disposition
    }

    /// Retail: `CPhysicsObj::MoveOrTeleport` (11.4186 @ 0x00516330)
    #[inline]
    fn move_or_place(
        &mut self,
        place: Placement,
        pack: &PositionPack,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> Disposition {
        let teleports = self.stamps.accept(StampKind::Teleport, pack.teleport).is_newer();
        let enters = !self.body.flags.contains(Flags::HAS_CELL);
        if teleports || enters {
            self.abandon_course();
            let done = self.put(place, pack.has_contact, context, journal);
            let reason = if teleports { PlaceReason::Teleport } else { PlaceReason::EntersWorld };
            return Disposition::Placed { reason, done };
        }
        if !pack.has_contact {
            return Disposition::Ignored(IgnoreReason::Airborne);
        }
        let lands_here = context.config.landing == Landing::OnGroundedUpdate
            || context.surroundings.lands_by_update(&place);
        if lands_here && !self.body.flags.contains(Flags::CONTACT) {
            return self.land(place, context, journal);
        }
        if self.body.distance >= FAR_FROM_VIEWPOINT {
            self.routes.stop(&mut self.body.links.route);
            let done = self.put(place, true, context, journal);
            let is_unknown = self.body.distance == f32::MAX;
            let reason =
                if is_unknown { PlaceReason::DistanceUnknown } else { PlaceReason::FarFromViewpoint };
            return Disposition::Placed { reason, done };
        }
        let keep =
            if self.body.flags.contains(Flags::MOVES_TO) { HeadingMode::Keep } else { HeadingMode::Adopt };
        if context.config.orientation == Orientation::OnReceipt {
            self.turn(place.pose.rotation());
        }
        Disposition::Queued(self.enqueue(place, keep, context.now, journal))
    }

    /// Appends a place to the body's route; if it is there already, only turns it.
    pub(crate) fn enqueue(
        &mut self,
        place: Placement,
        keep: HeadingMode,
        now: SimTime,
        journal: &mut impl Journal,
    ) -> Enqueued {
        self.wake(now.as_secs());
        let here = &self.body.place;
        let mut kept = self.heading_mode();
        let snap = snap_distance(here.cell);
        let link = &mut self.body.links.route;
        let enqueued = self.routes.enqueue(link, here, place, keep, &mut kept, snap, self.stats, journal);
        self.body.flags.set(Flags::KEEPS_HEADING, kept == HeadingMode::Keep);
        if enqueued == Enqueued::AlreadyThere && keep == HeadingMode::Adopt {
            let turned = self.body.place.pose.rotation().with_heading(place.pose.heading());
            self.turn(turned);
        }
        enqueued
    }

    /// The end of a flight that no ground ended: placed, stopped, standing.
    fn land(
        &mut self,
        place: Placement,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> Disposition {
        self.routes.stop(&mut self.body.links.route);
        let done = self.put(place, true, context, journal);
        if done {
            self.set_contact(Contact::On(Vec3::Z), place.pose.origin().z, context, journal);
            self.set_velocity(Vec3::ZERO, context.now.as_secs());
        }
        Disposition::Placed { reason: PlaceReason::Landing, done }
    }

    /// Puts a body somewhere, if the surroundings let it. Says whether they did.
    ///
    /// Retail: `CPhysicsObj::SetPositionSimple` (11.4186 @ 0x005162B0)
    pub(crate) fn put(
        &mut self,
        at: Placement,
        grounded: bool,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> bool {
        if !self.body.flags.contains(Flags::HAS_CELL) {
            self.body.updated = context.now.as_secs();
            self.body.flags.insert(Flags::ACTIVE);
        }
        let placing = Placing {
            entity: self.body.id,
            at,
            grounded,
            state: self.body.state,
            radius: self.detail.build.radius,
        };
        match context.surroundings.place(&placing) {
            Placed::At { at, contact } if at.pose.is_in_bounds() => {
                self.body.place = at;
                // Nothing is ever drawn on its way to a placement.
                if let Some(previous) = &mut self.previous {
                    **previous = at;
                }
                self.body.flags.insert(Flags::HAS_CELL);
                if self.body.links.flight.is_some() {
                    // Where it took off means nothing here.
                    self.set_flight(Flight { took_off_z: None, ..self.flight() });
                }
                self.set_contact(contact, at.pose.origin().z, context, journal);
                journal.note(Note::Placed);
                true
            }
            Placed::At { .. } | Placed::Refused => {
                journal.note(Note::PlacementRefused);
                false
            }
        }
    }

    /// What a teleport does to everything the body was doing. Velocity and contact stay.
    ///
    /// Retail: `CPhysicsObj::teleport_hook` (11.4186 @ 0x00514ED0)
    pub(crate) fn abandon_course(&mut self) {
        self.body.flags.remove(Flags::MOVES_TO);
        self.end_follow();
        self.routes.stop(&mut self.body.links.route);
        self.detail.tether.release();
    }

    /// Velocity and spin. Nothing else changes: the next step finds out that the body leaves the ground.
    ///
    /// Retail: `SmartBox::DoVectorUpdate` (11.4186 @ 0x004521C0)
    pub(crate) fn receive_vector(&mut self, update: &VectorUpdate, now: SimTime) -> Disposition {
        if let Some(answer) = self.other_instance(update.instance) {
            return answer;
        }
        if let Err(reason) =
            check_vector("velocity", update.velocity).and(check_vector("omega", update.omega))
        {
            self.stats.refused_vectors += 1;
            return Disposition::Refused(reason);
        }
        if !self.stamps.accept(StampKind::Vector, update.stamp).is_newer() {
            return Disposition::Ignored(IgnoreReason::StaleVector);
        }
        self.set_velocity(update.velocity, now.as_secs());
        self.set_omega(update.omega);
        Disposition::Applied
    }

    /// What the body is doing from now on. `target` is where and how wide the one to follow is, if it is known.
    ///
    /// Retail: `CPhysics::SetObjectMovement` (11.4186 @ 0x00509690)
    pub(crate) fn receive_movement(
        &mut self,
        instance: Stamp,
        movement: &Movement,
        table: CommandTable,
        target: Option<(Placement, f32)>,
        now: SimTime,
    ) -> Disposition {
        if let Some(answer) = self.other_instance(instance) {
            return answer;
        }
        let gait = match &movement.body.kind {
            MovementKind::Interpreted { state, .. } => self.gait.after(state, table),
            MovementKind::MoveToObject { run_rate, .. } | MovementKind::MoveToPosition { run_rate, .. } => {
                self.gait.with_run_rate(*run_rate)
            }
            _ => Ok(*self.gait),
        };
        let gait = match gait {
            Ok(gait) => gait,
            Err(reason) => {
                self.stats.refused_movements += 1;
                return Disposition::Refused(reason.into());
            }
        };
        let stamps = &mut *self.stamps;
        if !stamps.accept(StampKind::Movement, movement.stamp).is_newer() {
            return Disposition::Ignored(IgnoreReason::StaleMovement);
        }
        if stamps.order(StampKind::ServerControlledMove, movement.server_control) == StampOrder::Older {
            return Disposition::Ignored(IgnoreReason::StaleServerControl);
        }
        stamps.set(StampKind::ServerControlledMove, movement.server_control);
        self.body.flags.remove(Flags::MOVES_TO);
        self.end_follow();
        self.set_gait(gait);
        let MovementKind::Interpreted { stick_to, .. } = &movement.body.kind else {
            return Disposition::AppliedInPart(PartReason::ServerMovement);
        };
        if let (Some(target_id), Some((place, radius))) = (stick_to, target) {
            let mut follow = Follow::begin(*target_id, radius, now);
            follow.heard = Some(place);
            self.begin_follow(follow, now);
        }
        Disposition::Applied
    }

    pub(crate) fn begin_follow(&mut self, follow: Follow, now: SimTime) {
        self.end_follow();
        self.wake(now.as_secs());
        self.body.links.follow = self.follows.insert(follow);
    }

    /// The answer to a message about another life of the entity.
    #[inline]
    fn other_instance(&self, instance: Stamp) -> Option<Disposition> {
        match self.stamps.order(StampKind::Instance, instance) {
            StampOrder::Same => None,
            StampOrder::Newer => Some(Disposition::Early(EarlyReason::NewerInstance)),
            StampOrder::Older => Some(Disposition::Ignored(IgnoreReason::OlderInstance)),
        }
    }
}

fn check_vector(what: &'static str, v: Vec3) -> Result<(), RefuseReason> {
    let names = match what {
        "velocity" => ["velocity.x", "velocity.y", "velocity.z"],
        _ => ["omega.x", "omega.y", "omega.z"],
    };
    match names.into_iter().zip(v.to_array()).find(|(_, value)| !value.is_finite()) {
        Some((field, value)) => Err(RefuseReason::Vector { field, value }),
        None => Ok(()),
    }
}
