//! Messages of the local player to the server.
//!
//! Three messages carry the player's place. All of them wait in a bounded outbox until the host
//! polls them.
//!
//! | message | action | sent |
//! |---|---|---|
//! | state of the keys | F61C | keys change, control returns, a teleport ends, the player's body appears |
//! | position | F753 | new cell, new surface, each second of motion, after a correction |
//! | jump | F61B | at take-off |
//!
//! The state of the keys is also sent when the player begins to charge a jump from a standstill.

use evenstride_types::{
    RawPlacement, SimTime, StampKind, nearly_equal,
    update::{AutonomousPosition, Contact, MoveToState, PlayerAction, PlayerStamps},
};

use crate::{
    body::{flags::Flags, local_player::Reported},
    world::MotionWorld,
};

/// Time in seconds after which a moving player reports its position, counted from the last message
/// with a position.
///
/// The value was read in the client and confirmed in recordings.
pub const REPORT_SECS: f64 = 1.0;

impl MotionWorld {
    /// Sends the player's position if it is due.
    ///
    /// It is due at once when the player enters another cell or stands on another surface. It is
    /// due after a second if the pose has changed. A player in the air sends none. The first report
    /// of a body is always due.
    pub(crate) fn report(&mut self, now: SimTime) {
        let (Some(slot), Some(player)) = (self.player_slot(), &self.player) else { return };
        let body = &self.store.hot[slot];
        if !body.flags.contains(Flags::HAS_CELL | Flags::CONTACT | Flags::WALKABLE) {
            return;
        }
        let is_due = match &player.reported {
            None => true,
            Some(last) => {
                let (here, then) = (&body.place, &last.place);
                here.cell != then.cell
                    || !nearly_equal(self.store.moving[slot].normal, last.normal)
                    || ((now - player.sent).as_secs() > REPORT_SECS && !here.pose.is_nearly(&then.pose))
            }
        };
        if is_due {
            self.send_position(now, slot);
        }
    }

    /// Sends the player's position at once. Action F753.
    pub(crate) fn send_position(&mut self, now: SimTime, slot: usize) {
        let place = self.store.hot[slot].place;
        let normal = self.store.moving[slot].normal;
        let action = PlayerAction::AutonomousPosition(AutonomousPosition {
            position: RawPlacement::from(&place),
            stamps: self.player_stamps(slot),
            // Only the state of the keys carries the bit for a charged jump.
            contact: Contact(self.contact(slot).0 & 1),
        });
        if let Some(player) = &mut self.player {
            player.reported = Some(Reported { place, normal });
            player.sent = now;
        }
        self.send(action);
    }

    /// Sends which keys are down. Action F61C. A player outside the world sends nothing.
    pub(crate) fn send_state(&mut self, now: SimTime) {
        let (Some(slot), Some(player)) = (self.placed_player_slot(), &self.player) else { return };
        let action = PlayerAction::MoveToState(MoveToState {
            state: player.input.raw(),
            position: RawPlacement::from(&self.store.hot[slot].place),
            stamps: self.player_stamps(slot),
            contact: self.contact(slot),
        });
        if let Some(player) = &mut self.player {
            player.sent = now;
        }
        self.send(action);
    }

    /// Queues a message. A full outbox loses its oldest message, which is counted.
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

    /// Returns the four stamps that the player has applied. The server uses the echo to tell which
    /// of its messages were seen.
    pub(crate) fn player_stamps(&self, slot: usize) -> PlayerStamps {
        let stamps = &self.store.messages[slot].stamps;
        PlayerStamps {
            instance: stamps.seen(StampKind::Instance),
            server_control: stamps.seen(StampKind::ServerControlledMove),
            teleport: stamps.seen(StampKind::Teleport),
            force_position: stamps.seen(StampKind::ForcePosition),
        }
    }

    /// Returns the contact bits of a message. Bit 0 means standing on the ground, bit 1 charging a
    /// jump from a standstill.
    fn contact(&self, slot: usize) -> Contact {
        let stands = self.store.hot[slot].flags.contains(Flags::CONTACT | Flags::WALKABLE);
        let animator = self.store.locomotion.animators.get(self.store.hot[slot].animator);
        let charges = animator.is_some_and(|animator| animator.interpreter.standing_long_jump);
        Contact(u8::from(stands) | u8::from(charges) << 1)
    }
}
