//! The page and its stream on a port of the loopback interface. Each page has a thread.

use std::{
    io::{self, Read, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    Asked, Hub, PageEvent, Refusal, Site,
    hub::Cursor,
    request::{MAX_REQUEST_BYTES, event_name},
};

/// Largest number of pages at a time. Further ones are told that there is no room.
pub const MAX_PAGES: usize = 256;

/// Largest number of connections at a time. Those that are no pages end soon.
const MAX_CONNECTIONS: usize = 2 * MAX_PAGES;

/// Status of the answer when there is no room.
const FULL: &str = "503 Service Unavailable";

/// Time in which a request must have arrived.
const REQUEST_TIME: Duration = Duration::from_secs(3);

/// Time in which an answer other than a stream must have been read.
const REPLY_TIME: Duration = Duration::from_secs(60);

/// Time after which a page that does not read is closed. It can connect again, and is told what it has
/// missed.
const PATIENCE: Duration = Duration::from_secs(20);

/// Time between two looks at whether the end is near.
const LOOK: Duration = Duration::from_millis(250);

/// Shortest time between two writes to a page, so that small news come together.
const PACE: Duration = Duration::from_millis(50);

/// Time after which a silent stream says something, so that a page that is gone is noticed.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

/// Largest number of reads of what a browser sends after its request.
const MAX_REST: u32 = 64;

/// Milliseconds after which a browser connects again.
const RETRY_MILLIS: u32 = 1_000;

/// The reason why the page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum PageServerError {
    /// The port cannot be opened.
    #[error("127.0.0.1:{port}: the page cannot be served there: {reason}; choose another port with --page")]
    Bind {
        /// The port.
        port: u16,
        /// The system's reason.
        reason: io::Error,
    },
    /// There is no source of random numbers.
    #[error("no random token can be made: {0}")]
    Token(String),
}

/// A server of pages. It ends when it is dropped.
#[derive(Debug)]
pub struct PageServer {
    site: Site,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    hub: Arc<Hub>,
    html: String,
    site: Site,
    /// Number of pages that follow.
    pages: AtomicUsize,
    /// Number of connections, pages included.
    requests: AtomicUsize,
    /// Number of times that all streams were closed.
    closed: AtomicUsize,
    is_ending: AtomicBool,
}

impl PageServer {
    /// Opens a port of the loopback interface, 0 for any.
    ///
    /// # Errors
    /// [`PageServerError`] if that fails.
    pub fn start(port: u16, html: String, hub: Arc<Hub>) -> Result<Self, PageServerError> {
        let failed = |reason| PageServerError::Bind { port, reason };
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let mut random = [0; 16];
        getrandom::getrandom(&mut random).map_err(|error| PageServerError::Token(error.to_string()))?;
        let token = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let site = Site { port, token };
        let shared = Arc::new(Shared {
            hub,
            html,
            site: site.clone(),
            pages: AtomicUsize::new(0),
            requests: AtomicUsize::new(0),
            closed: AtomicUsize::new(0),
            is_ending: AtomicBool::new(false),
        });
        listener.set_nonblocking(true).map_err(failed)?;
        let serving = Arc::clone(&shared);
        thread::spawn(move || serve(&listener, &serving));
        Ok(Self { site, shared })
    }

    /// Returns the address of the page.
    pub fn address(&self) -> String {
        self.site.address()
    }

    /// Returns where the server is, and its token.
    pub const fn site(&self) -> &Site {
        &self.site
    }

    /// Returns the number of pages that are open now.
    pub fn pages(&self) -> usize {
        self.shared.pages.load(Ordering::Relaxed)
    }

    /// Closes every stream. Browsers connect again after a second, and go on where they were.
    pub fn close_streams(&self) {
        self.shared.closed.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.shared.is_ending.store(true, Ordering::Relaxed);
    }
}

fn serve(listener: &TcpListener, shared: &Arc<Shared>) {
    while !shared.is_ending.load(Ordering::Relaxed) {
        match listener.accept() {
            Ok((stream, _)) => {
                if shared.requests.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
                    // Closed without an answer, because each answer takes a thread.
                    shared.requests.fetch_sub(1, Ordering::Relaxed);
                    continue;
                }
                let here = Counted { shared: Arc::clone(shared), of: |shared| &shared.requests };
                // Without room for a thread, the connection is closed.
                let _ = thread::Builder::new().stack_size(256 << 10).spawn(move || {
                    // A page that closes is no failure.
                    let _ = answer(stream, &here.shared);
                });
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(LOOK / 10),
            // A connection that was closed before it was accepted, or no file handles for a while.
            Err(_) => thread::sleep(LOOK),
        }
    }
}

/// Something that was counted, until it ends.
struct Counted {
    shared: Arc<Shared>,
    of: fn(&Shared) -> &AtomicUsize,
}

impl Drop for Counted {
    fn drop(&mut self) {
        (self.of)(&self.shared).fetch_sub(1, Ordering::Relaxed);
    }
}

