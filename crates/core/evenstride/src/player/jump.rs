//! Jumps of the local player.
//!
//! A host calls `charge_jump` when the jump key goes down, and `jump` when the key is released. The
//! motion interpreter decides whether a jump is allowed. The height follows from charge and skill.
//!
//! A jump is one event with all its consequences. The body leaves the ground, takes on its
//! velocity, and the message is queued in the same call.

use evenstride_types::{
    RawPlacement, SimTime, Vec3,
    update::{Jump, MotionCommand, PlayerAction},
};

use crate::{
    body::{body_mut::BodyMut, flags::Flags, local_player::LocalPlayer},
    config::Takeoff,
    journal::Journal,
    outcome::MotionError,
    surroundings::Surroundings,
    world::MotionWorld,
};

/// Seconds of charging for a full jump, as in the client's jump bar.
pub const MAX_CHARGE_SECS: f64 = 1.0;

/// Seconds of charging for a full jump with a weapon in each hand, as in the client's jump bar.
const DUAL_WIELD_CHARGE_SECS: f64 = 0.8;

/// Stance with a weapon in each hand.
const DUAL_WIELD: MotionCommand = MotionCommand(0x8000_0046);

/// Smallest charge of a jump, on a scale of 0 to 1, as in the client's jump bar. An uncharged jump
/// has this charge.
pub const MIN_EXTENT: f32 = 0.001;

/// Why the player cannot jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JumpError {
    /// There is no local player in the world.
    #[error("the world has no local player")]
    NoLocalPlayer,
    /// The player is already in the air.
    #[error("the player is already in the air")]
    InTheAir,
    /// The player is almost at the end of its tether, because the server has not confirmed its
    /// place for too long.
    #[error("the player is too far from the last place that the server confirmed")]
    Tethered,
    /// The player lies, sits, aims or casts, or a pending motion forbids a jump.
    #[error("the player cannot jump from this posture")]
    Posture,
    /// The player carries too much.
    #[error("the player carries too much to jump")]
    Overloaded,
}

impl JumpError {
    /// Returns the client's number for the reason. The client has none for a missing player, which
    /// counts as being in the air.
    pub const fn client_code(self) -> u32 {
        match self {
            Self::NoLocalPlayer | Self::InTheAir => MotionError::InTheAir.client_code(),
            Self::Tethered => MotionError::Failed.client_code(),
            Self::Posture => MotionError::CannotJump.client_code(),
            Self::Overloaded => MotionError::Overloaded.client_code(),
        }
    }
}

impl From<MotionError> for JumpError {
    /// Converts the reasons for which the interpreter refuses a jump. It has no others.
    fn from(refused: MotionError) -> Self {
        match refused {
            MotionError::InTheAir => Self::InTheAir,
            MotionError::Overloaded => Self::Overloaded,
            MotionError::CannotJump => Self::Posture,
            _ => Self::Tethered,
        }
    }
}

impl MotionWorld {
    /// Begins to charge a jump.
    ///
    /// A player that stands while charging stays on the spot until it jumps. Its keys still count
    /// for the jump. A repeated call starts the charge from zero.
    ///
    /// # Errors
    /// [`JumpError`] if the player cannot jump. A charge already under way continues.
    ///
    /// Retail: `CMotionInterp::charge_jump` (11.4186 @ 0x005281C0)
    pub fn charge_jump(
        &mut self,
        now: SimTime,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<(), JumpError> {
        self.catch_up(now, surroundings);
        let slot = self.placed_player_slot().ok_or(JumpError::NoLocalPlayer)?;
        let is_new = self.with_body(now, slot, |body, _, journal| {
            body.with_driver(journal, |driver| {
                let was_charging = driver.interpreter.standing_long_jump;
                driver.charge_jump()?;
                Ok::<_, MotionError>(driver.interpreter.standing_long_jump && !was_charging)
            })
        })?;
        self.player.as_mut().ok_or(JumpError::NoLocalPlayer)?.charging_since = Some(now);
        if is_new {
            self.send_state(now);
        }
        Ok(())
    }

    /// Jumps with the present charge, and queues the message to the server. Returns the velocity at
    /// take-off in metres per second, in the player's own axes.
    ///
    /// A move-to of the server ends first. The core does not know stamina, so the host checks it.
    ///
    /// # Errors
    /// [`JumpError`] if the player cannot jump. The charge is then lost, unless the world has no
    /// local player.
    ///
    /// Retail: `CMotionInterp::jump` (11.4186 @ 0x00528780)
    pub fn jump(
        &mut self,
        now: SimTime,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<Vec3, JumpError> {
        self.catch_up(now, surroundings);
        let slot = self.placed_player_slot().ok_or(JumpError::NoLocalPlayer)?;
        let player = self.player.as_mut().ok_or(JumpError::NoLocalPlayer)?;
        let extent = player.charging_since.take().map_or(MIN_EXTENT, |since| player.extent(since, now));
        self.stop_player(now, slot);
        let place = self.store.hot[slot].place;
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
    /// Returns the charge of a jump at `now`, from [`MIN_EXTENT`] to 1.
    pub(crate) fn extent(&self, since: SimTime, now: SimTime) -> f32 {
        let full = if self.input.style == DUAL_WIELD { DUAL_WIELD_CHARGE_SECS } else { MAX_CHARGE_SECS };
        ((now - since).as_secs() / full).clamp(f64::from(MIN_EXTENT), 1.0) as f32
    }
}

impl BodyMut<'_> {
    /// Jumps if the interpreter allows it. Returns the velocity at take-off, in the body's own
    /// axes.
    ///
    /// Retail: `CMotionInterp::jump` (11.4186 @ 0x00528780)
    fn jump(
        &mut self,
        extent: f32,
        now: SimTime,
        takeoff: Takeoff,
        journal: &mut impl Journal,
    ) -> Result<Vec3, MotionError> {
        self.with_driver(journal, |driver| {
            // The charge ends with its key, whether the jump is allowed or not.
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

    /// Takes off with the recorded velocity `said` in the body's own axes, or else with the
    /// interpreter's.
    ///
    /// A body that does not stand stays where it is. Without gravity, a jump is allowed anywhere
    /// and has no effect there.
    pub(super) fn launch(
        &mut self,
        said: Option<Vec3>,
        now: SimTime,
        takeoff: Takeoff,
        journal: &mut impl Journal,
    ) {
        if !self.hot.flags.contains(Flags::WALKABLE) {
            return;
        }
        self.hot.flags.remove(Flags::WALKABLE);
        let pose = self.hot.place.pose;
        let said = said.map(|local| pose.rotation().basis().to_global(local));
        self.take_off(said, Some(pose.origin().z), now, takeoff, journal);
    }
}
