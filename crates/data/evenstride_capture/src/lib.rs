//! Captures as they are: pcap, pcapng and JSON lines in, messages in order out.
//!
//! ```text
//! file ─► source.rs ─► frame.rs ─► session.rs ─► messages
//!         packets or   link, IP,   connections, directions,
//!         lines        UDP         repetitions, fragments, keys
//! ```
//!
//! Reading is streaming: memory does not grow with the file. Everything readable is processed; what is not is a [`Fault`] with its place, and
//! nothing read before it is lost. The caller is told of each message as it is complete ([`Listener`]).

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod fault;
mod frame;
mod lane;
mod lines;
mod packets;
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
pub use writer::{PcapWriter, WrittenDatagram};
