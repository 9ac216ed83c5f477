//! `evenstride relay`: forwards and records.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    net::SocketAddr,
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use anyhow::{Result, anyhow, bail};
use evenstride_capture::recorded_time;
use evenstride_live::{
    Clock, HostCounts, LoginPrivacy, RecordOptions, Recorder, RelayHost, RelayOptions, Stop, Tap,
    TapReceiver, Tapped, resolve, resolve_server, tap,
};
use evenstride_relay::{RelayConfig, begins_session, notices};

use crate::{
    args::{RelayArgs, ThroughArgs},
    command::watch::{Ended, Watching},
    live::{ends_after, neighbours, stop_on_ctrl_c},
    output::{self, StatusLine, TextOut, Tone, count, one_line, tell, thousands, warn},
};

/// Datagrams that wait for the recorder. Further ones are forwarded and not recorded.
const QUEUE: usize = 1 << 14;

/// Address for clients, unless the user says otherwise.
const LISTEN: &str = "127.0.0.1:9000";

/// Seconds after which a server that does not answer is named.
const SILENT_SECS: f64 = 5.0;

/// Largest number of different notices that are printed.
const MAX_NOTICES: usize = 64;

pub(crate) fn run(args: &RelayArgs) -> Result<ExitCode> {
    let stop = stop_on_ctrl_c()?;
    let relayed = Relayed::start(&args.server, &args.through)?;
    tell("Ctrl-C ends it");
    ends_after(args.seconds, &stop);
    let (ended, _) = relayed.run(&stop, None)?;
    ended.print(&mut output::text())?;
    Ok(if ended.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// A relay with its recording, ready to run.
pub(crate) struct Relayed {
    clock: Clock,
    server: SocketAddr,
    host: RelayHost,
    receiver: TapReceiver,
    recorder: Option<Recorder>,
}

/// A relay that has ended.
pub(crate) struct EndedRelay {
    counts: HostCounts,
    recorder: Option<Recorder>,
    /// Datagrams that the observer missed.
    pub(crate) missed: u64,
}

impl Relayed {
    /// Opens the ports and the recording, and says where clients connect.
    pub(crate) fn start(server: &str, args: &ThroughArgs) -> Result<Self> {
        let clock = Clock::start();
        let server = resolve_server(server)?;
        let (tap, receiver) = tap(QUEUE);
        let host = bind(args, server, clock, tap)?;
        let recorder = recorder(args, server, clock)?;
        announce(args, host.address(), server, recorder.as_ref());
        Ok(Self { clock, server, host, receiver, recorder })
    }

    /// Returns a sentence about how clients connect.
    pub(crate) fn how_to_connect(&self) -> String {
        let words = how_to_connect(self.host.address());
        format!("S{}", &words[1..])
    }

    /// Returns the address of the server, with its lower port.
    pub(crate) const fn server(&self) -> SocketAddr {
        self.server
    }

    /// Forwards until the end is requested. What goes through is recorded, and watched if that is wanted.
    pub(crate) fn run(self, stop: &Stop, watching: Option<Watching>) -> Result<(EndedRelay, Option<Ended>)> {
        let Self { clock, server, mut host, receiver, recorder } = self;
        let (status, counts, seen) = (StatusLine::new(), host.shared_counts(), Seen::default());
        let watching = watching.map(|watching| watching.with_status(status.clone()));
        let mut observer = Observer { clock, server, recorder, watching, status, counts, seen };
        let observing = thread::spawn({
            let stop = stop.clone();
            move || {
                observer.observe(&receiver, &stop);
                // Whatever ends the observer ends the relay, because nothing would be recorded.
                stop.request();
                (observer, receiver)
            }
        });
        let run = host.run(stop);
        stop.request();
        let (observer, receiver) = observing.join().map_err(|_| anyhow!("the recorder failed"))?;
        let counts = run?;
        observer.status.clear();
        let missed = receiver.dropped();
        let ended = observer.watching.map(|watching| watching.finish(missed)).transpose()?;
        Ok((EndedRelay { counts, recorder: observer.recorder, missed }, ended))
    }
}

/// Opens the ports of a relay.
fn bind(args: &ThroughArgs, server: SocketAddr, clock: Clock, tap: Tap) -> Result<RelayHost> {
    let listen = resolve(args.listen.as_deref().unwrap_or(LISTEN))?;
    let is_close = listen.port().abs_diff(server.port()) < 2;
    let is_same = listen.ip() == server.ip() || (listen.ip().is_unspecified() && server.ip().is_loopback());
    if is_close && is_same && server.ip().is_loopback() {
        bail!(
            "{server}: the relay cannot listen on the server's own ports; choose others, like --listen {}:{}",
            listen.ip(),
            server.port().checked_add(100).unwrap_or(9_000)
        );
    }
    let options = RelayOptions { relay: RelayConfig::new(server), listen };
    RelayHost::bind(&options, clock, Some(tap)).map_err(Into::into)
}

/// Starts the recording, if one is wanted.
fn recorder(args: &ThroughArgs, server: SocketAddr, clock: Clock) -> Result<Option<Recorder>> {
    let Some(path) = &args.record else { return Ok(None) };
    let login = if args.keep_login { LoginPrivacy::Keep } else { LoginPrivacy::Blank };
    let options = RecordOptions { path: path.clone(), ring: args.ring, login, server };
    Ok(Some(Recorder::create(options, clock)?))
}

/// Tells what clients need to connect.
fn how_to_connect(at: SocketAddr) -> String {
    let host =
        if at.ip().is_unspecified() { "ADDRESS-OF-THIS-MACHINE".to_owned() } else { at.ip().to_string() };
    format!("start the client with this address: -h {host} -p {}", at.port())
}

/// Says where clients connect.
fn announce(args: &ThroughArgs, at: SocketAddr, server: SocketAddr, recorder: Option<&Recorder>) {
    tell(&format!("relay from {} to {}", neighbours(at), neighbours(server)));
    tell(&how_to_connect(at));
    if let Some(recorder) = recorder {
        let logins = if args.keep_login {
            "with account and password of logins"
        } else {
            "with account and password of logins blanked"
        };
        tell(&format!("recording {}, {logins}", recorder.path().display()));
    }
    if !server.port().is_multiple_of(2) {
        warn(&format!(
            "{server}: servers usually have an even port and the one after it; captures of others are read as two connections"
        ));
    }
    if !at.ip().is_loopback() {
        tell("other machines can connect, because --listen names no loopback address");
    }
}

/// Looks at what was forwarded, on a thread of its own.
struct Observer {
    clock: Clock,
    server: SocketAddr,
    recorder: Option<Recorder>,
    watching: Option<Watching>,
    status: StatusLine,
    counts: Arc<Mutex<HostCounts>>,
    seen: Seen,
}

/// What was noticed so far.
#[derive(Default)]
struct Seen {
    notices: BTreeSet<String>,
    clients: BTreeSet<SocketAddr>,
    /// Time since which each new client waits for the server's first answer.
    unanswered: BTreeMap<SocketAddr, f64>,
    is_room_told: bool,
    next_status: f64,
    last: (f64, u64),
}

impl Observer {
    fn observe(&mut self, receiver: &TapReceiver, stop: &Stop) {
        receiver.observe_until(stop, |tapped, until| match tapped {
            Some(tapped) => self.datagram(tapped),
            None => self.idle(until, receiver.dropped()),
        });
    }

    fn datagram(&mut self, tapped: &Tapped) {
        if let Some(recorder) = &mut self.recorder {
            recorder.record(tapped);
            self.tell_failure();
        }
        if let Some(watching) = &mut self.watching {
            // The times of the recording are whole microseconds.
            let time = recorded_time(self.clock.unix(tapped.time));
            watching.datagram(time, tapped, self.server);
        }
        if tapped.is_to_server {
            if self.seen.unanswered.len() < MAX_NOTICES && begins_session(&tapped.bytes) {
                self.seen.unanswered.entry(tapped.client).or_insert(tapped.time);
            }
            if self.seen.clients.len() < MAX_NOTICES && self.seen.clients.insert(tapped.client) {
                self.say(&format!("client at {}", tapped.client));
            }
            return;
        }
        self.seen.unanswered.remove(&tapped.client);
        for notice in notices(&tapped.bytes) {
            let line = format!("{}: {notice}", tapped.client);
            if self.seen.notices.len() < MAX_NOTICES && self.seen.notices.insert(line.clone()) {
                self.say(&line);
            }
        }
    }

    fn idle(&mut self, until: f64, missed: u64) {
        if let Some(recorder) = &mut self.recorder {
            recorder.flush();
            self.tell_failure();
        }
        if let Some(watching) = &mut self.watching {
            watching.advance(recorded_time(self.clock.unix(until)));
        }
        let now = self.clock.now();
        let is_silent = |since: &f64| now - since > SILENT_SECS;
        if self.seen.unanswered.values().any(is_silent) {
            // Each client is told of once.
            self.seen.unanswered.retain(|_, since| !is_silent(since));
            let server = self.server;
            self.status.suspend(|| {
                warn(&format!(
                    "{server}: no answer to a login for {SILENT_SECS} s; is the server running, and is this its lower port?"
                ));
            });
        }
        if now >= self.seen.next_status {
            self.seen.next_status = now + 1.0;
            self.show(now, missed);
        }
    }

    fn tell_failure(&mut self) {
        if let Some(failure) = self.recorder.as_mut().and_then(Recorder::take_failure) {
            self.status.suspend(|| warn(&failure));
        }
    }

    fn show(&mut self, now: f64, missed: u64) {
        let counts = *self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.relay.too_many_clients > 0 && !self.seen.is_room_told {
            self.seen.is_room_told = true;
            self.status
                .suspend(|| warn("there is no room for another client; idle ones make room after a while"));
        }
        let total = counts.relay.to_server.datagrams + counts.relay.to_clients.datagrams;
        let (then, before) = self.seen.last;
        let rate = (total - before) as f64 / (now - then).max(0.001);
        self.seen.last = (now, total);
        let mut words = vec![format!("{now:.0} s"), count(counts.clients as u64, "client", "clients")];
        match &mut self.watching {
            Some(watching) => {
                watching.set_host(counts, missed);
                words.extend(watching.state());
            }
            None => words.push(format!("{rate:.0} datagrams per second")),
        }
        if let Some(recorder) = self.recorder.as_ref().filter(|recorder| recorder.is_recording()) {
            words.push(format!("{} recorded", megabytes(recorder.bytes())));
        }
        if counts.relay.dropped() > 0 {
            words.push(format!("{} dropped", thousands(counts.relay.dropped())));
        }
        if missed > 0 {
            words.push(format!("{} not recorded", thousands(missed)));
        }
        self.status.set(&words.join(", "));
    }

    fn say(&self, words: &str) {
        self.status.suspend(|| tell(words));
    }
}

impl EndedRelay {
    /// Returns whether everything was recorded that should have been.
    pub(crate) fn is_complete(&self) -> bool {
        self.recorder
            .as_ref()
            .is_none_or(|recorder| recorder.is_recording() && self.missed + recorder.missed() == 0)
    }

    /// Prints what the relay has done.
    pub(crate) fn print(&self, out: &mut TextOut) -> Result<()> {
        let Self { counts, recorder, missed } = self;
        let relay = &counts.relay;
        out.paint(Tone::Heading, "relayed\n")?;
        writeln!(out, "client addresses    {}", thousands(relay.clients))?;
        let line =
            |datagrams: u64, bytes: u64| format!("{} datagrams, {}", thousands(datagrams), megabytes(bytes));
        writeln!(out, "to the server       {}", line(relay.to_server.datagrams, relay.to_server.bytes))?;
        writeln!(out, "to clients          {}", line(relay.to_clients.datagrams, relay.to_clients.bytes))?;
        if let (Some(median), Some(most)) = (counts.delays.quantile(0.5), counts.delays.quantile(0.99)) {
            let micros = |secs: f64| thousands((secs * 1e6) as u64);
            writeln!(out, "forwarding took     up to {} µs, 99 % up to {} µs", micros(median), micros(most))?;
        }
        for (number, what) in [
            (relay.not_a_client, "from strangers"),
            (relay.too_many_clients, "because there was no room for another client"),
            (relay.not_the_server, "to a client, not from the server"),
            (relay.closed, "of closed connections"),
            (counts.unsent, "that the system did not send"),
        ] {
            if number > 0 {
                writeln!(out, "dropped             {} {what}", thousands(number))?;
            }
        }
        let Some(recorder) = recorder else { return Ok(out.flush()?) };
        let name = recorder.path().display().to_string();
        let missed = missed + recorder.missed();
        let records = line(recorder.records(), recorder.bytes());
        writeln!(out, "recorded            {records} in {}", one_line(&name))?;
        if missed > 0 {
            writeln!(
                out,
                "not recorded        {}, because the disk was full or too slow",
                thousands(missed)
            )?;
        }
        out.flush()?;
        if recorder.is_recording() && recorder.records() > 0 {
            let older = recorder.older_path().map_or(String::new(), |path| format!("{} ", path.display()));
            tell(&format!("next: evenstride replay {older}{name} -o {name}.html"));
        }
        Ok(())
    }
}

fn megabytes(bytes: u64) -> String {
    if bytes < 100_000 {
        format!("{} bytes", thousands(bytes))
    } else {
        format!("{:.1} MB", bytes as f64 / 1e6)
    }
}
