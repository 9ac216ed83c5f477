//! What a body is told to do: velocity and spin, movements, state bits.

use evenstride_types::{
    SimTime, Stamp, Vec3,
    update::{
        CommandTable, MotionCommand, Movement, MovementBody, MovementKind, PhysicsState, StateUpdate,
        VectorUpdate,
    },
};

use crate::{
    body::{body_mut::BodyMut, flags::Flags, locomotion::Locomotion},
    inbound::stamps,
    journal::Journal,
    motion::{
        InterpretedMotion, animator::AnimationPools, interpreted_motion::checked_speed,
        interpreter::ServerAction,
    },
    outcome::{Disposition, IgnoreReason, InvalidSpeed, MoveToEnd, PartReason, RefuseReason},
};

/// A movement with its gates, whatever message it came in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GatedMovement<'a> {
    pub(crate) stamp: Stamp,
    pub(crate) server_control: Stamp,
    pub(crate) is_autonomous: bool,
    pub(crate) body: &'a MovementBody,
}

impl<'a> From<&'a Movement> for GatedMovement<'a> {
    fn from(movement: &'a Movement) -> Self {
        Self {
            stamp: movement.stamp,
            server_control: movement.server_control,
            is_autonomous: movement.autonomous != 0,
            body: &movement.body,
        }
    }
}

impl BodyMut<'_> {
    /// Velocity and spin. Nothing else changes: the next step finds out that the body leaves the ground.
    ///
    /// A local player that decides for itself takes the stamp and does not obey.
    ///
    /// Retail: `SmartBox::DoVectorUpdate` (11.4186 @ 0x004521C0)
    pub fn receive_vector(&mut self, update: &VectorUpdate, is_obeyed: bool, now: SimTime) -> Disposition {
        if let Err(reason) =
            check_vector("velocity", update.velocity).and(check_vector("omega", update.omega))
        {
            self.stats.refused_vectors += 1;
            return Disposition::Refused(reason);
        }
        if let Err(reason) = stamps::accept_vector(&mut self.ledger.stamps, update.stamp) {
            return Disposition::Ignored(reason);
        }
        if !is_obeyed {
            return Disposition::Ignored(IgnoreReason::PlayerDecides);
        }
        self.set_velocity(update.velocity, now.as_secs());
        self.set_omega(update.omega);
        self.begin_new_flight();
        Disposition::Applied
    }

    /// Applies a movement, except for what takes other bodies: following, and going somewhere.
    ///
    /// Retail: `CPhysics::SetObjectMovement` (11.4186 @ 0x00509690)
    pub(crate) fn receive_movement(
        &mut self,
        movement: GatedMovement<'_>,
        commands: CommandTable,
        journal: &mut impl Journal,
    ) -> Disposition {
        let valid = match ValidMovement::of(movement.body, commands) {
            Ok(valid) => valid,
            Err(reason) => {
                self.stats.refused_movements += 1;
                return Disposition::Refused(reason.into());
            }
        };
        let GatedMovement { stamp, server_control, .. } = movement;
        if let Err(reason) = stamps::accept_movement(&mut self.ledger.stamps, stamp, server_control) {
            return Disposition::Ignored(reason);
        }
        if movement.is_autonomous && self.body.flags.contains(Flags::LOCAL) {
            return Disposition::Ignored(IgnoreReason::Echo);
        }
        self.body.flags.set(Flags::AUTONOMOUS, movement.is_autonomous);
        self.cancel_move_to(MoveToEnd::Interrupted, journal);
        self.end_follow(journal);
        self.apply_movement(movement.body, &valid, commands, journal);
        match &movement.body.kind {
            MovementKind::Other { .. } => Disposition::AppliedInPart(PartReason::UnknownMovement),
            _ => Disposition::Applied,
        }
    }

    /// Hands a movement to the motion interpreter. A body that only stands needs no animations for that.
    ///
    /// Retail: `MovementManager::unpack_movement` (11.4186 @ 0x00524440)
    pub(crate) fn apply_movement(
        &mut self,
        body: &MovementBody,
        valid: &ValidMovement,
        commands: CommandTable,
        journal: &mut impl Journal,
    ) {
        let actions = match &body.kind {
            MovementKind::Interpreted { state, .. } => state.actions.as_slice(),
            _ => &[],
        };
        let only_stands = matches!(valid, ValidMovement::State(state) if state.is_default())
            && actions.is_empty()
            && !body.standing_long_jump;
        if !only_stands {
            AnimationPools::prepare(self, journal);
        }
        self.body.flags.remove(Flags::INERT | Flags::DOZES);
        let is_local = self.body.flags.contains(Flags::LOCAL);
        self.with_driver(journal, |driver| {
            if let Some(style) = MotionCommand::from_index(body.style, commands) {
                let _ = driver.on_style(style);
            }
            match valid {
                ValidMovement::State(state) => {
                    let actions =
                        actions.iter().filter_map(|action| ServerAction::from_message(action, commands));
                    driver.on_state(state, actions);
                    driver.interpreter.standing_long_jump = body.standing_long_jump;
                    return;
                }
                ValidMovement::Goal { run_rate } => driver.motion.run_rate = *run_rate,
                ValidMovement::Turn => {}
            }
            // A player that the server sends somewhere charges no jump any more.
            driver.interpreter.standing_long_jump &= !is_local;
        });
    }

    /// New state bits. Gravity switched on or off is noticed with the next change of contact.
    ///
    /// Retail: `SmartBox::DoSetState` (11.4186 @ 0x004520D0)
    pub(crate) fn receive_state(&mut self, update: &StateUpdate, journal: &mut impl Journal) -> Disposition {
        if let Err(reason) = stamps::accept_state(&mut self.ledger.stamps, update.stamp) {
            return Disposition::Ignored(reason);
        }
        let state = changed_state(self.body.state, update.state);
        if (self.body.state ^ state).contains(PhysicsState::HIDDEN) {
            // Nothing is played in hiding, so what was played before it has to be known.
            if !self.body.flags.contains(Flags::INERT) {
                AnimationPools::prepare(self, journal);
            }
            self.play_idle();
        }
        self.body.state = state;
        Disposition::Applied
    }
}

