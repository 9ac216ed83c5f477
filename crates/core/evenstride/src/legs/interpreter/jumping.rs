//! Whether one may jump.

use evenstride_types::update::MotionCommand;

use super::{Answer, Legs, MotionRefused};
use crate::legs::states::NONE;

impl Legs<'_> {
    /// Retail: `CMotionInterp::jump` (11.4186 @ 0x00528780)
    pub(crate) fn jump(&mut self, extent: f32) -> Answer {
        self.being.cancels += 1;
        if let Err(refused) = self.may_jump(extent) {
            self.interpreter.standing_long_jump = false;
            return Err(refused);
        }
        self.interpreter.jump_extent = extent;
        self.set_walkable(false);
        Ok(())
    }

    /// Retail: `CMotionInterp::charge_jump` (11.4186 @ 0x005281C0)
    pub(crate) fn charge_jump(&mut self) -> Answer {
        self.may_charge()?;
        let meant = &self.interpreter.meant;
        let is_still =
            meant.forward.0 == MotionCommand::READY && meant.sidestep.0 == NONE && meant.turn.0 == NONE;
        if self.being.contact && self.being.walkable && is_still {
            self.interpreter.standing_long_jump = true;
        }
        Ok(())
    }

    /// Retail: `CMotionInterp::jump_is_allowed` (11.4186 @ 0x005282B0)
    pub(crate) fn may_jump(&self, _extent: f32) -> Answer {
        let stands = self.being.contact && self.being.walkable;
        if self.walks() && self.being.has_gravity && !stands {
            return Err(MotionRefused::InTheAir);
        }
        if self.being.is_constrained {
            return Err(MotionRefused::Failed);
        }
        if let Some(refused) =
            self.interpreter.waiting.front(self.items).and_then(|head| MotionRefused::from_code(head.code))
        {
            return Err(refused);
        }
        self.may_charge()?;
        if !allows_jump(self.interpreter.meant.forward.0) {
            return Err(MotionRefused::CannotJump);
        }
        match self.being.game {
            Some(game) if !game.has_stamina => Err(MotionRefused::Failed),
            _ => Ok(()),
        }
    }

    /// Retail: `CMotionInterp::jump_charge_is_allowed` (11.4186 @ 0x00527A50)
    pub(crate) fn may_charge(&self) -> Answer {
        if self.being.game.is_some_and(|game| !game.can_jump) {
            return Err(MotionRefused::Overloaded);
        }
        match self.interpreter.meant.forward.0.0 {
            0x4000_0008 | 0x4100_0012..=0x4100_0014 => Err(MotionRefused::CannotJump),
            _ => Ok(()),
        }
    }
}

/// Whether one can jump out of a motion: not while reloading, aiming, casting, lying or sitting.
///
/// Retail: `CMotionInterp::motion_allows_jump` (11.4186 @ 0x005279E0)
pub(crate) const fn allows_jump(motion: MotionCommand) -> bool {
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

/// The same by the client's number for "not from this position"; 0 if one can.
pub(crate) const fn jump_code(motion: MotionCommand) -> u32 {
    if allows_jump(motion) { 0 } else { MotionRefused::CannotJump.code() }
}
