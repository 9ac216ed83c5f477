//! Names of hosts.

use std::net::{SocketAddr, ToSocketAddrs};

/// The reason why a text is no usable address.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// The text has no port.
    #[error("{0}: has no port; write HOST:PORT, like 127.0.0.1:9000")]
    NoPort(String),
    /// The name is unknown.
    #[error("{name}: no such host ({reason}); check the name, or use an address like 127.0.0.1:9000")]
    Unknown {
        /// The text.
        name: String,
        /// The system's reason.
        reason: std::io::Error,
    },
    /// The name has no address.
    #[error("{0}: this name has no address")]
    Empty(String),
    /// Port 0 is no server's.
    #[error("{0}: port 0 is no server; servers of the game usually have port 9000")]
    PortZero(String),
    /// The port is the last one, so there is no port after it.
    #[error("{0}: servers use two ports, and there is none after 65535; use a smaller one")]
    LastPort(String),
}

/// Returns the address of `HOST:PORT`. Servers of the game have IPv4 addresses, so these come first.
///
/// # Errors
/// [`AddressError`] if the text is not of this form, or the name is unknown.
pub fn resolve(text: &str) -> Result<SocketAddr, AddressError> {
    let has_port = text.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    if !has_port {
        return Err(AddressError::NoPort(text.to_owned()));
    }
    let found =
        text.to_socket_addrs().map_err(|reason| AddressError::Unknown { name: text.to_owned(), reason })?;
    let mut found: Vec<SocketAddr> = found.collect();
    found.sort_by_key(|address| !address.is_ipv4());
    let address = found.first().copied().ok_or_else(|| AddressError::Empty(text.to_owned()))?;
    if address.port() == u16::MAX {
        return Err(AddressError::LastPort(text.to_owned()));
    }
    Ok(address)
}

/// Returns the address of a server.
///
/// # Errors
/// [`AddressError`] as [`resolve`], and for port 0.
pub fn resolve_server(text: &str) -> Result<SocketAddr, AddressError> {
    let address = resolve(text)?;
    if address.port() == 0 { Err(AddressError::PortZero(text.to_owned())) } else { Ok(address) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_mistakes() {
        assert_eq!(resolve("127.0.0.1:9000").unwrap(), "127.0.0.1:9000".parse().unwrap());
        assert_eq!(resolve("[::1]:9000").unwrap(), "[::1]:9000".parse().unwrap());
        assert!(resolve("localhost").unwrap_err().to_string().contains("HOST:PORT"));
        assert!(resolve("localhost:x").is_err());
        assert!(resolve("127.0.0.1:65535").unwrap_err().to_string().contains("65535"));
        assert!(resolve("127.0.0.1:0").is_ok() && resolve_server("127.0.0.1:0").is_err());
        let error = resolve("no-such-host.invalid:9000").unwrap_err().to_string();
        assert!(error.starts_with("no-such-host.invalid:9000: no such host"), "{error}");
    }
}
