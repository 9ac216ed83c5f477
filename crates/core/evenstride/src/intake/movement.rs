//! What a body is told to do: velocity and spin, movements, state bits.

use evenstride_types::{
    SimTime, Stamp, StampKind, StampOrder, Vec3,
    update::{CommandTable, Movement, MovementBody, MovementKind, PhysicsState, StateUpdate, VectorUpdate},
};

use crate::{
    disposition::{Disposition, IgnoreReason, PartReason, RefuseReason},
    gait::{Gait, InvalidSpeed},
    moveto::MoveToEnd,
    store::{BodyMut, Flags},
    why::Journal,
};

/// A movement with its gates, whatever message it came in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told<'a> {
    pub(crate) stamp: Stamp,
    pub(crate) server_control: Stamp,
    pub(crate) is_autonomous: bool,
    pub(crate) body: &'a MovementBody,
}

impl<'a> From<&'a Movement> for Told<'a> {
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

    /// What the body is doing from now on, but for what takes others: following, and going somewhere.
    ///
    /// Retail: `CPhysics::SetObjectMovement` (11.4186 @ 0x00509690)
    pub(crate) fn receive_movement(
        &mut self,
        movement: Told<'_>,
        table: CommandTable,
        own_run_rate: Option<f32>,
        journal: &mut impl Journal,
    ) -> Disposition {
        if let Err(reason) = gait_after(self.gait, movement.body, table) {
            self.stats.refused_movements += 1;
            return Disposition::Refused(reason.into());
        }
        let stamps = &mut self.ledger.stamps;
        if !stamps.accept(StampKind::Movement, movement.stamp).is_newer() {
            return Disposition::Ignored(IgnoreReason::StaleMovement);
        }
        if stamps.order(StampKind::ServerControlledMove, movement.server_control) == StampOrder::Older {
            return Disposition::Ignored(IgnoreReason::StaleServerControl);
        }
        stamps.set(StampKind::ServerControlledMove, movement.server_control);
        if movement.is_autonomous && self.body.flags.contains(Flags::LOCAL) {
            return Disposition::Ignored(IgnoreReason::Echo);
        }
        self.cancel_move_to(MoveToEnd::Interrupted, journal);
        self.end_follow(journal);
        if let Ok(gait) = gait_after(self.gait, movement.body, table) {
            self.set_gait(Gait { run_rate: own_run_rate.unwrap_or(gait.run_rate), ..gait });
        }
        self.move_legs(movement.body, table);
        match &movement.body.kind {
            MovementKind::Other { .. } => Disposition::AppliedInPart(PartReason::UnknownMovement),
            _ => Disposition::Applied,
        }
    }

    /// New state bits. Gravity switched on or off is noticed with the next change of contact.
    ///
    /// Retail: `SmartBox::DoSetState` (11.4186 @ 0x004520D0)
    pub(crate) fn receive_state(&mut self, update: &StateUpdate) -> Disposition {
        if !self.ledger.stamps.accept(StampKind::State, update.stamp).is_newer() {
            return Disposition::Ignored(IgnoreReason::StaleState);
        }
        self.body.state = changed_state(self.body.state, update.state);
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

/// The gait a movement leads to. Whoever goes somewhere stops when it sets out, not before.
///
/// Retail: `MovementManager::unpack_movement` (11.4186 @ 0x00524440)
pub(crate) fn gait_after(
    gait: &Gait,
    body: &MovementBody,
    table: CommandTable,
) -> Result<Gait, InvalidSpeed> {
    match &body.kind {
        MovementKind::Interpreted { state, .. } => gait.after(state, table),
        MovementKind::MoveToObject { run_rate, .. } | MovementKind::MoveToPosition { run_rate, .. } => {
            gait.in_style(body.style, table).with_run_rate(*run_rate)
        }
        _ => Ok(gait.in_style(body.style, table)),
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
