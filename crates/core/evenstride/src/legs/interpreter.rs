//! The interpreter: from what is asked for to what the legs do.

use evenstride_types::{
    EPSILON, Rotation, Vec3,
    update::{HoldKey, MotionCommand},
};

use super::{
    library::MotionLibrary,
    list::{Item, List},
    playing::{Playing, Shared},
    sequence::Node,
    states::{Asked, Meant, NONE, Params},
    table::MotionTable,
};
use crate::{
    gait::{RUN_SPEED, SIDESTEP_SPEED, WALK_SPEED},
    pool::Pool,
};

/// Most motions that are asked for and not done. A safety bound.
const MAX_WAITING: u32 = 256;

/// Most actions of a player that may wait.
///
/// Retail: `CMotionInterp::DoMotion` (11.4186 @ 0x00528D20)
const MAX_ACTIONS: u32 = 6;

/// What one body's legs are to do.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "CMotionInterp")]
pub(crate) struct Interpreter {
    pub(crate) is_ready: bool,
    pub(crate) asked: Asked,
    pub(crate) meant: Meant,
    pub(crate) speed_factor: f32,
    pub(crate) standing_long_jump: bool,
    pub(crate) jump_extent: f32,
    /// The last action of the server that was done.
    pub(crate) action_stamp: u16,
    pub(crate) run_rate: f32,
    /// Motions that are not done: whom to tell, which, and why one cannot jump meanwhile.
    pub(crate) waiting: List,
}

impl Default for Interpreter {
    fn default() -> Self {
        Self {
            is_ready: false,
            asked: Asked::default(),
            meant: Meant::default(),
            speed_factor: 1.0,
            standing_long_jump: false,
            jump_extent: 0.0,
            action_stamp: 0,
            run_rate: 1.0,
            waiting: List::default(),
        }
    }
}

/// What an interpreter must know of its body, and what it does to it.
#[derive(Clone, Debug)]
pub(crate) struct Being {
    /// Whether there is anything to move: parts, and something that moves them.
    pub(crate) parts: Parts,
    pub(crate) contact: bool,
    pub(crate) walkable: bool,
    pub(crate) has_gravity: bool,
    pub(crate) has_cell: bool,
    /// What the game knows of it, if anything.
    pub(crate) game: Option<GameBeing>,
    pub(crate) last_was_autonomous: bool,
    /// At the end of its tether.
    pub(crate) is_constrained: bool,
    pub(crate) rotation: Rotation,
    /// World axes.
    pub(crate) velocity: Vec3,
    /// Times that server-controlled movement was to end, and a follow.
    pub(crate) cancels: u32,
    pub(crate) unsticks: u32,
    /// Motions that are done, and whether they were played to their end.
    /// For traces; nobody else needs to know.
    pub(crate) done: Option<alloc::vec::Vec<(MotionCommand, bool)>>,
}

/// What there is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// Nothing.
    None,
    /// Parts, and nothing that moves them.
    Unmoved,
    /// Everything.
    Moved,
}

/// What the game knows of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GameBeing {
    pub(crate) is_creature: bool,
    pub(crate) is_player: bool,
    /// These four it knows of the local player only.
    pub(crate) run_rate: Option<f32>,
    pub(crate) can_jump: bool,
    pub(crate) jump_velocity: Option<f32>,
    pub(crate) has_stamina: bool,
}

/// Why a motion is not done, by the client's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MotionRefused {
    /// Nothing knows how it moves.
    #[error("it has no motion table")]
    NoTable,
    /// It is in the air.
    #[error("it is in the air")]
    InTheAir,
    /// Not in a stance of combat.
    #[error("it cannot crouch in combat")]
    CrouchInCombat,
    /// Not in a stance of combat.
    #[error("it cannot sit in combat")]
    SitInCombat,
    /// Not in a stance of combat.
    #[error("it cannot lie down in combat")]
    LieInCombat,
    /// Not in a stance of combat.
    #[error("it cannot gesture in combat")]
    EmoteInCombat,
    /// Its motion table has nothing for it.
    #[error("its motion table has nothing for it")]
    NoMotion,
    /// Six wait already.
    #[error("too many actions wait already")]
    TooManyActions,
    /// Nothing can be moved, or something else is wrong.
    #[error("it cannot be done")]
    Failed,
    /// Not out of this position.
    #[error("it cannot jump out of this position")]
    CannotJump,
    /// It carries too much.
    #[error("it carries too much to jump")]
    Overloaded,
}

