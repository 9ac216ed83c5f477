//! The true motion of a player: a client of its own, in which the player is the local player.
//!
//! Keys go through the motion interpreter, and animations move the body. Starts, stops, jumps and
//! landings therefore take the time that they take in the client.

use std::sync::Arc;

use evenstride::{
    Config, MotionWorld,
    animation::{Gait, MotionLibrary},
    player::Skills,
};
use evenstride_types::{
    EntityId, Placement, RawPlacement, SimTime, Vec3,
    update::{
        Contact, HoldKey, InterpretedState, Jump, MotionCommand, MoveToState, PlayerAction, PlayerStamps,
        RawAxis, RawState, ServerEntity, Update,
    },
};

use crate::{scenario::Ground, verb::Verb};

pub(super) struct LocalPlayer {
    world: MotionWorld,
    ground: Ground,
    entity: EntityId,
    keys: RawState,
    start: Placement,
    place: Placement,
    is_grounded: bool,
    /// Whether the last tick brought the player from the air to the ground.
    pub(super) has_landed: bool,
}

impl LocalPlayer {
    pub(super) fn new(
        start: Placement,
        run_rate: f32,
        ground: Ground,
        library: &Arc<MotionLibrary>,
        server: ServerEntity,
    ) -> Self {
        // A player of level 1 to the best there is. Their skill is a whole number.
        let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
        world.set_library(Arc::clone(library));
        let _ = world.handle(SimTime::ZERO, &Update::LocalPlayer(server.id), &ground);
        let _ = world.handle(SimTime::ZERO, &server.create(server.description(&start)), &ground);
        // The player was named above.
        let _ = world.set_skills(Skills::running_at(run_rate));
        let keys = RawState::default();
        Self {
            world,
            ground,
            entity: server.id,
            keys,
            start,
            place: start,
            is_grounded: true,
            has_landed: false,
        }
    }

    pub(super) const fn place(&self) -> Placement {
        self.place
    }

    pub(super) const fn is_grounded(&self) -> bool {
        self.is_grounded
    }

    /// Returns the interpreted motion, as the server sends it to other clients.
    pub(super) fn motion(&self) -> InterpretedState {
        self.gait().map_or_else(InterpretedState::default, |gait| interpreted(&gait))
    }

    /// Returns whether the keys move the player.
    pub(super) const fn has_keys_down(&self) -> bool {
        self.keys.forward.command.is_some() || self.keys.sidestep.command.is_some()
    }

    pub(super) fn advance(&mut self, now: SimTime) {
        self.world.advance(now, &self.ground);
        // The messages to its server are made by `player.rs`.
        while self.world.poll_action().is_some() {}
        let was_grounded = self.is_grounded;
        self.look();
        self.has_landed = self.is_grounded && !was_grounded;
    }

    /// Changes the keys.
    pub(super) fn press(&mut self, now: SimTime, verb: &Verb) {
        let axis =
            |command, speed: f32| RawAxis { command: Some(command), hold_key: None, speed: Some(speed) };
        let keys = &mut self.keys;
        match verb {
            Verb::Stand => *keys = RawState::default(),
            Verb::Walk(speed) => {
                keys.hold_key = None;
                keys.forward = axis(MotionCommand::WALK_FORWARD, *speed);
            }
            // Running is walking with the run key down.
            Verb::Run(speed) => {
                keys.hold_key = Some(HoldKey::RUN);
                keys.forward = axis(MotionCommand::WALK_FORWARD, *speed);
            }
            Verb::Back => {
                keys.hold_key = None;
                keys.forward = axis(MotionCommand::WALK_BACKWARDS, 1.0);
            }
            Verb::Strafe(side) if *side < 0.0 => keys.sidestep = axis(MotionCommand::SIDESTEP_LEFT, -side),
            Verb::Strafe(side) => keys.sidestep = axis(MotionCommand::SIDESTEP_RIGHT, *side),
            Verb::Turn(0.0) => keys.turn = RawAxis::default(),
            Verb::Turn(speed) if *speed < 0.0 => keys.turn = axis(MotionCommand::TURN_LEFT, -speed),
            Verb::Turn(speed) => keys.turn = axis(MotionCommand::TURN_RIGHT, *speed),
            _ => return,
        }
        self.repeat(
            now,
            PlayerAction::MoveToState(MoveToState {
                state: self.keys.clone(),
                position: RawPlacement::from(&self.place),
                stamps: PlayerStamps::default(),
                contact: Contact(u8::from(self.is_grounded)),
            }),
        );
    }

    /// Jumps, with a speed upwards in metres per second. Returns the velocity in world axes, or
    /// `None` in the air.
    pub(super) fn jump(&mut self, now: SimTime, rise: f32) -> Option<Vec3> {
        if !self.is_grounded {
            return None;
        }
        let local_velocity = self.gait()?.velocity() + Vec3::Z * rise;
        let position = RawPlacement::from(&self.place);
        let stamps = PlayerStamps::default();
        self.repeat(now, PlayerAction::Jump(Jump { extent: 1.0, local_velocity, position, stamps }));
        self.is_grounded = false;
        Some(self.place.pose.rotation().basis().to_global(local_velocity))
    }

    /// Handles a position that the server sends. Servers send each place of a player to its own
    /// client too, which lengthens its tether or teleports it.
    pub(super) fn hear(&mut self, now: SimTime, position: &Update) {
        let _ = self.world.handle(now, position, &self.ground);
        self.look();
    }

    fn repeat(&mut self, now: SimTime, action: PlayerAction) {
        // The player is in the world from its first moment.
        let _ = self.world.replay_action(now, &action, &self.ground);
        self.look();
    }

    fn gait(&self) -> Option<Gait> {
        self.world.animation(self.entity).map(|animation| animation.gait)
    }

    fn look(&mut self) {
        if let Some(body) = self.world.body(self.entity) {
            self.place = body.place.unwrap_or(self.start);
            self.is_grounded = body.in_contact;
        }
    }
}

fn interpreted(gait: &Gait) -> InterpretedState {
    let mut state = match gait.forward {
        MotionCommand::WALK_FORWARD | MotionCommand::RUN_FORWARD => {
            InterpretedState::doing(gait.forward, gait.forward_speed)
        }
        _ => InterpretedState::default(),
    };
    if let Some(sidestep) = gait.sidestep {
        state.sidestep = Some(sidestep.index());
        state.sidestep_speed = Some(gait.sidestep_speed);
    }
    if let Some(turn) = gait.turn {
        state.turn = Some(turn.index());
        state.turn_speed = Some(gait.turn_speed);
    }
    state
}
