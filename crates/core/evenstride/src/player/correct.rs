//! What the server's positions do to the local player: hardly anything, unless it insists.

use evenstride_types::{SimTime, Vec3, update::PositionPack};

use crate::{
    body::{
        context::Context,
        flags::Flags,
        local_player::{Autonomy, body_of},
    },
    inbound::{checked_place, stamps},
    motion::{route::HeadingMode, tether::Leeway},
    outcome::{Disposition, IgnoreReason, PlaceReason},
    surroundings::Surroundings,
    world::MotionWorld,
};

impl MotionWorld {
    /// A received position of the local player.
    ///
    /// A newer force stamp puts the player there, facing as it does, and is answered at once. A newer teleport stamp moves it. Anything
    /// else only ties the tether to the received place, unless the server owns the position: then the player walks there.
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
        let context = Context { now, config: &self.config, surroundings };
        let autonomy = self.player.as_ref().map_or(Autonomy::Player, |player| player.autonomy);
        let mut body = body_of(&mut self.store, &mut self.player, slot);
        let place = match checked_place(pack, body.stats) {
            Ok(place) => place,
            Err(answer) => return answer,
        };
        if stamps::forces(&mut body.ledger.stamps, pack) {
            let mut to = place;
            to.pose = place.pose.with_heading(body.body.place.pose.heading());
            let done = body.put(to, pack.has_contact, context, &mut self.record);
            self.store.deliver(&self.slots, now, &mut self.record);
            self.remember(place);
            self.send_position(now, slot);
            return Disposition::Placed { reason: PlaceReason::Corrected, done };
        }
        if let Err(reason) = stamps::accept_position(&mut body.ledger.stamps, pack) {
            return Disposition::Ignored(reason);
        }
        let answer = if stamps::teleports(&mut body.ledger.stamps, pack) {
            // Placed first, then the hook: the other way round than for everybody else.
            let done = body.put(place, pack.has_contact, context, &mut self.record);
            // A landing may end a move-to, and with it begin a follow that lasts until the hook.
            self.store.deliver(&self.slots, now, &mut self.record);
            let mut body = body_of(&mut self.store, &mut self.player, slot);
            body.abandon_course(&mut self.record);
            let from_anchor = place.distance(&body.body.place);
            body.detail.tether.arm(from_anchor, Leeway::of(body.body.place.cell));
            body.set_velocity(Vec3::ZERO, now.as_secs());
            self.end_teleport(now, slot);
            self.send_state(now);
            Disposition::Placed { reason: PlaceReason::Teleport, done }
        } else {
            body.wake(now.as_secs());
            let from_anchor = place.distance(&body.body.place);
            body.detail.tether.arm(from_anchor, Leeway::of(body.body.place.cell));
            match autonomy {
                _ if !body.body.flags.contains(Flags::HAS_CELL) => {
                    Disposition::Ignored(IgnoreReason::PlayerNowhere)
                }
                Autonomy::Player => Disposition::Ignored(IgnoreReason::PlayerDecides),
                _ if !pack.has_contact => Disposition::Ignored(IgnoreReason::Airborne),
                Autonomy::Server | Autonomy::ServerButHeading => {
                    let is_heading_kept = autonomy == Autonomy::ServerButHeading;
                    let keep = if is_heading_kept { HeadingMode::Keep } else { HeadingMode::Adopt };
                    Disposition::Queued(body.enqueue(place, keep, now, &mut self.record))
                }
            }
        };
        self.remember(place);
        answer
    }

    fn remember(&mut self, heard: evenstride_types::Placement) {
        if let Some(player) = &mut self.player {
            player.heard = Some(heard);
        }
    }
}
