//! Jumping: charging, being allowed to, leaving the ground.

use evenstride_types::{
    RawPlacement, SimTime, Vec3,
    update::{Jump, MotionCommand, PhysicsState, PlayerAction},
};

use super::LocalPlayer;
use crate::{
    gait::Gait,
    legs::interpreter::allows_jump,
    store::{BodyMut, Flags},
    surroundings::Surroundings,
    why::{Journal, Note},
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

/// How well the local player runs and jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skills {
    /// Run skill.
    pub run: u32,
    /// Jump skill.
    pub jump: u32,
    /// What it carries, as part of what it can carry: from 2 on it can neither run nor jump.
    pub load: f32,
}

impl Default for Skills {
    /// A beginner with an empty pack.
    fn default() -> Self {
        Self { run: 0, jump: 0, load: 0.0 }
    }
}

impl Skills {
    /// The run skill that makes somebody run at a rate, as a message says it: the formula of [`Skills::run_rate`] the other way round.
    pub fn running_at(rate: f32) -> Self {
        let part = f64::from(((rate - 1.0) * 4.0 / 11.0).clamp(0.0, 0.999));
        let skill = libm::round(200.0 * part / (1.0 - part));
        Self { run: if rate >= 4.5 { 800 } else { skill as u32 }, ..Self::default() }
    }

    /// How many times faster than the slowest runner, by the formula the 2013 client has for its own player.
    ///
    /// The client's odd case is kept: a skill of exactly 800 runs at 4.5, more than any other.
    pub fn run_rate(&self) -> f32 {
        if self.run == 800 {
            return 4.5;
        }
        let skill = self.run as f32;
        (self.ease() * (skill / (skill + 200.0)) * 11.0 + 4.0) / 4.0
    }

    /// Metres a second upwards of a jump charged so far, by the formula the 2013 client has for its own player.
    pub fn jump_speed(&self, extent: f32) -> f32 {
        let skill = self.jump as f32;
        let height = self.ease() * (skill / (skill + 1300.0) * 22.2 + 0.05) * extent.clamp(0.0, 1.0);
        libm::sqrtf(19.6 * height.max(0.35))
    }

    /// How much of its skill the load leaves, 0 to 1.
    fn ease(&self) -> f32 {
        // Not a number carries nothing.
        if self.load >= 1.0 { (2.0 - self.load).max(0.0) } else { 1.0 }
    }

    fn can_jump(&self) -> bool {
        self.load.is_nan() || self.load < 2.0
    }
}

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
    /// It lies, sits, aims or casts.
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
            Self::NoLocalPlayer | Self::InTheAir => 0x24,
            Self::Tethered => 0x47,
            Self::Posture => 0x48,
            Self::Overloaded => 0x49,
        }
    }
}

impl MotionWorld {
    /// Begins to charge a jump. Whoever stands while charging stays on the spot until it jumps, but its keys count for the jump.
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
        let gait = self.store.gaits[slot];
        let stands = self.store.bodies[slot].flags.contains(Flags::CONTACT | Flags::WALKABLE);
        let player = self.player.as_mut().ok_or(JumpRefused::NoLocalPlayer)?;
        may_charge(&player.skills, &gait)?;
        player.charging_since = Some(now);
        let is_still = gait.forward == MotionCommand::READY && gait.sidestep.is_none() && gait.turn.is_none();
        if stands && is_still && !player.standing_long_jump {
            player.standing_long_jump = true;
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
        player.standing_long_jump = false;
        let skills = player.skills;
        self.stop_player(now, slot);
        let place = self.store.bodies[slot].place;
        let allowed = self.store.at(slot).may_jump(&skills);
        let velocity = allowed.map(|()| {
            let body = &self.store.bodies[slot];
            self.record.about(body.id, now, body.flags.contains(Flags::WATCHED));
            let mut body = self.store.at(slot);
            body.launch(skills.jump_speed(extent), now, &mut self.record)
        });
        self.apply_controls();
        let velocity = velocity?;
        self.mark_changed(slot);
        let stamps = self.player_stamps(slot);
        let jump = Jump { extent, local_velocity: velocity, position: RawPlacement::from(&place), stamps };
        self.send(PlayerAction::Jump(jump));
        Ok(velocity)
    }
}

