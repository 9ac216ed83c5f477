//! The interpreter: from what is asked for to what the legs do.
//!
//! `motions.rs` begins and ends single motions, `applying.rs` does everything that is meant, `ground.rs` notices the ground, `ending.rs` hears
//! of animations that end, `jumping.rs` says whether one may jump, `speeds.rs` how fast everything is.

mod applying;
mod being;
mod ending;
mod ground;
mod jumping;
mod motions;
mod refused;
mod speeds;

#[cfg(any(test, feature = "_conform"))]
pub(crate) use self::speeds::{Walker, adjust};
pub(crate) use self::{
    applying::ServerAction,
    being::{Being, GameBeing, Parts},
    jumping::allows_jump,
};
pub use refused::MotionRefused;

use super::{
    library::MotionLibrary,
    list::{Item, List},
    playing::{Playing, Shared},
    sequence::Node,
    states::{Asked, Meant},
    table::MotionTable,
};
use crate::pool::Pool;

/// Done, or why not.
type Answer = Result<(), MotionRefused>;

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
}
