//! How often something happened that should be rare.

/// Counters since the world was made. Each only grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Positions refused because cell, coordinates or rotation cannot be.
    pub refused_positions: u64,
    /// Vectors refused because a component is not finite.
    pub refused_vectors: u64,
    /// Movements refused because a speed is not finite or too large.
    pub refused_movements: u64,
    /// Waypoints dropped because a route was longer than any the client can have under its own cap.
    pub far_waypoints_dropped: u64,
    /// Steps whose result left the numbers' range, treated as blocked.
    pub steps_out_of_bounds: u64,
    /// Calls with a time before the last one.
    pub time_went_back: u64,
    /// Gaps of over two seconds that were not caught up with, by body or, with the fixed gate, by world.
    pub time_dropped: u64,
}

impl Stats {
    /// Nothing has happened yet.
    pub const NONE: Self = Self {
        refused_positions: 0,
        refused_vectors: 0,
        refused_movements: 0,
        far_waypoints_dropped: 0,
        steps_out_of_bounds: 0,
        time_went_back: 0,
        time_dropped: 0,
    };
}
