//! What a body is told to do: velocity and spin, movements, state bits.

use evenstride_types::{
    Placement, SimTime, StampKind, StampOrder, Vec3,
    update::{CommandTable, Movement, MovementBody, MovementKind, PhysicsState, StateUpdate, VectorUpdate},
};

use crate::{
    disposition::{Disposition, IgnoreReason, PartReason, RefuseReason},
    follow::Follow,
    gait::{Gait, InvalidSpeed},
    store::{BodyMut, Flags},
};

impl BodyMut<'_> {
    /// Velocity and spin. Nothing else changes: the next step finds out that the body leaves the ground.
    ///
    /// A local player that decides for itself takes the stamp and does not obey.
    ///
    /// Retail: `SmartBox::DoVectorUpdate` (11.4186 @ 0x004521C0)
    pub(crate) fn receive_vector(
        &mut self,
        update: &VectorUpdate,
        is_obeyed: bool,
        now: SimTime,
    ) -> Disposition {
        if let Err(reason) =
            check_vector("velocity", update.velocity).and(check_vector("omega", update.omega))
        {
            self.stats.refused_vectors += 1;
            return Disposition::Refused(reason);
        }
        if !self.ledger.stamps.accept(StampKind::Vector, update.stamp).is_newer() {
            return Disposition::Ignored(IgnoreReason::StaleVector);
        }
        if !is_obeyed {
            return Disposition::Ignored(IgnoreReason::PlayerDecides);
        }
        self.set_velocity(update.velocity, now.as_secs());
        self.set_omega(update.omega);
        Disposition::Applied
    }

    /// What the body is doing from now on. `target` is where and how wide the one to follow is, if it is known.
    ///
    /// Retail: `CPhysics::SetObjectMovement` (11.4186 @ 0x00509690)
    pub(crate) fn receive_movement(
        &mut self,
        movement: &Movement,
        table: CommandTable,
        target: Option<(Placement, f32)>,
        now: SimTime,
    ) -> Disposition {
        let gait = match gait_after(self.gait, &movement.body, table) {
            Ok(gait) => gait,
            Err(reason) => {
                self.stats.refused_movements += 1;
                return Disposition::Refused(reason.into());
            }
        };
        let stamps = &mut self.ledger.stamps;
        if !stamps.accept(StampKind::Movement, movement.stamp).is_newer() {
            return Disposition::Ignored(IgnoreReason::StaleMovement);
        }
        if stamps.order(StampKind::ServerControlledMove, movement.server_control) == StampOrder::Older {
            return Disposition::Ignored(IgnoreReason::StaleServerControl);
        }
        stamps.set(StampKind::ServerControlledMove, movement.server_control);
        if movement.autonomous != 0 && self.body.flags.contains(Flags::LOCAL) {
            return Disposition::Ignored(IgnoreReason::Echo);
        }
        self.body.flags.remove(Flags::MOVES_TO);
        self.end_follow();
        self.set_gait(gait);
        let MovementKind::Interpreted { stick_to, .. } = &movement.body.kind else {
            return Disposition::AppliedInPart(PartReason::ServerMovement);
        };
        if let (Some(target_id), Some((place, radius))) = (stick_to, target) {
            let mut follow = Follow::begin(*target_id, radius, now);
            follow.heard = Some(place);
            self.begin_follow(follow, now);
        }
        Disposition::Applied
    }

    /// New state bits. Gravity switched on or off is noticed with the next change of contact.
    ///
    /// Retail: `SmartBox::DoSetState` (11.4186 @ 0x004520D0)
    pub(crate) fn receive_state(&mut self, update: &StateUpdate) -> Disposition {
        if !self.ledger.stamps.accept(StampKind::State, update.stamp).is_newer() {
            return Disposition::Ignored(IgnoreReason::StaleState);
        }
        self.set_state(update.state);
        Disposition::Applied
    }

    /// Going into hiding ends all collisions, and coming out of it begins them again.
    ///
    /// Retail: `CPhysicsObj::set_state` (11.4186 @ 0x00514DD0)
    /// Retail: `CPhysicsObj::set_hidden` (11.4186 @ 0x00514C60)
    pub(crate) fn set_state(&mut self, state: PhysicsState) {
        let (old, mut state) = (self.body.state, state);
        match (old.contains(PhysicsState::HIDDEN), state.contains(PhysicsState::HIDDEN)) {
            (false, true) => {
                state.remove(PhysicsState::REPORT_COLLISIONS);
                state.insert(PhysicsState::IGNORE_COLLISIONS);
            }
            (true, false) => {
                state.remove(PhysicsState::IGNORE_COLLISIONS);
                state.insert(PhysicsState::REPORT_COLLISIONS);
            }
            _ => {}
        }
        self.body.state = state;
    }

    pub(crate) fn begin_follow(&mut self, follow: Follow, now: SimTime) {
        self.end_follow();
        self.wake(now.as_secs());
        self.body.links.follow = self.follows.begin(self.body.id, follow);
    }
}

/// The gait a movement leads to.
pub(crate) fn gait_after(
    gait: &Gait,
    body: &MovementBody,
    table: CommandTable,
) -> Result<Gait, InvalidSpeed> {
    match &body.kind {
        MovementKind::Interpreted { state, .. } => gait.after(state, table),
        MovementKind::MoveToObject { run_rate, .. } | MovementKind::MoveToPosition { run_rate, .. } => {
            gait.with_run_rate(*run_rate)
        }
        _ => Ok(*gait),
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
