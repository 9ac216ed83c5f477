//! The state of a relay in words, on a thread of its own. A terminal that takes nothing stops it, and neither
//! the recording nor the relay.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError, atomic::Ordering},
};

use anyhow::Result;
use evenstride_capture::recorded_time;
use evenstride_live::{Clock, HostCounts, Stop, TapReceiver, Tapped};
use evenstride_relay::{begins_session, notices};

use super::{recording::RecordingState, summary::megabytes};
use crate::{
    command::watch::{Ended, Watching},
    output::{StatusLine, count, tell, thousands, warn},
};

/// Seconds after which a server that does not answer is named.
const SILENT_SECS: f64 = 5.0;

/// Largest number of different notices that are printed.
const MAX_NOTICES: usize = 64;

/// Looks at what was forwarded.
pub(super) struct Observer {
    clock: Clock,
    server: SocketAddr,
    watching: Option<Watching>,
    status: StatusLine,
    counts: Arc<Mutex<HostCounts>>,
    recording: Arc<RecordingState>,
    /// Datagrams that were recorded and not observed.
    unseen: u64,
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
    pub(super) fn new(
        clock: Clock,
        server: SocketAddr,
        counts: Arc<Mutex<HostCounts>>,
        recording: Arc<RecordingState>,
        status: StatusLine,
        watching: Option<Watching>,
    ) -> Self {
        let seen = Seen::default();
        Self { clock, server, watching, status, counts, recording, unseen: 0, seen }
    }

    /// Observes until the recording ends.
    pub(super) fn observe(&mut self, recorded: &TapReceiver) {
        recorded.observe_until(&Stop::default(), |tapped, until| match tapped {
            Some(tapped) => self.datagram(tapped),
            None => {
                self.unseen = recorded.dropped();
                self.idle(until);
            }
        });
    }

    /// Ends the watch, if there is one. Returns the number of datagrams that were not recorded, too.
    pub(super) fn finish(self) -> Result<(u64, Option<Ended>)> {
        self.status.clear();
        let missed = self.recording.missed.load(Ordering::Relaxed);
        let ended = self.watching.map(|watching| watching.finish(missed + self.unseen)).transpose()?;
        Ok((missed, ended))
    }

    fn datagram(&mut self, tapped: &Tapped) {
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

    fn idle(&mut self, until: f64) {
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
            self.show(now);
        }
    }

    fn show(&mut self, now: f64) {
        let missed = self.recording.missed.load(Ordering::Relaxed);
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
                watching.set_host(counts, missed + self.unseen);
                words.extend(watching.state());
            }
            None => words.push(format!("{rate:.0} datagrams per second")),
        }
        let recorded = self.recording.bytes.load(Ordering::Relaxed);
        if recorded > 0 {
            words.push(format!("{} recorded", megabytes(recorded)));
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
