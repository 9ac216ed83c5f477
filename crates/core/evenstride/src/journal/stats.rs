//! Counts of a whole world, for hosts and tests.

use crate::journal::Counters;

/// Counts since the world was made. Each number only grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Updates by their fate, over all entities, including removed ones.
    pub heard: Counters,
    /// Positions refused because cell, coordinates or rotation are invalid.
    pub refused_positions: u64,
    /// Velocities and spins refused because a component is not finite.
    pub refused_vectors: u64,
    /// Movements refused because a speed or a parameter of the goal is invalid.
    pub refused_movements: u64,
    /// Descriptions refused because a value is invalid, or because the world is full.
    pub refused_creates: u64,
    /// Holds refused because the entities would hold each other or be nested too deep.
    pub refused_holds: u64,
    /// Waypoints dropped because a route had more than
    /// [`MAX_FAR_WAYPOINTS`](crate::limits::MAX_FAR_WAYPOINTS).
    pub far_waypoints_dropped: u64,
    /// Steps whose result left the range of coordinates. The body stayed where it was.
    pub steps_out_of_bounds: u64,
    /// Calls with a time before that of the last call.
    pub time_went_back: u64,
    /// Gaps of more than two seconds that were not caught up with. With the fixed gate each gap
    /// counts once, with the other gates once for each body.
    pub time_dropped: u64,
    /// Parked updates that were handled after their entity was created.
    pub parked_replayed: u64,
    /// Early updates dropped because too many were parked.
    pub parked_dropped: u64,
    /// Parked updates dropped because their entity was not created in time.
    pub parked_expired: u64,
    /// Early updates about a later life of an entity, which the client loses too.
    pub parked_lost: u64,
    /// Events dropped because the host did not poll them in time.
    pub events_dropped: u64,
    /// Messages of the local player dropped because the host did not poll them in time.
    pub actions_dropped: u64,
}

impl Stats {
    /// Counts of a new world.
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
