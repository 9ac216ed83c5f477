//! Pages over real sockets: what they get, what they miss, and what they may not do.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use evenstride_arena::{scenario, simulate};
use evenstride_capture::{Session, read};
use evenstride_replay::{ReplayOptions, Script, TAIL_SECS, TimedMessage, sample};
use evenstride_watch::{Hub, PageServer, Watch, WatchOptions};
use serde_json::Value;

fn serve() -> (Arc<Hub>, PageServer) {
    let hub = Arc::new(Hub::default());
    let server = PageServer::start(0, "<!doctype html>the page".to_owned(), Arc::clone(&hub)).unwrap();
    (hub, server)
}

/// Sends a request and returns the connection.
fn ask(server: &PageServer, path: &str, headers: &str) -> TcpStream {
    let site = server.site();
    let mut stream = TcpStream::connect(("127.0.0.1", site.port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let path = path.replace("TOKEN", &site.token);
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{headers}\r\n", site.port).unwrap();
    stream
}

fn answer(server: &PageServer, path: &str, headers: &str) -> String {
    let mut text = String::new();
    ask(server, path, headers).read_to_string(&mut text).unwrap();
    text
}

/// The stream of a page.
struct Events(BufReader<TcpStream>);

/// An event, and its id if it has one.
#[derive(Debug)]
struct Event {
    id: Option<String>,
    name: String,
    data: Value,
}

impl Events {
    fn open(server: &PageServer, query: &str, headers: &str) -> Self {
        Self(BufReader::new(ask(server, &format!("/TOKEN/events{query}"), headers)))
    }

    fn next(&mut self) -> Option<Event> {
        let (mut id, mut name) = (None, String::new());
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            let line = line.trim_end();
            if let Some(of) = line.strip_prefix("id: ") {
                id = Some(of.to_owned());
            } else if let Some(of) = line.strip_prefix("event: ") {
                name = of.to_owned();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some(Event { id, name, data: serde_json::from_str(data).unwrap() });
            }
        }
    }

    fn next_named(&mut self, name: &str) -> Event {
        loop {
            let event = self.next().unwrap_or_else(|| panic!("it ended before `{name}`"));
            if event.name == name {
                return event;
            }
        }
    }

    /// Reads to the end. Returns the messages of all events, and their names.
    fn rest(mut self) -> (Script, Vec<String>) {
        let (mut script, mut names) = (Script::default(), Vec::new());
        while let Some(event) = self.next() {
            if event.name == "begin" {
                script = Script::default();
            }
            if let Some(bytes) = event.data["script"].as_str() {
                script.append(Script::from_bytes(&STANDARD.decode(bytes).unwrap()).unwrap());
            }
            names.push(event.name);
        }
        (script, names)
    }
}

/// Returns a script in parts of a second.
fn parts(script: &Script) -> Vec<(Script, f64)> {
    let (first, last) = script.span().unwrap();
    (0..=(last - first) as usize)
        .map(|second| {
            let (from, to) = (first + second as f64, first + second as f64 + 1.0);
            let within = |time: f64| time >= from && time < to;
            let messages = script.messages.iter().filter(|of| within(of.time)).cloned().collect();
            let names = if second == 0 { script.names.clone() } else { Default::default() };
            (Script { messages, names, player: script.player, ..Script::default() }, to)
        })
        .collect()
}

#[test]
fn a_page_gets_every_message_also_when_it_comes_late() {
    let (hub, server) = serve();
    let script = sample::crowd(12, 30);
    let mut early = Events::open(&server, "", "");
    for (part, until) in parts(&script) {
        hub.push(0, &part, until, until);
    }
    hub.describe(0, "127.0.0.1:50000", Some("Vesper"));
    assert_eq!(early.next_named("begin").data["connection"], 0);
    let late = Events::open(&server, "", "");
    hub.end("It is over.");
    for (events, who) in [(early, "early"), (late, "late")] {
        let (got, names) = events.rest();
        assert_eq!((got.messages, got.names), (script.messages.clone(), script.names.clone()), "{who}");
        assert_eq!(names.last().map(String::as_str), Some("end"), "{who}: {names:?}");
        assert!(who == "early" || names.iter().any(|name| name == "views"), "{names:?}");
    }
    assert!(answer(&server, "/TOKEN/", "").ends_with("the page"));
}

#[test]
fn a_browser_that_reconnects_goes_on_where_it_was() {
    let (hub, server) = serve();
    let script = sample::crowd(4, 20);
    let parts = parts(&script);
    let mut first = Events::open(&server, "", "");
    for (part, until) in &parts[..8] {
        hub.push(0, part, *until, *until);
    }
    let mut last = first.next_named("more");
    for _ in 1..5 {
        last = first.next_named("more");
    }
    drop(first);
    for (part, until) in &parts[8..] {
        hub.push(0, part, *until, *until);
    }
    hub.end("It is over.");
    let id = last.id.unwrap();
    assert_eq!(id, "0-5");
    let (got, names) = Events::open(&server, "", &format!("Last-Event-ID: {id}\r\n")).rest();
    let expected: Vec<_> = parts[5..].iter().flat_map(|(part, _)| part.messages.clone()).collect();
    assert_eq!(got.messages, expected);
    assert!(!names.iter().any(|name| name == "begin" || name == "missed"), "{names:?}");
    // An id of another run, or of nothing, begins from the start.
    for id in ["9-1", "0-9999", "x", "-1-2"] {
        let (got, names) = Events::open(&server, "", &format!("Last-Event-ID: {id}\r\n")).rest();
        assert_eq!(got.messages.len(), script.messages.len(), "{id}");
        assert!(names.iter().any(|name| name == "begin"), "{id}");
    }
}

#[test]
fn a_page_that_stops_reading_slows_nothing_and_is_told_what_it_missed() {
    let hub = Arc::new(Hub::default().with_max_backlog_bytes(60_000));
    let server = PageServer::start(0, String::new(), Arc::clone(&hub)).unwrap();
    let script = sample::crowd(30, 60);
    let parts = parts(&script);
    hub.push(0, &parts[0].0, parts[0].1, parts[0].1);
    let mut stalled = Events::open(&server, "", "");
    assert_eq!(stalled.next_named("begin").data["connection"], 0);
    let id = stalled.next_named("more").id.unwrap();
    // It reads no more, and everything else goes on.
    for (part, until) in &parts[1..] {
        hub.push(0, part, *until, *until);
    }
    assert!(hub.backlog_bytes() <= 60_000, "{} bytes", hub.backlog_bytes());
    hub.end("It is over.");
    drop(stalled);
    let mut again = Events::open(&server, "", &format!("Last-Event-ID: {id}\r\n"));
    let missed = again.next_named("missed").data;
    assert!(
        missed["messages"].as_u64().unwrap() > 100 && missed["seconds"].as_f64().unwrap() > 5.0,
        "{missed}"
    );
    let (got, names) = again.rest();
    assert_eq!(names[0], "begin");
    // Every creature is still known, with its description and its last place before the rest.
    let described = |script: &Script| {
        let of = script.messages.iter().filter_map(|of| match &of.said {
            evenstride_replay::Said::Server(evenstride_types::update::Update::Create(create)) => {
                Some(create.entity)
            }
            _ => None,
        });
        of.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(described(&got), described(&script));
    assert!(got.messages.len() < script.messages.len());
    assert_eq!(got.names, script.names);
}

#[test]
fn a_hundred_pages_get_the_same_also_if_some_never_read() {
    let (hub, server) = serve();
    let script = sample::crowd(10, 20);
    let mut pages: Vec<Events> = (0..100).map(|_| Events::open(&server, "", "")).collect();
    // Fifty of them never read.
    let stalled: Vec<Events> = pages.split_off(50);
    for (part, until) in parts(&script) {
        let began = Instant::now();
        hub.push(0, &part, until, until);
        assert!(began.elapsed() < Duration::from_secs(5), "no page slows it down");
    }
    hub.end("It is over.");
    for page in pages {
        assert_eq!(page.rest().0.messages.len(), script.messages.len());
    }
    drop(stalled);
}

/// The system keeps some megabytes for a reader that has stopped, and a thread that writes more waits.
#[test]
fn a_page_that_reads_nothing_is_closed_and_goes_on_when_it_reconnects() {
    let (hub, server) = serve();
    let mut stalled = Events::open(&server, "", "");
    let script = sample::crowd(40, 30);
    let mut pushed: u64 = 0;
    while hub.backlog_bytes() < 30 << 20 {
        let time = 100.0 + pushed as f64;
        let later = |of: &TimedMessage| TimedMessage { time, ..of.clone() };
        let messages = script.messages.iter().map(later).collect();
        hub.push(0, &Script { messages, ..Script::default() }, time, time);
        pushed += 1;
    }
    let began = Instant::now();
    while server.pages() > 0 && began.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(server.pages(), 0, "it is still open");
    assert!(began.elapsed() > Duration::from_secs(10), "a page may rest for a while");
    // What the system has kept is read, and the last whole event is where it goes on.
    let mut last = None;
    let mut line = String::new();
    while stalled.0.read_line(&mut line).is_ok_and(|length| length > 0) {
        if let Some(id) = line.trim_end().strip_prefix("id: ") {
            last = Some(id.to_owned());
        }
        line.clear();
    }
    let read = last.unwrap();
    hub.end("It is over.");
    let (_, names) = Events::open(&server, "", &format!("Last-Event-ID: {read}\r\n")).rest();
    let mores = names.iter().filter(|name| *name == "more").count() as u64;
    let number: u64 = read.split_once('-').unwrap().1.parse().unwrap();
    assert!(number > 0 && number < pushed, "{read} of {pushed}");
    assert_eq!(mores, pushed - number);
}

#[test]
fn too_many_pages_are_refused_and_metrics_are_still_read() {
    let (hub, server) = serve();
    hub.push(0, &sample::crowd(2, 5), 5.0, 5.0);
    let pages: Vec<Events> =
        (0..evenstride_watch::MAX_PAGES).map(|_| Events::open(&server, "", "")).collect();
    let began = Instant::now();
    while server.pages() < evenstride_watch::MAX_PAGES && began.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(10));
    }
    let refused = answer(&server, "/TOKEN/events", "");
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("too many pages"), "{refused}");
    assert!(answer(&server, "/metrics", "").starts_with("HTTP/1.1 200"));
    drop(pages);
}

