//! Received positions of remote bodies.
//!
//! A position leads to the route, to a placement, or to nothing. Positions also tell where the
//! ground is below a body in flight. `player/correct.rs` handles positions of the local player.

use evenstride_types::{Placement, SimTime, Vec3, update::PositionPack};

use crate::{
    body::{
        body_mut::BodyMut, context::Context, cull::ACTIVE_RADIUS_M, flags::Flags, locomotion::Locomotion,
    },
    config::{Landing, MissingTables, Orientation},
    inbound::stamps,
    journal::{Journal, Stats},
    motion::{
        flight::{Flight, Missed},
        route::{HeadingMode, player_snap_distance, snap_distance},
        tether::Leeway,
    },
    outcome::{Disposition, Enqueued, IgnoreReason, PlaceReason},
    surroundings::{Contact, GroundBelow, Surroundings},
};

/// Returns the place of a position, or the disposition of an invalid one.
///
/// Runs before any stamp is stored, so that an invalid position changes nothing but a counter.
#[inline(always)]
pub(crate) fn checked_place(pack: &PositionPack, stats: &mut Stats) -> Result<Placement, Disposition> {
    pack.placement().check().map_err(|reason| {
        stats.refused_positions += 1;
        Disposition::Refused(reason.into())
    })
}

/// Source of the contact bit of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactWord {
    /// The message states whether the body touches the ground.
    Said,
    /// A description does not state it. The client assumes contact, and no landing follows from
    /// that.
    ///
    /// Retail: `SmartBox::HandleCreateObject` (11.4186 @ 0x00454C80)
    Presumed,
}

