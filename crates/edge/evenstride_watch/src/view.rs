//! One connection, drawn while it is recorded.

use std::collections::{BTreeMap, HashSet};

use evenstride_moments::{Moment, MomentFinder, SETTLED_AFTER_SECS};
use evenstride_replay::{
    Continued, DrawnHash, Playback, ReplayOptions, Said, Script, Stillness, TAIL_SECS, TraceScope,
};
use evenstride_types::EntityId;

use crate::Counts;

/// Number of messages up to which a view can begin again when a later message tells something about the
/// beginning, such as the player.
const HISTORY_MESSAGES: usize = 50_000;

/// Number of frames that a view may draw in vain. A guess of the player can change with every message.
const MAX_FRAMES_AGAIN: u64 = 100_000;

/// Largest number of entities that are announced.
const MAX_ANNOUNCED: usize = 1 << 16;

/// Observers of a view's replay.
type Observers = (Counts, (DrawnHash, MomentFinder));

/// One connection, drawn while it is recorded.
#[derive(Debug)]
pub struct View {
    options: ReplayOptions,
    playback: Option<Playback<Script>>,
    observers: Observers,
    names: BTreeMap<EntityId, String>,
    announced: HashSet<EntityId>,
    player: Option<EntityId>,
    last_message: f64,
    /// Time in seconds up to which everything has come.
    reached: f64,
    messages: u64,
    /// Messages that came after the frame in which a replay of the recording handles them.
    late: u64,
    /// Number of frames that were drawn in vain, because the view began again.
    frames_again: u64,
    /// Whether it begins with messages from the middle of its connection.
    is_partial: bool,
    /// Whether it can no longer begin again.
    is_settled: bool,
    /// Time up to which moments have been told.
    settled: f64,
    until: f64,
}

/// What is new in a view.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Entities that were heard of for the first time, with the time of the message in seconds.
    pub(crate) entities: Vec<(f64, EntityId)>,
    /// Moments that are known whole.
    pub(crate) moments: Vec<Moment>,
}

/// The end of a view.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnView {
    /// Number of frames.
    pub frames: u64,
    /// Number of server messages that were handled.
    pub updates: u64,
    /// Hash of the world's state.
    pub state_hash: u64,
    /// Hash of everything that was drawn ([`DrawnHash`]).
    pub drawn_hash: u64,
    /// Number of messages that came too late to be drawn as a replay draws them.
    pub late: u64,
    /// Whether other messages of the connection came before or after what was drawn, so that a replay of the
    /// recording draws it differently.
    pub is_partial: bool,
}

impl View {
    pub(crate) fn new(options: ReplayOptions) -> Self {
        let options = ReplayOptions {
            stillness: Stillness::Stepped,
            trace: TraceScope::All,
            sync_test: None,
            ..options
        };
        Self {
            options,
            playback: None,
            observers: observers(None),
            names: BTreeMap::new(),
            announced: HashSet::new(),
            player: None,
            last_message: f64::NEG_INFINITY,
            reached: f64::NEG_INFINITY,
            messages: 0,
            late: 0,
            frames_again: 0,
            is_partial: false,
            is_settled: false,
            settled: f64::NEG_INFINITY,
            until: f64::NEG_INFINITY,
        }
    }

    /// Says that the messages before its first one are not drawn.
    pub(crate) const fn into_partial(mut self) -> Self {
        self.is_partial = true;
        self
    }

    /// Takes note that everything up to a time in seconds has come. Returns the latest such time.
    pub(crate) const fn reach(&mut self, until: f64) -> f64 {
        if until.is_finite() {
            self.reached = self.reached.max(until);
        }
        self.reached
    }

    /// Returns the seconds since its last message, as far as packets tell.
    pub fn silence(&self) -> f64 {
        if self.messages == 0 { 0.0 } else { (self.reached - self.last_message).max(0.0) }
    }

    /// Returns the time in seconds up to which a view draws after these messages. A replay ends a few seconds
    /// after its last message.
    pub(crate) fn limit(&self, more: &Script, until: f64) -> f64 {
        let last = more.span().map_or(self.last_message, |(_, last)| last);
        until.min(last + TAIL_SECS)
    }

