//! Several recordings as one script. A script has the view of one client, and the true places that
//! other clients reported.

use std::collections::BTreeMap;

use evenstride_types::{EntityId, Placement};

use crate::recording::{Moment, Recording, Said};

/// The input of a replay.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The player whose client is replayed, or `None` if it is unknown.
    pub player: Option<EntityId>,
    /// Messages to and from that client, by time.
    pub moments: Vec<Moment>,
    /// Places that players' own clients reported, by player and time.
    pub truth: BTreeMap<EntityId, Vec<Truth>>,
    /// Names of entities.
    pub names: BTreeMap<EntityId, String>,
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
            let is_view = index == 0 || whose.is_none() || whose == player;
            let mut moments = recording.moments;
            for moment in &mut moments {
                moment.time += offset;
                if let (Said::Client(action), Some(whose)) = (&moment.said, whose)
                    && let Some(place) = action.position().and_then(|position| position.check().ok())
                {
                    script.truth.entry(whose).or_default().push(Truth { time: moment.time, place });
                }
            }
            match (is_view, script.moments.is_empty()) {
                // One recording is taken without a copy.
                (true, true) => script.moments = moments,
                (true, false) => script.moments.append(&mut moments),
                (false, _) => {}
            }
            for (entity, name) in recording.names {
                script.names.entry(entity).or_insert(name);
            }
        }
        if !script.moments.is_sorted_by(|one, other| one.time <= other.time) {
            script.moments.sort_by(|one, other| one.time.total_cmp(&other.time));
        }
        script
            .truth
            .values_mut()
            .for_each(|poses| poses.sort_by(|one, other| one.time.total_cmp(&other.time)));
        script
    }

    /// Returns the times of the first and the last message in seconds, or `None` without messages.
    pub fn span(&self) -> Option<(f64, f64)> {
        Some((self.moments.first()?.time, self.moments.last()?.time))
    }

    /// Returns whether the script has messages from the client itself.
    pub(crate) fn has_own_words(&self) -> bool {
        self.moments.iter().any(|moment| matches!(moment.said, Said::Client(_)))
    }
}
