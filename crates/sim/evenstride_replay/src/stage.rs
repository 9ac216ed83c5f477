//! The world of a replay, and the client whose view it is.

use std::sync::Arc;

use evenstride::{
    MotionWorld, OpenField,
    config::{Gate, MissingViewpoint, UnknownEntityPolicy},
    player::{Autonomy, Skills},
};
use evenstride_types::{
    EntityId, SimTime,
    update::{MotionCommand, MovementKind, MovementUpdate, PlayerAction, Update},
};

use crate::{
    recording::{Said, TimedMessage},
    replay::{Heard, ReplayObserver, ReplayOptions, TraceScope, at},
    script::Script,
    staged::StagedWorld,
};

/// A world, and the client whose view it is.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) world: StagedWorld,
    pub(crate) player: Option<EntityId>,
    /// Whether the script has messages from the client itself.
    pub(crate) has_own_words: bool,
}

impl Stage {
    pub(crate) fn new(script: &Script, options: &ReplayOptions, start: f64) -> Self {
        let config = options.config.with(|config| {
            config.unknown = UnknownEntityPolicy::Adopt;
            config.no_viewpoint = MissingViewpoint::AllNear;
        });
        let mut world = MotionWorld::new(config, at(start));
        if let Some(library) = &options.library {
            world.set_library(Arc::clone(library));
        }
        match options.trace {
            TraceScope::None => {}
            TraceScope::One(entity) => world.trace(entity),
            TraceScope::All => world.trace_all(),
        }
        let world = StagedWorld::new(world, options.sync_test);
        let mut stage = Self { world, player: None, has_own_words: script.has_own_words() };
        if let Some(player) = script.player {
            stage.meet(at(start), player);
        }
        stage
    }

    fn meet(&mut self, now: SimTime, player: EntityId) {
        self.player = Some(player);
        self.world.apply(|world| world.set_local_player(now, Some(player)));
        if !self.has_own_words {
            // The player's keys are unknown, so only the server's messages move it.
            let _ = self.world.apply(|world| world.set_autonomy(Autonomy::Server));
        }
    }

    pub(crate) fn hear(&mut self, time: f64, message: &TimedMessage, watcher: &mut impl ReplayObserver) {
        let now = at(time);
        let TimedMessage { time: arrived, said } = message;
        let arrived = *arrived;
        match said {
            Said::Server(update) => {
                self.learn_run_rate(update);
                let drawn = match update {
                    Update::Position(position) | Update::PositionAndMovement { position, .. } => {
                        self.world.apply(|world| world.drawn(position.entity, now))
                    }
                    _ => None,
                };
                let disposition = self.world.apply(|world| world.handle(now, update, &OpenField));
                if let Update::LocalPlayer(player) = update
                    && self.player != Some(*player)
                {
                    self.meet(now, *player);
                }
                watcher.heard(&Heard {
                    time,
                    arrived,
                    said,
                    disposition: Some(&disposition),
                    off: None,
                    drawn,
                });
            }
            Said::Client(action) => {
                let off = self.replay_action(now, action);
                watcher.heard(&Heard { time, arrived, said, disposition: None, off, drawn: None });
            }
        }
    }

    fn replay_action(&mut self, now: SimTime, action: &PlayerAction) -> Option<f64> {
        match self.world.apply(|world| world.replay_action(now, action, &OpenField)) {
            Ok(off) => {
                self.world.apply(|world| world.set_viewpoint(None));
                action.position().map(|_| off)
            }
            Err(_) => {
                // Until the player has a body, the viewpoint is the place that its client reports.
                if let Some(place) = action.position().and_then(|position| position.check().ok()) {
                    self.world.apply(|world| world.set_viewpoint(Some(place)));
                }
                None
            }
        }
    }

    /// Learns the player's run rate. Its client does not send it, but the server sends the player a
    /// copy of its own movement.
    fn learn_run_rate(&mut self, update: &Update) {
        let Update::Movement(MovementUpdate { entity, movement, .. }) = update else { return };
        if Some(*entity) != self.player {
            return;
        }
        let runs = |index| {
            let command = MotionCommand::from_index(index, self.world.config().commands);
            command == Some(MotionCommand::RUN_FORWARD)
        };
        let rate = match &movement.body.kind {
            MovementKind::Interpreted { state, .. } if state.forward.is_some_and(runs) => state.forward_speed,
            MovementKind::MoveToObject { run_rate, .. } | MovementKind::MoveToPosition { run_rate, .. } => {
                Some(*run_rate)
            }
            _ => None,
        };
        if let Some(rate) = rate.filter(|rate| rate.is_finite()) {
            let _ = self.world.apply(|world| world.set_skills(Skills::running_at(rate)));
        }
    }

    /// Returns the time in seconds until which nothing moves, at most `until`. Only with fixed steps
    /// does a world not depend on the frames in between.
    pub(crate) fn rests_until(&mut self, until: f64) -> f64 {
        if self.world.config().gate != Gate::Fixed {
            return f64::NEG_INFINITY;
        }
        self.world.apply(|world| world.next_due()).map_or(until, |due| due.as_secs().min(until))
    }

    /// Passes on events and decisions, and discards the messages that the world would send.
    pub(crate) fn tell(&mut self, watcher: &mut impl ReplayObserver) {
        while let Some(event) = self.world.apply(MotionWorld::poll_event) {
            watcher.event(&event);
        }
        while let Some((entity, decision)) = self.world.apply(MotionWorld::poll_decision) {
            watcher.decision(entity, &decision);
        }
        while self.world.apply(MotionWorld::poll_action).is_some() {}
    }
}
