//! The motion interpreter: the only place that changes what a body is doing.
//!
//! | file | functions of the client |
//! |---|---|
//! | `motions.rs` | begins and ends single motions: DoMotion, StopMotion, StopCompletely |
//! | `applying.rs` | does whole states: keys (`apply_raw_movement`), messages (`move_to_interpreted_state`) |
//! | `ground.rs` | LeaveGround, HitGround, and the default state |
//! | `ending.rs` | MotionDone: animations that end |
//! | `jumping.rs` | charges and permits jumps |
//! | `speeds.rs` | every speed |
//!
//! A body without animations runs the same functions; only nothing is played ([`PartSupport`]).

mod applying;
mod ending;
mod facts;
mod ground;
mod jumping;
mod motions;
mod refused;
mod speeds;

pub(crate) use self::{
    applying::ServerAction,
    facts::{BodyFacts, Effects, GameFacts, PartSupport},
};
pub use self::{
    refused::MotionRefused,
    speeds::{
        BACKWARDS_FACTOR, MAX_RUN_SIDESTEP, RUN_SPEED, SIDESTEP_FACTOR, SIDESTEP_SPEED, TURN_SPEED,
        WALK_SPEED,
    },
};
pub(crate) use speeds::max_speed;
#[cfg(any(test, feature = "_conform"))]
pub(crate) use {
    jumping::allows_jump,
    speeds::{Walker, adjust},
};

use super::{
    interpreted_motion::InterpretedMotion,
    library::MotionLibrary,
    list::{Item, List},
    playing::{Playing, Shared},
    raw_motion::RawMotion,
    sequence::Node,
    table::MotionTable,
};
use crate::{pool::Pool, why::Journal};

/// Done, or why not.
pub(crate) type Answer = Result<(), MotionRefused>;

/// What the interpreter keeps for a body beside its [`InterpretedMotion`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Interpreter {
    /// Whether the default state was entered.
    pub(crate) is_ready: bool,
    pub(crate) raw: RawMotion,
    /// Actions of the interpreted state.
    pub(crate) actions: List,
    /// Whether a jump is being charged from a standstill: the body stands, and its keys count for the jump.
    pub(crate) standing_long_jump: bool,
    /// How far the jump about to begin is charged, 0 to 1.
    pub(crate) jump_extent: f32,
    /// Stamp of the last action of the server that was done.
    pub(crate) action_stamp: u16,
    /// Motions that are not done: the caller's number, the motion, and why the body cannot jump meanwhile.
    pub(crate) pending: List,
}

/// The interpreter of one body at work, with everything it may read or change.
pub(crate) struct MotionDriver<'a, J> {
    pub(crate) motion: &'a mut InterpretedMotion,
    pub(crate) interpreter: &'a mut Interpreter,
    pub(crate) playing: &'a mut Playing,
    pub(crate) facts: BodyFacts,
    pub(crate) effects: Effects,
    pub(crate) library: &'a MotionLibrary,
    pub(crate) table: Option<&'a MotionTable>,
    pub(crate) nodes: &'a mut Pool<Node>,
    pub(crate) items: &'a mut Pool<Item>,
    pub(crate) journal: &'a mut J,
}

impl<J: Journal> MotionDriver<'_, J> {
    /// Runs something on the motion table, if there is one.
    fn with_table<T>(
        &mut self,
        run: impl FnOnce(&mut Playing, &mut Shared<'_>) -> T,
    ) -> Result<T, MotionRefused> {
        match self.facts.parts {
            PartSupport::None => return Err(MotionRefused::Failed),
            PartSupport::Unmoved => return Err(MotionRefused::NoTable),
            PartSupport::Moved => {}
        }
        let Some(table) = self.table else { return Err(MotionRefused::NoTable) };
        let mut shared =
            Shared { library: self.library, table, nodes: &mut *self.nodes, items: &mut *self.items };
        Ok(run(self.playing, &mut shared))
    }
}
