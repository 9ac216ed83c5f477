//! A simulated bad network with reproducible behaviour.
//!
//! ```text
//! send(now, bytes) ─► rules ─► loss ─► bandwidth ─► delay ─► receive(now)
//!                     yours    single,  queue,       latency, jitter,
//!                              bursts   drops        reordering, copies
//! ```
//!
//! A [`Link`] is one direction. It has no clock and no socket. The caller passes the time with each
//! call, and asks for datagrams that have arrived. All randomness comes from one seed, so the same
//! calls give the same arrivals on every machine. The datagrams are opaque bytes.
//!
//! ```
//! use evenstride_link::{Link, LinkConfig, Verdict};
//!
//! let mut link = Link::new(LinkConfig::WIFI_BUSY.seed(7)).expect("a preset is a link");
//! // Rules see every datagram before the network does.
//! link.add_rule(|bytes: &[u8], _: f64| if bytes == b"hold" { Verdict::Deliver { after_secs: 2.0 } } else { Verdict::Pass });
//! link.send(0.0, b"hold".to_vec());
//! assert!(link.receive(1.9).is_none());
//! assert_eq!(link.receive(2.0).expect("arrived").bytes, b"hold");
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod config;
mod link;
mod loss;
mod random;
mod rule;

pub use config::{Burst, LinkConfig, LinkError};
pub use link::{Arrived, Link, LinkStats, Sent};
pub use random::Random;
pub use rule::{Rule, Verdict};
