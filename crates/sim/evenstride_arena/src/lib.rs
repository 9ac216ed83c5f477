//! The arena: a scenario is played by a server, sent over a bad network, and drawn by everybody who claims to draw it well.
//!
//! ```text
//! scenario ─► actors ─► server ─► link ─► pcap ─► replay ─► contestants ─► tracks ─► scorecard
//!  (TOML)     the truth  what is   what    what the client recorded          where each   numbers
//!                        said      is lost                                   drew whom
//! ```
//!
//! The truth is simple on purpose: bodies at the client's speeds, without animations, turning at the client's rate. Nobody knows it but the
//! scorecard. What the server says about it is what recorded servers say, and when they say it (`actor/`): real messages, through the real
//! codec.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod actor;
mod contest;
mod library;
mod page;
pub mod rival;
mod scenario;
mod score;
mod simulate;
mod table;
mod verb;

pub use contest::{Contest, Contestant, Subject, compete, compete_in, contest};
pub use library::{DEFAULT_SCENARIO, LIBRARY, LibraryEntry, scenario};
pub use page::page;
pub use scenario::{ActorKind, ActorSpec, Ground, MAX_PICTURES, Outage, Scenario, ScenarioError};
pub use score::{Score, score};
pub use simulate::{SimulateError, Simulated, VIEWER, simulate};
pub use table::table;
pub use verb::{Cue, Verb};