    /// Adds messages, all of which have arrived by the time `until` in seconds, and draws up to that time,
    /// which has [`Self::limit`].
    pub(crate) fn append(&mut self, more: Script, until: f64) -> Found {
        let mut found = Found::default();
        self.note(&more, &mut found);
        self.until = self.until.max(until);
        self.play(more, Some(self.until));
        let settled = self.playback.as_ref().map_or(f64::NEG_INFINITY, Playback::time) - SETTLED_AFTER_SECS;
        found.moments = self.observers.1.1.take_settled(settled);
        // After a new beginning, the first moments are found again.
        found.moments.retain(|moment| moment.to >= self.settled);
        self.settled = self.settled.max(settled);
        if let Some(playback) = self.playback.as_mut()
            && (self.frames_again > MAX_FRAMES_AGAIN || playback.script().messages.len() > HISTORY_MESSAGES)
        {
            playback.forget_heard();
            self.is_settled = true;
        }
        found
    }

    /// Draws the rest, and returns the moments that had not been told.
    pub(crate) fn finish(mut self) -> (Option<DrawnView>, Vec<Moment>) {
        self.play(Script::default(), None);
        let Self { playback, observers: (_, (hash, finder)), settled, late, is_partial, .. } = self;
        let rest = finder.finish().iter().filter(|moment| moment.to >= settled).cloned().collect();
        let drawn = playback.map(|playback| {
            let replayed = playback.finish();
            DrawnView {
                frames: replayed.frames,
                updates: replayed.updates,
                state_hash: replayed.state_hash,
                drawn_hash: hash.finish(),
                late,
                is_partial,
            }
        });
        (drawn, rest)
    }

    /// Returns the counts.
    pub const fn counts(&self) -> &Counts {
        &self.observers.0
    }

    /// Returns the name of an entity, or else its id.
    pub fn called(&self, entity: EntityId) -> String {
        self.names.get(&entity).cloned().unwrap_or_else(|| entity.to_string())
    }

    /// Returns the name of an entity, if it has one.
    pub fn name(&self, entity: EntityId) -> Option<&str> {
        self.names.get(&entity).map(String::as_str)
    }

    /// Returns the names of all entities that have one.
    pub const fn names(&self) -> &BTreeMap<EntityId, String> {
        &self.names
    }

    /// Returns the player whose client it is, if known.
    pub const fn player(&self) -> Option<EntityId> {
        self.player
    }

    /// Returns the number of messages about motion.
    pub const fn messages(&self) -> u64 {
        self.messages
    }

    /// Returns the number of messages that came too late to be drawn as a replay draws them.
    pub const fn late(&self) -> u64 {
        self.late
    }

    /// Returns the time in seconds of the last message.
    pub const fn last_message(&self) -> f64 {
        self.last_message
    }

    /// Returns the time in seconds up to which everything has arrived.
    pub const fn until(&self) -> f64 {
        self.until
    }

    fn note(&mut self, more: &Script, found: &mut Found) {
        self.names.extend(more.names.clone());
        if self.names.len() > 2 * MAX_ANNOUNCED {
            self.names.clear();
        }
        if more.player.is_some() && more.player != self.player {
            // A replay of the recording would begin with that player.
            self.late += u64::from(self.is_settled);
            self.player = more.player;
        }
        // Before its first frame, a playback has the time of its first message.
        let has_drawn = self.observers.0.frames > 0;
        let drawn = self.playback.as_ref().filter(|_| has_drawn).map_or(f64::NEG_INFINITY, Playback::time);
        for message in &more.messages {
            self.messages += 1;
            self.late += u64::from(message.time <= drawn);
            self.last_message = message.time;
            if let Said::Server(update) = &message.said
                && let Some(entity) = update.entity()
                && self.announced.len() < MAX_ANNOUNCED
                && self.announced.insert(entity)
            {
                found.entities.push((message.time, entity));
            }
        }
    }

    fn play(&mut self, more: Script, until: Option<f64>) {
        let player = more.player;
        let continued = match &mut self.playback {
            Some(playback) => playback.append(more, until),
            None => {
                let Some(mut playback) = Playback::new(more, self.options.clone()) else { return };
                let continued = playback.append(Script::default(), until);
                self.playback = Some(playback);
                self.observers = observers(player);
                continued
            }
        };
        let Some(playback) = &mut self.playback else { return };
        let mut before = None;
        if continued == Continued::BeginsAgain {
            self.frames_again += self.observers.0.frames;
            before = Some(std::mem::replace(&mut self.observers, observers(playback.script().player)).0);
        }
        while playback.advance_frame(&mut self.observers) {}
        if let Some(before) = before {
            self.observers.0.raise_to(&before);
        }
    }
}

fn observers(player: Option<EntityId>) -> Observers {
    (Counts::default(), (DrawnHash::default(), MomentFinder::new(player)))
}
