//! What a body is told to do: velocity and spin, movements, state bits.

use evenstride_types::{
    Placement, SimTime, Stamp, StampKind, StampOrder, Vec3,
    update::{
        CommandTable, MoveToFlags, Movement, MovementBody, MovementKind, PhysicsState, StateUpdate,
        TurnToParams, VectorUpdate,
    },
};

use crate::{
    disposition::{Disposition, IgnoreReason, PartReason, RefuseReason},
    follow::Follow,
    gait::{Gait, InvalidSpeed},
    store::{BodyMut, Flags},
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

    /// What the body is doing from now on. `target` is where and how wide the one to follow is, if it is known.
    ///
    /// Retail: `CPhysics::SetObjectMovement` (11.4186 @ 0x00509690)
    pub(crate) fn receive_movement(
        &mut self,
        movement: Told<'_>,
        table: CommandTable,
        target: Option<(Placement, f32)>,
        now: SimTime,
    ) -> Disposition {
        let gait = match gait_after(self.gait, movement.body, table) {
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
        if movement.is_autonomous && self.body.flags.contains(Flags::LOCAL) {
            return Disposition::Ignored(IgnoreReason::Echo);
        }
        self.body.flags.remove(Flags::MOVES_TO);
        self.end_follow();
        self.set_gait(gait);
        self.move_legs(movement.body, table);
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
        self.body.state = changed_state(self.body.state, update.state);
        Disposition::Applied
    }

    pub(crate) fn begin_follow(&mut self, follow: Follow, now: SimTime) {
        self.end_follow();
        self.wake(now.as_secs());
        self.body.links.follow = self.follows.begin(self.body.id, follow);
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

/// The gait a movement leads to. Going somewhere begins with standing still, turning only if it says so.
///
/// Retail: `MovementManager::unpack_movement` (11.4186 @ 0x00524440)
pub(crate) fn gait_after(
    gait: &Gait,
    body: &MovementBody,
    table: CommandTable,
) -> Result<Gait, InvalidSpeed> {
    let stops = |params: &TurnToParams| params.flags.contains(MoveToFlags::STOP_COMPLETELY);
    match &body.kind {
        MovementKind::Interpreted { state, .. } => gait.after(state, table),
        MovementKind::MoveToObject { run_rate, .. } | MovementKind::MoveToPosition { run_rate, .. } => {
            gait.in_style(body.style, table).stopped().with_run_rate(*run_rate)
        }
        MovementKind::TurnToObject { params, .. } | MovementKind::TurnToHeading(params) if stops(params) => {
            Ok(gait.in_style(body.style, table).stopped())
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