/// State bits after a change: going into hiding ends all collisions, and coming out of it begins them again.
///
/// Retail: `CPhysicsObj::set_state` (11.4186 @ 0x00514DD0)
/// Retail: `CPhysicsObj::set_hidden` (11.4186 @ 0x00514C60)
pub(crate) fn changed_state(old: PhysicsState, new: PhysicsState) -> PhysicsState {
    match (old.contains(PhysicsState::HIDDEN), new.contains(PhysicsState::HIDDEN)) {
        (false, true) => (new - PhysicsState::REPORT_COLLISIONS) | PhysicsState::IGNORE_COLLISIONS,
        (true, false) => (new - PhysicsState::IGNORE_COLLISIONS) | PhysicsState::REPORT_COLLISIONS,
        _ => new,
    }
}

/// A movement whose numbers are valid.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValidMovement {
    /// Type 0: what the body is doing from now on.
    State(InterpretedMotion),
    /// Types 6 and 7: the body goes somewhere, and runs at this rate.
    Goal { run_rate: f32 },
    /// Types 8 and 9, and unknown ones.
    Turn,
}

impl ValidMovement {
    /// Checks the speeds of a movement.
    ///
    /// # Errors
    /// [`InvalidSpeed`] naming the first invalid one.
    pub(crate) fn of(body: &MovementBody, commands: CommandTable) -> Result<Self, InvalidSpeed> {
        Ok(match &body.kind {
            MovementKind::Interpreted { state, .. } => {
                Self::State(InterpretedMotion::from_message(state, commands)?)
            }
            MovementKind::MoveToObject { run_rate, .. } | MovementKind::MoveToPosition { run_rate, .. } => {
                Self::Goal { run_rate: checked_speed("run_rate", *run_rate)? }
            }
            _ => Self::Turn,
        })
    }
}

fn check_vector(what: &'static str, v: Vec3) -> Result<(), RefuseReason> {
    let names = match what {
        "velocity" => ["velocity.x", "velocity.y", "velocity.z"],
        _ => ["omega.x", "omega.y", "omega.z"],
    };
    match names.into_iter().zip(v.to_array()).find(|(_, value)| !value.is_finite()) {
        Some((field, value)) => Err(RefuseReason::Vector { field, value }),
        None => Ok(()),
    }
}
