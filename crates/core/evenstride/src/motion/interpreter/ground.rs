//! Landing and take-off of a body, and its default state.
//!
//! `step/` calls these functions as a body reaches or leaves walkable ground. Items and bodies
//! without gravity are exempt.

use evenstride_types::update::MotionCommand;

use crate::{
    config::Takeoff,
    journal::Journal,
    motion::{
        interpreted_motion::InterpretedMotion,
        interpreter::{MotionDriver, PartSupport},
        items::Item,
        raw_motion::RawMotion,
    },
};

impl<J: Journal> MotionDriver<'_, J> {
    /// Resumes the current motion on the ground. Links, such as the one of the fall, are skipped.
    ///
    /// Retail: `CMotionInterp::HitGround` (11.4186 @ 0x00528AC0)
    pub fn hit_ground(&mut self) {
        if self.walks() && self.facts.has_gravity {
            self.skip_links();
            self.apply_current(false, false);
        }
    }

    /// Decides the velocity of a body that leaves the ground, ends its links and begins to fall.
    ///
    /// The velocity is that of its motion plus the rise of a jump. A body that neither moves nor
    /// jumps keeps its present velocity. The charge of a jump is used up.
    ///
    /// Retail: `CMotionInterp::LeaveGround` (11.4186 @ 0x00528B00)
    pub fn leave_ground(&mut self, takeoff: Takeoff) {
        if !self.walks() || !self.facts.has_gravity {
            return;
        }
        let had = self.facts.velocity;
        self.effects.velocity = Some(match self.leave_ground_velocity() {
            None => had,
            Some(local) => {
                let velocity = self.facts.rotation.basis().to_global(local);
                // Deviation D6 (docs/deviations.md). A jump that the server reports as an impulse
                // keeps its rise.
                let keeps_rise = takeoff == Takeoff::ImpulseKeepsItsRise && self.jump_rise() == 0.0;
                if keeps_rise { velocity.with_z(had.z) } else { velocity }
            }
        });
        self.interpreter.standing_long_jump = false;
        self.interpreter.jump_extent = 0.0;
        self.skip_links();
        self.apply_current(false, false);
    }

    /// Resets raw and interpreted motion, and begins with the default stance and motion of the
    /// table.
    ///
    /// It is called once for each animator. As in the client, motions that are already pending
    /// stay, and the function ends with a take-off.
    ///
    /// Retail: `CMotionInterp::enter_default_state` (11.4186 @ 0x00528C80)
    pub fn enter_default(&mut self) {
        self.interpreter.raw.actions.clear(self.items);
        self.interpreter.actions.clear(self.items);
        self.interpreter.raw = RawMotion::default();
        self.motion.copy_movement_from(&InterpretedMotion::STANDING);
        if self.facts.parts == PartSupport::Moved {
            match self.table {
                Some(_) => {
                    let _ = self.with_table(|playing, shared| playing.initialize(shared));
                }
                None => {
                    let _ = self
                        .playing
                        .pending
                        .push_back(self.items, Item::new(MotionCommand::READY, 0.0, 0, 0));
                }
            }
        }
        self.add_pending(0, MotionCommand::READY, 0);
        self.interpreter.is_ready = true;
        self.leave_ground(Takeoff::GaitReplacesImpulse);
    }
}
