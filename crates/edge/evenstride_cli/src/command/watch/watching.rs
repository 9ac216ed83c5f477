//! A session that is decoded and drawn while it goes on.

use std::{
    collections::BTreeSet, io::Write as _, net::SocketAddr, ops::RangeInclusive, sync::Arc, time::Instant,
};

use anyhow::Result;
use evenstride_capture::{CapturedMessage, Connection, ConnectionId, Fault, Listener, Session, Totals};
use evenstride_live::{HostCounts, Stop, Tapped};
use evenstride_watch::{Hub, Watch, WatchEvent, WatchOptions};

use super::{
    metrics::{self, Measured},
    printer::{Printer, State, ended_json},
};
use crate::output::{self, StatusLine, Tone, count, print_json, thousands, warn};

/// Seconds between two states.
const STATE_SECS: f64 = 1.0;

/// A session that is drawn while it goes on.
pub(crate) struct Watching {
    session: Session<Live>,
    ports: RangeInclusive<u16>,
}

impl Watching {
    /// Begins to watch. The end is requested if the output closes.
    pub(super) fn new(
        name: &str,
        options: WatchOptions,
        server_ports: RangeInclusive<u16>,
        hub: Option<Arc<Hub>>,
        is_json: bool,
        stop: &Stop,
    ) -> Self {
        let live = Live {
            watch: Watch::new(name, options, hub.clone()),
            printer: Printer::new(is_json),
            status: StatusLine::new(),
            hub,
            host: None,
            missed: 0,
            broken: 0,
            totals: Totals::default(),
            stop: stop.clone(),
            is_relayed: false,
            failure: None,
            began: Instant::now(),
            last: 0.0,
            state: State::default(),
            silent: BTreeSet::new(),
            ended: Vec::new(),
        };
        // Monitoring systems may ask before the first message.
        live.set_metrics(&Totals::default());
        let ports = server_ports.clone();
        Self { session: Session::with_server_ports(live, server_ports), ports }
    }

    /// Uses the line of another part for the state, which that part sets.
    pub(crate) fn with_status(mut self, status: StatusLine) -> Self {
        self.session.listener.status = status;
        self.session.listener.is_relayed = true;
        self
    }

    pub(super) const fn session(&mut self) -> &mut Session<Live> {
        &mut self.session
    }

    /// Tells what happens to the source.
    pub(super) fn tell(&self, words: &str) {
        self.session.listener.status.suspend(|| warn(words));
    }

    /// Tells why the rest of the source cannot be read.
    pub(super) fn fail(&mut self, words: &str) {
        self.tell(words);
        self.session.listener.broken += 1;
    }

    /// Adds a datagram of a relay, with the time that its recording has.
    pub(crate) fn datagram(&mut self, time: f64, tapped: &Tapped, server: SocketAddr) {
        let server = tapped.server_address(server);
        let (from, to) = if tapped.is_to_server { (tapped.client, server) } else { (server, tapped.client) };
        self.session.datagram(time, from, to, &tapped.bytes);
    }

    /// Draws everything up to a time, before which no further datagram comes.
    pub(crate) fn advance(&mut self, until: f64) {
        let totals = self.session.totals();
        let live = &mut self.session.listener;
        live.watch.advance(until);
        live.watch.waits(&totals);
        live.report(&totals);
    }

    /// Takes the counts of the relay, and the number of datagrams that were not seen here.
    pub(crate) const fn set_host(&mut self, counts: HostCounts, missed: u64) {
        let live = &mut self.session.listener;
        (live.host, live.missed) = (Some(counts), missed);
    }

    /// Returns the present state in words.
    pub(crate) fn state(&self) -> Vec<String> {
        self.session.listener.state.words()
    }

