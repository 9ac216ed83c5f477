//! Replay of the messages that a recorded client sent to its server.
//!
//! A replay has no keys, so these messages stand in for them. They carry the true places of the
//! client, against which this world can be measured.

use evenstride_types::{
    RawPlacement, SimTime,
    update::{HoldKey, MotionCommand, PlayerAction, RawState},
};

use crate::{
    body::{context::Context, flags::Flags, local_player::Controller},
    motion::controls::{Ahead, Input, Side},
    player::NoPlayerError,
    surroundings::Surroundings,
    world::MotionWorld,
};

impl MotionWorld {
    /// Replays a message that a recorded client sent to its server.
    ///
    /// The local player is put at the place in the message. The keys in a message replace those
    /// that are down, and a jump message makes the player jump. Between two messages, the keys move
    /// the player.
    ///
    /// Returns the player's distance from that place before the message, in metres. It measures how
    /// well this world predicts the client.
    ///
    /// A message without a position has no effect and returns 0. A message with an invalid position
    /// also returns 0 and does not move the player. Its keys or its jump still take effect.
    ///
    /// # Errors
    /// [`NoPlayerError`] if there is no local player, or the player is outside the world.
    pub fn replay_action(
        &mut self,
        now: SimTime,
        action: &PlayerAction,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<f64, NoPlayerError> {
        self.catch_up(now, surroundings);
        let slot = self.placed_player_slot().ok_or(NoPlayerError)?;
        let (position, is_grounded) = match action {
            PlayerAction::MoveToState(said) => (&said.position, said.contact.is_grounded()),
            PlayerAction::AutonomousPosition(said) => (&said.position, said.contact.is_grounded()),
            // A jump begins on the ground.
            PlayerAction::Jump(said) => (&said.position, true),
            _ => return Ok(0.0),
        };
        let off = self.put_player(now, slot, position, is_grounded, surroundings);
        match action {
            PlayerAction::MoveToState(said) => {
                if let Some(player) = &mut self.player {
                    player.input = Input::from_raw(&said.state);
                    player.controller = Controller::Keys;
                }
                self.stop_player(now, slot);
                self.set_long_jump(now, slot, said.contact.is_charging_jump());
                self.set_keys(now, slot, &said.state);
            }
            // Faster than that, a turned velocity may be infinite.
            PlayerAction::Jump(said) if said.local_velocity.length_squared().is_finite() => {
                self.stop_player(now, slot);
                self.set_long_jump(now, slot, false);
                self.with_body(now, slot, |body, config, journal| {
                    body.launch(Some(said.local_velocity), now, config.takeoff, journal);
                });
            }
            _ => {}
        }
        self.mark_changed(slot);
        Ok(off)
    }

    /// Sets whether the player charges a jump from a standstill.
    fn set_long_jump(&mut self, now: SimTime, slot: usize, is_charging: bool) {
        self.with_body(now, slot, |body, _, journal| {
            body.with_driver(journal, |driver| driver.interpreter.standing_long_jump = is_charging);
        });
    }

    /// Puts the player where it said it was. Returns its distance from there, in metres.
    ///
    /// A short correction is drawn as motion instead of a leap. An invalid place is counted and
    /// returns 0.
    fn put_player(
        &mut self,
        now: SimTime,
        slot: usize,
        position: &RawPlacement,
        is_grounded: bool,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> f64 {
        /// Distance in metres below which a correction is drawn as motion.
        const DRAWN_ON_ITS_WAY_M: f64 = 1.0;
        let Ok(place) = position.check() else {
            self.store.stats.refused_positions += 1;
            return 0.0;
        };
        self.with_body(now, slot, |body, config, journal| {
            let from = body.hot.place;
            let off = from.distance(&place);
            body.wake(now.as_secs());
            if body.put(place, is_grounded, Context { now, config, surroundings }, journal)
                && off < DRAWN_ON_ITS_WAY_M
                && let Some(previous) = &mut body.previous
            {
                **previous = from;
                // One more step is needed even if nothing else moves the body. Otherwise it would
                // be drawn on its way for ever.
                body.hot.flags.insert(Flags::WAS_MOVING);
            }
            off
        })
    }
}

impl Input {
    /// Converts the raw motion of a message into keys. Speeds other than those of the keys are
    /// lost.
    pub fn from_raw(state: &RawState) -> Self {
        Self {
            ahead: match state.forward.command {
                Some(MotionCommand::WALK_FORWARD | MotionCommand::RUN_FORWARD) => Some(Ahead::Forward),
                Some(MotionCommand::WALK_BACKWARDS) => Some(Ahead::Back),
                _ => None,
            },
            aside: match state.sidestep.command {
                Some(MotionCommand::SIDESTEP_LEFT) => Some(Side::Left),
                Some(MotionCommand::SIDESTEP_RIGHT) => Some(Side::Right),
                _ => None,
            },
            turn: match state.turn.command {
                Some(MotionCommand::TURN_LEFT) => Some(Side::Left),
                Some(MotionCommand::TURN_RIGHT) => Some(Side::Right),
                _ => None,
            },
            run: state.hold_key == Some(HoldKey::RUN) || state.forward.hold_key == Some(HoldKey::RUN),
            style: state.style.unwrap_or(MotionCommand::NON_COMBAT),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back_from_what_is_sent() {
        for ahead in [None, Some(Ahead::Forward), Some(Ahead::Back)] {
            for aside in [None, Some(Side::Left), Some(Side::Right)] {
                for turn in [None, Some(Side::Left), Some(Side::Right)] {
                    for run in [false, true] {
                        let keys = Input { ahead, aside, turn, run, ..Input::default() };
                        assert_eq!(Input::from_raw(&keys.raw()), keys);
                    }
                }
            }
        }
    }
}
