//! Several recordings as one: what one client heard, and what others knew better.

use std::collections::BTreeMap;

use evenstride_types::{EntityId, Placement};

use crate::recording::{Moment, Recording, Said};

/// Everything a replay needs.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Whose client is replayed.
    pub player: Option<EntityId>,
    /// What it heard and said, by time.
    pub moments: Vec<Moment>,
    /// Where players said they were, by player and time: the truth about them.
    pub truth: BTreeMap<EntityId, Vec<Truth>>,
    /// What entities are called.
    pub names: BTreeMap<EntityId, String>,
}

/// Where a player said it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Truth {
    /// When.
    pub time: f64,
    /// Where.
    pub place: Placement,
}

impl Script {
    /// Lays recordings over each other, each with the seconds that are to be added to its times.
    ///
    /// The first is the view: what its client heard is replayed. A recording of another player's client adds the truth about that player;
    /// one whose player is the same, or cannot be told, is more of the same view. `player` overrides what the first recording tells.
    pub fn of(recordings: Vec<(Recording, f64)>, player: Option<EntityId>) -> Self {
        let player = player.or_else(|| recordings.first().and_then(|(recording, _)| recording.player));
        let mut script = Self { player, ..Self::default() };
        for (index, (recording, offset)) in recordings.into_iter().enumerate() {
            let whose = if index == 0 { player } else { recording.player };
            let is_view = index == 0 || whose.is_none() || whose == player;
            for mut moment in recording.moments {
                moment.time += offset;
                if let (Said::Client(action), Some(whose)) = (&moment.said, whose)
                    && let Some(place) = action.position().and_then(|position| position.check().ok())
                {
                    script.truth.entry(whose).or_default().push(Truth { time: moment.time, place });
                }
                if is_view {
                    script.moments.push(moment);
                }
            }
            for (entity, name) in recording.names {
                script.names.entry(entity).or_insert(name);
            }
        }
        script.moments.sort_by(|one, other| one.time.total_cmp(&other.time));
        script
            .truth
            .values_mut()
            .for_each(|poses| poses.sort_by(|one, other| one.time.total_cmp(&other.time)));
        script
    }

    /// First and last time of what was heard and said.
    pub fn span(&self) -> Option<(f64, f64)> {
        Some((self.moments.first()?.time, self.moments.last()?.time))
    }

    /// Whether the client's own words are among it.
    pub(crate) fn has_own_words(&self) -> bool {
        self.moments.iter().any(|moment| matches!(moment.said, Said::Client(_)))
    }
}
