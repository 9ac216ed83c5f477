//! Listens to a session, and draws each of its connections while it goes on.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    sync::Arc,
};

use evenstride_capture::{CapturedMessage, Connection, ConnectionId, Fault, Listener, Timeline, Totals};
use evenstride_moments::{Moment, MomentKind};
use evenstride_replay::{News, Recorder, ReplayOptions, Script};
use evenstride_types::EntityId;

use crate::{DrawnView, Hub, MetricsText, View};

/// Largest number of connections that are drawn at a time.
pub const MAX_VIEWS: usize = 16;

/// Seconds without a message about motion after which a connection counts as silent, and makes room for
/// another one.
const IDLE_SECS: f64 = 10.0;

/// Seconds by which packets of a capture may be out of order.
const SWAPPED_SECS: f64 = 0.05;

/// Seconds by which a packet may be ahead of the one before. One that is further ahead moves time on only if
/// the next one is, too.
const STRIDE_SECS: f64 = 3.0;

/// Seconds by which a packet must be earlier than those before for the clock to have been set back.
const SET_BACK_SECS: f64 = 1.0;

/// Number of packets of a capture after which everything so far is drawn.
const BATCH: u32 = 512;

/// Shortest time in seconds between two frames, so that no time of a frame equals that of a message that
/// comes later.
const TICK_SECS: f64 = 1e-6;

/// Options of a watch.
#[derive(Clone, Debug)]
pub struct WatchOptions {
    /// Options of the replays. Range, trace and stillness are set by the watch.
    pub replay: ReplayOptions,
    /// Whether time passes by the packets themselves, as in a capture. Otherwise the caller tells it with
    /// [`Watch::advance`].
    pub is_capture: bool,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum WatchEvent {
    /// A connection has its first message about motion, at this time in seconds.
    Began(ConnectionId, f64),
    /// The first message about an entity, its time in seconds, and the entity's name if it has one.
    Entity(ConnectionId, f64, EntityId, Option<String>),
    /// A moment that is known whole, and the name of its entity if it has one.
    Moment(ConnectionId, Box<Moment>, Option<String>),
    /// A connection is no longer drawn, because another one needs the room or the watch ends.
    Ended(ConnectionId, DrawnView),
    /// A part that cannot be read.
    Fault(String),
    /// A connection is not drawn, because there are too many.
    NoRoom(ConnectionId),
}

/// Draws every connection of a session.
///
/// It is the listener of an [`evenstride_capture::Session`].
#[derive(Debug)]
pub struct Watch {
    recorder: Recorder,
    views: BTreeMap<ConnectionId, View>,
    /// Connections for which there was no room, and that were told of.
    refused: BTreeSet<ConnectionId>,
    /// Connections of which something was not drawn, the newest ones.
    cut: BTreeSet<ConnectionId>,
    /// Both ends of each connection.
    ends: BTreeMap<ConnectionId, Connection>,
    /// Number of messages about motion that were drawn, over all connections.
    messages: u64,
    /// Number of moments of each kind, over all connections.
    moments: BTreeMap<MomentKind, u64>,
    options: WatchOptions,
    hub: Option<Arc<Hub>>,
    events: Vec<WatchEvent>,
    captured: CaptureTime,
    packets: u32,
    /// Number of faults that were told.
    faults_told: usize,
    /// Time in seconds up to which everything has arrived.
    until: f64,
    is_done: bool,
}

/// Largest number of events that wait. Further ones are dropped.
const MAX_EVENTS: usize = 10_000;

/// Largest number of connections that are told to have no room.
const MAX_REFUSED: usize = 20;

/// Largest number of connections whose ends are known.
const MAX_KNOWN: usize = 4_096;

impl Watch {
    /// Begins to watch. Pages read from the hub.
    pub fn new(name: &str, options: WatchOptions, hub: Option<Arc<Hub>>) -> Self {
        Self {
            recorder: Recorder::new(name, Timeline::default()).live(),
            views: BTreeMap::new(),
            refused: BTreeSet::new(),
            cut: BTreeSet::new(),
            ends: BTreeMap::new(),
            messages: 0,
            moments: BTreeMap::new(),
            options,
            hub,
            events: Vec::new(),
            captured: CaptureTime::default(),
            packets: 0,
            faults_told: 0,
            until: 0.0,
            is_done: false,
        }
    }