impl LocalPlayer {
    /// How far a jump is charged.
    pub(crate) fn extent(&self, since: SimTime, now: SimTime) -> f32 {
        let full = if self.controls.style == DUAL_WIELD { DUAL_WIELD_CHARGE_SECS } else { MAX_CHARGE_SECS };
        ((now - since).as_secs() / full).clamp(f64::from(MIN_EXTENT), 1.0) as f32
    }
}

impl BodyMut<'_> {
    /// Retail: `CMotionInterp::jump_is_allowed` (11.4186 @ 0x005282B0)
    fn may_jump(&self, skills: &Skills) -> Result<(), JumpRefused> {
        let flags = self.body.flags;
        let stands = flags.contains(Flags::CONTACT | Flags::WALKABLE);
        if !flags.contains(Flags::HAS_CELL) || (self.body.state.contains(PhysicsState::GRAVITY) && !stands) {
            return Err(JumpRefused::InTheAir);
        }
        if self.detail.tether.is_taut() {
            return Err(JumpRefused::Tethered);
        }
        may_charge(skills, self.gait)?;
        if allows_jump(self.gait.forward) { Ok(()) } else { Err(JumpRefused::Posture) }
    }

    /// Leaves the ground with the velocity of the legs and so much upwards. Answers that velocity, own axes.
    ///
    /// Retail: `CMotionInterp::LeaveGround` (11.4186 @ 0x00528B00)
    fn launch(&mut self, rise: f32, now: SimTime, journal: &mut impl Journal) -> Vec3 {
        let local = self.gait.velocity().with_z(rise);
        self.launch_at(local, now, journal);
        local
    }

    /// The same with a velocity in own axes.
    pub(crate) fn launch_at(&mut self, local: Vec3, now: SimTime, journal: &mut impl Journal) {
        if !self.body.flags.contains(Flags::WALKABLE) {
            // Without gravity one may jump from anywhere, and it does nothing.
            return;
        }
        self.body.flags.remove(Flags::WALKABLE);
        self.settle_acceleration();
        journal.note(Note::TookOff { rise: local.z });
        let velocity = self.body.place.pose.rotation().basis().to_global(local);
        self.set_velocity(velocity, now.as_secs());
        let took_off_z = Some(self.body.place.pose.origin().z);
        self.set_flight(crate::flight::Flight { took_off_z, ..self.flight() });
    }
}

/// Retail: `CMotionInterp::jump_charge_is_allowed` (11.4186 @ 0x00527A50)
fn may_charge(skills: &Skills, gait: &Gait) -> Result<(), JumpRefused> {
    if !skills.can_jump() {
        return Err(JumpRefused::Overloaded);
    }
    match gait.forward.0 {
        0x4000_0008 | 0x4100_0012..=0x4100_0014 => Err(JumpRefused::Posture),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skills_give_the_speeds_of_the_clients_formulas() {
        let skills = |run, jump, load| Skills { run, jump, load };
        assert_eq!(Skills::default().run_rate(), 1.0);
        assert_eq!(skills(200, 0, 0.0).run_rate(), (5.5 + 4.0) / 4.0);
        assert_eq!(skills(800, 0, 0.0).run_rate(), 4.5);
        assert!(skills(801, 0, 0.0).run_rate() < 3.3);
        assert_eq!(skills(200, 0, 1.5).run_rate(), (2.75 + 4.0) / 4.0);
        assert_eq!((skills(900, 0, 2.0).run_rate(), skills(900, 0, 9.0).run_rate()), (1.0, 1.0));
        // No jump is lower than 35 cm.
        assert!((skills(0, 0, 0.0).jump_speed(1.0) - libm::sqrtf(19.6 * 0.35)).abs() < 1e-6);
        let high = skills(0, 1300, 0.0);
        assert!((high.jump_speed(1.0) - libm::sqrtf(19.6 * 11.15)).abs() < 1e-4);
        assert!(high.jump_speed(0.5) < high.jump_speed(1.0));
        assert!(skills(1, 1, f32::NAN).jump_speed(f32::NAN).is_finite());
    }
}
