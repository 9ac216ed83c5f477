//! Everything that steps and message handlers produce besides motion.
//!
//! A step or a message handler writes to a [`Journal`]. Happenings become events and explanations
//! (`explain/`), calls go to reference traces, and counters are plain numbers in the rows and in
//! the world. This folder defines the types and keeps no log of its own.

mod call;
mod counters;
mod happening;
mod stats;

pub use call::Call;
pub use counters::Counters;
use evenstride_types::{EntityId, SimTime};
pub use happening::Happening;
pub use stats::Stats;

/// Receiver of the notes of a step or a message.
///
/// The world's own receiver is `explain::Record`. Reference traces bring receivers that keep calls
/// and slices too. `()` keeps nothing and compiles to nothing.
pub trait Journal {
    /// Notes a happening about the present subject.
    fn note(&mut self, what: Happening);

    /// Sets the subject of the next notes, their time, and whether the entity is traced.
    ///
    /// Every path to a body calls this before its first note. `MotionWorld::with_body` and the
    /// delivery of notices do so by themselves.
    #[inline]
    fn about(&mut self, _entity: EntityId, _now: SimTime, _is_traced: bool) {}

    /// Notes a call that a move-to, a follow or the interpreter makes. Only reference traces keep
    /// calls.
    #[inline]
    fn call(&mut self, _call: Call) {}

    /// Returns whether slices of bodies at rest are kept too. Then every round looks at all bodies.
    #[inline]
    fn keeps_slices(&self) -> bool {
        false
    }

    /// Returns whether bodies may take the short step, as is usual. Tests compare it with the general
    /// one.
    #[inline]
    fn takes_short_steps(&self) -> bool {
        true
    }

    /// Notes that a body in the world is stepped by `secs` seconds.
    #[inline]
    fn slice(&mut self, _entity: EntityId, _secs: f32) {}
}

impl Journal for () {
    #[inline]
    fn note(&mut self, _: Happening) {}
}
