//! Requests of browsers: what they ask for, and whether they may.
//!
//! Every page in a browser can send requests to this machine. A request is therefore answered only if it
//! names this server as its host, comes from a page of this server, and knows the token.

/// Largest size of a request in bytes.
pub(crate) const MAX_REQUEST_BYTES: usize = 16 << 10;

/// Largest number of headers.
const MAX_HEADERS: usize = 64;

/// What makes a request one of ours.
#[derive(Clone, Debug)]
pub struct Site {
    /// Port on the loopback interface.
    pub port: u16,
    /// A random word in the address of the page.
    pub token: String,
}

/// What a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The page.
    Page,
    /// The stream of messages. `chosen` is a connection, and `read` the last event that the page has: its
    /// connection and number.
    Events {
        /// The connection that the reader chose.
        chosen: Option<u32>,
        /// Connection and number of the last chunk that the page has.
        read: Option<(u32, u64)>,
    },
    /// The metrics.
    Metrics,
    /// An address that browsers ask for by themselves.
    Icon,
}

/// Why a request is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is not HTTP, or too large.
    #[error("this is not a request that can be read")]
    Unreadable,
    /// The method changes something.
    #[error("only GET is allowed, because nothing can be changed here")]
    Method,
    /// The host is another one.
    #[error("the address names another host; use the one that `evenstride watch` printed")]
    Host,
    /// A page of another origin sent it.
    #[error("only the page of this server may connect")]
    Origin,
    /// The token is missing or wrong, or there is no such address.
    #[error("there is nothing here; use the whole address that `evenstride watch` printed")]
    NotFound,
}

impl Refusal {
    /// Returns the status of the answer.
    pub(crate) const fn status(self) -> &'static str {
        match self {
            Self::Unreadable => "400 Bad Request",
            Self::Method => "405 Method Not Allowed\r\nAllow: GET",
            Self::Host | Self::Origin => "403 Forbidden",
            Self::NotFound => "404 Not Found",
        }
    }
}

impl Site {
    /// Returns the address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Reads a request. Returns `None` while it is incomplete.
    ///
    /// # Errors
    /// [`Refusal`] if it must not be answered.
    pub fn read(&self, bytes: &[u8]) -> Result<Option<Asked>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(bytes) {
            Ok(httparse::Status::Complete(_)) => {}
            Ok(httparse::Status::Partial) if bytes.len() < MAX_REQUEST_BYTES => return Ok(None),
            _ => return Err(Refusal::Unreadable),
        }
        let header = |name: &str| {
            let mut found = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
            let first = found.next().map(|header| core::str::from_utf8(header.value).unwrap_or("?").trim());
            // Two hosts are as good as none.
            if found.next().is_some() { Some("?") } else { first }
        };
        if request.method != Some("GET") {
            return Err(Refusal::Method);
        }
        let host = header("host").unwrap_or_default();
        if !self.hosts().iter().any(|own| own.eq_ignore_ascii_case(host)) {
            return Err(Refusal::Host);
        }
        if header("origin").is_some_and(|origin| origin != format!("http://{host}")) {
            return Err(Refusal::Origin);
        }
        let (path, query) = request
            .path
            .unwrap_or_default()
            .split_once('?')
            .unwrap_or_else(|| (request.path.unwrap_or_default(), ""));
        let site = header("sec-fetch-site");
        if path == "/metrics" {
            return if matches!(site, None | Some("none" | "same-origin")) {
                Ok(Some(Asked::Metrics))
            } else {
                Err(Refusal::Origin)
            };
        }
        let Some(("", rest)) = path.split_once('/') else { return Err(Refusal::NotFound) };
        if rest == "favicon.ico" {
            return Ok(Some(Asked::Icon));
        }
        let (token, rest) = rest.split_once('/').ok_or(Refusal::NotFound)?;
        if !is_same(token, &self.token) {
            return Err(Refusal::NotFound);
        }
        match rest {
            // A link in another program or page may lead here, because it has the token.
            "" => Ok(Some(Asked::Page)),
            "events" if !matches!(site, None | Some("same-origin")) => Err(Refusal::Origin),
            "events" => {
                let chosen = query.split('&').find_map(|pair| pair.strip_prefix("connection="));
                let read = header("last-event-id")
                    .or_else(|| query.split('&').find_map(|pair| pair.strip_prefix("read=")));
                Ok(Some(Asked::Events {
                    chosen: chosen.and_then(|number| number.parse().ok()),
                    read: read.and_then(event_id),
                }))
            }
            _ => Err(Refusal::NotFound),
        }
    }

    fn hosts(&self) -> [String; 3] {
        ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{}", self.port))
    }
}

/// Returns the id of an event.
pub(crate) fn event_name(connection: u32, number: u64) -> String {
    format!("{connection}-{number}")
}

/// Reads the id of an event.
fn event_id(text: &str) -> Option<(u32, u64)> {
    let (connection, number) = text.split_once('-')?;
    Some((connection.parse().ok()?, number.parse().ok()?))
}

