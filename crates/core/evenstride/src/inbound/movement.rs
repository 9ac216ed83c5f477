//! Movements, velocities and state bits, as far as they concern one body.
//!
//! Each function checks the values, then the stamps, and then changes the body. Invalid values are
//! refused before any stamp is stored. Follows and move-tos involve other bodies and are in
//! `task.rs`.

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
    outcome::{Disposition, IgnoreReason, MoveToEnd, PartReason, RefuseReason, SpeedError},
};

/// A movement with its stamps. It comes from a movement message, from a position with a movement,
/// or from a description.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GatedMovement<'a> {
    /// Stamp of the movement, which must be newer.
    pub(crate) stamp: Stamp,
    /// Stamp of the server's control, which must not be older.
    pub(crate) server_control: Stamp,
    /// Whether the player of the body caused the movement. The local player ignores such an echo.
    pub(crate) is_autonomous: bool,
    /// Type and payload, not yet checked.
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
    /// Receives velocity and spin, in world axes.
    ///
    /// Contact does not change here. The next step finds out that the body leaves the ground.
    /// `is_obeyed` is `false` for a local player that decides for itself, which stores the stamp
    /// and ignores the rest.
    ///
    /// Retail: `SmartBox::DoVectorUpdate` (11.4186 @ 0x004521C0)
    pub fn receive_vector(&mut self, update: &VectorUpdate, is_obeyed: bool, now: SimTime) -> Disposition {
        if let Err(reason) =
            check_vector("velocity", update.velocity).and(check_vector("omega", update.omega))
        {
            self.stats.refused_vectors += 1;
            return Disposition::Refused(reason);
        }
        if let Err(reason) = stamps::accept_vector(&mut self.messages.stamps, update.stamp) {
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

    /// Receives a movement, except for the part that involves other bodies.
    ///
    /// Any accepted movement ends the body's move-to and follow first. The caller then begins the
    /// new follow or move-to. A movement of unknown type ends them too, and is `AppliedInPart`.
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
        if let Err(reason) = stamps::accept_movement(&mut self.messages.stamps, stamp, server_control) {
            return Disposition::Ignored(reason);
        }
        if movement.is_autonomous && self.hot.flags.contains(Flags::LOCAL) {
            return Disposition::Ignored(IgnoreReason::Echo);
        }
        self.hot.flags.set(Flags::AUTONOMOUS, movement.is_autonomous);
        self.cancel_move_to(MoveToEnd::Interrupted, journal);
        self.end_follow(journal);
        self.apply_movement(movement.body, &valid, commands, journal);
        match &movement.body.kind {
            MovementKind::Other { .. } => Disposition::AppliedInPart(PartReason::UnknownMovement),
            _ => Disposition::Applied,
        }
    }

    /// Hands a movement to the motion interpreter.
    ///
    /// The stance comes first, then the state of type 0 or the run rate of types 6 and 7. A body
    /// that only stands gets no animator for this.
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
        self.hot.flags.remove(Flags::INERT | Flags::DOZES);
        let is_local = self.hot.flags.contains(Flags::LOCAL);
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
            // A local player that the server sends somewhere stops charging its jump.
            driver.interpreter.standing_long_jump &= !is_local;
        });
    }

    /// Receives state bits, all of which are replaced.
    ///
    /// A change of gravity takes effect when a sweep or a placement next settles the contact.
    ///
    /// Retail: `SmartBox::DoSetState` (11.4186 @ 0x004520D0)
    pub(crate) fn receive_state(&mut self, update: &StateUpdate, journal: &mut impl Journal) -> Disposition {
        if let Err(reason) = stamps::accept_state(&mut self.messages.stamps, update.stamp) {
            return Disposition::Ignored(reason);
        }
        let state = changed_state(self.hot.state, update.state);
        if (self.hot.state ^ state).contains(PhysicsState::HIDDEN) {
            // A hidden body plays nothing, so its animation is brought up to date first.
            if !self.hot.flags.contains(Flags::INERT) {
                AnimationPools::prepare(self, journal);
            }
            self.play_idle();
        }
        self.hot.state = state;
        Disposition::Applied
    }
}

/// Returns the state bits after a change.
///
/// A body that hides ignores collisions and does not report them. A body that reappears does the
/// opposite, whatever the message says of these two bits.
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

/// A movement whose speeds are valid, reduced to the part that the motion interpreter needs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValidMovement {
    /// Type 0. The interpreted motion replaces the current one.
    State(InterpretedMotion),
    /// Types 6 and 7. The body goes somewhere, and runs at this rate.
    Goal { run_rate: f32 },
    /// Types 8 and 9, and unknown types. None of them has a run rate.
    Turn,
}

impl ValidMovement {
    /// Checks the speeds of a movement. The parameters of a move-to are checked by
    /// `MotionWorld::task`.
    ///
    /// # Errors
    /// [`SpeedError`] naming the first invalid one.
    pub(crate) fn of(body: &MovementBody, commands: CommandTable) -> Result<Self, SpeedError> {
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

/// Checks that all components are finite. `what` is `velocity` or `omega`, and names the field in
/// the error.
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
