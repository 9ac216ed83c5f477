//! Several recordings as one script. A script has the view of one client, and the true places that
//! other clients reported.

use std::collections::BTreeMap;

use evenstride_types::{EntityId, Placement};

use crate::recording::{Recording, Said, TimedMessage};

/// The input of a replay.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The player whose client is replayed, or `None` if it is unknown.
    pub player: Option<EntityId>,
    /// Messages to and from that client, by time.
    pub messages: Vec<TimedMessage>,
    /// Places that players' own clients reported, by player and time.
    pub truth: BTreeMap<EntityId, Vec<Truth>>,
    /// Names of entities.
    pub names: BTreeMap<EntityId, String>,
    /// The player to whom most game events are addressed, in the first recording that has some.
    pub likely_player: Option<EntityId>,
    /// Second 0 as a Unix time in seconds. `None` if the first recording has no dates.
    pub start: Option<f64>,
    /// Number of messages of each kind in all recordings, motion or not.
    pub contents: BTreeMap<&'static str, u64>,
}

/// A place that a player's own client reported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Truth {
    /// Time in seconds.
    pub time: f64,
    /// Place.
    pub place: Placement,
}

impl Script {
    /// Merges recordings. Each is paired with an offset in seconds, which is added to its times.
    ///
    /// The first recording is the view, so the messages of its client are replayed. A recording by
    /// another player's client adds the truth about that player. A recording by the same or an
    /// unknown player adds to the view. `player` overrides the player of the first recording.
    pub fn of(recordings: Vec<(Recording, f64)>, player: Option<EntityId>) -> Self {
        let player = player.or_else(|| recordings.first().and_then(|(recording, _)| recording.player));
        let mut script = Self { player, ..Self::default() };
        for (index, (recording, offset)) in recordings.into_iter().enumerate() {
            let whose = if index == 0 { player } else { recording.player };
            script.likely_player = script.likely_player.or(recording.likely_player);
            if index == 0 {
                script.start = recording.start;
            }
            for (name, count) in &recording.contents {
                *script.contents.entry(name).or_default() += count;
            }
            let is_view = index == 0 || whose.is_none() || whose == player;
            let mut messages = recording.messages;
            for message in &mut messages {
                message.time += offset;
                if let (Said::Client(action), Some(whose)) = (&message.said, whose)
                    && let Some(place) = action.position().and_then(|position| position.check().ok())
                {
                    script.truth.entry(whose).or_default().push(Truth { time: message.time, place });
                }
            }
            match (is_view, script.messages.is_empty()) {
                // One recording is taken without a copy.
                (true, true) => script.messages = messages,
                (true, false) => script.messages.append(&mut messages),
                (false, _) => {}
            }
            for (entity, name) in recording.names {
                script.names.entry(entity).or_insert(name);
            }
        }
        if !script.messages.is_sorted_by(|one, other| one.time <= other.time) {
            script.messages.sort_by(|one, other| one.time.total_cmp(&other.time));
        }
        script
            .truth
            .values_mut()
            .for_each(|poses| poses.sort_by(|one, other| one.time.total_cmp(&other.time)));
        script
    }

    /// Adds the places that the client reported in these messages to the truth about its player.
    pub(crate) fn add_truth(&mut self, player: EntityId) {
        for TimedMessage { time, said } in &self.messages {
            if let Said::Client(action) = said
                && let Some(place) = action.position().and_then(|position| position.check().ok())
            {
                self.truth.entry(player).or_default().push(Truth { time: *time, place });
            }
        }
    }

    /// Adds what follows this script. What is known in both is taken from `more`.
    pub fn append(&mut self, more: Self) {
        let Self { player, mut messages, truth, names, likely_player, start, contents } = more;
        self.player = player.or(self.player);
        self.messages.append(&mut messages);
        for (entity, mut places) in truth {
            self.truth.entry(entity).or_default().append(&mut places);
        }
        self.names.extend(names);
        self.likely_player = likely_player.or(self.likely_player);
        self.start = self.start.or(start);
        for (name, count) in contents {
            *self.contents.entry(name).or_default() += count;
        }
    }

    /// Returns the times of the first and the last message in seconds, or `None` without messages.
    pub fn span(&self) -> Option<(f64, f64)> {
        Some((self.messages.first()?.time, self.messages.last()?.time))
    }

    /// Returns whether the script has messages from the client itself.
    pub(crate) fn has_own_words(&self) -> bool {
        self.messages.iter().any(|message| matches!(message.said, Said::Client(_)))
    }
}
