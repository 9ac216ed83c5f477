//! Finds what a person would notice in a replay, and tells cause and effect.
//!
//! ```text
//! messages, frames ─► track.rs ─► detect/ ─► finder.rs ─► Moments ─► words.rs
//! events, decisions   samples     one file   joins and    worst      a paragraph
//!                     receipts    per fault  ranks        first      for each
//! ```
//!
//! A *moment* is a short time in which an entity visibly did something wrong or odd. It has a cause
//! chain, which tells what was heard, when the next update was due, what the body did meanwhile, and
//! how that was corrected. [`MomentFinder`] observes a replay. It needs the decisions about all
//! entities ([`TraceScope::All`](evenstride_replay::TraceScope::All)).
//!
//! [`DecisionLog`] folds ordinary decisions. [`typed_moment`], [`typed_event`] and
//! [`typed_decision`] convert to JSON.
//!
//! ```
//! use evenstride_moments::{MomentFinder, MomentKind};
//! use evenstride_replay::{ReplayOptions, TraceScope, replay, sample};
//!
//! let script = sample::crowd(2, 3);
//! let options = ReplayOptions { trace: TraceScope::All, ..ReplayOptions::default() };
//! let mut finder = MomentFinder::new(script.player);
//! let _ = replay(&script, &options, &mut finder);
//! let moments = finder.finish();
//! assert!(moments.iter().all(|moment| moment.kind != MomentKind::Snap));
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod cause;
mod detect;
mod finder;
mod gaps;
mod join;
mod log;
mod moment;
mod track;
mod typed;
mod words;

pub use cause::{Cause, Meanwhile, Reason, Remedy};
pub use finder::{MomentFinder, Moments, SETTLED_AFTER_SECS};
pub use log::{DecisionLog, LogLine};
pub use moment::{Correction, CorrectionWay, MAX_MOMENT_SECS, Moment, MomentKind, Severity, UnknownKind};
pub use typed::{typed_decision, typed_event, typed_moment};
pub use words::sentence_of;
