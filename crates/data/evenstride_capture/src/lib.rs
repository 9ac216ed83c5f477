//! Reads captures (pcap, pcapng and JSON lines) and delivers their messages in order.
//!
//! ```text
//! file ─► source.rs ─► packets.rs ─► frame.rs ─► session.rs ─► messages
//!         format       or lines.rs   link, IP,   connections, directions,
//!                      resume.rs     UDP         repetitions, fragments, keys
//! ```
//!
//! Reading is streaming, so memory does not grow with the file. Everything readable is processed.
//! Each unreadable part is a [`Fault`] with its place, and nothing read before it is lost. A
//! [`Listener`] receives each message as soon as it is complete.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod fault;
mod frame;
mod lane;
mod lines;
mod links;
mod packets;
mod resume;
mod session;
mod source;
mod timeline;
mod writer;

pub use fault::{CaptureError, Fault, Place};
pub use session::{
    CapturedMessage, Connection, ConnectionId, Direction, Listener, SERVER_PORTS, Session, Totals,
};
pub use source::read;
pub use timeline::Timeline;
pub use writer::{PcapWriter, WrittenDatagram, recorded_time};
