//! `evenstride watch` as its users run it: through a relay, on a growing file, and on standard input.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use prometheus_parse::{Sample, Scrape, Value as Reading};
use serde_json::Value;

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_evenstride"))
}

fn run(args: &[&str]) -> Output {
    program().args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/captures").join(name)
}

/// A command that runs until it is told to end. It is ended when the test fails.
struct Running {
    child: Child,
    notes: BufReader<std::process::ChildStderr>,
    /// Notes that were read.
    told: String,
}

impl Running {
    fn start(args: &[&str]) -> Self {
        let mut child = program()
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let notes = BufReader::new(child.stderr.take().unwrap());
        Self { child, notes, told: String::new() }
    }

    /// Returns the word after a phrase in the notes.
    fn word_after(&mut self, phrase: &str) -> String {
        while !self.told.contains(phrase) {
            assert!(self.notes.read_line(&mut self.told).unwrap() > 0, "no `{phrase}` in {}", self.told);
        }
        let rest = self.told.split(phrase).nth(1).unwrap();
        rest.split_whitespace().next().unwrap_or_default().to_owned()
    }

    /// Waits for the end. Returns exit code, output and the rest of the notes.
    fn wait(mut self) -> (Option<i32>, String, String) {
        drop(self.child.stdin.take());
        let mut out = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        let mut notes = std::mem::take(&mut self.told);
        self.notes.read_to_string(&mut notes).unwrap();
        (self.child.wait().unwrap().code(), out, notes)
    }

