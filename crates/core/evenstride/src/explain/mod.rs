//! Why did it move? What happened, for whoever asks: events for everybody, decisions for entities under watch, counters always.

mod call;
mod counters;
mod decision;
mod event;
mod explain;
mod note;
mod record;
mod stats;

pub use call::Call;
pub use counters::Counters;
pub(crate) use decision::Decisions;
pub use decision::{Decision, Heard, Outcome};
pub(crate) use event::Events;
pub use event::{Event, EventKind, RemoveReason};
pub use explain::Explanation;
pub use note::Journal;
pub use note::Note;
pub(crate) use record::Record;
pub use stats::Stats;