    /// Draws everything up to a time, which is that of packets as they were captured. No packet with an
    /// earlier time may follow.
    pub fn advance(&mut self, until: f64) {
        self.step(Some((until, TICK_SECS)));
    }

    /// Returns whether something has happened since the last call of [`Self::take_events`].
    pub const fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Returns what has happened since the last call.
    pub fn take_events(&mut self) -> Vec<WatchEvent> {
        std::mem::take(&mut self.events)
    }

    /// Returns the number of unreadable parts and implausible times.
    pub fn faults(&self) -> u64 {
        self.recorder.faults().1
    }

    /// Returns the time in seconds up to which everything has arrived.
    pub const fn until(&self) -> f64 {
        self.until
    }

    /// Returns whether nothing about motion has come from a connection for a while.
    pub fn is_silent(&self, view: &View) -> bool {
        view.silence() > IDLE_SECS
    }

    /// Returns the number of connections that could not be drawn.
    pub fn refused(&self) -> usize {
        self.refused.len()
    }

    /// Returns the connections that are drawn.
    pub fn views(&self) -> impl Iterator<Item = (ConnectionId, &View)> {
        self.views.iter().map(|(id, view)| (*id, view))
    }

    /// Returns the address of the client of a connection, if known. JSON recordings have none.
    pub fn client(&self, id: ConnectionId) -> Option<SocketAddr> {
        self.ends.get(&id).map(|ends| ends.client)
    }

    /// Returns the number of messages about motion that were drawn.
    pub const fn messages(&self) -> u64 {
        self.messages
    }

    /// Returns the number of moments of each kind so far.
    pub const fn moments(&self) -> &BTreeMap<MomentKind, u64> {
        &self.moments
    }

    /// Returns the date of second 0 in seconds since 1970, if the packets have dates.
    pub fn start_date(&self) -> Option<f64> {
        self.recorder.timeline().start()
    }

    /// Makes reading stop.
    pub const fn stop(&mut self) {
        self.is_done = true;
    }

    /// Draws the rest of all connections, as a replay of what has come does.
    pub fn draw_rest(&mut self) {
        self.step(None);
    }

    /// Ends all connections, with [`Self::draw_rest`] first.
    pub fn finish(&mut self) {
        self.draw_rest();
        for (id, view) in std::mem::take(&mut self.views) {
            self.end(id, view);
        }
    }

    /// Writes the metrics of all connections.
    pub fn write_metrics(&self, text: &mut MetricsText) {
        for (id, view) in &self.views {
            let connection = id.0.to_string();
            let connection = ("connection", connection.as_str());
            let counts = view.counts();
            let help = "Bodies that are drawn in the last frame, of connections that are not silent.";
            let bodies = if self.is_silent(view) { 0 } else { counts.bodies };
            text.gauge("evenstride_entities", help, &[connection], bodies as f64);
            for (disposition, count) in &counts.updates {
                let labels = [connection, ("disposition", *disposition)];
                let help = "Motion messages of the server by how they were handled.";
                text.counter("evenstride_updates_total", help, &labels, *count as f64);
            }
            for (reason, count) in &counts.corrections {
                let labels = [connection, ("reason", *reason)];
                let help = "Bodies that were placed elsewhere, by reason.";
                text.counter("evenstride_corrections_total", help, &labels, *count as f64);
            }
            let help = "Waypoints that bodies could not reach.";
            text.counter("evenstride_given_up_total", help, &[connection], counts.given_up as f64);
            let known = [("0.5", 0.5), ("0.95", 0.95), ("0.99", 0.99)];
            let quantiles = known.map(|(name, part)| (name, counts.error_quantile(part).unwrap_or(f64::NAN)));
            let help =
                "Distance of drawn bodies from positions that arrive. Quantiles are of the newest 4096.";
            text.summary("evenstride_error_metres", help, &[connection], &quantiles, counts.error_sum());
            let help = "Frames that were drawn.";
            text.counter("evenstride_frames_total", help, &[connection], counts.frames as f64);
            let help = "Messages that came too late to be drawn as a replay of the recording draws them.";
            text.counter("evenstride_late_messages_total", help, &[connection], view.late() as f64);
        }
        for kind in MomentKind::ALL {
            let count = self.moments.get(&kind).copied().unwrap_or_default();
            let help = "What a person would notice, by kind. `gap` is a gap in the updates of an entity.";
            text.counter("evenstride_moments_total", help, &[("kind", kind.name())], count as f64);
        }
    }

