//! What the watching thread and the threads of pages share. Neither waits for what the other does with it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use evenstride_replay::Script;
use serde_json::{Value, json};

use crate::{Backlog, Chunk, MAX_BACKLOG_BYTES, Missed};

/// Largest number of ended connections that pages can still open.
const MAX_ENDED: usize = 4;

/// Number of bytes after which a page gets what it has so far, and the rest later.
const BYTES_AT_ONCE: usize = 256 << 10;

/// A connection as pages name it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewInfo {
    /// Address of the client.
    pub client: String,
    /// Name of the player, if known.
    pub player: Option<String>,
    /// Whether it has ended.
    pub has_ended: bool,
}

/// Something for a page.
#[derive(Clone, Debug)]
pub enum PageEvent {
    /// A recording begins. What the page has of another one is over.
    Begin(u32),
    /// Messages were dropped before the page could read them. A `Begin` and what still holds follow.
    Missed(Missed),
    /// Messages of a connection.
    More(u32, Arc<Chunk>),
    /// Nothing further has arrived up to the time `until` in seconds, after which the page draws no more.
    Until {
        /// Last time that is drawn.
        until: f64,
        /// The present time.
        now: f64,
        /// The connection that got the newest message.
        active: Option<u32>,
    },
    /// The connections, as JSON.
    Views(Value),
    /// Nothing more will come, with the reason in words.
    End(String),
}

/// What a page has read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cursor {
    /// The connection that the reader of the page chose, or `None` for the present one.
    chosen: Option<u32>,
    /// The connection that it has, and the number of the last chunk.
    read: Option<(u32, u64)>,
    /// What it was told last: the end of the drawing, and the present time.
    until: (f64, f64),
    version: u64,
    has_ended: bool,
}

impl Cursor {
    pub(crate) fn new(chosen: Option<u32>, read: Option<(u32, u64)>) -> Self {
        let until = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        Self { chosen, read, until, ..Self::default() }
    }
}

/// Messages for pages, and metrics.
#[derive(Debug, Default)]
pub struct Hub {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    max_backlog_bytes: usize,
    views: BTreeMap<u32, Shown>,
    /// The present time in seconds.
    now: f64,
    /// Number of changes of `views` that pages are told of.
    version: u64,
    end: Option<String>,
    metrics: String,
}

impl Default for State {
    fn default() -> Self {
        Self {
            max_backlog_bytes: MAX_BACKLOG_BYTES,
            views: BTreeMap::new(),
            now: 0.0,
            version: 0,
            end: None,
            metrics: String::new(),
        }
    }
}

#[derive(Debug, Default)]
struct Shown {
    info: ViewInfo,
    backlog: Backlog,
    until: f64,
    /// Time in seconds of the last message.
    last: f64,
}

impl Hub {
    /// Limits the memory of the messages of one connection, in bytes (default: [`MAX_BACKLOG_BYTES`]).
    #[must_use]
    pub fn with_max_backlog_bytes(self, bytes: usize) -> Self {
        self.lock().max_backlog_bytes = bytes;
        self
    }

    /// Returns the memory of all messages that pages can still read, in bytes.
    pub fn backlog_bytes(&self) -> usize {
        self.lock().views.values().map(|shown| shown.backlog.bytes()).sum()
    }

