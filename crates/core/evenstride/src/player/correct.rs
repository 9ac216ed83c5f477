//! Positions of the local player from the server.
//!
//! The player decides where it is, so most positions only move its tether. Forced positions and
//! teleports are placements. Only with another [`Autonomy`] does the player walk to received
//! places.

use evenstride_types::{Placement, SimTime, Vec3, update::PositionPack};

use crate::{
    body::{body_mut::BodyMut, context::Context, flags::Flags, local_player::Autonomy},
    inbound::{checked_place, stamps},
    motion::{route::HeadingMode, tether::Leeway},
    outcome::{Disposition, IgnoreReason, PlaceReason},
    surroundings::Surroundings,
    world::MotionWorld,
};

impl MotionWorld {
    /// Handles a received position of the local player.
    ///
    /// 1. A newer force stamp puts the player there with its own heading, and the new position is
    ///    reported at once.
    /// 2. A newer teleport stamp moves the player.
    /// 3. Any other position ties the tether to the received place. If the server decides
    ///    positions, a player reported on the ground walks there too.
    ///
    /// A player outside the world is brought in only by the first two.
    ///
    /// Retail: `SmartBox::HandleReceivedPosition` (11.4186 @ 0x00453FD0)
    #[inline(never)]
    pub(crate) fn correct_player(
        &mut self,
        now: SimTime,
        slot: usize,
        pack: &PositionPack,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        let place = match checked_place(pack, &mut self.store.stats) {
            Ok(place) => place,
            Err(answer) => return answer,
        };
        if stamps::forces(&mut self.store.messages[slot].stamps, pack) {
            let done = self.with_body(now, slot, |body, config, journal| {
                let pose = place.pose.with_heading(body.hot.place.pose.heading());
                let to = Placement::new(place.cell, pose);
                body.put(to, pack.has_contact, Context { now, config, surroundings }, journal)
            });
            self.remember(place);
            self.send_position(now, slot);
            return Disposition::Placed { reason: PlaceReason::Corrected, done };
        }
        if let Err(reason) = stamps::accept_position(&mut self.store.messages[slot].stamps, pack) {
            return Disposition::Ignored(reason);
        }
        let answer = if stamps::teleports(&mut self.store.messages[slot].stamps, pack) {
            self.teleport_player(now, slot, &place, pack, surroundings)
        } else {
            let autonomy = self.player.as_ref().map_or(Autonomy::Player, |player| player.autonomy);
            self.with_body(now, slot, |body, _, journal| {
                body.wake(now.as_secs());
                body.arm_tether_to(&place);
                match autonomy {
                    _ if !body.hot.flags.contains(Flags::HAS_CELL) => {
                        Disposition::Ignored(IgnoreReason::PlayerNowhere)
                    }
                    Autonomy::Player => Disposition::Ignored(IgnoreReason::PlayerDecides),
                    _ if !pack.has_contact => Disposition::Ignored(IgnoreReason::Airborne),
                    Autonomy::Server | Autonomy::ServerButHeading => {
                        let is_heading_kept = autonomy == Autonomy::ServerButHeading;
                        let keep = if is_heading_kept { HeadingMode::Keep } else { HeadingMode::Adopt };
                        Disposition::Queued(body.enqueue(place, keep, now, journal))
                    }
                }
            })
        };
        self.remember(place);
        answer
    }

    /// Moves the player to the place of a teleport, and sends the state of its keys.
    ///
    /// The player is placed first and abandons its course afterwards. Every other body does it in
    /// the opposite order, as in the client.
    fn teleport_player(
        &mut self,
        now: SimTime,
        slot: usize,
        place: &Placement,
        pack: &PositionPack,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        // A landing may end a move-to and request a follow. The follow begins at the end of this
        // call, and the next call ends it.
        let done = self.with_body(now, slot, |body, config, journal| {
            body.put(*place, pack.has_contact, Context { now, config, surroundings }, journal)
        });
        self.with_body(now, slot, |body, _, journal| {
            body.abandon_course(journal);
            body.arm_tether_to(place);
            body.set_velocity(Vec3::ZERO, now.as_secs());
        });
        self.end_teleport(now, slot);
        self.send_state(now);
        Disposition::Placed { reason: PlaceReason::Teleport, done }
    }

    /// Stores the last place that the server reported, for
    /// [`PlayerView::heard`](crate::player::PlayerView::heard).
    fn remember(&mut self, heard: Placement) {
        if let Some(player) = &mut self.player {
            player.heard = Some(heard);
        }
    }
}

impl BodyMut<'_> {
    /// Ties the tether to a place. The distance of the body from there counts as path already
    /// travelled.
    fn arm_tether_to(&mut self, anchor: &Placement) {
        let from_anchor = anchor.distance(&self.hot.place);
        self.moving.tether.arm(from_anchor, Leeway::of(self.hot.place.cell));
    }
}
