//! Events as lines of text, or as JSON.

use std::{collections::VecDeque, io::Write as _};

use anyhow::Result;
use evenstride_capture::{ConnectionId, Totals};
use evenstride_moments::{sentence_of, typed_moment};
use evenstride_types::EntityId;
use evenstride_watch::{DrawnView, MAX_VIEWS, View, Watch, WatchEvent};
use serde_json::{Value, json};

use crate::output::{self, TextOut, Tone, count, one_line, tell, warn};

/// Shortest time in seconds over which a rate is measured.
const LEAST_SECS: f64 = 0.5;

/// What goes on at this moment.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    connections: usize,
    bodies: u64,
    rate: f64,
    /// Time and number of messages from which the next rate counts.
    rated: (f64, u64),
    loss: Loss,
    /// Connection, name, and error in metres of the entity that is farthest off.
    worst: Option<(ConnectionId, EntityId, String, f64)>,
    /// Latest time in seconds up to which everything has arrived.
    time: f64,
    /// Messages about motion.
    pub(super) messages: u64,
    /// Moments.
    pub(super) moments: u64,
}

impl State {
    pub(super) fn measure(&mut self, watch: &Watch, totals: &Totals) {
        let present = || watch.views().filter(|(_, view)| !watch.is_silent(view));
        self.connections = present().count();
        self.bodies = present().map(|(_, view)| view.counts().bodies).sum();
        let (now, messages) = (watch.until(), watch.messages());
        // Rates are those of the session, also where a capture is read faster than it was.
        if now - self.rated.0 >= LEAST_SECS {
            self.rate = (messages - self.rated.1) as f64 / (now - self.rated.0);
            self.rated = (now, messages);
        }
        self.loss.measure(now, totals);
        let worst = |(id, view): (ConnectionId, &View)| {
            view.counts().worst_now().map(|(entity, metres)| (id, entity, view.called(entity), metres))
        };
        self.worst = present().filter_map(worst).max_by(|one, other| one.3.total_cmp(&other.3));
        self.time = now;
        self.messages = watch.messages();
    }

    /// Returns the state in words.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = vec![
            count(self.connections as u64, "connection", "connections"),
            count(self.bodies, "entity", "entities"),
            format!("{:.0} updates per second", self.rate),
        ];
        words.push(format!("{:.1} % lost", 100.0 * self.loss.part()));
        if let Some((_, _, name, metres)) = &self.worst {
            words.push(format!("worst {metres:.2} m, {name}"));
        }
        words
    }

    fn json(&self) -> Value {
        let worst = self.worst.as_ref().map(|(id, entity, name, metres)| {
            json!({ "connection": id.0, "entity": entity.to_string(), "name": name, "metres": metres })
        });
        json!({
            "event": "state",
            "time": self.time,
            "connections": self.connections,
            "entities": self.bodies,
            "updates_per_second": self.rate,
            "loss": self.loss.part(),
            "worst": worst,
            "messages": self.messages,
            "moments": self.moments,
        })
    }
}

/// Packets that were lost lately, in both directions. Those that were lost before this place in the network
/// are missing here until they are sent again, and those that were lost behind it are sent twice.
#[derive(Clone, Debug, Default)]
struct Loss {
    /// Times in seconds, packets, packets that were sent again, and missing ones, the newest last.
    measured: VecDeque<(f64, u64, u64, u64)>,
}

/// Seconds over which losses are counted.
const LOSS_SECS: f64 = 10.0;

impl Loss {
    fn measure(&mut self, now: f64, totals: &Totals) {
        // Time stands still while nothing has ever come, or nothing comes any more.
        if self.measured.back().is_some_and(|(time, ..)| *time >= now) {
            self.measured.pop_back();
        }
        self.measured.push_back((now, totals.datagrams, totals.retransmissions, totals.gaps));
        while self.measured.get(1).is_some_and(|(time, ..)| now - time > LOSS_SECS) {
            self.measured.pop_front();
        }
    }

    /// Returns the part of the packets that were lost, from 0 to 1.
    fn part(&self) -> f64 {
        let (Some(from), Some(to)) = (self.measured.front(), self.measured.back()) else { return 0.0 };
        let again = to.2.saturating_sub(from.2);
        let missing = to.3.saturating_sub(from.3);
        let sent = to.1.saturating_sub(from.1) + missing;
        (again + missing).min(sent) as f64 / sent.max(1) as f64
    }
}

/// Prints what happens.
pub(super) struct Printer {
    out: TextOut,
    is_json: bool,
    /// Whether nothing is printed any more, because it has no readers.
    is_silent: bool,
    /// Number of connections so far.
    connections: usize,
}

impl Printer {
    pub(super) fn new(is_json: bool) -> Self {
        let out = if is_json { output::json() } else { output::text() };
        Self { out, is_json, is_silent: false, connections: 0 }
    }

    /// Prints nothing from now on. Notes are still told.
    pub(super) const fn silence(&mut self) {
        self.is_silent = true;
    }