    /// Draws everything before a captured time, by at least this many seconds. Without a time, nothing follows,
    /// and everything is drawn.
    fn step(&mut self, reached: Option<(f64, f64)>) {
        self.packets = 0;
        let News { scripts, names } =
            if reached.is_some() { self.recorder.take_news() } else { self.recorder.take_rest() };
        self.tell_faults();
        let present = reached.or_else(|| Some((self.captured.latest?, 0.0)));
        for (id, view) in &mut self.views {
            self.until = self.until.max(view.reach(time_of(&self.recorder, *id, present)));
        }
        let mut news: BTreeMap<ConnectionId, Script> = scripts.into_iter().collect();
        for id in self.views.keys() {
            news.entry(*id).or_default();
        }
        let begin = |script: &Script| script.span().map_or(f64::INFINITY, |(first, _)| first);
        let mut news: Vec<(ConnectionId, Script)> = news.into_iter().collect();
        // A connection that ends makes room for those that begin later, and one that goes on keeps its room.
        let is_new = |id: &ConnectionId| !self.views.contains_key(id);
        news.sort_by(|(one, a), (two, b)| is_new(one).cmp(&is_new(two)).then(begin(a).total_cmp(&begin(b))));
        for (id, mut script) in news {
            if self.has_room(id, &script) {
                // Names are those of all connections, and a new view has missed those that are known already.
                let is_new = self.views.get(&id).is_some_and(|view| view.messages() == 0);
                script.names.extend(if is_new { self.recorder.names().clone() } else { names.clone() });
                let present = time_of(&self.recorder, id, present);
                self.go_on(id, script, present, if reached.is_some() { present } else { f64::INFINITY });
            }
        }
    }

    /// Adds messages to a connection at its present time, and draws it up to a time.
    fn go_on(&mut self, id: ConnectionId, script: Script, present: f64, until: f64) {
        let client = self.client(id);
        let Some(view) = self.views.get_mut(&id) else { return };
        self.messages += script.messages.len() as u64;
        self.until = self.until.max(view.reach(present));
        let until = view.limit(&script, until);
        if let Some(hub) = &self.hub {
            hub.push(id.0, &script, until, self.until);
        }
        let found = view.append(script, until);
        if let Some(hub) = &self.hub {
            let client = client.map(|client| client.to_string()).unwrap_or_default();
            hub.describe(id.0, &client, view.player().and_then(|player| view.name(player)));
        }
        let name = |of: EntityId| view.name(of).map(str::to_owned);
        let of_entities = found.entities.into_iter();
        let of_entities = of_entities.map(|(time, of)| WatchEvent::Entity(id, time, of, name(of)));
        let of_moments = found.moments.into_iter().map(|of| moment_event(id, of, name));
        let all: Vec<WatchEvent> = of_entities.chain(of_moments).collect();
        all.into_iter().for_each(|event| self.tell(event));
    }

    /// Returns whether a connection is drawn. A message about motion begins it, if there is room.
    fn has_room(&mut self, id: ConnectionId, script: &Script) -> bool {
        if self.views.contains_key(&id) {
            return true;
        }
        let Some((time, _)) = script.span() else { return false };
        if self.views.len() >= MAX_VIEWS && !self.make_room() {
            if self.refused.len() < MAX_REFUSED && self.refused.insert(id) {
                self.tell(WatchEvent::NoRoom(id));
            }
            self.cut_off(id);
            return false;
        }
        let view = View::new(self.options.replay.clone());
        self.views.insert(id, if self.cut.contains(&id) { view.into_partial() } else { view });
        self.tell(WatchEvent::Began(id, time));
        true
    }

