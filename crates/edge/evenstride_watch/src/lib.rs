//! Live views of sessions: replays that go on while they are recorded, for pages and monitoring.
//!
//! ```text
//! datagrams ─► Watch ─► View ─► playback, moments, counts      one per connection
//! or capture            └────► Backlog ─► Hub ─► PageServer    pages, on threads of their own
//!                                          └───► /metrics
//! ```
//!
//! | file | content |
//! |---|---|
//! | `watch.rs`, `view.rs` | [`Watch`], which listens to a session and draws each connection |
//! | `counts.rs`, `metrics.rs` | what is counted, and the text for Prometheus |
//! | `backlog.rs`, `standing.rs` | the messages that pages get, within a bound |
//! | `hub.rs` | what pages and the watching thread share |
//! | `source.rs` | captures that are still being written |
//! | `request.rs`, `page_server.rs` | who may read what, and the sockets |
//!
//! A [`Watch`] has no clock and no sockets. Its frames have the times of a replay, and each is drawn when
//! every message up to its time has arrived. A replay of the recording therefore draws the same.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod backlog;
mod counts;
mod hub;
mod metrics;
mod page_server;
mod request;
mod source;
mod standing;
mod view;
mod watch;

pub use backlog::{Backlog, Chunk, MAX_BACKLOG_BYTES, Missed};
pub use counts::Counts;
pub use hub::{Hub, PageEvent, ViewInfo};
pub use metrics::MetricsText;
pub use page_server::{MAX_PAGES, PageServer, PageServerError};
pub use request::{Asked, Refusal, Site};
pub use source::{FileEnd, FollowedFile, Pipe};
pub use view::{DrawnView, View};
pub use watch::{MAX_VIEWS, Watch, WatchEvent, WatchOptions};