/// A second client once took over every open page.
#[test]
fn a_page_stays_with_its_client_until_it_chooses_another() {
    let (hub, server) = serve();
    let (one, other) = (sample::crowd(3, 10), sample::crowd(4, 20));
    let first = parts(&one);
    hub.push(0, &first[0].0, 1.0, 1.0);
    let mut stays = Events::open(&server, "", "");
    let id = stays.next_named("more").id.unwrap();
    hub.push(7, &other, 20.0, 20.0);
    for (part, until) in &first[1..] {
        hub.push(0, part, *until, 20.0);
    }
    assert_eq!(stays.next_named("views").data["views"].as_array().unwrap().len(), 2);
    let time = stays.next_named("until").data;
    // Its own drawing has ended, and it is told which client goes on.
    assert_eq!((&time["now"], &time["active"]), (&serde_json::json!(20.0), &serde_json::json!(7)));
    hub.end("It is over.");
    let (_, names) = stays.rest();
    assert!(!names.iter().any(|name| name == "begin"), "{names:?}");
    let begun = |query: &str, headers: &str| {
        Events::open(&server, query, headers).next_named("begin").data["connection"].as_u64()
    };
    assert_eq!(begun("", ""), Some(7), "a new page takes the client that is active");
    assert_eq!(begun("?connection=0", ""), Some(0));
    assert_eq!(begun("?connection=7", &format!("Last-Event-ID: {id}\r\n")), Some(7));
    let (got, names) = Events::open(&server, "", &format!("Last-Event-ID: {id}\r\n")).rest();
    assert!(got.messages.len() < one.messages.len() && !names.iter().any(|name| name == "begin"));
}

