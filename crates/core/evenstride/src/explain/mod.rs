//! Why did it move? Events for every host, decisions about entities that are traced, and sentences.

mod decision;
mod event;
mod record;
mod sentence;

pub(crate) use decision::Decisions;
pub use event::Event;
pub(crate) use event::Events;
pub(crate) use record::Record;
pub use sentence::Explanation;