/// Compares two words in a time that does not tell where they differ.
fn is_same(one: &str, other: &str) -> bool {
    let differs = one.bytes().zip(other.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    one.len() == other.len() && differs == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        Site { port: 9_180, token: "0123abcd".to_owned() }
    }

    fn read(first: &str, headers: &str) -> Result<Option<Asked>, Refusal> {
        site().read(format!("{first} HTTP/1.1\r\n{headers}\r\n").as_bytes())
    }

    const OWN: &str = "Host: 127.0.0.1:9180\r\n";

    #[test]
    fn the_page_and_its_stream_are_found() {
        assert_eq!(read("GET /0123abcd/", OWN), Ok(Some(Asked::Page)));
        assert_eq!(read("GET /metrics", OWN), Ok(Some(Asked::Metrics)));
        let own = format!("{OWN}Origin: http://127.0.0.1:9180\r\nSec-Fetch-Site: same-origin\r\n");
        let events = |chosen, read| Ok(Some(Asked::Events { chosen, read }));
        assert_eq!(read("GET /0123abcd/events", &own), events(None, None));
        assert_eq!(read("GET /0123abcd/events?connection=3", &own), events(Some(3), None));
        assert_eq!(
            read("GET /0123abcd/events?connection=x", &format!("{own}Last-Event-ID: 2-41\r\n")),
            events(None, Some((2, 41)))
        );
        assert_eq!(
            read("GET /0123abcd/events", "Host: localhost:9180\r\nLast-Event-ID: ☃\r\n"),
            events(None, None)
        );
    }

    #[test]
    fn other_pages_other_hosts_and_other_words_are_refused() {
        for (first, headers, refusal) in [
            ("POST /0123abcd/", OWN, Refusal::Method),
            ("GET /0123abcd/", "", Refusal::Host),
            ("GET /0123abcd/", "Host: evil.example:9180\r\n", Refusal::Host),
            ("GET /0123abcd/", "Host: 127.0.0.1:9181\r\n", Refusal::Host),
            ("GET /0123abcd/", "Host: 127.0.0.1:9180\r\nHost: evil.example\r\n", Refusal::Host),
            (
                "GET /0123abcd/events",
                "Host: 127.0.0.1:9180\r\nOrigin: http://evil.example\r\n",
                Refusal::Origin,
            ),
            ("GET /0123abcd/events", "Host: 127.0.0.1:9180\r\nOrigin: null\r\n", Refusal::Origin),
            (
                "GET /0123abcd/events",
                "Host: 127.0.0.1:9180\r\nOrigin: http://127.0.0.1:80\r\n",
                Refusal::Origin,
            ),
            (
                "GET /0123abcd/events",
                "Host: 127.0.0.1:9180\r\nSec-Fetch-Site: cross-site\r\n",
                Refusal::Origin,
            ),
            ("GET /metrics", "Host: 127.0.0.1:9180\r\nSec-Fetch-Site: same-site\r\n", Refusal::Origin),
            ("GET /", OWN, Refusal::NotFound),
            ("GET /0123abce/", OWN, Refusal::NotFound),
            ("GET /0123abcd", OWN, Refusal::NotFound),
            ("GET /0123abcd/../metrics", OWN, Refusal::NotFound),
            ("GET http://127.0.0.1:9180/0123abcd/", OWN, Refusal::NotFound),
        ] {
            assert_eq!(read(first, headers), Err(refusal), "{first} {headers}");
        }
    }

    /// Whatever single byte differs, an answer needs the token, and the host and origin of this server.
    #[test]
    fn a_request_with_one_wrong_byte_is_the_same_one_or_gets_nothing() {
        let whole = format!(
            "GET /0123abcd/events?connection=3 HTTP/1.1\r\n{OWN}Origin: http://127.0.0.1:9180\r\nSec-Fetch-Site: same-origin\r\nLast-Event-ID: 3-17\r\n\r\n"
        );
        let asked = |bytes: &[u8]| site().read(bytes);
        assert!(matches!(asked(whole.as_bytes()), Ok(Some(Asked::Events { .. }))));
        let (token, host) = (whole.find("0123abcd").unwrap(), whole.find("127.0.0.1:9180").unwrap());
        for at in 0..whole.len() {
            for byte in [0, b' ', b'\r', b'\n', b'/', b'.', b':', b'x', b'%', 0xFF] {
                let mut bytes = whole.clone().into_bytes();
                if bytes[at] == byte {
                    continue;
                }
                bytes[at] = byte;
                let is_answered = matches!(asked(&bytes), Ok(Some(_)));
                let is_key = (token..token + 8).contains(&at) || (host..host + 14).contains(&at);
                assert!(!(is_answered && is_key), "{at} {byte}: {}", String::from_utf8_lossy(&bytes));
            }
            assert_eq!(asked(&whole.as_bytes()[..at]), Ok(None), "{at}");
        }
    }

    #[test]
    fn requests_are_complete_or_bounded() {
        assert_eq!(site().read(b"GET /0123"), Ok(None));
        assert_eq!(site().read(b"\x16\x03\x01\x02\x00\x01\x00"), Err(Refusal::Unreadable));
        let long = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(MAX_REQUEST_BYTES));
        assert_eq!(site().read(long.as_bytes()), Err(Refusal::Unreadable));
        let many = "A: b\r\n".repeat(MAX_HEADERS + 1);
        assert_eq!(read("GET /metrics", &many), Err(Refusal::Unreadable));
    }
}
