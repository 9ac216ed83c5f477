//! Explanations of why an entity moved as it did.
//!
//! Steps and message handlers note happenings in a record. It keeps events for every host to
//! poll, and decisions about traced entities. Both are bounded, and the oldest entry makes room.
//! Sentences are made only on request. Nothing in here changes how bodies move.
//!
//! - `record.rs` receives happenings and sorts them.
//! - `event.rs` holds the queue of events.
//! - `decision.rs` holds the ring of decisions.
//! - `sentence.rs` converts happenings and dispositions into text.

mod decision;
mod event;
mod record;
mod sentence;

pub(crate) use decision::Decisions;
pub use event::Event;
pub(crate) use event::Events;
pub(crate) use record::Record;
pub use sentence::Explanation;

pub use crate::{
    journal::{Counters, Happening, Stats},
    storage::memory::MemoryPart,
};