    /// Draws the rest.
    pub(crate) fn finish(mut self, missed: u64) -> Result<Ended> {
        let totals = self.session.totals();
        let live = &mut self.session.listener;
        live.missed = missed;
        live.watch.draw_rest();
        live.report(&totals);
        // Ended connections have neither a state nor metrics, so both are told before.
        live.measure(&totals);
        live.watch.finish();
        live.report(&totals);
        live.status.clear();
        let faults = live.watch.faults() + live.broken;
        let refused = live.watch.refused();
        match live.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(Ended {
                views: std::mem::take(&mut live.ended),
                state: live.state.clone(),
                faults,
                missed,
                refused,
                totals,
                ports: self.ports,
            }),
        }
    }
}

/// What was watched.
pub(crate) struct Ended {
    views: Vec<(ConnectionId, evenstride_watch::DrawnView)>,
    state: State,
    /// Unreadable parts, and implausible times.
    faults: u64,
    missed: u64,
    /// Connections for which there was no room.
    refused: usize,
    totals: Totals,
    ports: RangeInclusive<u16>,
}

impl Ended {
    /// Returns why nothing was drawn, if nothing was.
    pub(super) fn nothing(&self) -> Option<String> {
        if self.state.messages > 0 || !self.views.is_empty() {
            return None;
        }
        let Totals { datagrams, skipped, .. } = self.totals;
        let advice = if datagrams == 0 && skipped > 0 {
            let (from, to) = (self.ports.start(), self.ports.end());
            let frames = count(skipped, "frame", "frames");
            format!(
                "; none of the {frames} is UDP from or to ports {from} to {to}; if your server uses other ports, use --server-ports, like --server-ports 12000-12001"
            )
        } else {
            String::new()
        };
        Some(format!("nothing can be watched, because no message about motion came{advice}"))
    }

    /// Returns whether everything was read, and drawn as a replay of the recording draws it.
    pub(super) fn is_whole(&self) -> bool {
        let is_drawn = self.views.iter().all(|(_, view)| view.late == 0 && !view.is_partial);
        is_drawn && self.faults + self.missed == 0 && self.refused == 0
    }

    /// Prints the summary.
    pub(super) fn print(&self, is_json: bool) -> Result<()> {
        if is_json {
            return self.views.iter().try_for_each(|(id, view)| print_json(&ended_json(*id, view)));
        }
        let mut out = output::text();
        out.paint(Tone::Heading, "watched\n")?;
        writeln!(out, "messages            {}", thousands(self.state.messages))?;
        writeln!(out, "moments             {}", thousands(self.state.moments))?;
        if self.views.is_empty() {
            writeln!(out, "drawn               nothing, because no message places an entity")?;
        }
        for (id, view) in &self.views {
            writeln!(
                out,
                "connection {:<8} {}, state 0x{:016X}, drawn 0x{:016X}",
                id.0,
                count(view.frames, "frame", "frames"),
                view.state_hash,
                view.drawn_hash
            )?;
            if view.late > 0 {
                writeln!(
                    out,
                    "                    {} came too late, so a replay of the recording draws it differently",
                    count(view.late, "message", "messages")
                )?;
            }
            if view.is_partial {
                writeln!(
                    out,
                    "                    drawn from its middle, so a replay of the recording draws it differently"
                )?;
            }
        }
        if self.refused > 0 {
            writeln!(out, "not drawn           {}", count(self.refused as u64, "connection", "connections"))?;
        }
        if self.missed > 0 {
            writeln!(out, "not watched         {}", count(self.missed, "datagram", "datagrams"))?;
        }
        if self.faults > 0 {
            writeln!(out, "faults              {}", thousands(self.faults))?;
        }
        Ok(out.flush()?)
    }
}

