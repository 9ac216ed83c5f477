//! The end of a relay in words.

use std::{io::Write, net::SocketAddr};

use anyhow::Result;
use evenstride_capture::SERVER_PORTS;
use evenstride_live::{HostCounts, Recorder};

use crate::output::{TextOut, Tone, one_line, tell, thousands};

/// A relay that has ended.
pub(crate) struct EndedRelay {
    pub(super) counts: HostCounts,
    /// The server, with its lower port.
    pub(super) server: SocketAddr,
    pub(super) recorder: Option<Recorder>,
    /// Datagrams that were forwarded and not recorded.
    pub(crate) missed: u64,
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
        let Self { counts, server, recorder, missed } = self;
        let relay = &counts.relay;
        out.paint(Tone::Heading, "relayed\n")?;
        writeln!(out, "client addresses    {}", thousands(relay.clients))?;
        let line =
            |datagrams: u64, bytes: u64| format!("{} datagrams, {}", thousands(datagrams), megabytes(bytes));
        writeln!(out, "to the server       {}", line(relay.to_server.datagrams, relay.to_server.bytes))?;
        writeln!(out, "to clients          {}", line(relay.to_clients.datagrams, relay.to_clients.bytes))?;
        if let (Some(median), Some(most)) = (counts.delays.quantile(0.5), counts.delays.quantile(0.99)) {
            let micros = |secs: f64| thousands((secs * 1e6) as u64);
            let (median, most) = (micros(median), micros(most));
            writeln!(out, "forwarding took     half up to {median} µs, 99 % up to {most} µs")?;
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
            let (lower, upper) = (server.port(), server.port().saturating_add(1));
            let is_usual = SERVER_PORTS.contains(&lower) && SERVER_PORTS.contains(&upper);
            let ports = if is_usual { String::new() } else { format!(" --server-ports {lower}-{upper}") };
            tell(&format!("next: evenstride replay {older}{name}{ports} -o {name}.html"));
        }
        Ok(())
    }
}

pub(super) fn megabytes(bytes: u64) -> String {
    if bytes < 100_000 {
        format!("{} bytes", thousands(bytes))
    } else {
        format!("{:.1} MB", bytes as f64 / 1e6)
    }
}
