//! The messages of one connection that pages have not read yet, within a bound.

use std::{collections::VecDeque, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use evenstride_replay::Script;
use serde_json::json;

use crate::standing::Standing;

/// Largest memory of a backlog in bytes. Beyond it, its oldest quarter is replaced by what still holds.
pub const MAX_BACKLOG_BYTES: usize = 64 << 20;

/// Messages, ready to be sent to pages.
#[derive(Debug)]
pub struct Chunk {
    /// Number of the chunk, from 1.
    pub number: u64,
    /// Number of messages.
    pub messages: u64,
    /// Time in seconds of the first message.
    pub from: f64,
    /// JSON with the script in base 64, and the time up to which everything has arrived.
    pub json: String,
    script: Vec<u8>,
}

/// What a page has missed, because it has not read for too long.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Missed {
    /// Number of messages.
    pub messages: u64,
    /// Seconds from the first to the last of them.
    pub seconds: f64,
}

/// Chunks in order. A page that has read some of them goes on where it was.
#[derive(Debug)]
pub struct Backlog {
    chunks: VecDeque<Arc<Chunk>>,
    /// Number of the next chunk.
    next: u64,
    bytes: usize,
    max_bytes: usize,
    standing: Standing,
    dropped_messages: u64,
    first: Option<f64>,
    /// What still holds of the dropped chunks.
    base: Option<Arc<Chunk>>,
}

impl Default for Backlog {
    fn default() -> Self {
        Self {
            chunks: VecDeque::new(),
            next: 1,
            bytes: 0,
            max_bytes: MAX_BACKLOG_BYTES,
            standing: Standing::default(),
            dropped_messages: 0,
            first: None,
            base: None,
        }
    }
}

impl Backlog {
    /// Limits the memory, in bytes.
    #[must_use]
    pub const fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Adds messages, all of which have arrived by the time `until` in seconds.
    pub fn push(&mut self, script: &Script, until: f64) {
        if script.messages.is_empty() && script.names.is_empty() {
            return;
        }
        let from = script.span().map_or(until, |(from, _)| from);
        // A script that is too large has more messages than a second can hold.
        let Ok(bytes) = script.to_bytes() else { return };
        self.first.get_or_insert(from);
        let messages = script.messages.len() as u64;
        let chunk = chunk(self.next, bytes, messages, from, until);
        self.next += 1;
        self.bytes += chunk.bytes();
        self.chunks.push_back(Arc::new(chunk));
        while self.bytes > self.max_bytes && self.chunks.len() > 1 {
            self.drop_oldest();
        }
    }

    /// Returns the number of the last chunk, or 0 before the first.
    pub const fn last(&self) -> u64 {
        self.next - 1
    }

    /// Returns the chunks after the one that a page has read last, oldest first, until they have more than
    /// `most` bytes. `None` if some of those have been dropped.
    pub fn after(&self, read: u64, most: usize) -> Option<Vec<Arc<Chunk>>> {
        let oldest = self.chunks.front().map_or(self.next, |chunk| chunk.number);
        if read > self.last() || read + 1 < oldest {
            return None;
        }
        let skipped = (read + 1 - oldest) as usize;
        let mut bytes = 0;
        let has_room = |chunk: &&Arc<Chunk>| {
            let is_within = bytes <= most;
            bytes += chunk.json.len();
            is_within
        };
        Some(self.chunks.iter().skip(skipped).take_while(has_room).cloned().collect())
    }

    /// Returns the number of the chunk before the oldest one, with what a page that begins there misses, and
    /// the messages that tell it what still holds. `None` if nothing has been dropped, so that a page begins at
    /// 0.
    pub fn beginning(&self) -> Option<(u64, Missed, Arc<Chunk>)> {
        let (base, oldest) = (self.base.as_ref()?, self.chunks.front()?);
        let seconds = oldest.from - self.first.unwrap_or(oldest.from);
        let missed = Missed { messages: self.dropped_messages, seconds };
        Some((oldest.number - 1, missed, Arc::clone(base)))
    }

    /// Returns the memory in bytes.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Drops the oldest quarter of the memory.
    fn drop_oldest(&mut self) {
        let wanted = self.max_bytes - self.max_bytes / 4;
        while self.bytes > wanted
            && self.chunks.len() > 1
            && let Some(chunk) = self.chunks.pop_front()
        {
            self.bytes -= chunk.bytes();
            self.dropped_messages += chunk.messages;
            // These are bytes of this program.
            if let Ok(script) = Script::from_bytes(&chunk.script) {
                self.standing.add(script);
            }
        }
        if let Some(oldest) = self.chunks.front() {
            let script = self.standing.script(oldest.from);
            let messages = script.messages.len() as u64;
            let bytes = script.to_bytes().unwrap_or_default();
            self.base = Some(Arc::new(chunk(oldest.number - 1, bytes, messages, oldest.from, oldest.from)));
        }
    }
}

impl Chunk {
    fn bytes(&self) -> usize {
        self.json.len() + self.script.len() + size_of::<Self>()
    }
}

fn chunk(number: u64, script: Vec<u8>, messages: u64, from: f64, until: f64) -> Chunk {
    let json = json!({ "until": until, "script": STANDARD.encode(&script) }).to_string();
    Chunk { number, messages, from, json, script }
}