impl<L: Locomotion> BodyMut<'_, L> {
    /// Receives a position of this life of a remote body.
    ///
    /// The place is checked first, then the stamps. Unless the position is ignored, the body wakes
    /// and its tether is armed again.
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
        if let Err(reason) = stamps::accept_position(&mut self.messages.stamps, pack) {
            return Disposition::Ignored(reason);
        }
        if self.hot.flags.contains(Flags::SUSPENDED) {
            stamps::teleports(&mut self.messages.stamps, pack);
            return Disposition::Ignored(IgnoreReason::Suspended);
        }
        let disposition = self.move_or_place(place, pack, word, context, journal);
        if context.config.missing_tables == MissingTables::HeardSpeed {
            let is_way = matches!(disposition, Disposition::Queued(queued) if queued != Enqueued::Far);
            self.locomotion.hear_position(self.hot, &place, is_way, self.library);
        }
        if !matches!(disposition, Disposition::Ignored(_)) {
            // The anchor is the body's own place, so the path starts at zero.
            self.wake(context.now.as_secs());
            self.moving.tether.arm(0.0, Leeway::of(self.hot.place.cell));
        }
        disposition
    }

    /// Chooses between a placement, the route, and no effect. The first rule that fits decides.
    ///
    /// 1. A newer teleport stamp, or a body outside the world, is a placement. The body abandons
    ///    its course first.
    /// 2. A position without contact is ignored, because the flight of the body decides where it
    ///    is.
    /// 3. A position with contact may end the flight of a body in the air.
    /// 4. From 96 m on, the position is a placement. An unknown distance counts as farther than
    ///    that.
    /// 5. Any other position goes to the route.
    ///
    /// During a move-to, waypoints move the body and leave its heading alone. With
    /// `Orientation::OnReceipt` the body otherwise turns at once.
    ///
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
        let teleports = stamps::teleports(&mut self.messages.stamps, pack);
        let enters = !self.hot.flags.contains(Flags::HAS_CELL);
        if teleports || enters {
            self.abandon_course(journal);
            let done = self.put(place, pack.has_contact, context, journal);
            let reason = if teleports { PlaceReason::Teleport } else { PlaceReason::EntersWorld };
            return Disposition::Placed { reason, done };
        }
        let keep =
            if self.hot.flags.contains(Flags::MOVES_TO) { HeadingMode::Keep } else { HeadingMode::Adopt };
        let turns = context.config.orientation == Orientation::OnReceipt && keep == HeadingMode::Adopt;
        if !pack.has_contact {
            if turns {
                self.turn(place.pose.rotation());
            }
            self.on_airborne_update(place.pose.origin().z);
            return Disposition::Ignored(IgnoreReason::Airborne);
        }
        let is_in_the_air = !self.hot.flags.contains(Flags::CONTACT);
        if is_in_the_air && word == ContactWord::Said && self.is_down_at(&place, context) {
            let done = self.land(place, context, journal);
            return Disposition::Placed { reason: PlaceReason::Landing, done };
        }
        if self.hot.distance >= ACTIVE_RADIUS_M {
            self.stop_route();
            let done = self.put(place, true, context, journal);
            let is_unknown = self.hot.distance == f32::MAX;
            let reason =
                if is_unknown { PlaceReason::DistanceUnknown } else { PlaceReason::FarFromViewpoint };
            return Disposition::Placed { reason, done };
        }
        if turns {
            self.turn(place.pose.rotation());
        }
        Disposition::Queued(self.enqueue(place, keep, context.now, journal))
    }

    /// Appends a place to the body's route, and wakes the body.
    ///
    /// A body that is already there loses its route and only takes on the heading. `keep` says
    /// whether the body keeps its heading on the way. A place too far to walk leaves the mode in
    /// force unchanged.
    #[inline(always)]
    pub fn enqueue(
        &mut self,
        place: Placement,
        keep: HeadingMode,
        now: SimTime,
        journal: &mut impl Journal,
    ) -> Enqueued {
        self.wake(now.as_secs());
        // A body that walks has a motion interpreter from this point on.
        self.hot.flags.remove(Flags::INERT);
        let here = &self.hot.place;
        let mut kept = self.heading_mode();
        let is_local = self.hot.flags.contains(Flags::LOCAL);
        let snap = if is_local { player_snap_distance(here.cell) } else { snap_distance(here.cell) };
        let enqueued =
            self.route.enqueue(self.waypoints, here, place, keep, &mut kept, snap, self.stats, journal);
        self.mirror_route();
        self.hot.flags.set(Flags::KEEPS_HEADING, kept == HeadingMode::Keep);
        if enqueued == Enqueued::AlreadyThere && keep == HeadingMode::Adopt {
            self.take_heading(&place);
        }
        enqueued
    }

    /// Turns the body to the heading of a place at which it already is.
    pub fn take_heading(&mut self, place: &Placement) {
        self.turn(self.hot.place.pose.rotation().with_heading(place.pose.heading()));
    }

    /// Returns whether a position on the ground ends the body's flight at once.
    ///
    /// With `Landing::OnGroundedUpdate` it always does. Surroundings that know the ground land the
    /// body themselves, so the answer is `false`. Otherwise a body that is not above that height,
    /// or does not fall, lands at once. A falling body above it still has to come down. The height
    /// is then stored with its flight, and the answer is `false` too.
    #[cold]
    fn is_down_at(&mut self, place: &Placement, context: Context<'_, impl Surroundings + ?Sized>) -> bool {
        if context.config.landing == Landing::OnGroundedUpdate {
            return true;
        }
        if !context.surroundings.lands_by_update(place) {
            return false;
        }
        let z = place.pose.origin().z;
        // A body that does not fall would never come down.
        if self.hot.place.pose.origin().z <= z || !self.hot.flags.contains(Flags::FALLING) {
            return true;
        }
        self.set_flight(Flight { ground: GroundBelow::Heard(z), missed: None, ..self.flight() });
        false
    }

    /// Notes that the server reports the body in the air, at the height `heard_z` in metres.
    ///
    /// Only a body that has fallen past its take-off height is concerned. If the reported height is
    /// lower, the ground is assumed to be there. Otherwise the wait for a landing begins again.
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

    /// Begins a new flight of a body that gets a velocity after it fell past its take-off height.
    ///
    /// The present height becomes the take-off height. Every other body keeps its flight.
    pub fn begin_new_flight(&mut self) {
        let (flight, z) = (self.flight(), self.hot.place.pose.origin().z);
        if flight.missed.is_some() {
            self.set_flight(Flight { ground: GroundBelow::TookOff(z), missed: None, ..flight });
        }
    }

    /// Ends a flight that no ground has ended. The body is placed, stopped and stands.
    ///
    /// Returns `false` if the surroundings refuse the place. The route is gone in either case.
    pub fn land(
        &mut self,
        place: Placement,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> bool {
        self.stop_route();
        let done = self.put(place, true, context, journal);
        if done {
            self.set_contact(Contact::On(Vec3::Z), Some(place.pose.origin().z), context, journal);
            self.set_velocity(Vec3::ZERO, context.now.as_secs());
        }
        done
    }
}
