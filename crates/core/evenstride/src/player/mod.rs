//! The local player, with its keys, its messages to the server, and the server's corrections.
//!
//! The player's body is stepped like any other. This folder has the rules that apply to no other
//! body. Keys come from the host and become raw motion in `motion/controls.rs`. Messages to the
//! server wait in the outbox until the host polls them.
//!
//! - `jump.rs` charges and jumps.
//! - `report.rs` decides which messages are sent, and when.
//! - `correct.rs` handles positions from the server.
//! - `replay.rs` repeats the messages of a recorded client.
//!
//! Either the keys or the server's last movement control the player ([`Controller`]). A movement
//! from the server takes control. A new key press takes it back at once, and a held key does so
//! once the movement is done.

mod correct;
mod jump;
mod replay;
mod report;

use evenstride_types::{
    EntityId, Placement, SimTime,
    update::{PlayerAction, RawState},
};

pub use crate::{
    body::local_player::{Autonomy, Controller},
    motion::{
        controls::{Ahead, Input, Side},
        skills::Skills,
    },
    player::{
        jump::{JumpError, MAX_CHARGE_SECS, MIN_EXTENT},
        report::REPORT_SECS,
    },
};
use crate::{
    body::{flags::Flags, local_player::LocalPlayer, locomotion::Locomotion, rows::NOWHERE},
    journal::Happening,
    motion::{InterpretedMotion, animator::AnimationPools, gait::Gait},
    outcome::MoveToEnd,
    surroundings::Surroundings,
    world::MotionWorld,
};

/// A view of the local player.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlayerView {
    /// Entity of the local player.
    pub entity: EntityId,
    /// Place after the player's last step, which is also sent to the server. `None` while the
    /// player is outside the world.
    pub place: Option<Placement>,
    /// Last place that the server reported. `None` before the first report.
    pub heard: Option<Placement>,
    /// Whether the player stands on walkable ground.
    pub is_grounded: bool,
    /// Source of the commands that move the player.
    pub controller: Controller,
    /// Side that decides the player's place.
    pub autonomy: Autonomy,
    /// Charge of a jump, from 0.001 to 1. `None` if no jump is charged.
    pub charge: Option<f32>,
    /// Whether a teleport has begun and is not over.
    pub is_teleporting: bool,
    /// Used length and total length of the tether, in metres. `None` while the tether is off.
    ///
    /// A newer position from the server, unless it is forced, resets the used length to the
    /// player's distance from that position.
    pub tether: Option<[f32; 2]>,
    /// Present motion of the player, or a standing gait while the player has no body.
    pub gait: Gait,
}

/// Error for a world without a local player, or with a player outside the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the world has no local player")]
pub struct NoPlayerError;

impl MotionWorld {
    /// Sets the local player, or removes it with `None`.
    ///
    /// [`Update::LocalPlayer`](evenstride_types::update::Update) does the same if the world has no
    /// local player yet. Messages that were not polled are dropped. Keys, skills and autonomy get
    /// their defaults. The entity may be created later.
    pub fn set_local_player(&mut self, now: SimTime, entity: Option<EntityId>) {
        if let Some(slot) = self.player_slot() {
            self.store.hot_mut(slot).flags.remove(Flags::LOCAL | Flags::AUTONOMOUS);
            self.store.body_mut(slot).update_chase_speed();
            // The player may be drawn in another mode than other bodies.
            self.mark_changed(slot);
        }
        self.outbox.clear();
        self.store.skills = Skills::default();
        self.player = entity.map(|entity| LocalPlayer {
            entity,
            input: Input::default(),
            autonomy: Autonomy::default(),
            controller: Controller::Keys,
            charging_since: None,
            awaits_teleport: false,
            sent: now,
            reported: None,
            heard: None,
            previous: NOWHERE,
        });
        if let Some(slot) = entity.and_then(|entity| self.slot(entity)) {
            self.meet_player(now, slot);
            self.mark_changed(slot);
        }
        if self.viewpoint().is_none() {
            self.set_viewpoint(None);
        }
    }

    /// Sets how well the local player runs and jumps. The present motion takes on the new speed at
    /// once.
    ///
    /// # Errors
    /// [`NoPlayerError`] if no local player is set.
    pub fn set_skills(&mut self, skills: Skills) -> Result<(), NoPlayerError> {
        self.player.as_ref().ok_or(NoPlayerError)?;
        self.store.skills = skills;
        self.apply_current();
        Ok(())
    }