#[test]
fn other_origins_and_other_words_get_nothing() {
    let (hub, server) = serve();
    hub.push(0, &sample::crowd(2, 5), 5.0, 5.0);
    for (path, headers, status) in [
        ("/", "", "404"),
        ("/0123456789abcdef/", "", "404"),
        ("/TOKEN/events", "Origin: http://evil.example\r\n", "403"),
        ("/TOKEN/events", "Sec-Fetch-Site: cross-site\r\n", "403"),
        ("/TOKEN/", "Host: evil.example\r\n", "403"),
        ("/metrics", "Sec-Fetch-Site: cross-site\r\n", "403"),
        ("/TOKEN/../../etc/passwd", "", "404"),
    ] {
        let got = answer(&server, path, headers);
        assert!(got.starts_with(&format!("HTTP/1.1 {status}")), "{path} {headers}: {got}");
        assert!(!got.contains("doctype") && !got.contains("event:"));
        for header in ["X-Frame-Options: DENY", "Cross-Origin-Resource-Policy: same-origin", "no-store"] {
            assert!(got.contains(header), "{path}: {got}");
        }
        assert!(!got.to_lowercase().contains("access-control-allow"), "{got}");
    }
    // Only the loopback interface listens, and every run has another token.
    assert!(server.address().starts_with("http://127.0.0.1:"));
    assert_eq!(server.site().token.len(), 32);
    assert_ne!(server.site().token, serve().1.site().token);
}

#[test]
fn rubbish_at_the_port_is_answered_or_closed() {
    let (_hub, server) = serve();
    for bytes in [&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..], b"GET", b"\r\n\r\n", &[0; 40_000]] {
        let mut stream = TcpStream::connect(("127.0.0.1", server.site().port)).unwrap();
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        assert!(text.is_empty() || text.starts_with(b"HTTP/1.1 40"), "{}", String::from_utf8_lossy(&text));
    }
    assert!(answer(&server, "/TOKEN/", "").contains("the page"));
}

/// After its client had left, a page once went on by dead reckoning and found more and more faults.
#[test]
fn a_page_draws_no_longer_than_a_replay_does() {
    let hub = Arc::new(Hub::default());
    let server = PageServer::start(0, String::new(), Arc::clone(&hub)).unwrap();
    let pcap = simulate(&scenario("walk").unwrap().unwrap(), 1).unwrap().pcap;
    let options = WatchOptions { replay: ReplayOptions::default(), is_capture: false };
    let mut session = Session::new(Watch::new("left.pcap", options, Some(hub)));
    read(pcap.as_slice(), &mut session).unwrap();
    let start = session.listener.start_date().unwrap();
    for second in 0..200 {
        session.listener.advance(start + f64::from(second));
    }
    let last = session.listener.views().next().unwrap().1.last_message();
    let mut page = Events::open(&server, "", "");
    let mut until = 0.0;
    loop {
        let event = page.next().unwrap();
        until = event.data["until"].as_f64().unwrap_or(until);
        if event.name == "until" {
            assert!(event.data["now"].as_f64().unwrap() > last + 100.0, "{event:?}");
            break;
        }
    }
    assert_eq!(until, last + TAIL_SECS);
    session.listener.finish();
    assert!(session.listener.views().next().is_none());
}
