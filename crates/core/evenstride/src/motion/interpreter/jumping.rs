//! Permission to jump, and the charge of a jump.
//!
//! Only the local player jumps by these functions. Remote jumps arrive as velocities. The
//! interpreter does not time the charge. `player/jump.rs` does that, and takes off afterwards.

use evenstride_types::update::MotionCommand;

use crate::{
    journal::{Call, Journal},
    motion::interpreter::{Answer, MotionDriver},
    outcome::MotionError,
};

impl<J: Journal> MotionDriver<'_, J> {
    /// Prepares a jump of this extent, 0 to 1. The body then leaves the ground (see
    /// [`leave_ground`](Self::leave_ground)).
    ///
    /// A refusal ends the charge.
    ///
    /// Retail: `CMotionInterp::jump` (11.4186 @ 0x00528780)
    pub fn jump(&mut self, extent: f32) -> Answer {
        self.journal.call(Call::CancelMoveTo);
        let allowed = self.may_jump();
        match allowed {
            Ok(()) => self.interpreter.jump_extent = extent,
            Err(_) => self.interpreter.standing_long_jump = false,
        }
        allowed
    }

    /// Begins to charge a jump. A body that stands still begins a standing long jump, and holds its
    /// steps back until it jumps.
    ///
    /// Retail: `CMotionInterp::charge_jump` (11.4186 @ 0x005281C0)
    pub fn charge_jump(&mut self) -> Answer {
        self.may_charge()?;
        if self.facts.contact && self.facts.walkable && self.motion.is_still() {
            self.interpreter.standing_long_jump = true;
        }
        Ok(())
    }

    /// Checks whether the body may jump. Returns the first reason against it, in the client's
    /// order.
    ///
    /// The reasons, in order, are air, tether, pending motion, load, posture and stamina.
    ///
    /// Retail: `CMotionInterp::jump_is_allowed` (11.4186 @ 0x005282B0)
    pub fn may_jump(&self) -> Answer {
        let stands = self.facts.contact && self.facts.walkable;
        if self.walks() && self.facts.has_gravity && !stands {
            return Err(MotionError::InTheAir);
        }
        if self.facts.is_constrained {
            return Err(MotionError::Failed);
        }
        if let Some(refused) =
            self.interpreter.pending.front(self.items).and_then(|head| MotionError::from_code(head.code))
        {
            return Err(refused);
        }
        self.may_charge()?;
        if !allows_jump(self.motion.forward.command) {
            return Err(MotionError::CannotJump);
        }
        match self.facts.game {
            Some(game) if !game.has_stamina => Err(MotionError::Failed),
            _ => Ok(()),
        }
    }

    /// Checks load and posture alone, which is enough to charge.
    ///
    /// Retail: `CMotionInterp::jump_charge_is_allowed` (11.4186 @ 0x00527A50)
    pub fn may_charge(&self) -> Answer {
        if self.facts.game.is_some_and(|game| !game.can_jump) {
            return Err(MotionError::Overloaded);
        }
        match self.motion.forward.command {
            MotionCommand::FALLEN
            | MotionCommand::CROUCH
            | MotionCommand::SITTING
            | MotionCommand::SLEEPING => Err(MotionError::CannotJump),
            _ => Ok(()),
        }
    }
}

/// Returns whether a body can jump out of a motion.
///
/// It cannot jump while it is reloading, picking up, aiming, casting, lying, crouching or sitting.
/// It can jump while falling.
///
/// Retail: `CMotionInterp::motion_allows_jump` (11.4186 @ 0x005279E0)
pub const fn allows_jump(motion: MotionCommand) -> bool {
    !matches!(
        motion.0,
        0x4000_0008
            | 0x4000_0016..=0x4000_0018
            | 0x4000_001E..=0x4000_0039
            | 0x4100_0012..=0x4100_0014
            | 0x1000_006F..=0x1000_0078
            | 0x1000_0128..=0x1000_0131
    )
}

/// Returns the client's number for "cannot jump from this position", or 0 if the motion allows
/// jumps.
pub(super) const fn jump_code(motion: MotionCommand) -> u32 {
    if allows_jump(motion) { 0 } else { MotionError::CannotJump.client_code() }
}