fn answer(mut stream: TcpStream, shared: &Arc<Shared>) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    match request(&mut stream, shared)? {
        Ok(Asked::Page) => reply(&mut stream, "200 OK", "text/html; charset=utf-8", &shared.html),
        Ok(Asked::Metrics) => {
            reply(&mut stream, "200 OK", "text/plain; version=0.0.4; charset=utf-8", &shared.hub.metrics())
        }
        Ok(Asked::Icon) => reply(&mut stream, "204 No Content", "image/x-icon", ""),
        Ok(Asked::Events { chosen, read }) => {
            let before = shared.pages.fetch_add(1, Ordering::Relaxed);
            let _open = Counted { shared: Arc::clone(shared), of: |shared| &shared.pages };
            if before >= MAX_PAGES {
                return reply(&mut stream, FULL, "text/plain", "too many pages are open");
            }
            events(&mut stream, shared, Cursor::new(chosen, read))
        }
        Err(refusal) => reply(&mut stream, refusal.status(), "text/plain", &refusal.to_string()),
    }
}

/// Reads a request, which may come in parts.
fn request(stream: &mut TcpStream, shared: &Shared) -> io::Result<Result<Asked, Refusal>> {
    let began = Instant::now();
    let mut bytes = Vec::new();
    let mut part = [0; 2_048];
    loop {
        let left = REQUEST_TIME.checked_sub(began.elapsed()).filter(|left| !left.is_zero());
        stream.set_read_timeout(Some(left.ok_or(io::ErrorKind::TimedOut)?))?;
        let length = stream.read(&mut part)?;
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&part[..length]);
        match shared.site.read(&bytes) {
            Ok(None) if bytes.len() < MAX_REQUEST_BYTES => {}
            Ok(None) => return Ok(Err(Refusal::Unreadable)),
            Ok(Some(asked)) => return Ok(Ok(asked)),
            Err(refusal) => return Ok(Err(refusal)),
        }
    }
}

/// Headers of every answer. No other site may read or frame it, and nothing is kept.
const HEADERS: &str = "Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n";

fn reply(stream: &mut TcpStream, status: &str, kind: &str, body: &str) -> io::Result<()> {
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{HEADERS}\r\n");
    let deadline = Instant::now() + REPLY_TIME;
    write_until(stream, head.as_bytes(), deadline)?;
    write_until(stream, body.as_bytes(), deadline)?;
    stream.shutdown(Shutdown::Write)?;
    // What was sent and never read would make the system cut the answer off.
    stream.set_read_timeout(Some(LOOK))?;
    let mut rest = [0; 4_096];
    for _ in 0..MAX_REST {
        if stream.read(&mut rest)? == 0 {
            break;
        }
    }
    Ok(())
}

/// Writes all bytes before a deadline, however slowly the other side reads.
fn write_until(stream: &mut TcpStream, mut bytes: &[u8], deadline: Instant) -> io::Result<()> {
    while !bytes.is_empty() {
        let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
        stream.set_write_timeout(Some(left.ok_or(io::ErrorKind::TimedOut)?))?;
        match stream.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(length) => bytes = &bytes[length..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Sends what comes, until the page or the server ends.
fn events(stream: &mut TcpStream, shared: &Shared, mut cursor: Cursor) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{HEADERS}\r\nretry: {RETRY_MILLIS}\n\n"
    );
    write_until(stream, head.as_bytes(), Instant::now() + PATIENCE)?;
    let mut silent_since = Instant::now();
    let closed = shared.closed.load(Ordering::Relaxed);
    while !shared.is_ending.load(Ordering::Relaxed) && closed == shared.closed.load(Ordering::Relaxed) {
        let events = shared.hub.next(&mut cursor, LOOK);
        let deadline = Instant::now() + PATIENCE;
        for event in &events {
            write_until(stream, event_text(event).as_bytes(), deadline)?;
        }
        if !events.is_empty() {
            if matches!(events.last(), Some(PageEvent::End(_))) {
                return stream.flush();
            }
            silent_since = Instant::now();
            thread::sleep(PACE);
        } else if silent_since.elapsed() > SIGN_OF_LIFE {
            write_until(stream, b": still here\n\n", Instant::now() + PATIENCE)?;
            silent_since = Instant::now();
        }
    }
    Ok(())
}

fn event_text(event: &PageEvent) -> String {
    match event {
        PageEvent::Begin(connection) => {
            format!(
                "id: {}\nevent: begin\ndata: {{\"connection\":{connection}}}\n\n",
                event_name(*connection, 0)
            )
        }
        PageEvent::Missed(missed) => {
            let data = json!({ "messages": missed.messages, "seconds": missed.seconds });
            format!("event: missed\ndata: {data}\n\n")
        }
        PageEvent::More(connection, chunk) => {
            let id = event_name(*connection, chunk.number);
            format!("id: {id}\nevent: more\ndata: {}\n\n", chunk.json)
        }
        PageEvent::Until { until, now, active } => {
            let data = json!({ "until": until, "now": now, "active": active });
            format!("event: until\ndata: {data}\n\n")
        }
        PageEvent::Views(views) => format!("event: views\ndata: {views}\n\n"),
        PageEvent::End(words) => format!("event: end\ndata: {}\n\n", json!({ "words": words })),
    }
}
