//! What a step or an update tells: notes for hosts and explanations, calls for reference traces, counters.

mod call;
mod counters;
mod happening;
mod stats;

pub use call::Call;
pub use counters::Counters;
use evenstride_types::{EntityId, SimTime};
pub use happening::Happening;
pub use stats::Stats;

/// Takes notes, or does not: `()` compiles to nothing.
pub trait Journal {
    fn note(&mut self, what: Happening);

    /// Whom the next notes are about, when that was, and whether somebody wants to know it in detail.
    #[inline]
    fn about(&mut self, _entity: EntityId, _now: SimTime, _is_watched: bool) {}

    /// Going somewhere asked something of the body.
    #[inline]
    fn call(&mut self, _call: Call) {}

    /// A body that is awake and in the world is about to be stepped by this many seconds.
    #[inline]
    fn slice(&mut self, _entity: EntityId, _secs: f32) {}
}

impl Journal for () {
    #[inline]
    fn note(&mut self, _: Happening) {}
}
