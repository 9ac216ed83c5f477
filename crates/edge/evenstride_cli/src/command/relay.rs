//! `evenstride relay`: forwards and records.
//!
//! ```text
//! RelayHost ─► Recording ─► Observer      one thread each, with bounded queues between them
//! ```

mod observer;
mod recording;
mod summary;

use std::{net::SocketAddr, process::ExitCode, thread};

use anyhow::{Result, anyhow, bail};
use evenstride_live::{
    Clock, LoginPrivacy, RecordOptions, Recorder, RelayHost, RelayOptions, Stop, Tap, TapReceiver, resolve,
    resolve_server, tap,
};
use evenstride_relay::RelayConfig;

use self::{observer::Observer, recording::Recording, summary::EndedRelay};
use crate::{
    args::{RelayArgs, ThroughArgs},
    command::watch::{Ended, Watching},
    live::{ends_after, neighbours, stop_on_ctrl_c},
    output::{self, StatusLine, tell, warn},
};

/// Datagrams that wait for the recorder, and for the observer. Further ones are forwarded and not recorded, or
/// recorded and not observed.
const QUEUE: usize = 1 << 14;

/// Address for clients, unless the user says otherwise.
const LISTEN: &str = "127.0.0.1:9000";

pub(crate) fn run(args: &RelayArgs) -> Result<ExitCode> {
    let stop = stop_on_ctrl_c()?;
    let relayed = Relayed::bind(&args.server, &args.through)?.record(&args.through)?;
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

impl Relayed {
    /// Opens the ports.
    pub(crate) fn bind(server: &str, args: &ThroughArgs) -> Result<Self> {
        let clock = Clock::start();
        let server = resolve_server(server)?;
        let (tap, receiver) = tap(QUEUE);
        let host = bind(args, server, clock, tap)?;
        Ok(Self { clock, server, host, receiver, recorder: None })
    }

    /// Begins the recording if one is wanted, and says where clients connect. It is the last thing that can
    /// fail, because a file that exists is not written again.
    pub(crate) fn record(mut self, args: &ThroughArgs) -> Result<Self> {
        self.recorder = recorder(args, self.server, self.clock)?;
        announce(args, self.host.address(), self.server, self.recorder.as_ref());
        Ok(self)
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
        let status = StatusLine::new();
        let watching = watching.map(|watching| watching.with_status(status.clone()));
        let (onward, recorded) = tap(QUEUE);
        let mut recording = Recording::new(recorder, onward, status.clone());
        let mut observer =
            Observer::new(clock, server, host.shared_counts(), recording.state(), status, watching);
        // Whatever ends one of these threads ends the relay, because nothing would be recorded or told.
        let recording = thread::spawn({
            let stop = stop.clone();
            move || {
                recording.run(&receiver);
                stop.request();
                recording.finish()
            }
        });
        let observing = thread::spawn({
            let stop = stop.clone();
            move || {
                observer.observe(&recorded);
                stop.request();
                observer
            }
        });
        let run = host.run(stop);
        stop.request();
        // The threads end when everything that was forwarded has reached them.
        drop(host);
        let recorder = recording.join().map_err(|_| anyhow!("the recorder failed"))?;
        let observer = observing.join().map_err(|_| anyhow!("the observer failed"))?;
        let counts = run?;
        let (missed, ended) = observer.finish()?;
        Ok((EndedRelay { counts, server, recorder, missed }, ended))
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
