//! The local player: keys in, motion and messages to the server out, and what the server says back.
//!
//! `jump.rs` charges and jumps, `report.rs` decides what is sent and when, `correct.rs` takes the server's word, `replay.rs` does what a recording
//! says. Keys become raw motion in `motion/controls.rs`. The body itself is stepped like any other.

mod correct;
mod jump;
mod replay;
mod report;

use evenstride_types::{
    EntityId, Placement, SimTime,
    update::{PlayerAction, RawState},
};

pub use crate::player::{
    jump::{JumpRefused, MAX_CHARGE_SECS, MIN_EXTENT},
    report::REPORT_SECS,
};
use crate::{
    body::{
        flags::Flags,
        local_player::{Autonomy, Controller, LocalPlayer},
        locomotion::Locomotion,
        rows::NOWHERE,
    },
    journal::Happening,
    motion::{InterpretedMotion, animator::AnimationPools, controls::Input, gait::Gait, skills::Skills},
    outcome::MoveToEnd,
    surroundings::Surroundings,
    world::MotionWorld,
};

/// A look at the local player.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlayerView {
    /// Which entity it is.
    pub entity: EntityId,
    /// Where its last step left it: what is sent to the server. `None` while it is not in the world.
    pub place: Option<Placement>,
    /// Where the server last said it is.
    pub heard: Option<Placement>,
    /// Whether it stands on something.
    pub is_grounded: bool,
    /// Whose commands move it.
    pub controller: Controller,
    /// Who decides where it is.
    pub autonomy: Autonomy,
    /// How far a jump is charged, if one is: 0.001 to 1.
    pub charge: Option<f32>,
    /// Whether a teleport has begun and is not over.
    pub is_teleporting: bool,
    /// Metres of tether used up since the server's last word, and how many there are; `None` when it is off.
    pub tether: Option<[f32; 2]>,
    /// What it is doing.
    pub gait: Gait,
}

/// There is no local player, or it is not in the world yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no local player in the world")]
pub struct NoLocalPlayer;

impl MotionWorld {
    /// Says which entity is the local player, or that there is none. [`Update::LocalPlayer`](evenstride_types::update::Update) does the
    /// same when there was none.
    pub fn set_local_player(&mut self, now: SimTime, entity: Option<EntityId>) {
        if let Some(slot) = self.player_slot() {
            self.store.bodies[slot].flags.remove(Flags::LOCAL | Flags::AUTONOMOUS);
            self.store.body_mut(slot).update_chase_speed();
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
        }
        if self.viewpoint().is_none() {
            self.set_viewpoint(None);
        }
    }

    /// How well the local player runs and jumps.
    ///
    /// # Errors
    /// [`NoLocalPlayer`].
    pub fn set_skills(&mut self, skills: Skills) -> Result<(), NoLocalPlayer> {
        self.player.as_ref().ok_or(NoLocalPlayer)?;
        self.store.skills = skills;
        self.apply_current();
        Ok(())
    }

    /// Who decides where the local player is.
    ///
    /// # Errors
    /// [`NoLocalPlayer`].
    pub fn set_autonomy(&mut self, autonomy: Autonomy) -> Result<(), NoLocalPlayer> {
        self.player.as_mut().ok_or(NoLocalPlayer)?.autonomy = autonomy;
        Ok(())
    }

