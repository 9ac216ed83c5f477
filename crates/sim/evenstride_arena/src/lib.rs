//! In the arena, a server plays a scenario, a bad network carries the messages, and several
//! contestants draw the result.
//!
//! ```text
//! scenario ─► actors ─► server ─► link ─► pcap ─► replay ─► contestants ─► tracks ─► scorecard
//!  (TOML)     truth     messages  loss    the client's     profiles and   drawn     numbers
//!                                         recording        rivals         places
//! ```
//!
//! The truth is real motion. Each player has a client of its own, in which keys, animations and
//! jumps move it, and creatures carry out their orders in the server's world. Only the scorecard
//! knows the truth. The server sends the same messages as recorded servers, with the same timing
//! (`actor/`). The real codec encodes them.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod actor;
mod contest;
mod library;
mod relink;
pub mod rival;
mod scenario;
mod score;
mod simulate;
mod stopwatch;
mod story;
mod table;
mod truth;
mod verb;

pub use contest::{
    Contest, Contestant, HeardPlace, PROFILES, Subject, compete, compete_in, compete_telling, compete_with,
    contest, received_paths,
};
pub use library::{DEFAULT_SCENARIO, LIBRARY, LibraryEntry, scenario};
pub use relink::relinked;
pub use scenario::{ActorKind, ActorSpec, Ground, MAX_PICTURES, Outage, Scenario, ScenarioError};
pub use score::{Column, LATE_SECS, Rank, SPARSE_SHARE, Score, mean, rank, score, score_of_truth};
pub use simulate::{SimulateError, Simulated, SimulatedServer, Tick, VIEWER, simulate, simulate_telling};
pub use story::story;
pub use table::{CardCell, CardColumn, CardPart, CardRow, Scorecard, table};
pub use truth::{TRUTH_HEADER, TruthError, Truths, read_truth, write_truth};
pub use verb::{Cue, Verb};
