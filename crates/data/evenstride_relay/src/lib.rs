//! A relay for the sessions of Asheron's Call that alters nothing.
//!
//! Clients connect to the relay's two ports as if it were the server. Each client gets an upstream socket of
//! its own, because servers know a session by its address.
//!
//! ```text
//! client A ─► port L   ─► upstream socket of A ─► port P   of the server
//!          ─► port L+1 ─►                      ─► port P+1
//! client A ◄─ port L   ◄─ upstream socket of A ◄─ port P
//!          ◄─ port L+1 ◄─                      ◄─ port P+1
//! ```
//!
//! The caller owns sockets and clocks. [`Relay::handle`] takes a datagram and returns from which socket it
//! leaves and to whom. The bytes that go out are the bytes that came in.
//!
//! ```
//! use evenstride_relay::{Port, Relay, RelayConfig, Socket};
//! # use evenstride_wire::{PacketHeader, Section, write_packet};
//! # let mut login = Vec::new();
//! # write_packet(&PacketHeader::default(), &[Section::LoginRequest(vec![0; 40])], &[], None, &mut login);
//! let mut relay = Relay::new(RelayConfig::new("192.0.2.1:9000".parse()?));
//! let client = "127.0.0.1:50123".parse()?;
//! let forward = relay.handle(0.0, Socket::Listening(Port::Lower), client, &login)?;
//! assert_eq!(forward.to, "192.0.2.1:9000".parse()?);
//! assert_eq!(forward.bytes, login);
//! // The answer arrives at the upstream socket and leaves from the port it belongs to.
//! let server = "192.0.2.1:9001".parse()?;
//! let answer = relay.handle(0.1, forward.socket, server, b"anything")?;
//! assert_eq!((answer.socket, answer.to), (Socket::Listening(Port::Upper), client));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod login;
mod notice;
mod relay;

pub use evenstride_session::Port;
pub use login::blank_login;
pub use notice::{Notice, notices};
pub use relay::{
    Counter, Dropped, Forward, IDLE_SECS, MAX_CLIENTS, Relay, RelayConfig, RelayStats, Socket,
    UNANSWERED_SECS, UpstreamId, begins_session,
};
