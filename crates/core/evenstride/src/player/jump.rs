//! Jumping: charging, being allowed to, leaving the ground.

use evenstride_types::{
    RawPlacement, SimTime, Vec3,
    update::{Jump, MotionCommand, PlayerAction},
};

use crate::{
    body::{body_mut::BodyMut, flags::Flags, local_player::LocalPlayer},
    config::Takeoff,
    journal::Journal,
    outcome::MotionRefused,
    surroundings::Surroundings,
    world::MotionWorld,
};

/// How long a jump is charged to be a full one. Of the client's jump bar, as are the next three.
pub const MAX_CHARGE_SECS: f64 = 1.0;

/// The same with a weapon in each hand.
const DUAL_WIELD_CHARGE_SECS: f64 = 0.8;

/// The stance with a weapon in each hand.
const DUAL_WIELD: MotionCommand = MotionCommand(0x8000_0046);

/// The least a jump is charged.
pub const MIN_EXTENT: f32 = 0.001;

/// Why the player does not jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JumpRefused {
    /// There is no local player in the world.
    #[error("there is no local player in the world")]
    NoLocalPlayer,
    /// It is in the air already.
    #[error("in the air already")]
    InTheAir,
    /// It is almost at the end of its tether: the server has not confirmed where it is for too long.
    #[error("too far from where the server last saw it")]
    Tethered,
    /// It lies, sits, aims or casts, or a motion that forbids a jump is not done yet.
    #[error("cannot jump from this position")]
    Posture,
    /// It carries too much.
    #[error("carries too much")]
    Overloaded,
}

impl JumpRefused {
    /// The client's number for it.
    pub const fn code(self) -> u32 {
        match self {
            Self::NoLocalPlayer | Self::InTheAir => MotionRefused::InTheAir.code(),
            Self::Tethered => MotionRefused::Failed.code(),
            Self::Posture => MotionRefused::CannotJump.code(),
            Self::Overloaded => MotionRefused::Overloaded.code(),
        }
    }
}

impl From<MotionRefused> for JumpRefused {
    /// The interpreter refuses a jump for no other reasons.
    fn from(refused: MotionRefused) -> Self {
        match refused {
            MotionRefused::InTheAir => Self::InTheAir,
            MotionRefused::Overloaded => Self::Overloaded,
            MotionRefused::CannotJump => Self::Posture,
            _ => Self::Tethered,
        }
    }
}

impl MotionWorld {
    /// Begins to charge a jump. A player that stands while charging stays on the spot until it jumps, but its keys count for the jump.
    ///
    /// # Errors
    /// [`JumpRefused`].
    ///
    /// Retail: `CMotionInterp::charge_jump` (11.4186 @ 0x005281C0)
    pub fn charge_jump(
        &mut self,
        now: SimTime,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<(), JumpRefused> {
        self.catch_up(now, surroundings);
        let slot = self.placed_player_slot().ok_or(JumpRefused::NoLocalPlayer)?;
        let is_new = self.with_body(now, slot, |body, _, journal| {
            body.with_driver(journal, |driver| {
                let was_charging = driver.interpreter.standing_long_jump;
                driver.charge_jump()?;
                Ok::<_, MotionRefused>(driver.interpreter.standing_long_jump && !was_charging)
            })
        })?;
        self.player.as_mut().ok_or(JumpRefused::NoLocalPlayer)?.charging_since = Some(now);
        if is_new {
            self.send_state(now);
        }
        Ok(())
    }

    /// Jumps, as far as was charged; the message to the server is ready to be sent. Answers the velocity at take-off, own axes.
    ///
    /// Whether the player has the stamina for it is the host's business.
    ///
    /// # Errors
    /// [`JumpRefused`]; the charge is lost.
    ///
    /// Retail: `CMotionInterp::jump` (11.4186 @ 0x00528780)
    pub fn jump(
        &mut self,
        now: SimTime,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<Vec3, JumpRefused> {
        self.catch_up(now, surroundings);
        let slot = self.placed_player_slot().ok_or(JumpRefused::NoLocalPlayer)?;
        let player = self.player.as_mut().ok_or(JumpRefused::NoLocalPlayer)?;
        let extent = player.charging_since.take().map_or(MIN_EXTENT, |since| player.extent(since, now));
        self.stop_player(now, slot);
        let place = self.store.bodies[slot].place;
        let jumped = self
            .with_body(now, slot, |body, config, journal| body.jump(extent, now, config.takeoff, journal));
        self.mark_changed(slot);
        let velocity = jumped?;
        let stamps = self.player_stamps(slot);
        let jump = Jump { extent, local_velocity: velocity, position: RawPlacement::from(&place), stamps };
        self.send(PlayerAction::Jump(jump));
        Ok(velocity)
    }
}

impl LocalPlayer {
    /// How far a jump is charged.
    pub(crate) fn extent(&self, since: SimTime, now: SimTime) -> f32 {
        let full = if self.input.style == DUAL_WIELD { DUAL_WIELD_CHARGE_SECS } else { MAX_CHARGE_SECS };
        ((now - since).as_secs() / full).clamp(f64::from(MIN_EXTENT), 1.0) as f32
    }
}

impl BodyMut<'_> {
    /// Jumps, if the interpreter allows it. Returns the velocity at take-off, own axes.
    ///
    /// Retail: `CMotionInterp::jump` (11.4186 @ 0x00528780)
    fn jump(
        &mut self,
        extent: f32,
        now: SimTime,
        takeoff: Takeoff,
        journal: &mut impl Journal,
    ) -> Result<Vec3, MotionRefused> {
        self.with_driver(journal, |driver| {
            // The charge ends with the key that was held for it, whether the jump is allowed or not.
            let was_charging = core::mem::replace(&mut driver.interpreter.standing_long_jump, false);
            let allowed = driver.jump(extent);
            if allowed.is_err() && was_charging {
                driver.apply_current(false, false);
            }
            allowed
        })?;
        let velocity = self.with_driver(journal, |driver| driver.leave_ground_velocity());
        self.launch(None, now, takeoff, journal);
        Ok(velocity.unwrap_or_default())
    }

    /// Takes off, with the velocity that a recording says in own axes, or else the interpreter's.
    ///
    /// A body that does not stand stays where it is: without gravity a jump is allowed anywhere, and does nothing.
    pub(super) fn launch(
        &mut self,
        said: Option<Vec3>,
        now: SimTime,
        takeoff: Takeoff,
        journal: &mut impl Journal,
    ) {
        if !self.body.flags.contains(Flags::WALKABLE) {
            return;
        }
        self.body.flags.remove(Flags::WALKABLE);
        let pose = self.body.place.pose;
        let said = said.map(|local| pose.rotation().basis().to_global(local));
        self.take_off(said, Some(pose.origin().z), now, takeoff, journal);
    }
}