    /// The keys that are down from now on. A change is sent to the server at once. A key that is pressed takes control back from the server;
    /// one that is held does so once the server's movement is done.
    ///
    /// # Errors
    /// [`NoLocalPlayer`] when there is none, or it is not in the world.
    pub fn set_input(
        &mut self,
        now: SimTime,
        controls: Input,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<(), NoLocalPlayer> {
        self.catch_up(now, surroundings);
        let slot = self.placed_player_slot().ok_or(NoLocalPlayer)?;
        let player = self.player.as_mut().ok_or(NoLocalPlayer)?;
        if player.input == controls {
            return Ok(());
        }
        let had = core::mem::replace(&mut player.input, controls);
        match player.controller {
            Controller::Server if controls.presses_more_than(&had) => self.take_control(now, slot),
            // Letting go of a key takes nothing from the server.
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

    /// The next message to be sent to the server, oldest first. A message that is not taken in time is dropped and counted
    /// ([`Stats::actions_dropped`](crate::Stats::actions_dropped)).
    #[must_use]
    pub fn poll_action(&mut self) -> Option<PlayerAction> {
        self.outbox.pop_front()
    }

    /// A look at the local player; `None` if there is none.
    pub fn player(&self) -> Option<PlayerView> {
        let player = self.player.as_ref()?;
        let slot = self.player_slot();
        let flags = slot.map_or(Flags::empty(), |slot| self.store.bodies[slot].flags);
        let tether = slot.map(|slot| self.store.details[slot].tether).filter(|tether| tether.is_on);
        let charge = player.charging_since.map(|since| player.extent(since, self.clock.now));
        Some(PlayerView {
            entity: player.entity,
            place: slot.filter(|_| flags.contains(Flags::HAS_CELL)).map(|slot| self.store.bodies[slot].place),
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

    /// The body of the local player, if it is there.
    pub(crate) fn player_slot(&self) -> Option<usize> {
        self.slot(self.player.as_ref()?.entity)
    }

    /// The same, if it is somewhere in the world.
    pub(crate) fn placed_player_slot(&self) -> Option<usize> {
        self.player_slot().filter(|slot| self.store.bodies[*slot].flags.contains(Flags::HAS_CELL))
    }

    /// The local player's body has come.
    pub(crate) fn meet_player(&mut self, now: SimTime, slot: usize) {
        let body = &mut self.store.bodies[slot];
        body.flags.insert(Flags::LOCAL);
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
        // The client begins with the state of its keys, and its position follows.
        self.send_state(now);
    }

    /// The server moves the player from now on, until a key is pressed.
    pub(crate) fn lose_control(&mut self, now: SimTime, slot: usize) {
        let Some(player) = &mut self.player else { return };
        player.charging_since = None;
        let was = core::mem::replace(&mut player.controller, Controller::Server);
        if was == Controller::Keys {
            self.tell(now, slot, Happening::ControlLost);
        }
    }

    /// The player's keys move it again: what the server had it do is over.
    fn take_control(&mut self, now: SimTime, slot: usize) {
        if let Some(player) = &mut self.player {
            player.controller = Controller::Keys;
        }
        self.tell(now, slot, Happening::ControlTaken);
        self.stop_player(now, slot);
        let body = self.store.body_mut(slot);
        body.routes.stop(&mut body.body.links.route);
        self.apply_keys(now);
    }

    /// Gives control back to a key that was held while the server moved the player, once that is done. The client asks every frame.
    pub(crate) fn take_control_back(&mut self, now: SimTime) {
        let Some(player) = self.player.as_ref().filter(|player| player.controller == Controller::Server)
        else {
            return;
        };
        let holds_a_key = player.input.presses_more_than(&Input::default());
        let Some(slot) = self.placed_player_slot().filter(|_| holds_a_key) else { return };
        let body = self.store.body_mut(slot);
        if !body.body.flags.contains(Flags::MOVES_TO) && !AnimationPools::is_pending(&body) {
            self.take_control(now, slot);
            self.send_state(now);
        }
    }

    /// Ends what the server sent the player to do.
    pub(crate) fn stop_player(&mut self, now: SimTime, slot: usize) {
        self.with_body(now, slot, |body, _, journal| {
            body.cancel_move_to(MoveToEnd::Interrupted, journal);
            body.wake(now.as_secs());
        });
    }

    /// Whether a body does what the server says of its velocity: all but a player that decides for itself.
    pub(crate) fn obeys_server(&self, slot: usize) -> bool {
        let decides = self.player.as_ref().is_some_and(|player| player.autonomy == Autonomy::Player);
        !(decides && self.store.bodies[slot].flags.contains(Flags::LOCAL))
    }

    /// Ends a teleport that had begun.
    pub(crate) fn end_teleport(&mut self, now: SimTime, slot: usize) {
        let Some(player) = &mut self.player else { return };
        if core::mem::replace(&mut player.awaits_teleport, false) {
            self.tell(now, slot, Happening::TeleportEnded);
        }
    }

    /// Lets the keys move the player, if it is theirs to move.
    pub(crate) fn apply_keys(&mut self, now: SimTime) {
        let Some((player, slot)) = self.player.as_ref().zip(self.player_slot()) else { return };
        if player.controller == Controller::Keys {
            let keys = player.input.raw();
            self.set_keys(now, slot, &keys);
        } else {
            self.with_body(now, slot, |body, _, journal| {
                body.body.flags.remove(Flags::AUTONOMOUS);
                AnimationPools::prepare(body, journal);
            });
            self.apply_current();
        }
    }

    /// Lets these keys move the body, whatever moved it before.
    fn set_keys(&mut self, now: SimTime, slot: usize, keys: &RawState) {
        self.with_body(now, slot, |body, _, journal| {
            AnimationPools::prepare(body, journal);
            body.body.flags.insert(Flags::AUTONOMOUS);
            body.with_driver(journal, |driver| driver.set_keys(keys));
        });
    }

    /// Does again what the player is doing: its skills have changed, or it may use its legs again. A move-to goes on as it is.
    ///
    /// Retail: `CMotionInterp::ReportExhaustion`, which calls `CMotionInterp::apply_current_movement` (11.4186 @ 0x00528870)
    fn apply_current(&mut self) {
        let Some(slot) = self.player_slot() else { return };
        self.with_body(self.clock.now, slot, |body, _, journal| {
            let is_sent = body.body.flags.contains(Flags::MOVES_TO);
            body.with_driver(journal, |driver| {
                if !is_sent {
                    driver.apply_current(false, false);
                }
            });
        });
    }
}
