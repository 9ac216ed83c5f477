//! Effect of an accepted position on a route.

/// Tells how an accepted position changed the route.
///
/// Distances are measured from the newest waypoint, or from the body if the route is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "InterpolationManager")]
#[doc(alias = "InterpolateTo")]
#[doc(alias = "position_queue")]
#[non_exhaustive]
pub enum Enqueued {
    /// The position was appended, and the body walks to it.
    Near,
    /// The position was appended but is too far to walk. The next step gives up the route and snaps
    /// the body to its end.
    Far,
    /// The body is already within the arrival radius. The route is empty, and at most the heading
    /// changes.
    AlreadyThere,
}
