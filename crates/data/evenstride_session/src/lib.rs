//! Both ends of a session of Asheron's Call.
//!
//! ```text
//!            LoginRequest  ─► P          every 2 s until
//!   client ◄─ ConnectRequest  P  server  seeds of both key streams
//!          ─ ConnectResponse ─► P + 1    every ⅓ s until any packet
//!          ◄─ numbered packets ─►        acknowledged, requested and sent again
//! ```
//!
//! | file | content |
//! |---|---|
//! | `server.rs`, `connection.rs` | a server with many clients, and its end of one session |
//! | `client.rs` | a client's end |
//! | `outbox.rs`, `inbox.rs`, `keys.rs` | numbered packets in each direction |
//! | `login.rs`, `lobby.rs` | the content of a login, and the messages up to the entry into the world |
//!
//! The caller owns sockets and clocks. Times are seconds of any clock that does not go back. Each end
//! has the same three kinds of call: `handle` takes a datagram, `poll` does what time demands, and
//! `transmits` and `events` take what came of it.
//!
//! ```
//! use evenstride_session::{Client, ClientConfig, ClientEvent, Server, ServerConfig, ServerEvent};
//!
//! let mut server = Server::new(ServerConfig::seeded(7));
//! let mut client = Client::new(0.0, ClientConfig::new("ash", "secret"));
//! let address = "127.0.0.1:50000".parse()?;
//! for step in 0..10 {
//!     let now = f64::from(step) * 0.1;
//!     client.poll(now);
//!     for datagram in client.transmits() {
//!         server.handle(now, datagram.port, address, &datagram.bytes);
//!     }
//!     server.poll(now);
//!     for datagram in server.transmits() {
//!         client.handle(now, &datagram.bytes);
//!     }
//! }
//! assert!(matches!(server.events().next(), Some(ServerEvent::Connected { account, .. }) if account == "ash"));
//! assert_eq!(client.events().next(), Some(ClientEvent::Connected));
//! # Ok::<(), std::net::AddrParseError>(())
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod client;
mod connection;
mod inbox;
mod keys;
mod lobby;
mod login;
mod outbox;
mod server;

pub use client::{Client, ClientConfig, ClientDatagram, ClientEvent, ClientStats};
pub use connection::Ended;
pub use inbox::Received;
pub use lobby::{Character, Greeter, Guest};
pub use login::Login;
pub use outbox::Outgoing;
pub use server::{ClientId, MAX_SESSIONS, Server, ServerConfig, ServerDatagram, ServerEvent, ServerStats};

/// One of the two neighbouring ports on which a server listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Port {
    /// P, to which clients send everything except the connect response.
    Lower,
    /// P + 1, to which clients send the connect response.
    Upper,
}
