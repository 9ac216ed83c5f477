//! A stage with a local player on it.

use evenstride::{
    Config, OpenField, Surroundings,
    player::{Ahead, Input, Skills},
};
use evenstride_types::{
    Stamp, StampKind,
    update::{MotionCommand, Update},
};

use crate::{Actor, Stage};

/// Input of a player who runs ahead.
pub const RUNNING: Input = Input {
    ahead: Some(Ahead::Forward),
    aside: None,
    turn: None,
    run: true,
    style: MotionCommand::NON_COMBAT,
};

/// Input of a player who presses only the run key.
pub const STANDING: Input = Input { ahead: None, ..RUNNING };

/// Puts a local player with run rate 2.375 at (90, 90, 10), facing north. Its first messages and
/// events are discarded.
pub fn played(config: Config) -> (Stage, Actor) {
    played_in(config, OpenField)
}

/// Puts a local player with run rate 2.375 at (90, 90, 10) in any surroundings. Its first messages
/// and events are discarded.
///
/// # Panics
///
/// Never in practice, because the stage has a local player.
pub fn played_in<S: Surroundings>(config: Config, surroundings: S) -> (Stage<S>, Actor) {
    let mut stage = Stage::in_surroundings(config, surroundings);
    stage.world.set_viewpoint(None);
    let mut player = Actor::new(0x5000_0001);
    player.stamps.set(StampKind::Instance, Stamp::new(90));
    let _ = stage.says(&Update::LocalPlayer(player.id));
    let _ = stage.says(&player.created(90.0, 90.0));
    stage.world.set_skills(Skills { run: 200, jump: 300, load: 0.5 }).unwrap();
    stage.drive(0.5);
    let _ = stage.sent();
    let _ = stage.events();
    (stage, player)
}

impl<S: Surroundings> Stage<S> {
    /// Sets the local player's keys.
    ///
    /// # Panics
    ///
    /// If there is no local player, or the input is invalid.
    pub fn presses(&mut self, input: Input) {
        let now = self.time();
        self.world.set_input(now, input, &self.surroundings).unwrap();
    }
}