impl MotionRefused {
    /// The client's number for it.
    pub const fn code(self) -> u32 {
        match self {
            Self::NoTable => 0x07,
            Self::InTheAir => 0x24,
            Self::CrouchInCombat => 0x3F,
            Self::SitInCombat => 0x40,
            Self::LieInCombat => 0x41,
            Self::EmoteInCombat => 0x42,
            Self::NoMotion => 0x43,
            Self::TooManyActions => 0x45,
            Self::Failed => 0x47,
            Self::CannotJump => 0x48,
            Self::Overloaded => 0x49,
        }
    }

    const fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            0 => return None,
            0x24 => Self::InTheAir,
            0x48 => Self::CannotJump,
            0x49 => Self::Overloaded,
            _ => Self::Failed,
        })
    }
}

type Answer = Result<(), MotionRefused>;

/// One body's legs, with everything they need.
pub(crate) struct Legs<'a> {
    pub(crate) interpreter: &'a mut Interpreter,
    pub(crate) playing: &'a mut Playing,
    pub(crate) being: &'a mut Being,
    pub(crate) library: &'a MotionLibrary,
    pub(crate) table: Option<&'a MotionTable>,
    pub(crate) nodes: &'a mut Pool<Node>,
    pub(crate) items: &'a mut Pool<Item>,
}