    /// Ends the connection that has been silent longest, if it is silent at all.
    fn make_room(&mut self) -> bool {
        let longest = self.views.iter().max_by(|(_, one), (_, two)| one.silence().total_cmp(&two.silence()));
        let silent = longest.filter(|(_, view)| view.silence() > IDLE_SECS).map(|(id, _)| *id);
        let Some((id, view)) = silent.and_then(|id| Some((id, self.views.remove(&id)?))) else {
            return false;
        };
        self.end(id, view);
        // What it says later is drawn without what it has said before.
        self.cut_off(id);
        true
    }

    /// Remembers that something of a connection is not drawn.
    fn cut_off(&mut self, id: ConnectionId) {
        self.cut.insert(id);
        if self.cut.len() > MAX_KNOWN {
            let _ = self.cut.pop_first();
        }
    }

    /// Tells of unreadable parts and implausible times that have been found since the last call.
    fn tell_faults(&mut self) {
        let new: Vec<String> = self.recorder.faults().0.iter().skip(self.faults_told).cloned().collect();
        self.faults_told += new.len();
        new.into_iter().for_each(|fault| self.tell(WatchEvent::Fault(fault)));
    }

    fn end(&mut self, id: ConnectionId, view: View) {
        let names = view.names().clone();
        let (drawn, moments) = view.finish();
        let told = moments.into_iter().map(|of| moment_event(id, of, |entity| names.get(&entity).cloned()));
        told.for_each(|event| self.tell(event));
        if let Some(drawn) = drawn {
            self.tell(WatchEvent::Ended(id, drawn));
        }
        if let Some(hub) = &self.hub {
            hub.end_view(id.0);
        }
    }

    fn tell(&mut self, event: WatchEvent) {
        if let WatchEvent::Moment(_, moment, _) = &event {
            *self.moments.entry(moment.kind).or_default() += 1;
        }
        // The end of a connection has its hashes, and is told in any case.
        if self.events.len() < MAX_EVENTS || matches!(event, WatchEvent::Ended(..)) {
            self.events.push(event);
        }
    }

    fn step_by_packets(&mut self) {
        if let Some(latest) = self.captured.latest.filter(|_| self.options.is_capture) {
            self.step(Some((latest, SWAPPED_SECS)));
        }
    }
}

/// Returns the time in seconds on a connection's clock up to which everything has come.
fn time_of(recorder: &Recorder, id: ConnectionId, reached: Option<(f64, f64)>) -> f64 {
    let time = reached.and_then(|(captured, margin)| Some(recorder.reached(id, captured)? - margin));
    time.unwrap_or(f64::NEG_INFINITY)
}

/// The present time of a capture, whose clock may be wrong for a packet or be set.
#[derive(Clone, Copy, Debug, Default)]
struct CaptureTime {
    latest: Option<f64>,
    /// Time of the last packet, if it is far ahead of those before.
    ahead: Option<f64>,
}

impl CaptureTime {
    fn note(&mut self, time: f64) {
        let latest = *self.latest.get_or_insert(time);
        let was_ahead = self.ahead.take();
        if time > latest + STRIDE_SECS && was_ahead.is_none_or(|ahead| time < ahead - SET_BACK_SECS) {
            self.ahead = Some(time);
        } else if time > latest || time < latest - SET_BACK_SECS {
            self.latest = Some(time);
        }
    }
}

fn moment_event(
    id: ConnectionId,
    moment: Moment,
    name: impl FnOnce(EntityId) -> Option<String>,
) -> WatchEvent {
    let name = name(moment.entity);
    WatchEvent::Moment(id, Box::new(moment), name)
}

impl Listener for Watch {
    fn packet(&mut self, time: f64) {
        self.packets += 1;
        if self.packets >= BATCH {
            self.step_by_packets();
        }
        self.recorder.packet(time);
        self.captured.note(time);
    }

    fn message(&mut self, message: &CapturedMessage<'_>) {
        self.recorder.message(message);
    }

    fn fault(&mut self, fault: Fault) {
        self.recorder.fault(fault);
        self.tell_faults();
    }

    fn connected(&mut self, id: ConnectionId, ends: &Connection) {
        if self.ends.len() < MAX_KNOWN {
            self.ends.insert(id, *ends);
        }
    }

    fn waits(&mut self, _: &Totals) {
        self.step_by_packets();
        if let Some(hub) = &self.hub {
            hub.wake();
        }
    }

    fn is_done(&self) -> bool {
        self.is_done
    }
}
