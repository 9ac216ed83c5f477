//! Replays whole captures through a motion world.
//!
//! ```text
//! captures ─► recording.rs ─► script.rs ─► replay.rs ─► a ReplayObserver: track/, summary.rs, or yours
//!             one per file    all in one   frames        rows, numbers, a report
//!             and its player  by time      and messages
//! ```
//!
//! A replay acts like a client. In every frame, time advances first and arrived messages are
//! handled next. A replay reads no clock, so the same captures always give the same bits.
//! [`Playback`] runs one frame per call, and [`Scrubber`] goes to any time.
//!
//! [`fingerprints`] and [`first_difference`] check that. [`ReplayOptions::sync_test`] checks that a
//! restored world goes on alike.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod clock;
mod contents;
mod drawn_hash;
mod path_error;
mod playback;
mod recording;
mod related;
mod replay;
pub mod sample;
mod script;
mod script_bytes;
mod script_reader;
mod scrub;
mod stage;
mod staged;
mod summary;
mod tape;
mod track;
mod twice;

pub use drawn_hash::DrawnHash;
pub use path_error::{BelievedPath, MOVED_METRES, ON_THE_WAY_SECS, PathError};
pub use playback::{Continued, Playback, TAIL_SECS};
pub use recording::{News, Recorder, Recording, Said, TimedMessage};
pub use replay::{
    Frame, Heard, ReplayObserver, ReplayOptions, Replayed, Still, Stillness, TraceScope, replay,
};
pub use script::{Script, Truth};
pub use script_bytes::{MAX_SCRIPT_BYTES, SCRIPT_VERSION, ScriptBytesError};
pub use script_reader::{CaptureRole, ScriptError, ScriptNotice, ScriptOptions, ScriptReader};
pub use scrub::Scrubber;
pub use staged::{SyncDifference, SyncTested};
pub use summary::{EntitySummary, Summary, quantile};
pub use tape::Tape;
pub use track::{ColumnRecorder, Row, TrackColumns, TrackFormat, TrackWriter, WrittenTrack, moved_by};
pub use twice::{Fingerprints, FrameHashes, fingerprints, first_difference};