    pub(super) fn event(&mut self, watch: &Watch, event: &WatchEvent) -> Result<()> {
        self.connections += usize::from(matches!(event, WatchEvent::Began(..)));
        if self.is_json {
            return match json_of(watch, event) {
                Some(value) => self.line(&value),
                None => Ok(()),
            };
        }
        match event {
            WatchEvent::Began(id, time) => {
                tell(&format!("{time:.2} s: connection {}{}", id.0, client(watch, *id)))
            }
            WatchEvent::Moment(..) if self.is_silent => {}
            WatchEvent::Moment(id, moment, name) => {
                let called = called(moment.entity, name.as_deref());
                write!(self.out, "{:>9.2} s  ", moment.from)?;
                if self.connections > 1 {
                    write!(self.out, "[{}] ", id.0)?;
                }
                self.out.paint(Tone::Heading, &format!("{:<15}", moment.kind))?;
                writeln!(self.out, " {}", one_line(&sentence_of(moment, &called)))?;
            }
            WatchEvent::Fault(words) => warn(words),
            WatchEvent::NoRoom(id) => {
                warn(&format!("connection {}: not drawn as long as {MAX_VIEWS} others are not silent", id.0));
            }
            // Every creature in sight would be a line, and the summary tells the end.
            WatchEvent::Entity(..) | WatchEvent::Ended(..) => {}
        }
        Ok(())
    }

    pub(super) fn state(&mut self, state: &State) -> Result<()> {
        if self.is_json {
            self.line(&state.json())?;
            self.flush()?;
        }
        Ok(())
    }

    pub(super) fn flush(&mut self) -> Result<()> {
        if self.is_silent { Ok(()) } else { Ok(self.out.flush()?) }
    }

    /// Tells that nothing has come from a connection for a while.
    pub(super) fn fell_silent(&mut self, watch: &Watch, id: ConnectionId) -> Result<()> {
        if self.is_json {
            return self.line(&json!({ "event": "silent", "time": watch.until(), "connection": id.0 }));
        }
        tell(&format!("{:.2} s: connection {} is silent", watch.until(), id.0));
        Ok(())
    }

    fn line(&mut self, value: &Value) -> Result<()> {
        if self.is_silent {
            return Ok(());
        }
        serde_json::to_writer(&mut self.out, value)?;
        Ok(writeln!(self.out)?)
    }
}

/// Returns an event as JSON. The end of a connection is told after everything else.
fn json_of(watch: &Watch, event: &WatchEvent) -> Option<Value> {
    Some(match event {
        WatchEvent::Began(id, time) => json!({
            "event": "connected",
            "time": time,
            "connection": id.0,
            "client": watch.client(*id).map(|client| client.to_string()),
            "start_date": watch.start_date(),
        }),
        WatchEvent::Entity(id, time, entity, name) => json!({
            "event": "entity",
            "time": time,
            "connection": id.0,
            "entity": entity.to_string(),
            "name": name,
        }),
        WatchEvent::Moment(id, moment, name) => {
            let called = called(moment.entity, name.as_deref());
            let mut value = typed_moment(moment, name.as_deref(), &called);
            value["event"] = json!("moment");
            value["connection"] = json!(id.0);
            value
        }
        WatchEvent::Fault(words) => json!({ "event": "fault", "words": words }),
        WatchEvent::NoRoom(id) => json!({ "event": "no_room", "connection": id.0 }),
        WatchEvent::Ended(..) => return None,
    })
}

/// Returns the end of a connection as JSON.
pub(super) fn ended_json(id: ConnectionId, view: &DrawnView) -> Value {
    json!({
        "event": "ended",
        "connection": id.0,
        "frames": view.frames,
        "updates": view.updates,
        "late": view.late,
        "partial": view.is_partial,
        "state_hash": format!("0x{:016X}", view.state_hash),
        "drawn_hash": format!("0x{:016X}", view.drawn_hash),
    })
}

fn called(entity: EntityId, name: Option<&str>) -> String {
    name.map_or_else(|| entity.to_string(), str::to_owned)
}

fn client(watch: &Watch, id: ConnectionId) -> String {
    watch.client(id).map_or_else(String::new, |client| format!(" of the client at {client}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a session, time stands still, and every second once took more memory.
    #[test]
    fn losses_are_those_of_the_last_seconds_and_take_no_more_room() {
        let mut totals = Totals::default();
        let mut loss = Loss::default();
        for second in 0..100 {
            (totals.datagrams, totals.retransmissions) = (10 * second, second.min(50));
            loss.measure(second as f64, &totals);
            assert!(loss.measured.len() <= 12, "{}", loss.measured.len());
        }
        assert_eq!(loss.part(), 0.0, "nothing was lost for a while");
        (totals.datagrams, totals.retransmissions) = (1_000, 60);
        for _ in 0..1_000 {
            loss.measure(99.0, &totals);
        }
        assert!(loss.measured.len() <= 12 && loss.part() > 0.0, "{loss:?}");
    }
}