    /// Adds messages of a connection, all of which have arrived by the time `until` in seconds. `now` is the
    /// present time, which goes on also when nothing arrives any more.
    pub fn push(&self, connection: u32, script: &Script, until: f64, now: f64) {
        let mut state = self.lock();
        state.now = state.now.max(now);
        let is_new = !state.views.contains_key(&connection);
        if is_new && script.messages.is_empty() {
            return;
        }
        let bytes = state.max_backlog_bytes;
        let backlog = || Backlog::default().with_max_bytes(bytes);
        let shown =
            state.views.entry(connection).or_insert_with(|| Shown { backlog: backlog(), ..Shown::default() });
        shown.until = shown.until.max(until);
        if let Some((_, last)) = script.span() {
            shown.last = last;
        }
        let is_back = shown.info.has_ended && !script.messages.is_empty();
        shown.info.has_ended &= !is_back;
        shown.backlog.push(script, until);
        if is_new || is_back {
            state.version += 1;
            state.forget_ended();
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Tells pages more about a connection.
    pub fn describe(&self, connection: u32, client: &str, player: Option<&str>) {
        let mut state = self.lock();
        let Some(shown) = state.views.get_mut(&connection) else { return };
        let info = ViewInfo {
            client: client.to_owned(),
            player: player.map(str::to_owned),
            has_ended: shown.info.has_ended,
        };
        if shown.info != info {
            shown.info = info;
            state.version += 1;
        }
    }

    /// Replaces the metrics.
    pub fn set_metrics(&self, text: String) {
        self.lock().metrics = text;
    }

    /// Returns the metrics.
    pub fn metrics(&self) -> String {
        self.lock().metrics.clone()
    }

    /// Tells pages that nothing more will come.
    pub fn end(&self, words: &str) {
        self.lock().end = Some(words.to_owned());
        self.changed.notify_all();
    }

    /// Tells pages that time has passed.
    pub(crate) fn wake(&self) {
        self.changed.notify_all();
    }

    pub(crate) fn end_view(&self, connection: u32) {
        let mut state = self.lock();
        if let Some(shown) = state.views.get_mut(&connection) {
            shown.info.has_ended = true;
            state.version += 1;
        }
    }

    /// Returns what is new for a page. Waits for at most this time if there is nothing.
    pub(crate) fn next(&self, cursor: &mut Cursor, patience: Duration) -> Vec<PageEvent> {
        let mut state = self.lock();
        for _ in 0..2 {
            let events = state.news(cursor);
            if !events.is_empty() {
                return events;
            }
            let waited = self.changed.wait_timeout(state, patience);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.time(cursor).into_iter().collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn news(&self, cursor: &mut Cursor) -> Vec<PageEvent> {
        let mut events = Vec::new();
        if cursor.version != self.version {
            cursor.version = self.version;
            events.push(PageEvent::Views(self.list()));
        }
        // A page stays with what it shows, unless its reader chooses something else.
        let is_known = |id: &u32| self.views.contains_key(id);
        let shown = cursor.read.map(|(id, _)| id).filter(is_known);
        let wanted = cursor.chosen.filter(is_known).or(shown).or_else(|| self.active());
        if let Some(id) = wanted
            && let Some(shown) = self.views.get(&id)
        {
            let known = cursor.read.filter(|(of, _)| *of == id);
            let chunks = known.and_then(|(_, number)| shown.backlog.after(number, BYTES_AT_ONCE));
            let chunks = chunks.unwrap_or_else(|| begin(id, shown, known.is_some(), cursor, &mut events));
            let last = chunks.last().map(|chunk| chunk.number);
            if let Some(number) = last {
                cursor.read = Some((id, number));
                // The present time follows as soon as there is nothing else.
                cursor.until = (shown.until, f64::NEG_INFINITY);
            }
            events.extend(chunks.into_iter().map(|chunk| PageEvent::More(id, chunk)));
        }
        let is_all_read = events.is_empty();
        if let Some(words) = self.end.as_ref().filter(|_| is_all_read && !cursor.has_ended) {
            cursor.has_ended = true;
            events.extend(self.time(cursor));
            events.push(PageEvent::End(words.clone()));
        }
        events
    }

    /// Returns the time, if a page does not know it yet.
    fn time(&self, cursor: &mut Cursor) -> Option<PageEvent> {
        let shown = cursor.read.and_then(|(id, _)| self.views.get(&id))?;
        let time = (shown.until, self.now);
        if cursor.until == time {
            return None;
        }
        cursor.until = time;
        Some(PageEvent::Until { until: shown.until, now: self.now, active: self.active() })
    }

    /// Returns the connection that got the newest message, and of those the newest one.
    fn active(&self) -> Option<u32> {
        let newest =
            self.views.iter().max_by(|(one, a), (two, b)| a.last.total_cmp(&b.last).then(one.cmp(two)));
        newest.map(|(id, _)| *id)
    }

    fn list(&self) -> Value {
        let views = self.views.iter().map(|(id, shown)| {
            json!({
                "connection": id,
                "client": shown.info.client,
                "player": shown.info.player,
                "has_ended": shown.info.has_ended,
            })
        });
        json!({ "views": views.collect::<Vec<_>>() })
    }

    /// Forgets the messages of connections that ended long ago.
    fn forget_ended(&mut self) {
        let ended: Vec<u32> =
            self.views.iter().filter(|(_, shown)| shown.info.has_ended).map(|(id, _)| *id).collect();
        for id in ended.iter().take(ended.len().saturating_sub(MAX_ENDED)) {
            self.views.remove(id);
        }
    }
}

/// Begins a recording for a page, with all that is left of it.
fn begin(
    id: u32,
    shown: &Shown,
    has_missed: bool,
    cursor: &mut Cursor,
    events: &mut Vec<PageEvent>,
) -> Vec<Arc<Chunk>> {
    let start = match shown.backlog.beginning() {
        None => {
            events.push(PageEvent::Begin(id));
            0
        }
        Some((start, missed, base)) => {
            // A page that begins later than the recording has missed something, too.
            if has_missed || missed.messages > 0 {
                events.push(PageEvent::Missed(missed));
            }
            events.push(PageEvent::Begin(id));
            events.push(PageEvent::More(id, base));
            start
        }
    };
    cursor.read = Some((id, start));
    cursor.until = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    shown.backlog.after(start, BYTES_AT_ONCE).unwrap_or_default()
}
