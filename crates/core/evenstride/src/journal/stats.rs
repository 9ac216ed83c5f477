//! How often something happened, over the whole world.

use crate::journal::Counters;

/// Counters since the world was made. Each only grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// How updates fared, over all entities, those that are gone too.
    pub heard: Counters,
    /// Positions refused because cell, coordinates or rotation cannot be.
    pub refused_positions: u64,
    /// Vectors refused because a component is not finite.
    pub refused_vectors: u64,
    /// Movements refused because a speed is not finite or too large.
    pub refused_movements: u64,
    /// Descriptions refused because a number in them cannot be, or the world is full.
    pub refused_creates: u64,
    /// Attachments refused because they would go round in a circle or too deep.
    pub refused_holds: u64,
    /// Waypoints dropped because a route was longer than any the client can have under its own cap.
    pub far_waypoints_dropped: u64,
    /// Steps whose result left the numbers' range, treated as blocked.
    pub steps_out_of_bounds: u64,
    /// Calls with a time before the last one.
    pub time_went_back: u64,
    /// Gaps of over two seconds that were not caught up with, by body or, with the fixed gate, by world.
    pub time_dropped: u64,
    /// Early updates whose entity came, and which were then handled.
    pub parked_replayed: u64,
    /// Early updates dropped because too many waited.
    pub parked_dropped: u64,
    /// Early updates dropped because their entity did not come in time.
    pub parked_expired: u64,
    /// Early updates about a later life of an entity, lost as the client loses them.
    pub parked_lost: u64,
    /// Events that nobody took in time.
    pub events_dropped: u64,
    /// Messages of the local player that nobody took in time.
    pub actions_dropped: u64,
}

impl Stats {
    /// Nothing has happened yet.
    pub(crate) const NONE: Self = Self {
        heard: Counters::NONE,
        refused_positions: 0,
        refused_vectors: 0,
        refused_movements: 0,
        refused_creates: 0,
        refused_holds: 0,
        far_waypoints_dropped: 0,
        steps_out_of_bounds: 0,
        time_went_back: 0,
        time_dropped: 0,
        parked_replayed: 0,
        parked_dropped: 0,
        parked_expired: 0,
        parked_lost: 0,
        events_dropped: 0,
        actions_dropped: 0,
    };
}
