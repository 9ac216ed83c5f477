//! Legs: animations that carry a body, and who decides which.
//!
//! ```text
//! movement ─► interpreter ─► playing ─► sequence ─► the way of one step
//!             what to do     which       keyframe by
//!                            animations  keyframe
//!                            (table)     (library)
//! ```

mod animation;
pub(crate) mod body;
mod builtin;
pub(crate) mod interpreter;
mod library;
pub(crate) mod list;
pub(crate) mod playing;
#[cfg(feature = "_conform")]
#[expect(missing_docs, reason = "traces only")]
pub(crate) mod probe;
pub(crate) mod sequence;
pub(crate) mod states;
mod table;
#[cfg(test)]
mod tests;
mod treadmill;

pub use animation::{Animation, Hook, HookDirection, InvalidAnimation};
pub use builtin::{BUILT_IN_CREATURE, BUILT_IN_HUMANOID};
pub use interpreter::MotionRefused;
pub use library::{Model, MotionLibrary, TableOrigin};
pub use table::{Clip, Motion, MotionTable};
pub use treadmill::{Played, Treadmill};
