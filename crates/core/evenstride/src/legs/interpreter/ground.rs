//! Ground found, ground lost, and the beginning of everything.

use evenstride_types::update::MotionCommand;

use super::{Legs, Parts};
use crate::legs::{
    list::Item,
    states::{Asked, Meant},
};

impl Legs<'_> {
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
}
