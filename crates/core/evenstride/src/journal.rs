//! What a step or an update did on the way, for whoever asks why.

/// One thing that happened to a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// A waypoint was reached.
    WaypointReached,
    /// No headway: the waypoint was given up.
    WaypointGivenUp,
    /// Too many waypoints were given up: a snap to the newest one.
    SnapToNewest,
    /// Nothing was left to go to: a snap to the last one given up.
    SnapToGivenUp,
    /// A snap to the last place before a velocity waypoint.
    SnapBeforeVelocity,
    /// A velocity waypoint set the velocity.
    VelocityTaken,
    /// The body was placed.
    Placed,
    /// The surroundings refused a placement.
    PlacementRefused,
    /// A new waypoint replaced a nearly equal one at the end of the route.
    NewestReplaced,
    /// The route was full: its oldest waypoint was dropped.
    OldestDropped,
    /// A follow ran out of time.
    FollowTimedOut,
    /// The body left walkable ground.
    TookOff,
    /// The body came to walkable ground.
    Landed,
}

/// Takes notes, or does not: `()` compiles to nothing.
pub(crate) trait Journal {
    fn note(&mut self, note: Note);

    /// A body is about to be stepped by so many seconds.
    fn slice(&mut self, _secs: f32) {}
}

impl Journal for () {
    fn note(&mut self, _: Note) {}
}
