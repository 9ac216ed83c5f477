//! What the local player tells the server, and when.

use evenstride_types::{
    RawPlacement, SimTime, StampKind, nearly_equal,
    update::{AutonomousPosition, Contact, MoveToState, PlayerAction, PlayerStamps},
};

use crate::{
    body::{flags::Flags, local_player::Reported},
    world::MotionWorld,
};

/// While the player moves, its position is sent after more than so many seconds without any message that has one. Read in the client, and
/// seen in recordings of it.
pub const REPORT_SECS: f64 = 1.0;

impl MotionWorld {
    /// Sends where the player is, if it is time: when it entered another cell or stands on another surface at once, else once a second
    /// while it moves; never from the air.
    pub(crate) fn report(&mut self, now: SimTime) {
        let (Some(slot), Some(player)) = (self.player_slot(), &self.player) else { return };
        let body = &self.store.bodies[slot];
        if !body.flags.contains(Flags::HAS_CELL | Flags::CONTACT | Flags::WALKABLE) {
            return;
        }
        let is_due = match &player.reported {
            None => true,
            Some(last) => {
                let (here, then) = (&body.place, &last.place);
                here.cell != then.cell
                    || !nearly_equal(self.store.details[slot].normal, last.normal)
                    || ((now - player.sent).as_secs() > REPORT_SECS && !here.pose.is_nearly(&then.pose))
            }
        };
        if is_due {
            self.send_position(now, slot);
        }
    }

    /// Sends where the player is, now. Action F753.
    pub(crate) fn send_position(&mut self, now: SimTime, slot: usize) {
        let place = self.store.bodies[slot].place;
        let normal = self.store.details[slot].normal;
        let action = PlayerAction::AutonomousPosition(AutonomousPosition {
            position: RawPlacement::from(&place),
            stamps: self.player_stamps(slot),
            // Of charging a jump only the keys tell.
            contact: Contact(self.contact(slot).0 & 1),
        });
        if let Some(player) = &mut self.player {
            player.reported = Some(Reported { place, normal });
            player.sent = now;
        }
        self.send(action);
    }

    /// Sends which keys are down. Action F61C.
    pub(crate) fn send_state(&mut self, now: SimTime) {
        let (Some(slot), Some(player)) = (self.placed_player_slot(), &self.player) else { return };
        let action = PlayerAction::MoveToState(MoveToState {
            state: player.input.raw(),
            position: RawPlacement::from(&self.store.bodies[slot].place),
            stamps: self.player_stamps(slot),
            contact: self.contact(slot),
        });
        if let Some(player) = &mut self.player {
            player.sent = now;
        }
        self.send(action);
    }

    pub(crate) fn send(&mut self, action: PlayerAction) {
        let max = self.config.limits.actions as usize;
        if self.outbox.len() >= max {
            let _ = self.outbox.pop_front();
            self.store.stats.actions_dropped += 1;
        }
        if max > 0 {
            self.outbox.push_back(action);
        }
    }

    /// The stamps the player has applied, echoed so that the server knows what it has seen.
    pub(crate) fn player_stamps(&self, slot: usize) -> PlayerStamps {
        let stamps = &self.store.ledgers[slot].stamps;
        PlayerStamps {
            instance: stamps.seen(StampKind::Instance),
            server_control: stamps.seen(StampKind::ServerControlledMove),
            teleport: stamps.seen(StampKind::Teleport),
            force_position: stamps.seen(StampKind::ForcePosition),
        }
    }

    fn contact(&self, slot: usize) -> Contact {
        let stands = self.store.bodies[slot].flags.contains(Flags::CONTACT | Flags::WALKABLE);
        let animator = self.store.locomotion.animators.get(self.store.bodies[slot].links.animator);
        let charges = animator.is_some_and(|animator| animator.interpreter.standing_long_jump);
        Contact(u8::from(stands) | u8::from(charges) << 1)
    }
}