    /// Presses Ctrl-C.
    #[cfg(unix)]
    fn interrupt(&self) {
        assert!(
            Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap().success()
        );
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn events(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn the<'a>(events: &'a [Value], name: &str) -> &'a Value {
    events.iter().find(|event| event["event"] == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Returns what a page of this address answers.
fn get(port: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn replayed(args: &[&str]) -> Value {
    let output = run(&[&["replay", "--json"], args].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

#[cfg(unix)]
#[test]
fn what_a_watch_draws_equals_a_replay_of_what_it_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.pcap");
    let name = path.to_str().unwrap();
    let (_server, at) = serve(&["--link", "wifi-busy"]);
    let mut watch = Running::start(&[
        "watch",
        "--server",
        &at,
        "--listen",
        "127.0.0.1:0",
        "--record",
        name,
        "--json",
        "--profile",
        "smooth",
    ]);
    let through = watch.word_after("relay from ");
    let page = watch.word_after("page at http://127.0.0.1:");
    let (port, token) = page.trim_end_matches('/').split_once('/').unwrap();
    // Two clients, one after the other, so the second one begins while the first is known.
    for seconds in ["3", "2"] {
        let joined = run(&["join", &through, "--seconds", seconds]);
        assert_eq!(joined.status.code(), Some(0), "{}", text(&joined.stderr));
    }
    assert_metrics(&get(port, "/metrics"));
    assert!(get(port, &format!("/{token}/")).contains("\"kind\":\"live\""));
    watch.interrupt();
    let (code, out, notes) = watch.wait();
    assert_eq!(code, Some(0), "{notes}");
    let events = events(&out);
    assert_eq!(events.iter().filter(|of| of["event"] == "connected").count(), 2);
    assert!(events.iter().filter(|of| of["event"] == "state").count() >= 4, "{out}");
    assert!(the(&events, "entity")["name"].is_string());

    let lower: u16 = at.rsplit_once(':').unwrap().1.parse().unwrap();
    let ports = format!("{lower}-{}", lower + 1);
    let ended: Vec<&Value> = events.iter().filter(|of| of["event"] == "ended").collect();
    assert_eq!(ended.len(), 2);
    for drawn in ended {
        assert_eq!(drawn["late"], 0);
        let connection = drawn["connection"].to_string();
        let replayed =
            replayed(&[name, "--server-ports", &ports, "--connection", &connection, "--profile", "smooth"]);
        for field in ["state_hash", "drawn_hash", "updates", "frames"] {
            assert_eq!(drawn[field], replayed[field], "{field} of connection {connection}");
        }
        assert!(drawn["frames"].as_u64().unwrap() > 100);
    }
}

/// Reads the metrics as Prometheus does.
fn assert_metrics(answer: &str) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("text/plain; version=0.0.4"), "{head}");
    let scrape = Scrape::parse(body.lines().map(|line| Ok(line.to_owned()))).unwrap();
    let find = |name: &str, label: &str, value: &str| {
        let of = |sample: &&Sample| {
            sample.metric == name && (label.is_empty() || sample.labels.get(label) == Some(value))
        };
        let found = scrape.samples.iter().find(of);
        found.unwrap_or_else(|| panic!("no {name} with {label} {value} in {body}")).value.clone()
    };
    let number = |name: &str, label: &str, value: &str| match find(name, label, value) {
        Reading::Counter(number) | Reading::Gauge(number) | Reading::Untyped(number) => number,
        other => panic!("{name}: {other:?}"),
    };
    assert!(number("evenstride_relay_datagrams_total", "direction", "to_clients") > 5.0);
    assert!(number("evenstride_updates_total", "disposition", "Queued") > 1.0);
    assert_eq!(number("evenstride_relay_dropped_total", "reason", "stranger"), 0.0);
    assert_eq!(number("evenstride_not_watched_total", "", ""), 0.0);
    let Reading::Summary(errors) = find("evenstride_error_metres", "connection", "0") else {
        panic!("{body}")
    };
    assert!(errors.iter().any(|of| of.quantile == 0.95 && of.count.is_finite()));
    let Reading::Histogram(delays) = find("evenstride_relay_delay_seconds", "", "") else { panic!("{body}") };
    assert!(delays.is_sorted_by(|one, other| one.less_than < other.less_than && one.count <= other.count));
    assert!(delays.last().is_some_and(|last| last.less_than.is_infinite() && last.count > 5.0));
    // Every sample belongs to a family that is described.
    let described = |metric: &str| scrape.docs.keys().any(|name| metric.starts_with(name.as_str()));
    assert!(scrape.samples.iter().all(|sample| described(&sample.metric)));
}

#[cfg(unix)]
#[test]
fn a_growing_file_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("growing.pcap");
    let bytes = fs::read(testdata("seven-turns.pcap")).unwrap();
    fs::write(&path, &bytes[..1_000]).unwrap();
    let mut watch = Running::start(&["watch", path.to_str().unwrap(), "--follow", "--json", "--page", "0"]);
    let page = watch.word_after("page at http://127.0.0.1:");
    let (port, token) = page.trim_end_matches('/').split_once('/').unwrap();
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    for part in bytes[1_000..].chunks(bytes.len() / 7) {
        file.write_all(part).unwrap();
        thread::sleep(Duration::from_millis(40));
    }
    // A page gets what has come so far.
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    write!(stream, "GET /{token}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    assert!(lines.any(|line| line == "event: more"));
    let began = Instant::now();
    while !get(port, "/metrics").contains("evenstride_updates_total")
        && began.elapsed() < Duration::from_secs(60)
    {
        thread::sleep(Duration::from_millis(50));
    }
    watch.interrupt();
    let (code, out, notes) = watch.wait();
    assert_eq!(code, Some(0), "{notes}");
    let events = events(&out);
    let ended = the(&events, "ended");
    let replayed = replayed(&[path.to_str().unwrap()]);
    assert_eq!(
        (&ended["state_hash"], &ended["drawn_hash"]),
        (&replayed["state_hash"], &replayed["drawn_hash"])
    );
}

#[test]
fn standard_input_is_watched_to_its_end() {
    let bytes = fs::read(testdata("first-light.pcap")).unwrap();
    let whole = replayed(&[testdata("first-light.pcap").to_str().unwrap()]);
    for (cut, code) in [(bytes.len(), 0), (bytes.len() - 9, 1)] {
        let mut watch = Running::start(&["watch", "-", "--json", "--no-page"]);
        let mut input = watch.child.stdin.take().unwrap();
        for part in bytes[..cut].chunks(3_000) {
            input.write_all(part).unwrap();
        }
        drop(input);
        let (got, out, notes) = watch.wait();
        assert_eq!(got, Some(code), "{notes}");
        let events = events(&out);
        assert_eq!(events.iter().any(|of| of["event"] == "fault"), code == 1);
        let ended = the(&events, "ended");
        assert_eq!(ended["drawn_hash"] == whole["drawn_hash"], code == 0);
        let moments = events.iter().filter(|of| of["event"] == "moment").count();
        assert!(moments > 3 && the(&events, "moment")["words"].is_string(), "{out}");
    }
}

/// A ring renames its file, and the follower once ended without a word.
#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_is_followed_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.pcap");
    let bytes = fs::read(testdata("seven-turns.pcap")).unwrap();
    let mut half = 24;
    while half < bytes.len() / 2 {
        half += 16 + u32::from_le_bytes(*bytes[half + 8..].first_chunk().unwrap()) as usize;
    }
    fs::write(&path, &bytes[..half]).unwrap();
    let mut watch = Running::start(&["watch", path.to_str().unwrap(), "--follow", "--json", "--no-page"]);
    let mut out = BufReader::new(watch.child.stdout.take().unwrap());
    let mut seen = String::new();
    while !seen.contains("\"entity\"") {
        assert!(out.read_line(&mut seen).unwrap() > 0, "{seen}");
    }
    fs::rename(&path, folder.path().join("ring.1.pcap")).unwrap();
    thread::sleep(Duration::from_millis(100));
    fs::write(&path, [&bytes[..24], &bytes[half..]].concat()).unwrap();
    assert_eq!(watch.word_after("another file took its place, "), "and");
    let began = Instant::now();
    let newest = |seen: &str| events(seen).iter().filter_map(|of| of["messages"].as_u64()).max().unwrap_or(0);
    let all = replayed(&[testdata("seven-turns.pcap").to_str().unwrap()])["updates"].as_u64().unwrap();
    while newest(&seen) < all && began.elapsed() < Duration::from_secs(60) {
        assert!(out.read_line(&mut seen).unwrap() > 0, "{seen}");
    }
    watch.interrupt();
    assert_eq!(watch.child.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_pipe_that_nothing_writes_to_can_be_left() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let output = run(&["watch", pipe.to_str().unwrap(), "--no-page", "--seconds", "0.3"]);
    // Nothing came, so there is no capture.
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("pipe"), "{}", text(&output.stderr));
}

#[test]
fn metrics_of_a_capture_that_has_ended_can_be_read() {
    let capture = testdata("first-light.pcap");
    let mut watch = Running::start(&["watch", capture.to_str().unwrap(), "--json", "--seconds", "60"]);
    let page = watch.word_after("page at http://127.0.0.1:");
    assert_eq!(watch.word_after("the page is served "), "until");
    let metrics = get(page.split_once('/').unwrap().0, "/metrics");
    assert!(
        metrics.contains("evenstride_updates_total{connection=\"0\",disposition=\"Queued\"} "),
        "{metrics}"
    );
    let mut out = String::new();
    let _ = watch.child.kill();
    watch.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    let events = events(&out);
    assert_eq!(events[0]["event"], "connected", "{out}");
    let state = the(&events, "state");
    assert_eq!((&state["connections"], &state["messages"]), (&1.into(), &298.into()), "{state}");
    assert!(state["updates_per_second"].as_f64().unwrap() < 100.0, "{state}");
}

#[test]
fn text_names_what_a_person_would_notice() {
    let output = run(&["watch", testdata("first-light.pcap").to_str().unwrap(), "--no-page"]);
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for words in
        ["overshoot", "Drudge Skulker went 0.93 m too far", "Ilse was teleported", "state 0xE93939A183D4B889"]
    {
        assert!(out.contains(words), "no `{words}` in {out}");
    }
}

#[test]
fn an_ended_reader_ends_the_watch() {
    let mut watch = Running::start(&["watch", "-", "--json", "--no-page"]);
    let bytes = fs::read(testdata("first-light.pcap")).unwrap();
    drop(watch.child.stdout.take());
    let mut input = watch.child.stdin.take().unwrap();
    let _ = input.write_all(&bytes);
    drop(input);
    assert_eq!(watch.child.wait().unwrap().code(), Some(141));
}

/// A capture of other ports was once watched without a word.
#[test]
fn a_capture_with_nothing_to_watch_says_why_and_ends_with_2() {
    let capture = testdata("first-light.pcap");
    let args = ["watch", capture.to_str().unwrap(), "--no-page", "--server-ports", "7000-7001"];
    let output = run(&args);
    let words = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert!(words.contains("nothing can be watched") && words.contains("use --server-ports"), "{words}");
}

/// Starts a server, and returns it with its address.
#[cfg(unix)]
fn serve(more: &[&str]) -> (Running, String) {
    let mut server = Running::start(&[&["serve", "chase-5hz", "--port", "0"], more].concat());
    let mut line = String::new();
    BufReader::new(server.child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let at = line.split(" at ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    (server, at)
}

/// Clients play through a relay, so `| head` must not end their session.
#[cfg(unix)]
#[test]
fn a_relay_goes_on_when_nobody_reads_its_output() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("unread.pcap");
    let name = path.to_str().unwrap();
    let (_server, at) = serve(&[]);
    let mut watch = Running::start(&[
        "watch",
        "--server",
        &at,
        "--listen",
        "127.0.0.1:0",
        "--record",
        name,
        "--json",
        "--no-page",
    ]);
    drop(watch.child.stdout.take());
    let through = watch.word_after("relay from ");
    for _ in 0..2 {
        let joined = run(&["join", &through, "--seconds", "2"]);
        assert_eq!(joined.status.code(), Some(0), "{}", text(&joined.stderr));
    }
    watch.word_after("the relay goes on until ");
    watch.interrupt();
    let _ = watch.child.wait();
    let lower: u16 = at.rsplit_once(':').unwrap().1.parse().unwrap();
    let ports = format!("{lower}-{}", lower + 1);
    let second = replayed(&[name, "--server-ports", &ports, "--connection", "1"]);
    assert!(second["updates"].as_u64().unwrap() >= 3, "{second}");
}

/// It once named a replay without the ports of the server, which found nothing.
#[cfg(unix)]
#[test]
fn the_next_command_works_as_it_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("next.pcap");
    let (_server, at) = serve(&[]);
    let mut relay = Running::start(&[
        "relay",
        "--server",
        &at,
        "--listen",
        "127.0.0.1:0",
        "--record",
        path.to_str().unwrap(),
    ]);
    let through = relay.word_after("relay from ");
    assert_eq!(run(&["join", &through, "--seconds", "2"]).status.code(), Some(0));
    relay.interrupt();
    let (code, _, notes) = relay.wait();
    assert_eq!(code, Some(0), "{notes}");
    let next = notes.lines().find_map(|line| line.strip_prefix("next: evenstride ")).unwrap();
    let output = run(&next.split_whitespace().collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(0), "{next}: {}", text(&output.stderr));
}

#[test]
fn mistakes_are_named_and_end_with_2() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let capture = testdata("first-light.pcap");
    let capture = capture.to_str().unwrap();
    for (args, words) in [
        (&["watch", "no-such.pcap"][..], "no-such.pcap"),
        (&["watch", "no-such.pcap", "--follow"], "no-such.pcap"),
        (&["watch", env!("CARGO_MANIFEST_DIR")], "directory"),
        (&["watch", capture, "--page", &port], "--page"),
        (&["watch", "--server", "nowhere.invalid:9000"], "no such host"),
        (&["watch", capture, "--server", "127.0.0.1:9000"], "cannot be used with"),
        (&["watch", capture, "--no-page", "--open"], "cannot be used with"),
        (&["watch", capture, "--record", "a.pcap"], "--server"),
        (&["watch", capture, "--listen", "127.0.0.1:9100"], "--server"),
        (&["watch", "--follow"], "CAPTURE"),
    ] {
        let output = run(args);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(words), "{args:?}: {error}");
    }
    let help = text(&run(&["watch", "--help"]).stdout);
    assert!(help.contains("tcpdump -U -w -") && help.contains("--keep-login"), "{help}");
}