impl Legs<'_> {
    /// Runs something on the table, if there is one.
    fn with_table<T>(
        &mut self,
        run: impl FnOnce(&mut Playing, &mut Shared<'_>) -> T,
    ) -> Result<T, MotionRefused> {
        match self.being.parts {
            Parts::None => return Err(MotionRefused::Failed),
            Parts::Unmoved => return Err(MotionRefused::NoTable),
            Parts::Moved => {}
        }
        let Some(table) = self.table else { return Err(MotionRefused::NoTable) };
        let mut shared =
            Shared { library: self.library, table, nodes: &mut *self.nodes, items: &mut *self.items };
        Ok(run(self.playing, &mut shared))
    }

    // ---- beginning and ending motions ----

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

    fn begin_playing(&mut self, motion: MotionCommand, params: &Params) -> Answer {
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

    fn mean(&mut self, motion: MotionCommand, params: &Params) {
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

    fn end_playing(&mut self, motion: MotionCommand, context: u32) -> Answer {
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

    fn wait(&mut self, context: u32, motion: MotionCommand, code: u32) {
        if self.interpreter.waiting.len() >= MAX_WAITING {
            let _ = self.interpreter.waiting.pop_front(self.items);
        }
        self.interpreter.waiting.push_back(self.items, Item::new(motion, 0.0, context, code));
    }

    // ---- applying what is meant ----

    /// Retail: `CMotionInterp::SetHoldKey` (11.4186 @ 0x00528BB0)
    pub(crate) fn set_hold_key(&mut self, key: HoldKey, cancels: bool) {
        let current = self.interpreter.asked.hold_key;
        let is_change = match key {
            HoldKey::NONE => current == HoldKey::RUN,
            HoldKey::RUN => current != HoldKey::RUN,
            _ => false,
        };
        if is_change {
            self.interpreter.asked.hold_key = key;
            self.reapply(cancels, false);
        }
    }

    /// Retail: `CMotionInterp::set_hold_run` (11.4186 @ 0x00528B70)
    pub(crate) fn set_hold_run(&mut self, runs: bool, cancels: bool) {
        if runs != (self.interpreter.asked.hold_key == HoldKey::RUN) {
            self.interpreter.asked.hold_key = if runs { HoldKey::RUN } else { HoldKey::NONE };
            self.reapply(cancels, false);
        }
    }

    /// Does again what is asked for or meant: something about the body has changed.
    ///
    /// Retail: `CMotionInterp::apply_current_movement` (11.4186 @ 0x00528870)
    pub(crate) fn reapply(&mut self, cancels: bool, is_jump_forbidden: bool) {
        if !self.interpreter.is_ready {
            return;
        }
        let is_own = self.being.game.is_none_or(|game| game.is_player);
        if is_own && self.being.last_was_autonomous {
            self.interpret();
        }
        self.apply(cancels, is_jump_forbidden);
    }

    /// Retail: `CMotionInterp::apply_raw_movement` (11.4186 @ 0x005287E0)
    fn interpret(&mut self) {
        let asked = self.interpreter.asked;
        let meant = |axis: super::states::AskedAxis| self.adjust(axis.command, axis.speed, axis.hold_key);
        let (forward, sidestep, turn) = (meant(asked.forward), meant(asked.sidestep), meant(asked.turn));
        let actions = self.interpreter.meant.actions;
        self.interpreter.meant = Meant { style: asked.style, forward, sidestep, turn, actions };
    }

    /// Retail: `CMotionInterp::apply_interpreted_movement` (11.4186 @ 0x00528600)
    fn apply(&mut self, cancels: bool, is_jump_forbidden: bool) {
        let bits = 0x1_260F
            | if cancels { Params::CANCEL_MOVE_TO } else { 0 }
            | if is_jump_forbidden { Params::NO_JUMP_DURING_LINK } else { 0 };
        let params = Params { bits, ..Params::default() };
        let meant = self.interpreter.meant;
        if meant.forward.0 == MotionCommand::RUN_FORWARD {
            self.interpreter.run_rate = meant.forward.1;
        }
        // Whatever cannot be done is left undone.
        let _ = self.begin(meant.style, &params);
        if self.contact_allows(self.interpreter.meant.forward.0) {
            if self.interpreter.standing_long_jump {
                let _ = self.begin(MotionCommand::READY, &params);
                let _ = self.end(MotionCommand::SIDESTEP_RIGHT, &params);
            } else {
                let (forward, speed) = self.interpreter.meant.forward;
                let _ = self.begin(forward, &params.at(speed));
                match self.interpreter.meant.sidestep {
                    (NONE, _) => {
                        let _ = self.end(MotionCommand::SIDESTEP_RIGHT, &params);
                    }
                    (sidestep, speed) => {
                        let _ = self.begin(sidestep, &params.at(speed));
                    }
                }
            }
        } else {
            let _ = self.begin(MotionCommand::FALLING, &params);
        }
        match self.interpreter.meant.turn {
            (NONE, _) => {
                let _ = self.end_playing(MotionCommand::TURN_RIGHT, params.context);
                self.skip_links_nowhere();
            }
            (turn, speed) => {
                let _ = self.begin(turn, &params.at(speed));
            }
        }
    }

    /// What the server says that it does.
    ///
    /// Retail: `CMotionInterp::move_to_interpreted_state` (11.4186 @ 0x005289C0)
    pub(crate) fn obey(&mut self, meant: &Meant, actions: impl Iterator<Item = ServerAction>) {
        self.interpreter.asked.style = meant.style;
        self.being.cancels += 1;
        let is_jump_forbidden = jump_code(self.interpreter.meant.forward.0) != 0;
        self.interpreter.meant = Meant { actions: self.interpreter.meant.actions, ..*meant };
        self.reapply(true, is_jump_forbidden);
        let is_remote = self.being.game.is_some_and(|game| !game.is_player);
        for action in actions {
            let is_wanted = is_remote || !action.is_autonomous;
            if !is_wanted || !is_newer_action(action.stamp, self.interpreter.action_stamp) {
                continue;
            }
            self.interpreter.action_stamp = action.stamp;
            let autonomous = if action.is_autonomous { Params::AUTONOMOUS } else { 0 };
            let params = Params { speed: action.speed, ..Params::default() };
            let params = Params { bits: params.bits & !Params::AUTONOMOUS | autonomous, ..params };
            let _ = self.begin(action.motion, &params);
        }
    }

    // ---- ground and air ----

    /// Retail: `CMotionInterp::HitGround` (11.4186 @ 0x00528AC0)
    pub(crate) fn hit_ground(&mut self) {
        if self.walks() && self.being.has_gravity {
            self.skip_links();
            self.reapply(false, false);
        }
    }

    /// Retail: `CMotionInterp::LeaveGround` (11.4186 @ 0x00528B00)
    pub(crate) fn leave_ground(&mut self) {
        if self.walks() && self.being.has_gravity {
            let local = self.leave_ground_velocity();
            self.being.set_velocity(self.being.rotation.basis().to_global(local));
            self.interpreter.standing_long_jump = false;
            self.interpreter.jump_extent = 0.0;
            self.skip_links();
            self.reapply(false, false);
        }
    }

    /// Takes or loses its footing.
    pub(crate) fn set_walkable(&mut self, walkable: bool) {
        let was = core::mem::replace(&mut self.being.walkable, walkable);
        match (was, walkable) {
            (true, false) => self.leave_ground(),
            (false, true) => self.hit_ground(),
            _ => {}
        }
    }

    /// Begins with what the table says, and with nothing asked for.
    ///
    /// Retail: `CMotionInterp::enter_default_state` (11.4186 @ 0x00528C80)
    pub(crate) fn enter_default(&mut self) {
        self.interpreter.asked.actions.clear(self.items);
        self.interpreter.meant.actions.clear(self.items);
        self.interpreter.asked = Asked::default();
        self.interpreter.meant = Meant::default();
        if self.being.parts == Parts::Moved {
            match self.table {
                Some(_) => {
                    let _ = self.with_table(|playing, shared| playing.initialize(shared));
                }
                None => {
                    self.playing.pending.push_back(self.items, Item::new(MotionCommand::READY, 0.0, 0, 0))
                }
            }
        }
        self.wait(0, MotionCommand::READY, 0);
        self.interpreter.is_ready = true;
        self.leave_ground();
    }

    // ---- animations that end ----

    /// An animation has ended.
    pub(crate) fn animation_ended(&mut self, success: bool) {
        let (interpreter, being) = (&mut *self.interpreter, &mut *self.being);
        self.playing.animation_ended(self.items, &mut |items, motion| {
            interpreter.motion_done(items, being, motion, success);
        });
    }

    /// Retail: `MotionTableManager::CheckForCompletedMotions` (11.4186 @ 0x0051BE00)
    pub(crate) fn check_done(&mut self) {
        let (interpreter, being) = (&mut *self.interpreter, &mut *self.being);
        self.playing.check_done(self.items, &mut |items, motion| {
            interpreter.motion_done(items, being, motion, true);
        });
    }

    /// Skips everything that only leads to the motion that goes round.
    pub(crate) fn skip_links(&mut self) {
        if self.being.parts != Parts::Moved {
            return;
        }
        let (interpreter, being) = (&mut *self.interpreter, &mut *self.being);
        self.playing.skip_to_cycle(self.nodes, self.items, &mut |items, motion| {
            interpreter.motion_done(items, being, motion, false);
        });
    }

    /// The body leaves the world: nobody waits any longer.
    pub(crate) fn exit_world(&mut self) {
        if self.being.parts == Parts::Moved {
            let (interpreter, being) = (&mut *self.interpreter, &mut *self.being);
            self.playing.abandon(self.items, &mut |items, motion| {
                interpreter.motion_done(items, being, motion, false);
            });
        }
        while !self.interpreter.waiting.is_empty() {
            self.interpreter.pop_waiting(self.items, self.being);
        }
    }

    /// What nobody sees needs no transitions.
    fn skip_links_nowhere(&mut self) {
        if !self.being.has_cell {
            self.skip_links();
        }
    }

    // ---- jumping ----

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
        if let Some(refused) = MotionRefused::from_code(jump_code(self.interpreter.meant.forward.0)) {
            return Err(refused);
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

    // ---- speeds ----

    /// Whether it walks at all: what the game does not know, and creatures.
    fn walks(&self) -> bool {
        self.being.game.is_none_or(|game| game.is_creature)
    }

    fn run_rate(&self) -> f32 {
        match self.being.game {
            None => 1.0,
            Some(game) => game.run_rate.unwrap_or(self.interpreter.run_rate),
        }
    }

    /// Retail: `CMotionInterp::contact_allows_move` (11.4186 @ 0x00528240)
    pub(crate) fn contact_allows(&self, motion: MotionCommand) -> bool {
        let is_free = matches!(
            motion,
            MotionCommand::FALLING
                | MotionCommand::DEAD
                | MotionCommand::TURN_RIGHT
                | MotionCommand::TURN_LEFT
        );
        is_free || !self.walks() || !self.being.has_gravity || (self.being.contact && self.being.walkable)
    }

    /// Back is forward at a negative speed, left is right at one, and running makes all of it faster.
    ///
    /// Retail: `CMotionInterp::adjust_motion` (11.4186 @ 0x00528010)
    pub(crate) fn adjust(
        &self,
        motion: MotionCommand,
        speed: f32,
        hold_key: HoldKey,
    ) -> (MotionCommand, f32) {
        const BACKWARDS: f32 = 0.65;
        const SIDEWAYS: f32 = WALK_SPEED / SIDESTEP_SPEED * 0.5;
        if !self.walks() {
            return (motion, speed);
        }
        let (motion, speed) = match motion {
            MotionCommand::RUN_FORWARD => return (motion, speed),
            MotionCommand::WALK_BACKWARDS => (MotionCommand::WALK_FORWARD, speed * -BACKWARDS),
            MotionCommand::TURN_LEFT => (MotionCommand::TURN_RIGHT, -speed),
            MotionCommand::SIDESTEP_LEFT => (MotionCommand::SIDESTEP_RIGHT, -speed * SIDEWAYS),
            MotionCommand::SIDESTEP_RIGHT => (motion, speed * SIDEWAYS),
            other => (other, speed),
        };
        let key = if hold_key == HoldKey::INVALID { self.interpreter.asked.hold_key } else { hold_key };
        if key == HoldKey::RUN { self.run(motion, speed) } else { (motion, speed) }
    }

    /// Retail: `CMotionInterp::apply_run_to_command` (11.4186 @ 0x00527BE0)
    fn run(&self, motion: MotionCommand, speed: f32) -> (MotionCommand, f32) {
        const TURN: f32 = 1.5;
        const MAX_SIDESTEP: f32 = 3.0;
        let rate = self.run_rate();
        match motion {
            MotionCommand::WALK_FORWARD if speed > 0.0 => (MotionCommand::RUN_FORWARD, speed * rate),
            MotionCommand::WALK_FORWARD => (motion, speed * rate),
            MotionCommand::TURN_RIGHT => (motion, speed * TURN),
            MotionCommand::SIDESTEP_RIGHT => {
                let speed = speed * rate;
                (motion, if speed.abs() > MAX_SIDESTEP { MAX_SIDESTEP.copysign(speed) } else { speed })
            }
            _ => (motion, speed),
        }
    }

    /// Retail: `CMotionInterp::get_max_speed` (11.4186 @ 0x00527CB0)
    pub(crate) fn max_speed(&self) -> f32 {
        RUN_SPEED * self.run_rate()
    }

    /// Retail: `CMotionInterp::get_adjusted_max_speed` (11.4186 @ 0x00527D00)
    pub(crate) fn adjusted_max_speed(&self) -> f32 {
        match self.interpreter.meant.forward {
            (MotionCommand::RUN_FORWARD, speed) => RUN_SPEED * (speed / self.interpreter.speed_factor),
            _ => self.max_speed(),
        }
    }

    /// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
    pub(crate) fn state_velocity(&self) -> Vec3 {
        let meant = &self.interpreter.meant;
        let x = if meant.sidestep.0 == MotionCommand::SIDESTEP_RIGHT {
            SIDESTEP_SPEED * meant.sidestep.1
        } else {
            0.0
        };
        let y = match meant.forward {
            (MotionCommand::WALK_FORWARD, speed) => WALK_SPEED * speed,
            (MotionCommand::RUN_FORWARD, speed) => RUN_SPEED * speed,
            _ => 0.0,
        };
        let velocity = Vec3::new(x, y, 0.0);
        let (length, max) = (evenstride_types::length(velocity), f64::from(self.max_speed()));
        if length <= max {
            return velocity;
        }
        let capped = (velocity.as_dvec3() * (max / length)).as_vec3();
        // A negative speed makes a negative cap; what is no number then is no velocity.
        if capped.is_finite() { capped } else { Vec3::ZERO }
    }

    /// Retail: `CMotionInterp::get_jump_v_z` (11.4186 @ 0x00527AA0)
    pub(crate) fn jump_speed(&self) -> f32 {
        let extent = self.interpreter.jump_extent;
        if extent < EPSILON {
            return 0.0;
        }
        match self.being.game {
            None => 10.0,
            Some(game) => game.jump_velocity.map_or(0.0, |velocity| velocity * extent.min(1.0)),
        }
    }

    /// Retail: `CMotionInterp::get_leave_ground_velocity` (11.4186 @ 0x005280C0)
    pub(crate) fn leave_ground_velocity(&self) -> Vec3 {
        let local = self.state_velocity().with_z(self.jump_speed());
        if local.to_array().iter().all(|part| part.abs() < EPSILON) {
            self.being.rotation.basis().to_local(self.being.velocity)
        } else {
            local
        }
    }
}

impl Interpreter {
    /// A motion is done, whichever it was: the oldest one that waits.
    ///
    /// Retail: `CMotionInterp::MotionDone` (11.4186 @ 0x00527EC0)
    fn motion_done(
        &mut self,
        items: &mut Pool<Item>,
        being: &mut Being,
        motion: MotionCommand,
        success: bool,
    ) {
        if let Some(done) = &mut being.done {
            done.push((motion, success));
        }
        self.pop_waiting(items, being);
    }

    fn pop_waiting(&mut self, items: &mut Pool<Item>, being: &mut Being) {
        let Some(head) = self.waiting.pop_front(items) else { return };
        if head.motion.is_action() {
            being.unsticks += 1;
            let _ = self.asked.actions.pop_front(items);
            let _ = self.meant.actions.pop_front(items);
        }
    }
}

impl Being {
    /// Too small a change is none, and nothing is faster than 50 m/s.
    fn set_velocity(&mut self, velocity: Vec3) {
        const MAX_SPEED: f64 = 50.0;
        if evenstride_types::nearly_equal(velocity, self.velocity) {
            return;
        }
        let length = evenstride_types::length(velocity);
        self.velocity = if length > MAX_SPEED {
            (velocity.as_dvec3() * (MAX_SPEED / length)).as_vec3()
        } else {
            velocity
        };
    }
}

/// An action that the server tells of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ServerAction {
    pub(crate) motion: MotionCommand,
    pub(crate) speed: f32,
    pub(crate) stamp: u16,
    pub(crate) is_autonomous: bool,
}

/// Whether an action was not done before: stamps have fifteen bits, and wrap.
fn is_newer_action(stamp: u16, seen: u16) -> bool {
    let (stamp, seen) = (stamp & 0x7FFF, seen & 0x7FFF);
    if stamp.abs_diff(seen) <= 0x3FFF { seen < stamp } else { stamp < seen }
}

/// Steps, which a charged jump holds back.
fn is_step(motion: MotionCommand) -> bool {
    matches!(motion, MotionCommand::WALK_FORWARD | MotionCommand::RUN_FORWARD | MotionCommand::SIDESTEP_RIGHT)
}

/// Whether one can jump out of a motion: 0, or the client's number for "not from this position".
///
/// Retail: `CMotionInterp::motion_allows_jump` (11.4186 @ 0x005279E0)
pub(crate) fn jump_code(motion: MotionCommand) -> u32 {
    match motion.0 {
        0x4000_0008
        | 0x4000_0016..=0x4000_0018
        | 0x4000_001E..=0x4000_0039
        | 0x4100_0012..=0x4100_0014
        | 0x1000_006F..=0x1000_0078
        | 0x1000_0128..=0x1000_0131 => MotionRefused::CannotJump.code(),
        _ => 0,
    }
}
