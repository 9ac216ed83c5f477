//! Where a received position leads: to the route, to a placement, or nowhere.

use evenstride_types::{Placement, SimTime, Vec3, update::PositionPack};

use crate::{
    body::{
        body_mut::BodyMut, context::Context, flags::Flags, locomotion::Locomotion, store::ACTIVE_RADIUS_M,
    },
    config::{Landing, Orientation},
    inbound::stamps,
    journal::{Journal, Stats},
    motion::{
        flight::{Flight, Missed},
        route::{HeadingMode, snap_distance},
        tether::Leeway,
    },
    outcome::{Disposition, Enqueued, IgnoreReason, PlaceReason},
    surroundings::{Contact, GroundBelow, Surroundings},
};

/// Where a position is, or the answer to one that cannot be. Asked before any stamp is stored: what cannot be must leave no trace.
#[inline(always)]
pub(crate) fn checked_place(pack: &PositionPack, stats: &mut Stats) -> Result<Placement, Disposition> {
    pack.placement().check().map_err(|reason| {
        stats.refused_positions += 1;
        Disposition::Refused(reason.into())
    })
}

/// How it is known that a body touches the ground where a position says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactWord {
    /// The message says so, or that it does not.
    Said,
    /// A description does not tell: the client takes it for granted, and nothing lands because of it.
    ///
    /// Retail: `SmartBox::HandleCreateObject` (11.4186 @ 0x00454C80)
    Presumed,
}

impl<L: Locomotion> BodyMut<'_, L> {
    /// A received position, of this life of the body, which is not the local player's.
    ///
    /// Retail: `SmartBox::HandleReceivedPosition` (11.4186 @ 0x00453FD0)
    #[inline(always)]
    pub fn receive_position(
        &mut self,
        pack: &PositionPack,
        word: ContactWord,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> Disposition {
        let place = match checked_place(pack, self.stats) {
            Ok(place) => place,
            Err(answer) => return answer,
        };
        if let Err(reason) = stamps::accept_position(&mut self.ledger.stamps, pack) {
            return Disposition::Ignored(reason);
        }
        let disposition = self.move_or_place(place, pack, word, context, journal);
        if !matches!(disposition, Disposition::Ignored(_)) {
            // Anchored at the body's own place, so the path starts at zero.
            self.wake(context.now.as_secs());
            self.detail.tether.arm(0.0, Leeway::of(self.body.place.cell));
        }
        disposition
    }

    /// Retail: `CPhysicsObj::MoveOrTeleport` (11.4186 @ 0x00516330)
    #[inline(always)]
    fn move_or_place(
        &mut self,
        place: Placement,
        pack: &PositionPack,
        word: ContactWord,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> Disposition {
        let teleports = stamps::teleports(&mut self.ledger.stamps, pack);
        let enters = !self.body.flags.contains(Flags::HAS_CELL);
        if teleports || enters {
            self.abandon_course(journal);
            let done = self.put(place, pack.has_contact, context, journal);
            let reason = if teleports { PlaceReason::Teleport } else { PlaceReason::EntersWorld };
            return Disposition::Placed { reason, done };
        }
        let keep =
            if self.body.flags.contains(Flags::MOVES_TO) { HeadingMode::Keep } else { HeadingMode::Adopt };
        let turns = context.config.orientation == Orientation::OnReceipt && keep == HeadingMode::Adopt;
        if !pack.has_contact {
            if turns {
                self.turn(place.pose.rotation());
            }
            self.on_airborne_update(place.pose.origin().z);
            return Disposition::Ignored(IgnoreReason::Airborne);
        }
        let is_in_the_air = !self.body.flags.contains(Flags::CONTACT);
        if is_in_the_air && word == ContactWord::Said && self.is_down_at(&place, context) {
            let done = self.land(place, context, journal);
            return Disposition::Placed { reason: PlaceReason::Landing, done };
        }
        if self.body.distance >= ACTIVE_RADIUS_M {
            self.routes.stop(&mut self.body.links.route);
            let done = self.put(place, true, context, journal);
            let is_unknown = self.body.distance == f32::MAX;
            let reason =
                if is_unknown { PlaceReason::DistanceUnknown } else { PlaceReason::FarFromViewpoint };
            return Disposition::Placed { reason, done };
        }
        if turns {
            self.turn(place.pose.rotation());
        }
        Disposition::Queued(self.enqueue(place, keep, context.now, journal))
    }

    /// Appends a place to the body's route; if it is there already, only turns it.
    #[inline(always)]
    pub fn enqueue(
        &mut self,
        place: Placement,
        keep: HeadingMode,
        now: SimTime,
        journal: &mut impl Journal,
    ) -> Enqueued {
        self.wake(now.as_secs());
        // What walks has a motion interpreter from then on.
        self.body.flags.remove(Flags::INERT);
        let here = &self.body.place;
        let mut kept = self.heading_mode();
        let snap = snap_distance(here.cell, self.body.flags.contains(Flags::LOCAL));
        let link = &mut self.body.links.route;
        let enqueued = self.routes.enqueue(link, here, place, keep, &mut kept, snap, self.stats, journal);
        self.body.flags.set(Flags::KEEPS_HEADING, kept == HeadingMode::Keep);
        if enqueued == Enqueued::AlreadyThere && keep == HeadingMode::Adopt {
            let turned = self.body.place.pose.rotation().with_heading(place.pose.heading());
            self.turn(turned);
        }
        enqueued
    }

    /// Returns whether a place on the ground, heard of in flight, ends that flight at once. Otherwise the body still has to come down to
    /// it, and now knows how far.
    #[cold]
    fn is_down_at(&mut self, place: &Placement, context: Context<'_, impl Surroundings + ?Sized>) -> bool {
        if context.config.landing == Landing::OnGroundedUpdate {
            return true;
        }
        if !context.surroundings.lands_by_update(place) {
            return false;
        }
        let z = place.pose.origin().z;
        // Nothing brings a body down that does not fall.
        if self.body.place.pose.origin().z <= z || !self.body.flags.contains(Flags::FALLING) {
            return true;
        }
        self.set_flight(Flight { ground: GroundBelow::Heard(z), missed: None, ..self.flight() });
        false
    }

    /// Notes that the server says that the body is still in the air. The ground that it fell past lies lower than that, then.
    #[inline]
    fn on_airborne_update(&mut self, heard_z: f32) {
        let mut flight = self.flight();
        let (GroundBelow::TookOff(z), Some(missed)) = (flight.ground, flight.missed) else { return };
        if heard_z < z {
            (flight.ground, flight.missed) = (GroundBelow::TookOff(heard_z), None);
        } else {
            flight.missed = Some(Missed { silent_secs: 0.0, ..missed });
        }
        self.set_flight(flight);
    }

    /// Lets a body that gets a velocity in the air begin a flight from there, if it has fallen below where it took off.
    pub fn begin_new_flight(&mut self) {
        let (flight, z) = (self.flight(), self.body.place.pose.origin().z);
        if flight.missed.is_some() {
            self.set_flight(Flight { ground: GroundBelow::TookOff(z), missed: None, ..flight });
        }
    }

    /// Ends a flight that no ground ended: the body is placed, stopped and stands. Returns whether the surroundings let it.
    pub fn land(
        &mut self,
        place: Placement,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> bool {
        self.routes.stop(&mut self.body.links.route);
        let done = self.put(place, true, context, journal);
        if done {
            self.set_contact(Contact::On(Vec3::Z), Some(place.pose.origin().z), context, journal);
            self.set_velocity(Vec3::ZERO, context.now.as_secs());
        }
        done
    }
}
