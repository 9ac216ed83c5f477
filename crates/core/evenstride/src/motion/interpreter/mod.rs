//! The motion interpreter, which alone changes the interpreted motion of a body.
//!
//! It converts requests to their canonical form, checks whether the body may do them, and hands
//! them to the player of animations. The velocity of a take-off is also decided here. On the
//! ground, root motion moves the body, and not the interpreter.
//!
//! | file | functions of the client |
//! |---|---|
//! | `motions.rs` | begins and ends single motions (DoMotion, StopMotion, StopCompletely) |
//! | `applying.rs` | keys (`apply_raw_movement`) and messages (`move_to_interpreted_state`) |
//! | `ground.rs` | LeaveGround, HitGround, and the default state |
//! | `ending.rs` | completes motions as animations end (MotionDone) |
//! | `jumping.rs` | charges and permits jumps |
//! | `speeds.rs` | every speed |
//!
//! The same functions run for a body without animations, but nothing is played ([`PartSupport`]).
//! `BodyMut::with_driver` builds a [`MotionDriver`] for one call and stores its results. Effects on
//! the rest of the body are returned as [`Effects`].

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
    outcome::MotionError,
    storage::{list::List, pool::Pool},
};

/// Success, or the reason for a refusal.
pub type Answer = Result<(), MotionError>;

/// The state that the interpreter keeps for a body beside its [`InterpretedMotion`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interpreter {
    /// Whether the default state was entered. Until then motions are stored but not applied.
    pub is_ready: bool,
    /// The last request of keys or server, before conversion.
    pub raw: RawMotion,
    /// Actions of the interpreted state that are not done, oldest first.
    pub actions: List,
    /// Whether a jump is being charged from a standstill. The body stands meanwhile, and its keys
    /// count for the jump.
    pub standing_long_jump: bool,
    /// Charge of the jump that is about to begin, 0 to 1. Taking off resets it to 0.
    pub jump_extent: f32,
    /// Stamp of the last server action that was done, in its lower 15 bits.
    pub action_stamp: u16,
    /// Motions that are not done, oldest first, with the caller's number and the reason that
    /// forbids a jump meanwhile.
    pub pending: List,
}

/// The interpreter of one body at work, with everything it may read or change.
pub struct MotionDriver<'a, J> {
    /// The interpreted motion in the row of the body.
    pub motion: &'a mut InterpretedMotion,
    /// The interpreter's own state. Bodies without an animator have a temporary one.
    pub interpreter: &'a mut Interpreter,
    /// The player of animations.
    pub playing: &'a mut MotionPlayer,
    /// The properties of the body at the beginning of the call.
    pub facts: BodyFacts,
    /// Requests to the rest of the body, collected during the call.
    pub effects: Effects,
    /// Animations that the player looks up.
    pub library: &'a MotionLibrary,
    /// Motion table of the body. Without one, every motion fails.
    pub table: Option<&'a MotionTable>,
    /// Pool of the animations of all sequences.
    pub nodes: &'a mut Pool<Node>,
    /// Pool of the entries of all queues.
    pub items: &'a mut Pool<Item>,
    /// Receiver of calls that traces compare.
    pub journal: &'a mut J,
}

impl<J: Journal> MotionDriver<'_, J> {
    /// Calls `run` with the player and the motion table.
    ///
    /// Fails if the body has no parts, has parts without animations, or has no table. The codes are
    /// those of the client.
    fn with_table<T>(
        &mut self,
        run: impl FnOnce(&mut MotionPlayer, &mut Shared<'_>) -> T,
    ) -> Result<T, MotionError> {
        match self.facts.parts {
            PartSupport::None => return Err(MotionError::Failed),
            PartSupport::Unmoved => return Err(MotionError::NoTable),
            PartSupport::Moved => {}
        }
        let Some(table) = self.table else { return Err(MotionError::NoTable) };
        let mut shared =
            Shared { library: self.library, table, nodes: &mut *self.nodes, items: &mut *self.items };
        Ok(run(self.playing, &mut shared))
    }
}
