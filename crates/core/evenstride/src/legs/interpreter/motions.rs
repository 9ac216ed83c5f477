//! Single motions: begun, ended, waited for.

use evenstride_types::update::MotionCommand;

use super::{Answer, Legs, MotionRefused, jumping::jump_code};
use crate::legs::{list::Item, states::Params};

/// Most motions that are asked for and not done. A safety bound.
const MAX_WAITING: u32 = 256;

/// Most actions of a player that may wait.
///
/// Retail: `CMotionInterp::DoMotion` (11.4186 @ 0x00528D20)
const MAX_ACTIONS: u32 = 6;

impl Legs<'_> {
    /// Does what keys ask for.
    ///
    /// Retail: `CMotionInterp::DoMotion` (11.4186 @ 0x00528D20)
    pub(crate) fn ask(&mut self, motion: MotionCommand, params: &Params) -> Answer {
        if params.has(Params::CANCEL_MOVE_TO) {
            self.being.cancels += 1;
        }
        if params.sets_hold_key() {
            self.set_hold_key(params.hold_key, params.has(Params::CANCEL_MOVE_TO));
        }
        let (adjusted, speed) = self.adjust(motion, params.speed, params.hold_key);
        if self.interpreter.meant.style != MotionCommand::NON_COMBAT {
            match motion.0 {
                0x4100_0012 => return Err(MotionRefused::CrouchInCombat),
                0x4100_0013 => return Err(MotionRefused::SitInCombat),
                0x4100_0014 => return Err(MotionRefused::LieInCombat),
                emote if emote & 0x0200_0000 != 0 => return Err(MotionRefused::EmoteInCombat),
                _ => {}
            }
        }
        if motion.is_action() && self.interpreter.meant.actions.len() >= MAX_ACTIONS {
            return Err(MotionRefused::TooManyActions);
        }
        self.begin(adjusted, &params.at(speed))?;
        if params.has(Params::MODIFY_ASKED) {
            self.interpreter.asked.apply(self.items, motion, params);
        }
        Ok(())
    }

    /// Does what was made of it.
    ///
    /// Retail: `CMotionInterp::DoInterpretedMotion` (11.4186 @ 0x00528360)
    pub(crate) fn begin(&mut self, motion: MotionCommand, params: &Params) -> Answer {
        let answer = if !self.contact_allows(motion) {
            if motion.is_action() {
                Err(MotionRefused::InTheAir)
            } else {
                self.mean(motion, params);
                Ok(())
            }
        } else if self.interpreter.standing_long_jump && is_step(motion) {
            // The legs stand, but the jump will know.
            self.mean(motion, params);
            Ok(())
        } else {
            self.begin_playing(motion, params)
        };
        self.skip_links_nowhere();
        answer
    }

    pub(super) fn begin_playing(&mut self, motion: MotionCommand, params: &Params) -> Answer {
        if motion == MotionCommand::DEAD {
            self.skip_links();
        }
        let begun = self.with_table(|playing, shared| playing.begin(shared, motion, params.speed))?;
        begun.map_err(|_| MotionRefused::NoMotion)?;
        let code = if params.has(Params::NO_JUMP_DURING_LINK) {
            MotionRefused::CannotJump.code()
        } else {
            match jump_code(motion) {
                0 if !motion.is_action() => jump_code(self.interpreter.meant.forward.0),
                code => code,
            }
        };
        self.wait(params.context, motion, code);
        self.mean(motion, params);
        Ok(())
    }

    pub(super) fn mean(&mut self, motion: MotionCommand, params: &Params) {
        if params.has(Params::MODIFY_MEANT) {
            self.interpreter.meant.apply(self.items, motion, params);
        }
    }

    /// Retail: `CMotionInterp::StopMotion` (11.4186 @ 0x00528530)
    pub(crate) fn ask_no_more(&mut self, motion: MotionCommand, params: &Params) -> Answer {
        if params.has(Params::CANCEL_MOVE_TO) {
            self.being.cancels += 1;
        }
        let (adjusted, speed) = self.adjust(motion, params.speed, params.hold_key);
        self.end(adjusted, &params.at(speed))?;
        if params.has(Params::MODIFY_ASKED) {
            self.interpreter.asked.remove(motion);
        }
        Ok(())
    }

    /// Retail: `CMotionInterp::StopInterpretedMotion` (11.4186 @ 0x00528470)
    pub(crate) fn end(&mut self, motion: MotionCommand, params: &Params) -> Answer {
        let is_blocked =
            !self.contact_allows(motion) || (self.interpreter.standing_long_jump && is_step(motion));
        let answer = if is_blocked { Ok(()) } else { self.end_playing(motion, params.context) };
        if answer.is_ok() && params.has(Params::MODIFY_MEANT) {
            self.interpreter.meant.remove(motion);
        }
        self.skip_links_nowhere();
        answer
    }

    pub(super) fn end_playing(&mut self, motion: MotionCommand, context: u32) -> Answer {
        let ended = self.with_table(|playing, shared| playing.end(shared, motion))?;
        ended.map_err(|_| MotionRefused::NoMotion)?;
        self.wait(context, MotionCommand::READY, 0);
        Ok(())
    }

    /// Retail: `CMotionInterp::StopCompletely` (11.4186 @ 0x00527E40)
    pub(crate) fn stop(&mut self) {
        self.being.cancels += 1;
        let code = jump_code(self.interpreter.meant.forward.0);
        self.interpreter.asked.stand();
        self.interpreter.meant.stand();
        let _ = self.with_table(|playing, shared| playing.end_all(shared));
        self.wait(0, MotionCommand::READY, code);
        self.skip_links_nowhere();
    }

    pub(super) fn wait(&mut self, context: u32, motion: MotionCommand, code: u32) {
        if self.interpreter.waiting.len() >= MAX_WAITING {
            let _ = self.interpreter.waiting.pop_front(self.items);
        }
        self.interpreter.waiting.push_back(self.items, Item::new(motion, 0.0, context, code));
    }
}

/// Steps, which a charged jump holds back.
fn is_step(motion: MotionCommand) -> bool {
    matches!(motion, MotionCommand::WALK_FORWARD | MotionCommand::RUN_FORWARD | MotionCommand::SIDESTEP_RIGHT)
}
