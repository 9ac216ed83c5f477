//! Relay, server and client of Asheron's Call's sessions on real sockets.
//!
//! ```text
//!  evenstride_relay   ─┐                   ┌─► tap ─► recorder, watchers   (another thread)
//!  evenstride_session ─┴─► sockets, clock ─┴─► the network
//! ```
//!
//! | file | content |
//! |---|---|
//! | `relay_host.rs` | [`RelayHost`], which forwards between clients and a server |
//! | `tap.rs`, `recorder.rs` | what goes through a relay, on another thread, and its recording |
//! | `serve_host.rs`, `feed.rs` | [`ServeHost`], a server that plays a scenario or a recording |
//! | `join_host.rs` | [`join`], a client for tests |
//! | `ports.rs`, `clock.rs`, `address.rs`, `stop.rs` | sockets, time, names of hosts, and the end of a run |
//!
//! The rules are in the crates that have no sockets. Here, each host is one thread that waits for
//! datagrams and deadlines.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod address;
mod clock;
mod delays;
mod feed;
mod join_host;
mod ports;
mod recorder;
mod relay_host;
mod serve_host;
mod stop;
mod tap;

pub use address::{AddressError, resolve, resolve_server};
pub use clock::Clock;
pub use delays::Delays;
pub use feed::{Collector, Content, RecordedMessage, RecordedSession, recorded_session};
pub use join_host::{Heard, JoinError, JoinOptions, join};
pub use ports::{BindError, PortPair};
pub use recorder::{LoginPrivacy, RecordError, RecordOptions, Recorder};
pub use relay_host::{HostCounts, RelayHost, RelayOptions};
pub use serve_host::{ServeEvent, ServeHost, ServeOptions};
pub use stop::Stop;
pub use tap::{AT_ONCE, MAX_WAITING_BYTES, Tap, TapReceiver, Tapped, tap};