    /// Sets which side decides where the local player is (default: the player).
    ///
    /// # Errors
    /// [`NoPlayerError`] if no local player is set.
    pub fn set_autonomy(&mut self, autonomy: Autonomy) -> Result<(), NoPlayerError> {
        self.player.as_mut().ok_or(NoPlayerError)?.autonomy = autonomy;
        Ok(())
    }

    /// Sets the keys that are down from `now` on.
    ///
    /// A change is queued as a message to the server at once. While the server moves the player, a
    /// newly pressed key takes control back. A key that is held does so once the server's movement
    /// is done. Any other change during that movement is stored without a message.
    ///
    /// # Errors
    /// [`NoPlayerError`] if there is no local player, or the player is outside the world.
    pub fn set_input(
        &mut self,
        now: SimTime,
        controls: Input,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<(), NoPlayerError> {
        self.catch_up(now, surroundings);
        let slot = self.placed_player_slot().ok_or(NoPlayerError)?;
        let player = self.player.as_mut().ok_or(NoPlayerError)?;
        if player.input == controls {
            return Ok(());
        }
        let had = core::mem::replace(&mut player.input, controls);
        match player.controller {
            Controller::Server if controls.presses_more_than(&had) => self.take_control(now, slot),
            // A released key takes no control from the server.
            Controller::Server => return Ok(()),
            Controller::Keys => {
                self.with_body(now, slot, |body, _, journal| {
                    body.wake(now.as_secs());
                    body.with_driver(journal, |driver| driver.change_keys(&had, &controls));
                });
            }
        }
        self.send_state(now);
        Ok(())
    }

    /// Removes and returns the oldest message to the server.
    ///
    /// A message that is not polled in time is dropped and counted
    /// ([`Stats::actions_dropped`](crate::explain::Stats::actions_dropped)).
    #[must_use]
    pub fn poll_action(&mut self) -> Option<PlayerAction> {
        self.outbox.pop_front()
    }

    /// Returns a view of the local player, or `None` if the world has none.
    pub fn player(&self) -> Option<PlayerView> {
        let player = self.player.as_ref()?;
        let slot = self.player_slot();
        let flags = slot.map_or(Flags::empty(), |slot| self.store.hot[slot].flags);
        let tether = slot.map(|slot| self.store.moving[slot].tether).filter(|tether| tether.is_on);
        let charge = player.charging_since.map(|since| player.extent(since, self.clock.now));
        Some(PlayerView {
            entity: player.entity,
            place: slot.filter(|_| flags.contains(Flags::HAS_CELL)).map(|slot| self.store.hot[slot].place),
            heard: player.heard,
            is_grounded: flags.contains(Flags::CONTACT | Flags::WALKABLE),
            controller: player.controller,
            autonomy: player.autonomy,
            charge,
            is_teleporting: player.awaits_teleport,
            tether: tether.map(|tether| [tether.travelled, tether.max]),
            gait: slot.map_or(Gait::of(&InterpretedMotion::STANDING, 1.0), |slot| self.gait(slot)),
        })
    }

    /// Returns the slot of the local player's body. `None` if it has none yet.
    pub(crate) fn player_slot(&self) -> Option<usize> {
        self.slot(self.player.as_ref()?.entity)
    }

    /// Returns the slot of the local player's body if that is in the world.
    pub(crate) fn placed_player_slot(&self) -> Option<usize> {
        self.player_slot().filter(|slot| self.store.hot[*slot].flags.contains(Flags::HAS_CELL))
    }

    /// Makes a body the local player's, when the body is created or the player is named.
    ///
    /// The keys act on it at once, unless its description has sent it somewhere.
    pub(crate) fn meet_player(&mut self, now: SimTime, slot: usize) {
        let body = self.store.hot_mut(slot);
        body.flags.insert(Flags::LOCAL);
        // Keys and the server move the local player, and no host.
        body.flags.remove(Flags::SUSPENDED);
        let place = body.place;
        let is_sent = body.flags.contains(Flags::MOVES_TO);
        if let Some(player) = &mut self.player {
            player.previous = place;
            player.reported = None;
            if is_sent {
                player.controller = Controller::Server;
            }
        }
        self.apply_keys(now);
        // The client first sends the state of its keys. Its position follows.
        self.send_state(now);
    }

    /// Gives control to the server until a key is pressed. A jump that is being charged is lost.
    pub(crate) fn lose_control(&mut self, now: SimTime, slot: usize) {
        let Some(player) = &mut self.player else { return };
        player.charging_since = None;
        let was = core::mem::replace(&mut player.controller, Controller::Server);
        if was == Controller::Keys {
            self.tell(now, slot, Happening::ControlLost);
        }
    }

    /// Gives control to the keys. The server's move-to and the route end.
    fn take_control(&mut self, now: SimTime, slot: usize) {
        if let Some(player) = &mut self.player {
            player.controller = Controller::Keys;
        }
        self.tell(now, slot, Happening::ControlTaken);
        self.stop_player(now, slot);
        self.store.body_mut(slot).stop_route();
        self.apply_keys(now);
    }

    /// Gives control to a key that was held while the server moved the player, once that movement
    /// is done.
    ///
    /// Runs after every round of steps, as the client asks in every frame.
    pub(crate) fn take_control_back(&mut self, now: SimTime) {
        let Some(player) = self.player.as_ref().filter(|player| player.controller == Controller::Server)
        else {
            return;
        };
        let holds_a_key = player.input.presses_more_than(&Input::default());
        let Some(slot) = self.placed_player_slot().filter(|_| holds_a_key) else { return };
        let body = self.store.body_mut(slot);
        if !body.hot.flags.contains(Flags::MOVES_TO) && !AnimationPools::is_pending(&body) {
            self.take_control(now, slot);
            self.send_state(now);
        }
    }

    /// Ends the move-to on which the server sent the player, and wakes the player.
    pub(crate) fn stop_player(&mut self, now: SimTime, slot: usize) {
        self.with_body(now, slot, |body, _, journal| {
            body.cancel_move_to(MoveToEnd::Interrupted, journal);
            body.wake(now.as_secs());
        });
    }

    /// Returns whether a body takes on velocities from the server. Only a local player that decides
    /// for itself does not.
    pub(crate) fn obeys_server(&self, slot: usize) -> bool {
        let decides = self.player.as_ref().is_some_and(|player| player.autonomy == Autonomy::Player);
        !(decides && self.store.hot[slot].flags.contains(Flags::LOCAL))
    }

    /// Ends a teleport that has begun. Without one nothing happens.
    pub(crate) fn end_teleport(&mut self, now: SimTime, slot: usize) {
        let Some(player) = &mut self.player else { return };
        if core::mem::replace(&mut player.awaits_teleport, false) {
            self.tell(now, slot, Happening::TeleportEnded);
        }
    }

    /// Applies the present keys to the player's body, if the keys control it.
    ///
    /// If the server controls it, its present motion is applied again.
    pub(crate) fn apply_keys(&mut self, now: SimTime) {
        let Some((player, slot)) = self.player.as_ref().zip(self.player_slot()) else { return };
        if player.controller == Controller::Keys {
            let keys = player.input.raw();
            self.set_keys(now, slot, &keys);
        } else {
            self.with_body(now, slot, |body, _, journal| {
                body.hot.flags.remove(Flags::AUTONOMOUS);
                AnimationPools::prepare(body, journal);
            });
            self.apply_current();
        }
    }

    /// Applies raw motion to the body, whatever moved it before.
    fn set_keys(&mut self, now: SimTime, slot: usize, keys: &RawState) {
        self.with_body(now, slot, |body, _, journal| {
            AnimationPools::prepare(body, journal);
            body.hot.flags.insert(Flags::AUTONOMOUS);
            body.with_driver(journal, |driver| driver.set_keys(keys));
        });
    }

    /// Applies the player's present motion again, after its skills or the library have changed. A
    /// move-to goes on as it is.
    ///
    /// Retail: `CMotionInterp::ReportExhaustion`, which calls `CMotionInterp::apply_current_movement` (11.4186 @ 0x00528870)
    fn apply_current(&mut self) {
        let Some(slot) = self.player_slot() else { return };
        self.with_body(self.clock.now, slot, |body, _, journal| {
            let is_sent = body.hot.flags.contains(Flags::MOVES_TO);
            body.with_driver(journal, |driver| {
                if !is_sent {
                    driver.apply_current(false, false);
                }
            });
        });
    }
}
