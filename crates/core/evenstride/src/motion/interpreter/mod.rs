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
mod speeds;

#[cfg(feature = "_conformance")]
pub use self::jumping::allows_jump;
#[cfg(any(test, feature = "_conformance"))]
pub use self::speeds::{Walker, adjust};
pub use self::{
    applying::ServerAction,
    facts::{BodyFacts, Effects, GameFacts, PartSupport},
    speeds::{
        BACKWARDS_FACTOR, MAX_RUN_SIDESTEP, RUN_SPEED, SIDESTEP_FACTOR, SIDESTEP_SPEED, TURN_SPEED,
        WALK_SPEED, max_speed,
    },
};
use crate::{
    journal::Journal,
    motion::{
        interpreted_motion::InterpretedMotion,
        items::Item,
        library::MotionLibrary,
        playing::{MotionPlayer, Shared},
        raw_motion::RawMotion,
        sequence::Node,
        table::MotionTable,
    },
    outcome::MotionRefused,
    storage::{list::List, pool::Pool},
};

/// Done, or why not.
pub type Answer = Result<(), MotionRefused>;

/// What the interpreter keeps for a body beside its [`InterpretedMotion`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interpreter {
    /// Whether the default state was entered.
    pub is_ready: bool,
    pub raw: RawMotion,
    /// Actions of the interpreted state.
    pub actions: List,
    /// Whether a jump is being charged from a standstill: the body stands, and its keys count for the jump.
    pub standing_long_jump: bool,
    /// How far the jump about to begin is charged, 0 to 1.
    pub jump_extent: f32,
    /// Stamp of the last action of the server that was done.
    pub action_stamp: u16,
    /// Motions that are not done: the caller's number, the motion, and why the body cannot jump meanwhile.
    pub pending: List,
}

/// The interpreter of one body at work, with everything it may read or change.
pub struct MotionDriver<'a, J> {
    pub motion: &'a mut InterpretedMotion,
    pub interpreter: &'a mut Interpreter,
    pub playing: &'a mut MotionPlayer,
    pub facts: BodyFacts,
    pub effects: Effects,
    pub library: &'a MotionLibrary,
    pub table: Option<&'a MotionTable>,
    pub nodes: &'a mut Pool<Node>,
    pub items: &'a mut Pool<Item>,
    pub journal: &'a mut J,
}

impl<J: Journal> MotionDriver<'_, J> {
    /// Runs something on the motion table, if there is one.
    fn with_table<T>(
        &mut self,
        run: impl FnOnce(&mut MotionPlayer, &mut Shared<'_>) -> T,
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