/// Listens to the session, and tells what happens.
pub(super) struct Live {
    watch: Watch,
    printer: Printer,
    status: StatusLine,
    hub: Option<Arc<Hub>>,
    host: Option<HostCounts>,
    missed: u64,
    /// Sources that could not be read to their end.
    broken: u64,
    totals: Totals,
    stop: Stop,
    /// Whether clients play through this program, so that it must not end early.
    is_relayed: bool,
    failure: Option<anyhow::Error>,
    began: Instant,
    /// Time of the last state, in seconds since the beginning.
    last: f64,
    state: State,
    /// Connections from which nothing comes.
    silent: BTreeSet<ConnectionId>,
    ended: Vec<(ConnectionId, evenstride_watch::DrawnView)>,
}

impl Live {
    /// Tells what has happened since the last call, and the state if a second has passed.
    fn report(&mut self, totals: &Totals) {
        if let Err(failure) = self.tell() {
            self.fail(failure);
        }
        if self.began.elapsed().as_secs_f64() - self.last >= STATE_SECS {
            self.measure(totals);
        }
    }

    fn tell(&mut self) -> Result<()> {
        let events = self.watch.take_events();
        if events.is_empty() {
            return Ok(());
        }
        let Self { watch, printer, status, state, ended, .. } = self;
        for event in &events {
            match event {
                WatchEvent::Moment(..) => state.moments += 1,
                WatchEvent::Ended(id, view) => ended.push((*id, view.clone())),
                _ => {}
            }
        }
        status.suspend(|| {
            events.iter().try_for_each(|event| printer.event(watch, event))?;
            printer.flush()
        })
    }

    /// Measures the state, and hands it on.
    fn measure(&mut self, totals: &Totals) {
        self.last = self.began.elapsed().as_secs_f64();
        self.state.measure(&self.watch, totals);
        if let Err(failure) = self.tell_silence() {
            self.fail(failure);
        }
        let told = self.status.suspend(|| self.printer.state(&self.state));
        if let Err(failure) = told {
            self.fail(failure);
        }
        if self.host.is_none() {
            self.status.set(&self.state.words().join(", "));
        }
        self.set_metrics(totals);
    }

    /// Tells which connections have fallen silent since the last call.
    fn tell_silence(&mut self) -> Result<()> {
        let Self { watch, printer, status, silent, .. } = self;
        let now: BTreeSet<ConnectionId> =
            watch.views().filter(|(_, view)| watch.is_silent(view)).map(|(id, _)| id).collect();
        let new: Vec<ConnectionId> = now.difference(silent).copied().collect();
        *silent = now;
        if new.is_empty() {
            return Ok(());
        }
        status.suspend(|| {
            new.into_iter().try_for_each(|id| printer.fell_silent(watch, id))?;
            printer.flush()
        })
    }

    fn set_metrics(&self, totals: &Totals) {
        if let Some(hub) = &self.hub {
            let host = self.host.as_ref();
            hub.set_metrics(metrics::text(&Measured {
                watch: &self.watch,
                totals,
                host,
                missed: self.missed,
            }));
        }
    }

    /// Ends the watch, because what it tells reaches nothing. A relay goes on, because clients need it.
    fn fail(&mut self, failure: anyhow::Error) {
        if self.is_relayed {
            self.printer.silence();
            let words =
                format!("output: {failure:#}; nothing more is printed, and the relay goes on until Ctrl-C");
            return self.status.suspend(|| warn(&words));
        }
        self.failure.get_or_insert(failure);
        self.stop.request();
    }
}

impl Listener for Live {
    fn packet(&mut self, time: f64) {
        self.watch.packet(time);
        if self.watch.has_events() {
            let totals = self.totals;
            self.report(&totals);
        }
    }

    fn message(&mut self, message: &CapturedMessage<'_>) {
        self.watch.message(message);
    }

    fn fault(&mut self, fault: Fault) {
        self.watch.fault(fault);
    }

    fn connected(&mut self, id: ConnectionId, ends: &Connection) {
        self.watch.connected(id, ends);
    }

    fn waits(&mut self, totals: &Totals) {
        self.totals = *totals;
        self.watch.waits(totals);
        self.report(totals);
    }

    fn is_done(&self) -> bool {
        self.stop.is_requested()
    }
}
