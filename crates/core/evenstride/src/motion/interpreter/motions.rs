//! Begins and ends single motions, and keeps the pending ones.
//!
//! The functions come in pairs. `do_motion` and `stop_motion` take a request as it was made, and
//! convert it. `begin` and `end` take the canonical form, as messages, move-to and whole states
//! have it.

use evenstride_types::update::{MotionCommand, MoveToFlags};

use crate::{
    journal::{Call, Journal},
    motion::{
        interpreter::{Answer, MotionDriver, jumping::jump_code},
        items::Item,
        movement_params::MovementParams,
    },
    outcome::MotionError,
};

/// Largest number of pending motions. This is a safety bound, because a body without a table never
/// completes them.
const MAX_PENDING: u32 = 256;

/// Largest number of waiting actions. A request for another one is refused.
///
/// Retail: `CMotionInterp::DoMotion` (11.4186 @ 0x00528D20)
const MAX_ACTIONS: u32 = 6;

/// Class bit of gestures.
///
/// Retail: `CMotionInterp::DoMotion` (11.4186 @ 0x00528D20)
const EMOTE: u32 = 0x0200_0000;

impl<J: Journal> MotionDriver<'_, J> {
    /// Begins a motion as requested. Keys and changes of stance use this.
    ///
    /// Cancelling a move-to and setting the hold key come first, and happen even if the motion is
    /// refused. Postures and gestures are refused in combat stances. The raw motion records the
    /// request only on success.
    ///
    /// Retail: `CMotionInterp::DoMotion` (11.4186 @ 0x00528D20)
    pub fn do_motion(&mut self, motion: MotionCommand, params: &MovementParams) -> Answer {
        let cancels = params.has(MoveToFlags::CANCEL_MOVE_TO);
        if cancels {
            self.journal.call(Call::CancelMoveTo);
        }
        if params.sets_hold_key() {
            self.set_hold_key(params.hold_key, cancels);
        }
        let (adjusted, speed) = self.adjust(motion, params.speed, params.hold_key);
        if self.motion.style != MotionCommand::NON_COMBAT {
            match motion {
                MotionCommand::CROUCH => return Err(MotionError::CrouchInCombat),
                MotionCommand::SITTING => return Err(MotionError::SitInCombat),
                MotionCommand::SLEEPING => return Err(MotionError::LieInCombat),
                MotionCommand(emote) if emote & EMOTE != 0 => return Err(MotionError::EmoteInCombat),
                _ => {}
            }
        }
        if motion.is_action() && self.interpreter.actions.len() >= MAX_ACTIONS {
            return Err(MotionError::TooManyActions);
        }
        self.begin(adjusted, &params.at(speed))?;
        if params.has(MoveToFlags::MODIFY_RAW_STATE) {
            self.interpreter.raw.apply(self.items, motion, params);
        }
        Ok(())
    }

    /// Begins a motion in its canonical form.
    ///
    /// In the air, actions are refused, and other motions are only recorded for the landing. While
    /// a standing jump is being charged, walking and sidesteps are only recorded for the take-off.
    ///
    /// Retail: `CMotionInterp::DoInterpretedMotion` (11.4186 @ 0x00528360)
    pub fn begin(&mut self, motion: MotionCommand, params: &MovementParams) -> Answer {
        let answer = if !self.contact_allows(motion) {
            if motion.is_action() {
                Err(MotionError::InTheAir)
            } else {
                self.modify_interpreted(motion, params);
                Ok(())
            }
        } else if self.interpreter.standing_long_jump && is_step(motion) {
            // The body stands, but the velocity of the jump will include this motion.
            self.modify_interpreted(motion, params);
            Ok(())
        } else {
            self.begin_playing(motion, params)
        };
        self.skip_links_nowhere();
        answer
    }

    /// Plays a motion and adds it to the pending ones, with the reason that forbids a jump
    /// meanwhile.
    ///
    /// A body that dies skips its links first. If an action permits a jump, the forward motion is
    /// not considered.
    fn begin_playing(&mut self, motion: MotionCommand, params: &MovementParams) -> Answer {
        if motion == MotionCommand::DEAD {
            self.skip_links();
        }
        let begun = self.with_table(|playing, shared| playing.begin(shared, motion, params.speed))?;
        begun.map_err(|_| MotionError::NoMotion)?;
        let code = if params.has(MoveToFlags::DISABLE_JUMP_DURING_LINK) {
            MotionError::CannotJump.client_code()
        } else {
            match jump_code(motion) {
                0 if !motion.is_action() => jump_code(self.motion.forward.command),
                code => code,
            }
        };
        self.add_pending(params.context, motion, code);
        self.modify_interpreted(motion, params);
        Ok(())
    }

    /// Records a motion in the interpreted motion, if the parameters say so.
    fn modify_interpreted(&mut self, motion: MotionCommand, params: &MovementParams) {
        if params.has(MoveToFlags::MODIFY_INTERPRETED_STATE) {
            self.motion.apply(&mut self.interpreter.actions, self.items, motion, params);
        }
    }

    /// Ends a motion as requested. The raw motion records it only on success.
    ///
    /// Retail: `CMotionInterp::StopMotion` (11.4186 @ 0x00528530)
    pub fn stop_motion(&mut self, motion: MotionCommand, params: &MovementParams) -> Answer {
        if params.has(MoveToFlags::CANCEL_MOVE_TO) {
            self.journal.call(Call::CancelMoveTo);
        }
        let (adjusted, speed) = self.adjust(motion, params.speed, params.hold_key);
        self.end(adjusted, &params.at(speed))?;
        if params.has(MoveToFlags::MODIFY_RAW_STATE) {
            self.interpreter.raw.remove(motion);
        }
        Ok(())
    }

    /// Ends a motion in its canonical form. If contact or a charged jump would keep it from
    /// playing, only the interpreted motion changes.
    ///
    /// Retail: `CMotionInterp::StopInterpretedMotion` (11.4186 @ 0x00528470)
    pub fn end(&mut self, motion: MotionCommand, params: &MovementParams) -> Answer {
        let is_blocked =
            !self.contact_allows(motion) || (self.interpreter.standing_long_jump && is_step(motion));
        let answer = if is_blocked { Ok(()) } else { self.end_playing(motion, params.context) };
        if answer.is_ok() && params.has(MoveToFlags::MODIFY_INTERPRETED_STATE) {
            self.motion.remove(motion);
        }
        self.skip_links_nowhere();
        answer
    }

    /// Ends the animations of a motion, and adds a return to ready to the pending motions.
    pub(super) fn end_playing(&mut self, motion: MotionCommand, context: u32) -> Answer {
        let ended = self.with_table(|playing, shared| playing.end(shared, motion))?;
        ended.map_err(|_| MotionError::NoMotion)?;
        self.add_pending(context, MotionCommand::READY, 0);
        Ok(())
    }

    /// Ends every motion, in the raw motion, in the interpreted motion and in the animations.
    ///
    /// A return to ready is pending afterwards, even without a motion table. Stance and actions
    /// stay.
    ///
    /// Retail: `CMotionInterp::StopCompletely` (11.4186 @ 0x00527E40)
    pub fn stop_completely(&mut self) {
        self.journal.call(Call::CancelMoveTo);
        let code = jump_code(self.motion.forward.command);
        self.interpreter.raw.stand();
        self.motion.stand();
        let _ = self.with_table(|playing, shared| playing.end_all(shared));
        self.add_pending(0, MotionCommand::READY, code);
        self.skip_links_nowhere();
    }

    /// Adds a pending motion. A full queue drops its oldest entry first.
    ///
    /// Retail: `CMotionInterp::add_to_queue`, called by `CMotionInterp::StopCompletely` (11.4186 @ 0x00527E40)
    pub(super) fn add_pending(&mut self, context: u32, motion: MotionCommand, code: u32) {
        if self.interpreter.pending.len() >= MAX_PENDING {
            let _ = self.interpreter.pending.pop_front(self.items);
        }
        self.interpreter.pending.push_back(self.items, Item::new(motion, 0.0, context, code));
    }
}

/// Returns whether charging a standing jump holds a motion back. Turns are not held back.
fn is_step(motion: MotionCommand) -> bool {
    matches!(motion, MotionCommand::WALK_FORWARD | MotionCommand::RUN_FORWARD | MotionCommand::SIDESTEP_RIGHT)
}
